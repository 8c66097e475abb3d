"""The relation labels of the product, and which Wikidata properties each stands for."""

from __future__ import annotations

RELATED = "related to"

_GROUPS: dict[str, tuple[str, ...]] = {
    "located in": ("P131", "P276", "P706", "P206", "P840", "P937", "P551", "P740", "P159", "P205", "P403", "P30"),
    "country": ("P17", "P495", "P1001"),
    "contains": ("P150", "P527", "P36", "P355"),
    "part of": ("P361", "P179", "P59", "P1336", "P1441", "P674"),
    "citizen of": ("P27", "P172", "P1532"),
    "born in": ("P19",),
    "died in": ("P20",),
    "date of birth": ("P569",),
    "date of death": ("P570",),
    "happened on": ("P571", "P577", "P580", "P582", "P585", "P576"),
    "founded by": ("P112", "P807"),
    "created by": (
        *("P50", "P57", "P58", "P86", "P123", "P161", "P162", "P170", "P175", "P176", "P178", "P264", "P272"),
        *("P287", "P449", "P676"),
    ),
    "creator of": ("P800", "P1056"),
    "member of": ("P463", "P102", "P241", "P54", "P118", "P140"),
    "works for": ("P108", "P39", "P413", "P410", "P412"),
    "educated at": ("P69",),
    "owned by": ("P127", "P749", "P137", "P126"),
    "led by": ("P6", "P35", "P488", "P169", "P1037", "P194", "P208"),
    "parent of": ("P40",),
    "child of": ("P22", "P25"),
    "spouse": ("P26", "P451"),
    "sibling": ("P3373", "P190"),
    "took part in": ("P607", "P710", "P2094", "P641", "P1344"),
    "award received": ("P166",),
}
# Properties of no group (language, kind, succession, ...) still make a pair "related to".
LABEL_OF: dict[str, str] = {pid: label for label, pids in _GROUPS.items() for pid in pids}
LABELS: tuple[str, ...] = (RELATED, *_GROUPS)
