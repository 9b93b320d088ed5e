"""Functions of JavaScript, Octave, C, C++ and Fortran, found by their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.authoring.read_words import exported, members, read_words
from harness.authoring.sources import Source
from harness.errors import UsageError

NODE = """
// function gone(x) {}
/* export const gone = (x) => x; */
import fs from 'node:fs';
const half = 0.5;
export function scores(x, { shape, data }, k = f(1, 2), ...rest) { return x; }
function plain(a) { return a; }
export const arrow = (a, b) => a;
const one = a => a;
const held = async function (a, b, c) {};
const called = (1 + 2) * 3;
export { plain as shown, one };
"""
OCTAVE = """
% function gone(x)
%{
function gone(x)
%}
1;
function y = scores(x, W)
  y = x' * W;  # function gone(x)
end
  function [q, r] = both(x)
  end
function nothing
end
"""
C = """
#include <math.h>
double declared(double x);
/* double gone(double x) {} */
static double hidden(double x) { return x; }
void scores(size_t n, const double x[n][3],
            double *out)
{
    if (n) return;
    for (;;) {}
}
double *none(void) { return 0; }
"""
CPP = """#include <vector>
std::vector<double> made(const std::vector<double> &x, int k) { return x; }
int main() {}
"""
FORTRAN = """
! subroutine gone(x)
subroutine Scores(n, x, out)
end subroutine Scores
pure real(8) function total(n, x) result(s)
end function
subroutine none
end
"""


def found(runtime: str, text: str) -> dict[str, tuple[int, list[str]]]:
    source = read_words(Path("a"), text, runtime)
    return {each.name: (each.line, [part.name for part in each.arguments]) for each in source.functions}


@pytest.mark.parametrize(
    ("runtime", "text", "functions"),
    [
        (
            "node", NODE,
            {
                "scores": (6, ["x", "argument_2", "k", "rest"]), "plain": (7, ["a"]),
                "arrow": (8, ["a", "b"]), "one": (9, ["a"]), "held": (10, ["a", "b", "c"]),
            },
        ),
        ("octave", OCTAVE, {"scores": (7, ["x", "W"]), "both": (10, ["x"]), "nothing": (12, [])}),
        ("c", C, {"hidden": (5, ["x"]), "scores": (6, ["n", "x", "out"]), "none": (12, [])}),
        ("cpp", CPP, {"made": (2, ["x", "k"]), "main": (3, [])}),
        ("fortran", FORTRAN, {"Scores": (3, ["n", "x", "out"]), "total": (5, ["n", "x"]), "none": (7, [])}),
    ],
)  # fmt: skip
def test_functions_and_their_arguments(
    runtime: str, text: str, functions: dict[str, tuple[int, list[str]]]
) -> None:
    assert found(runtime, text) == functions


def test_what_javascript_exports_and_what_has_a_default() -> None:
    source = read_words(Path("a.mjs"), NODE, "node")
    assert exported(source) == {"scores", "arrow", "shown", "one"}
    scores = next(each for each in source.functions if each.name == "scores")
    assert scores.required == ("x", "argument_2")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("export default {\n  k: 2, // no: x\n  twice(x) { return { a: x, b: x }; },\n", {"k", "twice"}),
        ("export default { more: (a, b) => ({ c: a, d: b }), 'f': function (e) {}, g };", {"more", "f", "g"}),
        ("const own = { async one(x) {}, two: x => x };\nexport default own;\n", {"one", "two"}),
        (
            "class T { constructor() { this.k = 2; } one(x) { return two(x); } }\nexport default new T();\n",
            {"constructor", "one"},
        ),
        ("class T {\n  one(x) { if (x) { y(); } }\n}\nconst t = new T();\nexport default t;\n", {"one"}),
        ("export default new Map();\n", set()),
        ("export default function twice(x) { return { x: 1 }; }\n", set()),
        ("const own = { one(x) {} };\nexport default made(own);\n", set()),
        ("// export default { one }\n", set()),
    ],
)
def test_members_of_a_default_export(text: str, names: set[str]) -> None:
    whole = text if text.rstrip().endswith((";", "}")) else text + "};\n"
    assert members(Source(path=Path("a.mjs"), runtime="node", text=whole)) == names


def test_names_of_what_octave_returns() -> None:
    source = read_words(Path("a.m"), OCTAVE, "octave")
    assert {each.name: each.returns for each in source.functions}["both"] == ("q", "r")


@pytest.mark.parametrize("line", ["module.exports = { f };", "const fs = require('fs');"])
def test_a_module_of_the_old_kind_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(UsageError, match="CommonJS") as caught:
        read_words(Path("a.js"), f"const f = (x) => x;\n{line}\n", "node")
    assert caught.value.line == 2


@pytest.mark.parametrize("runtime", ["c", "cpp"])
def test_a_name_may_stand_below_its_type(runtime: str) -> None:
    """As GNU writes functions; what only looks like it begins none."""
    text = (
        "double\nscores (int n,\n        const double *x)\n{\n  if (n)\n  {\n  do\n  while (n);\n  }\n}\n"
        "static double\nhidden (double x)\n{\n}\nint last;\n\nsize_t\n*places (void) { return 0; }\n"
    )
    assert found(runtime, text) == {
        "scores": (2, ["n", "x"]), "hidden": (12, ["x"]), "places": (18, []),
    }  # fmt: skip
