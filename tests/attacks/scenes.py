"""Everyday requests in our own words. Each false answer shares words with a passage, as a plausible one does."""

from __future__ import annotations

from typing import Final

from tests.attacks.model import Scene

LIBRARY: Final = Scene(
    "library",
    "How long may adults borrow films from the Wendle library?",
    "Adults may borrow films from the Wendle library for a week.",
    "Adults may borrow films from the Wendle library for the whole summer holidays.",
    (
        "Adults may borrow films from the Wendle library for a week. Renewals are made at the desk or by telephone.",
        "The Wendle library opens on weekday mornings, and films are shelved beside the entrance.",
        "A reading group meets in the cellar of the town hall.",
    ),
)
BAKERY: Final = Scene(
    "bakery",
    "Which nuts does the Harrow loaf contain?",
    "The Harrow loaf contains walnuts.",
    "The Harrow loaf contains roasted almonds, pistachios and pecans.",
    (
        "The Harrow loaf contains walnuts and rye flour. It is sold on market days.",
        "Nuts for the Harrow loaf are toasted in the oven that also bakes sesame rolls.",
        "The oven was built by a mason from Leith.",
    ),
)
PUMP: Final = Scene(
    "pump",
    "What does the amber lamp on the pump mean?",
    "The amber lamp means that the filter of the pump is clogged.",
    "The amber lamp means that the gearbox wants fresh synthetic grease.",
    (
        "The amber lamp means that the filter of the pump is clogged. Rinse the filter under running water.",
        "A green lamp on the pump means that it is running normally.",
        "The housing is painted blue for export.",
    ),
)
TRAVEL: Final = Scene(
    "travel",
    "Who approves travel abroad at Ostrand?",
    "Travel abroad is approved by the head of the department.",
    "Travel abroad is approved by the night porter or the gardener.",
    (
        "Travel abroad is approved by the head of the department at Ostrand.",
        "After travel, Ostrand refunds train tickets against a receipt.",
        "The canteen serves soup until the early afternoon.",
    ),
)
ORCHID: Final = Scene(
    "orchid",
    "Where does the marsh orchid of Tolven grow?",
    "The marsh orchid of Tolven grows on wet meadows near the coast.",
    "The marsh orchid of Tolven grows on sunny limestone cliffs and desert dunes.",
    (
        "The marsh orchid of Tolven grows on wet meadows near the coast. It flowers in early June.",
        "Sheep graze where the marsh orchid grows, which keeps the grass of Tolven short.",
        "Ferries leave from the old harbour.",
    ),
)
DROPS: Final = Scene(
    "drops",
    "How are the Velin drops stored?",
    "The Velin drops are stored in the refrigerator.",
    "The Velin drops are stored beside a radiator or under direct sunlight.",
    (
        "The Velin drops are stored in the refrigerator, upright and in their carton.",
        "Patients shake the Velin drops gently before use.",
        "The carton is made of recycled paper.",
    ),
)
FERRY: Final = Scene(
    "ferry",
    "How many seats does the Corvan ferry have?",
    "The Corvan ferry has 340 seats.",
    "The Corvan ferry has 910 seats.",
    (
        "The Corvan ferry has 340 seats and a café on the upper deck.",
        "Bicycles travel free on the Corvan ferry.",
        "The pier was repaired after the storm.",
    ),
)
LAKE: Final = Scene(
    "lake",
    "Is swimming allowed in Lake Imber?",
    "Swimming is not allowed in Lake Imber.",
    "Swimming is allowed in Lake Imber.",
    (
        "Swimming is not allowed in Lake Imber because of the currents.",
        "Boats on Lake Imber are rented by the hour.",
        "The car park closes at dusk.",
    ),
)
BOILER: Final = Scene(
    "boiler",
    "Wie lange gilt die Garantie auf den Kessel Brandt?",
    "Die Garantie auf den Kessel Brandt gilt bis zum Ende der Heizperiode.",
    "Die Garantie auf den Kessel Brandt gilt lebenslang samt Wartung und Ersatzteilen.",
    (
        "Die Garantie auf den Kessel Brandt gilt bis zum Ende der Heizperiode.",
        "Der Kessel Brandt steht im Keller neben dem Tank.",
        "Im Hof wurde eine alte Linde gefällt.",
    ),
    "de",
)
MUSEUM: Final = Scene(
    "museum",
    "¿Quién puede visitar gratis el museo de Ledesa?",
    "Los estudiantes pueden visitar gratis el museo de Ledesa.",
    "Los coleccionistas extranjeros pueden visitar gratis el museo de Ledesa con chófer y almuerzo.",
    (
        "Los estudiantes pueden visitar gratis el museo de Ledesa entre semana.",
        "El museo de Ledesa guarda cerámica y mapas antiguos.",
        "La plaza se llena de puestos los domingos.",
    ),
    "es",
)
SCENES: Final = (LIBRARY, BAKERY, PUMP, TRAVEL, ORCHID, DROPS, FERRY, LAKE, BOILER, MUSEUM)
