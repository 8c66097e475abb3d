"""The judges: independent scorers of one question each, over the texts, metrics and models below them.

A judge is a function `judge(request, policy, tools) -> JudgeResult`; `registry.JUDGES` lists them by name. Import the
module you need: the package itself imports nothing, so that a function that runs one judge doesn't pay for the others.
"""
