"""The engine `llm`: DeepEval's and Ragas' own code on the judge-model port; imported only where a judge asks it."""
