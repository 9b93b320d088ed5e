"""`numpy.einsum` of arrays that carry their rounding: one sum of products, in any order. NumPy alone."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.oracle.arithmetic import matmul
from harness.oracle.rounding import Rounded
from harness.oracle.unknown import NotUnderstood


def written_out(subscripts: str, axes: Sequence[int]) -> tuple[list[str], str]:
    """The letters of the operands and of the result, with one for each axis of an ellipsis.

    Parameters
    ----------
    subscripts : str
        As in `numpy.einsum`; without an arrow, the result has the letters that occur once, in their order.
    axes : sequence of int
        How many axes each operand has.
    """
    names, arrow, result = subscripts.replace(" ", "").partition("->")
    terms = names.split(",")
    free = [chr(code) for code in range(ord("A"), ord("z") + 1) if chr(code).isalpha()]
    free = [letter for letter in free if letter not in subscripts]
    counts = [ndim - len(term.replace("...", "")) for term, ndim in zip(terms, axes, strict=True)]
    widest = free[: max((n for n, term in zip(counts, terms, strict=True) if "..." in term), default=0)]
    if not arrow:
        once = sorted(letter for letter in set(names) - set(",.") if names.count(letter) == 1)
        result = "..." * ("..." in names) + "".join(once)
    spelled = [
        term.replace("...", "".join(widest[len(widest) - n :])) for term, n in zip(terms, counts, strict=True)
    ]
    return spelled, result.replace("...", "".join(widest))


MOST_PRODUCTS = 1 << 18
"""Products of three factors or more are written down in full, with their draws: 64 MiB."""


def _products(subscripts: str, terms: list[str], result: str, operands: list[Rounded]) -> Any:
    """The sum of all products; contracting two operands at a time is one order of that sum."""
    size = {
        n: k
        for term, rounded in zip(terms, operands, strict=True)
        for n, k in zip(term, rounded.shape, strict=True)
    }
    order = [*result, *sorted(set(size) - set(result))]
    if math.prod(size.values()) > MOST_PRODUCTS:
        raise NotUnderstood(f"numpy.einsum({subscripts!r}) of more than {MOST_PRODUCTS} products")
    spread = [_spread(term, rounded, order) for term, rounded in zip(terms, operands, strict=True)]
    product: Any = functools.reduce(np.multiply, spread)
    gone = tuple(range(len(result), len(order)))
    full = np.broadcast_to(product, tuple(size[name] for name in order))
    return full.sum(axis=gone) if gone else full


def _spread(term: str, rounded: Rounded, order: list[str]) -> Any:
    """An operand with all axes in order, and the diagonal of repeated axes."""
    names = list(term)
    for name in sorted(set(names)):
        while names.count(name) > 1:
            first, second = [place for place, n in enumerate(names) if n == name][:2]
            rounded = np.diagonal(rounded, 0, first, second)  # type: ignore[assignment]
            names = [n for n in names if n != name] + [name] * (names.count(name) - 1)
    there = sorted(names, key=order.index)
    moved = rounded.transpose(*(names.index(name) for name in there))
    lengths = dict(zip(there, moved.shape, strict=True))
    return moved.reshape(*(lengths.get(name, 1) for name in order))


def _spelled(*given: Any) -> tuple[str, tuple[Any, ...]]:
    """Subscripts as letters, of operands that alternate with lists of numbers; the last may be the result."""
    terms = ["".join("..." if n is Ellipsis else chr(ord("a") + n) for n in term) for term in given[1::2]]
    arrow = ""
    if len(given) % 2:
        arrow = "->" + "".join("..." if n is Ellipsis else chr(ord("a") + n) for n in given[-1])
    return ",".join(terms) + arrow, given[: len(given) // 2 * 2 : 2]


def _einsum(self: Rounded, subscripts: Any, *operands: Any) -> Any:
    """Two operands as a product of matrices; others as one sum of products, in any order."""
    if not isinstance(subscripts, str):
        subscripts, operands = _spelled(subscripts, *operands)
    terms, result = written_out(subscripts, [np.ndim(operand) for operand in operands])
    if len(terms) != 2 or any(len(set(term)) < len(term) for term in terms):
        return _products(subscripts, terms, result, [self._as(operand) for operand in operands])
    x, y = (self._as(operand) for operand in operands)
    left, right = terms
    both = [name for name in left if name in right and name in result]
    gone = [name for name in left if name in right and name not in result]
    rows, columns = ([n for n in term if n not in both and n not in gone] for term in terms)
    if {*both, *rows, *columns} != set(result):
        return _products(subscripts, terms, result, [x, y])
    size = {
        name: n
        for term, rounded in zip(terms, (x, y), strict=True)
        for name, n in zip(term, rounded.shape, strict=True)
    }

    def matrices(term: str, rounded: Rounded, *groups: list[str]) -> Rounded:
        order = [name for group in groups for name in group]
        shape = [size[name] for name in groups[0]]
        lengths = [int(np.prod([size[name] for name in group], dtype=int)) for group in groups[1:]]
        return rounded.transpose(*(term.index(name) for name in order)).reshape((*shape, *lengths))

    product = matmul(matrices(left, x, both, rows, gone), matrices(right, y, both, gone, columns))
    named = [*both, *rows, *columns]
    unfolded = product.reshape(tuple(size[name] for name in named))
    return unfolded.transpose(*(named.index(name) for name in result))


ROUNDED_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {np.einsum: _einsum}
