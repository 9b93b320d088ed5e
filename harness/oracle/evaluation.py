"""The values of a graph of stages in one arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.balls import precision
from harness.oracle.complex_arrays import ComplexArray, is_complex
from harness.oracle.complex_functions import gathered
from harness.oracle.conditions import Condition
from harness.oracle.constants import luckless, of_constants
from harness.oracle.creation import has_complex
from harness.oracle.oracle_array import OracleArray
from harness.oracle.oracle_source import OracleSource
from harness.oracle.rounding import Rounded
from harness.oracle.sampling import NUMBERS, too_many
from harness.oracle.unknown import Undecided, Unknown
from harness.workers.loop import WorkerFault
from harness.workers.python_source import outputs_of

Array = npt.NDArray[Any]


class Evaluation:
    """Stages evaluated in order; a stage without a value affects only the stages that need it.

    Parameters
    ----------
    source : OracleSource
        The file.
    kind : type
        The arithmetic.
    bits : int
        Precision of balls.
    given : mapping
        Arrays by name, taken as exact.
    stated : mapping
        By the name of an output with a stated tolerance: the reference's value, and how far others may be
        from it. They are used where the stage is not understood.

    Attributes
    ----------
    problems : dict
        By stage, the reason why it has no value.
    met : dict
        By output, the undecided comparisons that it may depend on.
    lost : dict
        By output without a value, why the first stage on the way has none.
    """

    def __init__(
        self,
        source: OracleSource,
        kind: type[OracleArray],
        bits: int,
        given: Mapping[str, Array],
        stated: Mapping[str, tuple[Array, Array]],
    ) -> None:
        self.source = source
        self.kind = kind
        self.bits = bits
        self.stated = stated
        self.problems: dict[str, str] = {}
        self.met: dict[str, tuple[str, ...]] = {}
        self.lost: dict[str, str] = {}
        self.results: dict[str, Any] = {}
        with precision(bits):
            self.values: dict[str, Any] = {name: self._given(array) for name, array in given.items()}

    def run(self, stages: Sequence[Mapping[str, Any]], *, feed: bool) -> Evaluation:
        """Evaluate all stages; with ``feed``, each on the values of those before it."""
        for stage in stages:
            try:
                outputs = self._outputs(stage)
            except Unknown as error:
                self.problems[stage["name"]] = str(error)
                outputs = [self._stated(name) for name in stage["outputs"]] if feed else []
                if any(value is None for value in outputs):
                    why = self.source.placed(str(error), stage["name"])
                    root = next((self.lost[i] for i in stage["inputs"] if i in self.lost), why)
                    self.lost |= dict.fromkeys(stage["outputs"], root)
                    continue
            else:
                self.results |= dict(zip(stage["outputs"], outputs, strict=True))
            if feed:
                self.values |= dict(zip(stage["outputs"], outputs, strict=False))
        return self

    def _outputs(self, stage: Mapping[str, Any]) -> list[Any]:
        name, names = stage["name"], stage["outputs"]
        for problem in self.source.plain.problems({name: len(stage["inputs"])}):
            raise Unknown(problem["message"])
        absent = stage.get("absent", ())
        missing = [input_ for input_ in stage["inputs"] if input_ not in self.values and input_ not in absent]
        if missing:
            whys = dict.fromkeys(self.lost[input_] for input_ in missing if input_ in self.lost)
            raise Unknown(": ".join([f"there is no true value of {', '.join(missing)}", *whys]))
        given: list[Any] = [self.values.get(input_) for input_ in stage["inputs"]]
        most = max((array.size for array in given if hasattr(array, "size")), default=0)
        if most > NUMBERS:
            raise Unknown(too_many(most))
        self.kind.branches.take()
        before = [text for input_ in stage["inputs"] for text in self.met.get(input_, ())]
        with precision(self.bits), np.errstate(all="ignore"):
            try:
                # A stage may change what it is given.
                copies = [array.copy() if hasattr(array, "copy") else array for array in given]
                _, value = self.source.within(self.kind).call(name, copies)
                outputs = outputs_of(value, names, self._gathered)
                if issubclass(self.kind, Rounded) and of_constants(value):
                    before += self.kind.branches.take()
                    outputs = self._without_luck(name, names, given, outputs)
            except (WorkerFault, Unknown) as error:
                reason = self.source.reason(error)
                if not isinstance(reason, Undecided):
                    raise reason from error
                outputs = self._undecided(stage, given)
                before += [*self.kind.branches.take(), str(reason)]
        before += [condition.why for condition in outputs if isinstance(condition, Condition)]
        met = tuple(dict.fromkeys([*before, *self.kind.branches.take()]))
        self.met |= dict.fromkeys(names, met)
        return outputs

    def _without_luck(
        self, name: str, names: Sequence[str], given: Sequence[Any], outputs: list[Any]
    ) -> list[Any]:
        """Outputs with errors of shares of counts; as they are where such an error decides anything."""
        copies = [array.copy() if hasattr(array, "copy") else array for array in given]
        try:
            with luckless(self.kind):
                _, value = self.source.within(self.kind).call(name, copies)
            followed = outputs_of(value, names, self._gathered)
        except (WorkerFault, Unknown):
            followed = outputs
        return outputs if self.kind.branches.take() else followed

    def _undecided(self, stage: Mapping[str, Any], given: Sequence[Any]) -> list[Any]:
        """Outputs that are undecided as a whole, in the shape that a plain evaluation gives them."""
        plain = [
            array.nearest().astype(self.kind.dtype)
            if isinstance(array, OracleArray)
            else array.nearest()
            if isinstance(array, ComplexArray)
            else array.value.copy()
            if isinstance(array, Condition)
            else array
            for array in given
        ]
        whole = [_whole(array) for array in plain]
        try:
            outputs = self._plainly(stage, plain)
        except WorkerFault as fault:
            try:
                # Undecided positions, such as those of argmin, are numbers here, and indices in the function.
                outputs = self._plainly(stage, whole)
            except WorkerFault:
                raise self.source.reason(fault) from fault
        return [output.spoiled(np.ones(output.shape, dtype=bool)) for output in outputs]

    def _plainly(self, stage: Mapping[str, Any], arguments: Sequence[Any]) -> list[Any]:
        _, value = self.source.plain.call(stage["name"], arguments)
        return outputs_of(value, stage["outputs"], self._numbers)

    def _given(self, array: Array) -> Any:
        """An input in the arithmetic; unchanged if it is larger than any stage may compute with."""
        if array.dtype.kind == "c" and array.size <= NUMBERS:
            return ComplexArray(*(self._given(part) for part in (array.real, array.imag)))
        computed = array.dtype.kind == "f" and array.size <= NUMBERS
        return self.kind.given(array.astype(np.float64)) if computed else array

    def _stated(self, name: str) -> Any:
        if name not in self.stated:
            return None
        value, error = self.stated[name]
        if value.dtype.kind not in "fc":
            return value
        with precision(self.bits):
            if value.dtype.kind == "c":
                wide = value.astype(np.complex128)
                return ComplexArray(*(self.kind.within(part, error) for part in (wide.real, wide.imag)))
            return self.kind.within(value.astype(np.float64), error)

    def _numbers(self, value: Any) -> Any:
        return ComplexArray.lifted(self.kind, value) if is_complex(value) else self.kind.gather(value)

    def _gathered(self, value: Any) -> Any:
        if isinstance(value, (OracleArray, ComplexArray, Condition)):
            return value
        if has_complex(value):
            return gathered(self.kind, value)
        array = np.asarray(value) if isinstance(value, (np.ndarray, np.generic, bool, int)) else None
        if array is not None and array.dtype.kind in "biu":
            return array
        return self.kind.gather(value)


def _whole(array: Any) -> Any:
    """An array of whole numbers as integers, in memory of its own; any other as it is."""
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
        return array
    return array.astype(np.int64) if np.array_equal(array, np.rint(array)) else array
