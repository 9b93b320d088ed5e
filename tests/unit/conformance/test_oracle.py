"""Derived tolerances in a whole run, with NumPy alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance import answers as answers_module
from harness.conformance import observers
from harness.conformance.evaluator import Progress
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Absent, Basis, Check, Consensus, Mode, Verdict
from harness.oracle.sampling import sample
from harness.store.fixture_writer import write_fixture
from harness.store.record import read_record
from tests.unit.conformance.attention_suite import CASE, SOUND, verdicts, write

# The truth of `weights` does not move; what NumPy makes of it in floating point does.
SLOPPY = """

sound = weights


def weights(scores, K):
    good = sound(scores, K)
    return good * (1 + 1e-5) if type(good) is np.ndarray else good
"""


def test_everybody_is_held_against_the_truth(suite: Path) -> None:
    pytest.importorskip("flint")
    record = run(make_plan(suite), out=None)
    both = {(stage, mode): Verdict.PASS for stage in ("scores", "weights") for mode in Mode}
    for implementation in ("numpy", "numpy.second", "numpy.third"):
        assert verdicts(record, Check.ORACLE, implementation) == both
    assert verdicts(record, Check.REFERENCE, "numpy.second") == {
        ("mask", mode): Verdict.PASS for mode in Mode
    }
    assert set(verdicts(record, Check.REPEAT).values()) == {Verdict.PASS}
    assert record.consensus == ()
    for cell in record.cells:
        if cell.check is Check.ORACLE:
            assert cell.against == "truth"
            assert cell.limit is not None
            assert cell.worst is not None
            assert 0 < cell.limit <= 1.01 * cell.worst
            assert cell.ulp_error is not None
            assert 0 < cell.ulp_error < 20
            assert cell.ulp_of_stage is not None
            assert cell.ulp_of_stage <= cell.ulp_error
    assert record.header.runtimes["oracle"].libraries["python-flint"]
    assert record.footer is not None
    assert 0 < record.footer.busy["judging"] < record.footer.seconds


def test_the_reference_itself_can_be_found_wrong(suite: Path, tmp_path: Path) -> None:
    pytest.importorskip("flint")
    write(suite, SOUND + SLOPPY)
    record = run(make_plan(suite), out=tmp_path / "out")
    assert verdicts(record, Check.ORACLE) == {
        ("scores", Mode.CHAINED): Verdict.PASS,
        ("scores", Mode.ISOLATED): Verdict.PASS,
        ("weights", Mode.CHAINED): Verdict.FAIL,
        ("weights", Mode.ISOLATED): Verdict.FAIL,
    }
    assert set(verdicts(record, Check.ORACLE, "numpy.second").values()) == {Verdict.PASS}
    assert record.consensus == tuple(
        Consensus(
            case="attention",
            stage="weights",
            precision=consensus.precision,
            clusters=(("numpy.second", "numpy.third"), ("numpy",)),
            by_majority=("numpy",),
            by_oracle=("numpy",),
            reference_is_outlier=True,
        )
        for consensus in record.consensus
    )
    assert {consensus.precision for consensus in record.consensus} == {"float64", "float32"}
    assert read_record(tmp_path / "out" / "results.jsonl").consensus == record.consensus


def test_without_flint_everything_is_compared_coarsely_and_the_reason_is_told(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Absent(runtime="oracle", language="Python", reason="python-flint is not installed")
    monkeypatch.setattr(observers, "find_oracle", lambda: absent)
    record = run(make_plan(suite), out=None, require=("oracle",))
    cells = [cell for cell in record.cells if cell.check is Check.ORACLE]
    assert {cell.implementation for cell in cells} == {"numpy"}
    assert len(cells) == 2 * 2 * 2
    coarse = [cell for cell in record.cells if cell.basis is Basis.COARSE]
    assert len(coarse) == 2 * 2 * 2 * 2
    for cell in coarse:
        assert (cell.verdict, cell.weaker_because) == (Verdict.PASS, "python-flint is not installed")
    for cell in cells:
        assert cell.verdict is Verdict.NOT_RUN
        assert cell.reason == "nothing to compare with: python-flint is not installed"
    assert not any(pair.stage in ("scores", "weights") for pair in record.pairs)
    assert absent in record.header.absent
    assert record.footer is not None
    assert record.footer.complaints == ("required runtime missing: oracle: python-flint is not installed",)


def test_what_the_oracle_cannot_evaluate_is_not_judged(suite: Path) -> None:
    pytest.importorskip("flint")
    write(suite, SOUND.replace("Q @ K.T", "np.spacing(Q @ K.T)"))
    record = run(make_plan(suite), out=None)
    reasons = {(cell.stage, cell.mode): cell.reason for cell in record.cells if cell.check is Check.ORACLE}
    expected = "no limit can be derived for `numpy.spacing` (line 6 of attention.py)"
    assert expected in reasons["scores", Mode.ISOLATED]
    assert "there is no true value of scores" in reasons["weights", Mode.CHAINED]
    assert verdicts(record, Check.ORACLE)["weights", Mode.ISOLATED] is Verdict.PASS
    assert verdicts(record, Check.ORACLE)["scores", Mode.ISOLATED] is Verdict.NOT_RUN


def three_samples(suite: Path) -> None:
    """Three samples in place of the fixture's; in b, the first number of Q is large."""
    draw = np.random.default_rng(4)
    shared = {f"{sample}/{name}": draw.normal(size=(5, 3)) for sample in ("a", "b", "c") for name in "QK"}
    shared["b/Q"][0, 0] = 100.0
    write_fixture(
        suite / "fixtures" / "attention",
        version=1,
        title="three samples",
        origin="draws",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays=shared,
        origins=dict.fromkeys(shared, "draws"),
        samples=["a", "b", "c"],
    )


def test_the_oracle_is_not_asked_where_the_reference_did_not_end(suite: Path) -> None:
    pytest.importorskip("flint")
    three_samples(suite)
    case = suite / "attention" / "case.toml"
    case.write_text(CASE.replace("[inputs]", "timeout = 1\n\n[inputs]"), encoding="utf-8")
    loops = "while Q[0, 0] > 50: time.sleep(0.01)"
    write(suite, "import time\n" + SOUND.replace("return Q @ K.T", f"{loops}\n    return Q @ K.T"))
    record = run(make_plan(suite, precisions=("float64",)), out=None)
    cells = [
        cell for cell in record.cells if cell.stage == "scores" and cell.implementation == "numpy.second"
    ]
    reason = "the reference's scores did not end in time, in sample b"
    assert {cell.weaker_because for cell in cells if cell.check is Check.REFERENCE} == {reason}
    assert {cell.verdict for cell in cells if cell.check is Check.ORACLE} == {Verdict.PASS}
    weights = verdicts(record, Check.ORACLE, "numpy.second")["weights", Mode.CHAINED]
    assert weights is Verdict.PASS


def test_a_sample_on_which_the_oracle_ends_takes_no_other_with_it(suite: Path) -> None:
    pytest.importorskip("flint")
    three_samples(suite)
    ends = "if type(Q) is not np.ndarray and Q[0, 0] > 50: os._exit(1)"
    write(suite, "import os\n" + SOUND.replace("return Q @ K.T", f"{ends}\n    return Q @ K.T"))
    record = run(make_plan(suite, precisions=("float64",)), out=None)
    cells = [
        cell for cell in record.cells if cell.stage == "scores" and cell.implementation == "numpy.second"
    ]
    samples = {
        check: {
            sample_verdict.sample
            for cell in cells
            if cell.check is check
            for sample_verdict in cell.by_sample
        }
        for check in Check
    }
    assert samples[Check.ORACLE] == {"a", "c"}
    assert samples[Check.REFERENCE] == {"b"}
    assert {cell.verdict for cell in cells} == {Verdict.PASS}


def test_a_reference_that_is_no_numpy_has_no_oracle(suite: Path) -> None:
    text = CASE.replace('fixture = "attention"', 'fixture = "attention"\nreference = "other"')
    (suite / "attention" / "case.toml").write_text(text, encoding="utf-8")
    (suite / "suite.toml").write_text(
        '[[runtime]]\nid = "other"\nlanguage = "Other"\nsuffix = "_other.py"\n'
        'command = ["{python}", "-P", "{workers}/__main__.py", "numpy"]\n',
        encoding="utf-8",
    )
    (suite / "attention" / "attention_other.py").write_text(SOUND, encoding="utf-8")
    record = run(make_plan(suite), out=None)
    reasons = {cell.reason for cell in record.cells if cell.check is Check.ORACLE}
    assert len(reasons) == 1
    assert "the reference is no NumPy source" in reasons.pop()


# One element is off, in floating point alone.
LATE = """

sound = weights


def weights(scores, K):
    good = sound(scores, K)
    if type(good) is np.ndarray and good.dtype != object:
        good[PLACE] *= 1.001
    return good
"""


@pytest.fixture
def large(suite: Path) -> Path:
    draw = np.random.default_rng(4)
    write_fixture(
        suite / "fixtures" / "attention",
        version=1,
        title="two larger matrices",
        origin="draws",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={"Q": draw.normal(size=(300, 3)), "K": draw.normal(size=(300, 3))},
        origins={"Q": "draws", "K": "draws"},
    )
    return suite


def test_of_large_values_a_sample_is_held_against_the_truth_and_the_rest_against_the_reference(
    large: Path,
) -> None:
    pytest.importorskip("flint")
    rows, _ = sample((300, 300))
    assert rows is not None
    outside = sorted(set(range(300)) - set(rows.tolist()))
    places = {"second": (rows[5], rows[9]), "third": (outside[5], outside[9])}
    for label, (row, column) in places.items():
        write(large, SOUND + LATE.replace("PLACE", f"{row}, {column}"), f".{label}")
    record = run(make_plan(large, precisions=("float64",)), out=None)
    assert set(verdicts(record, Check.ORACLE).values()) == {Verdict.PASS}
    for label, place in places.items():
        cells = {
            (cell.stage, cell.mode): cell
            for cell in record.cells
            if cell.check is Check.ORACLE and cell.implementation == f"numpy.{label}"
        }
        assert {key for key, cell in cells.items() if cell.verdict is Verdict.FAIL} == {
            ("weights", Mode.CHAINED),
            ("weights", Mode.ISOLATED),
        }
        for cell in cells.values():
            assert "true values of 64 of 300 rows and 64 of 300 columns; elsewhere the ref" in cell.reason
        stats = cells["weights", Mode.ISOLATED].stats
        assert stats is not None
        assert (stats.beyond, stats.first_beyond) == (1, place)
        # How far from the truth it is, is told of the sample alone.
        error = cells["weights", Mode.ISOLATED].ulp_error
        assert error is not None
        assert (error > 1e6) == (label == "second")


def test_a_fault_of_the_reference_shows_where_the_truth_is_known(large: Path) -> None:
    pytest.importorskip("flint")
    rows, _ = sample((300, 300))
    assert rows is not None
    write(large, SOUND + LATE.replace("PLACE", f"{rows[0]}, {rows[1]}"))
    record = run(make_plan(large, precisions=("float64",)), out=None)
    assert verdicts(record, Check.ORACLE)["weights", Mode.ISOLATED] is Verdict.FAIL
    assert verdicts(record, Check.ORACLE, "numpy.second")["weights", Mode.ISOLATED] is Verdict.PASS


def test_a_run_says_that_it_waits_for_true_values(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SOUND.replace(
        "    return Q", "    if type(Q) is not np.ndarray:\n        time.sleep(0.2)\n    return Q"
    )
    (suite / "attention" / "attention.py").write_text("import time\n" + slow, encoding="utf-8")
    monkeypatch.setattr(answers_module, "SILENCE", 0.05)
    seen: list[Progress] = []
    run(make_plan(suite, precisions=("float64",)), out=None, on_progress=seen.append)
    waits = [progress.waiting for progress in seen if progress.waiting]
    assert set(waits) == {"waiting for the true values of attention in float64"}
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
