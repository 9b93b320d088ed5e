"""``harness new``: a case that runs at once, skeletons that fail until filled; nothing is overwritten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.model import Absent, Verdict
from harness.store.cases import load_case
from harness.store.record import read_record

Harness = Callable[..., Result]

LANGUAGES = ["numpy", "torch", "r", "julia", "jax"]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_case_runs_at_once_and_is_compared(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    written = harness("new", "case", "mine", "--suite", "cases")
    assert written.exit_code == 0, written.output
    assert set(tree(Path("cases"))) == {
        "mine/case.toml", "mine/mine.py", "mine/mine_torch.py", "mine/mine.R", "mine/mine.jl",
        "fixtures/mine/fixture.toml", "fixtures/mine/arrays.safetensors",
    }  # fmt: skip
    assert written.stdout.splitlines()[-1].endswith("harness run --case mine")
    assert harness("regenerate", "--check", "--suite", "cases").exit_code == 0
    command = ["run", "--suite", "cases", "--case", "mine", "--impl", "numpy"]
    result = harness(*command)
    assert result.exit_code == 0, result.output
    cells = read_record(Path("results/results.jsonl")).cells
    compared = {cell.stage for cell in cells if cell.check == "oracle" and cell.mode == "chained"}
    assert compared == {"scores", "total"}
    assert {cell.verdict for cell in cells} == {Verdict.PASS}
    source = Path("cases/mine/mine.py")
    off = source.read_text(encoding="utf-8").replace("return x @ W", "return x @ W + 1")
    source.with_name("mine.off.py").write_text(off, encoding="utf-8")
    assert harness(*command, "--impl", "numpy.off").exit_code == 1


def test_a_new_case_says_what_coarse_is_and_how_to_state_a_limit(harness: Harness) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", "r").exit_code == 0
    case = Path("cases/mine/case.toml").read_text(encoding="utf-8")
    assert "the languages are compared coarsely. Half of the digits have to\n" in case
    line = 'tolerance = { rule = "relative", value = 1e-9, reason = "condition 1e5: say how you know" }'
    assert line in case
    Path("cases/mine/case.toml").write_text(
        case.replace('inputs = ["scores"]', f'inputs = ["scores"]\n{line}'), encoding="utf-8"
    )
    tolerance = load_case(Path("cases/mine")).values["total"].tolerance
    assert tolerance is not None
    assert (tolerance.rule, tolerance.value) == ("relative", 1e-9)
    for name in ("mine.py", "mine.R"):
        source = Path("cases/mine", name).read_text(encoding="utf-8")
        assert "half of the digits\n# are compared, which is called coarse.\n" in source


@pytest.mark.usefixtures("interpreted_julia")
@pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=[getattr(pytest.mark, name)]) for name in LANGUAGES if name != "numpy"],
)
def test_every_language_of_a_new_case_agrees_and_a_new_implementation_is_not_written_yet(
    harness: Harness, language: str
) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", language).exit_code == 0
    label = f"{language}.more"
    assert harness("new", "impl", "mine", language, "--label", "more", "--suite", "cases").exit_code == 0
    result = harness("run", "--suite", "cases", "--impl", language, "--impl", label)
    record = read_record(Path("results/results.jsonl"))
    if record.header.absent:
        pytest.skip(record.header.absent[0].reason)
    assert result.exit_code == 4
    verdicts = {cell.verdict for cell in record.cells if cell.implementation == language}
    assert verdicts == {Verdict.PASS}
    more = [cell for cell in record.cells if cell.implementation == label]
    isolated = {cell.stage: cell.reason for cell in more if cell.mode == "isolated"}
    for stage in ("scores", "total"):
        assert f"{stage} is not written yet" in isolated[stage]
    assert Verdict.PASS not in {cell.verdict for cell in more}


@pytest.mark.compiled
def test_a_new_file_that_is_compiled_agrees_and_what_is_not_written_sets_nothing(harness: Harness) -> None:
    """No comparison passes of a function that sets nothing; C's header is written with the first file."""
    languages = ("c", "cpp", "fortran")
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", ",".join(languages)).exit_code == 0
    header = Path("cases/mine/mine.h").read_text(encoding="utf-8")
    assert "void total(size_t n, size_t k, const real scores[n][k], real out[n]);\n" in header
    for language in languages:
        written = harness("new", "impl", "mine", language, "--label", "more", "--suite", "cases")
        assert written.exit_code == 0, written.output
    assert Path("cases/mine/mine.h").read_text(encoding="utf-8") == header
    assert harness("run", "--suite", "cases").exit_code == 1
    record = read_record(Path("results/results.jsonl"))
    if record.header.absent:
        pytest.skip(record.header.absent[0].reason)
    for name in (*languages, "c-fast"):
        for label, verdict in ((name, Verdict.PASS), (f"{name}.more", Verdict.FAIL)):
            cells = [cell for cell in record.cells if cell.implementation == label]
            assert {cell.verdict for cell in cells} == {verdict}, label
            assert {cell.stage for cell in cells} == {"scores", "total"}
            if verdict is Verdict.FAIL:
                isolated = [
                    cell.stats for cell in cells if cell.mode == "isolated" and cell.stats is not None
                ]
                assert isolated
                assert all(stats.nan_mismatch == stats.count for stats in isolated)


@pytest.mark.compiled
def test_what_is_not_compiled_has_nothing_to_sanitize(harness: Harness) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", "c").exit_code == 0
    refused = harness("run", "--suite", "cases", "--impl", "numpy", "--sanitize")
    assert refused.exit_code == 2
    assert "nothing that was chosen is compiled" in refused.stderr
    result = harness("run", "--suite", "cases", "--impl", "c", "--sanitize")
    assert result.exit_code == 0, result.output
    assert "sanitized" in result.stdout


@pytest.mark.r
@pytest.mark.parametrize("flint", [True, False])
def test_a_new_case_compares_something(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, flint: bool
) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", "r").exit_code == 0
    wrong = "scores <- function(x, W) x %*% W * 0 + 42\ntotal <- function(scores) rowSums(scores) * 0 + 42\n"
    (Path("cases") / "mine" / "mine.R").write_text(wrong, encoding="utf-8")
    if not flint:
        gone = Absent(runtime="oracle", language="Python", reason="python-flint is not installed")
        monkeypatch.setattr("harness.conformance.observers.find_oracle", lambda: gone)
    result = harness("run", "--suite", "cases")
    record = read_record(Path("results/results.jsonl"))
    if any(absent.runtime == "r" for absent in record.header.absent):
        pytest.skip("no R here")
    assert result.exit_code == 1, result.output
    cells = [cell for cell in record.cells if cell.implementation == "r"]
    assert len(cells) == 4
    assert {cell.verdict for cell in cells} == {Verdict.FAIL}
    assert {cell.basis for cell in cells} == {"derived" if flint else "coarse"}


@pytest.mark.parametrize(
    ("languages", "files"),
    [
        ("numpy", {"mine.py"}),
        ("r", {"mine.py", "mine.R"}),
        ("julia, torch", {"mine.py", "mine.jl", "mine_torch.py"}),
    ],
)
def test_the_languages_are_chosen_and_numpy_is_always_there(
    harness: Harness, languages: str, files: set[str]
) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", languages).exit_code == 0
    assert {path.name for path in Path("cases/mine").iterdir()} == files | {"case.toml"}


def test_nothing_is_overwritten(harness: Harness) -> None:
    assert harness("new", "case", "mine", "--suite", "cases", "--lang", "numpy").exit_code == 0
    before = tree(Path("cases"))
    for command in (
        ["new", "case", "mine", "--suite", "cases"],
        ["new", "impl", "mine", "numpy", "--suite", "cases"],
    ):
        result = harness(*command)
        assert result.exit_code == 2
        assert "is there already" in result.stderr
    assert tree(Path("cases")) == before


def test_a_fixture_of_that_name_is_not_overwritten(harness: Harness) -> None:
    fixture = Path("cases/fixtures/mine/fixture.toml")
    fixture.parent.mkdir(parents=True)
    fixture.write_text("precious", encoding="utf-8")
    assert harness("new", "case", "mine", "--suite", "cases").exit_code == 2
    assert set(tree(Path("cases"))) == {"fixtures/mine/fixture.toml"}
    assert fixture.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["case", "1st"], "cannot be the name of a case"),
        (["case", "../mine"], "cannot be the name of a case"),
        (["case", "a" * 101], "cannot be the name of a case"),
        (["case", "function"], "reserved word"),
        (["case", "mine", "--lang", "numpy,cobol"], "no skeleton for cobol"),
        (["impl", "tyo", "r"], "no case is called 'tyo'"),
        (["impl", "toy", "cobol"], "no skeleton for 'cobol'"),
        (["impl", "toy", "gone"], "toy.gone by hand"),
        (["impl", "toy", "r", "--label", "../x"], "cannot be a label"),
        (["impl", "toy", "onnx"], "export the model as toy.onnx"),
        (["impl", "toy", "c-fast"], "c-fast runs the files of c"),
        (["impl", "toy", "c", "--from", "toy.c"], "toy.c: cannot be read: No such file"),
    ],
)
def test_a_user_s_mistake_writes_nothing(
    harness: Harness, suite: Path, args: list[str], message: str
) -> None:
    before = tree(suite)
    result = harness("new", *args, "--suite", suite)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert tree(suite) == before


def test_without_a_suite_one_called_conformance_is_made(harness: Harness) -> None:
    for name in ("mine", "more"):
        assert harness("new", "case", name, "--lang", "numpy").exit_code == 0
        assert load_case(Path("conformance", name)).name == name
    assert [line for line in harness("list").stdout.splitlines() if "mine" in line]


def test_without_a_suite_the_advice_is_to_name_or_begin_one(harness: Harness) -> None:
    result = harness("list")
    assert result.exit_code == 2
    assert "no suite here" in result.stderr
    assert "--suite DIR, or begin one: harness new case NAME" in result.stderr


def test_in_a_repository_the_fixture_lies_beside_the_cases(harness: Harness) -> None:
    Path("reference_impls").mkdir()
    Path("fixtures/other").mkdir(parents=True)
    Path("fixtures/other/fixture.toml").touch()
    assert harness("new", "case", "mine", "--lang", "numpy").exit_code == 0
    assert Path("fixtures/mine/arrays.safetensors").is_file()
    assert load_case(Path("reference_impls/mine")).name == "mine"


def test_a_new_implementation_has_every_stage(harness: Harness, suite: Path) -> None:
    result = harness("new", "impl", "toy", "julia", "--label", "fast", "--suite", suite)
    assert result.exit_code == 0, result.output
    assert "--impl julia.fast" in result.stdout
    source = (suite / "toy" / "toy.fast.jl").read_text(encoding="utf-8")
    for line in ("function twice(x)", "function more(twice)", "    # returns more [n]"):
        assert line in source.splitlines()
    result = harness("new", "impl", "toy", "numpy", "--label", "b", "--suite", suite)
    assert harness("run", "--suite", suite, "--impl", "numpy.b").exit_code == 4


def test_what_a_function_in_python_is_given_is_nothing_to_a_compiled_file(harness: Harness) -> None:
    """A case with ``given`` has a skeleton, as it has a run; one with text is refused, by the text's name."""
    text = """
[case]
name = "mean"
title = "A mean"
origin = "made up"
fixture = "mean"

[inputs]
close = ["n"]
period = { shape = [], dtype = "int", given = "scalar" }

[[stage]]
name = "mean"
inputs = ["close", "period"]
shape = ["n"]
"""
    case = Path("suite/mean/case.toml")
    case.parent.mkdir(parents=True)
    Path("suite/suite.toml").write_text("", encoding="utf-8")
    case.write_text(text, encoding="utf-8")
    for language, suffix, words in (
        ("c", "h", "void mean(size_t n, const real close[n], int64_t period, real out[n]);"),
        ("cpp", "cpp", "int64_t period"),
        ("fortran", "f90", "integer(8), intent(in) :: period"),
    ):
        written = harness("new", "impl", "mean", language, "--suite", "suite")
        assert written.exit_code == 0, written.output
        assert words in case.with_name(f"mean.{suffix}").read_text(encoding="utf-8")
    case.write_text(text.replace('"int", given = "scalar"', '"text"'), encoding="utf-8")
    refused = harness("new", "impl", "mean", "c", "--label", "b", "--suite", "suite")
    assert refused.exit_code == 2
    assert "mean: period is not a plain array of numbers" in " ".join(refused.output.split())


def test_a_size_that_no_input_has_is_set_by_a_subroutine_of_fortran(harness: Harness) -> None:
    text = """
[case]
name = "kept"
title = "What is positive"
origin = "made up"
fixture = "kept"

[inputs]
x = ["n"]

[[stage]]
name = "kept"
inputs = ["x"]
shape = ["m", 2]
"""
    case = Path("suite/kept/case.toml")
    case.parent.mkdir(parents=True)
    Path("suite/suite.toml").write_text("", encoding="utf-8")
    case.write_text(text, encoding="utf-8")
    written = harness("new", "impl", "kept", "fortran", "--suite", "suite")
    assert written.exit_code == 0, written.output
    source = case.with_name("kept.f90").read_text(encoding="utf-8")
    assert "subroutine kept(n, x, m, out)\n" in source
    assert "  integer, intent(out) :: m\n" in source
    assert "  type(c_ptr), intent(out) :: out  ! to real(HARNESS_REAL) kept(m, 2)\n" in source


def test_a_title_cannot_break_out_of_its_comment(harness: Harness, suite: Path) -> None:
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace(
        'title = "Twice √x, and one"', 'title = "one\\n\\"\\"\\"raise\\nstop()"'
    )
    case.write_text(text, encoding="utf-8")
    assert harness("new", "impl", "toy", "r", "--suite", suite).exit_code == 0
    assert (suite / "toy" / "toy.R").read_text(encoding="utf-8").startswith('# one """raise stop()\n# Limits')
    case.write_text(text.replace("stop()", "*/ int x; /*"), encoding="utf-8")
    for language, suffix in (("c", "c"), ("fortran", "f90")):
        assert harness("new", "impl", "toy", language, "--suite", suite).exit_code == 0
        first = (suite / "toy" / f"toy.{suffix}").read_text(encoding="utf-8").splitlines()[0]
        assert "* / int x; / *" in first


def test_all_outputs_of_a_stage_are_named(harness: Harness, suite: Path) -> None:
    case = suite / "toy" / "case.toml"
    with case.open("a", encoding="utf-8") as file:
        file.write(
            '\n[[stage]]\nname = "both"\ninputs = ["more"]\noutputs = [\n'
            '  { name = "low", shape = [], tolerance = { rule = "exact" } },\n'
            '  { name = "high", shape = ["n", 2], meaning = "more", tolerance = { rule = "exact" } },\n]\n'
        )
    assert harness("new", "impl", "toy", "torch", "--suite", suite).exit_code == 0
    source = (suite / "toy" / "toy_torch.py").read_text(encoding="utf-8")
    assert "    # returns low []\n    # returns high [n, 2]: more\n" in source
