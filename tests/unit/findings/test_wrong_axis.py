"""Weights normalised along the wrong axis: products in code, judged by their sums; no runtime."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from harness.findings.products import measured, products
from harness.findings.wrong_axis import Measured, is_wrong, wrong_axis
from harness.model.article import Kind, Severity
from harness.sessions.session import Evaluated
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize(
    ("code", "language", "pairs"),
    [
        ("o = W @ V", "python", [("W", "V")]),
        ("o = W.dot(V)", "python", [("W", "V")]),
        ("o = np.matmul(f(s), V.T)", "python", [("f(s)", "V.T")]),
        ("o = torch.bmm(W, V)", "python", [("W", "V")]),
        ("é = 'é' ; o = W @ V", "python", [("W", "V")]),
        ("def f(:", "python", []),
        ("o <- W %*% V", "r", [("W", "V")]),
        ("f(S) %*% t(V)", "r", [("f(S)", "t(V)")]),
        ("x$W %*% V", "r", []),
        ("# W %*% V\n'W %*% V'", "r", []),
        ("return W * V'", "julia", [("W", "V'")]),
        ("o = (E ./ s) * f(V)", "julia", [("(E ./ s)", "f(V)")]),
        ("o = W .* V; p = W^2 * V; q = W * V^2; r *= V", "julia", []),
    ],
)
def test_products_in_code(code: str, language: str, pairs: list[tuple[str, str]]) -> None:
    assert [(each.left.text, each.right.text) for each in products(code, language)] == pairs


@pytest.mark.parametrize(
    ("code", "language", "turned"),
    [
        ("W.T @ V", "python", True),
        ("np.transpose(W) @ V", "python", True),
        ("softmax(q @ k.T) @ V", "python", False),
        ("t(W) %*% V", "r", True),
        ("t2(W) %*% V", "r", False),
        ("W' * V", "julia", True),
        ("W * V'", "julia", False),
    ],
)
def test_a_transposed_factor_is_known(code: str, language: str, turned: bool) -> None:
    assert products(code, language)[0].left.transposed is turned


def test_factors_are_handed_to_a_function_where_they_stand() -> None:
    code = "o = f(Q @ K.T) @ V"
    given = [
        (f"{place}{side}", factor)
        for place, product in enumerate(products(code, "python"))
        for side, factor in (("l", product.left), ("r", product.right))
    ]
    assert measured(code, given, "p") == 'o = p("0l", f(p("1l", Q) @ p("1r", K.T))) @ p("0r", V)'


def weights(rows: int = 4, columns: int = 4, **given: Any) -> Measured:
    values = {"values": (0.1, 0.9), "across": (0.4, 1.7), "down": (1.0, 1.0), "plain": False, **given}
    return Measured(rows, columns, **values)


VALUES = Measured(4, 3, (-2.0, 2.0), (-1.0, 2.0), (-3.0, 3.0), False)


@pytest.mark.parametrize(
    ("factor", "other", "wrong"),
    [
        (weights(), VALUES, True),
        (weights(across=(1.0, 1.0)), VALUES, False),  # doubly stochastic
        (weights(across=(1.0, 1.0), down=(0.4, 1.7)), VALUES, False),
        (weights(values=(-0.1, 0.9)), VALUES, False),
        (weights(plain=True), VALUES, False),
        (weights(), weights(), False),  # a chain's transitions, twice
        (weights(), Measured(4, 1, (0.1, 0.9), (0.1, 0.9), (1.0, 1.0), False), False),
        (weights(), Measured(4, 4, (0.0, 2.0), (0.0, 2.0), (0.0, 2.0), True), False),
        (weights(4, 5), VALUES, False),  # no product of matrices
    ],
)
def test_weights_whose_columns_sum_to_one_are_wrong_on_the_left(
    factor: Measured, other: Measured, wrong: bool
) -> None:
    assert is_wrong(factor, other, "left") is wrong


def test_weights_whose_rows_sum_to_one_are_wrong_on_the_right() -> None:
    turned = Measured(3, 4, (-2.0, 2.0), (-1.0, 2.0), (-3.0, 3.0), False)
    assert is_wrong(turned, weights(across=(1.0, 1.0), down=(0.4, 1.7)), "right")
    assert not is_wrong(turned, weights(), "right")


ROWS = (
    "factor\t0:left\t2\t2\t0.2\t0.8\t0.5\t1.5\t1\t1\t0\n"
    "factor\t0:right\t2\t2\t-1\t3\t-1\t3\t0\t2\t0\n"
)  # fmt: skip


class _Trial:
    """A session that has run the document, and kept these rows."""

    session = type("", (), {"ended": "", "get": lambda self, names: ["none"] * len(names)})()

    def code(self, text: str) -> Evaluated:
        return left(ROWS if "keepsakes" in text else "")

    def chunk(self, *_: Any) -> Evaluated:
        return left()


class _Run(Ran):
    @contextlib.contextmanager
    def session(self, *_: Any, **__: Any) -> Iterator[Any]:
        yield _Trial()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("W = np.exp(S) / np.exp(S).sum(axis=0)\nO = W @ V", True),
        ("W = S / S.sum(axis=0)\nO = W @ V", False),
        ("W = np.exp(S) / np.exp(S).sum(axis=0)  # over each column\nO = W @ V", False),
        ("resp = 0  # responsibilities\nW = np.exp(S) / np.exp(S).sum(axis=0)\nO = W @ V", False),
        ("W = np.exp(S) / np.exp(S).sum(axis=0)\nO = W @ V\nO = O / W.sum(axis=1)", False),
        ("A = np.exp(S) / np.exp(S).sum(axis=1)\nW = A.T\nO = W @ V", False),
        ("W = np.exp(S) / np.exp(S).sum(axis=0)\nO = W.T @ V", False),
    ],
)
def test_it_is_found_where_nothing_says_that_columns_are_meant(code: str, found: bool) -> None:
    findings = list(wrong_axis(_Run([chunk(0, code)], [left()])))
    assert bool(findings) is found
    if found:
        (finding,) = findings
        assert (finding.line, finding.kind, finding.severity) == (3, Kind.AXIS, Severity.FRAGILE)
        assert finding.evidence.endswith("its columns sum to 1, and its rows to 0.5 to 1.5")
        assert "axis=1" in finding.consequence
