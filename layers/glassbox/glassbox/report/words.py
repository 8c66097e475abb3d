"""Plain words for every code that a scorecard can hold; a code that is not known here is shown as it is."""

from __future__ import annotations

from typing import Final, NamedTuple


class Word(NamedTuple):
    """A name in plain words and one sentence that explains it."""

    title: str
    explains: str


JUDGES: Final[dict[str, Word]] = {
    "contextual_precision": Word("Contextual precision", "Did the retriever surface the right content?"),
    "semantic_faithfulness": Word("Semantic faithfulness", "Is the answer grounded in the retrieved context?"),
    "structural_fidelity": Word(
        "Structural fidelity",
        "Does the answer preserve the terminology, entities, and relationships present in the source documents?",
    ),
}

MEASUREMENTS: Final[dict[str, Word]] = {
    "trust": Word("Trust score", "The weighted mean of the judges' scores."),
    "contextual_precision": Word("Contextual precision", "Whether relevant passages stand above irrelevant ones."),
    "precision_at_k": Word("Precision at k", "Share of the first passages that are relevant."),
    "share_relevant": Word("Share relevant", "Share of all retrieved passages that are relevant."),
    "reciprocal_rank": Word("Reciprocal rank", "1 divided by the rank of the first relevant passage."),
    "retrieval_calibration": Word(
        "Retrieval calibration", "Whether the retriever's own scores agree with measured similarity."
    ),
    "rank_agreement": Word("Rank agreement", "Agreement of the retriever's ranking with the ranking by similarity."),
    "distribution_agreement": Word(
        "Distribution agreement", "How close the retriever's scores lie to measured similarity."
    ),
    "entity_hit_rate": Word("Entity hit rate", "Share of the expected entities found in the passages."),
    "mean_similarity": Word("Mean similarity", "Mean similarity of the passages; used when no scores were reported."),
    "faithfulness": Word("Faithfulness", "Share of the answer's claims that a passage supports."),
    "answer_relevancy": Word("Answer relevancy", "How closely the answer keeps to what was asked."),
    "bleu_1": Word("BLEU-1, whole document", "Shared words."),
    "bleu_2": Word("BLEU-2, whole document", "Shared pairs of words."),
    "bleu_3": Word("BLEU-3, whole document", "Shared runs of three words."),
    "bleu_4": Word("BLEU-4, whole document", "Shared runs of four words."),
    "rouge_1": Word("ROUGE-1, whole document", "Shared words, with precision and recall."),
    "rouge_2": Word("ROUGE-2, whole document", "Shared pairs of words, with precision and recall."),
    "rouge_l": Word("ROUGE-L, whole document", "Longest common sequence of words."),
    "aligned_bleu_4": Word("Aligned BLEU-4", "Phrases of each answer sentence kept from the closest source sentences."),
    "aligned_rouge_l": Word(
        "Aligned ROUGE-L", "Word order of each answer sentence kept from the closest source sentences."
    ),
    "nlp_score": Word(
        "Terminology (NLP score)",
        "Whether the sources' phrases and word order are kept: harmonic mean of aligned BLEU-4 and ROUGE-L.",
    ),
    "rouge_1_precision_baseline": Word(
        "ROUGE-1 precision, the baseline", "Share of the answer's words that occur in the sources; for comparison only."
    ),
    "entity_precision": Word("Entity precision", "Share of the answer's names and terms that occur in the sources."),
    "source_coverage": Word("Source coverage", "Share of the sources' names that the answer mentions."),
    "relation_faithfulness": Word(
        "Relation faithfulness", "Share of related pairs in the answer that are related in the sources too."
    ),
}

STATUSES: Final[dict[str, str]] = {
    "scored": "measured",
    "skipped": "switched off by the policy",
    "not_applicable": "does not arise",
    "not_measured": "could not be measured",
    "inconclusive": "no clear answer",
    "error": "the judge broke",
}

REASONS: Final[dict[str, str]] = {
    "no_context": "no passages were retrieved",
    "no_answer": "the answer is empty",
    "empty_answer": "the answer is empty",
    "no_claims": "the answer states nothing that could be checked",
    "refusal": "the answer declines to answer",
    "appropriate_refusal": "the answer declines, and no passage would have helped",
    "unwarranted_refusal": "the answer declines although a passage holds an answer",
    "no_entities": "the answer names nothing",
    "no_source_entities": "the sources name nothing",
    "no_relations": "the answer relates no two names",
    "no_retrieved_entities": "the request names no expected entities",
    "no_scores": "the retriever reported no scores",
    "too_few_scores": "fewer than three passages carry a score of the retriever",
    "equal_scores": "all scores of the retriever are equal",
    "equal_similarities": "all passages are equally similar to the question",
    "scores_reported": "the retriever reported scores",
    "no_sources": "there is no source text",
    "no_words": "there are no words to compare",
    "no_query": "the question is empty",
    "language": "no bundled model was measured in this language",
    "model_unavailable": "the model is not available",
    "undecided_claims": "too many claims could not be decided",
    "split": "the judge models are split",
    "disabled": "switched off by the policy",
}

FLAGS: Final[dict[str, Word]] = {
    "contradicted_claim": Word("Contradicted claim", "A passage says otherwise."),
    "unsupported_claim": Word("Unsupported claim", "No passage backs it."),
    "number_mismatch": Word("Number mismatch", "A number, date or unit of the answer does not stand in its evidence."),
    "unwarranted_refusal": Word("Unwarranted refusal", "The answer declines although a passage could answer."),
    "appropriate_refusal": Word("Appropriate refusal", "The answer declines, and no passage could answer."),
    "injection_suspected": Word(
        "Orders to the judge suspected", "The evaluated text contains what reads like instructions to an evaluator."
    ),
    "novel_entity": Word("Name not in the sources", "A hallucination candidate for a person to check."),
    "novel_relation": Word("Relation not in the sources", "The answer relates two names that the sources don't."),
    "below_target": Word("Target missed", "A measurement lies below its target."),
    "agent_drift": Word("Drifts off the question", "The answer keeps less to the question than the target asks."),
    "selective_copying": Word("Selective copying", "Much of the source is repeated, little of the answer is exact."),
    "duplicate_passages": Word("Duplicate passages", "The same passage was retrieved more than once."),
    "language_unmeasured": Word("Language not measured", "No bundled model was measured in this language."),
}

SEVERITIES: Final[dict[str, str]] = {
    "fail": "fails the evaluation",
    "inconclusive": "blocks a pass",
    "review": "needs a person",
    "info": "for information",
}

VERDICTS: Final[dict[str, tuple[str, str]]] = {
    "supported": ("✓", "supported"),
    "contradicted": ("✗", "contradicted"),
    "unsupported": ("!", "unsupported"),
    "inconclusive": ("?", "undecided"),
}

DECISIONS: Final[dict[str, tuple[str, str]]] = {
    "pass": ("✓", "Pass"),
    "fail": ("✗", "Fail"),
    "inconclusive": ("?", "Inconclusive"),
}

STATES: Final[dict[str, str]] = {
    "operational": "Run",
    "evidence": "Evidence",
    "quality": "Quality",
    "publication": "Use",
}

STATE_VALUES: Final[dict[str, Word]] = {
    "completed": Word("completed", "Every judge ran to its end."),
    "failed": Word("failed", "A judge broke."),
    "complete": Word("complete", "Everything that arises was measured."),
    "partial": Word("partial", "Something that arises was not measured."),
    "missing": Word("missing", "No judge could give a score."),
    "pass": Word("pass", "The policy's demands are met."),
    "fail": Word("fail", "The policy's demands are not met."),
    "inconclusive": Word("inconclusive", "No verdict can be given."),
    "publishable": Word("publishable", "The answer may be used as it is."),
    "withheld": Word("withheld", "The answer is not to be used."),
    "under_review": Word("under review", "A person has to look first."),
}

MATCHES: Final[dict[str, str]] = {
    "literal": "word for word",
    "abbreviation": "as its short or long form",
    "quantity": "as an equal number or date",
    "related": "related there too",
    "same_sentence": "in one sentence there",
}

PURPOSES: Final[dict[str, str]] = {
    "contextual_precision.verdicts": "Which passages are relevant?",
    "faithfulness.statements": "What does the answer claim?",
    "faithfulness.verdicts": "Which claims do the passages support?",
    "answer_relevancy.question": "Which question does the answer answer?",
}

ENGINES: Final[dict[str, str]] = {"local": "bundled models", "llm": "judge model"}


def judge(name: str) -> Word:
    """Return the plain name and the question of a judge; an unknown one is its own name."""
    return JUDGES.get(name, Word(name, ""))


def measurement(name: str) -> Word:
    """Return the plain name and meaning of a measurement, by its name or by its path in the policy's tree."""
    return MEASUREMENTS.get(name.rsplit("/", 1)[-1], Word(name, ""))


def flag(code: str) -> Word:
    """Return the plain name and meaning of a flag; an unknown one is its own code."""
    return FLAGS.get(code, Word(code, ""))


def status(code: str) -> str:
    """Return what a status means in plain words, or the code."""
    return STATUSES.get(code, code)


def reason(code: str) -> str:
    """Return why there is no value in plain words; `absent:a,b` names the parts that have none."""
    if code.startswith("absent:"):
        parts = [measurement(part).title for part in code[len("absent:") :].split(",") if part]
        return "no value for " + ", ".join(parts) if parts else "a part has no value"
    return REASONS.get(code, code)


def match(rule: str) -> str:
    """Return how a name was found, in plain words."""
    return MATCHES.get(rule, rule)


def purpose(code: str) -> str:
    """Return what a judge model was asked for, in plain words, or the code."""
    return PURPOSES.get(code, code)


def engine(code: str | None) -> str:
    """Return who interpreted, in plain words."""
    return "no model needed" if code is None else ENGINES.get(code, code)
