"""Attacks on the judge prompts of the engine `llm`, and what each defence stops."""
