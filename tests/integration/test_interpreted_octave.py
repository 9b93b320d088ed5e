"""Octave: the forms of values, errors with lines, statements beside functions."""

from __future__ import annotations

import numpy as np
import pytest

from harness.errors import ImplementationError
from tests.integration.interpreted_workers import LONG, Hosted


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
    assert error.message == "'undefined_here' undefined"
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


@pytest.mark.octave
def test_what_looks_like_a_function_in_a_comment_is_none(octave: Hosted) -> None:
    path = octave.path.with_name("comments.m")
    block = "%{\nfunction y = f(x): of x\n#{\nfunction\n#}\nfunction y = g(x)\n%}\n"
    for text in (
        f"{block}{F}{block}{ONE}\n",
        f"%}}\n{F}{block}{ONE}\n{block}",
        f"function y = f(x)\ny = x;\n{block}\nfunction y = g(x)\ny = 3 * x;\n",
    ):
        path.write_text(text, encoding="utf-8")
        loaded = octave.worker.load(path, {"f": 1, "g": 1}, deadline=LONG)
        assert loaded.problems == {}
        (got,), _ = octave.worker.call(loaded.handle, "g", [np.array(2.0)], outputs=1, deadline=LONG)
        assert got.item() == 6


@pytest.mark.octave
def test_a_byte_order_mark_is_no_part_of_a_file_of_octave(octave: Hosted) -> None:
    path = octave.path.with_name("marked.m")
    path.write_text(F + ONE, encoding="utf-8-sig")
    assert octave.worker.load(path, {"f": 1, "g": 1}, deadline=LONG).problems == {}
