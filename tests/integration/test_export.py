"""Exported vectors are read by programs that know nothing of the harness, and catch what is wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.model import Basis, Case, Mode, Precision, Stage, Value
from harness.model.vector import Vector, Vectors
from harness.store.vectors import write_vectors

ROOT = Path(__file__).parents[2]
RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

READER = {
    "r": 'source("vectors/conforms.R")\n',
    "julia": 'include("vectors/conforms.jl")\nusing .Conforms, Test\n',
}
SUFFIX = {"r": "R", "julia": "jl"}
OWN = {
    "r": """source("{source}")
i <- conforms_inputs("four_word", "attention")
s <- scores(Q(i$words, i$W_Q), K(i$words, i$W_K))
w <- weights(s, maxs(s), K(i$words, i$W_K))
""",
    "julia": """include("{source}")
i = conforms_inputs("four_word", "attention")
s = scores(Q(i["words"], i["W_Q"]), K(i["words"], i["W_K"]))
w = weights(s, maxs(s), K(i["words"], i["W_K"]))
""",
}
SAY = {
    "r": 'cat(tryCatch({call}, error = conditionMessage), "\\n")\n',
    "julia": "println(try {call} catch e; e.msg end)\n",
}
LANGUAGES = [pytest.param("r", marks=pytest.mark.r), pytest.param("julia", marks=pytest.mark.julia)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where ``vectors`` are."""
    folder = tmp_path_factory.mktemp("export")
    words = ["export", "four_word", "--suite", str(ROOT / "reference_impls")]
    result = CliRunner().invoke(main, [*words, "--out", str(folder / "vectors")])
    assert result.exit_code == 0, result.output
    assert "14 vectors, 0 of them coarse, 0 not known" in result.output
    return folder


def own(language: str) -> str:
    """A program that computes the weights, ``w``, by itself."""
    source = ROOT / "reference_impls" / "four_word" / f"four_word.{SUFFIX[language]}"
    return READER[language] + OWN[language].replace("{source}", source.as_posix())


def said(language: str, run: RunScript, folder: Path, start: str, calls: list[str]) -> list[str]:
    """What each call prints, all in one process."""
    path = folder / f"calls.{SUFFIX[language]}"
    path.write_text(start + "".join(SAY[language].replace("{call}", c) for c in calls), encoding="utf-8")
    done = run(language, path)
    assert done.returncode == 0, done.stderr
    return [line.strip() for line in done.stdout.splitlines()]


def test_the_document_names_arrays_that_numpy_reads(folder: Path) -> None:
    place = folder / "vectors" / "four_word"
    document = json.loads((place / "vectors.json").read_text(encoding="utf-8"))
    assert (document["schema"], document["case"], document["precision"]) == (1, "four_word", "float64")
    (attention,) = (v for v in document["vectors"] if (v["output"], v["mode"]) == ("attention", "isolated"))
    assert (attention["basis"], attention["against"]) == ("derived", "truth")
    arrays = {name: np.load(place / path) for name, path in attention["inputs"].items()}
    assert set(arrays) == {"weights", "V"}
    due, limit = (np.load(place / attention[name]) for name in ("expected", "limit"))
    error = abs(arrays["weights"] @ arrays["V"] - due)
    assert due.shape == (4, 3)
    assert (error <= limit).all()
    assert 0 < limit.max() < 1e-14


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_of_ones_own_is_held_against_the_truth(
    folder: Path, run_by_itself: RunScript, language: str
) -> None:
    dot = "" if language == "r" else "."
    values = {
        "w": "",
        f"w {dot}* (1 + 1e-14)": "elements are beyond their limit; largest error 9.",
        {"r": "t(w)", "julia": "permutedims(w)"}[language]: "12 of 16 elements are beyond their limit",
        {"r": "w[1:2, ]", "julia": "w[1:2, :]"}[language]: "the shape is (2, 4), and (4, 4) is expected",
        f"w {dot}* NaN": "16 of 16 elements are beyond their limit",
        f"w {dot}> 0": "is expected",
        {
            "r": 'if (requireNamespace("Matrix", quietly = TRUE)) Matrix::Matrix(w) else w',
            "julia": "Base.require(Main, :SparseArrays).sparse(w)",
        }[language]: "",
    }
    calls = [f'conforms({value}, "four_word", "weights")' for value in values]
    calls.append('conforms(w, "four_word", "wieghts")')
    lines = said(language, run_by_itself, folder, own(language), calls)
    for line, due in zip(lines, [*values.values(), "there are: Q, K, V, scores"], strict=True):
        assert (due in line) if due else (line == "")


@pytest.mark.r
def test_an_expectation_of_testthat(folder: Path, run_by_itself: RunScript) -> None:
    expects = 'test_that("{name}", expect_conforms({value}, "four_word", "weights"))\n'
    (folder / "expects.R").write_text(
        'if (!requireNamespace("testthat", quietly = TRUE)) quit(status = 77)\nlibrary(testthat)\n'
        + own("r")
        + expects.format(name="right", value="w")
        + expects.format(name="wrong", value="w * 2"),
        encoding="utf-8",
    )
    done = run_by_itself("r", folder / "expects.R")
    if done.returncode == 77:
        pytest.skip("testthat is not installed")
    assert done.returncode == 1, done.stderr
    printed = done.stdout + done.stderr
    assert "wrong" in printed
    assert "16 of 16 elements are beyond their limit" in printed
    assert "Failure" not in printed.partition("wrong")[0].partition("right")[2]


@pytest.mark.julia
def test_a_macro_of_test(folder: Path, run_by_itself: RunScript) -> None:
    text = own("julia") + '@testset "weights" begin\n'
    text += (
        '@test_conforms w "four_word" "weights" mode = "chained"\n@test_conforms 2w "four_word" "weights"\n'
    )
    (folder / "expects.jl").write_text(f"{text}end\n", encoding="utf-8")
    done = run_by_itself("julia", folder / "expects.jl")
    printed = done.stdout + done.stderr
    assert done.returncode == 1, printed
    assert "1 passed, 1 failed" in printed
    assert "16 of 16 elements are beyond their limit" in printed
    assert f"expects.jl:{len(text.splitlines())}" in printed


KINDS = {
    "float": np.arange(24.0).reshape(2, 3, 4) / 7,
    "complex": np.array([1 + 2j, -0.0 - 1j]),
    "int": np.array([[1, -2], [3, 2**31 - 1]]),
    "bool": np.array([True, False]),
}


def vectors(**changed: Any) -> Vectors:
    """A vector of each kind, whose value is its own input; a number stands for an array full of it."""

    def made(kind: str, array: Any) -> Vector:
        vector = Vector(
            stage=kind,
            output=kind,
            sample="a",
            mode=Mode.CHAINED,
            against="truth",
            basis=Basis.DERIVED,
            inputs={"x": array},
            expected=array,
            limit=np.zeros(array.shape),
        )
        full = {k: np.full(array.shape, v) if isinstance(v, float | bool) else v for k, v in changed.items()}
        return msgspec.structs.replace(vector, **full)

    stages = tuple(
        Stage(name=kind, inputs=("x",), outputs=(Value(name=kind, shape=(), dtype=kind),))  # type: ignore[arg-type]
        for kind in KINDS
    )
    case = Case(name="kinds", title="Kinds", origin="made up", fixture="f", inputs=(), stages=stages)
    return Vectors(
        case=case,
        precision=Precision.FLOAT64,
        origin={"fixture": "f"},
        vectors=tuple(made(kind, array) for kind, array in KINDS.items()),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_arrays_of_every_kind_are_read_and_what_is_not_known_is_no_success(
    tmp_path: Path, run_by_itself: RunScript, language: str
) -> None:
    changes: dict[str, dict[str, Any]] = {
        "same": {},
        "unknown": {"expected": None, "limit": None, "reason": "a tie"},
        "low": {"low": 1.0},
        "out": {"left_out": True, "reason": "a tie"},
        "none": {"left_out": False},
    }
    for name, changed in changes.items():
        write_vectors(vectors(**changed), tmp_path / name)
    (tmp_path / "same").rename(tmp_path / "vectors")
    x = {kind: f'conforms_inputs("kinds", "{kind}"){"$x" if language == "r" else "[{}]"}' for kind in KINDS}
    x = {kind: text.replace("{}", '"x"') for kind, text in x.items()}
    calls = [f'conforms({x[kind]}, "kinds", "{kind}")' for kind in KINDS]
    for name in ("unknown", "low", "out", "none"):
        calls += [f'conforms({x[kind]}, "kinds", "{kind}", folder = "{name}")' for kind in KINDS]
    if language == "julia":
        calls = [call.replace(", folder", "; folder") for call in calls]
    at = "[length({})]" if language == "r" else "[end]"
    calls += [x[kind] + at.replace("{}", x[kind]) for kind in KINDS]
    calls.append({"r": f"dim({x['float']})", "julia": f"size({x['float']})"}[language])
    lines = said(language, run_by_itself, tmp_path, READER[language], calls)
    assert lines[:4] == [""] * 4
    assert all(line.endswith("nothing is known: a tie") for line in lines[4:8])
    assert all("elements are beyond their limit; largest error 1" in line for line in lines[8:12])
    assert all(line.endswith("no element can be judged: a tie") for line in lines[12:16])
    assert lines[16:20] == [""] * 4
    assert float(lines[20]) == pytest.approx(23 / 7)
    assert lines[22:24] == ["2147483647", {"r": "FALSE", "julia": "false"}[language]]
    assert lines[24] == {"r": "2 3 4", "julia": "(2, 3, 4)"}[language]


def test_an_older_export_is_replaced_and_nothing_else_is(tmp_path: Path) -> None:
    place = write_vectors(vectors(), tmp_path / "vectors")
    (place / "arrays" / "left.npy").touch()
    write_vectors(vectors(), tmp_path / "vectors")
    assert not (place / "arrays" / "left.npy").exists()
    assert {path.name for path in place.parent.iterdir()} == {"kinds", "conforms.R", "conforms.jl"}
    (tmp_path / "other" / "four_word").mkdir(parents=True)
    words = ["--suite", str(ROOT / "reference_impls"), "--out", str(tmp_path / "other")]
    result = CliRunner().invoke(main, ["export", "four_word", *words])
    assert result.exit_code == 2
    assert "this is there, and no export" in result.output
    result = CliRunner().invoke(main, ["export", "*", *words])
    assert result.exit_code == 2
    assert "vectors are of one case" in result.output
