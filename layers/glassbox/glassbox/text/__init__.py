"""Pure functions on text: sentences, claims, windows, quantities, negation, refusals, fences and injections.

Import the module you need (`from glassbox.text.claims import extract_claims`); the package itself imports nothing, so
that a function which needs one of them doesn't pay for the rest. All offsets are Python code-point offsets into the
text that was handed in; no function does I/O; all run in time (nearly) linear in the length of the text.
"""
