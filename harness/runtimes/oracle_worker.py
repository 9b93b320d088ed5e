"""The worker that hosts the oracle: it also computes true values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec
import numpy as np

from harness.model import Array, Stage
from harness.runtimes.process import Worker
from harness.workers.protocol import LARGEST_REPLY


class TruthReply(msgspec.Struct, frozen=True, kw_only=True):
    """The oracle's reply.

    Attributes
    ----------
    values : mapping
        By output: its high and low part, their radius, the worst error and the limit, all float64. The limit
        is NaN where an element is undecided.
    problems : mapping
        By stage: why it has no true values.
    why : mapping
        By output: why elements are undecided.
    spent : float
        Seconds of the processor that the answer took.
    cut : bool
        Whether more time might have told more.
    gaps : mapping
        By output: the ends of ranges that no branch of a comparison gives; NaN where there is none.
    """

    values: Mapping[str, Sequence[Array]]
    problems: Mapping[str, str]
    why: Mapping[str, str]
    spent: float = 0.0
    cut: bool = False
    gaps: Mapping[str, Array] = {}


class OracleWorker(Worker):
    """A worker that hosts the oracle. Made by `Worker.start`."""

    def truth(
        self,
        handle: str,
        arrays: Mapping[str, Array],
        *,
        stages: Sequence[Stage],
        wanted: Collection[str],
        feed: bool,
        bits: int,
        balls: bool,
        deadline: float,
        stated: Collection[str] = (),
        seconds: float = 0.0,
        left_out: AbstractSet[str] = frozenset(),
    ) -> TruthReply:
        """Ask the oracle for true values.

        Parameters
        ----------
        handle : str
            From `load`.
        arrays : mapping of str to ndarray
            The stages' inputs, taken as exact.
        stages : sequence of Stage
            What is evaluated, in this order.
        wanted : collection of str
            The outputs whose true values are returned.
        feed : bool
            Whether a stage takes the true values of those before it.
        bits : int
            Length of the significand that limits are for: 53, 24, 11 or 8.
        balls : bool
            Whether the worst case is computed in ball arithmetic as well.
        deadline : float
            Seconds until the answer must be there.
        stated : collection of str
            Outputs that stand in for a stage that is not understood, with what others may be off by in the
            array ``NAME:limit``.
        seconds : float
            Of the processor, that may be spent; the first evaluation is made in any case.
        left_out : set of str
            Optional inputs that this sample leaves out.

        Returns
        -------
        TruthReply

        Raises
        ------
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        params = {
            "handle": handle,
            "names": list(arrays),
            "stages": [
                {
                    "name": stage.name,
                    "inputs": stage.inputs,
                    "outputs": [output.name for output in stage.outputs],
                    **({"absent": absent} if (absent := sorted(left_out & set(stage.inputs))) else {}),
                }
                for stage in stages
            ],
            "wanted": sorted(wanted),
            "feed": feed,
            "bits": bits,
            "balls": balls,
            "stated": sorted(stated),
            "seconds": seconds,
            "up_to": {
                output.name: output.up_to
                for stage in stages
                for output in stage.outputs
                if output.up_to is not None
            },
        }
        rows = [np.asarray(array, order="C") for array in arrays.values()]
        result, parts = self._talk.ask("truth", params, rows, deadline, "truth", most_bytes=LARGEST_REPLY)
        values, problems = result.get("values"), result.get("problems")
        gaps = result.get("gaps", [])
        if not isinstance(gaps, list):
            self._talk.not_the_protocol("truth", "a list of names is expected as gaps")
        if (
            not isinstance(values, list)
            or not isinstance(problems, dict)
            or len(parts) != 5 * len(values) + len(gaps)
        ):
            self._talk.not_the_protocol("truth", "five arrays for each value are expected")
        if not all(isinstance(text, str) for text in (*values, *problems.values(), *gaps)):
            self._talk.not_the_protocol("truth", "the name of a value, or a problem, is no text")
        return TruthReply(
            values={name: parts[5 * n : 5 * n + 5] for n, name in enumerate(values)},
            problems=problems,
            why=dict(result.get("why", {})),
            spent=float(result.get("spent", 0.0)),
            cut=bool(result.get("cut", False)),
            gaps=dict(zip(gaps, parts[5 * len(values) :], strict=True)),
        )
