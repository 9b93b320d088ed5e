"""The page, as a parser sees it."""

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model import (
    Basis,
    Case,
    Cell,
    ErrorStats,
    Exhibit,
    Footer,
    KnownDivergence,
    Lines,
    OffMap,
    Pair,
    Precision,
    Record,
    Stage,
    Value,
)
from harness.report import charts, heatmaps, html

MakeCell = Callable[..., Cell]
MakePair = Callable[..., Pair]
MakeRecord = Callable[..., Record]
Parse = Callable[[str], Any]

EVIL = "</script><script>alert(1)</script><!-- \u202e\x00\x1b[31m\"'&<b>"


def toy() -> Case:
    known = KnownDivergence(
        id="quirk", cause="the cause", evidence="measured: 1e-3", ends_when="it is mended", stage="K"
    )
    stages = tuple(
        Stage(name=name, inputs=inputs, outputs=(Value(name=name, shape=("n",), symbol=f"sym {name}"),))
        for name, inputs in (("Q", ("x",)), ("K", ("Q",)))
    )
    return Case(
        name="four_word",
        title="Four words",
        origin="a book",
        fixture="four_word",
        inputs=(),
        stages=stages,
        known_divergences=(known,),
    )


def exhibit(who: str, values: tuple[float, ...], **more: Any) -> Exhibit:
    base: dict[str, Any] = {
        "case": "four_word",
        "stage": "weights",
        "sample": "default",
        "precision": Precision.FLOAT64,
        "show": "heatmap",
        "shape": (2, 2),
    }
    return Exhibit(implementation=who, values=values, **base | more)


def test_a_page_needs_nothing_else(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    page = parse(html.render(record(cell("Q", "PASS"))))
    loaded = [attributes for _, attributes in page.elements if {"src", "srcset", "action"} & set(attributes)]
    assert loaded == []
    assert [tag for tag, _ in page.elements if tag in {"link", "img", "iframe", "object"}] == []
    assert all(link.startswith("#") for link in page.links())
    assert any("default-src 'none'" in attributes.get("content", "") for _, attributes in page.elements)


def test_ids_are_unique_and_links_lead_somewhere(
    parse: Parse, cell: MakeCell, record: MakeRecord, pair: MakePair
) -> None:
    stats = ErrorStats(count=4, max_abs=2.0, used=3.0)
    run = record(
        cell("Q", "PASS", stats=stats, limit=4.0),
        cell("K", "FAIL", stats=stats, limit=1.0),
        cell("K", "ERROR", "torch"),
        pairs=(pair("r", "torch", agree=False),),
        cases=(toy(),),
    )
    page = parse(html.render(run, [run]))
    ids = page.ids()
    assert len(ids) == len(set(ids))
    places = {link[1:] for link in page.links() if "=" not in link}
    assert places <= set(ids)
    assert {"failing", "case-0", "known", "history", "cells", "accuracy"} & places >= {
        "failing",
        "case-0",
        "known",
    }


def test_every_cell_is_in_the_data(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=4, max_abs=math.inf, max_ulp=math.nan, used=0.123456, first_beyond=(0, 3))
    run = record(cell("Q", "FAIL", stats=stats, reason="off"), cell("K", "NOT_RUN", "julia"))
    data = parse(html.render(run)).data()
    assert data["rows"] == 2
    columns, texts = data["columns"], data["texts"]
    assert {len(column) for column in columns.values()} == {2}
    assert [texts[place] for place in columns["stage"]] == ["Q", "K"]
    assert [texts[place] for place in columns["place"]] == ["[0, 3]", ""]
    assert columns["max_abs"] == ["∞", None]
    assert columns["max_ulp"] == ["NaN", None]
    assert columns["used"] == [0.1235, None]


def test_hostile_text_stays_text(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    name = EVIL + "x" * 10_000
    run = record(
        cell(
            name,
            "FAIL",
            name,
            case=name,
            reason=name,
            against=name,
            detail=name,
            worst_sample=name,
            lines=(Lines(implementation=name, file=name, first=1, text=name),),
        ),
        suite=name,
        cpu=name,
        fixtures={name: name},
        footer=Footer(partial=False, complaints=(name,), busy={name: 1.0}),
    )
    run = msgspec.structs.replace(run, exhibits=(exhibit(name, (1.0, 2.0, 3.0, 4.0), labels=(name, name)),))
    text = html.render(run)
    page = parse(text)
    assert sum(tag == "script" for tag, _ in page.elements) == 2
    assert not any(tag == "b" for tag, _ in page.elements)
    for character in "\u202e\x00\x1b":
        assert character not in text
    assert "\\u202e" in page.text
    assert any(name.replace("\u202e", "\\u202e")[-40:] in string for string in page.data()["texts"])


@given(st.text(max_size=40))
def test_embedded_json_never_ends_its_script(text: str) -> None:
    script = str(html.embedded([text]))
    assert not set("<>&\u2028\u2029") & set(script)
    assert json.loads(script) == [text]


def test_the_sentence_leads(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    page = parse(html.render(record(cell("Q", "PASS"), cell("K", "NOT_RUN", "julia"))))
    assert "AGREEMENT" in page.text
    assert "2 comparisons: 1 live (computed in this run), 0 replayed, 1 not run." in page.text
    assert "Julia was not run live: no julia here." in page.text


def test_a_partial_run_says_so(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    whole = record(cell("Q", "PASS"))
    page = parse(html.render(msgspec.structs.replace(whole, footer=None)))
    assert "INCOMPLETE" in page.text
    assert "it has no last line" in page.text


def test_a_record_without_cells(parse: Parse, record: MakeRecord) -> None:
    page = parse(html.render(record()))
    assert "Nothing was compared" in page.text
    assert page.data()["rows"] == 0


def test_known_divergences_show_their_evidence(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("K", "XFAIL", divergence="quirk"), cases=(toy(),))
    text = parse(html.render(run)).text
    for part in ("quirk", "the cause", "measured: 1e-3", "it is mended", "1 cells show it"):
        assert part in text


def test_a_divergence_that_was_not_seen_is_shown_too(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    assert "not seen in this run" in parse(html.render(record(cell("K", "PASS"), cases=(toy(),)))).text


def test_failing_cells_say_how_to_reproduce_them(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    failing = cell("K", "FAIL", precision=Precision.FLOAT32, worst_sample="eval_1")
    command = (
        "harness reproduce four_word K r --mode chained --precision float32 --sample eval_1 --check reference"
    )
    assert command in parse(html.render(record(failing))).text


def test_stages_are_in_the_cases_order_and_show_both_errors(cell: MakeCell, record: MakeRecord) -> None:
    within = ErrorStats(count=4, max_ulp=2.0, used=0.5)
    fed = ErrorStats(count=4, max_ulp=9.0, used=40.0)
    cells = (
        cell("K", "PASS", stats=within, mode="isolated", limit=1.0),
        cell("K", "FAIL", stats=fed, limit=1.0),
        cell("Q", "PASS", stats=within, limit=1.0),
    )
    cells = tuple(msgspec.convert(msgspec.to_builtins(original), Cell) for original in cells)
    section = html.context(record(*cells, cases=(toy(),)))["sections"][0]
    assert [row.stage for row in section.rows] == ["Q", "K"]
    assert section.rows[1].parts["r"].isolated.stats.max_ulp == 2.0
    assert section.rows[1].parts["r"].worst.verdict == "FAIL"
    assert "first divergence: r" in section.strip
    assert section.rows[1].inputs == "Q"


@pytest.mark.parametrize(
    ("used", "power"),
    [(1.0, 0), (100.0, 2), (1e9, charts.HIGHEST), (1e-9, charts.LOWEST), (math.inf, charts.HIGHEST)],
)
def test_marks_stand_on_a_log_scale(cell: MakeCell, used: float, power: int) -> None:
    marked = cell("Q", "PASS", stats=ErrorStats(count=1, used=used))
    assert charts._share(marked) == pytest.approx(charts._height(power))


def test_marks_without_an_error_stand_below_the_scale(cell: MakeCell) -> None:
    none = charts._share(cell("Q", "PASS", stats=ErrorStats(count=1)))
    assert none is not None
    assert none > charts._height(charts.LOWEST)
    assert charts._share(cell("Q", "NOT_RUN")) is None
    assert charts._share(cell("Q", "ERROR")) == charts._height(charts.HIGHEST)


def test_heat_maps_share_a_scale_and_show_distances(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    next_up = float(np.nextafter(0.5, 1.0))
    shown = (
        exhibit("numpy", (0.0, 1.0, 0.5, 0.25), labels=("one", "two")),
        exhibit("r", (0.0, 1.0, next_up, math.nan), labels=("one", "two")),
    )
    run = msgspec.structs.replace(record(cell("Q", "PASS", "numpy"), cell("Q", "PASS")), exhibits=shown)
    (gallery,) = heatmaps.galleries(run)
    (panel,) = gallery.panels
    assert gallery.words == "one two"
    assert panel.scale == "0 to 1"
    assert [[square.shade for square in row] for row in panel.maps[0].rows] == [[0, 9], [5, 2]]
    assert [[square.text for square in row] for row in panel.differences[0].rows] == [
        ["0", "0"],
        ["1", "NaN"],
    ]
    assert panel.maps[1].rows[1][1].text == "NaN"
    page = parse(html.render(run))
    assert sum(tag == "th" and attributes.get("scope") == "row" for tag, attributes in page.elements) >= 4
    assert "weights of r" in page.text


def test_several_maps_of_one_stage_are_panels(cell: MakeCell, record: MakeRecord) -> None:
    shown = exhibit("numpy", tuple(map(float, range(8))), shape=(2, 2, 2))
    run = msgspec.structs.replace(record(cell("Q", "PASS", "numpy")), exhibits=(shown,))
    (gallery,) = heatmaps.galleries(run)
    assert [panel.stage for panel in gallery.panels] == ["weights[0]", "weights[1]"]


@given(st.floats(width=32), st.integers(1, 1000))
def test_ulp_distance_counts_the_numbers_between(start: float, steps: int) -> None:
    for precision, dtype in ((Precision.FLOAT64, np.float64), (Precision.FLOAT32, np.float32)):
        value = dtype(start)
        if not np.isfinite(value):
            continue
        other = value
        with np.errstate(over="ignore"):
            for _ in range(min(steps, 5)):
                other = np.nextafter(other, dtype(np.inf))
        if not np.isfinite(other):
            continue
        ours, theirs = np.array([value], np.float64), np.array([other], np.float64)
        assert heatmaps.ulp_distance(ours, theirs, precision).tolist() == [min(steps, 5)]


def test_ulp_distance_of_zeros_and_extremes() -> None:
    largest = np.finfo(np.float64).max
    left, right = np.array([0.0, -largest, np.nan]), np.array([-0.0, largest, np.nan])
    array = heatmaps.ulp_distance(left, right, Precision.FLOAT64)
    assert array[0] == array[2] == 0
    assert array[1] == pytest.approx(2 * 0x7FEFFFFFFFFFFFFF)


def test_curves_leave_out_what_is_not_finite(parse: Parse, cell: MakeCell, record: MakeRecord) -> None:
    lines = tuple(
        exhibit(who, (1.0, math.nan, 0.5, math.inf), show="curve", shape=(4,), stage="losses")
        for who in ("numpy", "r")
    )
    run = msgspec.structs.replace(record(cell("Q", "PASS", "numpy"), cell("Q", "PASS")), exhibits=lines)
    text = html.render(run)
    assert "nan" not in text.partition("<main")[2].partition('id="data"')[0].lower().replace('nan"', "")
    assert "four_word losses, sample default" in parse(text).text
    assert "1 → inf" in parse(text).text


def test_what_is_all_pass_is_folded_and_what_fails_is_open_and_first(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    stats = ErrorStats(count=4, used=0.5)
    run = record(
        cell("Q", "PASS", case="a", stats=stats),
        cell("Q", "FAIL", case="b", stats=ErrorStats(count=4, used=3.0)),
        cell("Q", "XFAIL", case="c", stats=stats, divergence="quirk"),
    )
    page = parse(html.render(run))
    folds = [
        (attributes["id"], "open" in attributes)
        for tag, attributes in page.elements
        if tag == "details" and "id" in attributes
    ]
    assert folds == [("case-1", True), ("case-0", False), ("case-2", False)]
    sections = [attributes["id"] for tag, attributes in page.elements if tag == "section"]
    assert sections.index("failing") < sections.index("matrix")
    folded = [
        attributes for tag, attributes in page.elements if tag == "details" and "open" not in attributes
    ]
    assert len(folded) >= 4


def test_of_very_many_cases_those_that_are_well_are_left_out(
    cell: MakeCell, record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "ROWS", 50)
    run = record(
        *(cell("Q", "FAIL" if place in (7, 90) else "PASS", case=f"c{place:02}") for place in range(99))
    )
    context = html.context(run)
    cases = [row.case for row in context["matrix"]]
    assert cases == [f"c{place:02}" for place in (*range(49), 90)]
    assert [section.case for section in context["sections"][:2]] == ["c07", "c90"]
    assert len(context["sections"]) == 40
    assert '49 more: see <a href="#cells">' in html.render(run)


def test_what_was_not_judged_is_told_with_its_reason(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    why = "no limit can be derived for numpy.linalg.lstsq (line 12 of lsq.py)"
    run = record(
        cell("Q", "NOT_RUN", reason=why),
        cell("K", "PASS", basis=Basis.COARSE, weaker_because=why, stats=ErrorStats(count=4), limit=1e-8),
    )
    text = parse(html.render(run)).text
    assert f"1 cell not judged: {why} four_word: Q (r)" in text
    assert f"1 stage was compared coarsely only: {why}. four_word: K (r)" in text
    assert "1 coarse" in text
    assert 'id="weaker"' not in html.render(record(cell("Q", "PASS")))


def test_where_it_parts_first_says_what_was_observed(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    run = record(cell("Q", "FAIL"), cell("Q", "NOT_RUN", mode="isolated"))
    run = msgspec.convert(msgspec.to_builtins(run), Record)
    text = " ".join(parse(html.render(run)).text.split())
    assert (
        "✗ FAIL on the reference's inputs it is NOT_RUN: whether the stage is off by itself was not observed"
        in text
    )


def test_where_it_parts_first_shows_the_lines_beside_the_reference_s_and_a_map(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    lines = (
        Lines(implementation="r", file="fit.R", first=7, text="scores <- function(q) {\n  q < 1 & q > 0\n}"),
        Lines(implementation="numpy", file="fit.py", first=12, text="def scores(q):\n    return q"),
    )
    off_map = OffMap(count=2, of=6, block=(1, 1), rows=(".#.", "..#"))
    page = parse(html.render(record(cell("Q", "FAIL", reason="off", lines=lines, off_map=off_map))))
    assert "The lines, beside the reference's" in page.text
    for text in ("r: fit.R", "   8   q < 1 & q > 0", "numpy: fit.py", "  13     return q"):
        assert text in page.text
    assert "Where it is off: 2 of 6 elements" in page.text
    assert ".#.\n..#" in page.text


def test_rendering_is_pure(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL"), cases=(toy(),))
    assert html.render(run) == html.render(run)


def test_a_known_divergence_that_no_longer_shows_has_a_heading_of_its_own(
    cell: MakeCell, record: MakeRecord
) -> None:
    page = html.render(record(cell("K", "XPASS", divergence="quirk")))
    assert "Known divergences that no longer show" in page
    assert "Where each implementation parts first" not in page
    page = html.render(record(cell("K", "FAIL")))
    assert "Known divergences that no longer show" not in page
    assert "Where each implementation parts first" in page
