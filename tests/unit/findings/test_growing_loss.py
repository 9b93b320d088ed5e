"""Losses that grow: what is a loss, what is an update, and what a made run prints; no runtime."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from harness.findings.growing_loss import (
    assignments,
    growing_loss,
    grows,
    is_loss,
    is_term,
    is_total,
    updates,
)
from harness.model.article import Kind, Severity
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize(
    "name", ["loss", "losses", "train_loss", "lossHistory", "mse", "nll", "cost.history"]
)
def test_names_of_losses(name: str) -> None:
    assert is_loss(name)


@pytest.mark.parametrize(
    "name",
    [
        "val_loss",
        "testLoss",
        "loss_fn",
        "accuracy",
        "error_rate",
        "total_loss",
        "glossary",
        "reg_loss",
        "klLoss",
    ],
)
def test_names_of_what_may_grow(name: str) -> None:
    assert not is_loss(name)


@pytest.mark.parametrize(
    ("code", "term"),
    [
        ("loss = data_loss + size_loss", True),
        ("loss <- data_loss + 0.5 * size_loss", True),
        ("loss = size_loss + data_loss", True),
        ("epoch_loss = epoch_loss + size_loss", False),
        ("x = size_loss + 1", False),
        ("size_loss = data_loss + 1", False),
    ],
)
def test_one_term_of_a_loss_may_grow(code: str, term: bool) -> None:
    assert is_term(code, "size_loss") is term


@pytest.mark.parametrize(
    ("values", "growing"),
    [
        ([1, 2, 3, 4, 5], True),
        ([1, 2, 3, 4, 3.9, 5], True),
        ([1, 2, 3, 4], False),
        ([5, 4, 3, 2, 1], False),
        ([1, 2, 1, 2, 1, 2], False),
        ([1, 2, 3, 4, float("nan")], False),
        ([9, 1, 2, 3, 4, 5], False),
    ],
)
def test_values_that_grow(values: list[float], growing: bool) -> None:
    assert grows(values) is growing


@pytest.mark.parametrize(
    "text",
    [
        "w += lr * g",
        "w = w - 0.01 * r",
        "w <- w - eta * d",
        "w .-= η .* ∇w",
        "opt.step()",
        "update!(s, m, g)",
        "W1 -= dW1",
    ],
)
def test_updates(text: str) -> None:
    assert updates(text)


@pytest.mark.parametrize(
    "text", ["n += 1", "x = x + h", "loss += lr * g", "scheduler.step()", "i = i + 2 * n", "w = lr * 3"]
)
def test_what_is_no_update(text: str) -> None:
    assert not updates(text)


def test_a_running_total_is_known() -> None:
    assert is_total("for e in r:\n    loss += f(e)", "loss")
    assert not is_total("for e in r:\n    loss = 0\n    loss += f(e)", "loss")


def test_rows_that_set_a_loss() -> None:
    code = "loss = 1\nfor i in r:\n    loss = f(w)\n    losses.append(loss)\n    loss = f(\n        w)"
    assert [each[1:] for each in assignments(chunk(0, code), code, "python")] == [
        (3, "loss", "loss"),
        (4, "losses", "losses[-1]"),
    ]
    code = "for (i in r) {\n  loss[i] <- f(w)\n  losses <- c(losses, f(w))\n}"
    assert [each[3] for each in assignments(chunk(0, code), code, "r")] == ["loss[i]", "tail(losses, 1L)"]
    code = "for i in r\n    push!(losses, f(w))\nend"
    assert [each[3] for each in assignments(chunk(0, code), code, "julia")] == ["losses[end]"]


class _Run(Ran):
    @contextlib.contextmanager
    def session(self, *_: Any, **__: Any) -> Iterator[Any]:
        session = type("", (), {"ended": "", "get": lambda self, names: ["none"] * len(names)})()
        yield type("", (), {"session": session, "code": lambda *_: left(), "chunk": lambda *_: left()})()


GROWING = "".join(f"epoch {n}, loss: {1.5**n:.3f}, acc: 0.5\n" for n in range(6))
LOOP = "w = 1.0\nfor e in range(6):\n    {}\n    print(f'epoch {{e}}, loss: {{f(w):.3f}}, acc: 0.5')"


@pytest.mark.parametrize(
    ("update", "text", "found"),
    [
        ("w += lr * grad(w)", GROWING, True),
        ("w += lr * grad(w)  # too large: it diverges", GROWING, False),
        ("v = g(e)", GROWING, False),
        ("w -= lr * grad(w)", "".join(f"epoch {n}, loss: {0.5**n:.3f}\n" for n in range(6)), False),
        ("w -= lr * grad(w)", GROWING.replace("loss", "val loss"), False),
        ("w -= lr * grad(w)", GROWING.replace("loss", "accuracy"), False),
    ],
)
def test_a_printed_loss_that_grows(update: str, text: str, found: bool) -> None:
    findings = list(growing_loss(_Run([chunk(0, LOOP.format(update))], [left(text)])))
    assert bool(findings) is found
    if found:
        (finding,) = findings
        assert (finding.line, finding.kind, finding.severity) == (3, Kind.DIVERGES, Severity.FRAGILE)
        assert finding.evidence == "loss grows from 1 to 7.594 in 6 rounds, in 5 of 5 steps"
