"""NumPy and math as a reference's file sees them: the real modules, except where they create floats.

Functions that create arrays of floats return arrays of the oracle, and functions of plain numbers return
numbers of the oracle, so that ``np.sqrt(3)`` is the root of 3. All other calls go to the real modules, which
find the oracle's operations by NumPy's protocols.
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import numpy as np

from harness.oracle.arguments import called
from harness.oracle.array_like import ArrayLike
from harness.oracle.complex_arrays import ComplexArray, is_complex
from harness.oracle.complex_functions import gathered
from harness.oracle.conditions import Condition
from harness.oracle.constants import added, constant, known, operated
from harness.oracle.creation import CREATING, has_complex, holds
from harness.oracle.math_functions import MATH, OWN
from harness.oracle.oracle_array import OracleArray
from harness.oracle.rewriting import OPERATED
from harness.oracle.selected import Selected
from harness.oracle.selecting import named
from harness.oracle.special import SPECIAL
from harness.oracle.texts import UndecidedText
from harness.oracle.unknown import NotUnderstood

Kind = type[OracleArray]

PACKAGES = ("numpy", "scipy", "math", "cmath")
PLAIN = ("numpy.random", "numpy.typing", "numpy.testing", "numpy.exceptions", "numpy.lib.stride_tricks")
"""Modules that are passed on unchanged."""

SEQUENCES = frozenset(
    {
        *(np.stack, np.concatenate, np.vstack, np.hstack, np.dstack, np.column_stack, np.block),
        *(np.broadcast_arrays, np.meshgrid, np.linalg.multi_dot),
    }
)
"""Functions whose first argument is a list of arrays."""

OF_ITERABLES = ("math.fsum", "math.prod", "math.dist")
"""Functions of math that accept a generator."""


def _dist(kind: Kind, real: Callable[..., Any], p: Any, q: Any) -> Any:
    apart: Any = kind.gather(p) - kind.gather(q)
    return np.linalg.norm(apart)


BY_NAME: Mapping[str, Callable[..., Any]] = {**CREATING, **SPECIAL, "math.dist": _dist}
"""Replacements of functions, by the name of the function."""


class Facade(ModuleType):
    """A wrapper of a module whose functions compute in an arithmetic of the oracle.

    Parameters
    ----------
    real : module
        The module.
    kind : type
        The arithmetic in which its functions compute.
    """

    def __init__(self, real: ModuleType, kind: Kind) -> None:
        super().__init__(real.__name__, real.__doc__)
        self._real = real
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._real, name)
        made = _seen(f"{self._real.__name__}.{name}", member, self._kind)
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return dir(self._real)


class _TypeOf(type):
    """A stand-in for a type of floats; the oracle's numbers are instances of it."""

    real: type
    kind: Kind
    holds_arrays: bool

    def __instancecheck__(cls, value: Any) -> bool:
        if isinstance(value, ArrayLike):
            return cls.holds_arrays or not value.ndim
        return isinstance(value, cls.real)

    def __subclasscheck__(cls, other: type) -> bool:
        return other is cls or issubclass(other, cls.real)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], UndecidedText):
            args[0].number.branches.keep(args[0].why)
            return args[0].number
        if args and isinstance(args[0], (ArrayLike, Condition)):
            number: Any = cls.kind.collect(args[0])
            return number.as_float() if cls.real is float else number.astype(cls.real)
        return cls.real(*args, **kwargs)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.real if isinstance(other, type) else NotImplemented

    def __hash__(cls) -> int:
        return hash(cls.real)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.real, name)


TYPES: Mapping[type, bool] = {
    np.ndarray: True,
    **dict.fromkeys((float, np.float64, np.float32, np.float16, np.floating, np.inexact), False),
    **dict.fromkeys((np.number, np.generic), False),
}
"""Types that the oracle's numbers are instances of, and whether its arrays are."""


def _type_of(real: type, kind: Kind) -> Any:
    members: dict[str, Any] = {"real": real, "kind": kind, "holds_arrays": TYPES[real]}
    if issubclass(real, (float, np.floating)) and real not in (np.floating, np.inexact):
        # NumPy takes whatever has a dtype for that dtype.
        members["dtype"] = np.dtype(real)
    return _TypeOf(real.__name__, (), members)


class Call:
    """A function of a wrapped module.

    Parameters
    ----------
    name : str
        The function's name, with its module.
    real : callable
        The function.
    kind : type
        The arithmetic.
    """

    def __init__(self, name: str, real: Callable[..., Any], kind: Kind) -> None:
        self.name = name
        self.real = real
        self.kind = kind
        self.__name__ = name.rpartition(".")[2]
        self.__doc__ = real.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on plain numbers and on the oracle's arrays."""
        args = tuple(_real(arg) for arg in args)
        if self.name in OF_ITERABLES and args and isinstance(args[0], Iterator):
            args = (list(args[0]), *args[1:])
        kwargs = {name: _real(value) for name, value in kwargs.items()}
        if isinstance(self.real, np.ufunc) and any(isinstance(arg, Selected) for arg in args):
            return self.real(*args, **kwargs)
        make = BY_NAME.get(self.name)
        if make is not None:
            if _of_math(self.name):
                result = called(make, (self.kind, self.real), self.real, args, kwargs, self.name)
                return result.weakly() if isinstance(result, OracleArray) else result
            operands = [*args, *kwargs.values()]
            kind = self.kind.promoted(operands)
            first = (kind, self.real)
            with kind.computing() if self.name in SPECIAL else nullcontext():
                return called(make, first, self.real, args, kwargs, self.name)
        if not holds((args, kwargs)):
            return self._plainly(args, kwargs)
        try:
            return self._with_arrays(args, kwargs)
        except (NotUnderstood, TypeError, AttributeError, NotImplementedError) as error:
            # A computed constant may be an option, such as a quantile or a tolerance.
            plain = [_number(arg) for arg in args], {name: _number(value) for name, value in kwargs.items()}
            if any(number is not there for number, there in zip(plain[0], args, strict=True)) or any(
                plain[1][name] is not there for name, there in kwargs.items()
            ):
                return self(*plain[0], **plain[1])
            # SciPy's digamma says that its name is psi, and its zeta calls a function that is not public.
            inner = str(error) == str(NotUnderstood(named(self.real))) or "scipy.special._" in str(error)
            if isinstance(error, NotUnderstood) and not inner:
                raise
            raise NotUnderstood(self.name) from error

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.real, name)
        return Call(f"{self.name}.{name}", member, self.kind) if callable(member) else member

    def _plainly(self, args: Any, kwargs: Any) -> Any:
        """A call on plain numbers: the oracle's number for the result, unless the result is exact."""
        result = self.real(*args, **kwargs)
        function = _counterpart(self.__name__) if _of_math(self.name) else self.real
        own = _of_math(self.name) and self.__name__ in OWN
        if is_complex(result) and (own or isinstance(function, np.ufunc)) and not kwargs:
            return function(*(ComplexArray.lifted(self.kind, arg) for arg in args))
        if function is None or not args or not (own or self.kind.understands(function)) or "out" in kwargs:
            return result
        if not isinstance(result, (float, np.floating, np.ndarray)) or _exact(self.__name__, args, result):
            return result
        if isinstance(result, np.ndarray) and result.dtype.kind != "f":
            return result
        operands = len(args) if own or isinstance(function, np.ufunc) else 1
        kind = self.kind.of(result.dtype) if hasattr(result, "dtype") else self.kind
        made = [constant(kind, arg) for arg in args[:operands]]
        return known(function(*made, *args[operands:], **kwargs), result)

    def _with_arrays(self, args: Any, kwargs: Any) -> Any:
        if _of_math(self.name):
            function = _counterpart(self.__name__)
            if function is None or not (self.__name__ in OWN or self.kind.understands(function)):
                raise NotUnderstood(self.name)
            if any(map(is_complex, args)):
                return function(*(ComplexArray.lifted(self.kind, arg) for arg in args))
            result = function(*(self.kind.gather(arg) for arg in args), **kwargs)
            if self.__name__ in ("floor", "ceil", "trunc"):
                return int(result)
            return result.weakly() if isinstance(result, OracleArray) else result
        sequence = self.real in SEQUENCES
        given = [
            self._sequence(arg) if sequence and not place else self._array(arg)
            for place, arg in enumerate(args)
        ]
        return self.real(*given, **kwargs)

    def _sequence(self, value: Any) -> Any:
        if not isinstance(value, (list, tuple)) or self.real is np.block:
            return value
        return [self._array(item) for item in value]

    def _array(self, value: Any) -> Any:
        if not isinstance(value, (list, tuple)) or not holds(value):
            return value
        kind = self.kind.promoted((value,))
        return gathered(kind, value) if has_complex(value) else kind.gather(value)


def importing(kind: Kind) -> Mapping[str, Any]:
    """The built-in names of a reference's file.

    Parameters
    ----------
    kind : type
        The arithmetic.
    """
    facades: dict[str, Facade] = {}

    def facade(module: ModuleType) -> Facade:
        return facades.setdefault(module.__name__, Facade(module, kind))

    def load(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        module = builtins.__import__(name, globals, locals, fromlist, level)
        top = module.__name__.partition(".")[0]
        return facade(module) if top in PACKAGES and module.__name__ not in PLAIN else module

    return {
        **vars(builtins),
        "__import__": load,
        OPERATED: functools.partial(operated, kind),
        "float": _type_of(float, kind),
        "sum": functools.partial(added, kind),
        "max": functools.partial(_extreme, builtins.max, np.maximum),
        "min": functools.partial(_extreme, builtins.min, np.minimum),
    }


def _seen(name: str, member: Any, kind: Kind) -> Any:
    if isinstance(member, ModuleType):
        whole = member.__name__.partition(".")[0] in PACKAGES and member.__name__ not in PLAIN
        return Facade(member, kind) if whole else member
    if name in CREATING and not callable(member):
        return CREATING[name](kind, member)
    if isinstance(member, type):
        if member in TYPES:
            return _type_of(member, kind)
        return Call(name, member, kind) if name in CREATING else member
    return Call(name, member, kind) if callable(member) else member


def _real(value: Any) -> Any:
    return value.real if isinstance(value, _TypeOf) else value


def _number(value: Any) -> Any:
    """A constant as the reference has it, also inside a list; other values unchanged."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        items = [_number(item) for item in value]
        same = all(number is item for number, item in zip(items, value, strict=True))
        return value if same else type(value)(items)
    known = value.plain if isinstance(value, OracleArray) and not value.ndim else None
    return value if known is None else known.item()


def _counterpart(name: str) -> Any:
    return OWN.get(name) or (MATH[name] if name in MATH else getattr(np, name, None))


def _of_math(name: str) -> bool:
    return name.startswith(("math.", "cmath."))


def _exact(name: str, args: Any, result: Any) -> bool:
    """Whether a function's floating-point result is exact, such as the root of a square."""
    if name in ("sqrt", "cbrt") and np.ndim(result) == 0:
        return bool(float(result).is_integer() and float(result) ** (2 if name == "sqrt" else 3) == args[0])
    if name == "log2" and np.ndim(result) == 0:
        return math.isfinite(float(args[0])) and float(args[0]) > 0 and math.frexp(float(args[0]))[0] == 0.5
    return False


def _extreme(plain: Callable[..., Any], ufunc: np.ufunc, *args: Any, **kwargs: Any) -> Any:
    """Python's max and min of oracle numbers, by a ufunc instead of comparisons."""
    many = args[0] if len(args) == 1 else args
    if kwargs or not isinstance(many, (list, tuple)):
        many = list(many) if len(args) == 1 and isinstance(many, OracleArray) and not kwargs else many
    if (
        kwargs
        or not isinstance(many, (list, tuple))
        or not holds(many)
        or any(np.ndim(value) for value in many)
    ):
        return plain(*args, **kwargs)
    return functools.reduce(ufunc, many)
