"""Variables of loops, comprehensions and small functions of Julia are read from nowhere."""

from __future__ import annotations

import pytest

from harness.findings.names import names_in


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("[10i + j for i in 1:5, j in 1:4]", ""),
        ("[10i + j for i = 1:5 for j = 1:i]", ""),
        ("[x for x in x]", "x"),
        ("[x + i for i in 1:3][i]", "x i"),
        ("[k => v for (k, v) in d if v > n]", "d n"),
        ('["$i" for i in v]', "v"),
        ("filter(x -> x > 2, x)", "filter x"),
        ("map((x, y) -> x + y + z, v, w)", "map v w z"),
        ("plot(x, [f(t) for t in x], label = t)", "plot x f t"),
        ("for i in 1:3, (j, k) in d\n    println(i + j + k)\nend", "d println"),
        ("for x in x\n    println(x)\nend", "x println"),
    ],
)
def test_what_is_read_of_the_session(code: str, read: str) -> None:
    assert names_in(code, "julia").uses == frozenset(read.split())
