"""What an oracle is asked and answers, with a worker that notes what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from harness.conformance.oracle import OracleClient
from harness.conformance.plan import PlannedCase
from harness.errors import WorkerError
from harness.model import (
    Array,
    Case,
    Implementation,
    Mode,
    Observation,
    Precision,
    SampleTolerance,
    Stage,
    Tolerance,
    Truths,
)
from harness.runtimes.oracle_worker import TruthReply
from harness.runtimes.registry import Launch
from harness.store.beside import FilesBeside
from tests.unit.conformance.by_hand import EXACT, Observations, case_of, fixture_of, value

HALF = Tolerance(
    rule="absolute",
    value=0.5,
    reason="test",
    by_sample=(SampleTolerance(samples="t", rule="absolute", value=0.75, reason="test"),),
)


def case(**changes: Any) -> Case:
    """From x come a (stated), b (derived) and c (exact); d (derived) is made from b and x."""
    stages = (
        Stage(name="a", inputs=("x",), outputs=(value("a", tolerance=HALF),)),
        Stage(name="b", inputs=("a",), outputs=(value("b"),)),
        Stage(name="c", inputs=("b",), outputs=(value("c", tolerance=EXACT),)),
        Stage(name="d", inputs=("b", "x"), outputs=(value("d", tolerance=Tolerance(rule="derived")),)),
    )
    return case_of(**{"stages": stages, "timeout": 7.0, **changes})


def planned(source: Path, of: Case | None = None, samples: str = "s", n: int = 2) -> PlannedCase:
    reference = Implementation(id="numpy", runtime="numpy", language="Python", path=source)
    return PlannedCase(
        folder=source.parent,
        case=of or case(),
        fixture=fixture_of({name: {"x": np.full(n, 1.0 + at)} for at, name in enumerate(samples)}),
        reference=reference,
        implementations=(reference,),
        precisions=(Precision.FLOAT64,),
        beside=FilesBeside(source.parent, (source,)),
    )


def observed(samples: str = "s", **values: float) -> Observations:
    return {
        (sample_name, name): Observation(outputs={name: np.full(2, number)}, seconds=0.0)
        for sample_name in samples
        for name, number in values.items()
    }


def parts(high: Any, limit: Any = 0.5, worst: float = 1.0, radius: float = 0.0) -> Sequence[Array]:
    high = np.asarray(high)
    limit = np.broadcast_to(np.asarray(limit, dtype=np.float64), high.shape)
    whole = np.ones(high.shape)
    return [high, high * 1e-20, radius * whole, worst * whole, limit]


def reply(**changes: Any) -> TruthReply:
    values = {"b": parts([2.0, 3.0]), "d": parts([4.0, 5.0])}
    return TruthReply(**{"values": values, "problems": {}, "why": {}, **changes})


class Asked(msgspec.Struct):
    """One question: to which worker, of which file, with which arrays, and how."""

    handle: str
    arrays: dict[str, Array]
    how: dict[str, Any]


class Workers:
    """In the place of `OracleWorker`: workers that answer from one list, and die of an error in it."""

    def __init__(self, *answers: TruthReply | WorkerError) -> None:
        self.answers: Iterator[TruthReply | WorkerError] = iter(answers)
        self.asked: list[Asked] = []
        self.loaded: list[tuple[Path, dict[str, int], float]] = []
        self.started: list[tuple[str, Launch, Path]] = []
        self.killed: list[str] = []
        self.released: list[str] = []

    def start(self, name: str, launch: Launch, *, stderr: Path) -> Any:
        self.started.append((name, launch, stderr))
        handle = f"h{len(self.started)}"
        worker = SimpleNamespace(alive=True, start_seconds=0.25)

        def load(path: Path, arity: Mapping[str, int], *, deadline: float) -> Any:
            self.loaded.append((path, dict(arity), deadline))
            return SimpleNamespace(handle=handle)

        def truth(of: str, arrays: Mapping[str, Array], **how: Any) -> TruthReply:
            assert worker.alive
            self.asked.append(Asked(handle=of, arrays=dict(arrays), how=how))
            answer = next(self.answers)
            if isinstance(answer, WorkerError):
                worker.alive = False
                raise answer
            return answer

        def kill() -> None:
            self.killed.append(handle)
            worker.alive = False

        worker.load, worker.truth, worker.kill = load, truth, kill
        worker.release = self.released.append
        return worker


LAUNCH = Launch(command=("python", "oracle"))


ClientOf = Callable[[Workers], OracleClient]


def asked_of(client: OracleClient, of: PlannedCase, mode: Mode, upstream: Observations) -> Truths:
    return client.truths(of, Precision.FLOAT64, mode, upstream)


def kept(tmp_path: Path) -> int:
    folder = tmp_path / "cache" / "truths"
    return len(list(folder.iterdir())) if folder.is_dir() else 0
