"""Which variable of one program is which of the other: by values, names, flow, operators and order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import UsageError
from harness.programs.names import alike, operations, overlap
from harness.programs.sequences import Compared, Sequence, compare, may_agree
from harness.programs.units import Unit, without_parts

Scores = npt.NDArray[np.float64]

_ROUNDS = 3
_AGREEING = 0.34
"""Lowest score of a pair whose values agree."""
_DIFFERING = 0.42
"""Lowest score of a pair whose values differ."""
_ALL = 0.9
"""Share of inputs from which on two are computed from the same."""
_APART = Compared(False, "each", "same")
_NAMED = frozenset({"set", "container", "loop", "param", "element", "mutated"})
_LIKE = {
    "set": 0,
    "container": 0,
    "mutated": 0,
    "element": 1,
    "loop": 2,
    "param": 3,
    "return": 4,
    "shown": 5,
    "test": 6,
    "iterates": 7,
}


class Pair(msgspec.Struct):
    """A variable of one program and its counterpart."""

    a: int
    b: int
    compared: Compared
    score: float
    evidence: dict[str, float]

    @property
    def agrees(self) -> bool:
        """Whether they take the same values."""
        return self.compared.agrees


class Matching(msgspec.Struct):
    """All pairs of units, those of variables, which units agree, and the scores of those that differ."""

    pairs: list[Pair]
    variables: list[Pair]
    equal: npt.NDArray[np.bool_]
    differing: Scores
    compared: dict[tuple[int, int], Compared]


def match(
    a: list[Unit], b: list[Unit], *, given: Mapping[str, str] | None = None, ignored: Iterable[str] = ()
) -> Matching:
    """Match the units of two programs, one to one; parts of expressions have no partner.

    Parameters
    ----------
    a, b : list of Unit
        Of the two programs.
    given : mapping of str to str
        Names of the first program and their counterparts, which overrule everything else.
    ignored : iterable of str
        Names that are matched with nothing.

    Raises
    ------
    UsageError
        A name that is not there, or SciPy is not installed.
    """
    made = _match(without_parts(a), without_parts(b), given=given, ignored=ignored)
    rows = [unit.number for unit in a if unit.kind != "part"]
    columns = [unit.number for unit in b if unit.kind != "part"]
    equal = np.zeros((len(a), len(b)), dtype=bool)
    differing = np.zeros((len(a), len(b)))
    equal[np.ix_(rows, columns)], differing[np.ix_(rows, columns)] = made.equal, made.differing

    def numbered(pairs: list[Pair]) -> list[Pair]:
        return [msgspec.structs.replace(pair, a=rows[pair.a], b=columns[pair.b]) for pair in pairs]

    return Matching(
        pairs=numbered(made.pairs),
        variables=numbered(made.variables),
        equal=equal,
        differing=differing,
        compared={(rows[i], columns[j]): compared for (i, j), compared in made.compared.items()},
    )


def _match(
    a: list[Unit], b: list[Unit], *, given: Mapping[str, str] | None = None, ignored: Iterable[str] = ()
) -> Matching:
    given, ignored = dict(given or {}), frozenset(ignored)
    _check_names(a, b, given, ignored)
    names = _names(a, b)
    operators = _operators(a, b)
    order = _order(a, b)
    kinds = np.array([[_kind(u, v) for v in b] for u in a]).reshape(len(a), len(b))
    allowed = _allowed(a, b, given, ignored)
    first, second = [Sequence(unit) for unit in a], [Sequence(unit) for unit in b]
    compared: dict[tuple[int, int], Compared] = {}
    worth = np.zeros((len(a), len(b)))
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            if allowed[i, j] and may_agree(one, other):
                result = compare(one, other)
                compared[i, j] = result
                if result.agrees:
                    worth[i, j] = 1 - math.exp(-result.bits / 8)
    equal = worth > 0
    # Agreement that says something; two zeros say nothing of what follows from them.
    informed = worth > 0.4
    flow = total = np.zeros_like(worth)
    chosen: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        total = np.where(
            equal,
            0.45 * worth + 0.28 * names + 0.15 * flow + 0.06 * operators + 0.06 * kinds + 0.04 * order,
            0,
        )
        chosen = _assign(np.where(allowed, total, 0), _AGREEING)
        linked = informed.copy()
        for i, j in chosen:
            linked[i, j] = True
        flow = _flow(a, b, linked)
    differing = np.zeros_like(worth)
    base = 0.45 * names + 0.12 * operators + 0.1 * kinds + 0.08 * order
    extra = np.zeros_like(worth)
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            if not equal[i, j] and base[i, j] + 0.25 > 0.3:
                if (i, j) not in compared:
                    # Of two single values that cannot agree no part does.
                    alone = len(one.values) == len(other.values) == 1 and not may_agree(one, other)
                    compared[i, j] = _APART if alone else compare(one, other)
                extra[i, j] = 0.15 * compared[i, j].share - 0.15 * _unlike(one, other)
    more: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        linked = informed.copy()
        for i, j in (*chosen, *more):
            linked[i, j] = True
        flow = _flow(a, b, linked)
        # Two that are computed from just the same are likely to be meant as the same.
        same_inputs = _shared(a, b, linked.astype(float), "inputs", 0.0) >= _ALL
        differing = np.where(equal | ~allowed, 0.0, base + extra + 0.25 * flow + 0.15 * same_inputs)
        more = _assign(_free(differing, chosen), _DIFFERING)

    def pair_of(i: int, j: int) -> Pair:
        parts = {"values": worth, "names": names, "flow": flow, "operators": operators}
        evidence = {name: round(float(array[i, j]), 2) for name, array in parts.items()}
        if (i, j) not in compared:
            compared[i, j] = compare(first[i], second[j])
        score = float(total[i, j]) / 0.9 if equal[i, j] else float(differing[i, j])
        return Pair(i, j, compared[i, j], min(1.0, score), evidence)

    # What is reported are variables: each has a partner of its own, whatever its aliases have.
    named = np.logical_and.outer(_named(a), _named(b))
    # Of several with one value, that which has it as a whole, and not as a part of another or in a loop.
    plainer = total - 0.06 * np.logical_xor.outer(_partial(a), _partial(b)) - 0.06 * _stacked(compared, total)
    enough = allowed & named & (total >= _AGREEING)
    own = _assign(np.where(enough, np.maximum(plainer, _AGREEING), 0), _AGREEING)
    # What has its value in the other program is some variable of it, if not one of its own.
    known = np.logical_or.outer(informed.any(axis=1), informed.any(axis=0))
    own += _assign(_free(np.where(named & ~known, differing, 0), own), _DIFFERING)
    return Matching(
        pairs=[pair_of(i, j) for i, j in (*chosen, *more)],
        variables=[pair_of(i, j) for i, j in own],
        equal=equal,
        differing=differing,
        compared=compared,
    )


def _partial(units: list[Unit]) -> npt.NDArray[np.bool_]:
    return np.array([bool(unit.path) for unit in units], dtype=bool)


def _stacked(compared: Mapping[tuple[int, int], Compared], like: Scores) -> npt.NDArray[np.bool_]:
    found = np.zeros(like.shape, dtype=bool)
    for (i, j), one in compared.items():
        found[i, j] = one.form == "stacked"
    return found


def _named(units: list[Unit]) -> npt.NDArray[np.bool_]:
    return np.array([unit.kind in _NAMED for unit in units], dtype=bool)


def _free(scores: Scores, taken: list[tuple[int, int]]) -> Scores:
    """Scores without those of units that have a partner."""
    free = scores.copy()
    free[[i for i, _ in taken], :] = 0
    free[:, [j for _, j in taken]] = 0
    return free


def _assign(scores: Scores, threshold: float) -> list[tuple[int, int]]:
    try:
        from scipy.optimize import linear_sum_assignment
    except ModuleNotFoundError as missing:
        raise UsageError(
            "programs cannot be matched: SciPy is not installed",
            advice="python3 -m pip install 'polyglot-harness[programs]'",
        ) from missing
    if not scores.size:
        return []
    rows, columns = linear_sum_assignment(scores, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if scores[i, j] >= threshold]


def _names(a: list[Unit], b: list[Unit]) -> Scores:
    return np.array([[_name(u, v) for v in b] for u in a]).reshape(len(a), len(b))


def _name(one: Unit, other: Unit) -> float:
    """Alike names; those of functions count a little, those of parts of values as much as the whole's."""
    if one.site.name == "shown" or other.site.name == "shown":
        return 0.2 if one.site.name == other.site.name else 0.0
    own = alike(one.site.name + one.path, other.site.name + other.path)
    if one.path or other.path:
        last = alike(one.path or one.site.name, other.path or other.site.name)
        own = max(own, 0.9 * last)
    where = 1.0 if one.site.function == other.site.function else alike(one.site.function, other.site.function)
    return 0.85 * own + 0.15 * where if own > 0.3 else own * 0.5


def _operators(a: list[Unit], b: list[Unit]) -> Scores:
    first = [operations(unit.site.operators) for unit in a]
    second = [operations(unit.site.operators) for unit in b]
    return np.array([[overlap(one, other) for other in second] for one in first]).reshape(len(a), len(b))


def _order(a: list[Unit], b: list[Unit]) -> Scores:
    first = np.arange(len(a)) / max(1, len(a))
    second = np.arange(len(b)) / max(1, len(b))
    return np.asarray(1 - np.abs(first[:, None] - second[None, :]))


def _kind(one: Unit, other: Unit) -> float:
    if one.kind == other.kind:
        return 1.0
    return 0.9 if _LIKE[one.kind] == _LIKE[other.kind] else 0.3


def _unlike(one: Sequence, other: Sequence) -> float:
    """From 0 to 1, how little the shapes and counts go together."""
    if one.is_text != other.is_text:
        return 1.0
    shapes = one.last.shape == other.last.shape or one.last.shape == other.last.shape[::-1]
    counts = len(one.values) == len(other.values) or min(len(one.values), len(other.values)) == 1
    whole = one.is_whole == other.is_whole
    return (0.0 if shapes else 0.6) + (0.0 if counts else 0.2) + (0.0 if whole else 0.5)


def _flow(a: list[Unit], b: list[Unit], linked: npt.NDArray[np.bool_]) -> Scores:
    """Share of what two units are computed from, and of what is computed from them, that goes together."""
    links = linked.astype(float)
    return 0.6 * _shared(a, b, links, "inputs", 0.5) + 0.4 * _shared(a, b, links, "users", 0.5)


def _shared(a: list[Unit], b: list[Unit], links: Scores, attribute: str, none: float) -> Scores:
    """How many of a unit's inputs or users have a partner among the other's, counted from both sides."""
    of_a = _incidence([getattr(unit, attribute) for unit in a], len(a))
    of_b = _incidence([getattr(unit, attribute) for unit in b], len(b))
    from_a = np.minimum(of_a @ np.minimum(links @ of_b.T, 1), of_a.sum(1)[:, None])
    from_b = np.minimum(np.minimum(of_a @ links, 1) @ of_b.T, of_b.sum(1)[None, :])
    many = of_a.sum(1)[:, None] + of_b.sum(1)[None, :]
    return np.asarray(np.divide(from_a + from_b, many, out=np.full(links.shape, none), where=many > 0))


def _incidence(sets: list[set[int]], size: int) -> Scores:
    made = np.zeros((len(sets), size))
    for row, numbers in enumerate(sets):
        made[row, list(numbers)] = 1
    return made


def _allowed(
    a: list[Unit], b: list[Unit], given: Mapping[str, str], ignored: frozenset[str]
) -> npt.NDArray[np.bool_]:
    allowed = np.ones((len(a), len(b)), bool)
    mapped = set(given.values())
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            if one.name in ignored or other.name in ignored:
                allowed[i, j] = False
            elif one.name in given or other.name in mapped:
                allowed[i, j] = given.get(one.name) == other.name
    return allowed


def _check_names(a: list[Unit], b: list[Unit], given: Mapping[str, str], ignored: frozenset[str]) -> None:
    in_a, in_b = {unit.name for unit in a}, {unit.name for unit in b}
    wrong = [(name, "first") for name in given if name not in in_a]
    wrong += [(name, "second") for name in given.values() if name not in in_b]
    wrong += [(name, "first or second") for name in ignored if name not in in_a | in_b]
    if wrong:
        name, which = wrong[0]
        near = sorted(in_a if which == "first" else in_b, key=lambda option: -alike(option, name))[:5]
        raise UsageError(
            f"the {which} program sets no {name}", advice=f"it sets, among others: {', '.join(near)}"
        )
