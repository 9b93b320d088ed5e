"""What detectors read off code before they run anything: stated shapes, printed labels."""

import pytest

from harness.documents.model import Chunk
from harness.findings.labels import labels_in
from harness.findings.shapes import shapes_in


def stated(code: str) -> list[tuple[str, tuple[str, ...]]]:
    chunk = Chunk(index=0, line=1, end_line=9, code_line=2, language="julia", code=code)
    return [(stated_shape.name, stated_shape.parts) for stated_shape in shapes_in(chunk, code)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f = g(z)  #shape: [3xn]", [("f", ("3", "n"))]),
        ("    Q = q(x) # Shape: (B, T, 16)", [("Q", ("B", "T", "16"))]),
        ("Q <- q(x) # shape (T, d)", [("Q", ("T", "d"))]),
        ("a, b = k', q'  #shape: [nxd],[dxn]", [("a", ("n", "d")), ("b", ("d", "n"))]),
        ("s = m(Q, K) # (B, T, 16) x (B, 16, T) = (B, T, T)", [("s", ("B", "T", "T"))]),
        ("o = c @ w  # [5, 16] @ [16, 8] -> [5, 8]", [("o", ("5", "8"))]),
        ("w = rand(2, 3)  # Shape: [2, 3] (one row for each of [4, 5])", [("w", ("2", "3"))]),
        ("v = rand(2)  # shape: (2,)", [("v", ("2",))]),
        ("∂x_∂y, b! = f(a)  #shape: [3x1], [2]", [("∂x_∂y", ("3", "1")), ("b!", ("2",))]),
        ("x = f(a)  # the shape of things", []),
        ("x = f(a)  # as in [1] and [2]", []),
        ("x = f(a,  # shape: [3]", []),
        ("x = a +  # shape: [3]", []),
        ("x == 3  # shape: [3]", []),
        ("# shape: [3]", []),
        ("x = f(a)", []),
    ],
)
def test_shapes_that_comments_state(code: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert stated(code) == expected


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ('print(f"w.shape: {s.shape}")', "python", [("w.shape", "s.shape")]),
        ('print("w_total:", t)', "python", [("w_total", "t")]),
        ('print(f"a: {a}, w_total: {t}")', "python", [("w_total", "t")]),
        ('print(f"w.shape: {w.shape}")', "python", []),
        ('print(f"w.shape: {f(w)}")', "python", []),
        ('print("total:", t)', "python", []),
        ('print("the w_total:", t)', "python", []),
        ('    print("w_total:", t)', "python", []),
        ('cat("w_total:", t, "\\n")', "r", [("w_total", "t")]),
        ('paste("w$rows:", t)', "r", [("w$rows", "t")]),
        ('println("w_total: ", t)', "julia", [("w_total", "t")]),
        ('println("w_total: $(t)")', "julia", [("w_total", "t")]),
        ('println("w_total: $w_total")', "julia", []),
    ],
)
def test_labels_of_another_name(code: str, language: str, expected: list[tuple[str, str]]) -> None:
    assert [
        (printed_label.label, printed_label.value) for printed_label in labels_in(code, language)
    ] == expected
