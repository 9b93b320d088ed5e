"""JavaScript and Octave: the cases, faults, hangs and ends; the forms of values of JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import psutil
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import ImplementationError, WorkerCrashed, WorkerTimeout
from harness.model import Absent, Check, Verdict
from harness.runtimes.registry import Registry
from tests.integration.interpreted_workers import LONG, NODE_STAGES, OCTAVE_STAGES, Hosted, started
from tests.integration.one_case import run_case

ROOT = Path(__file__).parents[2]
CASES = ("four_word", "self_attention", "sentiment_forward")


@pytest.mark.parametrize(
    "runtime",
    [pytest.param("node", marks=pytest.mark.node), pytest.param("octave", marks=pytest.mark.octave)],
)
def test_three_cases_pass(runtime: str, tmp_path: Path) -> None:
    suite = ROOT / "reference_impls"
    if isinstance(Registry.load(suite).launch(runtime), Absent):
        pytest.skip(f"there is no {runtime}")
    plan = make_plan(suite, cases=CASES, implementations=("numpy", runtime))
    record = run(plan, out=tmp_path / "out", require=(runtime,))
    cells = [cell for cell in record.cells if cell.implementation == runtime]
    verdicts = {cell.verdict for cell in cells if cell.precision != "float16"}
    assert verdicts - {Verdict.NOT_RUN} == {Verdict.PASS, Verdict.XFAIL}
    assert {cell.case for cell in cells} == set(CASES)
    assert {cell.precision for cell in cells if cell.verdict is Verdict.PASS} == {"float64", "float32"}
    assert sum(cell.check is Check.ORACLE for cell in cells) > 100


FAULTY = {
    "node": (
        "toy.mjs",
        "export const total = ({ data }) => data.reduce((a, b) => a + b, 1e-9);\n"
        "export const last = ({ data }) => data[data.length];\n",
    ),
    "octave": (
        "toy.m",
        "function y = total(x)\n  y = sum(x) + 1e-9;\nend\nfunction y = last(x)\n  y = x(end + 1);\nend\n",
    ),
}


CASE = """
[case]
name = "toy"
title = "faults"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "total"
inputs = ["x"]
shape = []

[[stage]]
name = "last"
inputs = ["x"]
shape = []
"""
PYTHON = "def total(x):\n    return x.sum()\n\n\ndef last(x):\n    return x[-1]\n"


@pytest.mark.parametrize(
    "runtime",
    [pytest.param("node", marks=pytest.mark.node), pytest.param("octave", marks=pytest.mark.octave)],
)
def test_a_wrong_function_is_found(runtime: str, tmp_path: Path) -> None:
    if isinstance(Registry.load(tmp_path).launch(runtime), Absent):
        pytest.skip(f"there is no {runtime}")
    file, text = FAULTY[runtime]
    record = run_case(tmp_path, "toy", CASE, {"toy.py": PYTHON, file: text}, np.arange(3.0))
    found = {cell.stage: cell.verdict for cell in record.cells if cell.implementation == runtime}
    # Beyond its end an array of JavaScript has nothing, and Octave's refuses.
    assert found == {"total": Verdict.FAIL, "last": Verdict.FAIL if runtime == "node" else Verdict.ERROR}


@pytest.mark.node
def test_forms_of_javascript(node: Hosted) -> None:
    for stage, due in {
        "lists": np.array([[1, 2], [3, 4.5]]),
        "flags": np.array([True, False]),
        "bare": np.array([1, 2, 3], dtype=np.int32),
        "promised": np.array(5.0),
        "inf": np.array([np.inf, -0.0, np.nan]),
        "default_of": np.array(5.0),
        "helped": np.array(5.0),
        "member": np.array(3.5),
        "method": np.array(5.0),
        "complex": np.array([complex(1, -0.0), 3 + 4j]),
        "child": np.array(2.5),
    }.items():
        (got,) = node.call(stage, 2.5)
        assert (got.dtype, got.shape) == (due.dtype, due.shape), stage
        assert got.tobytes() == due.tobytes() or (np.isnan(got) == np.isnan(due)).all(), stage
    assert "from a child" in node.worker.stderr_tail()
    first, second = node.call("byName", 1.0, outputs=2, names=("a", "b"))
    assert (first.item(), second.item()) == (1, 2)
    assert node.worker.load(node.path, {"default_of": 4}, deadline=LONG).problems == {}


@pytest.mark.node
@pytest.mark.parametrize(
    ("dtype", "kind"),
    [("float64", "number"), ("int64", "number"), ("bool", "boolean"), ("complex128", "Float64Array")],
)
def test_a_scalar_of_javascript_is_what_one_computes_with(node: Hosted, dtype: str, kind: str) -> None:
    (got,) = node.call("kinds", np.ones((), dtype=dtype))
    assert got.item() == len(kind)
    large = np.array(2**62 + 1)
    assert node.call("same", large)[0].tolist() == large.tolist()
    largest = np.array(2**64 - 1, dtype=np.uint64)
    assert node.call("same", largest)[0].tolist() == largest.tolist()
    assert node.call("wide", large)[0].tolist() == [2**63, 1]


@pytest.mark.node
@pytest.mark.parametrize(
    ("stage", "outputs", "words"),
    [
        ("ragged", 1, "lists of different lengths"),
        ("hole", 1, "returned a list with nothing at [1][1], and numbers are expected"),
        ("unset", 1, "returned a list with nothing at [0], and numbers are expected"),
        ("twoButOne", 2, "value 2 of 2: returned undefined, and an array is expected"),
        ("boolOfTwo", 1, "an array of dtype bool with 2 at [1] of its data, and 0 or 1 is expected"),
        ("sizeless", 1, "an array of shape [2,] with 2 elements"),
        ("mixed", 1, 'a list with the text "a"'),
        ("short", 1, "an array of shape [7] with 2 elements"),
        ("wrong_type", 1, "an array of dtype int32 whose data is a Float64Array"),
        ("same", 2, "returned a Object, and an array of 2 arrays is expected"),
        ("lists", 3, "returned 2 values, and 3 are expected"),
        ("tooWide", 1, "returned 18446744073709551616, and neither int64 nor uint64 holds"),
        ("mixedWide", 1, "returned 9223372036854775808, and neither int64 nor uint64 holds"),
        ("byName", 1, "returned a Object, and an array is expected"),
    ],
)
def test_values_of_javascript_that_are_no_arrays(node: Hosted, stage: str, outputs: int, words: str) -> None:
    error = node.refused(stage, np.ones(2), outputs=outputs)
    assert (error.kind, words in error.message) == ("value", True), error.message


@pytest.mark.node
def test_errors_of_javascript(node: Hosted) -> None:
    error = node.refused("line", 1.0)
    assert (error.kind, error.line) == ("call", node.marked)
    assert "stages.mjs:" in error.detail
    assert node.refused("thrown", 1.0).message == 'threw the text "only a text"'
    assert node.refused("deep", 1.0).kind == "call"
    path = node.path.with_name("broken.mjs")
    path.write_text("export const f = (x) => x;\n\nexport const g = (x => x;\n", encoding="utf-8")
    with pytest.raises(ImplementationError) as caught:
        node.worker.load(path, {"f": 1}, deadline=LONG)
    assert (caught.value.kind, caught.value.line) == ("load", 3)
    path.write_bytes("export const f = (x) => 'café';\n".encode("latin-1"))
    with pytest.raises(ImplementationError, match=r"(?i)utf-8"):
        node.worker.load(path, {"f": 1}, deadline=LONG)


@pytest.mark.node
def test_a_byte_that_is_not_utf8_is_refused_where_it_could_change_a_value(node: Hosted) -> None:
    path = node.path.with_name("latin.mjs")
    for comment in ("// café", "x; // café", " * café"):
        text = f"/*\n{comment}\n*/\nexport const f = (x) => x; // é\n"
        path.write_bytes(text.encode("latin-1"))
        assert node.worker.load(path, {"f": 1}, deadline=LONG).problems == {}
    for line in ("const u = 'a//é';", "/* */ const u = 'é'; // so", "const u = `é`;"):
        path.write_bytes(f"export const f = (x) => x;\n{line}\n".encode("latin-1"))
        with pytest.raises(ImplementationError, match="line 2 is not UTF-8"):
            node.worker.load(path, {"f": 1}, deadline=LONG)


@pytest.mark.node
def test_a_number_is_of_the_precision_that_its_stage_runs_in(node: Hosted) -> None:
    text = (
        "export const sum = ({ data }) => data.reduce((a, b) => Math.fround(a + b), 0);\n"
        "export const list = (x) => [[0.5, NaN], [-0, Infinity]];\n"
        "export const whole = (x) => 2 ** 24 + 1;\n"
        "export const wide = (x) => 0.1;\n"
    )
    path = node.path.with_name("numbers.mjs")
    path.write_text(text, encoding="utf-8")
    stages = dict.fromkeys(("sum", "list", "whole", "wide"), 1)

    def called(precision: str, stage: str) -> np.ndarray:
        handle = node.worker.load(path, stages, deadline=LONG, precision=precision).handle
        given = np.ones(3, dtype=precision)
        return node.worker.call(handle, stage, [given], outputs=1, deadline=LONG)[0][0]

    for precision in ("float32", "float64"):
        assert (called(precision, "sum").dtype, called(precision, "list").dtype) == (precision, precision)
    # A whole number may be an integer.
    assert called("float32", "whole").item() == 2**24 + 1
    assert called("float64", "wide").item() == 0.1
    with pytest.raises(
        ImplementationError, match=r"the number 0\.1, which is no float32: .*Math\.fround"
    ) as caught:
        called("float32", "wide")
    assert caught.value.kind == "value"


@pytest.mark.node
def test_promises_that_nobody_waits_for_or_settles_are_their_stages_errors(node: Hosted) -> None:
    path = node.path.with_name("promises.mjs")
    text = (
        "export const f = (x) => x;\n"
        "export const lost = (x) => {\n  Promise.reject(new Error('later'));\n  return x;\n};\n"
        "export const never = (x) => new Promise(() => {});\n"
        "export const late = (x) => new Promise((done) => setTimeout(() => done(x), 20));\n"
    )
    path.write_text(text, encoding="utf-8")
    handle = node.worker.load(path, dict.fromkeys(("f", "lost", "never", "late"), 1), deadline=LONG).handle

    def called(stage: str) -> object:
        return node.worker.call(handle, stage, [np.ones(())], outputs=1, deadline=LONG)[0][0].item()

    for _ in range(2):
        with pytest.raises(ImplementationError, match=r"later$") as caught:
            called("lost")
        assert (caught.value.kind, caught.value.line) == ("call", 3)
        with pytest.raises(ImplementationError, match="returned a promise that is never settled"):
            called("never")
    assert (called("f"), called("late")) == (1, 1)
    path.write_text("await new Promise(() => {});\nexport const f = (x) => x;\n", encoding="utf-8")
    with pytest.raises(ImplementationError, match="awaits a promise that is never settled"):
        node.worker.load(path, {"f": 1}, deadline=LONG)


@pytest.mark.node
def test_modules_that_are_imported_are_read_anew(node: Hosted) -> None:
    beside = node.path.with_name("beside.mjs")
    node.handle(helped=1)
    before = node.handle(helped=1)
    try:
        beside.write_text("export const twice = (x) => 20 * x;\n", encoding="utf-8")
        after = node.handle(helped=1)
        got = [
            node.worker.call(handle, "helped", [np.array(1.0)], outputs=1, deadline=LONG)[0][0].item()
            for handle in (before, after, before)
        ]
    finally:
        beside.write_text("export const twice = (x) => 2 * x;\n", encoding="utf-8")
    assert got == [2, 20, 2]


@pytest.mark.parametrize(
    ("runtime", "text"),
    [
        pytest.param("node", NODE_STAGES, marks=pytest.mark.node),
        pytest.param("octave", OCTAVE_STAGES, marks=pytest.mark.octave),
    ],
)
def test_hangs_and_ends(runtime: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / {"node": "stages.mjs", "octave": "stages.m"}[runtime]
    path.write_text(text, encoding="utf-8")
    (tmp_path / "beside.mjs").write_text("export const twice = (x) => x;\n", encoding="utf-8")
    hosted = Hosted(runtime, path, started(runtime, tmp_path))
    with pytest.raises(WorkerTimeout, match="hang"):
        hosted.worker.call(hosted.handle(hang=1), "hang", [np.ones(2)], outputs=1, deadline=0.5)
    assert not psutil.pid_exists(hosted.worker.pid)
    hosted = Hosted(runtime, path, started(runtime, tmp_path))
    with pytest.raises(WorkerCrashed, match=r"exit code 3.*last words"):
        hosted.call("quits", np.ones(2))
    assert not hosted.worker.alive


@pytest.mark.parametrize(
    "runtime",
    [pytest.param("node", marks=pytest.mark.node), pytest.param("octave", marks=pytest.mark.octave)],
)
def test_what_a_worker_says_of_itself(runtime: str, request: pytest.FixtureRequest) -> None:
    worker = request.getfixturevalue(runtime).worker
    assert re.match(r"\d+\.\d+\.\d+", worker.info.version)
    assert worker.info.dtypes == ("float64", "float32")
    assert (worker.scalars, worker.vectors) == ((False, False) if runtime == "octave" else (True, True))


@pytest.mark.node
def test_a_default_that_is_written_for_older_engines_may_be_left_out(tmp_path: Path) -> None:
    """As TypeScript writes one, or by ``arguments``; what is not handled is a number too many."""
    text = """
/** Say `due(x)` or this.due(x) -> number: a function. */
export function due(x, when) {
    if (when === void 0) { when = 1; }
    return { shape: x.shape, data: x.data.map((each) => each * when) };
}
export function lacks(x, when) { return x * when; }
export function rest() { return { shape: arguments[0].shape, data: arguments[0].data }; }
export function none() { return { shape: [2], data: new Float64Array(2), myarguments: 1 }; }
export const also = function (x, base, $at) { if ($at === undefined) $at = 2; return x * base * $at; };
"""
    case = {"due": "x", "lacks": "x", "also": "x", "rest": "x", "none": "x"}
    stages = "".join(f'[[stage]]\nname = "{name}"\ninputs = ["x"]\nshape = ["n"]\n' for name in case)
    top = '[case]\nname = "toy"\ntitle = "t"\norigin = "made up"\nfixture = "toy"\n[inputs]\nx = ["n"]\n'
    sources = {"toy.py": "".join(f"def {name}(x): return x\n" for name in case), "toy.mjs": text}
    record = run_case(tmp_path, "toy", top + stages, sources, np.array([1.5, 2.5]))
    cells = {cell.stage: cell for cell in record.cells if cell.language == "JavaScript"}
    assert cells["due"].verdict is Verdict.PASS
    assert cells["rest"].verdict is Verdict.PASS
    assert "none takes 0 arguments, and the stage has 1 inputs" in cells["none"].reason
    assert "lacks takes 2 arguments, and the stage has 1 inputs" in cells["lacks"].reason
    assert "also takes 3 arguments" in cells["also"].reason
