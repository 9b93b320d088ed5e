"""True values and limits: the reference's own functions on balls, and on arrays that carry their rounding."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import flint
import numpy as np

from harness.oracle.ball_arrays import Balls
from harness.oracle.complex_parts import parts_of
from harness.oracle.evaluation import Evaluation
from harness.oracle.formats import FORMATS
from harness.oracle.free_signs import FreeSigns
from harness.oracle.hulls import enclosed, hulls
from harness.oracle.oracle_array import OracleArray
from harness.oracle.oracle_source import OracleSource
from harness.oracle.registry import arithmetic, balls
from harness.oracle.sampled import Sampled, sampled
from harness.oracle.truth_parts import TRUE_BITS, Parts
from harness.oracle.unknown import SPENT, Unknown
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import Array

RADIUS = 2
"""Index of the radius among the arrays of a value: high, low, radius, worst, limit."""

ENOUGH = 1 << 11
"""Bits up to which more bits are tried although the last increase decided nothing."""

MOST_BITS = 1 << 14
"""Largest number of bits that is tried."""

LEAST_SECONDS = 1.0
"""Processor time for following the branches of a sample, where the case's is spent."""


class OracleHost:
    """A host that evaluates NumPy files on the oracle's arrays."""

    def describe(self) -> dict[str, Any]:
        """Versions of the oracle; its list of dtypes is empty, since it runs no stage in floating point."""
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "python",
            "libraries": {"python-flint": flint.__version__, "numpy": np.__version__},
            "dtypes": [],
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[OracleSource, list[Problem]]:
        """Evaluate a file in a module of its own."""
        loaded = OracleSource(source, signatures)
        return loaded, loaded.plain.problems(stages)

    def call(
        self, loaded: OracleSource, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Refuse: the oracle has no floating-point results."""
        raise WorkerFault("protocol", "an oracle is asked for the truth")

    def truth(
        self, loaded: OracleSource, params: Mapping[str, Any], arrays: list[Array]
    ) -> tuple[dict[str, Any], Sequence[Array]]:
        """True values of stages, and how far a computation may be off.

        Parameters
        ----------
        loaded : OracleSource
            From `load`.
        params : mapping
            ``names``, of the arrays; ``stages``, each with its ``name``, ``inputs`` and ``outputs``;
            ``wanted``, the outputs to return; ``feed``: whether a stage takes the true values of the stages
            before it, instead of the arrays; ``bits``: 53, 24, 11 or 8; ``balls``: whether the worst case is
            computed in balls as well; ``stated``: outputs with a stated tolerance, whose values are among the
            arrays, and their tolerance, by their name with ``:limit``; ``seconds``: processor time that
            may be spent, of which the first evaluation is made in any case.
        arrays : list of ndarray
            Taken as exact.

        Returns
        -------
        result : dict
            ``values``: outputs for which arrays follow; ``problems``: by stage, the reason why it has none;
            ``why``: by output, why some elements are undecided; ``spent``: seconds of processor time;
            ``cut``: whether more seconds might have decided more elements; ``gaps``: outputs of which
            ranges follow, behind all values, that no branch of a comparison gives.
        arrays : sequence of ndarray of float64, or complex128
            For each value its high and low part, their radius, the worst error and the limit. The limit is
            NaN where an element is undecided; the radius there is how far from high any branch may lead, or
            minus infinity if the element has no limit for another reason than a comparison. A large value
            has a sample of its rows and columns, if it can be computed in these alone.
        """
        begun = time.thread_time()
        given = dict(zip(params["names"], arrays, strict=True))
        stated = {name: (given.pop(name), given.pop(f"{name}:limit")) for name in params.get("stated", ())}
        drawn = sampled(loaded, params, given)
        rest = [name for name in params["wanted"] if not drawn.has(name)]
        result: dict[str, Any] = {"values": [], "problems": {}, "why": {}, "spent": 0.0, "cut": False}
        parts: Sequence[Array] = ()
        if rest:
            stages = _needed(params, rest)
            inputs = {name for stage in stages for name in stage["inputs"]}
            question = _Question(
                loaded,
                {**params, "stages": stages, "wanted": rest},
                {name: array for name, array in given.items() if name in inputs},
                stated,
            )
            result, parts = question.answer(float(params.get("seconds", 0.0)), begun)
        result["spent"] = time.thread_time() - begun
        return _joined(loaded, params, drawn, result), [
            *(array for arrays in drawn.values.values() for array in arrays),
            *parts,
        ]

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class _Question:
    """One request: a graph of stages, evaluated as often as necessary."""

    def __init__(
        self,
        loaded: OracleSource,
        params: Mapping[str, Any],
        given: Mapping[str, Array],
        stated: Mapping[str, tuple[Array, Array]],
    ) -> None:
        self.loaded, self.params, self.given, self.stated = loaded, params, given, stated
        self.bits = int(params["bits"])
        self.free = ""

    def answer(self, seconds: float, since: float) -> tuple[dict[str, Any], Sequence[Array]]:
        """Evaluate, with more bits while that decides more elements and processor time is left.

        The time of this thread counts from ``since``; a first evaluation is made in any case.
        """
        rounded = self._evaluated(arithmetic, self.bits)
        worst = self._evaluated(balls, self.bits) if self.params["balls"] else None
        # The time of this thread alone, so that a busy machine changes no answer.
        bits, begun = TRUE_BITS, time.thread_time()
        true, turned = self._true(bits)
        values, problems = self._parts(true, turned, rounded, worst, bits)
        cut = False
        while (left := _wide(values, problems)) and bits < MOST_BITS:
            now = time.thread_time()
            # Twice the bits take up to three times as long, once they are many.
            cut = now - since + 3.0 * (now - begun) > seconds
            if cut:
                cut = _undecided(values, problems) > 0
                values, problems = _cut(values, problems)
                break
            bits, begun = 2 * bits, now
            true, turned = self._true(bits)
            refined, remaining = self._parts(true, turned, rounded, worst, bits)
            # A matrix may need several increases before anything is known of it.
            if _wide(refined, remaining) >= left and not (
                bits < ENOUGH and any(map(_of_bits, remaining.values()))
            ):
                break
            values, problems = refined, remaining
        values, problems = self._placed(values, problems)
        now = time.thread_time()
        third = (seconds - (now - since)) / 3.0
        values, stopped = self._enclosed(values, now + max(third, LEAST_SECONDS))
        result = {
            "values": list(values),
            "problems": problems,
            "why": {name: parts.why for name, parts in values.items() if parts.why},
            "cut": cut or stopped,
        }
        gaps = {name: parts.gap for name, parts in values.items() if parts.gap is not None}
        if gaps:
            result["gaps"] = list(gaps)
        return result, [*(array for parts in values.values() for array in parts.arrays), *gaps.values()]

    def _placed(
        self, values: Mapping[str, Parts], problems: Mapping[str, str]
    ) -> tuple[dict[str, Parts], dict[str, str]]:
        """The values and problems, every reason with a line of the file."""
        stages = {name: stage["name"] for stage in self.params["stages"] for name in stage["outputs"]}
        return (
            {
                name: replace(parts, why=self.loaded.placed(parts.why, stages[name])) if parts.why else parts
                for name, parts in values.items()
            },
            {stage: self.loaded.placed(reason, stage) for stage, reason in problems.items()},
        )

    def _enclosed(self, values: Mapping[str, Parts], until: float) -> tuple[dict[str, Parts], bool]:
        """The values, with bounds of undecided elements where all branches have bounds.

        At the processor time ``until`` no more ways are followed; whether that was so is returned too.
        """
        if not any(np.isposinf(parts.arrays[RADIUS]).any() for parts in values.values()):
            return dict(values), False
        bounds = hulls(
            self.loaded,
            self.params["stages"],
            self.given,
            self.stated,
            bits=self.bits,
            feed=bool(self.params["feed"]),
            until=until,
        )
        unit, largest = 2.0**-self.bits, FORMATS[self.bits].largest
        within = {name: enclosed(parts, bounds.get(name), unit, largest) for name, parts in values.items()}
        return within, time.thread_time() > until

    def _true(self, bits: int) -> tuple[Evaluation, list[Evaluation]]:
        """True values, and evaluations with other signs where a factorisation is free to choose them."""
        true = self._evaluated(balls, bits)
        signs = true.kind.signs  # type: ignore[attr-defined]
        self.free = signs.reason
        return true, [self._evaluated(balls, bits, bit) for bit in signs.bits]

    def _evaluated(
        self, make: Callable[[int], type[OracleArray]], bits: int, bit: int | None = None
    ) -> Evaluation:
        kind = self.loaded.kind(make, self.bits, bits)
        kind.restart()
        if issubclass(kind, Balls):
            kind.signs = FreeSigns(bit)
        evaluation = Evaluation(self.loaded, kind, bits, self.given, self.stated)
        return evaluation.run(self.params["stages"], feed=bool(self.params["feed"]))

    def _parts(
        self,
        true: Evaluation,
        turned: Sequence[Evaluation],
        rounded: Evaluation,
        worst: Evaluation | None,
        bits: int,
    ) -> tuple[dict[str, Parts], dict[str, str]]:
        values: dict[str, Parts] = {}
        problems: dict[str, str] = {}
        scale = max((_largest(array) for array in self.given.values()), default=1.0)
        for stage in self.params["stages"]:
            outputs = [name for name in stage["outputs"] if name in self.params["wanted"]]
            try:
                for view in (true, rounded):
                    if stage["name"] in view.problems:
                        raise Unknown(view.problems[stage["name"]])
                parts = {
                    name: parts_of(
                        true.results[name],
                        rounded.results[name],
                        worst.results.get(name) if worst else None,
                        unit=2.0**-self.bits,
                        bits=bits,
                        met=tuple(dict.fromkeys([*true.met.get(name, ()), *rounded.met.get(name, ())])),
                        scale=scale,
                        free=[
                            evaluation.results[name] for evaluation in turned if name in evaluation.results
                        ],
                        why_free=self.free,
                        up_to=self.params.get("up_to", {}).get(name, ""),
                    )
                    for name in outputs
                }
            except Unknown as error:
                problems[stage["name"]] = str(error)
            else:
                values |= parts
        return values, problems


def _needed(params: Mapping[str, Any], wanted: Sequence[str]) -> list[Mapping[str, Any]]:
    """The stages that some outputs are of, and, with ``feed``, all that these follow from."""
    names = set(wanted)
    needed = []
    for stage in reversed(params["stages"]):
        if names.intersection(stage["outputs"]):
            needed.append(stage)
            names.update(stage["inputs"] if params["feed"] else ())
    return needed[::-1]


def _joined(
    loaded: OracleSource, params: Mapping[str, Any], drawn: Sampled, result: Mapping[str, Any]
) -> dict[str, Any]:
    """One answer of what is known in samples, which comes first, and of what is computed as a whole."""
    stages = {name: stage["name"] for stage in params["stages"] for name in stage["outputs"]}
    rest = {stages[name] for name in params["wanted"] if not drawn.has(name)}
    problems = {stage: why for stage, why in result["problems"].items() if stage in rest}
    problems |= {stages[name]: loaded.placed(why, stages[name]) for name, why in drawn.problems.items()}
    why = {name: loaded.placed(reason, stages[name]) for name, reason in drawn.why.items()}
    return {
        **result,
        "values": [*drawn.values, *result["values"]],
        "problems": problems,
        "why": why | result["why"],
    }


def _wide(values: Mapping[str, Parts], problems: Mapping[str, str]) -> int:
    """The number of elements that more bits may decide, or give more digits."""
    return _undecided(values, problems) + sum(int(parts.short.sum()) for parts in values.values())


def _undecided(values: Mapping[str, Parts], problems: Mapping[str, str]) -> int:
    """The number of elements and stages that more bits may decide."""
    alone = sum(map(_of_bits, problems.values()))
    return alone + sum(int(parts.wide.sum()) for parts in values.values())


def _of_bits(reason: str) -> bool:
    return "do not tell its true value" in reason


def _cut(values: Mapping[str, Parts], problems: Mapping[str, str]) -> tuple[dict[str, Parts], dict[str, str]]:
    """The values and problems, with the reason why more bits were not tried where these might help."""
    return (
        {
            name: replace(parts, why=f"{parts.why}; {SPENT}" if parts.why else SPENT)
            if parts.wide.any()
            else parts
            for name, parts in values.items()
        },
        {name: f"{reason}; {SPENT}" if _of_bits(reason) else reason for name, reason in problems.items()},
    )


def _largest(array: Array) -> float:
    if array.dtype.kind not in "fc" or not array.size:
        return 0.0
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0))


def start() -> OracleHost:
    """Return the host; nothing has to be started."""
    return OracleHost()
