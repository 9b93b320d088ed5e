"""Hulls of all values that the branches of undecided comparisons can give.

A first evaluation notes, stage by stage, which comparisons rounding can turn. A second one, in balls of fewer
bits than the working precision, treats these as undecided; its balls contain the values of both branches.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt
from flint import arb
from numpy.lib.mixins import NDArrayOperatorsMixin

from harness.oracle.ball_arrays import Balls
from harness.oracle.evaluation import Evaluation
from harness.oracle.free_signs import FreeSigns
from harness.oracle.gaps import ends_of, widest_gap
from harness.oracle.oracle_array import OracleArray
from harness.oracle.oracle_source import OracleSource
from harness.oracle.registry import arithmetic, balls
from harness.oracle.rounding import Rounded
from harness.oracle.truth_parts import Parts
from harness.oracle.unknown import Unknown
from harness.oracle.walks import PATHS, Walk

Array = npt.NDArray[Any]
Note = tuple[Array, ...]
"""Which comparisons are undecided; or the least and the greatest step that rounding can give."""


class Noting(Rounded):
    """Numbers that carry their rounding, and note which comparisons it can turn."""

    notes: ClassVar[dict[str, list[Note]]]
    noted: ClassVar[list[Note]]
    lost: ClassVar[bool] = False
    walk: ClassVar[Walk | None] = None

    @classmethod
    def begin(cls, stage: str) -> None:
        """Begin the notes of a stage."""
        cls.noted = cls.notes[stage] = []

    @classmethod
    def ended(cls) -> None:
        """End the notes of a stage; nothing is checked."""

    @classmethod
    def compare(cls, ufunc: np.ufunc, x: Any, y: Any) -> tuple[Array, Array]:
        """Truth values, as in `Rounded`; the undecided ones are noted."""
        value, unsure = super().compare(ufunc, x, y)
        cls.noted.append((unsure.copy(),))
        return (value, unsure) if cls.walk is None or unsure.ndim else cls.walk.decide(value, unsure)

    @classmethod
    def stepped(cls, x: Any, step: Callable[[Any], Any], what: str) -> Self:
        """A step function, as in `Rounded`; the bounds of the step are noted."""
        cls.noted.append(cls.ends(x, step))
        made = super().stepped(x, step, what)
        assert isinstance(made, cls)
        return made

    @classmethod
    def placed(cls, places: Array, least: Array, most: Array, what: str) -> Any:
        """Whole numbers, as in `Rounded`; their bounds are noted."""
        cls.noted.append((np.array(least), np.array(most)))
        return super().placed(places, least, most, what)


class Guided(Balls):
    """Balls that are undecided where the notes say so as well.

    ``lost``: the comparisons are not those that were noted. ``ways``: the balls of each way through a stage.
    """

    ways: Sequence[Array] = ()

    notes: ClassVar[Mapping[str, Sequence[Note]]]
    left: ClassVar[deque[Note]]
    lost: ClassVar[bool]
    walk: ClassVar[Walk | None] = None

    @classmethod
    def begin(cls, stage: str) -> None:
        """Begin to use the notes of a stage."""
        cls.left, cls.lost = deque(cls.notes.get(stage, ())), False

    @classmethod
    def ended(cls) -> None:
        """End a stage; unused notes mean that its comparisons differ from those that were noted."""
        cls.lost = cls.lost or bool(cls.left)

    @classmethod
    def within(cls, value: Array, error: Array) -> Self:
        """Balls that contain every number within the error."""
        pairs = zip(value.ravel().tolist(), np.broadcast_to(error, value.shape).ravel().tolist(), strict=True)
        return cls(_as_items([arb(number, radius) for number, radius in pairs], value.shape))

    @classmethod
    def compare(cls, ufunc: np.ufunc, x: Any, y: Any) -> tuple[Array, Array]:
        """Truth values; undecided where the balls overlap, or where the notes say so."""
        value, unsure = super().compare(ufunc, x, y)
        noted = cls._next(1, unsure.shape)
        unsure = unsure if noted is None else unsure | noted[0]
        return (value, unsure) if cls.walk is None or unsure.ndim else cls.walk.decide(value, unsure)

    @classmethod
    def choose(cls, first: Array, unsure: Array, x: Any, y: Any, why: str = "") -> Self:
        """Balls that contain both values; NaN where either value is not finite."""
        made = super().choose(first, unsure, x, y, why)
        assert isinstance(made, cls)
        open_ended = np.asarray(unsure & ~(_finite(x) & _finite(y)))
        return cls(np.where(open_ended, arb("nan"), made.items)) if open_ended.any() else made

    @classmethod
    def stepped(cls, x: Any, step: Callable[[Any], Any], what: str) -> Self:
        """Balls that contain every step that rounding can give."""
        made = super().stepped(x, step, what)
        assert isinstance(made, cls)
        noted = cls._next(2, made.shape)
        if noted is None or not (noted[0] != noted[1]).any():
            return made
        ends = (array.ravel().tolist() for array in noted)
        items = [
            ball.union(arb(low)).union(arb(high)) if low < high else ball
            for ball, low, high in zip(made.items.ravel(), *ends, strict=True)
        ]
        return cls(_as_items(items, made.shape))

    @classmethod
    def placed(cls, places: Array, least: Array, most: Array, what: str) -> Any:
        """Whole numbers; undecided between the bounds of the balls and of the notes."""
        noted = cls._next(2, np.shape(least))
        if noted is not None:
            least, most = np.minimum(least, noted[0]), np.maximum(most, noted[1])
        return super().placed(places, least, most, what)

    def one_of(self, where: Array, least: Array, most: Array) -> Self:
        """Balls that contain all numbers from the least to the most."""
        ends = zip(self.items.ravel(), where.ravel(), least.ravel(), most.ravel(), strict=True)
        items = [arb(int(low)).union(arb(int(high))) if at else ball for ball, at, low, high in ends]
        return type(self)(_as_items(items, self.shape))

    @classmethod
    def _next(cls, count: int, shape: tuple[int, ...]) -> Note | None:
        """The next note; None where it does not fit this comparison."""
        note = cls.left.popleft() if cls.left else ()
        if len(note) == count and all(array.shape == shape for array in note):
            return note
        cls.lost = True
        return None


class _Followed(Evaluation):
    """An evaluation whose arithmetic knows which stage is computed."""

    def _outputs(self, stage: Mapping[str, Any]) -> list[Any]:
        kind: Any = self.kind
        kind.begin(stage["name"])
        outputs = super()._outputs(stage)
        kind.ended()
        if not kind.lost:
            return outputs
        return [
            output.spoiled(np.ones(output.shape, dtype=bool)) if hasattr(output, "spoiled") else output
            for output in outputs
        ]


class _Explored(_Followed):
    """An evaluation in `Guided` balls that follows both ways where the control flow is undecided.

    Parameters
    ----------
    noted : Evaluation
        The evaluation that made the notes.
    until : float
        The processor time of this thread from which on no way is followed.
    """

    def __init__(self, noted: Evaluation, until: float, *given: Any) -> None:
        super().__init__(*given)
        self.noted = noted
        self.until = until

    def _outputs(self, stage: Mapping[str, Any]) -> list[Any]:
        self.turns = False
        outputs = super()._outputs(stage)
        return (self._every_way(stage) or outputs) if self.turns else outputs

    def _undecided(self, stage: Mapping[str, Any], given: Sequence[Any]) -> list[Any]:
        self.turns = True
        return super()._undecided(stage, given)

    def _every_way(self, stage: Mapping[str, Any]) -> list[Any] | None:
        """Balls that hold the outputs of all ways through the stage; None if these are too many to follow."""
        waiting: list[list[bool]] = [[]]
        ends: list[list[Any]] = []
        try:
            while waiting:
                if len(ends) == PATHS:
                    return None
                forced = waiting.pop()
                first = self._one_way(self.noted, stage, forced)
                way = self._one_way(self, stage, first.taken)
                ends.append([self._gathered(output) for output in self.outputs])
                either = [a or b for a, b in zip(first.unsure, way.unsure, strict=True)]
                way.unsure = [unsure and place >= len(forced) for place, unsure in enumerate(either)]
                waiting += way.turned()
            return [_union(self.kind, outputs) for outputs in zip(*ends, strict=True)]
        except (Unknown, ValueError):
            return None

    def _one_way(self, evaluation: Evaluation, stage: Mapping[str, Any], forced: Sequence[bool]) -> Walk:
        kind: Any = evaluation.kind
        kind.walk = Walk(forced, self.until)
        try:
            self.outputs = _Followed._outputs(evaluation, stage)  # type: ignore[arg-type]
            return cast(Walk, kind.walk)
        finally:
            kind.walk = None


def _union(kind: Any, outputs: Sequence[Any]) -> Guided:
    """Balls that hold these arrays; ValueError where their shapes differ."""
    arrays = [kind.gather(output).items for output in outputs]
    items = [functools.reduce(arb.union, balls) for balls in zip(*(a.ravel() for a in arrays), strict=True)]
    if any(array.shape != arrays[0].shape for array in arrays):
        raise ValueError("ways through a stage give arrays of different shapes")
    made: Guided = kind(_as_items(items, arrays[0].shape))
    made.ways = arrays
    return made


def hulls(
    source: OracleSource,
    stages: Sequence[Mapping[str, Any]],
    given: Mapping[str, Array],
    stated: Mapping[str, tuple[Array, Array]],
    *,
    bits: int,
    feed: bool,
    until: float,
) -> Mapping[str, Any]:
    """Balls that contain every value of the outputs, whichever way undecided comparisons go.

    Parameters
    ----------
    source, stages, given, stated, feed
        As in `Evaluation`.
    bits : int
        Length of the significand that implementations compute with.
    until : float
        The processor time of this thread from which on no way through a stage's branches is followed.

    Returns
    -------
    mapping
        By output, balls or plain numbers; a NaN ball has no bounds.
    """
    fewer = bits - max(2, bits // 6)
    noting, guided = source.kind(_noting, bits, bits), source.kind(_guided, bits, fewer)
    noting.notes, noting.noted = {}, []
    noting.restart()
    noted = _Followed(source, noting, bits, given, stated).run(stages, feed=feed)
    if vars(noting).get("lower"):
        # Balls of these bits hold no rounding to fewer.
        return {}
    guided.notes, guided.left, guided.lost, guided.signs = noting.notes, deque(), False, FreeSigns()
    guided.restart()
    return _Explored(noted, until, source, guided, fewer, given, stated).run(stages, feed=feed).results


def enclosed(parts: Parts, hull: Any, unit: float, largest: float) -> Parts:
    """The parts of a value, with bounds of those undecided elements whose branches have bounds.

    Without a hull, an element may be NaN. Bounds are widened by the square root of the unit roundoff times
    the largest number, as in a coarse limit.
    """
    high, low, radius, worst, limit = parts.arrays
    open_ended = np.isnan(limit) & np.isposinf(radius)
    if hull is None:
        # For example, a matrix may be singular on some branch.
        return replace(parts, arrays=[high, low, np.where(open_ended, np.nan, radius), worst, limit])
    if not isinstance(hull, Balls) or hull.shape != high.shape:
        return parts
    asked = open_ended & _finite(hull)
    radius = np.where(asked | (open_ended & _no_number(hull)), np.nan, radius)
    if not asked.any():
        return replace(parts, arrays=[high, low, radius, worst, limit])
    least, most = (
        np.fmin(ends_of(hull.items, asked, arb.lower), high),
        np.fmax(ends_of(hull.items, asked, arb.upper), high),
    )
    # A number too large for the format may be infinite.
    known = asked & (np.fmax(np.abs(least), np.abs(most)) <= largest)
    sizes = np.abs(np.stack([least, most, high]))
    room = np.sqrt(unit) * float(sizes[np.isfinite(sizes)].max(initial=0.0))
    middle = least / 2.0 + most / 2.0
    with np.errstate(invalid="ignore"):
        reach = np.nextafter(np.maximum(most - middle, middle - least) + room, np.inf)
    return replace(
        parts,
        arrays=[np.where(known, middle, high), low, np.where(known, reach, radius), worst, limit],
        gap=widest_gap(hull.ways, high, known, room) if isinstance(hull, Guided) else None,
    )


# Comparisons must not take the shortcut of single numbers, which neither notes nor reads notes.
_COMPARISONS: Mapping[str, Any] = {
    **{
        name: getattr(NDArrayOperatorsMixin, name)
        for name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__")
    },
    "__hash__": OracleArray.__hash__,
}


def _noting(bits: int) -> type[Noting]:
    return type("Noting", (Noting, arithmetic(bits)), {"notes": {}, "noted": [], **_COMPARISONS})


def _guided(bits: int) -> type[Guided]:
    return type(
        "Guided", (Guided, balls(bits)), {"notes": {}, "left": deque(), "lost": False, **_COMPARISONS}
    )


def _finite(x: Any) -> Array:
    flat = [bool(ball.is_finite()) for ball in x.items.ravel()]
    return np.array(flat, dtype=bool).reshape(x.shape)


def _no_number(x: Any) -> Array:
    flat = [bool(ball.is_nan()) for ball in x.items.ravel()]
    return np.array(flat, dtype=bool).reshape(x.shape)


def _as_items(flat: Sequence[Any], shape: tuple[int, ...]) -> Array:
    items = np.empty(len(flat), dtype=object)
    items[:] = flat
    return items.reshape(shape)
