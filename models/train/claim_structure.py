"""Changes of who did what: names and values exchanged, roles turned round, clauses joined, and rewrites that keep it.

The first kind makes a supported sentence false with the very words of the passage, the second tells it truly in
another order, so that neither the words nor their order alone give a label away. Every function returns the changed
sentence, or None where the sentence gives it nothing to change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from claim_opposites import MONTH, NUMBER, YEAR
from claim_text import lower_first, upper_first

# Transitive verbs whose two sides can't be exchanged, past tense and participle alike but for a few.
_SAME = (
    "defeated acquired bought founded succeeded replaced produced directed hired sued taught influenced "
    "killed attacked invaded supplied paid led created designed built published released recorded developed "
    "appointed elected nominated discovered invented coached managed employed supported opposed advised "
    "trained helped commissioned rescued accused arrested captured conquered criticised praised edited "
    "financed funded governed informed interviewed invited joined owned persuaded promoted punished purchased "
    "raised reviewed saved served signed sold sponsored translated treated visited warned adopted approved "
    "borrowed caught controlled covered crossed delivered described destroyed dismissed examined exported "
    "imported inspected introduced licensed operated ordered organised painted performed planned prepared "
    "preceded protected proposed recruited rejected renamed repaired requested"
)
_IRREGULAR = {"wrote": "written", "beat": "beaten", "gave": "given", "took": "taken", "chose": "chosen"}
PARTICIPLE = {verb: verb for verb in _SAME.split()} | _IRREGULAR
_PAST = {participle: past for past, participle in PARTICIPLE.items()}
_NOUN = r"(?:[Tt]he |[Aa]n? |[Hh]is |[Hh]er |[Tt]heir )?[\w'’-]+(?: (?:of |the |de |von )?[\w'’-]+){0,4}?"
_LATER = r"in|on|at|for|from|during|after|before|until|with|to|as"
_REST = rf"(?P<rest>(?: (?:{_LATER}) [^.]{{1,120}})?|, (?=[a-z])[^.]{{1,120}})?\.$"
_ACTIVE = re.compile(rf"^(?P<a>{_NOUN}) (?P<v>{'|'.join(PARTICIPLE)}) (?P<b>{_NOUN}){_REST}")
_BE = r"was|were|is|are|had been|has been"
_BY = re.compile(rf"^(?P<a>{_NOUN}) (?P<be>{_BE}) (?P<v>{'|'.join(_PAST)}) by (?P<b>{_NOUN}){_REST}")
_NO_SIDE = re.compile(
    r"\b(?:it|he|she|they|him|her|them|that|which|who|and|or|in|on|at|for|from|with|to|be|is|was|were|had|unlike|like"
    r"|after|as|during|before|by|also|of the same|\w+ly)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^(?:[\s,;/&]|\b(?:and|or|both|as well as)\b)*$")
_THEN = r"(?:(?:was|were|then|later|\w+ly) )*(?!indeed)\w+ed"
_SPLICE = re.compile(
    rf"\b(?P<p>in|on|at|to|from|by) (?P<gap>[^.;:()]{{2,50}}? and {_THEN}(?: [^.;:()]{{0,50}}?)? )(?P=p) (?=\S)"
)
_SECOND = re.compile(
    r"^(?P<subject>[A-Z][\w'’-]*(?: [\w'’-]+){0,5}?) (?P<first>was|were|is|are|has|had) (?P<body>[^.;]{5,160}?),? and "
    r"(?P<second>(?:was|were|is|are|has|had) [^.;]{5,160})\.$"
)
_RELATIVE = re.compile(
    r"^(?P<subject>[A-Z][\w'’-]*(?: [\w'’-]+){0,5}?), (?:who|which) (?P<inner>[^,.;]{8,120}), (?P<main>[^.;]{8,200})\.$"
)
_APPOSITION = re.compile(
    r"^(?P<subject>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}), (?P<inner>(?:an?|the) [^,.;]{5,90}), "
    r"(?P<main>[a-z][^.;]{8,200})\.$"
)
_SUBJECT = re.compile(
    r"^(?P<subject>(?:The )?[A-Z][\w'’-]*(?: (?:of |the |de )?[A-Z][\w'’-]*){0,4}) "
    r"(?P<rest>(?:was|were|is|are|has|had|can|will|became|won|joined|moved|\w+ed) .+)$"
)


def exchange_names(sentence: str, names: Sequence[str], rng: Random) -> str | None:
    """Exchange two names that each stand in the sentence once, but not two of one list, whose order says nothing."""
    held = [name for name in dict.fromkeys(names) if sentence.count(name) == 1]
    pairs = [(a, b) for a in held for b in held if sentence.index(a) < sentence.index(b) and a not in b and b not in a]
    pairs = [(a, b) for a, b in pairs if not _listed(sentence, a, b, held)]
    if not pairs:
        return None
    return _exchanged(sentence, *rng.choice(pairs))


def reorder_list(sentence: str, names: Sequence[str], rng: Random) -> str | None:
    """Exchange two neighbouring names of one list: the sentence says what it said."""
    held = [name for name in dict.fromkeys(names) if sentence.count(name) == 1]
    pairs = [(a, b) for a in held for b in held if sentence.index(a) < sentence.index(b) and a not in b and b not in a]
    pairs = [(a, b) for a, b in pairs if re.fullmatch(r",? (?:and|or) ", _between(sentence, a, b))]
    return _exchanged(sentence, *rng.choice(pairs)) if pairs else None


def _between(sentence: str, first: str, second: str) -> str:
    return sentence[sentence.index(first) + len(first) : sentence.index(second)]


def _listed(sentence: str, first: str, second: str, names: Sequence[str]) -> bool:
    between = _between(sentence, first, second)
    for name in names:
        between = between.replace(name, "")
    return bool(_LISTED.match(between))


def _exchanged(sentence: str, first: str, second: str) -> str:
    return sentence.replace(first, "\x00").replace(second, first).replace("\x00", second)


def exchange_values(sentence: str, rng: Random) -> str | None:
    """Exchange two years, two other numbers or two months of the sentence."""
    options: list[tuple[re.Match[str], re.Match[str]]] = []
    for pattern in (YEAR, NUMBER, MONTH):
        found = list(pattern.finditer(sentence))
        if pattern is NUMBER:
            found = [m for m in found if not YEAR.fullmatch(m.group())]
        options += [(a, b) for a in found for b in found if a.start() < b.start() and a.group() != b.group()]
    options = [(a, b) for a, b in options if not _LISTED.match(sentence[a.end() : b.start()])]
    if not options:
        return None
    a, b = rng.choice(options)
    return sentence[: a.start()] + b.group() + sentence[a.end() : b.start()] + a.group() + sentence[b.end() :]


def _sides(match: re.Match[str] | None) -> re.Match[str] | None:
    """Return the match if both sides look like the name of one thing each."""
    return match if match and not _NO_SIDE.search(match["a"]) and not _NO_SIDE.search(match["b"]) else None


def reverse_roles(sentence: str, rng: Random) -> str | None:
    """Let the other side do what one side did, in the active or the passive voice."""
    match = _sides(_ACTIVE.match(sentence))
    if match:
        a, b, rest = match["a"], match["b"], match["rest"] or ""
        if rng.random() < 0.5:
            return f"{upper_first(b)} {match['v']} {lower_first(a)}{rest}."
        return f"{upper_first(a)} was {PARTICIPLE[match['v']]} by {b}{rest}."
    match = _sides(_BY.match(sentence))
    if not match:
        return None
    a, b, rest = match["a"], match["b"], match["rest"] or ""
    if rng.random() < 0.5:
        return f"{upper_first(a)} {_PAST[match['v']]} {b}{rest}."
    return f"{upper_first(b)} {match['be']} {match['v']} by {lower_first(a)}{rest}."


def turn_voice(sentence: str, rng: Random) -> str | None:
    """Tell the same in the passive or the active voice."""
    match = _sides(_ACTIVE.match(sentence))
    if match:
        return (
            f"{upper_first(match['b'])} was {PARTICIPLE[match['v']]} by {lower_first(match['a'])}{match['rest'] or ''}."
        )
    match = _sides(_BY.match(sentence))
    if not match:
        return None
    return f"{upper_first(match['b'])} {_PAST[match['v']]} {lower_first(match['a'])}{match['rest'] or ''}."


def splice(sentence: str, rng: Random) -> str | None:
    """Join the start of one clause to the end of another: "opened in [1932 and repainted in] 1960"."""
    found = list(_SPLICE.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    return f"{sentence[: match.start('gap')]}{sentence[match.end() :]}"


def extract_clause(sentence: str, rng: Random) -> str | None:
    """Tell one part of the sentence alone: its second verb, its relative clause, or what stands in apposition."""
    match = _SECOND.match(sentence)
    if match:
        return f"{match['subject']} {match['second']}."
    match = _RELATIVE.match(sentence)
    if match:
        return f"{match['subject']} {match[rng.choice(('inner', 'main'))]}."
    match = _APPOSITION.match(sentence)
    if match:
        verb = "was" if re.search(r"\b(?:was|were|had|\w+ed)\b", match["main"]) else "is"
        return (
            f"{match['subject']} {verb} {match['inner']}."
            if rng.random() < 0.5
            else f"{match['subject']} {match['main']}."
        )
    return None


def transplant(sentence: str, others: Sequence[str], rng: Random) -> str | None:
    """Say of the subject of another sentence what this one says of its own."""
    match = _SUBJECT.match(sentence)
    subjects = [m["subject"] for m in map(_SUBJECT.match, others) if m]
    subjects = [s for s in subjects if match and s not in sentence and match["subject"] not in s]
    if not match or not subjects:
        return None
    return f"{rng.choice(subjects)} {match['rest']}"
