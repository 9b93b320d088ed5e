"""Stand-alone scripts, run by their languages, without the harness."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.conformance.cell_script import Script, write
from harness.conformance.helpers import helper_files
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce
from harness.conformance.scripts import write_script
from harness.conformance.shown import Call, Due, OtherSide, Shown
from harness.errors import UsageError
from harness.model import Absent, Array, Mode
from harness.runtimes.registry import Registry

pytestmark = pytest.mark.usefixtures("interpreted_julia")
RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]
Run = Callable[[str, Script, Path], "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "reference_impls"

LANGUAGES = [
    "numpy",
    pytest.param("torch", marks=pytest.mark.torch),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=pytest.mark.julia),
]

# Seconds for each of its runs, and no line of a script that the others have not.
SLOW_TORCH = pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow])
SLOW_R = pytest.param("r", marks=[pytest.mark.r, pytest.mark.slow])
SLOW_JULIA = pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow])

# A scale that is wrong in each language.
BUGS = {
    "torch": ("** 0.5", "** 1.0"),
    "r": ("sqrt(ncol(K))", "ncol(K)"),
    "julia": ("sqrt(d_k)", "d_k"),
}
SOURCES = {"torch": "four_word_torch.py", "r": "four_word.R", "julia": "four_word.jl"}


@pytest.fixture
def run(run_script: RunScript) -> Run:
    """Runs a script where nothing of the harness can be found."""
    return lambda runtime, script, folder: run_script(runtime, write(script, folder))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """four_word with a planted bug in every language but the reference's."""
    suite = tmp_path / "suite"
    shutil.copytree(SUITE / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", suite / "fixtures" / "four_word")
    for runtime, name in SOURCES.items():
        path = suite / "four_word" / name
        text = path.read_text(encoding="utf-8")
        assert BUGS[runtime][0] in text
        path.write_text(text.replace(*BUGS[runtime]), encoding="utf-8")
    return suite


@pytest.mark.parametrize("runtime", ["numpy", SLOW_TORCH, SLOW_R, LANGUAGES[3]])
def test_a_sound_stage_is_within_its_limit(runtime: str, tmp_path: Path, run_by_itself: RunScript) -> None:
    plan = make_plan(SUITE, cases=("four_word",), precisions=("float64",))
    done = run_by_itself(runtime, write(reproduce(plan, "four_word", "weights", runtime), tmp_path))
    assert done.returncode == 0, done.stderr
    assert "0 of 16 elements are beyond their limit" in done.stdout


# Five seconds in each language.
@pytest.mark.parametrize("runtime", [SLOW_TORCH, LANGUAGES[2], SLOW_JULIA])
def test_a_planted_bug_shows_without_the_harness(
    runtime: str, broken: Path, tmp_path: Path, run: Run
) -> None:
    plan = make_plan(broken, cases=("four_word",), precisions=("float64",))
    done = run(runtime, reproduce(plan, "four_word", "weights", runtime), tmp_path)
    assert done.returncode == 1, done.stderr
    assert "of 16 elements are beyond their limit" in done.stdout


@pytest.mark.parametrize("runtime", [SLOW_TORCH, SLOW_R, SLOW_JULIA])
def test_what_follows_a_bug_is_off_by_what_it_inherits(
    runtime: str, broken: Path, tmp_path: Path, run: Run
) -> None:
    """Two scripts; `test_reproduce_faults` has chained and isolated ones of a stage in NumPy."""
    plan = make_plan(broken, cases=("four_word",), precisions=("float64",))
    inherits = reproduce(plan, "four_word", "attention", runtime)
    assert "_chained" in inherits.name
    done = run(runtime, inherits, tmp_path)
    assert done.returncode == 1, done.stderr
    isolated = reproduce(plan, "four_word", "attention", runtime, mode=Mode.ISOLATED)
    done = run(runtime, isolated, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0 of 12 elements are beyond their limit" in done.stdout


SYNTAX = {"r": "f <- function(x) {", "torch": "def f(x):\n    return (x"}
SAID = {"r": "unexpected end of input", "torch": "'(' was never closed"}


@pytest.mark.parametrize("runtime", [SLOW_TORCH, LANGUAGES[2]])
def test_a_syntax_error_has_the_cell_s_message(runtime: str, broken: Path, tmp_path: Path, run: Run) -> None:
    path = broken / "four_word" / SOURCES[runtime]
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{SYNTAX[runtime]}\n", encoding="utf-8")
    plan = make_plan(broken, cases=("four_word",), precisions=("float64",))
    script = reproduce(plan, "four_word", "weights", runtime)
    note = " ".join(line.removeprefix("# ") for line in script.text.splitlines() if line.startswith("# "))
    assert f"is ERROR: {SAID[runtime]} (line " in note or f"is ERROR: SyntaxError: {SAID[runtime]}" in note
    done = run(runtime, script, tmp_path)
    assert done.returncode != 0
    assert SAID[runtime] in done.stderr


SOUND = {
    "numpy": "import numpy as np\ndef same(a, b, c, n, t):\n    return a",
    "torch": "import torch\ndef same(a, b, c, n, t):\n    return a",
    "r": "same <- function(a, b, c, n, t) a",
    "julia": "same(a, b, c, n, t) = a",
}


def run_same(
    runtime: str, due: Array, inputs: tuple[tuple[str, Array], ...], folder: Path, run: Run
) -> subprocess.CompletedProcess[str]:
    """Run a script whose stage returns its first input, which is expected to the last bit."""
    shown = Shown(
        title="t",
        source=SOUND[runtime],
        call=Call(function="same", inputs=inputs, output=0, outputs=1),
        due=Due(high=due, low=np.zeros(due.shape), limit=np.zeros(due.shape)),
        nan=True,
        exact=True,
    )
    text = write_script(runtime, shown)
    assert text is not None
    return run(runtime, Script(name="t.txt", text=text), folder)


@pytest.mark.parametrize("runtime", LANGUAGES)
def test_every_bit_comes_through(runtime: str, tmp_path: Path, run: Run) -> None:
    values = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2.0**-1074 * 3, 1e22, 9007199254740993.0]
    values += [float("nan"), float("inf"), -float("inf"), 4.35]
    due: Array = np.array(values).reshape(2, 3, 2)
    others = (np.float64(2.5), np.array([True, False]), np.array(7, np.int64), np.array([[1, -2, 3]]))
    inputs = tuple(zip("abcnt", (due, *map(np.asarray, others)), strict=True))
    done = run_same(runtime, due, inputs, tmp_path, run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of 12 elements are beyond" in done.stdout


@pytest.mark.parametrize("runtime", LANGUAGES)
@pytest.mark.parametrize(
    ("ours", "due", "said"),
    [
        (np.nan, 2.0, "not a number on one side"),
        (2.0, np.nan, "not a number on one side"),
        (-np.inf, np.inf, "infinite on one side, or of another sign"),
    ],
)
def test_what_has_no_distance_is_said_in_words(
    runtime: str, ours: float, due: float, said: str, tmp_path: Path, run: Run
) -> None:
    one = np.array([1.0, ours, 4.0])
    inputs = tuple(zip("abcnt", (one, *[np.array(2.5)] * 4), strict=True))
    done = run_same(runtime, np.array([1.5, due, 4.0]), inputs, tmp_path, run)
    assert done.returncode == 1, done.stderr
    place = 1 if runtime in {"numpy", "torch"} else 2
    assert f"{said} at [{place}], counted from {place - 1}: got" in done.stdout
    assert "largest difference" not in done.stdout
    assert "2 of 3 elements are beyond" in done.stdout


# Without compiling, Julia reads thousands of numbers in a quarter of a minute.
@pytest.mark.parametrize("runtime", [*LANGUAGES[:3], SLOW_JULIA])
def test_every_number_of_a_large_array_comes_through(runtime: str, tmp_path: Path, run: Run) -> None:
    due: Array = np.random.default_rng(3).normal(size=(30, 7, 20))
    due[3, 4, 5], due[29, 6, 19] = np.nan, -0.0
    whole = np.arange(-600, 600).reshape(30, 40)
    inputs = tuple(zip("abcnt", (due, due > 0, whole, whole > 3, due * 1j), strict=True))
    done = run_same(runtime, due, inputs, tmp_path, run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of 4200 elements are beyond" in done.stdout


def test_no_expression_in_r_has_many_lines_of_numbers() -> None:
    """Rscript reads an expression in a time that grows with the square of its lines."""
    due: Array = np.random.default_rng(3).normal(size=(100, 100))
    shown = Shown(
        title="t",
        source=SOUND["r"],
        call=Call(function="same", inputs=tuple((name, due) for name in "abcnt"), output=0, outputs=1),
        due=Due(high=due, low=due, limit=np.abs(due)),
    )
    text = write_script("r", shown)
    assert text is not None
    texts = text.split('"')[1::2]
    assert sum("0x1." in literal for literal in texts) > 100
    assert max(literal.count("\n") for literal in texts) < 20


TURNED = {
    "numpy": "def a(z, w): return z * w",
    "torch": "def a(z, w): return z * w",
    "r": "a <- function(z, w) z * w",
    "julia": "a(z, w) = z .* w",
}
CONJUGATED = {
    "numpy": "def a(z, w): return z * w.conj()",
    "torch": "def a(z, w): return z * w.conj()",
    "r": "a <- function(z, w) z * Conj(w)",
    "julia": "a(z, w) = z .* conj(w)",
}


# Four scripts each; in single precision they are the same but for the type.
@pytest.mark.parametrize("runtime", ["numpy", SLOW_TORCH, LANGUAGES[2], SLOW_JULIA])
@pytest.mark.parametrize("dtype", ["complex128", pytest.param("complex64", marks=pytest.mark.slow)])
def test_complex_numbers_are_held_by_their_modulus(
    runtime: str, dtype: str, tmp_path: Path, run: Run
) -> None:
    if (runtime, dtype) == ("r", "complex64"):
        pytest.skip("R has no single precision")
    z = np.array([[1 + 2j, -3j, 0.1], [complex(-0.0, 5e-324), 2, 1 - 1j]]).astype(dtype)
    w = np.array([[2j, 1, 1 / 3], [1, 1 + 4j, 3 - 0.5j]]).astype(dtype)
    unit = float(np.finfo(dtype).eps)
    sound = Shown(
        title="t",
        source=TURNED[runtime],
        call=Call(function="a", inputs=(("z", z), ("w", w)), output=0, outputs=1),
        due=Due(high=z * w, low=np.zeros(z.shape), limit=2 * unit * np.abs(z * w)),
        kind="complex",
        dtype={"complex128": "float64", "complex64": "float32"}[dtype],
    )
    # Of a modulus 0.5 and 0.5 in both parts are 0.71.
    near = np.full(z.shape, 0.5 + 0.5j, dtype)
    given = msgspec.structs.replace(sound.due, high=(z * w + near).astype(dtype), limit=np.full(z.shape, 0.6))
    for source, due, said in (
        (TURNED, sound.due, "0 of 6 elements are beyond"),
        (CONJUGATED, sound.due, "3 of 6 elements are beyond"),
        (TURNED, given, "6 of 6 elements are beyond"),
        (TURNED, msgspec.structs.replace(given, limit=np.full(z.shape, 0.8)), "0 of 6 elements are beyond"),
    ):
        shown = msgspec.structs.replace(sound, source=source[runtime], due=due)
        text = write_script(runtime, shown)
        assert text is not None
        done = run(runtime, Script(name="t.txt", text=text), tmp_path)
        assert said in done.stdout, done.stdout + done.stderr
        assert done.returncode == int(not said.startswith("0"))


HELPED = {
    "numpy": (
        "from scale import by\n\n",
        "def a(x): return by(x)",
        "scale.py",
        "def by(x): return 3.0 * x\n",
    ),
    "torch": (
        "from scale import by\n\n",
        "def a(x): return by(x)",
        "scale.py",
        "def by(x): return 3.0 * x\n",
    ),
    "r": (
        'source("scale.R", local = TRUE)\n',
        "a <- function(x) by(x)",
        "scale.R",
        "by <- function(x) 3 * x\n",
    ),
    "julia": ('include("scale.jl")\n', "a(x) = by(x)", "scale.jl", "by(x) = 3 * x\n"),
}
GUARD = {
    "numpy": 'if __name__ == "__main__":\n    raise SystemExit("it is not the program")\n',
    "torch": 'if __name__ == "__main__":\n    raise SystemExit("it is not the program")\n',
    "r": 'if (sys.nframe() == 0L) stop("it is not the program")\n',
    "julia": 'if abspath(PROGRAM_FILE) == @__FILE__\n    error("it is not the program")\nend\n',
}


@pytest.mark.parametrize("runtime", LANGUAGES)
def test_helper_files_are_taken_along_and_no_program_runs(runtime: str, tmp_path: Path, run: Run) -> None:
    begin, function, name, helper = HELPED[runtime]
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / name).write_text(helper, encoding="utf-8")
    (folder / "other.txt").write_text("nobody names it", encoding="utf-8")
    source = folder / f"a{Path(name).suffix}"
    future = "from __future__ import annotations\n" if name.endswith(".py") else ""
    source.write_text(f"{future}{begin}{function}\n\n{GUARD[runtime]}", encoding="utf-8")
    files = helper_files(source)
    assert files == {name: helper.encode()}
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    shown = Shown(
        title="t",
        source=source.read_text(encoding="utf-8"),
        call=Call(function="a", inputs=(("x", x),), output=0, outputs=1),
        due=Due(high=3 * x + [[0, 0], [0, 1]], low=0 * x, limit=0 * x + 0.5),
        files=True,
    )
    text = write_script(runtime, shown)
    assert text is not None
    done = run(runtime, Script(name=f"t{Path(name).suffix}", text=text, files=files), tmp_path / "out")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 of 4 elements are beyond their limit" in done.stdout, done.stderr


WRONG = {
    "shape": (
        {"numpy": "x[:1]", "torch": "x[:1]", "r": "x[1, , drop = FALSE]", "julia": "x[1:1, :]"},
        "shape is",
    ),
    "dtype": (
        {"numpy": "x.astype('f4')", "torch": "x.float()", "r": "x > 0", "julia": "Float32.(x)"},
        "is expected",
    ),
    "no array": ({"numpy": "None", "torch": "None", "r": "NULL", "julia": "nothing"}, "is expected"),
}
DEFINE = {
    "numpy": "def a(x): return {}\n",
    "torch": "def a(x): return {}\n",
    "r": "a <- function(x) {}\n",
    "julia": "a(x) = {}\n",
}


@pytest.mark.parametrize("runtime", LANGUAGES)
@pytest.mark.parametrize("fault", [*WRONG, "no function"])
def test_what_is_no_difference_of_numbers_is_said(runtime: str, fault: str, tmp_path: Path, run: Run) -> None:
    returned, said = WRONG.get(fault, (dict.fromkeys(DEFINE, "x"), "there is no function b"))
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    shown = Shown(
        title="t",
        source=DEFINE[runtime].format(returned[runtime]),
        call=Call(function="b" if fault == "no function" else "a", inputs=(("x", x),), output=0, outputs=1),
        due=Due(high=x, low=0 * x, limit=0 * x + 10.0),
    )
    text = write_script(runtime, shown)
    assert text is not None
    done = run(runtime, Script(name="t.txt", text=text), tmp_path)
    assert (done.returncode, said in done.stdout) == (1, True), done.stdout + done.stderr


@pytest.mark.parametrize("runtime", LANGUAGES)
def test_two_sides_of_one_wrong_shape_are_off(runtime: str, tmp_path: Path, run: Run) -> None:
    x = np.array([1.0, 2.0])
    call = Call(function="a", inputs=(("x", x),), output=0, outputs=1)
    shown = Shown(
        title="t",
        source=DEFINE[runtime].format("x"),
        call=call,
        due=OtherSide(call=call, limit=0 * x),
        declared=(3,),
    )
    text = write_script(runtime, shown)
    assert text is not None
    done = run(runtime, Script(name="t.txt", text=text), tmp_path)
    assert (done.returncode, "shape is" in done.stdout) == (1, True), done.stdout + done.stderr
    text = write_script(runtime, msgspec.structs.replace(shown, declared=(2,)))
    assert text is not None
    assert run(runtime, Script(name="t.txt", text=text), tmp_path).returncode == 0


def test_the_low_part_of_the_truth_counts(tmp_path: Path, run: Run) -> None:
    """Results that are right to their last place but one, of which the old script saw none."""
    due = np.full(20_000, 1.0)
    low = np.where(np.arange(20_000) < 3_419, 1e-16, 0.0)
    shown = Shown(
        title="t",
        source=SOUND["numpy"].replace("a, b, c, n, t", "a"),
        call=Call(function="same", inputs=(("a", due),), output=0, outputs=1),
        due=Due(high=due, low=low, limit=np.full(20_000, 0.5e-16)),
    )
    text = write_script("numpy", shown)
    assert text is not None
    done = run("numpy", Script(name="t.py", text=text), tmp_path)
    assert done.returncode == 1, done.stderr
    assert "3419 of 20000 elements are beyond their limit" in done.stdout


def test_a_script_is_written_where_its_language_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    launch = Registry.launch
    absent = Absent(runtime="r", language="R", reason="there is no R here")
    monkeypatch.setattr(Registry, "launch", lambda self, name: absent if name == "r" else launch(self, name))
    plan = make_plan(SUITE, cases=("four_word",), precisions=("float64",))
    script = reproduce(plan, "four_word", "weights", "r")
    assert "# It has not been run: there is no R here" in script.text
    with pytest.raises(UsageError, match="there is nothing to show of four_word weights in r"):
        reproduce(plan, "four_word", "weights", "r", mode=Mode.CHAINED)


def test_what_cannot_be_reproduced() -> None:
    plan = make_plan(SUITE, cases=("four_word",), precisions=("float64",))
    with pytest.raises(UsageError, match="no implementation 'cobol'"):
        reproduce(plan, "four_word", "weights", "cobol")
    with pytest.raises(UsageError, match="no stage 'nowhere'"):
        reproduce(plan, "four_word", "nowhere", "numpy")
    assert write_script("node", None) is None  # type: ignore[arg-type]


WITHOUT_AN_ARRAY = {
    "torch": {
        "x.numpy()": "returned a ndarray, and a tensor is expected",
        "x.to_sparse()": "returned a tensor of layout torch.sparse_coo, and a dense one is expected",
        "x.bfloat16()": "returned a tensor of dtype torch.bfloat16 on the device cpu, which cannot be kept",
        "x.to('meta')": "returned a tensor of dtype torch.float64 on the device meta, which cannot be kept",
    },
    "numpy": {
        "__import__('numpy').ma.masked_equal(x, 0)": "returned a masked array, whose mask cannot be kept",
        "__import__('sys').exit(0)": "the process was ended before anything was returned",
        "__import__('os')._exit(0)": "os._exit was called before anything was returned",
    },
    "r": {"quit(status = 0)": "the process was ended before anything was returned"},
    "julia": {"exit(0)": "the process was ended before anything was returned"},
}


@pytest.mark.parametrize("runtime", LANGUAGES)
def test_what_returns_no_array_is_never_called_right(runtime: str, tmp_path: Path, run: Run) -> None:
    x = np.array([1.0, 2.0])
    shown = Shown(
        title="t",
        source="",
        call=Call(function="f", inputs=(("x", x),), output=0, outputs=1),
        due=Due(high=x, low=np.zeros(2), limit=np.ones(2)),
    )
    for returned, sentence in WITHOUT_AN_ARRAY[runtime].items():
        body = {
            "r": f"f <- function(x) {returned}\n",
            "julia": f"f(x) = {returned}\n",
        }.get(runtime, f"def f(x):\n    return {returned}\n")
        text = write_script(runtime, msgspec.structs.replace(shown, source=body))
        assert text is not None
        done = run(runtime, Script(name="t.txt", text=text), tmp_path)
        assert (done.returncode, done.stdout.strip()) == (1, sentence), done.stderr
