"""The ``[[generator]]`` sections of a fixture.toml: how its arrays are made again, from NumPy alone."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np

from harness.model import Array, Frozen
from harness.store.fixture_arrays import checked_shape, fitted
from harness.store.fixture_data import ArrayEntry
from harness.store.toml import Key, Toml
from harness.streams import julia, numpy, r, torch
from harness.streams.errors import StreamError, StreamTypeError
from harness.streams.shapes import as_shape

PASSED_OVER = "_"
"""The name of a draw that is made and not kept."""

Place = tuple[Key, ...]


class _Literal(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="literal"):
    """Arrays that are written down, nested row by row."""

    arrays: dict[str, Any]


class _Zeros(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="zeros"):
    """Arrays of zeros, by their shapes."""

    arrays: dict[str, tuple[int, ...]]


class _Copy(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="copy"):
    """Arrays that equal another one, by its name."""

    arrays: dict[str, str]


class _Data(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="data"):
    """Arrays without a generator: they stay as they are stored."""

    arrays: tuple[str, ...]


class Draw(Frozen, frozen=True, kw_only=True):
    """One call of a random stream.

    ``shape`` and ``order`` arrange the drawn numbers; then they are floored, or divided. ``at`` puts the draw
    into that place of an array's first dimension. ``bias`` names the second array of PyTorch's ``linear``.
    """

    name: str
    call: str
    args: tuple[Any, ...] = ()
    shape: tuple[int, ...] | None = None
    order: Literal["C", "F"] = "C"
    floor: bool = False
    divide: float | None = None
    at: int | None = None
    bias: str = ""


class _Drawn(Frozen, frozen=True, kw_only=True):
    seed: int
    draws: tuple[Draw, ...]


class _Numpy(_Drawn, frozen=True, kw_only=True, tag_field="kind", tag="numpy"):
    """NumPy's legacy stream."""

    calls = frozenset({"rand", "randn", "randint", "random_sample", "standard_normal", "normal", "uniform"})
    size_at: ClassVar[Mapping[str, int]] = {"randint": 2, "normal": 2, "uniform": 2}

    def open(self) -> Any:
        return numpy.RandomState(self.seed)

    def take(self, stream: Any, draw: Draw) -> Any:
        sized = draw.shape is not None and draw.call not in ("rand", "randn")
        size = {"size": math.prod(draw.shape or ())} if sized else {}
        args = _tuples(draw.args)
        at = self.size_at.get(draw.call, 0)
        sizes = args if draw.call in ("rand", "randn") else next(iter(args[at:]), None)
        # NumPy itself would begin to draw whatever fits into memory.
        as_shape(() if sizes is None else sizes, "NumPy raises TypeError or ValueError")
        as_shape(np.broadcast_shapes(*map(np.shape, args[:at])), "NumPy raises ValueError")
        return getattr(stream, draw.call)(*args, **size)


class _R(_Drawn, frozen=True, kw_only=True, tag_field="kind", tag="r"):
    """R's stream: ``stream`` is the kind of generator, ``sample_kind`` the way of `sample`."""

    stream: Any = "Mersenne-Twister"
    sample_kind: Any = "Rejection"

    calls = frozenset({"runif", "rnorm", "rexp", "sample"})

    def open(self) -> Any:
        return r.set_seed(self.seed, kind=self.stream, sample_kind=self.sample_kind)

    def take(self, stream: Any, draw: Draw) -> Any:
        return getattr(stream, draw.call)(*_tuples(draw.args))


class _Torch(_Drawn, frozen=True, kw_only=True, tag_field="kind", tag="torch"):
    """PyTorch's CPU stream, of the builds with vector instructions unless ``capability`` says else."""

    capability: Any = "AVX2"
    version: Any = "2.7"

    calls = frozenset({"rand", "randn", "randint", "randperm", "normal_", "uniform_", "linear", "embedding"})

    def open(self) -> Any:
        return torch.Generator(self.seed, self.capability, self.version)

    def take(self, stream: Any, draw: Draw) -> Any:
        with_bias = {"bias": bool(draw.bias)} if draw.call == "linear" else {}
        return getattr(stream, draw.call)(*_tuples(draw.args), **with_bias)


class _Julia(_Drawn, frozen=True, kw_only=True, tag_field="kind", tag="julia"):
    """Julia's ``MersenneTwister`` or ``Xoshiro``, as in a ``version``."""

    stream: Literal["MersenneTwister", "Xoshiro"] = "MersenneTwister"
    version: Any = "1.10"

    calls = frozenset({"rand", "randn", "randexp", "randperm"})

    def open(self) -> Any:
        kind = julia.MersenneTwister if self.stream == "MersenneTwister" else julia.Xoshiro
        return kind(self.seed, self.version)

    def take(self, stream: Any, draw: Draw) -> Any:
        return getattr(stream, draw.call)(*_tuples(draw.args))


_Streams = _Numpy | _R | _Torch | _Julia
_Section = _Literal | _Zeros | _Copy | _Data | _Streams


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What the sections make: arrays by name, the names that are data, and the sections' kinds."""

    arrays: Mapping[str, Array]
    data: tuple[str, ...]
    kinds: tuple[str, ...]


def make(toml: Toml, *, describes: bool = False) -> Made:
    """Make the arrays of a fixture again.

    Parameters
    ----------
    toml : Toml
        The fixture.toml.
    describes : bool
        Whether what is written down need not be described in a section ``[arrays.NAME]``.

    Returns
    -------
    Made
        Every array of the sections ``[arrays.NAME]``, in the stated shape and dtype, but for those that a
        section of kind ``data`` names; without any section all are data.

    Raises
    ------
    FixtureError
        With the line, if a section is not as it should be, a stream refuses its arguments, an array is made
        twice or by no section, or is not what ``[arrays.NAME]`` states.
    """
    declared = dict(_declared(toml))
    made: dict[str, Array] = {}
    # Without any section, nothing makes the arrays.
    data: list[str] = [] if "generator" in toml.data else list(declared)
    sections = list(_sections(toml))

    is_literal = False

    def keep(name: str, array: Any, place: Place) -> None:
        if name in made or name in data:
            raise toml.refuse(f"the array {name!r} is made twice", *place, advice="remove one")
        if name not in declared and describes and isinstance(array, np.ndarray) and is_literal:
            made[name] = array
            return
        if name not in declared:
            accept = f", as harness regenerate {toml.path.parent.name} --accept does" if is_literal else ""
            raise toml.refuse(
                f"the array {name!r} is made, but not described",
                *place,
                advice=f'add a section [arrays."{name}"] with shape, dtype and origin{accept}',
            )
        made[name] = fitted(toml, name, array, declared[name])

    for section, place in sections:
        is_literal = isinstance(section, _Literal)
        if isinstance(section, _Literal | _Zeros):
            for name, given in section.arrays.items():
                array = (
                    np.broadcast_to(0.0, checked_shape(toml, given, *place, "arrays", name))
                    if isinstance(section, _Zeros)
                    else _literal(toml, given, name, place)
                )
                keep(name, array, (*place, "arrays", name))
        elif isinstance(section, _Data):
            for index, name in enumerate(section.arrays):
                if name not in declared or name in made or name in data:
                    raise toml.refuse(
                        f"the array {name!r} is made elsewhere, or not described", *place, "arrays", index
                    )
                data.append(name)
        elif not isinstance(section, _Copy):
            for name, (array, where) in _drawn(toml, section, place).items():
                keep(name, array, where)
    for section, place in sections:
        if isinstance(section, _Copy):
            for name, of in section.arrays.items():
                if of not in made:
                    raise toml.refuse(f"there is no array {of!r} to copy", *place, "arrays", name)
                keep(name, made[of], (*place, "arrays", name))
    for name in declared:
        if name not in made and name not in data:
            raise toml.refuse(
                f"no generator makes the array {name!r}",
                *("arrays", name),
                advice=f'if it is data that nothing makes, say so: kind = "data", arrays = ["{name}"]',
            )
    kinds = dict.fromkeys(str(section.__struct_config__.tag) for section, _ in sections) or ("data",)
    return Made(arrays=made, data=tuple(data), kinds=tuple(kinds))


def _declared(toml: Toml) -> Iterator[tuple[str, ArrayEntry]]:
    for name in toml.convert(dict[str, Any], "arrays") if "arrays" in toml.data else ():
        entry = toml.convert(ArrayEntry, "arrays", name)
        checked_shape(toml, entry.shape, "arrays", name, "shape")
        yield name, entry


def _sections(toml: Toml) -> Iterator[tuple[_Section, Place]]:
    sections = toml.data.get("generator", [])
    if not isinstance(sections, dict | list):
        raise toml.refuse("write each generator as a [[generator]] section", "generator")
    places: list[Place] = [("generator", index) for index in range(len(sections))]
    if isinstance(sections, dict):
        places = [("generator",)]
    kinds: dict[str, type[_Section]] = {
        str(kind.__struct_config__.tag): kind
        for kind in (_Literal, _Zeros, _Copy, _Data, _Numpy, _R, _Torch, _Julia)
    }
    for place in places:
        section = sections if isinstance(sections, dict) else sections[int(place[-1])]
        kind = section.get("kind") if isinstance(section, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise toml.refuse(
                f"unknown kind of generator {kind!r}", *place, "kind", advice=f"there are: {', '.join(kinds)}"
            )
        yield toml.convert(kinds[kind], *place), place


def _literal(toml: Toml, given: Any, name: str, place: Place) -> Array:
    try:
        array = np.array(given)
    except (ValueError, OverflowError) as problem:
        raise toml.refuse(f"the rows of {name!r} differ in length", *place, "arrays", name) from problem
    if array.dtype.kind not in "biuf":
        raise toml.refuse(f"the array {name!r} is not of numbers", *place, "arrays", name)
    return array


def _drawn(toml: Toml, section: _Streams, place: Place) -> dict[str, tuple[Array, Place]]:
    """Make all draws, in order; those with ``at`` are stacked."""
    whole: dict[str, tuple[Array, Place]] = {}
    parts: dict[str, dict[int, Array]] = {}
    stream = _asked(toml, section.open, (*place, "seed"))
    for index, draw in enumerate(section.draws):
        where = (*place, "draws", index)
        for name, array in _taken(toml, section, stream, draw, where).items():
            again = name in whole and (draw.at is None or name not in parts)
            if name != PASSED_OVER and (again or draw.at in parts.get(name, {})):
                raise toml.refuse(f"the array {name!r} is drawn twice", *where)
            if draw.at is not None:
                parts.setdefault(name, {})[draw.at] = array
            whole[name] = array, where
    for name, rows in parts.items():
        _, where = whole[name]
        if sorted(rows) != list(range(len(rows))) or len({row.shape for row in rows.values()}) > 1:
            raise toml.refuse(f"the parts of {name!r} leave a gap, or differ in shape", *where)
        whole[name] = np.stack([rows[at] for at in sorted(rows)]), where
    whole.pop(PASSED_OVER, None)
    return whole


def _taken(toml: Toml, section: _Streams, stream: Any, draw: Draw, where: Place) -> dict[str, Array]:
    if draw.call not in section.calls:
        raise toml.refuse(
            f"there is no call {draw.call!r}",
            *where,
            "call",
            advice=f"there are: {', '.join(sorted(section.calls))}",
        )
    if draw.shape is not None:
        checked_shape(toml, draw.shape, *where, "shape")
    drawn = _asked(toml, lambda: section.take(stream, draw), where)
    if isinstance(drawn, dict):
        named = {draw.name: drawn["weight"]} | ({draw.bias: drawn["bias"]} if draw.bias else {})
    else:
        named = {draw.name: np.asarray(drawn)}
    if draw.shape is not None:
        for name, array in named.items():
            if array.size != math.prod(draw.shape):
                raise toml.refuse(f"{array.size} numbers do not fill {list(draw.shape)}", *where, "shape")
            named[name] = array.reshape(draw.shape, order=draw.order)
    if draw.floor:
        named = {name: np.floor(array) for name, array in named.items()}
    if draw.divide == 0:
        raise toml.refuse("nothing can be divided by 0", *where, "divide")
    if draw.divide is not None:
        named = {name: array / draw.divide for name, array in named.items()}
    return named


def _asked(toml: Toml, ask: Callable[[], Any], where: Place) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # R's of what it cannot draw: the array has NaN there
            return ask()
    except (StreamError, StreamTypeError, TypeError, ValueError, ArithmeticError) as problem:
        raise toml.refuse(f"the stream refuses this: {problem}", *where) from problem


def _tuples(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
