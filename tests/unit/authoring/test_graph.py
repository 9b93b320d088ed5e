"""What is read of Python files, and the stages and inputs that are made of it; nothing is run here."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.authoring.adapt import adapters, copy
from harness.authoring.graph import graph_of
from harness.authoring.inputs import inputs_of
from harness.authoring.read_python import read_python
from harness.authoring.sources import Argument, Source
from harness.authoring.steps import Graph, needed
from harness.errors import UsageError
from harness.store.samples_of_files import Gathered

MAIN = """\
'''Two steps.'''
import numpy as np
LIMIT = 3
SEEN = []


def design(X):
    return X + LIMIT


def fit(A, y, ridge=0.0):
    return A @ y, {"not": "returned"}


def main(path):
    X, y = load(path)
    A = design(X)
    beta, info = fit(A, y, ridge=0.5)
    for i in range(3):
        design(beta)
    print(np.round(residuals(A, y, beta), 3))


def load(path):
    return path, path


def residuals(A, y, beta):
    r = y - A @ beta
    return r


if __name__ == "__main__":
    main("d.csv")
"""


def source(text: str, name: str = "fit.py") -> Source:
    return read_python(Path(name), text)


def graph(text: str, given: tuple[str, ...] = ()) -> Graph:
    read = source(text)
    return graph_of(read, given, {function.name for function in read.functions})


def steps(found: Graph) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    return [(step.name, step.function, step.inputs, step.outputs) for step in found.steps]


def test_the_functions_of_a_file() -> None:
    read = source(MAIN)
    fit = read.function("fit")
    assert fit is not None
    assert fit.arguments == (
        Argument(name="A"), Argument(name="y"), Argument(name="ridge", optional=True, default="0.0"),
    )  # fmt: skip
    assert (fit.line, fit.required, fit.returns) == (11, ("A", "y"), ("", ""))
    assert read.function("residuals").returns == ("r",)  # type: ignore[union-attr]
    assert read.runtime == "numpy"
    assert source("import torch\nimport numpy\n").runtime == "torch"


def test_the_main_program_says_what_is_computed_from_what() -> None:
    found = graph(MAIN)
    assert steps(found) == [
        ("design", "design", ("X",), ("design",)),
        ("fit", "fit", ("design", "y", "ridge"), ("beta", "info")),
        ("residuals", "residuals", ("design", "y", "beta"), ("residuals",)),
    ]
    assert found.inputs == ("X", "y", "ridge")
    assert found.numbers == {"ridge": "0.5"}
    assert found.told[0] == "main() calls: design, fit, residuals"
    assert "load() is no stage: line 16 passes path, which is no array" in found.told


def test_a_function_that_is_called_twice_is_two_stages() -> None:
    found = graph(
        "def step(w, x, rate):\n    return w - rate * x\n\nv = step(x, x, 0.1)\nu = step(v, x, rate=-0.5)\n"
    )
    assert steps(found) == [
        ("v", "step", ("w", "w", "rate"), ("v",)),
        ("u", "step", ("v", "w", "rate_2"), ("u",)),
    ]
    assert found.numbers == {"rate": "0.1", "rate_2": "-0.5"}


def test_items_of_one_table_are_inputs_of_their_own() -> None:
    text = "def total(x):\n    return x.sum()\n\nd = read()\na = total(d['a'])\nb = total(d['b'])\n"
    found = graph(text, ("a", "b"))
    assert [step.inputs for step in found.steps] == [("a",), ("b",)]
    assert found.inputs == ("a", "b")
    # What is made of a column is what the argument is called; the column itself is the same input.
    both = "def f(age):\n    return age\ndef g(x):\n    return x\n"
    text = f"{both}d = read()\nf(as_date(d['age']))\ng(d['age'])\n"
    assert [step.inputs for step in graph(text, ("age",)).steps] == [("age",), ("age",)]


def test_a_call_inside_of_a_call_is_a_stage() -> None:
    found = graph("def f(x):\n    return x\n\n\ndef g(f, y):\n    return f\n\n\nprint(g(f(a), y=b).sum())\n")
    assert steps(found) == [("f", "f", ("x",), ("f",)), ("g", "g", ("f", "y"), ("g",))]


def test_a_function_that_only_calls_is_the_program() -> None:
    text = """
def f(x):
    return x + 1
def g(x, y):
    return x * y
def whole(x, y):
    '''Both.'''
    a = f(x)
    return g(a, y)
"""
    assert steps(graph(text)) == [("f", "f", ("x",), ("f",)), ("g", "g", ("f", "y"), ("g",))]
    does_more = graph(text.replace("return g(a, y)", "return g(a, y) + 1"))
    assert [step.name for step in does_more.steps] == ["whole"]
    assert "f() is no stage: another function calls it; --input x=... would make it one" in does_more.told


def test_without_a_program_names_say_it() -> None:
    text = """
def centre(x):
    c = x - x.mean()
    return c
def scale(c, ddof=1):
    return c.std(ddof=ddof)
def z(centre, scale):
    return centre / scale
def inner(q):
    return q
def outer(x):
    return inner(x)
"""
    found = graph(text, ("x",))
    assert steps(found) == [
        ("centre", "centre", ("x",), ("centre",)),
        ("scale", "scale", ("centre",), ("scale",)),
        ("z", "z", ("centre", "scale"), ("z",)),
        ("outer", "outer", ("x",), ("outer",)),
    ]
    assert found.inputs == ("x",)
    assert "inner() is no stage: another function calls it; --input q=... would make it one" in found.told
    assert ("scale", "scale", ("centre", "ddof"), ("scale",)) in steps(graph(text, ("x", "ddof")))


def test_a_helper_that_makes_what_another_takes_is_a_stage() -> None:
    text = """
def design(x):
    return x
def fit(x, y):
    return design(x) @ y
def residuals(design, y, fit):
    return y
"""
    assert [step.name for step in graph(text).steps] == ["design", "fit", "residuals"]
    around = graph("def f(g):\n    return g\ndef g(f):\n    return f\ndef h(x):\n    return x\n")
    assert [step.name for step in around.steps] == ["h"]
    assert "f() is no stage: its arguments go in a circle" in around.told


WRITTEN = """
def scaled(x, k, method="a"):
    return helped(x) * k
def helped(x):
    return x + 1
"""


def test_what_a_call_writes_out_does_not_make_a_function_the_program() -> None:
    found = graph(WRITTEN + "if __name__ == '__main__':\n    print(scaled([1, 2, 3], 0.5))\n")
    assert steps(found) == [("scaled", "scaled", ("x", "k"), ("scaled",))]
    assert found.numbers == {"x": "[1, 2, 3]", "k": "0.5"}
    # What is computed is no array either, but then only names can say what it is.
    assert steps(graph(WRITTEN + "print(scaled(read('d.csv'), 0.5))\n", ("x",)))[-1][0] == "scaled"


def test_defaults_and_variables_of_main_are_numbers() -> None:
    main = """
def main(path="d.csv", k=0.5, method="b"):
    n: int = 3
    weights, low = [1.0, 2.0], -1
    grown = [1.0]
    grown.append(2.0)
    for i in range(3):
        low = i
    x = np.load(path)
    a = scaled(x, k, method)
    b = scaled(weights, n)
    c = scaled(grown, low)
"""
    found = graph(WRITTEN + main + "main()\n", ("x",))
    assert [step.inputs for step in found.steps] == [
        ("x", "k", "method"),
        ("x_2", "k_2"),
        ("x_3", "k_3"),
    ]
    assert found.numbers == {"k": "0.5", "method": "'b'", "x_2": "[1.0, 2.0]", "k_2": "3"}
    # What main is given comes before its defaults.
    found = graph(WRITTEN + main + "main('e.csv', k=2)\n", ("x",))
    assert found.numbers["k"] == "2"
    found = graph(WRITTEN + "k = 7\nx = read()\nscaled(x, k)\n", ("x",))
    assert found.numbers == {"k": "7"}


def test_calls_with_what_is_written_out_are_one_stage_where_a_person_says_more() -> None:
    text = WRITTEN + "print(scaled([1, 2], 3))\nprint(scaled([1, 4], 3))\n"
    assert len(graph(text).steps) == 2
    read = source(text)
    found = graph_of(read, (), {"scaled", "helped"}, asked=["x"])
    assert steps(found) == [("scaled", "scaled", ("x", "k"), ("scaled",))]
    assert "scaled() is one stage, of 2 calls with what is written out, as --input says" in found.told


def test_a_helper_is_a_stage_where_a_person_says_what_it_takes() -> None:
    text = "def helped(data, k):\n    return data * k\ndef scaled(x):\n    return helped(x, 2) + 1\n"
    read = source(text)
    found = graph_of(read, ("x",), {"scaled", "helped"}, asked=["data", "k"])
    assert steps(found) == [
        ("scaled", "scaled", ("x",), ("scaled",)),
        ("helped", "helped", ("data", "k"), ("helped",)),
    ]
    assert found.inputs == ("x", "data", "k")
    assert found.told[-1] == "helped() is a stage, since --input says what it takes"
    with pytest.raises(UsageError, match=r"no stage takes 'data', but helped\(data, k\)") as caught:
        graph_of(read, ("x",), {"scaled", "helped"}, asked=["data"])
    assert caught.value.line == 1
    assert caught.value.advice.endswith("--input k=...")
    # A reason is said once, although the calls and the names are both asked.
    with pytest.raises(UsageError) as caught:
        graph_of(source(text + "print(scaled(read()))\n"), ("x",), set())
    assert caught.value.message.count("scaled() is no stage: another source lacks it") == 1
    # Without it nothing changes.
    assert [step.name for step in graph_of(read, ("x",), {"scaled", "helped"}, asked=["x"]).steps] == [
        "scaled"
    ]


def test_items_of_what_a_function_returns_are_followed() -> None:
    text = """
def fit(x):
    return {"beta": x, "se": x}
def check(beta, se):
    return beta
r = fit(x)
check(r["beta"], r["se"])
"""
    assert steps(graph(text)) == [
        ("fit", "fit", ("x",), ("beta", "se")), ("check", "check", ("beta", "se"), ("check",)),
    ]  # fmt: skip


def test_what_cannot_be_a_stage_is_said() -> None:
    with pytest.raises(UsageError, match=r"its functions: f; .*line 3 passes the text 'a.csv'") as caught:
        graph("def f(path):\n    return path\nf('a.csv')\n")
    assert caught.value.path == Path("fit.py")
    with pytest.raises(UsageError, match="its functions: none") as caught:
        graph("class Scaler:\n    def apply(self, x):\n        return x\n")
    assert 'a method is one by call = { numpy = "Scaler.METHOD" } in a case.toml' in caught.value.advice
    with pytest.raises(UsageError, match=r"is not Python") as caught:
        source("def f(:\n")
    assert caught.value.line == 1


def data(**arrays: object) -> Gathered:
    return Gathered(
        samples={"": {name: np.array(array, dtype=float) for name, array in arrays.items()}},
        shared={},
        origin="d.csv",
    )


def found_inputs(
    names: str, of: Gathered | None, numbers: dict[str, str] | None = None, **choices: str
) -> dict[str, object]:
    found = inputs_of(dict.fromkeys(names.split(), "fit"), numbers or {}, of, choices)
    return {each.name: each.arrays[""].tolist() for each in found}


def test_columns_are_inputs_by_name_and_the_rest_is_a_matrix() -> None:
    table = data(y=[1, 2], a=[3, 4], b=[5, 6])
    assert found_inputs("X y", table) == {"X": [[3.0, 5.0], [4.0, 6.0]], "y": [1.0, 2.0]}
    assert found_inputs("x", data(array=[[1, 2], [3, 4]])) == {"x": [[1.0, 2.0], [3.0, 4.0]]}
    assert found_inputs("betaHat y", data(beta_hat=[1], y=[2])) == {"betaHat": [1.0], "y": [2.0]}


def test_a_person_says_what_an_input_is() -> None:
    table = data(mpg=[1, 2], hp=[3, 4], wt=[5, 6])
    assert found_inputs("X y k rate", table, {"rate": "0.5"}, X="wt,hp", y="mpg", k="3") == {
        "X": [[5.0, 3.0], [6.0, 4.0]], "y": [1.0, 2.0], "k": 3, "rate": 0.5,
    }  # fmt: skip
    assert found_inputs("v", None, v="1.5,2") == {"v": [1.5, 2.0]}


@pytest.mark.parametrize(
    ("names", "of", "choices", "message"),
    [
        ("X y", data(a=[1], b=[2]), {}, "nothing says what 'X' of fit() is; the data has: a, b"),
        ("X", None, {}, "there is no --data"),
        ("X", data(a=[1]), {"Z": "1"}, "--input: no stage takes 'Z'"),
        ("X", data(a=[1]), {"X": "b"}, "neither numbers nor names in the data"),
        ("X", data(a=[1], b=[2, 3]), {"X": "a,b"}, "make no matrix side by side"),
    ],
)
def test_an_input_without_a_value_says_what_there_is(
    names: str, of: Gathered | None, choices: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        found_inputs(names, of, **choices)
    assert message in caught.value.message


def adapted(text: str, other: str, runtime: str = "numpy") -> tuple[str, list[str]]:
    reference = source(text)
    found = graph_of(reference, (), {function.name for function in reference.functions})
    read = source(other)
    read = Source(
        path=read.path,
        runtime=runtime,
        text="",
        functions=read.functions,
        blocks=read.blocks,
        inner=read.inner,
    )
    calls, told = adapters(found, read, reference)
    return copy(read, calls), told


REFERENCE = "def beta_hat(X, y):\n    return X\n\n\ndef res(beta_hat, y):\n    return y\n"


def test_functions_of_the_same_names_need_no_adapter() -> None:
    assert adapted(REFERENCE, REFERENCE) == ("\n", [])


def test_names_and_orders_that_differ_are_adapted() -> None:
    other = "def betaHat(y, x):\n    return x\ndef res(b, y):\n    return y\n"
    assert "def beta_hat(X, y):\n    return betaHat(y, X)\n" in adapted(REFERENCE, other)[0]
    assert "beta_hat <- function(X, y) betaHat(y, X)\n" in adapted(REFERENCE, other, "r")[0]
    assert "beta_hat(X, y) = betaHat(y, X)\n" in adapted(REFERENCE, other, "julia")[0]
    assert "res" not in adapted(REFERENCE, other)[0]


def test_arguments_after_one_that_is_left_out_are_given_by_name() -> None:
    other = "def betaHat(x, tol=1, y=None):\n    return x\ndef res(b, y):\n    return y\n"
    assert "return betaHat(x=X, y=y)" in adapted(REFERENCE, other)[0]
    assert "betaHat(x = X, y = y)" in adapted(REFERENCE, other, "r")[0]


def test_of_a_dictionary_the_named_items_are_taken() -> None:
    text = "def fit(x):\n    beta = x\n    return beta\n"
    other = "def fit(x):\n    return {'se': x, 'beta': x}\n"
    assert adapted(text, other)[0].endswith(
        '_given_fit = fit\n\n\ndef fit(x):\n    value = _given_fit(x)\n    return value["beta"]\n'
    )
    assert 'value[["beta"]]' in adapted(text, other, "r")[0]
    assert "return value.beta" in adapted(text, other, "julia")[0]
    assert "none of which is beta" in adapted(text, "def fit(x):\n    return {'b': x, 'c': x}\n")[1][0]


def test_named_results_are_matched_by_name_never_by_position() -> None:
    text = "def fit(x):\n    return {'beta': x, 'se': x}\n"
    assert (
        'return value["Beta"], value["error"]'
        in adapted(text, "def fit(x):\n    return {'error': x, 'Beta': x}\n")[0]
    )
    written, told = adapted(text, "def fit(x):\n    return {'a': x, 'b': x}\n")
    assert written == "\n"
    assert told == ["fit.py:1: fit returns a, b, none of which is beta, se: write it by hand"]
    in_order = "def fit(x):\n    return {'beta': x, 'se': x}\n"
    assert adapted(text, in_order, "r") == ("\n", [])
    turned = "def fit(x):\n    return {'se': x, 'beta': x}\n"
    assert 'list(value[["beta"]], value[["se"]])' in adapted(text, turned, "r")[0]


def test_an_arity_that_does_not_fit_is_said() -> None:
    other = "def beta_hat(x):\n    return x\ndef res(b, y):\n    return y\n"
    assert "beta_hat(x) cannot take the 2 inputs of the stage beta_hat" in adapted(REFERENCE, other)[1][0]


def test_a_copy_keeps_the_lines_and_leaves_out_what_runs_it() -> None:
    text = copy(source(MAIN), [])
    lines = text.splitlines()
    assert lines[2:4] == ["LIMIT = 3", "# SEEN = []"]
    assert lines[-2:] == ['# if __name__ == "__main__":', '#     main("d.csv")']
    assert len(lines) == len(MAIN.splitlines())
    assert lines[0] == "'''Two steps.'''"


def test_which_function_takes_an_input_first() -> None:
    assert needed(graph(MAIN)) == {"X": "design", "y": "fit", "ridge": "fit"}


def test_lists_of_numbers_become_arrays_of_the_library() -> None:
    text = "def fit(x):\n    return [1.0, 2.0]\n"
    reference = source(text)
    found = graph_of(reference, (), {"fit"})
    calls, _ = adapters(found, reference, reference)
    calls = [msgspec.structs.replace(each, lists=("",)) for each in calls]
    assert "import numpy as _numpy" in copy(reference, calls)
    assert "return _numpy.asarray(_given_fit(x))" in copy(reference, calls)
    torch = msgspec.structs.replace(reference, runtime="torch")
    assert "return _torch.as_tensor(_given_fit(x))" in copy(torch, calls)
    assert "import torch as _torch" in copy(torch, calls)
