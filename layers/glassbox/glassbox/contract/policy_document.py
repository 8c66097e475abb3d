"""A policy written as its whole canonical document: every fault of it at once."""

from __future__ import annotations

import copy
from typing import Any

from glassbox.contract.faults import Location, path_of, pointer_location
from glassbox.errors import Violation
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.default_policy import default_policy
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import POLICY_FIELDS, parse_policy

_MOST_FAULTS = 100
_LEGAL = {"weight": 1, "target": None, "value": 0, "comparator": ">=", "on_absence": "inconclusive"}
_LEGAL_ENTRY = {"flag_effects": "info", "engines": "auto", "judge_models": "model"}


def document_faults(value: dict[str, Any]) -> list[Violation]:
    """Return every fault of a whole policy document, at most about 100; none where the contract accepts it.

    The contract names its first fault. What it names is replaced, in a copy, by something legal until it finds no
    more, so that the rules are the contract's alone. Besides, a policy says what every flag effects, and no more.
    """
    try:
        canonical_bytes(value)
    except ContractError as error:
        return [Violation("$", error.reason)]
    good = default_policy()
    faults = [Violation(path_of((field,)), "required, but absent") for field in POLICY_FIELDS if field not in value]
    faults += [Violation(path_of((field,)), "unknown field") for field in value if field not in POLICY_FIELDS]
    faults += _flag_faults(value.get("flag_effects"), good["flag_effects"])
    trial = {field: copy.deepcopy(value.get(field, good[field])) for field in POLICY_FIELDS}
    faults += _fractions(trial)
    seen = {fault.path for fault in faults}
    replaced: set[Location] = set()
    while len(faults) < _MOST_FAULTS:
        try:
            parse_policy(trial)
        except ContractError as error:
            location = pointer_location(error.path)
            if path_of(location) not in seen and location not in replaced:
                faults.append(Violation(path_of(location), error.reason))
            if not location or location[:1] in replaced:
                break
            again = location in replaced
            _replace(trial, good, location, again=again)
            replaced.add(location[:1] if again else location)
        else:
            break
    return faults


def _flag_faults(value: Any, known: dict[str, Any]) -> list[Violation]:
    if not isinstance(value, dict):
        return []
    flags = f"no flag; the flags are {', '.join(sorted(known))}"
    faults = [Violation(path_of(("flag_effects", code)), flags) for code in value if code not in known]
    return faults + [
        Violation(path_of(("flag_effects", code)), "required, but absent") for code in known if code not in value
    ]


def _fractions(trial: dict[str, Any]) -> list[Violation]:
    """Name each number with a fraction or an exponent, and put a legal value in its place."""
    faults = []
    stack: list[tuple[Location, Any]] = [((), trial)]
    while stack:
        location, item = stack.pop()
        for key, below in list(item.items() if isinstance(item, dict) else enumerate(item)):
            if isinstance(below, float):
                message = "must be a whole number; shares are in millionths, 950000 for 0.95"
                faults.append(Violation(path_of((*location, key)), message))
                item[key] = _LEGAL.get(str(key))
            elif isinstance(below, dict | list):
                stack.append(((*location, key), below))
    return faults


def _replace(trial: dict[str, Any], good: dict[str, Any], location: Location, *, again: bool) -> None:
    """Put something legal at a location: the smallest thing that may help, and the second time the whole field."""
    field, last = str(location[0]), location[-1]
    parent = None if again else _container(trial, location)
    if parent is not None and len(location) == 2 and field in _LEGAL_ENTRY:
        parent[last] = _LEGAL_ENTRY[field]
    elif parent is not None and len(location) > 1 and last in _LEGAL:
        parent[last] = _LEGAL[str(last)]
    elif field == "engines":
        trial["engines"] = {judge["name"]: "auto" for judge in trial["tree"]["children"]}
    elif field == "tree":
        # The engines name the tree's judges: with another tree they can't be checked.
        trial["tree"], trial["engines"] = good["tree"], good["engines"]
    else:
        trial[field] = good[field]


def _container(trial: dict[str, Any], location: Location) -> Any:
    """Return the object that holds the last key of a location, None where the location can't be followed."""
    item: Any = trial
    for part in location[:-1]:
        try:
            item = item[part]
        except (KeyError, IndexError, TypeError):
            return None
    return item if isinstance(item, dict) and location[-1] in item else None
