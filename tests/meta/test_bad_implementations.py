"""Every deliberately bad implementation gets the right verdict at the right stage, in every language."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Cell, Check, Mode, Record, Verdict
from harness.store.fixture_writer import write_fixture

HERE = Path(__file__).parent
FAULTS = tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))
FILES = {
    "numpy": "attention.py",
    "torch": "attention_torch.py",
    "r": "attention.R",
    "julia": "attention.jl",
}
STAGES = ("scores", "weights", "output")


Faults = Mapping[str, Mapping[str, Any]]


def add_case(
    suite: Path, name: str, runtime: str, faults: Faults, *, derived: bool = False, more: str = ""
) -> Path:
    """Write a case that holds the sound reference and one bad implementation for each fault.

    Where its limits are derived it states no tolerance.
    """
    case = suite / name
    case.mkdir(parents=True)
    text = (HERE / "base" / "case.toml").read_text(encoding="utf-8")
    text = text.replace('name = "attention"', f'name = "{name}"', 1)
    if derived:
        text = re.sub(r"^tolerance = .*\n", "", text, flags=re.MULTILINE)
    (case / "case.toml").write_text(text + more, encoding="utf-8")
    shutil.copy(HERE / "base" / "attention.py", case / f"{name}.py")
    sound = (HERE / "base" / FILES[runtime]).read_text(encoding="utf-8")
    suffix = FILES[runtime].removeprefix("attention")
    for label, fault in faults.items():
        old, new = fault.get("rename", {}).get(runtime, ("", ""))
        assert not old or sound.count(old) == 1
        body = sound.replace(old, new) if old else sound
        source = f"{body}\n{fault['source'][runtime]}\n"
        (case / f"{name}.{label}{suffix}").write_text(source, encoding="utf-8")
    return case


def add_fixture(suite: Path) -> None:
    draw = np.random.default_rng(7)
    sizes = {"Q": (5, 3), "K": (5, 3), "V": (5, 4)}
    write_fixture(
        suite / "fixtures" / "attention",
        version=1,
        title="inputs of the deliberately bad implementations",
        origin="numpy.random.default_rng(7)",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={name: draw.normal(size=size) for name, size in sizes.items()},
        origins=dict.fromkeys(sizes, "normal draws"),
    )


def cell(record: Record, case: str, implementation: str, stage: str, mode: Mode, check: Check) -> Cell:
    place = (case, implementation, stage, mode, check)
    cells = [
        row for row in record.cells if (row.case, row.implementation, row.stage, row.mode, row.check) == place
    ]
    assert len(cells) == 1
    return cells[0]


# All faults in PyTorch, R or Julia take a quarter of a minute each; a few of them are among the fast tests.
RUNTIMES = [
    "numpy",
    pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", marks=[pytest.mark.r, pytest.mark.slow]),
    pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
]
FEW = ("wrong_axis", "one_element", "wrong_dtype", "raises")
QUICK = [name for name in FAULTS if name != "hangs"]
ENDS_ITS_PROCESS = ("exits", "crashes")
CHECKS = {"quick": Check.REFERENCE, "hangs": Check.REFERENCE, "derived": Check.ORACLE}
"""What the implementations of a case are compared with."""

# Scores that are one part in a hundred too large are known; `now` is what an implementation makes of them.
KNOWN = """
[[known_divergence]]
id = "scores-too-large"
stage = "scores"
implementation = "{runtime}.*"
cause = "a factor"
evidence = "1.01 times"
measure = "norm"
at_least = 0.0099
at_most = 0.0101
ends_when = "the factor goes"
"""
SCORES = {
    "numpy": "def scores(Q, K): return {now}",
    "torch": "def scores(Q, K): return {now}",
    "r": "scores <- function(Q, K) {now}",
    "julia": "scores(Q, K) = {now}",
}
PRODUCT = {"numpy": "(Q @ K.T)", "torch": "(Q @ K.T)", "r": "(Q %*% t(K))", "julia": "(Q * K')"}
NOW: dict[str, tuple[dict[str, str], str, str]] = {
    "known": (dict.fromkeys(SCORES, "1.01 * {product}"), "XFAIL", "norm 0.01, known to be 0.0099 to 0.0101"),
    "ten_times": (
        dict.fromkeys(SCORES, "1.1 * {product}"),
        "FAIL",
        "allows: 0.1 where at most 0.0101 (norm)",
    ),
    "tenth": (dict.fromkeys(SCORES, "1.001 * {product}"), "FAIL", "says: 0.001 where at least 0.0099 (norm)"),
    "negative": (dict.fromkeys(SCORES, "-1 * {product}"), "FAIL", "allows: 2 where at most 0.0101 (norm)"),
    "not_a_number": (
        {
            "numpy": "np.nan * {product}",
            "torch": "float('nan') * {product}",
            "r": "NaN * {product}",
            "julia": "NaN * {product}",
        },
        "FAIL",
        "NaN in 25 places on one side only",
    ),
    "one_row": (
        {
            "numpy": "1.01 * {product}[:1]",
            "torch": "1.01 * {product}[:1]",
            "r": "1.01 * {product}[1, , drop = FALSE]",
            "julia": "1.01 * {product}[1:1, :]",
        },
        "FAIL",
        "shape (1, 5) where (n=5, n=5) is expected",
    ),
    "raises": (
        {
            "numpy": "[][1]",
            "torch": "[][1]",
            "r": "stop('index out of range')",
            "julia": 'error("index out of range")',
        },
        "ERROR",
        "index out of range",
    ),
}


def names_of(case: str, runtime: str) -> list[str]:
    if case == "hangs":
        return ["hangs"]
    if case == "derived" and runtime != "numpy":
        # A process that has ended is not judged by any limit, and each of these starts it twice more.
        return [name for name in QUICK if name not in ENDS_ITS_PROCESS]
    return QUICK


def known_faults(runtime: str) -> Faults:
    scores = SCORES[runtime]
    faults: dict[str, dict[str, Any]] = {
        name: {"source": {runtime: scores.format(now=now[runtime].format(product=PRODUCT[runtime]))}}
        for name, (now, _, _) in NOW.items()
    }
    renamed = [scores[:10], scores[:10].replace("scores", "other_")]
    return {**faults, "dropped": {"rename": {runtime: renamed}, "source": {runtime: ""}}}


def run_suite(suite: Path, runtime: str) -> Record:
    """Run a suite's bad implementations in one language; nothing is wrong with the run itself."""
    plan = make_plan(suite, implementations=("numpy", f"{runtime}.*"))
    record = run(plan, out=suite.parent / "out", require=(runtime,))
    assert record.footer is not None
    assert not record.footer.complaints, record.footer.complaints
    assert not record.footer.partial
    return record


@pytest.fixture(scope="module", params=RUNTIMES)
def ran(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, interpreted_julia: None
) -> tuple[str, Record]:
    """One run of all bad implementations in one language."""
    runtime: str = request.param
    suite = tmp_path_factory.mktemp(runtime) / "suite"
    add_fixture(suite)
    for name, check in CHECKS.items():
        faults = {label: FAULTS[label] for label in names_of(name, runtime)}
        case = add_case(suite, name, runtime, faults, derived=check is Check.ORACLE)
        if name == "hangs":
            text = (case / "case.toml").read_text(encoding="utf-8")
            # A hang that computes takes a core all the time.
            seconds = {"numpy": 2, "julia": 6}.get(runtime, 3)
            assert text.count("timeout = 60") == 1
            (case / "case.toml").write_text(text.replace("timeout = 60", f"timeout = {seconds}"), "utf-8")
    known = KNOWN.format(runtime=runtime)
    add_case(suite, "known_stated", runtime, known_faults(runtime), more=known)
    add_case(suite, "known_derived", runtime, known_faults(runtime), derived=True, more=known)
    return runtime, run_suite(suite, runtime)


def assert_found(record: Record, case: str, runtime: str, names: Sequence[str]) -> None:
    """Each fault has its verdict at its stage, and what follows from it is inherited."""
    check = CHECKS[case]
    for name in names:
        fault = FAULTS[name]
        implementation = f"{runtime}.{name}"
        wrong = STAGES.index(fault["stage"]) if fault["stage"] else len(STAGES)
        for place, stage in enumerate(STAGES):
            chained = cell(record, case, implementation, stage, Mode.CHAINED, check)
            isolated = cell(record, case, implementation, stage, Mode.ISOLATED, check)
            where = f"{implementation}, {stage}: {chained.reason!r}, {isolated.reason!r}"
            if place == wrong:
                assert (chained.verdict, isolated.verdict) == (fault["verdict"], fault["verdict"]), where
                assert fault["reason"] in chained.reason, where
                assert not chained.inherited, where
            else:
                assert isolated.verdict is Verdict.PASS, where
            if place < wrong:
                assert chained.verdict is Verdict.PASS, where
            if place > wrong:
                assert chained.verdict is not Verdict.PASS, where
                assert chained.inherited, where


@pytest.mark.parametrize("case", CHECKS)
def test_every_fault_is_found_where_it_is(ran: tuple[str, Record], case: str) -> None:
    if CHECKS[case] is Check.ORACLE:
        pytest.importorskip("flint")
    runtime, record = ran
    assert_found(record, case, runtime, names_of(case, runtime))


@pytest.mark.parametrize(
    "runtime",
    [
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
    ],
)
def test_a_few_faults_are_found_where_they_are(runtime: str, tmp_path: Path, interpreted_julia: None) -> None:
    suite = tmp_path / "suite"
    add_fixture(suite)
    add_case(suite, "quick", runtime, {name: FAULTS[name] for name in FEW})
    assert_found(run_suite(suite, runtime), "quick", runtime, FEW)


def test_reference_is_checked_too(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    add_fixture(suite)
    path = add_case(suite, "attention", "numpy", {}) / "attention.py"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\nsound = weights\nnoise = np.random.default_rng()\n\n"
        + "def weights(scores, K):\n    return sound(scores, K) * (1 + 1e-9 * noise.random())\n",
        encoding="utf-8",
    )
    record = run(make_plan(suite), out=None)
    verdicts = {cell.stage: cell.verdict for cell in record.cells if cell.check is Check.REPEAT}
    assert verdicts == {"scores": Verdict.PASS, "weights": Verdict.FAIL, "output": Verdict.PASS}


@pytest.mark.parametrize("case", ["known_stated", "known_derived"])
def test_a_known_divergence_hides_no_other(ran: tuple[str, Record], case: str) -> None:
    check = Check.ORACLE if case == "known_derived" else Check.REFERENCE
    if check is Check.ORACLE:
        pytest.importorskip("flint")
    runtime, record = ran
    expected = {name: (verdict, reason) for name, (_, verdict, reason) in NOW.items()}
    expected["dropped"] = ("FAIL", "there is no function scores")
    for name, (verdict, reason) in expected.items():
        for mode in Mode:
            judged = cell(record, case, f"{runtime}.{name}", "scores", mode, check)
            assert judged.verdict == verdict, f"{name}: {judged.reason}"
            assert reason in judged.reason
            assert judged.divergence == ("scores-too-large" if verdict == "XFAIL" else "")
    # What follows from it is known where its size is, and nowhere else.
    for name in expected:
        judged = cell(record, case, f"{runtime}.{name}", "weights", Mode.CHAINED, check)
        assert judged.inherited
        assert (judged.verdict is Verdict.XFAIL) == (name == "known")
        follows = "follows from known divergence 'scores-too-large' of scores"
        assert (follows in judged.reason) == (name == "known")
