"""What variables hold without a name of its own: columns, rows, elements, rests, and tables as wholes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from harness.programs.replace import BASE, Side
from harness.programs.trace import Labels, Value
from harness.programs.units import Unit

_KINDS = frozenset({"set", "container", "mutated"})
_FEW = 16
"""Columns, or rows, that are looked at one by one."""
_SHORT, _LONG = 8, 8
"""Most elements of a vector that are looked at one by one; fewest of one without its first or its last."""
INDEX = "index"
"""What the labels of the rows of a table are called."""
_COLUMN = re.compile(r"\$[\w.]+|\[(?:'[^']*'|\"[^\"]*\")\]|\.\w+")


class View(NamedTuple):
    """What a unit holds, a part of it, or several units as one, by the name that its language has for it.

    ``label`` is what the part itself is called.
    """

    unit: int
    name: str
    label: str
    value: Value
    is_part: bool = False


def views_of(side: Side) -> Iterator[View]:
    """The views of what a program's variables hold at last.

    Parameters
    ----------
    side : Side
        The program, its trace and its units.
    """
    language, events = side.recorded.program.language, side.recorded.trace.events
    tables: dict[tuple[int, int], list[Unit]] = defaultdict(list)
    for unit in held(side):
        labels = events[unit.last].labels.get(unit.path, [])
        if unit.path:
            tables[unit.site.number, unit.last].append(unit)
        if language == "python" and labels and labels[0] is not None:
            index = np.array(labels[0], dtype=object if isinstance(labels[0][0], str) else None)
            yield View(unit.number, f"{unit.site.name}.{INDEX}", INDEX, index, is_part=True)
        value = unit.values[-1]
        if value.dtype == object:
            continue
        for label, written, part in _parts(value, labels, language):
            yield View(unit.number, f"{unit.name}[{written}]", label, part, is_part=True)
    for columns in tables.values():
        whole = _whole(columns)
        if whole is not None:
            yield View(columns[0].number, columns[0].site.name, "", whole)


def held(side: Side) -> Iterator[Unit]:
    """The units whose last value says what a variable is: not what calls set again and again."""
    for unit in side.units:
        # Of a number that a loop sets, the last says nothing of the others.
        alone = len(unit.values) == 1 or (not unit.site.function and unit.values[-1].size > 1)
        if unit.kind in _KINDS and alone:
            yield unit


def _parts(value: Value, labels: Labels, language: str) -> Iterator[tuple[str, str, Value]]:
    """The parts of an array: what each is called if it is, how it is written, and its value."""
    base = BASE[language]
    if value.ndim == 1 and 2 <= value.size <= _SHORT:
        for number, item in enumerate(value):
            yield "", str(number + base), np.asarray(item)
    elif value.ndim == 1 and value.size >= _LONG:
        first, last = {"python": ("1:", ":-1"), "r": ("-1", f"-{value.size}")}.get(
            language, ("2:end", "1:end-1")
        )
        yield "", first, value[1:]
        yield "", last, value[:-1]
    elif value.ndim == 2 and min(value.shape) > 1:
        for axis in (1, 0):
            named = labels[axis] if axis < len(labels) else None
            for number in range(value.shape[axis] if value.shape[axis] <= _FEW else 0):
                label = str(named[number]) if named is not None else ""
                at = f'"{label}"' if label else str(number + base)
                every = "" if language == "r" else ":"
                before, after = (f"{every}, ", "") if axis else ("", f", {every}")
                yield label, f"{before}{at}{after}", value.take(number, axis)


def _whole(columns: Sequence[Unit]) -> Value | None:
    """The columns of a table as a matrix, where all are numbers and as many."""
    values = [unit.values[-1] for unit in columns]
    if len(values) < 2 or not all(_COLUMN.fullmatch(unit.path) for unit in columns):
        return None
    if any(value.ndim != 1 or value.dtype == object or value.size < 2 for value in values):
        return None
    return np.column_stack(values) if len({value.size for value in values}) == 1 else None
