"""Which variable of one program is which of the other: by values, names, flow, operators and order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec
import numpy as np

from harness.errors import UsageError
from harness.programs.names import alike
from harness.programs.permuted import same_numbers
from harness.programs.scores import (
    Flags,
    Flow,
    Scores,
    can_be_meant,
    equal_items,
    of_kinds,
    of_names,
    of_operators,
    of_order,
)
from harness.programs.sequences import Compared, Sequence, compare, may_agree, may_share
from harness.programs.units import Unit, without_parts

_ROUNDS = 3
_AGREEING = 0.34
"""Lowest score of a pair whose values agree."""
_DIFFERING = 0.42
"""Lowest score of a pair whose values differ."""
_HANDED_ON, _STACKED = 0.1, 0.15
"""What it counts against a pair that one is a parameter, or one a loop's values and the other a vector."""
_APART_BY_LEVEL = 0.08
"""What it counts against a pair that one is a function's own and the other the program's."""
_PERMUTED = 0.4
"""What it counts that two variables have the same numbers, in another order."""
_LEAST = 0.1
"""What a pair that agrees counts for at the least."""
_ALONE = 0.12
"""What it counts that two variables have a value that no other variable of either program has."""
_ALL = 0.9
"""Share of inputs from which on two are computed from the same."""
_APART = Compared(False, "each", "same")
_NAMED = frozenset({"set", "container", "loop", "param", "element", "mutated"})


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
    equal: Flags
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
    names, operators, kinds, order = of_names(a, b), of_operators(a, b), of_kinds(a, b), of_order(a, b)
    allowed = _allowed(a, b, given, ignored)
    told = equal_items([given.get(unit.name) for unit in a], [unit.name for unit in b])
    flows = Flow(a, b)
    first, second = [Sequence(unit) for unit in a], [Sequence(unit) for unit in b]
    # What may agree as a whole; what may have any value in common, which no other pair has.
    likely, possible = may_agree(first, second), may_share(first, second)
    compared: dict[tuple[int, int], Compared] = {}
    worth = np.zeros((len(a), len(b)))
    for i, j in np.argwhere(allowed & likely & possible).tolist():
        result = compared[i, j] = compare(first[i], second[j])
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
        flow = flows.shares(_linked(informed, chosen))
    differing = np.zeros_like(worth)
    base = 0.45 * names + 0.12 * operators + 0.1 * kinds + 0.08 * order
    looked_at = ~equal & (base + 0.25 > 0.3)
    # Of two single values that cannot agree no part does.
    single = np.logical_and.outer(*(np.array([len(one) == 1 for one in ones]) for ones in (first, second)))
    alone = single & ~likely
    share = np.zeros_like(worth)
    for i, j in np.argwhere(looked_at & possible & ~alone).tolist():
        if (i, j) not in compared:
            compared[i, j] = compare(first[i], second[j])
        share[i, j] = compared[i, j].share
    extra = np.where(looked_at, 0.15 * share - 0.15 * _unlike(first, second), 0.0)
    more: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        linked = _linked(informed, [*chosen, *more])
        flow = flows.shares(linked)
        # Two that are computed from just the same are likely to be meant as the same.
        same_inputs = flows.inputs(linked) >= _ALL
        differing = np.where(equal | ~allowed, 0.0, base + extra + 0.25 * flow + 0.15 * same_inputs)
        differing[told & ~equal] = 1.0
        more = _assign(_free(differing, chosen), _DIFFERING)

    def pair_of(i: int, j: int) -> Pair:
        parts = {"values": worth, "names": names, "flow": flow, "operators": operators}
        evidence = {name: round(float(array[i, j]), 2) for name, array in parts.items()}
        if (i, j) not in compared:
            compared[i, j] = _APART if alone[i, j] else compare(first[i], second[j])
        score = float(total[i, j]) / 0.9 if equal[i, j] else float(differing[i, j])
        return Pair(i, j, compared[i, j], min(1.0, score), evidence)

    # What is reported are variables: each has a partner of its own, whatever its aliases have.
    named = np.logical_and.outer(_named(a), _named(b))
    # Of several with one value, that which has it as a whole, and not as a part of another or in a loop.
    plainer = (
        total
        - 0.06 * np.logical_xor.outer(_partial(a), _partial(b))
        - _STACKED * _in_form(compared, total, "stacked")
    )
    plainer -= _HANDED_ON * np.logical_xor.outer(_params(a), _params(b))
    apart = np.logical_xor.outer(_local(a), _local(b))
    plainer -= _APART_BY_LEVEL * (apart + 1.0 * (apart & _in_form(compared, total, "last")))
    alone_with_it = _ALONE * _only_partners(a, b, equal & named)
    plainer = plainer + alone_with_it
    enough = allowed & named & (total + alone_with_it >= _AGREEING)
    # One sure pair is worth more than two doubtful ones.
    own = _assign(np.where(enough, np.maximum(plainer, _LEAST), 0) ** 2, _LEAST**2)
    # What has its value in the other program is some variable of it, if not one of its own.
    known = np.logical_or.outer(informed.any(axis=1), informed.any(axis=0))
    permuted = same_numbers(a, b) & ~equal & named & ~known & allowed
    own += _assign(_free(np.where(permuted, differing + _PERMUTED, 0), own), _DIFFERING)
    meant = named & ~known & (told | can_be_meant(a, b, names, flow, operators))
    own += _assign(_free(np.where(meant, differing, 0), own), _DIFFERING)
    for i, j in own:
        if permuted[i, j]:
            compared[i, j] = Compared(False, "each", "permuted")
    return Matching(
        pairs=[pair_of(i, j) for i, j in (*chosen, *more)],
        variables=[
            msgspec.structs.replace(one, score=min(1.0, one.score + _PERMUTED * bool(permuted[one.a, one.b])))
            for one in (pair_of(i, j) for i, j in own)
        ],
        equal=equal,
        differing=differing,
        compared=compared,
    )


def _only_partners(a: list[Unit], b: list[Unit], equal: Flags) -> Flags:
    """Which pairs have the value that no other variable of either program has."""
    once = []
    for found, units in ((equal, b), (equal.T, a)):
        known = {
            key: k for k, key in enumerate(dict.fromkeys((one.site.function, one.name) for one in units))
        }
        of_name = np.zeros((len(units), len(known)))
        of_name[range(len(units)), [known[one.site.function, one.name] for one in units]] = 1
        # A parameter has what a variable has, and is none of its own.
        of_name[_params(units)] = 0
        once.append(((found.astype(float) @ of_name) > 0).sum(axis=1) == 1)
    variables = np.logical_and.outer(~_params(a), ~_params(b))
    return np.asarray(equal & variables & np.logical_and.outer(*once))


def _partial(units: list[Unit]) -> Flags:
    return np.array([bool(unit.path) for unit in units], dtype=bool)


def _params(units: list[Unit]) -> Flags:
    return np.array([unit.kind == "param" for unit in units], dtype=bool)


def _local(units: list[Unit]) -> Flags:
    return np.array([bool(unit.site.function) for unit in units], dtype=bool)


def _in_form(compared: Mapping[tuple[int, int], Compared], like: Scores, form: str) -> Flags:
    found = np.zeros(like.shape, dtype=bool)
    for (i, j), one in compared.items():
        found[i, j] = one.form == form
    return found


def _named(units: list[Unit]) -> Flags:
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


def _linked(informed: Flags, pairs: list[tuple[int, int]]) -> Flags:
    """Units whose values agree, or that are a pair."""
    linked = informed.copy()
    linked[[i for i, _ in pairs], [j for _, j in pairs]] = True
    return linked


def _unlike(ones: list[Sequence], others: list[Sequence]) -> Scores:
    """From 0 to 1, how little the shapes and counts go together."""
    shapes = [[one.last.shape for one in sequences] for sequences in (ones, others)]
    same = equal_items(*shapes) | equal_items(shapes[0], [shape[::-1] for shape in shapes[1]])
    first, second = (np.array([len(one) for one in sequences]) for sequences in (ones, others))
    counts = (first[:, None] == second[None, :]) | (np.minimum.outer(first, second) == 1)
    whole = equal_items([one.is_whole for one in ones], [one.is_whole for one in others])
    unlike = np.where(same, 0.0, 0.6) + np.where(counts, 0.0, 0.2) + np.where(whole, 0.0, 0.5)
    texts = equal_items([one.is_text for one in ones], [one.is_text for one in others])
    return np.where(texts, unlike, 1.0)


def _allowed(a: list[Unit], b: list[Unit], given: Mapping[str, str], ignored: frozenset[str]) -> Flags:
    first, second = [unit.name for unit in a], [unit.name for unit in b]
    mapped = set(given.values())
    named = np.logical_or.outer([name in given for name in first], [name in mapped for name in second])
    left_out = np.logical_or.outer([name in ignored for name in first], [name in ignored for name in second])
    partners = equal_items([given.get(name) for name in first], second)
    return np.asarray(np.where(named, partners, True) & ~left_out, dtype=bool)


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
