"""Arrays of truth values, some of them undecided, with Kleene's three-valued logic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from harness.oracle.arguments import called
from harness.oracle.unknown import NotUnderstood, Undecided

if TYPE_CHECKING:
    from harness.oracle.oracle_array import OracleArray

Array = npt.NDArray[Any]


class Condition(NDArrayOperatorsMixin):
    """An array of truth values, some of them undecided.

    Parameters
    ----------
    kind : type
        The arithmetic that it is computed in.
    value : ndarray of bool
        The truth values; where they are undecided, the probable ones.
    unsure : ndarray of bool
        Which are undecided.
    why : str
        The comparison, with its line.
    """

    dtype = np.dtype(np.bool_)

    def __init__(self, kind: type[OracleArray], value: Array, unsure: Array, why: str) -> None:
        self.kind = kind
        self.value = np.array(value, dtype=bool)
        self.unsure = np.array(unsure, dtype=bool)
        self.why = why

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.value.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.value.size

    @property
    def T(self) -> Any:
        """The axes in reverse."""
        return self._elsewhere(np.transpose)

    def __len__(self) -> int:
        return len(self.value)

    def __bool__(self) -> bool:
        if self.size != 1:
            return bool(self.value)
        if self.unsure.any():
            raise Undecided(self.why)
        return bool(self.value)

    def __array__(self, *_: Any, **__: Any) -> Array:
        raise Undecided(self.why)

    def __getitem__(self, key: Any) -> Any:
        return self._elsewhere(lambda array: array[key])

    def __setitem__(self, key: Any, other: Any) -> None:
        value, unsure = three_values(other)
        self.value[key], self.unsure[key] = value, unsure

    def numbers(self) -> OracleArray:
        """The truth values as ones and zeros."""
        ones, zeros = (self.kind.gather(np.full(self.shape, number)) for number in (1.0, 0.0))
        return self.kind.choose(self.value, self.unsure, ones, zeros, self.why)

    def any(self, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
        """Whether any is true; decided where a decided one is true, or none may be."""
        _into_itself(out, "any")
        if where is not True and where is not np._NoValue:
            value, unsure = _and((self.value, self.unsure), three_values(where))
            return Condition(self.kind, value, unsure, self.why).any(axis, None, keepdims)
        keepdims = keepdims is not np._NoValue and keepdims
        sure = (self.value & ~self.unsure).any(axis=axis, keepdims=keepdims)
        maybe = (self.value | self.unsure).any(axis=axis, keepdims=keepdims)
        return condition(self.kind, sure, sure != maybe, self.why)

    def all(self, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
        """Whether all are true; decided where a decided one is false, or all are true."""
        _into_itself(out, "all")
        other = Condition(self.kind, ~self.value, self.unsure, self.why)
        return ~other.any(axis, None, keepdims, where=where)

    def copy(self) -> Condition:
        """A copy with its own memory."""
        return Condition(self.kind, self.value, self.unsure, self.why)

    def __copy__(self) -> Condition:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Condition:
        return self.copy()

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """The values as truth values or numbers, undecided at the same places."""
        return (self.copy() if copy else self) if np.dtype(dtype).kind == "b" else self.numbers()

    def reshape(self, *shape: Any) -> Any:
        """The same elements in another shape."""
        return self._elsewhere(lambda array: array.reshape(*shape))

    def item(self) -> Any:
        """The one element."""
        return self.reshape(())

    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """How many are true."""
        return self.numbers().sum(*args, **kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """The share that is true."""
        return self.numbers().mean(*args, **kwargs)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and ufunc in LOGIC:
            given = tuple(three_values(input_) for input_ in inputs)
            value, unsure = called(LOGIC[ufunc], (), ufunc, given, kwargs)
            return condition(self.kind, value, unsure, self.why)
        kind = self.kind.promoted(inputs)
        numbers = [kind.gather(input_) if isinstance(input_, Condition) else input_ for input_ in inputs]
        return kind.gather(numbers[0]).__array_ufunc__(ufunc, method, *numbers, **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in (np.any, np.all, np.sum, np.mean, np.count_nonzero, np.reshape, np.copy):
            if func is np.count_nonzero:
                return called(_count, (), func, args, kwargs)
            return getattr(args[0], func.__name__)(*args[1:], **kwargs)
        if func in (np.shape, np.ndim, np.size):
            return func(args[0].value, *args[1:], **kwargs)
        if func is np.diff:
            return called(_changes, (), func, args, kwargs)
        if func in self.kind.generic:
            return called(self.kind.generic[func], (self.kind,), func, args, kwargs)
        if func in (np.nonzero, np.flatnonzero, np.argwhere, np.argmax, np.argmin, np.extract):
            raise Undecided(self.why)
        raise NotUnderstood(f"numpy.{func.__name__}")

    def _elsewhere(self, choose: Callable[[Array], Any]) -> Any:
        value, unsure = np.asarray(choose(self.value)), np.asarray(choose(self.unsure))
        chosen = condition(self.kind, value, unsure, self.why)
        if isinstance(chosen, Condition):
            # A view where NumPy gives one.
            chosen.value, chosen.unsure = value, unsure
        return chosen


def _count(a: Condition, axis: Any = None, *, keepdims: bool = False) -> Any:
    return a.sum(axis, keepdims=keepdims)


def _changes(a: Condition, n: int = 1, axis: int = -1) -> Any:
    """Where one truth value and the next differ: NumPy's difference of truth values."""
    ahead = (slice(None),) * (axis % a.ndim)
    changes: Any = a
    for _ in range(n):
        changes = changes[(*ahead, slice(1, None))] != changes[(*ahead, slice(None, -1))]
    return changes


def _into_itself(out: Any, name: str) -> None:
    if out is not None:
        raise NotUnderstood(f"numpy.{name}(out=...)")


def condition(kind: type[OracleArray], value: Any, unsure: Any, why: str) -> Any:
    """A `Condition`, or the plain truth values if all are decided."""
    return Condition(kind, value, unsure, why) if np.any(unsure) else value


def three_values(condition: Any) -> tuple[Array, Array]:
    """Truth values of an array or condition, and which of them are undecided."""
    if isinstance(condition, Condition):
        return condition.value, condition.unsure
    if hasattr(condition, "doubtful"):
        return three_values(condition != 0)
    value = np.asarray(condition).astype(bool)
    return value, np.zeros(value.shape, dtype=bool)


Pair = tuple[Array, Array]


def _and(x: Pair, y: Pair) -> Pair:
    possible = (x[0] | x[1]) & (y[0] | y[1])
    certain = (x[0] & ~x[1]) & (y[0] & ~y[1])
    return x[0] & y[0], possible & ~certain


def _not(x: Pair) -> Pair:
    return ~x[0], x[1]


def _or(x: Pair, y: Pair) -> Pair:
    return _not(_and(_not(x), _not(y)))


def _xor(x: Pair, y: Pair) -> Pair:
    return x[0] ^ y[0], x[1] | y[1]


LOGIC: dict[np.ufunc, Callable[..., Pair]] = {
    np.logical_and: _and,
    np.bitwise_and: _and,
    np.logical_or: _or,
    np.bitwise_or: _or,
    np.logical_not: _not,
    np.invert: _not,
    np.logical_xor: _xor,
    np.bitwise_xor: _xor,
    np.not_equal: _xor,
    np.equal: lambda x, y: _not(_xor(x, y)),
}


def with_numbers(kind: type[OracleArray], ufunc: np.ufunc, inputs: Any) -> Any:
    """Operands of a ufunc with conditions as numbers; a product with a condition becomes a choice."""
    at = [place for place, operand in enumerate(inputs) if isinstance(operand, Condition)]
    if not at:
        return inputs
    if ufunc is np.multiply and len(at) == 1:
        mask, other = inputs[at[0]], kind.gather(inputs[1 - at[0]])
        shape = np.broadcast_shapes(mask.shape, other.shape)
        spread = other._viewed(lambda array: np.broadcast_to(array, shape))
        value, unsure = (np.broadcast_to(array, shape) for array in (mask.value, mask.unsure))
        zero = kind.gather(np.zeros(shape))
        return (kind.choose(value, unsure, spread, zero, mask.why), 1.0)
    return tuple(kind.gather(input_) if isinstance(input_, Condition) else input_ for input_ in inputs)
