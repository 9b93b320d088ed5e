"""Audits of a small suite, live: all faults are found, or those that a wide limit lets through are named."""

from __future__ import annotations

import json
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from harness.audit import audit as audits
from harness.audit import r_faults
from harness.audit.types import InjectedFault
from harness.cli import main
from harness.conformance.hosts import workers
from harness.conformance.plan import make_plan
from harness.store.fixture_writer import write_fixture

BASE = Path(__file__).parents[1] / "meta" / "base"
RUNTIMES = [
    ("numpy", "attention.py"),
    # Every fault takes an import of PyTorch more; its worker is that of NumPy.
    pytest.param("torch", "attention_torch.py", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", "attention.R", marks=pytest.mark.r),
]


def build_suite(folder: Path, files: set[str], tolerance: str) -> Path:
    """An attention whose stages all have one tolerance; a derived one where it is empty."""
    case = folder / "suite" / "attention"
    case.mkdir(parents=True)
    for name in files | {"attention.py"}:
        shutil.copy(BASE / name, case)
    text = (BASE / "case.toml").read_text(encoding="utf-8")
    (case / "case.toml").write_text(re.sub(r"tolerance = .*\n", tolerance, text), encoding="utf-8")
    put_fixture(folder / "suite", "attention", 7, {"Q": (5, 3), "K": (5, 3), "V": (5, 4)})
    return folder / "suite"


def put_fixture(suite: Path, name: str, seed: int, sizes: dict[str, tuple[int, int]]) -> None:
    draw = np.random.default_rng(seed)
    write_fixture(
        suite / "fixtures" / name,
        version=1,
        title="inputs of an audit",
        origin=f"numpy.random.default_rng({seed})",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays={key: draw.normal(size=size) for key, size in sizes.items()},
        origins=dict.fromkeys(sizes, "normal draws"),
    )


def audit(suite: Path, *more: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(main, ["audit", "--suite", str(suite), "--json", *more])
    assert done.exit_code in (0, 1), done.output
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.parametrize(("runtime", "file"), RUNTIMES)
def test_every_fault_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str, file: str
) -> None:
    pytest.importorskip("flint")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    suite = build_suite(tmp_path, {file}, "")
    code, report = audit(suite, "--impl", runtime, "--out", str(tmp_path / "out"))
    assert (report["survivors"], report["complaints"]) == ([], [])
    assert code == 0
    assert report["score"]["injected"] == report["score"]["killed"]
    assert report["sources"] == {runtime: "live"}
    tried = {(line["level"], line["fault"]) for line in report["tallies"] if line["killed"]}
    assert {
        ("boundary", "NaN for one element"),
        ("boundary", "one element moved by 4 limits"),
        ("boundary", "another stage's value"),
        ("source", "√d is d"),
        ("source", "over the wrong axis"),
        ("source", "maximum not subtracted"),
        ("source", "rounded to float32 inside"),
        ("source", "transpose removed"),
    } <= tried
    assert json.loads((tmp_path / "out" / "audit.json").read_text(encoding="utf-8")) == report


IN_C = """
#include <stddef.h>
#include <math.h>

void scaled(size_t n, size_t d, const double *Q, double *out)
{
    double spare = 1;
    for (size_t i = 0; i < n * d; i++)
        out[i] = Q[i] / sqrt((double)d);
}
"""
ONE_STAGE = """
[case]
name = "attention"
title = "t"
origin = "here"
fixture = "attention"

[inputs]
Q = ["n", "d"]

[[stage]]
name = "scaled"
inputs = ["Q"]
shape = ["n", "d"]
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_faults_of_a_compiled_file_are_found_by_what_it_returns(tmp_path: Path) -> None:
    """A spare number makes no difference, which a file that no longer compiles would."""
    pytest.importorskip("flint")
    case = tmp_path / "attention"
    case.mkdir()
    (case / "case.toml").write_text(ONE_STAGE)
    numpy = "import numpy as np\ndef scaled(Q): return Q / np.sqrt(Q.shape[1])\n"
    (case / "attention.py").write_text(numpy)
    (case / "attention.c").write_text(IN_C)
    put_fixture(tmp_path, "attention", 7, {"Q": (3, 2)})
    code, report = audit(tmp_path, "--impl", "c", "--level", "source")
    assert (code, report["survivors"], report["complaints"]) == (0, [], [])
    killed = {line["fault"]: line["killed"] for line in report["tallies"]}
    assert killed == {"√d is d": 1, "constant off by one": 1}
    assert [each["mutant"]["place"] for each in report["equivalent"]] == ["scaled, line 7: 1 -> 2"]


def test_what_a_wide_limit_lets_through_is_named_with_the_input_that_tells(tmp_path: Path) -> None:
    wide = 'tolerance = { rule = "absolute", value = 1e-6, reason = "much too wide" }\n'
    suite = build_suite(tmp_path, set(), wide)
    shutil.copy(BASE / "attention.py", suite / "attention" / "attention.same.py")
    code, report = audit(suite, "--impl", "numpy.same")
    assert code == 1
    assert report["score"]["perfect"] is False
    assert all(survivor["reason"].startswith("PASS, ") for survivor in report["survivors"])
    telling = {
        fault: [survivor["tells"] for survivor in report["survivors"] if survivor["mutant"]["fault"] == fault]
        for fault in (survivor["mutant"]["fault"] for survivor in report["survivors"])
    }
    assert telling.keys() == {"rounded to float32", "rounded to float32 inside"}
    assert set(telling["rounded to float32"]) == {
        "elements beyond 33.6, of which float32's rounding is more than the limit"
    }
    inside = [line for line in telling["rounded to float32 inside"] if line]
    assert inside
    assert all(re.match(r"(inputs times|drawn inputs, seed|[QKV] plus) \d+: FAIL ", line) for line in inside)


def test_what_moves_the_true_value_is_not_proven_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its true values are not those of the sound source, although a stated limit lets it through."""
    pytest.importorskip("flint")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    wide = 'tolerance = { rule = "absolute", value = 1e-6, reason = "much too wide" }\n'
    suite = build_suite(tmp_path, set(), wide)
    case = suite / "attention" / "case.toml"
    first, stages = case.read_text(encoding="utf-8").split(wide, 1)
    case.write_text(first + stages, encoding="utf-8")
    code, report = audit(suite, "--impl", "numpy", "--level", "source")
    assert code == 1
    single = [survivor for survivor in report["survivors"] if "single_inside" in survivor["mutant"]["place"]]
    assert {survivor["mutant"]["place"].partition(",")[0] for survivor in single} == {"weights", "output"}
    assert not [proof for proof in report["equivalent"] if "single_inside" in proof["mutant"]["place"]]


ENDS = """
import numpy as np


def weights(Q, K):
    root = np.sum(Q * Q) + np.sum(K * K)
    step = root
    while abs(step) > 0.001 * root:
        step = 0.5 * (root - 2.0 / root)
        root = root - step
    return np.array([root])
"""
"""Newton's method; a step of another size or sign does not end."""


def test_a_fault_that_never_ends_is_stopped_after_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(audits, "LEAST_SECONDS", 1.0)
    suite = build_suite(tmp_path, set(), "")
    case = suite / "attention" / "case.toml"
    head = case.read_text(encoding="utf-8").partition("[[stage]]")[0]
    stage = '[[stage]]\nname = "weights"\ninputs = ["Q", "K"]\nshape = [1]\n'
    case.write_text(head + stage, encoding="utf-8")
    (case.parent / "attention.py").write_text(ENDS, encoding="utf-8")
    _, report = audit(suite, "--impl", "numpy", "--level", "source")
    lines = {line["fault"]: line for line in report["tallies"]}
    assert lines["plus is minus"]["killed"] >= 2
    assert lines["constant off by one"]["killed"] >= 3


def test_a_reference_that_nobody_is_held_against_is_found_out(tmp_path: Path) -> None:
    tolerance = 'tolerance = { rule = "ulp", value = 8, reason = "test" }\n'
    code, report = audit(build_suite(tmp_path, set(), tolerance), "--level", "boundary")
    assert code == 1
    assert report["score"]["killed"] < report["score"]["injected"]


def test_what_does_not_pass_without_a_fault_is_not_audited(tmp_path: Path) -> None:
    tolerance = 'tolerance = { rule = "ulp", value = 8, reason = "test" }\n'
    suite = build_suite(tmp_path, set(), tolerance)
    sound = (BASE / "attention.py").read_text(encoding="utf-8")
    wrong = suite / "attention" / "attention.wrong.py"
    wrong.write_text(sound.replace("weights @ V", "weights @ V + 1"), encoding="utf-8")
    code, report = audit(suite, "--impl", "numpy.wrong")
    assert code == 1
    assert report["tallies"] == []
    (complaint,) = report["complaints"]
    assert complaint.startswith("attention numpy.wrong float64: not PASS as it is: FAIL output")


def test_the_table_says_what_was_found(tmp_path: Path) -> None:
    tolerance = 'tolerance = { rule = "ulp", value = 8, reason = "test" }\n'
    suite = build_suite(tmp_path, set(), tolerance)
    shutil.copy(BASE / "attention.py", suite / "attention" / "attention.same.py")
    done = CliRunner().invoke(main, ["audit", "--suite", str(suite), "--level", "boundary"])
    assert done.exit_code == 0, done.output
    assert "two rows swapped" in done.output
    assert re.search(
        r"([\d,]+) of \1 faults found, 100 %: \1 of \1 in what workers returned;"
        r" 0 more were equivalent, and are no faults  ",
        " ".join(done.output.split("\n")),
    )


KEYS = """
[case]
name = "keys"
title = "keys with a bias"
origin = "made up"
fixture = "keys"

[inputs]
x = { shape = ["d", "n"] }
K = { shape = ["d", "d"] }
b = { shape = ["d", 1] }

[[stage]]
name = "weights"
inputs = ["x", "K", "b"]
shape = ["n", "n"]
tolerance = { rule = "absolute", value = 1e-12, reason = "test" }
"""

KEYS_SOURCE = """
import numpy as np


def weights(x, K, b):
    keys = K @ x + b
    e = np.exp(x.T @ keys)
    return e / e.sum(axis=1, keepdims=True)
"""


def test_a_bias_that_softmax_does_not_see_is_proven_to_be_none(tmp_path: Path) -> None:
    pytest.importorskip("flint")
    case = tmp_path / "suite" / "keys"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(KEYS, encoding="utf-8")
    for name in ("keys.py", "keys.same.py"):
        (case / name).write_text(KEYS_SOURCE, encoding="utf-8")
    put_fixture(tmp_path / "suite", "keys", 8, {"x": (3, 4), "K": (3, 3), "b": (3, 1)})
    code, report = audit(tmp_path / "suite", "--impl", "numpy.same", "--level", "source")
    assert (code, report["survivors"]) == (0, [])
    proofs = {proof["mutant"]["fault"]: proof["reason"] for proof in report["equivalent"]}
    assert proofs.keys() == {"bias dropped", "plus is minus"}
    sentence = "it is the sound source where {} is {}; the true values are the same in balls"
    assert proofs["bias dropped"] == sentence.format("b", "zero")
    # Negating x does the same to the product, bit for bit, and is tried first.
    assert proofs["plus is minus"] == sentence.format("x", "negated")


R_SOURCES = {
    "by a stage": (
        "top <- function(s) as.matrix(apply(s, 1, max))\nw <- function(s, top) exp(s - top[, 1])\n",
        2,
    ),
    "by an assignment": ("w <- function(s) {\n  top <- max(s)\n  exp(s - top)\n}\n", 2),
    "not by its name": ("maxs <- function(s) rowMeans(s)\nw <- function(s, maxs) exp(s - maxs)\n", 0),
    "not by what it subtracts": (
        "w <- function(s) {\n  m <- max(s)\n  s - m\n}\nv <- function(s, w) exp(s - w)\n",
        0,
    ),
}


@pytest.mark.r
def test_r_knows_a_maximum_by_its_value(tmp_path: Path) -> None:
    with workers(
        make_plan(build_suite(tmp_path, {"attention.R"}, "")).registry, {"r": None}, threading.Event()
    ) as (hosts, _):
        assert hosts["r"].worker is not None
        counts = {}
        for name, (source, _) in R_SOURCES.items():
            path = tmp_path / "source.R"
            path.write_text(source, encoding="utf-8")
            faults = [change.fault for change in r_faults.changes(hosts["r"].worker, path)]
            counts[name] = faults.count(InjectedFault.MAXIMUM)
    assert counts == {name: count for name, (_, count) in R_SOURCES.items()}
