"""What the changes of claim_perturb look for and put in its place: numbers, units, opposites, verbs."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
YEAR = re.compile(r"\b(1[0-9]{3}|20[0-4][0-9])\b")
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONTH = re.compile(r"\b(" + "|".join(MONTHS) + r")\b")
CARDINALS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "hundred",
]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
WORD_NUMBER = re.compile(r"\b(" + "|".join(CARDINALS[1:]) + r")\b")
ORDINAL = re.compile(r"\b(" + "|".join(ORDINALS) + r")\b")
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAY = re.compile(r"\b(" + "|".join(WEEKDAYS) + r")\b")
UNITS = (
    ("kilometres", "miles", "metres"), ("kilometers", "miles", "meters"), ("km", "miles", "m"), ("feet", "metres"),
    ("million", "billion", "thousand"), ("hours", "days", "minutes", "weeks"), ("years", "months", "decades"),
    ("percent", "per thousand"), ("%", " per thousand"), ("kg", "g", "tonnes"), ("dollars", "euros", "pounds"),
    ("weeks", "months", "days"), ("months", "years", "weeks"), ("minutes", "seconds", "hours"), ("acres", "hectares"),
    ("°C", "°F"), ("inches", "centimetres", "feet"), ("miles", "kilometres"), ("days", "weeks", "hours"),
    ("mg", "g", "kg"), ("GB", "MB", "TB"), ("year", "month", "decade"), ("hour", "day", "minute"),
)  # fmt: skip
OPPOSITES = (
    ("more", "less"), ("more", "fewer"), ("higher", "lower"), ("larger", "smaller"), ("greater", "smaller"),
    ("largest", "smallest"), ("highest", "lowest"), ("before", "after"), ("first", "last"), ("increase", "decrease"),
    ("increased", "decreased"), ("increases", "decreases"), ("increasing", "decreasing"), ("rose", "fell"),
    ("north", "south"), ("northern", "southern"), ("east", "west"), ("eastern", "western"), ("above", "below"),
    ("won", "lost"), ("older", "younger"), ("oldest", "youngest"), ("early", "late"), ("best", "worst"),
    ("most", "least"), ("always", "never"), ("at least", "at most"), ("minimum", "maximum"), ("mother", "father"),
    ("son", "daughter"), ("brother", "sister"), ("husband", "wife"), ("male", "female"), ("opened", "closed"),
    ("accepted", "rejected"), ("positive", "negative"), ("high", "low"), ("large", "small"), ("old", "new"),
    ("left", "right"), ("inside", "outside"), ("longest", "shortest"), ("longer", "shorter"), ("long", "short"),
    ("strong", "weak"), ("public", "private"), ("better", "worse"), ("over", "under"), ("with", "without"),
    ("improve", "worsen"), ("reduce", "increase"), ("reduces", "increases"), ("reduced", "increased"),
    ("allowed", "forbidden"), ("include", "exclude"), ("includes", "excludes"), ("begins", "ends"), ("began", "ended"),
    ("good", "bad"), ("hot", "cold"), ("warm", "cool"), ("safe", "dangerous"), ("success", "failure"),
    ("successful", "unsuccessful"), ("possible", "impossible"), ("common", "rare"), ("faster", "slower"),
    ("fast", "slow"), ("rich", "poor"), ("major", "minor"), ("upper", "lower"), ("gained", "lost"), ("easy", "hard"),
    ("expensive", "cheap"), ("all", "none"), ("former", "current"), ("up", "down"), ("natural", "artificial"),
    ("legal", "illegal"), ("direct", "indirect"), ("permanent", "temporary"), ("joined", "left"), ("bought", "sold"),
)  # fmt: skip
FLIP: dict[str, tuple[str, ...]] = {}
for _a, _b in OPPOSITES:
    FLIP[_a] = (*FLIP.get(_a, ()), _b)
    FLIP[_b] = (*FLIP.get(_b, ()), _a)
FLIPPABLE = re.compile(r"\b(" + "|".join(sorted(map(re.escape, FLIP), key=len, reverse=True)) + r")\b")
AUXILIARY = re.compile(r"\b(was|is|were|are|has|have|had|can|could|will|would|may|might|should|must|does|did|do)\b")
NEGATION = re.compile(r"\b(was|is|were|are|has|have|had|can|could|will|would|may|should|must|does|did|do)(?: not|n't) ")
CANNOT = re.compile(r"\bcannot\b")
NEVER = re.compile(r"\bnever ")
IRREGULAR = {
    "became": "become", "began": "begin", "won": "win", "wrote": "write", "made": "make", "took": "take",
    "gave": "give", "led": "lead", "left": "leave", "went": "go", "came": "come", "held": "hold", "got": "get",
    "ran": "run", "built": "build", "sold": "sell", "met": "meet", "grew": "grow", "rose": "rise", "fell": "fall",
    "saw": "see", "found": "find", "kept": "keep", "lost": "lose", "said": "say", "spent": "spend",
    "served": "serve", "died": "die", "moved": "move", "received": "receive", "released": "release",
    "produced": "produce", "included": "include", "joined": "join", "played": "play", "started": "start",
    "worked": "work", "returned": "return", "appeared": "appear", "attended": "attend", "reached": "reach",
    "published": "publish", "remained": "remain", "established": "establish", "graduated": "graduate",
    "defeated": "defeat", "created": "create", "lived": "live", "recorded": "record", "married": "marry",
    "retired": "retire", "announced": "announce", "featured": "feature", "wore": "wear", "earned": "earn",
    "studied": "study", "opened": "open", "directed": "direct", "founded": "found",
}  # fmt: skip
PAST = re.compile(r"\b(" + "|".join(IRREGULAR) + r")\b")
PRESENT = re.compile(
    r"\b(contains|includes|provides|requires|allows|uses|helps|makes|gives|offers|covers|supports|needs|works|runs|means"
    r"|shows|causes|serves|plays|consists|refers|takes|reduces|increases)\b"
)
HEDGES = (
    ("may", "will"), ("might", "will"), ("can", "must"), ("some", "all"), ("often", "always"), ("many", "all"),
    ("sometimes", "always"), ("usually", "always"), ("generally", "always"), ("most", "all"), ("several", "all"),
)  # fmt: skip
