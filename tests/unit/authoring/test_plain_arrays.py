"""Functions of JavaScript that take plain arrays are given these."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.authoring.adapt import Adapter
from harness.authoring.plain_arrays import unexported, with_lists
from harness.authoring.read_words import read_words
from harness.authoring.steps import Step


def arguments(text: str, function: str, given: tuple[str, ...] = ("v", "w")) -> tuple[str, ...]:
    source = read_words(Path("a.js"), text, "node")
    step = Step(
        name="stage",
        function=function,
        line=0,
        parameters=given,
        inputs=given,
        outputs=("stage",),
        items=("",),
    )
    (adapter,) = with_lists(source, [Adapter(step=step, function=function, arguments=given)])
    return adapter.arguments


@pytest.mark.parametrize(
    "body",
    [
        "a.map((x) => x + b)",
        "a [0] * b",
        "{ for (let i = 0; i < a.length; i++) b += 1; return b }",
        "{ let s = b; for (const x of a) s += x; return s }",
        "Math.max(...a) + b",
        "Array.isArray(a) ? b : 0",
        "inner(b, a)",
        "a?.[0] + b",
    ],
)
def test_an_argument_that_is_used_as_a_plain_array_is_one(body: str) -> None:
    inner = "const inner = (x, list) => (x > 9 ? inner(x - 1, list) : list.at(-1));"
    text = f"export const f = (a, b) => {body};\n{inner}\n"
    assert arguments(text, "f") == ("asLists(v)", "w")


@pytest.mark.parametrize(
    "body",
    [
        "a.data.map((x) => x + b)",
        "{ const [n] = a.shape; return a.data[n - 1] + a.length }",
        "other.a.map((x) => x) + b",
        "aa.length + aa[0]",
        "g(a, b) // a.length, a[0]",
        "same(a)",
    ],
)
def test_what_is_no_plain_array_stays(body: str) -> None:
    assert arguments(f"function f(a, b) {{ return {body};\n}}\nconst same = (x) => x;\n", "f") == ("v", "w")


def test_a_pattern_has_its_names_and_stays() -> None:
    assert arguments("export const f = ({ data, shape }, b) => data[0] + b.length;", "f") == (
        "v",
        "asLists(w)",
    )


def test_exports_are_taken_back_line_by_line() -> None:
    text = "export function f(a) {}\nexport const g = (a) => a, h = 1;\nconst k = 2;\nexport { k, l as m };\n"
    source = read_words(Path("a.js"), text, "node")
    assert unexported(source, ["f", "g", "m", "none"]) == (
        "function f(a) {}\nconst g = (a) => a, h = 1;\nconst k = 2;\nexport { k};\n"
    )
    assert unexported(source, ["k"]).endswith("export { l as m };\n")
