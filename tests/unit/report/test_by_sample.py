"""Verdicts by sample, for the page and the terminal."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.model import Basis, Cell, Mode, Record, SampleVerdict, Verdict
from harness.report import as_json, by_sample, html, table, terminal_samples

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]
INF = float("inf")
SAMPLES = (
    SampleVerdict(sample="n5", verdict=Verdict.PASS, used=0.1234, max_abs=1e-16),
    SampleVerdict(sample="n9", verdict=Verdict.FAIL, used=INF, max_abs=0.5, beyond=3, reason="3 of 9 beyond"),
    SampleVerdict(sample="tie", verdict=Verdict.PASS, used=0.0, undecided=2, reason="a tie in line 12"),
)


def test_lines_stand_side_by_side(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "FAIL", by_sample=SAMPLES),
        cell("Q", "PASS", "torch", by_sample=SAMPLES[:1]),
        cell("K", "PASS"),
    )
    lines = by_sample.lines(run)
    assert [(line.stage, line.sample, sorted(line.entries), line.differs) for line in lines] == [
        ("Q", "n5", ["r", "torch"], False),
        ("Q", "n9", ["r"], True),
        ("Q", "tie", ["r"], False),
    ]


def test_samples_of_a_check_stand_together_whoever_had_them_first(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS", "torch", by_sample=SAMPLES[:1]),
        cell("Q", "PASS", "torch", by_sample=SAMPLES[:1], mode=Mode.ISOLATED),
        cell("Q", "PASS", "torch", by_sample=SAMPLES[:1], check="oracle"),
        cell("Q", "FAIL", by_sample=SAMPLES[1:]),
        cell("Q", "FAIL", by_sample=SAMPLES[1:], mode=Mode.ISOLATED),
    )
    assert [(line.mode, line.check, line.sample) for line in by_sample.lines(run)] == [
        ("chained", "reference", "n5"),
        ("chained", "reference", "n9"),
        ("chained", "reference", "tie"),
        ("isolated", "reference", "n5"),
        ("isolated", "reference", "n9"),
        ("isolated", "reference", "tie"),
        ("chained", "oracle", "n5"),
    ]


def test_the_terminal_has_a_line_for_each_sample(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "FAIL", by_sample=SAMPLES),
        cell("Q", "PASS", "torch", by_sample=SAMPLES[:1]),
        cell("Q", "PASS", by_sample=SAMPLES[:1], mode=Mode.ISOLATED),
    )
    assert list(terminal_samples.samples(run)) == [
        "four_word Q (chained, reference)",
        "  n5: torch PASS 0.123, r PASS 0.123",
        "  n9: r FAIL ∞",
        "    r: 3 of 9 beyond",
        "  tie: r PASS 0",
        "    r: a tie in line 12; 2 undecidable",
        "four_word Q (isolated, reference)",
        "  n5: r PASS 0.123",
    ]


def test_the_page_holds_every_sample(parse: Callable[[str], Any], cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("K", "PASS", by_sample=SAMPLES[:1]), cell("Q", "FAIL", by_sample=SAMPLES))
    data = parse(html.render(run)).data()
    samples, texts = data["samples"], data["texts"]
    assert list(samples["rows"]) == ["1"]
    names, codes, used, more, left = samples["rows"]["1"]
    assert [texts[place] for place in samples["sets"][names]] == ["n5", "n9", "tie"]
    assert [samples["codes"][code] for code in codes] == ["PASS", "FAIL", "PASS"]
    assert used == [0.12, "inf", 0.0]
    assert [(place, *entry[:3], texts[entry[3]]) for place, entry in more.items()] == [
        ("1", "0.5", 3, 0, "3 of 9 beyond"),
        ("2", None, 0, 2, "a tie in line 12"),
    ]
    assert left == 0


def test_a_page_of_very_many_samples_keeps_those_that_are_no_pass(
    cell: MakeCell, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [cell("Q", "FAIL", by_sample=SAMPLES), cell("K", "PASS", by_sample=SAMPLES[:1] * 2)]
    monkeypatch.setattr(by_sample, "PACKED", 4)
    texts = {"": 0}
    packed = by_sample.packed(cells, texts)
    assert {row: (entry[1], entry[4]) for row, entry in packed["rows"].items()} == {"0": ("F", 2)}
    assert list(texts) == ["", "3 of 9 beyond", "n9"]
    monkeypatch.setattr(by_sample, "PACKED", 5)
    packed = by_sample.packed(cells, texts)
    assert {row: entry[1] for row, entry in packed["rows"].items()} == {"0": "PFP", "1": "PP"}


def test_json_has_every_sample_and_what_a_cell_was_compared_with(cell: MakeCell, record: MakeRecord) -> None:
    known = cell(
        "Q", "XFAIL", by_sample=SAMPLES[1:2], divergence="quirk", worst_sample="n9", basis=Basis.DERIVED
    )
    (entry,) = as_json.record_object(record(known))["cells"]
    assert (entry["sample"], entry["against"], entry["divergence"]) == ("n9", "numpy", "quirk")
    assert (entry["basis"], entry["weaker_because"], entry["undecided"]) == ("derived", "", 0)
    assert entry["by_sample"] == [
        {
            "sample": "n9",
            "verdict": "FAIL",
            "reason": "3 of 9 beyond",
            "used": INF,
            "max_abs": 0.5,
            "beyond": 3,
            "undecided": 0,
        }
    ]


def test_the_table_of_cells_has_the_basis(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS", basis=Basis.COARSE, weaker_because="why", undecided=4))
    (row,) = table.rows(run)
    entry = dict(zip(table.COLUMNS, row, strict=True))
    assert (entry["basis"], entry["weaker_because"], entry["undecided"]) == ("coarse", "why", 4)


def test_a_page_holds_four_hundred_thousand_verdicts_and_no_share_that_is_not_known(cell: MakeCell) -> None:
    sample = SampleVerdict(sample="s", verdict=Verdict.PASS)
    assert by_sample.packed([cell("Q", "PASS", by_sample=(sample,) * 400_001)], {})["rows"] == {}
    packed = by_sample.packed([cell("Q", "PASS", by_sample=(sample,) * 400_000)], {})
    assert packed["rows"]["0"] == [0, "P" * 400_000, [None] * 400_000, {}, 0]
