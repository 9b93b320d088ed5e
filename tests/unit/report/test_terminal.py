"""What a person sees, without colours."""

import io
import math
import re
from collections.abc import Callable

import msgspec
import pytest
from rich.console import Console

from harness.model import (
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Footer,
    Mode,
    Pair,
    Precision,
    Record,
    Source,
)
from harness.report import terminal
from harness.report.terminal_accuracy import accuracy
from harness.report.terminal_stats import stats_table

MakeCell = Callable[..., Cell]
MakePair = Callable[..., Pair]
MakeRecord = Callable[..., Record]
FAR = ErrorStats(
    count=16,
    max_abs=1.25,
    max_abs_index=(0, 2),
    max_rel=0.5,
    max_ulp=4e15,
    beyond=12,
    first_beyond=(0, 1),
    used=9e14,
)


def shown(record: Record, width: int = 160) -> str:
    stream = io.StringIO()
    terminal.render(record, Console(file=stream, width=width, no_color=True, highlight=False))
    return stream.getvalue()


@pytest.mark.parametrize(
    "verdict", ["PASS", "FAIL", "XFAIL", "XPASS", "ERROR", "TIMEOUT", "UNSUPPORTED", "NOT_RUN"]
)
def test_every_verdict_is_a_word(cell: MakeCell, record: MakeRecord, verdict: str) -> None:
    text = shown(record(cell("Q", verdict)))
    matrix, closing = text.split("Runtimes")[0], text.splitlines()[-1]
    assert re.search(rf"\b{verdict}\b", matrix)
    assert re.search(rf"\b1 {verdict}\b", closing)


def test_matrix_shows_counts_and_the_largest_share_of_a_limit(cell: MakeCell, record: MakeRecord) -> None:
    text = shown(
        record(cell("Q", "PASS", stats=ErrorStats(count=1, max_abs=3.5e-16)), cell("K", "FAIL", stats=FAR))
    )
    matrix = text.split("Runtimes")[0]
    assert "│ 1 FAIL" in matrix
    assert "│ 1 PASS" in matrix
    assert "9e+14 of limit" in text.split("Runtimes")[0]
    exact = shown(record(cell("Q", "FAIL", stats=ErrorStats(count=1, max_abs=1.0, used=math.inf))))
    assert "beyond the limit" in exact.split("Runtimes")[0]
    assert "inf of limit" not in exact


def test_replayed_is_never_taken_for_live(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS", source=Source.REPLAYED), cell("K", "NOT_RUN", "julia"), cell("Q", "PASS", "torch")
    )
    text = shown(run)
    rows = [[part.strip() for part in line.split("│")] for line in text.splitlines() if line[:1] == "│"]
    assert [row[2:-1] for row in rows[:2]] == [["1 PASS", "1 PASS", "NOT_RUN"], ["", "replayed", ""]]
    assert "(live 1, replayed 1, not run 1)" in text


def test_what_is_missing_is_told_with_advice(cell: MakeCell, record: MakeRecord) -> None:
    text = shown(record(cell("Q", "PASS")))
    assert "julia is missing: no julia here\n  -> get it\n" in text
    assert "by torch" in text


def test_first_divergence_names_the_place(cell: MakeCell, record: MakeRecord) -> None:
    failed = cell("scores", "FAIL", stats=FAR, worst_sample="s7", limit=3e-16, reason="12 of 16 elements")
    text = shown(record(failed, cell("scores", "FAIL", mode=Mode.ISOLATED, stats=FAR)))
    panel = text[text.index("First divergence") :]
    assert "case four_word, stage scores, implementation r (chained, float64)" in panel
    assert "12 of 16 elements" in panel
    assert "max abs 1.25 at [0, 2], max rel 0.5, 4e+15 ULP; limit 3e-16; sample s7" in panel
    assert "the error is made in this stage" in panel
    assert "harness show four_word scores" in panel


def test_a_known_divergence_that_no_longer_shows_is_no_divergence(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("K", "XPASS", divergence="quirk"), cell("K", "XPASS", mode=Mode.ISOLATED))
    text = shown(run)
    assert "First divergence" not in text
    assert "on the reference's inputs" not in text
    assert "differs" not in text
    assert "No longer shows" in text


def test_first_divergence_tells_an_error_that_grew(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", stats=FAR, inherited=True), cell("Q", "PASS", mode=Mode.ISOLATED))
    said = "on the reference's inputs it is PASS: it is off only with its own implementation's inputs"
    assert said in shown(run)


def test_inherited_failures_are_counted_not_listed(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL"), cell("zzz", "FAIL", inherited=True))
    text = shown(run)
    assert "zzz" not in text[text.index("Failing cells") :]
    assert "1 more only inherited" in text


def test_a_stage_that_fails_in_both_modes_is_one_row(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("zzz", "FAIL"), cell("zzz", "FAIL", mode=Mode.ISOLATED), cell("zzz", "FAIL", "torch"))
    text = shown(run)
    table = text[text.index("Failing cells") : text.index("First divergence")]
    assert table.count("zzz") == 2
    assert "chained + isolated, float64" in table


def test_a_long_list_of_failures_is_cut_and_says_so(cell: MakeCell, record: MakeRecord) -> None:
    text = shown(record(*(cell(f"stage{n:02}", "FAIL") for n in range(25))))
    table = text[text.index("Failing cells") : text.index("First divergence")]
    assert table.count("stage") == 20 + 1
    assert "and 5 more" in table


def test_pairs_that_differ_say_so(cell: MakeCell, pair: MakePair, record: MakeRecord) -> None:
    cells = [cell("Q", "PASS", name) for name in ("numpy", "r", "torch")]
    text = shown(record(*cells, pairs=(pair("numpy", "r", False, 2.5), pair("numpy", "torch", True))))
    assert text.count("DIFFER 0/1") == 2
    assert text.count("agree 1/1") == 2
    assert text.count("2.5") == 2


def test_known_divergences_show_their_size(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=4, max_abs=0.125, max_rel=0.75)
    text = shown(record(cell("dL_dQ", "XFAIL", divergence="softmax-index", stats=stats), cell("Q", "PASS")))
    known = text[text.index("Known divergences") :]
    assert all(part in known for part in ("softmax-index", "XFAIL 1", "four_word dL_dQ (r)", "0.125", "0.75"))


def test_a_partial_record_says_so(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), footer=Footer(partial=True, reason="interrupted from the keyboard"))
    assert "PARTIAL: this run did not end: interrupted from the keyboard" in shown(run)
    assert "PARTIAL" in shown(msgspec.structs.replace(run, footer=None))
    assert "PARTIAL" not in shown(record(cell("Q", "PASS")))


def test_complaints_are_printed(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), footer=Footer(partial=False, complaints=("required runtime missing: r",)))
    assert "INCOMPLETE: What was compared agrees" in shown(run)
    assert "\n  required runtime missing: r\n" in shown(run)


def test_a_run_that_compared_nothing_says_so(cell: MakeCell, record: MakeRecord) -> None:
    text = shown(record(cell("Q", "NOT_RUN", reason="why")))
    assert "INCOMPLETE: Nothing was compared: this run says nothing. 1 cell not judged: why." in text
    assert "\n1 cell not judged: why\n  four_word: Q (r)\n" in text
    assert "no cells" in shown(record())


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_figures_that_are_not_finite(cell: MakeCell, record: MakeRecord, value: float) -> None:
    stats = ErrorStats(count=1, max_abs=value, max_rel=value, max_ulp=value, used=value)
    assert f"max abs {value}" in shown(record(cell("Q", "FAIL", stats=stats)))


def test_text_of_others_is_not_markup(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "ERROR", reason="object of type [bold]'closure'[/bold] [/nothing]"))
    assert "[bold]'closure'[/bold] [/nothing]" in shown(run)


@pytest.mark.parametrize("width", [40, 80])
def test_nothing_is_cut_on_a_narrow_terminal(cell: MakeCell, record: MakeRecord, width: int) -> None:
    run = record(cell("Q", "FAIL", reason="abcdefghijklmnopqrstuvwxyz" * 3), cell("K", "PASS", "torch"))
    text = shown(run, width)
    assert "…" not in text
    assert all(len(line) <= width for line in text.splitlines())


def test_float32_rows_are_named(cell: MakeCell, record: MakeRecord) -> None:
    text = shown(record(cell("Q", "PASS"), cell("Q", "PASS", precision=Precision.FLOAT32)))
    rows = [line.split("│")[1].strip() for line in text.splitlines() if line[:1] == "│"]
    assert rows[:3] == ["four_word", "four_word", "float32"]


def test_a_full_matrix_of_five_columns_is_not_folded_in_a_log(
    cell: MakeCell, published: MakeCell, record: MakeRecord
) -> None:
    used = ErrorStats(count=1, used=0.12345)
    names = ("numpy", "torch", "r", "julia")
    where = {"case": "sentiment_backward", "precision": Precision.FLOAT32, "stats": used}
    cells = [cell(f"{n}", "PASS", name, **where) for name in names for n in range(10)]
    cells += [published(f"{n}", "PASS", "Python", **where) for n in range(10)]
    lines = [line.split("│")[1:-1] for line in shown(record(*cells), 110).splitlines() if line[:1] == "│"]
    rows = [[part.strip() for part in line] for line in lines[:2]]
    assert rows[0] == ["sentiment_backward", *["10 PASS"] * 4, "Python 10 PASS"]
    assert rows[1] == ["float32", *["0.123 of limit"] * 5]


def test_stats_table_names_histogram_bins() -> None:
    stats = ErrorStats(
        count=10, max_abs=1.0, max_abs_index=(1,), ulp_histogram=(4, 3, 0, 2, 1), first_beyond=(0,), beyond=6
    )
    stream = io.StringIO()
    Console(file=stream, width=100, no_color=True).print(stats_table(stats, "x"))
    rows = [[part.strip() for part in line.split("│")[1:-1]] for line in stream.getvalue().splitlines()]
    assert ["max abs", "1", "[1]"] in rows
    assert ["beyond the limit", "6", "[0]"] in rows
    bins = [["0 ULP", "4", ""], ["1 ULP", "3", ""], ["3-4 ULP", "2", ""], ["5 or more ULP", "1", ""]]
    assert rows[-5:-1] == bins


def test_consensus_names_the_outlier_and_says_if_it_is_the_reference(
    cell: MakeCell, record: MakeRecord
) -> None:
    split = Consensus(
        case="four_word",
        stage="weights",
        precision=Precision.FLOAT32,
        clusters=(("r", "julia", "torch"), ("numpy",)),
        by_majority=("numpy",),
        reference_is_outlier=True,
    )
    text = shown(msgspec.structs.replace(record(cell("Q", "PASS")), consensus=(split,)))
    assert "r, julia, torch | numpy" in text
    assert "four_word float32" in text
    assert "the reference is off" in text
    assert "nobody" in text
    assert "Consensus" not in shown(record(cell("Q", "PASS")))


def test_loose_and_tight_limits_are_listed(cell: MakeCell, record: MakeRecord) -> None:
    def used(stage: str, share: float) -> Cell:
        return cell(
            stage,
            "PASS",
            stats=ErrorStats(count=1, used=share),
            limit=1.0,
            check=Check.ORACLE,
            against="truth",
        )

    text = shown(record(used("Q", 0.01), used("K", 0.5), used("V", 0.95)))
    assert "tight limits (more than 9/10 used): four_word V float64 0.95" in text
    assert "loose limits (at most 1/20 used by anybody): four_word Q float64 0.01" in text
    text = shown(record(*(used(f"s{n}", 0.95) for n in range(8))), 300)
    assert "four_word s5 float64 0.95 and 2 more\n" in text
    assert "s6" not in text[text.index("tight limits") :]
    assert " more\n" not in shown(record(*(used(f"s{n}", 0.95) for n in range(6))), 300)
    text = shown(record(used("K", 0.5)))
    assert "tight limits" not in text
    assert "loose limits" not in text


def test_accuracy_marks_the_least_error(cell: MakeCell, record: MakeRecord) -> None:
    cells = [
        cell("Q", "PASS", name, check=Check.ORACLE, mode=mode, ulp_of_stage=error)
        for name, isolated, whole in (("numpy", 0.75, 1.5), ("r", 0.25, 2.0))
        for mode, error in ((Mode.ISOLATED, isolated), (Mode.CHAINED, whole))
    ]
    stream = io.StringIO()
    Console(file=stream, width=120, no_color=True).print(accuracy(record(*cells)))
    assert "0.75 / 1.5" in stream.getvalue()
    assert "0.25* / 2" in stream.getvalue()


def test_a_dash_stands_where_true_values_cancel(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Kb", "PASS", check=Check.ORACLE, ulp_of_stage=1.33e16))
    stream = io.StringIO()
    Console(file=stream, width=120, no_color=True).print(accuracy(run))
    (row,) = [line for line in stream.getvalue().splitlines() if "four_word" in line and "│" in line]
    assert [entry.strip() for entry in row.split("│")[1:-1]] == ["four_word", "Kb", "—"]
    assert "1.33e+16" not in shown(run) + stream.getvalue()
    assert "rounding alone makes over 65,536 of them: four_word Kb" in " ".join(shown(run).split())


def test_what_judging_cost_is_told(cell: MakeCell, record: MakeRecord) -> None:
    footer = Footer(partial=False, seconds=200.0, busy={"r": 100.0, "judging": 5.0})
    assert shown(record(cell("Q", "PASS"), footer=footer)).splitlines()[-1].endswith("2.5% of it judging")
