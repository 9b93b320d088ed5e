"""Of all pairs of statements one for each variable; a name of a function is not the same of the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np

from harness.programs.alignment import matches_of
from harness.programs.match import Matching, Pair
from harness.programs.program import Program
from harness.programs.replace import Side
from harness.programs.sequences import Compared
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import units_of


def _side(folder: Path, name: str, variables: Sequence[tuple[str, str]]) -> Side:
    """A program of which each line sets a variable, of a function or its own."""
    path = folder / name
    path.write_text("x = 1\n" * len(variables), encoding="utf-8")
    trace = Trace({}, {0: 0}, {0: 0}, [], {}, complete=True)
    for number, (function, variable) in enumerate(variables):
        trace.sites[number] = Site(number, name, number + 1, "set", variable, function, (), (), ())
        trace.events.append(Event(number, number, 0, 1, {"": np.asarray(number + 0.5)}))
    recorded = SimpleNamespace(program=Program(path=path, language="python"), trace=trace)
    return cast("Side", SimpleNamespace(recorded=recorded, units=units_of(trace)))


def _kept(a: Side, b: Side, *pairs: tuple[int, int, bool, float, float]) -> list[tuple[str, str]]:
    variables = [
        Pair(one, other, Compared(agrees), score, {"values": values})
        for one, other, agrees, score, values in pairs
    ]
    matching = cast("Matching", SimpleNamespace(variables=variables))
    return [(match.a.name, match.b.name) for match in matches_of(a, b, matching)]


def test_variables_of_one_name_in_several_functions_have_a_partner_each(tmp_path: Path) -> None:
    a = _side(tmp_path, "a.py", [("", "C"), ("flows", "C")])
    b = _side(tmp_path, "b.py", [("", "meetings"), ("slope", "rates")])
    assert _kept(a, b, (0, 0, True, 0.6, 0.5), (1, 1, True, 0.9, 0.9)) == [
        ("C", "meetings"), ("C", "rates"),
    ]  # fmt: skip


def test_what_an_array_is_filled_with_tells_its_partner_and_not_that_it_was_empty(tmp_path: Path) -> None:
    a = _side(tmp_path, "a.py", [("", "mixed"), ("", "mixed")])
    b = _side(tmp_path, "b.py", [("", "days"), ("", "zmix")])
    assert _kept(a, b, (0, 0, False, 0.67, 0.0), (1, 1, True, 0.52, 0.46)) == [("mixed", "zmix")]
