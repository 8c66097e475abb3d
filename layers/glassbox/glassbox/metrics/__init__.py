"""Lexical metrics: BLEU, ROUGE and the aligned reading of both over the best-overlapping source windows.

Import the module you need (`from glassbox.metrics.rouge import rouge`); the package itself imports nothing.
"""
