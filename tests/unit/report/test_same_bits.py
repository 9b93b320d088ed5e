"""Who returns the same bits, from the pairs of a record; matrices of many implementations."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import combinations

import msgspec
from rich.console import Console

from harness.model import Cell, ErrorStats, Pair, Precision, Record, RuntimeInfo
from harness.report import terminal
from harness.report.html import render
from harness.report.same_bits import same_bits

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def pairs(stage: str, groups: list[list[str]], **other: object) -> list[Pair]:
    """Every two implementations, which differ where they are of two groups."""
    group_of = {name: place for place, group in enumerate(groups) for name in group}
    return [
        Pair(
            case="four_word",
            stage=stage,
            precision=Precision.FLOAT64,
            left=left,
            right=right,
            agree=True,
            stats=ErrorStats(count=4, max_abs=0.0 if group_of[left] == group_of[right] else 1e-16, **other),  # type: ignore[arg-type]
        )
        for left, right in combinations(group_of, 2)
    ]


def test_groups_of_the_same_bits_are_counted_by_output(cell: MakeCell, record: MakeRecord) -> None:
    names = ("numpy", "r", "c", "julia")
    run = record(
        *(cell("Q", "PASS", name) for name in names),
        pairs=(
            *pairs("Q", [["numpy"], ["r", "c"], ["julia"]]),
            *pairs("K", [["numpy"], ["r", "c"], ["julia"]]),
            *pairs("V", [["numpy", "julia"], ["r"], ["c"]]),
            # All alike say nothing, and so do two.
            *pairs("scores", [["numpy", "r", "c", "julia"]]),
            *pairs("maxs", [["numpy"], ["r"]]),
        ),
    )
    runtimes = {
        "r": RuntimeInfo(runtime="r", language="R", version="4", blas="openblas 0.3"),
        "c": RuntimeInfo(
            runtime="c", language="C", version="gcc", blas="none", libraries={"libm": "glibc 2.36"}
        ),
    }
    run = msgspec.structs.replace(run, header=msgspec.structs.replace(run.header, runtimes=runtimes))
    first, second = same_bits(run)
    assert (set(first.implementations), first.outputs, first.of) == ({"r", "c"}, 2, 3)
    assert first.example == "Q of four_word float64"
    assert set(first.libraries) == {"openblas 0.3", "libm glibc 2.36"}
    assert (set(second.implementations), second.outputs, second.libraries) == ({"numpy", "julia"}, 1, ())
    printed = io.StringIO()
    terminal.render(run, Console(file=printed, width=110))
    assert "The same bits" in printed.getvalue()
    assert "2 of 3" in printed.getvalue()
    assert "2 of 3" in render(run)


def test_a_zero_of_another_sign_and_a_nan_are_other_bits(record: MakeRecord) -> None:
    for other in ("zero_sign_mismatch", "nan_mismatch", "inf_mismatch"):
        assert same_bits(record(pairs=tuple(pairs("Q", [["a", "b", "c"]], **{other: 1})))) == ()


def test_matrices_of_many_implementations_are_several_tables(cell: MakeCell, record: MakeRecord) -> None:
    names = [f"r.v{place}" for place in range(9)]
    rows = [cell("Q", "PASS", name) for name in names]
    rows.append(msgspec.structs.replace(cell("Q", "PASS", names[0]), case="other"))
    run = record(*rows, pairs=tuple(pairs("Q", [[name] for name in names])))
    printed = io.StringIO()
    terminal.render(run, Console(file=printed, width=110))
    text = printed.getvalue()
    assert text.count("Cases x implementations") == 2
    first, _, second = text.partition("Cases x implementations, continued")
    matrix = second.partition("Implementations x implementations")[0]
    assert "other" in first
    # No implementation of the second table is in that case.
    assert "other" not in matrix
    for place, name in enumerate(names):
        assert (name in first) == (place < 5)
        assert (name in matrix) == (place >= 5)
    assert text.count("Implementations x implementations, continued") == 1
