"""What words and numbers alone can decide about a claim, in any language and without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from glassbox.judges.evidence import Stretch
from glassbox.judges.words import Token, is_content, stem, tokens, untokenised
from glassbox.text.negation import comparison_conflict, negation_conflict
from glassbox.text.numbers import Quantity, extract_quantities, match_quantities, same_quantity
from glassbox.text.sentences import split_sentences

# Outside the measured languages there is no list of function words: most words, and every number, must meet.
_UNMEASURED_RECALL: Final = 0.70
_UNMEASURED_WORDS: Final = 3
# From this share of common words on, two sentences speak of the same thing, and a difference between them counts.
ALIGNED: Final = 0.60
# From this share on they say the same but for what differs.
SAME_SUBJECT: Final = 0.75
_PREFIX: Final = 4
_NEGATORS_RE: Final = regex.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|n't|nicht|kein\w*|nie|niemals|ohne|pas|jamais|aucune?|sans|non|"
    r"nunca|jamás|ningun\w*|ningún|sin|mai|senza|nessun\w*|não|sem|nem|niet|geen|nooit|zonder|не|ни|нет|без|никогда|"
    r"nie|bez|nigdy|inte|ikke|ingen|aldrig|ei|eivät|ne|bez|nu|fără|değil|yok|tidak|bukan|không|δεν|μη|μην|όχι|χωρίς)\b"
    r"|n['’]t\b|不|没|沒|无|無|非|未|ない|ません|않|못|없|لا|ليس|لم|لن|غير|नहीं|न\b|ไม่|לא|אין",
    regex.IGNORECASE,
)


_RESTRICTORS: Final = frozenset(
    (
        "only",
        "if",
        "unless",
        "until",
        "except",
        "excluding",
        "but",
        "however",
        "although",
        "though",
        "provided",
        "subject",
        "false",
        "untrue",
        "wrong",
        "incorrect",
        "denied",
        "deny",
        "denies",
        "claim",
        "claims",
        "claimed",
        "alleged",
        "allegedly",
        "rumour",
        "rumoured",
        "reportedly",
        "supposedly",
        "falsely",
        "wrongly",
        "formerly",
        "previously",
        "former",
        "once",
        "when",
        "where",
        "whether",
        "may",
        "might",
        "could",
        "would",
        "should",
        "hardly",
        "barely",
        "scarcely",
        "few",
    )
)
"""Words that may take back or narrow what stands beside them."""
_IMPLICIT_RE: Final = regex.compile(
    r"\b(?:avoid|refrain|lack|fail|prevent|refuse|declin|den[iy]|unable|impossible|except|unless"
    r"|rather than|instead of)",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NumberFault:
    """A number, amount or date of a claim that its evidence doesn't hold, in canonical form."""

    number: str
    conflicting: bool
    """Whether the evidence states another value in its place, rather than none."""
    written: str
    """As the claim writes it."""


def number_faults(claim: str, evidence: str) -> tuple[NumberFault, ...]:
    """Return the numbers of the claim that the evidence lacks or contradicts, in the claim's order."""
    claim, evidence = untokenised(claim), untokenised(evidence)
    check = match_quantities(claim, evidence)
    dates = [q.value for q in extract_quantities(evidence) if q.kind in ("date", "year")] if check.conflicting else []
    faults = [NumberFault(canonical(q), not _fits(q, dates), claim[q.start : q.end]) for q in check.conflicting]
    known = {fault.number for fault in faults}
    faults += [
        NumberFault(canonical(q), False, claim[q.start : q.end]) for q in check.missing if canonical(q) not in known
    ]
    return tuple(faults)


def in_the_claims_numbers(claim: str, text: str) -> str:
    """Return the text with each quantity that equals one of the claim's written as the claim writes it.

    So "3,400 million dollars" beside a claim of "$3.4 billion" differs in nothing that a model or a word count sees.
    """
    ours = extract_quantities(claim)
    if not ours:
        return text
    parts, at = [], 0
    for other in extract_quantities(text):
        own = next((q for q in ours if same_quantity(q, other)), None)
        if own is not None and other.start >= at:
            parts += [text[at : other.start], claim[own.start : own.end]]
            at = other.end
    return "".join([*parts, text[at:]])


def unheard_numbers(claim: str, window: str, held: Sequence[Quantity]) -> tuple[NumberFault, ...]:
    """Return the numbers of the claim that neither a window nor any of the quantities held elsewhere bears out."""
    check = match_quantities(untokenised(claim), untokenised(window))
    return tuple(
        NumberFault(canonical(q), False, untokenised(claim)[q.start : q.end])
        for q in sorted((*check.missing, *check.conflicting), key=lambda q: q.start)
        if not any(same_quantity(q, other) for other in held)
    )


def _fits(quantity: Quantity, dates: Sequence[str]) -> bool:
    """Return whether a date says more than one of the evidence's dates, but nothing against it."""
    if quantity.kind != "date":
        return False
    return any(quantity.value.startswith(f"{d}-") or (d[:2] == "--" and quantity.value.endswith(d[1:])) for d in dates)


def aligned_number_faults(claim: str, sentence: str) -> tuple[NumberFault, ...]:
    """Return the number faults of a claim against a sentence that otherwise says the same.

    There a missing number conflicts too, where the sentence holds another of its kind that the claim doesn't give.
    """
    faults = number_faults(claim, sentence)
    if not faults or any(fault.conflicting for fault in faults):
        return faults
    ours, theirs = extract_quantities(untokenised(claim)), extract_quantities(untokenised(sentence))
    spare = {other.kind for other in theirs if not any(same_quantity(own, other) for own in ours)}
    conflicting = {canonical(own) for own in ours if _plain_kind(own.kind) & spare}
    return tuple(replace(fault, conflicting=fault.number in conflicting) for fault in faults)


def _plain_kind(kind: str) -> set[str]:
    return {"number", "year"} if kind in ("number", "year") else {kind}


def canonical(quantity: Quantity) -> str:
    """Return a quantity as its value and unit, such as `1250 EUR`, `12.5 %` or `2021-03-03`."""
    return f"{quantity.value} {quantity.unit}".strip()


def has_numbers(claim: str) -> bool:
    """Return whether the claim holds a number, amount or date."""
    return bool(extract_quantities(claim))


def word_for_word(claim: str, stretch: Stretch) -> bool:
    """Return whether one sentence of a stretch says the claim word for word, and says nothing that restricts it.

    The claim's words must stand in the sentence side by side and in order: the same words in another order, or with
    others between them, may say something else ("Rome is the capital; Milan is in the north"), which is for the claim
    checker to decide. What the sentence says beside the claim may hold no condition, exception or denial.
    """
    wanted = [token.form for token in tokens(claim)]
    if not wanted or number_faults(claim, stretch.text):
        return False
    text = in_the_claims_numbers(claim, stretch.text)
    for span in split_sentences(text):
        held = tokens(text[span.start : span.end])
        at = _place(wanted, [token.form for token in held])
        if at is not None:
            beside = [token.form for token in (*held[:at], *held[at + len(wanted) :])]
            return not _RESTRICTORS.intersection(beside) and not _NEGATORS_RE.search(" ".join(beside))
    return False


def _place(wanted: Sequence[str], held: Sequence[str]) -> int | None:
    """Return where the wanted words stand side by side in those held, or None."""
    size = len(wanted)
    for at in range(len(held) - size + 1):
        if held[at] == wanted[0] and list(held[at : at + size]) == list(wanted):
            return at
    return None


def opposed(claim: str, sentence: str) -> bool:
    """Return whether claim and sentence differ in a negation or in the direction of a comparison."""
    claim, sentence = untokenised(claim), untokenised(sentence)
    if comparison_conflict(claim, sentence):
        return True
    # "Avoid putting" and "do not put" agree, though only one of them negates.
    if bool(_IMPLICIT_RE.search(claim)) != bool(_IMPLICIT_RE.search(sentence)):
        return False
    return negation_conflict(claim, sentence)


def near_word_for_word(claim: str, stretch: Stretch) -> bool:
    """Return whether a stretch holds most of the claim's words and all its numbers, in whatever language.

    Inflected words meet by their first four letters. A negation on one side only rules it out.
    """
    if len(split_sentences(stretch.text)) > 1:
        # Words of two sentences may be put together to something that neither says.
        return False
    wanted = [token.form for token in tokens(claim)]
    recall = loose_recall(wanted, [token.form for token in tokens(stretch.text)])
    if recall < _UNMEASURED_RECALL or (len(wanted) < _UNMEASURED_WORDS and recall < 1.0):
        return False
    if bool(_NEGATORS_RE.search(claim)) != bool(_NEGATORS_RE.search(stretch.text)):
        return False
    if number_faults(claim, stretch.text):
        return False
    return recall == 1.0 or has_numbers(claim) or recall >= 0.9


def loose_recall(wanted: Sequence[str], held: Sequence[str]) -> float:
    """Return the share of the wanted words that are held, as they are or by their first four letters."""
    if not wanted:
        return 0.0
    exact = set(held)
    prefixes = {form[:_PREFIX] for form in held if len(form) > _PREFIX}
    met = sum(form in exact or (len(form) > _PREFIX and form[:_PREFIX] in prefixes) for form in wanted)
    return met / len(wanted)


def wordless_numbers(claim: str) -> str:
    """Return the claim without its numbers: what a changed number must still have in common with its evidence."""
    return " ".join(token.form for token in tokens(claim) if not token.form[0].isdigit())


def _content(found: Sequence[Token]) -> list[str]:
    content = [stem(token.form) for token in found if is_content(token.form)]
    return content or [token.form for token in found]
