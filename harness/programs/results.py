"""The results of two programs: which are compared, and which matches a difference calls in doubt."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.numerics.relations import relation_of
from harness.programs.match import Matching, Pair
from harness.programs.pool import Pool
from harness.programs.replace import Side
from harness.programs.sequences import Sequence, compare
from harness.programs.trace import Value
from harness.programs.units import Unit, through_parts

_NAMED = 0.5
"""Likeness of names from which on two values of different sizes may be one result."""
_ONE_NAME = 0.8
"""Likeness of names that are one."""
_POSSIBLE = 0.45
"""Score of a pair that is called in doubt."""
_SURELY = 0.65
"""Score from which on two variables that nobody shows are one result."""


def results_of(units: list[Unit]) -> set[int]:
    """Units that a program shows, or sets last at its top level and reads no more."""
    ends = {unit.number for unit in units if unit.kind == "shown"}
    for unit in units:
        used = _users(units, unit)
        read = [number for number in used if units[number].kind not in ("shown", "mutated")]
        if (
            unit.site.function == ""
            and unit.kind in ("set", "container", "mutated", "element")
            and not read
            and unit.inputs
        ):
            ends.add(unit.number)
    return ends


def _users(units: list[Unit], unit: Unit) -> set[int]:
    """What is computed from a unit, directly or by what an expression is made of."""
    return through_parts(units, unit.users, lambda one: one.users) - {unit.number}


def left_over(a: Side, b: Side, ends_a: set[int], ends_b: set[int], matching: Matching) -> list[Pair]:
    """What both programs show and nothing matches, paired in order; a trial has to prove the pair."""
    options = [
        (float(matching.differing[i, j]), i, j)
        for i in sorted(unknown(a, b, "a", ends_a, matching))
        for j in sorted(unknown(a, b, "b", ends_b, matching))
        if _size(a.units[i], b.units[j]) == _size(b.units[j], a.units[i])
    ]
    pairs: list[Pair] = []
    for _, i, j in sorted(options, key=lambda option: -option[0]):
        if all(pair.a != i and pair.b != j for pair in pairs):
            compared = compare(Sequence(a.units[i]), Sequence(b.units[j]))
            if not compared.agrees:
                pairs.append(Pair(i, j, compared, 0.3, {}))
    return pairs


def meant_as_same(a: Side, b: Side, pair: Pair, matching: Matching) -> bool:
    """Whether two results show variables that are matched, or have a relation that chance does not make."""
    one, other = a.units[pair.a], b.units[pair.b]
    pairs = {(match.a, match.b) for match in (*matching.pairs, *matching.variables)}
    shown = [(i, j) for i in one.inputs for j in other.inputs if (i, j) in pairs]
    if any(a.units[i].values[-1].size == one.values[-1].size for i, _ in shown):
        return True
    sizes = {size for side in (a, b) for unit in side.units for size in unit.values[0].shape}
    return bool(relation_of(one.values[-1], other.values[-1], sizes))


def in_same_place(a: Side, b: Side, pair: Pair, matching: Matching) -> bool:
    """Whether two results are shown between the same others, which agree, with nothing else between.

    What is shown in parts by one program, and as a whole by the other, is nothing else.
    """
    partner = {
        one.a: one.b for one in matching.pairs
        if one.agrees and a.units[one.a].kind == b.units[one.b].kind == "shown"
    }  # fmt: skip
    before_a, own_a, after_a = _neighbours(a.units, pair.a, set(partner), Pool(b.units))
    before_b, own_b, after_b = _neighbours(b.units, pair.b, set(partner.values()), Pool(a.units))
    if own_a != 1 or own_b != 1 or (before_a is None and after_a is None):
        return False
    met = [(before_a, before_b), (after_a, after_b)]
    return all(other is None if one is None else partner[one] == other for one, other in met)


def shown_in_order(a: Side, b: Side, off: list[Pair], matching: Matching) -> list[Pair]:
    """Results that differ, with those of each other's place: between the same two that agree, in order.

    What two programs show they mostly show in the same order; where as many of as many elements are shown
    between two results that agree, they are meant as the same, whatever else they are like.
    """
    fixed = [
        (one.a, one.b) for one in matching.pairs
        if one.agrees and a.units[one.a].kind == b.units[one.b].kind == "shown"
    ]  # fmt: skip
    anchors = _in_order(fixed)
    own_a = _differing(a, b, "a", matching)
    own_b = _differing(a, b, "b", matching)
    made: dict[tuple[int, int], Pair] = {}
    for low, high in zip([(-1, -1), *anchors], [*anchors, (len(a.units), len(b.units))], strict=True):
        first = [i for i in own_a if low[0] < i < high[0]]
        second = [j for j in own_b if low[1] < j < high[1]]
        if (
            first
            and len(first) == len(second)
            and all(
                _size(a.units[i], b.units[j]) == _size(b.units[j], a.units[i])
                for i, j in zip(first, second, strict=True)
            )
        ):
            for i, j in zip(first, second, strict=True):
                compared = compare(Sequence(a.units[i]), Sequence(b.units[j]))
                if not compared.agrees:
                    evidence = {"names": 0.0}
                    made[i, j] = Pair(i, j, compared, _SURELY, evidence)
    if not made:
        return off
    known = {(pair.a, pair.b): pair for pair in off}
    taken_a, taken_b = {i for i, _ in made}, {j for _, j in made}
    kept = [pair for pair in off if pair.a not in taken_a and pair.b not in taken_b]
    return [*(known.get(key, pair) for key, pair in made.items()), *kept]


def _size(unit: Unit, other: Unit) -> int:
    """Elements of what is shown; those of all its values, where the other's are of another number."""
    if len(unit.values) == len(other.values):
        return unit.values[-1].size
    return sum(value.size for value in unit.values)


def _in_order(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of some pairs that is in order on both sides."""
    best: list[tuple[int, list[tuple[int, int]]]] = []
    for i, j in sorted(pairs):
        before = [row for size, row in best if row[-1][0] < i and row[-1][1] < j]
        row = [*max(before, key=len, default=[]), (i, j)]
        best.append((len(row), row))
    return max((row for _, row in best), key=len, default=[])


def _differing(a: Side, b: Side, which: str, matching: Matching) -> list[int]:
    """What a program shows that is a number and that the other shows nowhere, in order."""
    units, others = (a.units, b.units) if which == "a" else (b.units, a.units)
    shown = [unit for unit in units if unit.kind == "shown" and unit.values[-1].dtype != object]
    equal = matching.equal if which == "a" else matching.equal.T
    others_shown = [unit.number for unit in others if unit.kind == "shown"]
    agreeing = {unit.number for unit in shown if equal[unit.number, others_shown].any()}
    whole = {units[number].site.number for number in agreeing}
    pool = Pool(others)
    return [
        unit.number for unit in shown
        if unit.site.number not in whole and not unit.path and not pool.has_elements(unit.values[-1])
    ]  # fmt: skip


def _neighbours(
    units: list[Unit], number: int, taken: set[int], others: Pool
) -> tuple[int | None, int, int | None]:
    """What is shown next to a result and has a partner, before and after, and how many have none between."""
    numbers = [
        unit.number for unit in units
        if unit.kind == "shown" and unit.values[-1].dtype != object
        and (unit.number in taken or unit.number == number or not others.has_elements(unit.values[-1]))
    ]  # fmt: skip
    if number not in numbers:
        return None, 0, None
    at = numbers.index(number)
    earlier = [k for k in range(at) if numbers[k] in taken]
    later = [k for k in range(at + 1, len(numbers)) if numbers[k] in taken]
    low = earlier[-1] if earlier else -1
    high = later[0] if later else len(numbers)
    return numbers[low] if earlier else None, high - low - 1, numbers[high] if later else None


def unknown(a: Side, b: Side, which: str, ends: set[int], matching: Matching) -> set[int]:
    """What a program shows and the other program has in no place, and nothing comparable is matched with."""
    paired = [pair for pair in matching.pairs if pair.agrees or comparable(a, b, pair)]
    matched = {pair.a if which == "a" else pair.b for pair in paired}
    known = np.flatnonzero(matching.equal.any(axis=1 if which == "a" else 0))
    units = a.units if which == "a" else b.units
    shown = {number for number in ends if units[number].kind == "shown"}
    numbers = {number for number in shown if units[number].values[-1].dtype != object}
    seen = matched | {int(number) for number in known}
    # Of a vector with names, its parts are known if the whole is.
    whole = {units[number].site.number for number in shown & seen if not units[number].path}
    return {number for number in numbers - seen if units[number].site.number not in whole}


def counts(unit: Unit) -> bool:
    """Whether a unit is what a loop goes over: its small numbers say little, all of them together do."""
    return unit.kind in ("loop", "iterates") and len(unit.values) > 3


def in_place(a: Side, b: Side, matching: Matching) -> Matching:
    """A matching in which no square matrix agrees with its transpose, where matrices are laid out alike.

    Programs differ, and what is transposed for no reason may be why.
    """
    squares = [
        (i, j) for (i, j), compared in matching.compared.items()
        if compared.agrees and compared.layout == "transposed" and compared.form == "each"
        and a.units[i].values[0].shape == b.units[j].values[0].shape
    ]  # fmt: skip
    straight = sum(
        pair.agrees and pair.compared.layout == "same" and pair.compared.bits > 20 for pair in matching.pairs
    )
    turned = {(pair.a, pair.b) for pair in matching.pairs if (pair.a, pair.b) in set(squares)}
    if not squares or straight <= len(turned):
        return matching
    equal, differing = matching.equal.copy(), matching.differing.copy()
    for i, j in squares:
        equal[i, j], differing[i, j] = False, max(differing[i, j], _POSSIBLE)
    pairs = [
        msgspec.structs.replace(pair, compared=pair.compared._replace(agrees=False))
        if (pair.a, pair.b) in turned
        else pair
        for pair in matching.pairs
    ]
    return msgspec.structs.replace(matching, equal=equal, differing=differing, pairs=pairs)


def comparable(a: Side, b: Side, pair: Pair) -> bool:
    """Whether two results that differ can be meant as the same: of one sort, and of one size or one name."""
    first, second = a.units[pair.a].values[-1], b.units[pair.b].values[-1]
    if (first.dtype == object) != (second.dtype == object):
        return False
    names = pair.evidence.get("names", 0.0)
    if first.size == second.size:
        return True
    return names >= _NAMED and (names >= _ONE_NAME or not _holds(first, second))


def _holds(first: Value, second: Value) -> bool:
    """Whether one of two is a number, and an element of the other: a part of that, and no other value."""
    small, large = sorted((first, second), key=lambda value: value.size)
    return small.size == 1 and small.dtype != object and bool((large == small.reshape(())).any())


def meant_as_result(a: Side, b: Side, pair: Pair) -> bool:
    """Whether a pair that differs is one of results: one is shown, or they surely are the same.

    Where both programs show what they find, a variable that is read no more is often only left over.
    """
    units = a.units[pair.a], b.units[pair.b]
    if any(unit.kind == "shown" for unit in units) or pair.score >= _SURELY:
        return True
    return not all(any(unit.kind == "shown" for unit in side.units) for side in (a, b))


def both_show(a: Side, b: Side, pair: Pair) -> bool:
    """Whether both of a pair are shown, are of one size, and surely are one result."""
    one, other = a.units[pair.a], b.units[pair.b]
    same_size = one.values[-1].size == other.values[-1].size
    return one.kind == other.kind == "shown" and same_size and pair.score >= _SURELY


def by_chance(a: Side, b: Side, pair: Pair, off: list[Pair]) -> bool:
    """Whether numbers that are printed agree, each of a column that is another's and differs from that.

    Where a column is off, one of its numbers may stand where the other program prints the like of it.
    """
    own = _count(a, pair.a)
    if not own or own != _count(b, pair.b):
        return False
    name_a, name_b = a.units[pair.a].name, b.units[pair.b].name
    more = [one for one in off if _count(a, one.a) > own]
    return any(
        a.units[one.a].name == name_a and b.units[one.b].name != name_b for one in more
    ) and any(a.units[one.a].name != name_a and b.units[one.b].name == name_b for one in more)  # fmt: skip


def _count(side: Side, number: int) -> int:
    return len(side.units[number].elements)
