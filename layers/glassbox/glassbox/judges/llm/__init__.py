"""The engine `llm`: DeepEval's and Ragas' own code on the configured judge model, and every reply held to account.

Import the module you need; only `deepeval` and `ragas` here load the libraries of those names, and an evaluation by the
local engine loads neither.
"""
