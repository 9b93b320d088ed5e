"""JavaScript and Octave: the cases, the forms of values, errors with lines, files beside, hangs and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import ImplementationError, WorkerCrashed, WorkerTimeout
from harness.model import Absent, Check, Verdict
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from tests.integration.one_case import run_case

ROOT = Path(__file__).parents[2]
CASES = ("four_word", "self_attention", "sentiment_forward")
LONG = 60.0

NODE_STAGES = """
export const wide = (x) => [2n ** 63n, 1n];
export const tooWide = (x) => 2n ** 64n;
export const mixedWide = (x) => [2n ** 63n, -1n];
import { twice } from './beside.mjs';
import { execSync } from 'node:child_process';
import fs from 'node:fs';

export const same = (x) => x;
export const kinds = (x) => (typeof x === 'object' ? x.data.constructor.name : typeof x).length;
export const lists = (x) => [[1, 2], [3, 4.5]];
export const flags = (x) => [true, false];
export const bare = (x) => Int32Array.of(1, 2, 3);
export const promised = async (x) => 2 * x;
export const ragged = (x) => [[1], [2, 3]];
export const hole = (x) => [[1, 2], [3, , 4]];
export const unset = (x) => new Array(2);
export const twoButOne = (x) => [x, , ];
export const boolOfTwo = (x) => ({ dtype: 'bool', shape: [2], data: Uint8Array.of(1, 2) });
export const sizeless = (x) => ({ shape: [2, , ], data: Float64Array.of(1, 2) });
export const mixed = (x) => [1, 'a'];
export const short = ({ data }) => ({ shape: [7], data });
export const wrong_type = ({ data, shape }) => ({ dtype: 'int32', shape, data });
export const inf = (x) => [Infinity, -0, NaN];
export const default_of = (x, y = 2, ...more) => x * y;
export const helped = (x) => twice(x);
export const complex = (x) => ({ dtype: 'complex128', shape: [2], data: Float64Array.of(1, -0, 3, 4) });
export const byName = (x) => ({ b: 2, a: 1 });
export const child = (x) => (execSync('echo from a child', { stdio: 'inherit' }), x);
export const deep = (x) => deep(x) + 1;
export function line(x) {
  null.nothing;  // the line
}
export function thrown(x) {
  throw 'only a text';
}
export const quits = (x) => (console.log('last words'), process.exit(3));
export const hang = (x) => { while (true); };
export default { k: 2, member: (x) => x + 1, method(x) { return x * this.k; } };
"""
OCTAVE_STAGES = """% One line before.
1;
scale = 3;
function y = same(x)
  y = x;
end
function varargout = many(x)
  varargout = {x, 2 * x};
end
function [low, high, unused] = range_of(x)
  low = min(x(:));
  high = max(x(:));
  unused = 0;
end
function y = row(x)
  y = x(:).';
end
function y = sum(x)
  y = 40 + numel(x);
end
function y = own_sum(x)
  y = sum(x);
end
function y = size(x)
  y = 1;
end
function y = sparse_one(x)
  y = sparse([1 0; 0 2]);
end
function y = range_one(x)
  y = 1:4;
end
function y = eye_one(x)
  y = 2 * eye(2);
end
function y = whole(x)
  y = int8([100 27]) + 100;
end
function y = complex_one(x)
  y = complex([1; 2], [0; -3]);
end
function y = helped(x)
  y = helper(x);
end
function y = fields(x)
  y.b = 2;
  y.a = 1;
end
function y = line(x)
  y = x;
  undefined_here + 1;  % the line
end
function y = numbers(x)
  error('a \\\\" "1000000.0, [2000000.0] 3.0');
end
function y = letters(x)
  y = "four";
end
function y = cells(x)
  y = {x};
end
function y = optional(x, varargin)
  y = x + numel(varargin);
end
function y = child(x)
  system("echo from a child");
  y = x;
end
function y = deep(x)
  y = deep(x);
end
function y = quits(x)
  disp("last words");
  exit(3);
end
function y = hang(x)
  while true, end
end
"""


class Hosted(NamedTuple):
    runtime: str
    path: Path
    worker: Worker

    def handle(self, **stages: int) -> str:
        loaded = self.worker.load(self.path, stages, deadline=LONG)
        assert loaded.problems == {}
        return loaded.handle

    def call(
        self, stage: str, *inputs: object, outputs: int = 1, names: tuple[str, ...] = ()
    ) -> list[np.ndarray]:
        arrays = [np.asarray(each) for each in inputs]
        handle = self.handle(**{stage: len(arrays)})
        return self.worker.call(handle, stage, arrays, outputs=outputs, deadline=LONG, names=names)[0]

    def refused(self, stage: str, *inputs: object, outputs: int = 1) -> ImplementationError:
        with pytest.raises(ImplementationError) as caught:
            self.call(stage, *inputs, outputs=outputs)
        assert self.worker.alive
        return caught.value

    @property
    def marked(self) -> int:
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return next(number for number, line in enumerate(lines, 1) if line.endswith("the line"))


def started(runtime: str, folder: Path) -> Worker:
    launch = Registry.load(folder).launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    return Worker.start(runtime, launch, stderr=folder / f"{runtime}.stderr", deadline=LONG)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("node")
    (folder / "stages.mjs").write_text(NODE_STAGES, encoding="utf-8")
    (folder / "beside.mjs").write_text("export const twice = (x) => 2 * x;\n", encoding="utf-8")
    hosted = Hosted("node", folder / "stages.mjs", started("node", folder))
    yield hosted
    hosted.worker.stop()
    assert not hosted.worker.alive


@pytest.fixture(scope="module")
def octave(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("octave")
    (folder / "stages.m").write_text(OCTAVE_STAGES, encoding="utf-8")
    (folder / "stages").mkdir()
    (folder / "stages" / "helper.m").write_text("function y = helper(x)\ny = 7 * x;\n", encoding="utf-8")
    (folder / "stages" / "alone.m").write_text(
        "function y = alone(x)\ny = helper(x) + 1;\n", encoding="utf-8"
    )
    hosted = Hosted("octave", folder / "stages.m", started("octave", folder))
    yield hosted
    hosted.worker.stop()
    assert not hosted.worker.alive


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


@pytest.mark.octave
def test_forms_of_octave(octave: Hosted) -> None:
    x = np.array([1.0, 2.5])
    for stage, due in {
        "row": x[None],
        "sum": np.array([[42.0]]),
        "own_sum": np.array([[42.0]]),
        "sparse_one": np.array([[1.0, 0], [0, 2]]),
        "range_one": np.array([[1.0, 2, 3, 4]]),
        "eye_one": 2 * np.eye(2),
        "whole": np.array([[127, 127]], dtype=np.int8),
        "complex_one": np.array([[1], [2 - 3j]]),
        "helped": 7 * x[:, None],
        "alone": 7 * x[:, None] + 1,
        "optional": x[:, None],
        "child": x[:, None],
    }.items():
        (got,) = octave.call(stage, x)
        assert (got.dtype, got.shape) == (due.dtype, due.shape), stage
        np.testing.assert_array_equal(got, due, err_msg=stage)
    assert "from a child" in octave.worker.stderr_tail()


@pytest.mark.octave
def test_sizes_of_a_million_and_more_of_octave(octave: Hosted) -> None:
    for count in (10**6, 10**6 + 1):
        x = np.arange(float(count))
        (got,) = octave.call("same", x)
        assert got.shape == (count, 1)
        np.testing.assert_array_equal(got[:, 0], x)


@pytest.mark.octave
def test_numbers_in_messages_of_octave_stay_as_they_are(octave: Hosted) -> None:
    assert octave.refused("numbers", 1.0).message == r'a \\" "1000000.0, [2000000.0] 3.0'


@pytest.mark.octave
def test_several_outputs_of_octave(octave: Hosted) -> None:
    x = np.array([3.0, 1.0, 2.0])
    low, high = octave.call("range_of", x, outputs=2)
    assert (low.item(), high.item()) == (1, 3)
    assert octave.call("range_of", x)[0].item() == 1
    once, twice = octave.call("many", x, outputs=2)
    np.testing.assert_array_equal(twice, 2 * once)
    first, second = octave.call("fields", x, outputs=2, names=("a", "b"))
    assert (first.item(), second.item()) == (1, 2)
    loaded = octave.worker.load(octave.path, {"optional": 3, "many": 2, "nowhere": 1}, deadline=LONG)
    assert {stage: why.kind for stage, why in loaded.problems.items()} == {
        "many": "arity",
        "nowhere": "missing",
    }
    assert loaded.problems["many"].line == 7


@pytest.mark.octave
@pytest.mark.parametrize(
    ("stage", "outputs", "words"),
    [
        ("letters", 1, "the text 'four' is returned"),
        ("cells", 1, "a cell array of 1 is returned"),
        ("cells", 2, "1 values are returned, and 2 are expected"),
        ("fields", 1, "a struct is returned"),
        ("same", 2, "a double is returned, and 2 arrays are expected"),
    ],
)
def test_values_of_octave_that_are_no_arrays(octave: Hosted, stage: str, outputs: int, words: str) -> None:
    error = octave.refused(stage, np.ones(2), outputs=outputs)
    assert (error.kind, words in error.message) == ("value", True), error.message


@pytest.mark.octave
def test_errors_of_octave(octave: Hosted) -> None:
    error = octave.refused("line", 1.0)
    assert (error.kind, error.line) == ("call", octave.marked)
    assert "undefined_here" in error.message
    assert f"{octave.path}:{octave.marked}: line" in error.detail
    assert octave.refused("deep", 1.0).kind == "call"
    assert octave.refused("same", np.ones(1, np.float16)).message == "Octave has no float16"
    path = octave.path.with_name("broken.m")
    for text, line in (
        ("function y = f(x)\n  y = x;\nend\nfunction y = g(x)\n  y = (x];\nend\n", 5),
        ("function y = f(x)\ny = x;\n\nfunction y = g(x)\ny = (x];\n", 5),
        ("pkg load no_such_package_here\nfunction y = f(x)\n  y = x;\nend\n", 1),
        ("% caf\xe9\n", 1),
    ):
        path.write_text(text, encoding="latin-1")
        with pytest.raises(ImplementationError) as caught:
            octave.worker.load(path, {"f": 1}, deadline=LONG)
        assert (caught.value.kind, caught.value.line) == ("load", line), text


F = "function y = f(x)\n  if x(end) > 0 % end\n    y = x;\n  end\nend\n"
ONE = "function y = g(x) y = 3 * x; end"


@pytest.mark.octave
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (F + "global K\nK = 2;\n", 6),
        (F + "\n% more\nif true\n  K = 2;\nend\n", 8),
        (F + "K = 2;\n" + ONE + "\n", 6),
        (F + ONE + "\n" + "K = 2;", 7),
        (F + ONE + "; K = 2;\n", 6),
    ],
)
def test_a_statement_behind_functions_of_octave_is_refused(octave: Hosted, text: str, line: int) -> None:
    path = octave.path.with_name("tail.m")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ImplementationError) as caught:
        octave.worker.load(path, {"f": 1}, deadline=LONG)
    assert (caught.value.kind, caught.value.line) == ("load", line)
    assert f"tail.m, line {line}: a statement behind a function" in caught.value.message


@pytest.mark.octave
def test_comments_and_other_functions_may_stand_behind_functions_of_octave(octave: Hosted) -> None:
    path = octave.path.with_name("tail.m")
    nested = "function y = h(x)\n  function inner()\n    y = 3;\n  end\n  y = x;\n  inner();\nend\n"
    path.write_text(
        f"K = 2;\n{F}; # so\n%{{\nK = 3;\n%}}\n\n{ONE}, % done\n{nested}%!test K = 1;\n", encoding="utf-8"
    )
    assert not octave.worker.load(path, {"f": 1, "g": 1, "h": 1}, deadline=LONG).problems


@pytest.mark.octave
def test_functions_may_end_where_the_next_one_begins(octave: Hosted) -> None:
    path = octave.path.with_name("plain.m")
    path.write_text(
        "% f and g\n\nfunction y = f(x)\nif x > 0\n  y = g(x);\nend\n\nfunction y = g(x)\ny = 3 * x;\n",
        encoding="utf-8",
    )
    handle = octave.worker.load(path, {"f": 1}, deadline=LONG).handle
    assert octave.worker.call(handle, "f", [np.array(2.0)], outputs=1, deadline=LONG)[0][0].item() == 6


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
