"""Changes of one word that carries the meaning: opposites, quantities in words, what may, must or need not be."""

from __future__ import annotations

import re
from random import Random

_OPPOSITES = """
ascending descending|arrived departed|ancient modern|appeared disappeared|approved rejected|attacked defended
broad narrow|buyer seller|buyers sellers|created destroyed|victory defeat|deep shallow|domestic foreign|dry wet
empty full|entrance exit|exports imports|exported imported|failed succeeded|friend enemy|guilty innocent
heavy light|helped hindered|internal external|liquid solid|profit loss|married divorced|maternal paternal
quiet noisy|offensive defensive|optional mandatory|optional compulsory|urban rural|passed failed|peace war
present absent|promoted demoted|raised lowered|resumed stopped|rises falls|grew shrank|rapid slow
started finished|summer winter|spring autumn|supported opposed|supports opposes|teacher student|thick thin
true false|uncle aunt|nephew niece|king queen|prince princess|voluntary compulsory|day night|morning evening
vertical horizontal|visible invisible|winner loser|predecessor successor|ancestor descendant|employer employee
employers employees|landlord tenant|plaintiff defendant|lender borrower|host guest|sender recipient
borrowed lent|debtor creditor|input output|encrypted unencrypted|online offline|upstream downstream
permitted prohibited|permitted forbidden|allowed prohibited|allows prevents|enabled disabled|enables disables
required forbidden|active inactive|added removed|adds removes|agreed disagreed|alive dead|appointed dismissed
hired fired|beginning end|birth death|born dead|bottom top|brought removed|build demolish|built demolished
complete partial|connected disconnected|constant variable|contracted expanded|expanded contracted
correct incorrect|covered uncovered|decline growth|denied confirmed|dependent independent|difficult easy
discouraged encouraged|earlier later|elected defeated|earliest latest|entered left|equal unequal
extended shortened|familiar unfamiliar|flexible rigid|formal informal|freed captured|front back|gain loss
generous mean|happy sad|healthy ill|identical different|same different|inner outer|intentional accidental
junior senior|known unknown|lenient strict|likely unlikely|lower upper|majority minority|merged split
moved stayed|necessary unnecessary|normal abnormal|nearest farthest|obeyed disobeyed|occupied vacant
optimistic pessimistic|original copied|overweight underweight|paid unpaid|patient impatient|popular unpopular
praised criticised|praised criticized|precedes follows|preceded followed|prevented caused|prevents causes
proved disproved|reliable unreliable|regular irregular|relevant irrelevant|removed installed|rewarded punished
rough smooth|safe unsafe|simple complex|single multiple|singular plural|stable unstable|sufficient insufficient
surplus deficit|temporary permanent|tightened loosened|together apart|united divided|unilateral bilateral
useful useless|valid invalid|wide narrow|western eastern|withdrew deposited|worsened improved|worst best
cause effect|causes treats|caused cured|benefit harm|benefits harms|benefit disadvantage|advantage disadvantage
advantages disadvantages|strength weakness|strengths weaknesses
"""
_PAIRS = [tuple(pair.split()) for line in _OPPOSITES.strip().splitlines() for pair in line.split("|")]
OPPOSITE: dict[str, tuple[str, ...]] = {}
for _a, _b in _PAIRS:
    OPPOSITE[_a] = (*OPPOSITE.get(_a, ()), _b)
    OPPOSITE[_b] = (*OPPOSITE.get(_b, ()), _a)
_OPPOSITE = re.compile(r"\b(" + "|".join(sorted(OPPOSITE, key=len, reverse=True)) + r")\b")
# What is said of a share can't be said of the other; a weaker word for a stronger one would still be true.
QUANTITIES = (
    ("all", "none"), ("all", "few"), ("most", "few"), ("most", "all"), ("most", "none"), ("many", "few"),
    ("many", "all"), ("few", "many"), ("few", "most"), ("some", "all"), ("some", "none"), ("several", "all"),
    ("both", "neither"), ("each", "none"), ("every", "no"), ("none", "all"), ("no", "every"), ("half", "all"),
    ("half", "a tenth"), ("a majority", "a minority"), ("the majority", "a minority"),
    ("one of the", "the only one of the"), ("almost", "more than"), ("nearly", "more than"),
    ("at least", "less than"), ("more than", "less than"), ("less than", "more than"), ("up to", "more than"),
    ("over", "fewer than"), ("about half", "nearly all"), ("twice", "three times"), ("double", "half"),
    ("once", "twice"), ("partly", "entirely"), ("mostly", "rarely"), ("mainly", "only"),
    ("primarily", "exclusively"), ("rarely", "often"), ("seldom", "often"), ("often", "rarely"),
    ("usually", "seldom"), ("sometimes", "never"), ("always", "rarely"), ("frequently", "never"),
    ("daily", "weekly"), ("weekly", "monthly"), ("monthly", "yearly"), ("annually", "monthly"),
    ("annual", "monthly"),
)  # fmt: skip
MODALS = (
    ("may", "must"), ("might", "will"), ("could", "will"), ("can", "must"), ("must", "need not"),
    ("must", "may not"), ("should", "should not"), ("should", "must not"), ("need to", "need not"),
    ("is recommended", "is required"), ("are recommended", "are required"), ("is required", "is optional"),
    ("are required", "are optional"), ("is allowed", "is forbidden"), ("are allowed", "are forbidden"),
    ("is expected to", "has refused to"), ("plans to", "decided not to"), ("planned to", "refused to"),
    ("wanted to", "refused to"), ("tried to", "managed to"), ("agreed to", "refused to"),
    ("is believed to", "is proven not to"), ("reportedly", "provably"), ("allegedly", "provably"),
    ("possibly", "certainly"), ("probably", "certainly"), ("perhaps", "certainly"),
    ("is likely to", "is certain to"), ("failed to", "managed to"), ("managed to", "failed to"),
    ("has to", "need not"), ("have to", "need not"), ("required to", "free to"), ("able to", "unable to"),
    ("unable to", "able to"), ("before", "after"), ("after", "before"), ("until", "since"), ("during", "after"),
    ("because of", "in spite of"), ("because", "although"), ("due to", "despite"), ("despite", "because of"),
    ("only", "not only"), ("except", "including"), ("including", "except"),
)  # fmt: skip


def change_opposite(sentence: str, rng: Random) -> str | None:
    """Exchange one word for its opposite; None where the sentence holds none of the list."""
    found = list(_OPPOSITE.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    return sentence[: match.start()] + rng.choice(OPPOSITE[match.group()]) + sentence[match.end() :]


def _one_of(rules: tuple[tuple[str, str], ...], sentence: str, rng: Random) -> str | None:
    options = [(m, new) for old, new in rules for m in re.finditer(rf"\b{re.escape(old)}\b", sentence)]
    if not options:
        return None
    match, new = rng.choice(options)
    return sentence[: match.start()] + new + sentence[match.end() :]


def change_quantity(sentence: str, rng: Random) -> str | None:
    """Exchange a quantity told in words for another that doesn't follow from it."""
    return _one_of(QUANTITIES, sentence, rng)


def change_modal(sentence: str, rng: Random) -> str | None:
    """Exchange what may, must or did happen, when or why, for something else."""
    return _one_of(MODALS, sentence, rng)
