"""Python files as stages: names, arguments, lines and values."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from harness.workers.loop import WorkerFault
from harness.workers.python_host import NumpyHost, give
from harness.workers.python_source import PythonFile, outputs_of


def source(tmp_path: Path, text: str) -> PythonFile:
    path = tmp_path / "stages.py"
    path.write_text(text, encoding="utf-8")
    return PythonFile(str(path))


def test_files_have_modules_of_their_own(tmp_path: Path) -> None:
    before = list(sys.path)
    first = source(
        tmp_path, "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\ndef f(): return A(1)"
    )
    second = source(tmp_path, "def f(): return 'A' in globals()")
    assert first.call("f", [])[1].x == 1
    assert second.call("f", [])[1] is False
    assert sys.path == before
    assert list(tmp_path.iterdir()) == [tmp_path / "stages.py"]


@pytest.mark.parametrize("ending", ["", "raise ValueError('late')"])
def test_a_function_that_a_file_replaces_in_a_library_is_put_back(tmp_path: Path, ending: str) -> None:
    exp = np.exp
    with pytest.raises(WorkerFault, match="late" if ending else "replaces numpy.exp") as caught:
        source(tmp_path, f"import numpy as np\nold = np.exp\nnp.exp = lambda x: old(x) + 1\n{ending}")
    assert caught.value.kind == "load"
    assert np.exp is exp


def test_a_file_may_add_to_a_library_and_use_it_under_names_of_its_own(tmp_path: Path) -> None:
    text = "import numpy as np\nfrom numpy import exp\nnp.of_old_code = float\ndef f(): return exp(0)"
    try:
        assert source(tmp_path, text).call("f", [])[1] == 1
    finally:
        del np.of_old_code  # type: ignore[attr-defined]


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    assert source(tmp_path, "def f(): return 1").call("f", [])[1] == 1
    assert source(tmp_path, "def f(): return 2").call("f", [])[1] == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = 1\ny = (2\nz = 3\n", 2, r"SyntaxError: '\(' was never closed"),
        ("def f():\n  x = 1\n y = 2\n", 3, "IndentationError"),
        ("x = 1\n\nraise ValueError('no')\n", 3, "ValueError: no"),
        ("import sys\nsys.exit(5)\n", 2, r"sys.exit\(5\)"),
        ("import json\n\njson.loads('{')\n", 3, "JSONDecodeError"),
        ("x = '\0'", None, "null"),
    ],
)
def test_a_file_that_cannot_be_evaluated(tmp_path: Path, text: str, line: int | None, words: str) -> None:
    with pytest.raises(WorkerFault, match=words) as caught:
        source(tmp_path, text)
    assert (caught.value.kind, caught.value.line) == ("load", line)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WorkerFault, match="cannot be read: No such file") as caught:
        PythonFile(str(tmp_path / "none.py"))
    assert caught.value.line is None


ARITY = """
def two(a, b): pass
def optional(a, b=1): pass
def many(a, *rest): pass
def keyword(a, *, b): pass
from math import hypot as built_in
two_lambda = lambda a, b: a
class Callable:
    def __call__(self, a): return a
instance = Callable()
number = 3
"""


def test_missing_stages_and_arguments(tmp_path: Path) -> None:
    file = source(tmp_path, ARITY)

    def kinds(**stages: int) -> dict[str, str]:
        return {problem["stage"]: problem["kind"] for problem in file.problems(stages)}

    assert kinds(two=2, optional=1, many=1, built_in=2, two_lambda=2, instance=1) == {}
    assert kinds(optional=2, many=5) == {}
    wrong = {"two": 1, "optional": 3, "many": 0, "keyword": 1, "two_lambda": 3, "instance": 2}
    assert kinds(**wrong) == dict.fromkeys(wrong, "arity")
    assert kinds(number=1, nowhere=1) == {"number": "missing", "nowhere": "missing"}
    assert file.problems({"two": 3})[0]["line"] == 2


def test_an_error_has_the_innermost_line_of_the_file(tmp_path: Path) -> None:
    text = "import json\n\ndef helper(x):\n    return json.loads(x)\n\ndef f(x):\n    return helper(x)\n"
    with pytest.raises(WorkerFault, match="JSONDecodeError") as caught:
        source(tmp_path, text).call("f", ["{"])
    assert (caught.value.kind, caught.value.line) == ("call", 4)
    assert "in helper" in caught.value.detail
    assert "python_source" not in caught.value.detail


def test_an_error_that_cannot_be_printed(tmp_path: Path) -> None:
    text = "class E(Exception):\n    def __str__(self): raise self\ndef f():\n    raise E\n"
    with pytest.raises(WorkerFault, match=r"^E$") as caught:
        source(tmp_path, text).call("f", [])
    assert caught.value.line == 4


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, "bool"), (3, "int64"), (2.5, "float64"), (1j, "complex128"), (np.float32(1), "float32"),
        (np.zeros((2, 0), np.int8), "int8"), (np.longlong(5), "int64"), (np.float16(1), "float16"),
    ],
)  # fmt: skip
def test_numbers_and_arrays_are_given(value: object, dtype: str) -> None:
    array = give(value)
    assert (type(array), array.dtype.name, array.shape) == (np.ndarray, dtype, np.shape(value))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "'text', a str"), (None, "None"), ([1.0], "a list of 1"), ({"a": 1}, "a dict of 1"),
        (np.array(["text"]), "<U4"), (np.array([None]), "object"), (2**64, "too large|too big"),
        (np.ma.masked_array([1.0], [True]), "mask"), (range(3), "a range"),
        (np.timedelta64(1, "s"), "timedelta64"),
    ],
)  # fmt: skip
def test_what_is_no_array_is_refused(value: object, words: str) -> None:
    with pytest.raises(WorkerFault, match=words) as caught:
        outputs_of(value, [""], give)
    assert caught.value.kind == "value"


def test_the_number_of_outputs() -> None:
    array = np.ones(2)
    assert len(outputs_of((array, array), ["", ""], give)) == 2
    assert len(outputs_of([array, 3.0], ["a", "b"], give)) == 2
    for value, outputs, words in (
        ((array,), 1, "a tuple of 1"), ((array,), 2, "1 values, and 2"), (np.ones((2, 2)), 2, "2 arrays in"),
        ((array, "text"), 2, "value 2 of 2: returned 'text'"), ((array, array, array), 2, "3 values, and 2"),
    ):  # fmt: skip
        with pytest.raises(WorkerFault, match=words):
            outputs_of(value, [""] * outputs, give)


class Fit(NamedTuple):
    b: Any
    a: Any


class Frame:
    """A data frame as pandas and polars have it: columns by name."""

    columns = ("b", "a", "text")

    def __getitem__(self, name: str) -> Column:
        return Column({"a": [1.0, 2.0], "b": [3.0, 4.0], "text": []}[name])

    def to_numpy(self) -> Any:
        raise AssertionError("not as a whole")


class Column(list[float]):
    def to_numpy(self) -> Any:
        return np.array(self)


class Sparse:
    nnz = 1

    def toarray(self) -> Any:
        return np.eye(2)


A, B = np.array([1.0, 2.0]), np.array([3.0, 4.0])


@pytest.mark.parametrize("value", [{"b": B, "a": A, "c": None}, Fit(B, A), Frame(), (A, B), [A, B]])
def test_outputs_by_name_or_by_position(value: object) -> None:
    assert [array.tolist() for array in outputs_of(value, ["a", "b"], give)] == [[1.0, 2.0], [3.0, 4.0]]


def test_one_output_by_name() -> None:
    for value in ({"b": B, "a": A}, Fit(B, A), Frame()):
        assert outputs_of(value, ["a"], give)[0].tolist() == [1.0, 2.0]


def test_names_that_are_not_due() -> None:
    for value, names, words in (
        ({"b": B, "x": A}, ["a", "b"], "returned a dict with b, x: a is missing"),
        ({"x": A}, ["a"], "returned a dict with x: a is missing"),
        (Fit(B, A), ["a", "x"], "returned a Fit with b, a: x is missing"),
        (Frame(), ["x"], "returned a Frame with b, a, text: x is missing"),
        ({"b": B, "a": "no"}, ["b", "a"], "value 2 of 2: returned 'no'"),
    ):
        with pytest.raises(WorkerFault, match=words):
            outputs_of(value, names, give)


def test_a_librarys_own_names_are_no_names_of_outputs() -> None:
    w, v = outputs_of(np.linalg.eigh(np.diag([1.0, 2.0])), ["w", "v"], give)
    assert w.tolist() == [1.0, 2.0]
    assert v.shape == (2, 2)


def test_a_sparse_matrix_is_a_plain_one() -> None:
    assert outputs_of(Sparse(), ["a"], give)[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_numpy_describes_itself() -> None:
    facts = NumpyHost().describe()
    assert facts["libraries"] == {"numpy": np.__version__}
    assert facts["blas"]
