"""Relations of the training corpora told in plain sentences, in several wordings each.

`{h}` is the head, `{t}` the tail of a Wikidata property. `FUNCTIONAL` properties have one tail, so another tail
contradicts; `DIRECTED` ones are false when turned round.
"""

from __future__ import annotations

from random import Random

TEMPLATES: dict[str, tuple[str, ...]] = {
    "P131": ("{h} is located in {t}.", "{h} lies in {t}.", "{h} is in {t}.", "{t} is home to {h}."),
    "P17": ("{h} is in {t}.", "{h} belongs to {t}.", "The country of {h} is {t}.", "{h} is found in {t}."),
    "P27": ("{h} is a citizen of {t}.", "{h} comes from {t}.", "{h} holds the nationality of {t}."),
    "P150": ("{t} is a part of {h}.", "{h} contains {t}.", "{h} includes the area of {t}."),
    "P800": ("{t} is one of the works of {h}.", "{h} is known for {t}.", "{h} is the creator of {t}."),
    "P527": ("{t} is part of {h}.", "{h} includes {t}.", "{h} has {t} as a part."),
    "P361": ("{h} is part of {t}.", "{t} includes {h}.", "{h} belongs to {t}."),
    "P577": ("{h} came out in {t}.", "{h} was released in {t}.", "{h} was published in {t}."),
    "P175": ("{t} performed {h}.", "{h} is performed by {t}.", "{h} was recorded by {t}.", "{h} is by {t}."),
    "P463": ("{h} is a member of {t}.", "{h} belongs to {t}.", "One of the members of {t} is {h}."),
    "P1344": ("{h} took part in {t}.", "{h} participated in {t}.", "{h} competed in {t}."),
    "P710": ("{t} took part in {h}.", "{t} was a participant in {h}.", "Among those in {h} was {t}."),
    "P495": ("{h} comes from {t}.", "{h} was made in {t}.", "{h} originates from {t}."),
    "P264": ("{h} was released by {t}.", "{t} is the record label of {h}.", "{h} is on the label {t}."),
    "P569": ("{h} was born on {t}.", "The date of birth of {h} is {t}.", "{h}'s birthday is {t}."),
    "P161": ("{t} stars in {h}.", "{t} appeared in {h}.", "{h} features {t}.", "{t} acted in {h}."),
    "P571": ("{h} was founded in {t}.", "{h} has existed since {t}.", "{h} was created in {t}."),
    "P1441": ("{h} appears in {t}.", "{h} is a character in {t}.", "{t} features {h}."),
    "P570": ("{h} died in {t}.", "{h} passed away in {t}.", "The death of {h} was in {t}."),
    "P206": ("{h} lies on {t}.", "{h} is next to {t}.", "{t} borders {h}."),
    "P607": ("{h} fought in {t}.", "{h} was involved in {t}.", "{h} took part in {t}."),
    "P3373": ("{h} and {t} are siblings.", "{h} is a sibling of {t}.", "{t} has a sibling named {h}."),
    "P19": ("{h} was born in {t}.", "{t} is the birthplace of {h}.", "{h} is a native of {t}."),
    "P127": ("{h} is owned by {t}.", "{t} owns {h}.", "The owner of {h} is {t}."),
    "P706": ("{h} is located on {t}.", "{h} is found at {t}.", "{h} lies by {t}."),
    "P40": ("{t} is a child of {h}.", "{h} is a parent of {t}.", "{h} had a child named {t}."),
    "P674": ("{t} is a character in {h}.", "{h} features the character {t}.", "{t} appears in {h}."),
    "P50": ("{t} wrote {h}.", "{h} was written by {t}.", "The author of {h} is {t}.", "{t} is the author of {h}."),
    "P178": ("{h} was developed by {t}.", "{t} developed {h}.", "The developer of {h} is {t}."),
    "P140": ("{h} follows {t}.", "The religion of {h} is {t}.", "{h} adheres to {t}."),
    "P26": ("{h} was married to {t}.", "{t} is the spouse of {h}.", "{h} and {t} were a married couple."),
    "P156": ("{h} was followed by {t}.", "{t} came after {h}.", "{h} precedes {t}."),
    "P155": ("{h} follows {t}.", "{t} came before {h}.", "{h} came after {t}."),
    "P69": ("{h} studied at {t}.", "{h} was educated at {t}.", "{h} attended {t}.", "{t} counts {h} among its alumni."),
    "P170": ("{h} was created by {t}.", "{t} created {h}.", "The creator of {h} is {t}."),
    "P54": ("{h} played for {t}.", "{h} was a player of {t}.", "{t} had {h} in its team."),
    "P276": ("{h} took place in {t}.", "{h} is located in {t}.", "{t} was the location of {h}."),
    "P108": ("{h} worked for {t}.", "{h} was employed by {t}.", "{t} employed {h}."),
    "P166": ("{h} received {t}.", "{h} won {t}.", "{t} was awarded to {h}."),
    "P585": ("{h} took place in {t}.", "{h} happened in {t}."),
    "P162": ("{h} was produced by {t}.", "{t} produced {h}.", "The producer of {h} was {t}."),
    "P22": ("{t} is the father of {h}.", "{h} is a child of {t}.", "{h}'s father is {t}."),
    "P6": ("{t} heads the government of {h}.", "{t} governed {h}.", "{h} was led by {t}."),
    "P86": ("{t} composed {h}.", "{h} was composed by {t}.", "The music of {h} is by {t}."),
    "P749": ("{t} is the parent company of {h}.", "{h} is a subsidiary of {t}.", "{h} belongs to {t}."),
    "P355": ("{t} is a subsidiary of {h}.", "{h} is the parent company of {t}.", "{h} owns {t}."),
    "P118": ("{h} plays in {t}.", "{h} competes in {t}.", "{t} is the league of {h}."),
    "P35": ("{t} was the head of state of {h}.", "{h} had {t} as its head of state."),
    "P123": ("{h} was published by {t}.", "{t} published {h}.", "{t} is the publisher of {h}."),
    "P400": ("{h} runs on {t}.", "{h} is available for {t}.", "{h} was made for {t}."),
    "P57": ("{t} directed {h}.", "{h} was directed by {t}.", "The director of {h} is {t}."),
    "P403": ("{h} flows into {t}.", "The mouth of {h} is at {t}."),
    "P179": ("{h} is part of the series {t}.", "{h} belongs to the {t} series."),
    "P580": ("{h} began in {t}.", "{h} started in {t}."),
    "P582": ("{h} ended in {t}.", "{h} came to an end in {t}."),
    "P241": ("{h} served in {t}.", "{h} was in {t}.", "{h} belonged to the military branch {t}."),
    "P176": ("{h} is made by {t}.", "{t} manufactures {h}.", "{t} builds {h}."),
    "P20": ("{h} died in {t}.", "{t} is where {h} died.", "The place of death of {h} is {t}."),
    "P937": ("{h} worked in {t}.", "{h} was active in {t}."),
    "P112": ("{h} was founded by {t}.", "{t} founded {h}.", "{t} is the founder of {h}."),
    "P102": ("{h} is a member of the {t} party.", "{h} belongs to the {t} party."),
    "P37": ("{t} is an official language of {h}.", "The official language of {h} is {t}."),
    "P159": ("{h} has its headquarters in {t}.", "{h} is based in {t}.", "The head office of {h} is in {t}."),
    "P58": ("{t} wrote the screenplay of {h}.", "The script of {h} is by {t}."),
    "P272": ("{h} was produced by {t}.", "{t} is the production company of {h}."),
    "P449": ("{h} was broadcast on {t}.", "{t} aired {h}.", "{h} was shown on {t}."),
    "P137": ("{h} is operated by {t}.", "{t} runs {h}.", "{t} is the operator of {h}."),
    "P576": ("{h} was dissolved in {t}.", "{h} ceased to exist in {t}."),
    "P36": ("{t} is the capital of {h}.", "The capital of {h} is {t}."),
    "P1376": ("{h} is the capital of {t}.", "The capital of {t} is {h}."),
    "P488": ("{t} chairs {h}.", "{t} is the chairperson of {h}.", "{h} is headed by {t}."),
    "P25": ("{t} is the mother of {h}.", "{h} is a child of {t}.", "{h}'s mother is {t}."),
    "P740": ("{h} was formed in {t}.", "{t} is where {h} was formed."),
    "P551": ("{h} lived in {t}.", "{h} resided in {t}."),
    "P840": ("{h} is set in {t}.", "The story of {h} takes place in {t}."),
    "P177": ("{h} crosses {t}.", "{h} spans {t}.", "{t} is crossed by {h}."),
    "P364": ("{h} is in {t}.", "The original language of {h} is {t}.", "{t} is the language of {h}."),
    "P641": ("{h} is connected with the sport {t}.", "{t} is the sport of {h}."),
    "P413": ("{h} plays as {t}.", "{t} is the position of {h}."),
    "P412": ("{h} sings {t}.", "The voice type of {h} is {t}."),
    "P410": ("{h} held the rank of {t}.", "{t} was the rank of {h}."),
    "P921": ("{h} is about {t}.", "{t} is the subject of {h}.", "{h} deals with {t}."),
    "P59": ("{h} lies in the constellation {t}.", "{t} is the constellation of {h}."),
}
FUNCTIONAL = frozenset(
    [
        "P569",
        "P570",
        "P19",
        "P20",
        "P22",
        "P25",
        "P36",
        "P57",
        "P50",
        "P571",
        "P577",
        "P585",
        "P580",
        "P582",
        "P576",
        "P159",
        "P112",
        "P112",
        "P86",
        "P59",
        "P403",
    ]
)
DIRECTED = frozenset(
    [
        "P131",
        "P40",
        "P22",
        "P25",
        "P50",
        "P57",
        "P58",
        "P86",
        "P170",
        "P162",
        "P112",
        "P127",
        "P749",
        "P355",
        "P155",
        "P156",
        "P36",
        "P1376",
        "P361",
        "P527",
        "P150",
        "P403",
        "P177",
        "P178",
        "P176",
        "P123",
        "P6",
        "P35",
        "P69",
        "P54",
        "P108",
        "P161",
        "P175",
        "P463",
    ]
)
# Properties that say the same thing about a pair, so that one is no negative for the other.
KIN: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "P131 P17 P276 P706 P361 P150 P527 P30 P1376 P36 P159 P495 P27 P551 P937 P19 P20 P740 P1001",
        "P50 P170 P58 P86 P800 P175 P57 P162 P161 P676 P1441 P674",
        "P127 P749 P355 P178 P176 P123 P272 P137 P112 P264 P449",
        "P569 P570 P571 P577 P580 P582 P585 P576",
        "P463 P54 P102 P241 P108 P69 P118 P361 P6 P35 P488",
        "P1344 P710 P607",
        "P155 P156 P179",
        "P26 P3373 P40 P22 P25",
    )
)


def related(first: str, second: str) -> bool:
    """Return whether two properties are so close that a pair may well have both."""
    return first == second or any(first in group and second in group for group in KIN)


def verbalise(relation: str, head: str, tail: str, rng: Random) -> str:
    """Return one wording of the triple; `relation` is a key of `TEMPLATES`."""
    text = rng.choice(TEMPLATES[relation]).format(h=head, t=tail)
    return text[:1].upper() + text[1:]
