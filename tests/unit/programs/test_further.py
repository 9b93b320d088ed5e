"""What has no partner is matched with a part of another variable, a table as a whole, or as a second name."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from harness.programs.further import further
from harness.programs.match import Pair
from harness.programs.replace import Side
from harness.programs.sequences import Compared
from harness.programs.trace import Event, Labels, Site, Trace
from harness.programs.units import units_of
from harness.programs.views import views_of

TABLE = np.random.default_rng(5).standard_normal((9, 3))


def side(
    language: str,
    variables: Mapping[str, Any],
    *,
    labels: Mapping[str, Labels] | None = None,
    functions: Mapping[str, str] | None = None,
) -> Side:
    """A program that sets these: arrays, dictionaries of the parts of one, or lists of its values in turn."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {}, complete=True)
    for number, (name, value) in enumerate(variables.items()):
        function = (functions or {}).get(name, "")
        trace.sites[number] = Site(number, "made", number + 1, "set", name, function, (), (), ())
        for occurrence, one in enumerate(value if isinstance(value, list) else [value], 1):
            parts = one if isinstance(one, dict) else {"": np.asarray(one)}
            named = {next(iter(parts)): labels[name]} if labels and name in labels else {}
            trace.events.append(Event(len(trace.events), number, 0, occurrence, parts, named))
    program = SimpleNamespace(program=SimpleNamespace(language=language), trace=trace)
    return cast("Side", SimpleNamespace(recorded=program, units=units_of(trace)))


def found(a: Side, b: Side, *kept: tuple[str, str], left_out: tuple[str, ...] = ()) -> set[tuple[str, str]]:
    """The names that are matched besides those that are."""
    at = [{unit.name: unit.number for unit in one.units} for one in (a, b)]
    pairs = [Pair(at[0][one], at[1][other], Compared(True), 1.0, {}) for one, other in kept]
    return {(one.a.name, one.b.name) for one in further(a, b, pairs, left_out)}


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("python", ("m[:, 0]", "m[:, 2]", "m[0, :]", "v[1:]", "v[:-1]", "p[0]")),
        ("r", ("m[, 1]", "m[, 3]", "m[1, ]", "v[-1]", "v[-9]", "p[1]")),
        ("julia", ("m[:, 1]", "m[:, 3]", "m[1, :]", "v[2:end]", "v[1:end-1]", "p[1]")),
    ],
)
def test_parts_are_written_as_their_language_writes_them(language: str, names: tuple[str, ...]) -> None:
    values = TABLE[:, 0], TABLE[:, 2], TABLE[0], TABLE[1:, 1], TABLE[:-1, 1], TABLE[0, 0]
    own = side(language, {"m": TABLE, "v": TABLE[:, 1], "p": TABLE[0, :2]})
    views = {view.name: view.value for view in views_of(own)}
    for name, value in zip(names, values, strict=True):
        np.testing.assert_array_equal(views[name], value)


def test_a_column_that_the_other_program_has_alone_is_its_partner_by_what_it_is_called() -> None:
    own = side("r", {"ci": TABLE}, labels={"ci": [None, ["lower", "upper", "se"]]})
    other = side("python", {"low": TABLE[:, 0], "high": TABLE[:, 1], "odd": TABLE[:, 1] + 1})
    assert found(own, other) == {('ci[, "lower"]', "low"), ('ci[, "upper"]', "high")}
    assert found(own, other, left_out=("ci",)) == set()
    assert found(own, other, ("ci", "low")) == {('ci[, "upper"]', "high")}


def test_a_table_of_numbers_is_a_matrix_as_well() -> None:
    columns = {f"['{name}']": TABLE[:, k] for k, name in enumerate("abc")}
    own, other = side("python", {"cq": columns}), side("r", {"avg": TABLE.T})
    assert found(own, other) == {("cq", "avg")}
    texts = columns | {"['d']": np.array(["x"] * 9, dtype=object)}
    assert found(side("python", {"cq": texts}), other) == {
        ("cq['a']", "avg[1, ]"), ("cq['b']", "avg[2, ]"), ("cq['c']", "avg[3, ]"),
    }  # fmt: skip


def test_the_labels_of_rows_are_the_index() -> None:
    own = side("python", {"std": {"['slope']": TABLE[:3, 0]}}, labels={"std": [["ACTB", "IL6", "TNF"], None]})
    other = side("r", {"targets": np.array(["ACTB", "IL6", "TNF"], dtype=object)})
    assert found(own, other) == {("std.index", "targets")}


def test_a_second_name_has_the_partner_of_the_first_unless_that_is_a_function_s() -> None:
    own = side("python", {"d": TABLE[0], "diff": TABLE[0].copy()}, functions={"d": "summary"})
    other = side("julia", {"jumps": TABLE[0]})
    assert found(own, other, ("d", "jumps")) == {("diff", "jumps")}
    assert found(own, other, ("diff", "jumps")) == set()


def test_a_single_number_is_no_second_name_and_small_numbers_say_nothing() -> None:
    own = side("python", {"mean": TABLE[0, 0], "average": TABLE[0, 0], "n": np.array([1.0, 2.0, 3.0])})
    other = side("r", {"m": TABLE[0, 0], "k": np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])})
    assert found(own, other, ("mean", "m")) == set()


def test_what_a_function_sets_again_and_again_and_a_number_of_a_loop_are_left_alone() -> None:
    other = side("r", {"m": TABLE})
    own = side("python", {"x": [TABLE[:, 0] + 1, TABLE[:, 0]]}, functions={"x": "f"})
    assert found(own, other) == set()
    assert found(side("python", {"x": [TABLE[:, 0] + 1, TABLE[:, 0]]}), other) == {("x", "m[, 1]")}
    assert found(side("python", {"x": [1.5, TABLE[0, 0]]}), side("r", {"p": TABLE[0, :2]})) == set()
