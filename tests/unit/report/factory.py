"""Envelopes as evaluations leave them: contents of our own writing, everything else derived by the product itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from glassbox.contract.measurement import ClaimCounts, Flag, JudgeResult, Measurement, Status
from glassbox.scorecard.derive import derive
from glassbox_contract.arithmetic import average_precision
from glassbox_contract.default_policy import default_policy

QUERY = "When does the Harbour Library open on Saturdays, who runs it, and how many books may I borrow?"
PASSAGES = (
    "The Harbour Library stands on Quay Street. On Saturdays it is open from 10 am to 4 pm; on Sundays it is closed. "
    "The reading room on the second floor keeps the same hours.",
    "Members may borrow up to 12 books at a time for four weeks. Loans can be renewed twice unless somebody waits.",
    "Quay Street was paved again in 2019. Works lasted eleven months and closed two tram stops.",
    "The Harbour Library is run by the city's Department of Culture. Its director is Marta Olsen.",
    "The Harbour Library stands on Quay Street. On Saturdays it is open from 10 am to 4 pm; on Sundays it is closed. "
    "The reading room on the second floor keeps the same hours.",
)
SCORES = (0.91, 0.84, 0.79, None, 0.55)
CLAIMS = (
    ("The Harbour Library is open from 10 am to 4 pm on Saturdays.", "supported", 0, "is open from 10 am to 4 pm"),
    ("It is run by the Department of Culture under Henrik Dahl.", "contradicted", 3, "Its director is Marta Olsen"),
    ("You may borrow up to 20 books at a time.", "contradicted", 1, "borrow up to 12 books at a time"),
    ("A café on the ground floor serves lunch.", "unsupported", None, None),
    ("Loans last four weeks.", "supported", 1, "for four weeks"),
)  # fmt: skip
ANSWER = " ".join(claim[0] for claim in CLAIMS)
MODEL = "minilm-embedder@sha256:" + "4f" * 32
LEDGER = {
    "backend": "embedded",
    "record_id": "0d7c1c0e-52a6-5b7e-9d0e-0a4c5a1f7c11",
    "transaction_id": "9b" * 32,
    "block": 12,
    "height": 13,
    "head_hash": "sha256:" + "c3" * 32,
}
USAGE = {"llm_calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0, "duration_ms": 812.4}


def signed(name: str) -> str:
    """A signature as judges write them."""
    return f"{name}|engine:local|lib:glassbox-0.1.0"


def claim_evidence(claims: tuple[tuple[Any, ...], ...] = CLAIMS, answer: str = ANSWER) -> list[dict[str, Any]]:
    """One piece of evidence a claim, in the shape that the judge writes."""
    reasons = {
        "supported": "The passage says the same",
        "contradicted": "The passage names something else",
        "unsupported": "No passage speaks of it",
        "inconclusive": "language",
    }
    return [
        {
            "claim": text,
            "verdict": verdict,
            "passage": passage,
            "quote": quote,
            "reason": reasons[verdict],
            "start": answer.index(text),
            "end": answer.index(text) + len(text),
            "probability": 0.93,
            **({"numbers": ["20"]} if "20 books" in text else {}),
        }
        for text, verdict, passage, quote in claims
    ]


def precision() -> JudgeResult:
    bits = "11011"
    micros, _, _ = average_precision(bits)
    relevance = [
        {
            "passage": i,
            "relevant": bit == "1",
            "similarity": (0.71, 0.64, -0.03, 0.58, 0.71)[i],
            "reason": "Close to the question" if bit == "1" else "Too far from the question",
            **({"duplicate_of": 0} if i == 4 else {}),
        }
        for i, bit in enumerate(bits)
    ]
    return JudgeResult(
        judge="contextual_precision",
        question="Did the retriever surface the right content?",
        engine="local",
        measurements=(
            Measurement(
                name="contextual_precision",
                status=Status.SCORED,
                micros=micros,
                bits=bits,
                signature=signed("contextual_precision"),
                evidence=tuple(relevance),
                detail={"reference_mode": "answer", "unique_bits": "1101"},
            ),
            Measurement.scored("rank_agreement", 0.833333, signed("rank_agreement"), detail={"scored": 4}),
            Measurement.scored("distribution_agreement", 0.61, signed("distribution_agreement")),
            Measurement.absent(
                "entity_hit_rate", Status.NOT_APPLICABLE, "no_retrieved_entities", signed("entity_hit_rate")
            ),
            Measurement.absent("mean_similarity", Status.NOT_APPLICABLE, "scores_reported", signed("mean_similarity")),
            Measurement.of_ratio(
                "precision_at_k", 4, 5, signed("precision_at_k"), detail={"at_1": 1.0, "at_3": 0.666667}
            ),
            Measurement.of_ratio("share_relevant", 4, 5, signed("share_relevant")),
            Measurement.of_ratio("reciprocal_rank", 1, 1, signed("reciprocal_rank")),
        ),
        flags=(Flag(code="duplicate_passages", detail={"groups": [[0, 4]], "unique": 4}),),
        models=(MODEL,),
        libraries=("numpy 2.3.5",),
    )


def faithfulness(claims: tuple[tuple[Any, ...], ...] = CLAIMS, answer: str = ANSWER) -> JudgeResult:
    verdicts = [claim[1] for claim in claims]
    counts = {v: verdicts.count(v) for v in ("supported", "contradicted", "unsupported", "inconclusive")}
    number = Flag(
        code="number_mismatch", detail={"claim": 2, "passage": 1, "numbers": [{"number": "20", "conflicting": True}]}
    )
    return JudgeResult(
        judge="semantic_faithfulness",
        question="Is the answer grounded in the retrieved context?",
        engine="local",
        measurements=(
            Measurement.of_ratio(
                "faithfulness",
                counts["supported"],
                len(claims) - counts["inconclusive"],
                signed("faithfulness"),
                counts=ClaimCounts(**counts),
                evidence=tuple(claim_evidence(claims, answer)),
            ),
            Measurement.scored("answer_relevancy", 0.8123, signed("answer_relevancy"), detail={"raw_similarity": 0.64}),
        ),
        flags=(number,) if "contradicted" in verdicts else (),
        models=("claim-checker@sha256:" + "a1" * 32, MODEL),
        libraries=("onnxruntime 1.32.0",),
    )


def fidelity() -> JudgeResult:
    entities = (
        ("Harbour Library", "organisation", True, "exact"),
        ("Department of Culture", "organisation", True, "exact"),
        ("Henrik Dahl", "person", False, None),
        ("Saturdays", "date", True, "exact"),
    )
    aligned = [
        {
            "start": ANSWER.index(text),
            "end": ANSWER.index(text) + len(text),
            "windows": [{"source": 0, "start": 0, "end": 42}, {"source": 1, "start": 0, "end": 59}],
            "bleu_4": 0.62,
            "rouge_l": 0.81,
        }
        for text, *_ in CLAIMS
    ]
    return JudgeResult(
        judge="structural_fidelity",
        question=(
            "Does the answer preserve the terminology, entities, and relationships present in the source documents?"
        ),
        engine="local",
        measurements=(
            Measurement.scored("aligned_bleu_4", 0.5512, signed("aligned_bleu_4"), evidence=tuple(aligned)),
            Measurement.scored("aligned_rouge_l", 0.7401, signed("aligned_rouge_l")),
            Measurement.of_ratio(
                "entity_precision",
                3,
                4,
                signed("entity_precision"),
                evidence=tuple(
                    {
                        "entity": e,
                        "label": label,
                        "start": ANSWER.index(e),
                        "end": ANSWER.index(e) + len(e),
                        "found": found,
                        "match": match,
                    }
                    for e, label, found, match in entities
                ),
            ),
            Measurement.of_ratio(
                "relation_faithfulness",
                1,
                2,
                signed("relation_faithfulness"),
                evidence=(
                    {"subject": "Harbour Library", "object": "Department of Culture", "label": "run by", "found": True},
                    {"subject": "Henrik Dahl", "object": "Harbour Library", "label": "director of", "found": False},
                ),
            ),
            Measurement.scored("bleu_1", 0.31, signed("bleu_1")),
            Measurement.scored(
                "rouge_1", 0.44, signed("rouge_1"), detail={"precision": 0.7, "recall": 0.32, "f1": 0.44}
            ),
            Measurement.of_ratio("source_coverage", 3, 9, signed("source_coverage")),
        ),
        flags=(
            Flag(code="novel_entity", detail={"entity": "Henrik Dahl", "label": "person"}),
            Flag(code="novel_relation", detail={"subject": "Henrik Dahl", "object": "Harbour Library"}),
        ),
        models=("gliner-glassbox@sha256:" + "7e" * 32,),
        libraries=("rapidfuzz 3.14.3", "sacrebleu 2.6.0"),
    )


def absent(judge: str, question: str, names: tuple[str, ...], reason: str) -> JudgeResult:
    """A judge whose question does not arise."""
    return JudgeResult(
        judge=judge,
        question=question,
        engine=None,
        measurements=tuple(
            Measurement.absent(name, Status.NOT_APPLICABLE, reason, f"{name}|engine:none") for name in names
        ),
    )


def content(**changes: Any) -> dict[str, Any]:
    """The content of a bundle; keywords replace whole members."""
    base: dict[str, Any] = {
        "schema_version": "1",
        "evaluation_id": LEDGER["record_id"],
        "attempt": 0,
        "supersedes": None,
        "created_at": "2026-11-30T22:00:00.000Z",
        "salt": "5a" * 32,
        "identity": {
            "tenant": "local",
            "idempotency_key": None,
            "request_hmac": "hmac-sha256:" + "11" * 32,
            "session_hmac": "hmac-sha256:" + "22" * 32,
        },
        "engine": "local",
        "request": {
            "query": QUERY,
            "answer": ANSWER,
            "retrieved_passages": [
                {"text": text, "id": f"doc-{i + 1}", **({} if score is None else {"score": score})}
                for i, (text, score) in enumerate(zip(PASSAGES, SCORES, strict=True))
            ],
            "session_id": "desk-7",
        },
        "policy": default_policy(),
        "results": {r.judge: r.model_dump(mode="json") for r in (precision(), faithfulness(), fidelity())},
        "runtime": {"glassbox": "0.1.0", "python": "3.12.3", "onnxruntime": "1.32.0", "cpu": ["avx2", "fma"]},
    }
    return base | changes


def envelope(**changes: Any) -> dict[str, Any]:
    """A whole envelope of an answer with two contradicted claims, an invented name and a changed number."""
    value = content(**changes)
    return derive(value).envelope(value)


def good_envelope() -> dict[str, Any]:
    """An answer with which nothing is wrong."""
    claims = (CLAIMS[0], CLAIMS[4])
    answer = " ".join(c[0] for c in claims)
    value = content()
    value["request"]["answer"] = answer
    structural = fidelity()
    clean = tuple(
        m.model_copy(update={"micros": 970_000, "num": None, "den": None, "evidence": ()})
        if m.name in ("aligned_bleu_4", "aligned_rouge_l")
        else m
        for m in structural.measurements
        if m.name not in ("entity_precision", "relation_faithfulness")
    )
    names = [m for m in structural.measurements if m.name in ("entity_precision", "relation_faithfulness")]
    clean += tuple(Measurement.of_ratio(m.name, 2, 2, m.signature) for m in names)
    retrieval = precision().model_copy(update={"flags": ()})
    results = (
        retrieval,
        faithfulness(claims, answer),
        structural.model_copy(update={"measurements": clean, "flags": ()}),
    )
    value["results"] = {r.judge: r.model_dump(mode="json") for r in results}
    return derive(value).envelope(value)


def unanswered_envelope() -> dict[str, Any]:
    """An empty answer: every question fails to arise, and there is no trust score."""
    value = content()
    value["request"]["answer"] = ""
    results = [
        absent(
            r.judge,
            r.question,
            tuple(m.name for m in r.measurements),
            "empty_answer",
        )
        for r in (precision(), faithfulness(), fidelity())
    ]
    value["results"] = {r.judge: r.model_dump(mode="json") for r in results}
    return derive(value).envelope(value)


def mapped(value: Any, change: Callable[[str, str], str], path: str = "") -> Any:
    """The same JSON with every text and every free key passed through `change(path, text)`."""
    if isinstance(value, dict):
        return {key: mapped(item, change, f"{path}/{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change, f"{path}/{i}") for i, item in enumerate(value)]
    return change(path, value) if isinstance(value, str) else copy.deepcopy(value)


HOSTILE = (
    "<script>window.__pwned=1;fetch('{origin}/fetch')</script>"
    "<img src=x onerror=\"window.__pwned=2\"><img src='{origin}/img.png'>"
    "</style><style>body{{display:none;background:url({origin}/css.png)}}@import '{origin}/import.css';</style>"
    "<svg onload=window.__pwned=3><script>window.__pwned=4</script><use href='{origin}/use.svg#x'/></svg>"
    '<math><mtext><a xlink:href="javascript:window.__pwned=5">m</a></mtext></math>'
    '<a href="javascript:window.__pwned=6">a</a>'
    "<iframe src='{origin}/frame' srcdoc='<script>parent.__pwned=7</script>'>"
    "<meta http-equiv=refresh content='0;url={origin}/refresh'><base href='{origin}/'>"
    "<link rel=stylesheet href='{origin}/link.css'><object data='{origin}/object'></object>"
    "<form action='{origin}/form'><input autofocus onfocus=window.__pwned=8></form>"
    '" onmouseover="window.__pwned=9" x="\' autofocus onfocus=\'window.__pwned=10'
    "--><!--]]><![CDATA[ {{{{7*7}}}} {{% raw %}} ${{7*7}} #{{7*7}} [red]markup[/red] [link={origin}]l[/link] "
    "\x1b[31mred\x1b[0m\x1b]8;;{origin}\x07link\x1b]8;;\x07\x9b2J "
    "\u202eevil\u202c \u2066iso\u2069 zero\u200bwidth \ufeff "
    "&lt;b&gt; &#x3c;i&#x3e; " + "unbreakable" * 30
)
"""Every trick at once; `{origin}` is where a request would be counted."""


def hostile(origin: str = "http://127.0.0.1:9") -> str:
    """The hostile text with its references pointing at an origin."""
    return HOSTILE.format(origin=origin)


def hostile_envelope(origin: str = "http://127.0.0.1:9") -> dict[str, Any]:
    """An envelope in which every text and every free key is hostile, as a forged bundle might be; nothing verifies."""
    bad = hostile(origin)
    value = mapped(envelope(), lambda _, text: bad + text)
    # Verdicts and quotes that the page has branches for stay as they are, or those branches would not be walked.
    value["core"]["decision"] = "fail"
    answer = value["content"]["request"]["answer"]
    for measured in value["core"]["judges"]["semantic_faithfulness"]["measurements"]:
        for i, item in enumerate(measured["evidence"]):
            if "verdict" in item:
                item["verdict"] = ("supported", "contradicted", "unsupported", "inconclusive", bad)[i]
                item["start"], item["end"] = 40 * i, min(40 * i + 35, len(answer))
                item["quote"] = bad[:200]
                item["passage"] = i
            item[bad] = {bad: [bad]}
    for judge in value["core"]["judges"].values():
        for measured in judge["measurements"]:
            measured["detail"][bad] = bad
    for flag, code in zip(
        value["core"]["flags"], ("injection_suspected", "language_unmeasured", "novel_entity"), strict=False
    ):
        flag["code"], flag["severity"] = code, "inconclusive"
        flag["detail"] = {
            "path": "$.answer",
            "start": 0,
            "end": 60,
            **dict.fromkeys(("rule", "part", "entity", bad), bad),
            "languages": [bad],
        }
    value["core"]["flags"].append({"code": bad, "severity": bad, "judge": bad, "detail": {bad: bad}})
    value["core"]["judges"][bad] = {"question": bad, "status": bad, "score": None, "measurements": [], bad: bad}
    value["core"]["judges"]["contextual_precision"]["measurements"].append(
        {"name": bad, "path": bad, "status": bad, "value": None, "reason": bad, "signature": bad, "detail": {bad: bad}}
    )
    value["content"]["runtime"][bad] = bad
    return value


def scripts_envelope() -> dict[str, Any]:
    """An answer in scripts of both directions, with very long words, over passages in as many languages."""
    sentences = (
        "تفتح المكتبة من الساعة 10 إلى 16 يوم السبت.",
        "הספרייה נפתחת בשעה 10 ונסגרת בשעה 16.",
        "图书馆星期六上午十点至下午四点开放。",
        "पुस्तकालय शनिवार को सुबह 10 बजे खुलता है।",
        "ห้องสมุดเปิดวันเสาร์เวลาสิบโมงเช้า",
        "Η βιβλιοθήκη ανοίγει στις 10 το πρωί. 👩‍👧‍👦📚",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 4,
    )
    value = envelope()
    answer = "\n".join(sentences) + "\n\n| a | b |\n|---|---|\n| " + "x" * 300 + " | 2 |\n\n```\ncode = 1\n```\n"
    request = value["content"]["request"]
    request["answer"] = answer
    request["query"] = sentences[0]
    request["retrieved_passages"] = [{"text": s * 3, "id": s[:30], "score": 11.5 - i} for i, s in enumerate(sentences)]
    verdicts = ("supported", "contradicted", "unsupported", "inconclusive", "supported", "supported", "contradicted")
    value["core"]["judges"]["semantic_faithfulness"]["measurements"][0]["evidence"] = [
        {
            "claim": s,
            "verdict": verdict,
            "passage": i,
            "quote": s,
            "reason": "language",
            "start": answer.index(s),
            "end": answer.index(s) + len(s),
        }
        for i, (s, verdict) in enumerate(zip(sentences, verdicts, strict=True))
    ]
    return value
