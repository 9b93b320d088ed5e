"""One sample that has no true value, is NaN or depends on a comparison leaves the others their limits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Basis, Cell, Check, Mode, Outcome, Record, Verdict, outcome_of
from harness.store.fixture_writer import write_fixture

pytest.importorskip("flint")

STAGES = ("logs", "alone", "odd", "many")
CASE = """
[case]
name = "three"
title = "the second of three samples is the bad one"
origin = "here"
fixture = "three"

[inputs]
x = ["n"]
""" + "".join(
    f'\n[[stage]]\nname = "{name}"\ninputs = ["{given}"]\nshape = {shape}\nnan = true\n'
    for stage in STAGES
    for name, given, shape in (
        (stage, "x", "[]" if stage == "alone" else '["n"]'),
        (f"{stage}_after", stage, "[]" if stage == "alone" else '["n"]'),
    )
)
PY_AFTER = "".join(f"\n\ndef {stage}_after(v):\n    return v * 0.1\n" for stage in STAGES)
# Log of a negative number is NaN; scimath is not understood; 17 ways are more than are followed.
REFERENCE = (
    """
import numpy as np


def logs(x):
    return np.log(x) * 0.3


def alone(x):
    return np.log(x[0]) * 0.3


def odd(x):
    if x[0] < 0:
        return np.real(np.lib.scimath.log(x))
    return x * 0.7


def many(x):
    v = x
    for k in range(6):
        if (x[:1] * 0.1 * 3).sum() * (k + 1) > -0.3 * (k + 1):
            v = v * 0.7 + 0.01 * k
        else:
            v = v * 0.3
    return v
"""
    + PY_AFTER
)
# How far a port is off in the good samples and in the bad one, and what it has where NaN is expected.
KNOBS = "GOOD = 1.0\nBAD = 1.0\nHOLE = {}\n"
PYTHON = (
    KNOBS.format('float("nan")')
    + """

def off(v, x):
    v = v * (GOOD if x[0] > 0 else BAD)
    return np.where(np.isnan(v), HOLE, v)


def logs(x):
    return off(np.log(x) * 0.3, x)


def alone(x):
    return off(np.log(x[0]) * 0.3, x)


def odd(x):
    return off(np.log(np.abs(x)) if x[0] < 0 else x * 0.7, x)


def many(x):
    v = x
    for k in range(6):
        v = v * 0.7 + 0.01 * k if x[0] * 0.1 * 3 * (k + 1) > -0.3 * (k + 1) else v * 0.3
    return off(v, x)
"""
    + PY_AFTER
)
R = (
    KNOBS.format("NaN")
    + """
off <- function(v, x) {
    v <- v * (if (x[1] > 0) GOOD else BAD)
    v[is.nan(v)] <- HOLE
    v
}
logs <- function(x) off(suppressWarnings(log(x)) * 0.3, x)
alone <- function(x) off(suppressWarnings(log(x[1])) * 0.3, x)
odd <- function(x) off(if (x[1] < 0) log(abs(x)) else x * 0.7, x)
many <- function(x) {
    v <- x
    for (k in 0:5) {
        v <- if (x[1] * 0.1 * 3 * (k + 1) > -0.3 * (k + 1)) v * 0.7 + 0.01 * k else v * 0.3
    }
    off(v, x)
}
"""
    + "".join(f"{stage}_after <- function(v) v * 0.1\n" for stage in STAGES)
)
JULIA = (
    KNOBS.format("NaN")
    + """
off(v, x) = (w = v .* (x[1] > 0 ? GOOD : BAD); map(e -> isnan(e) ? HOLE : e, w))
logarithm(t) = t < 0 ? NaN : log(t)
logs(x) = off(logarithm.(x) .* 0.3, x)
alone(x) = off(logarithm(x[1]) * 0.3, x)
odd(x) = off(x[1] < 0 ? log.(abs.(x)) : x .* 0.7, x)
function many(x)
    v = x
    for k in 0:5
        v = x[1] * 0.1 * 3 * (k + 1) > -0.3 * (k + 1) ? v .* 0.7 .+ 0.01 * k : v .* 0.3
    end
    off(v, x)
end
"""
    + "".join(f"{stage}_after(v) = v .* 0.1\n" for stage in STAGES)
)
TORCH = "import torch\n\n" + PYTHON.replace(
    "np.where(np.isnan(v), HOLE, v)", "torch.where(torch.isnan(v), torch.full_like(v, HOLE), v)"
).replace("np.", "torch.")
SOURCES = {
    "numpy": (".py", "import numpy as np\n\n" + PYTHON),
    "torch": ("_torch.py", TORCH),
    "r": (".R", R),
    "julia": (".jl", JULIA),
}
RUNTIMES = [
    "numpy",
    *(pytest.param(runtime, marks=getattr(pytest.mark, runtime)) for runtime in ("torch", "r", "julia")),
]
VARIANTS = {
    "right": {},
    # Well below what a coarse comparison shows.
    "good": {"GOOD = 1.0": "GOOD = 1.0 + 1e-12"},
    "slight": {"BAD = 1.0": "BAD = 1.0 + 1e-12"},
    "bad": {"BAD = 1.0": "BAD = 1.0 + 1e-4"},
    "hole": {"HOLE = ": "HOLE = 7.0 # "},
}
P, F = "PASS", "FAIL"
# Verdicts of the samples a and c, by the truth; of b, by the truth; of b, coarsely.
EXPECTED: dict[tuple[str, str], tuple[str, str, str]] = {
    **{("right", stage): (P, P, "") for stage in ("logs", "alone")},
    **{("right", stage): (P, "", P) for stage in ("odd", "many")},
    **{("good", stage): (F, P, "") for stage in ("logs", "alone")},
    **{("good", stage): (F, "", P) for stage in ("odd", "many")},
    ("slight", "logs"): (P, F, ""),
    ("slight", "alone"): (P, P, ""),
    **{("slight", stage): (P, "", P) for stage in ("odd", "many")},
    ("bad", "logs"): (P, F, ""),
    ("bad", "alone"): (P, P, ""),
    **{("bad", stage): (P, "", F) for stage in ("odd", "many")},
    **{("hole", stage): (P, F, "") for stage in ("logs", "alone")},
    **{("hole", stage): (P, "", P) for stage in ("odd", "many")},
}


def write(suite: Path, runtime: str, variants: dict[str, dict[str, str]]) -> Path:
    folder = suite / "three"
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    (folder / "three.py").write_text(REFERENCE, encoding="utf-8")
    suffix, source = SOURCES[runtime]
    for name, changes in variants.items():
        text = source
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / f"three.{name}{suffix}").write_text(text, encoding="utf-8")
    arrays = {
        "a/x": np.array([0.5, 1.75, 2.25, 0.875]),
        # -1 * 0.1 * 3 is -0.3 up to rounding: a tie.
        "b/x": np.array([-1.0, 0.625, 3.25, 1.375]),
        "c/x": np.array([2.75, 0.3125, 1.125, 3.0]),
    }
    write_fixture(
        suite / "fixtures" / "three",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "here"),
        samples=("a", "b", "c"),
    )
    return suite


@pytest.fixture(scope="module", params=RUNTIMES)
def ran(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, interpreted_julia: None
) -> tuple[str, Record]:
    """A port in one language: right, and with each fault."""
    runtime: str = request.param
    suite = write(tmp_path_factory.mktemp(runtime) / "suite", runtime, VARIANTS)
    return runtime, run(make_plan(suite), out=None, require=(runtime, "oracle"))


def cells(record: Record, who: str, stage: str, mode: Mode) -> dict[Check, Cell]:
    return {
        cell.check: cell
        for cell in record.cells
        if (cell.implementation, cell.stage, cell.mode) == (who, stage, mode)
        and cell.check is not Check.REPEAT
    }


@pytest.mark.parametrize(("variant", "stage"), EXPECTED)
@pytest.mark.parametrize("mode", Mode)
def test_every_sample_is_judged_by_itself(
    ran: tuple[str, Record], variant: str, stage: str, mode: Mode
) -> None:
    runtime, record = ran
    of_a_and_c, of_b, coarsely = EXPECTED[variant, stage]
    found = cells(record, f"{runtime}.{variant}", stage, mode)
    truth = found.pop(Check.ORACLE)
    known = {"a": of_a_and_c, **({"b": of_b} if of_b else {}), "c": of_a_and_c}
    assert {part.sample: part.verdict for part in truth.by_sample} == known, truth
    assert truth.basis is Basis.DERIVED
    assert truth.limit is not None
    assert truth.limit < 1e-14
    assert bool(found) is bool(coarsely)
    for cell in found.values():
        assert (cell.basis, cell.verdict) == (Basis.COARSE, coarsely)
        assert {part.sample: part.verdict for part in cell.by_sample} == {"b": coarsely}
        assert cell.weaker_because.endswith("of three.py), in sample b") or (
            stage == "many" and cell.weaker_because.endswith("of three.py, in sample b")
        )


@pytest.mark.parametrize("stage", ["odd", "many"])
def test_what_follows_is_judged_in_every_sample(ran: tuple[str, Record], stage: str) -> None:
    runtime, record = ran
    isolated = cells(record, f"{runtime}.bad", f"{stage}_after", Mode.ISOLATED)
    (cell,) = isolated.values()
    assert {part.sample: part.verdict for part in cell.by_sample} == dict.fromkeys("abc", P)
    chained = cells(record, f"{runtime}.bad", f"{stage}_after", Mode.CHAINED)
    assert {part.sample: part.verdict for part in chained[Check.ORACLE].by_sample} == {"a": P, "c": P}
    assert (chained[Check.REFERENCE].verdict, chained[Check.REFERENCE].inherited) == (F, True)
    for variant, verdict in (("right", P), ("good", F)):
        chained = cells(record, f"{runtime}.{variant}", f"{stage}_after", Mode.CHAINED)
        assert {part.sample: part.verdict for part in chained[Check.ORACLE].by_sample} == {
            "a": verdict,
            "c": verdict,
        }
        assert chained[Check.REFERENCE].verdict == P


def test_the_reference_is_judged_where_there_is_a_truth(ran: tuple[str, Record]) -> None:
    _, record = ran
    for stage in ("odd", "many", "odd_after", "many_after"):
        cell = cells(record, "numpy", stage, Mode.CHAINED)[Check.ORACLE]
        assert cell.verdict is Verdict.PASS
        assert cell.limit is not None
        assert [part.verdict for part in cell.by_sample] == [P, "NOT_RUN", P]
        assert cell.reason.startswith("nothing to compare with: ")
        assert cell.reason.endswith(", in sample b")
    for stage in ("logs", "alone", "logs_after", "alone_after"):
        cell = cells(record, "numpy", stage, Mode.CHAINED)[Check.ORACLE]
        assert [part.verdict for part in cell.by_sample] == [P, P, P]


def test_who_is_off_is_said_of_the_samples_that_have_a_truth(ran: tuple[str, Record]) -> None:
    runtime, record = ran
    off = {consensus.stage: consensus.by_oracle for consensus in record.consensus}
    assert f"{runtime}.good" in off["odd"]
    assert f"{runtime}.bad" not in off["odd"]
    assert f"{runtime}.hole" in off["alone"]


def test_alone_a_reference_is_incomplete_and_says_in_which_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    record = run(make_plan(write(tmp_path / "suite", "numpy", {})), out=None)
    run_outcome = outcome_of(record)
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    assert any(
        "odd of three in float64" in reason and reason.endswith(", in sample b")
        for reason in run_outcome.reasons
    )


def test_the_reports_agree_about_the_bad_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    suite = write(tmp_path / "suite", "numpy", {"right": {}})
    given = ["run", "--suite", str(suite), "--out", str(tmp_path / "out")]
    told = CliRunner().invoke(main, [*given, "--json"])
    assert told.exit_code == 0, told.output
    answer = json.loads(told.stdout)
    assert answer["outcome"] == "AGREEMENT"
    verdicts = {
        (cell["implementation"], cell["check"]): [part["verdict"] for part in cell["by_sample"]]
        for cell in answer["cells"]
        if (cell["stage"], cell["mode"]) == ("odd", "chained")
    }
    assert verdicts == {
        ("numpy", "oracle"): [P, "NOT_RUN", P],
        ("numpy.right", "oracle"): [P, P],
        ("numpy.right", "reference"): [P],
    }
    printed = CliRunner().invoke(main, [*given, "--by-sample"], env={"COLUMNS": "200"})
    assert printed.exit_code == 0, printed.output
    said = " ".join(printed.stdout.split())
    assert "4 stages were compared coarsely in part" in said
    assert "numpy.lib.scimath.log` (line 15 of three.py), in sample b" in said
