"""The context of judging: the implementation, and the fields that all of its cells share."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from typing import TypedDict

import msgspec

from harness.conformance.elements import Sizes
from harness.conformance.judgement import Judgement
from harness.model import (
    Basis,
    CallTimes,
    Case,
    Cell,
    Check,
    Implementation,
    Mode,
    Observation,
    Observed,
    Precision,
    Source,
    Stage,
    Value,
    Verdict,
)


class Given(TypedDict):
    """The arguments that every comparison of a value needs."""

    value: Value
    precision: Precision
    sizes: Mapping[str, Sizes]


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The seconds of all calls of a stage, and of one call."""

    seconds: float
    calls: CallTimes | None


class JudgingContext(msgspec.Struct, frozen=True, kw_only=True):
    """The implementation whose cells are judged, in one case and precision."""

    case: Case
    implementation: Implementation
    precision: Precision
    sizes: Mapping[str, Sizes]

    @property
    def is_reference(self) -> bool:
        """Whether it is the case's reference."""
        return self.implementation.id == self.case.reference

    def cell(
        self,
        stage: str,
        mode: Mode,
        check: Check,
        against: str,
        judged: Judgement,
        source: Source,
        spent: Spent | None = None,
        *,
        basis: Basis | None = None,
        weaker_because: str = "",
    ) -> Cell:
        """One line of the record."""
        return Cell(
            case=self.case.name,
            stage=stage,
            implementation=self.implementation.id,
            language=self.implementation.language,
            mode=mode,
            precision=self.precision,
            check=check,
            against=against,
            source=Source.NONE if judged.verdict is Verdict.NOT_RUN else source,
            verdict=judged.verdict,
            reason=judged.reason,
            stats=judged.stats,
            limit=judged.limit,
            worst=judged.worst,
            ulp_error=judged.ulp_error,
            ulp_of_stage=judged.ulp_of_stage,
            worst_sample=judged.worst_sample,
            samples=judged.samples,
            seconds=spent.seconds if spent is not None else 0.0,
            calls=spent.calls if spent is not None else None,
            detail=judged.detail,
            basis=basis,
            weaker_because=weaker_because or judged.why,
            undecided=judged.undecided,
            elements=judged.compared if judged.undecided else 0,
            by_sample=judged.by_sample,
        )


def find_value(case: Case, name: str) -> tuple[Stage, Value]:
    """The output of this name, and the stage that returns it."""
    return case.owner(name), case.values[name]


def spent_on(observed: Observed, samples: Iterable[str], stage: Stage) -> Spent:
    """The seconds that a stage ran, in all samples that returned something."""
    answers = [observed.get((sample, stage.name)) for sample in samples]
    ended = [answer for answer in answers if isinstance(answer, Observation)]
    first = next((answer.seconds for answer in ended if answer.first), None)
    later = [answer.seconds for answer in ended if answer.first is False]
    return Spent(
        seconds=sum(answer.seconds for answer in ended),
        calls=CallTimes(first=first, later=statistics.median(later) if later else None)
        if first is not None or later
        else None,
    )


def source_of(observed: Observed, samples: Iterable[str], stage: Stage) -> Source:
    """Whether any of these samples of a stage was replayed, else whether any was observed live."""
    answers = (observed.get((sample, stage.name)) for sample in samples)
    sources = {answer.source for answer in answers if isinstance(answer, Observation)}
    return Source.REPLAYED if Source.REPLAYED in sources else Source.LIVE if sources else Source.NONE
