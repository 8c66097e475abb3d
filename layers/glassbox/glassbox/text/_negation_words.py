"""Words of English that negate, oppose or compare, for `negation`."""

from __future__ import annotations

from typing import Final

from glassbox.text._words import words

CUES: Final = frozenset(
    words(
        "not no never neither nor none nobody nothing nowhere without cannot hardly scarcely barely n't fails",
        "failed fail lacks lack lacked unable refuses refused",
    )
)
# Few and symmetric; both words of a pair are stems as `_stem` gives them.
_ANTONYMS: Final = tuple(
    tuple(pair.split("/"))
    for pair in words(
        "increas/decreas rise/fall rose/fell rise/decreas increas/fall rose/decreas increas/declin",
        "rise/declin rose/declin grow/shrink grew/shrank gain/lose gain/loss before/after more/less",
        "more/fewer above/below over/under first/last earliest/latest earlier/later minimum/maximum",
        "least/most highest/lowest higher/lower largest/smallest larger/smaller greater/less longest/shortest",
        "longer/shorter most/fewest oldest/youngest older/younger faster/slower fastest/slowest",
        "includes/excludes included/excluded",
        "allow/prohibit allow/forbid permit/prohibit permit/forbid accept/reject approv/reject win/lose",
        "won/lost open/clos start/end began/end true/false legal/illegal possible/impossible",
        "mandatory/optional requir/optional enabl/disabl buy/sell bought/sold import/export north/south",
        "east/west left/right northern/southern eastern/western male/femal old/new hot/cold strong/weak",
        "safe/unsafe safe/dangerous upper/lower inside/outside up/down always/sometim all/some success/failur",
        "succeed/fail support/oppos agre/disagre ally/enemy positive/negative present/absent",
    )
)
OPPOSITES: Final[dict[str, frozenset[str]]] = {
    word: frozenset(b if a == word else a for a, b in _ANTONYMS if word in (a, b))
    for pair in _ANTONYMS
    for word in pair
}
FUNCTION_WORDS: Final = frozenset(
    words(
        "the a an of to in on at by for from as is are was were be been being it its this that these those",
        "and or but he she they we you i his her their our your do does did has have had will would can could",
        "may might shall should must there which who whom whose what when where than then so such also very",
        "just only any some into about ever yet still",
    )
)
# The other word of each pair says the same of its two sides exchanged.
SAME_COMPARISON: Final[dict[str, str]] = dict(
    pair.split("/")
    for pair in words(
        "less/more fewer/more smaller/larger lower/higher shorter/longer younger/older slower/faster",
        "lighter/heavier earlier/later worse/better narrower/wider shallower/deeper poorer/richer",
        "colder/warmer weaker/stronger nearer/further closer/further bigger/larger greater/larger",
        "taller/longer farther/further",
    )
)
