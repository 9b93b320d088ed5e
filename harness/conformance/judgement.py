"""The result of a comparison: in one sample, and in all of them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from functools import partial

import msgspec
import numpy as np

from harness.model import ErrorStats, SampleVerdict, Verdict
from harness.model.outcome import HARNESS_FAULT

RANK = {
    Verdict.PASS: 0,
    Verdict.NOT_RUN: 1,
    Verdict.UNSUPPORTED: 1,
    Verdict.FAIL: 2,
    Verdict.TIMEOUT: 3,
    Verdict.ERROR: 3,
}

_FRAMES = 4


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a comparison; over several samples, ``by_sample`` has each, and the rest is the worst.

    ``compared`` elements were there to be compared, ``undecided`` of them nobody can be judged by; ``why``
    says what they depend on.
    """

    verdict: Verdict
    reason: str = ""
    stats: ErrorStats | None = None
    limit: float | None = None
    worst: float | None = None
    ulp_error: float | None = None
    ulp_of_stage: float | None = None
    worst_sample: str = ""
    samples: int = 0
    detail: str = ""
    compared: int = 0
    undecided: int = 0
    why: str = ""
    by_sample: tuple[SampleVerdict, ...] = ()


def fault(error: Exception) -> Judgement:
    """Return the result of a comparison that raised: a fault of the harness."""
    return Judgement(
        verdict=Verdict.ERROR,
        reason=f"{HARNESS_FAULT}{type(error).__name__}: {error}",
        detail="".join(traceback.format_exception(error, limit=-_FRAMES)).strip(),
    )


def guarded(judge: Callable[[], Judgement]) -> Judgement:
    """Return the result of a comparison, or `fault` if it raises."""
    try:
        return judge()
    except Exception as error:
        return fault(error)


def far_off(judged: Judgement, reference: str, share: str) -> Judgement:
    """A coarse FAIL: how far it is from the reference, and that conditioning may be why."""
    reason = (
        f"differs from {reference} by up to {share}; no limit is known here, and a problem that is"
        " ill-conditioned may be the reason"
    )
    return msgspec.structs.replace(judged, reason=f"{reason}; {judged.reason}")


def in_every_sample(
    samples: Iterable[str], judge: Callable[[str], Judgement], *, numbers: bool = False
) -> Judgement:
    """Judge every sample, and keep the worst.

    Parameters
    ----------
    samples : iterable of str
        All of them have to be there.
    judge : callable
        Returns the result of a sample; if it raises, that sample is a `fault`.
    numbers : bool
        Whether another sample, which is judged elsewhere, has numbers.

    Returns
    -------
    Judged
        The worst sample's, with every sample's own verdict, and the largest errors in ULP of all. A sample of
        which no element is decided is NOT_RUN, and the others are what is judged. NOT_RUN if no sample has
        an element that was compared, or all have NaN alone and no other has numbers. No sample at all is a
        FAIL.
    """
    judgements = [(sample, _if_decided(guarded(partial(judge, sample)))) for sample in samples]
    if not judgements:
        return Judgement(verdict=Verdict.FAIL, reason="nothing was compared: the fixture has no samples")
    decided = [pair for pair in judgements if not _is_undecided(pair[1])]
    sample, worst = max(decided or judgements, key=lambda pair: _badness(pair[1]))
    by_sample = tuple(of_sample(name, judgement) for name, judgement in judgements)
    compared = sum(judgement.compared for _, judgement in judgements)
    undecided = sum(judgement.undecided for _, judgement in judgements)
    why = "; ".join(dict.fromkeys(judgement.why for _, judgement in judgements if judgement.why))
    verdict, reason = worst.verdict, worst.reason
    if verdict is Verdict.PASS and compared == undecided:
        verdict, reason = Verdict.NOT_RUN, "nothing was compared: every array is empty"
    elif (
        verdict is Verdict.PASS
        and not numbers
        and all(_is_nan(judgement) for _, judgement in decided if judgement.compared)
    ):
        verdict, reason = (
            Verdict.NOT_RUN,
            "nothing was compared by number: all elements are NaN on both sides",
        )
    elif decided and len(decided) < len(judgements):
        blank = ", ".join(name for name, judgement in judgements if _is_undecided(judgement))
        reason = "; ".join(filter(None, [reason, f"no element could be decided in sample {blank}"]))
    if verdict is Verdict.NOT_RUN and worst.verdict is Verdict.PASS:
        by_sample = tuple(
            msgspec.structs.replace(sample_verdict, verdict=verdict, reason=sample_verdict.reason or reason)
            if sample_verdict.verdict is Verdict.PASS
            else sample_verdict
            for sample_verdict in by_sample
        )
    # The sample that used most of its limit need not be the one with the largest error in ULP.
    ulps = [
        (judgement.ulp_error, judgement.ulp_of_stage)
        for _, judgement in judgements
        if judgement.ulp_error is not None
    ]
    return msgspec.structs.replace(
        worst,
        worst_sample=sample,
        samples=len(judgements),
        compared=compared,
        undecided=undecided,
        why=why,
        verdict=verdict,
        reason=reason,
        by_sample=by_sample,
        ulp_error=max((ulp for ulp, _ in ulps), default=None),
        ulp_of_stage=max((ulp for _, ulp in ulps if ulp is not None), default=None),
    )


def _if_decided(judged: Judgement) -> Judgement:
    """Return it unchanged, or as NOT_RUN without figures if every element is undecided and none is wrong."""
    if judged.verdict is not Verdict.PASS or not judged.compared or judged.compared != judged.undecided:
        return judged
    reason = "no element could be decided" + (f": {judged.why}" if judged.why else "")
    return Judgement(
        verdict=Verdict.NOT_RUN,
        reason=reason,
        compared=judged.compared,
        undecided=judged.undecided,
        why=judged.why,
    )


def _is_undecided(judged: Judgement) -> bool:
    return judged.verdict is Verdict.NOT_RUN and 0 < judged.compared == judged.undecided


def _is_nan(judged: Judgement) -> bool:
    """Whether both sides are NaN wherever they were compared."""
    stats = judged.stats
    return stats is not None and 0 < judged.compared - judged.undecided == stats.nan_both


def of_sample(sample: str, judged: Judgement) -> SampleVerdict:
    """Return the verdict on one sample."""
    stats = judged.stats
    return SampleVerdict(
        sample=sample,
        verdict=judged.verdict,
        reason=judged.reason,
        used=None if stats is None else stats.used,
        max_abs=None if stats is None else stats.max_abs,
        beyond=0 if stats is None else stats.beyond,
        undecided=judged.undecided,
    )


def _badness(judged: Judgement) -> tuple[int, bool, float, float]:
    """Return a key of sorting: a result without numbers, such as a wrong shape, is worse than any number."""
    stats = judged.stats
    if stats is None:
        return RANK[judged.verdict], True, np.inf, np.inf
    return RANK[judged.verdict], False, stats.used, stats.max_ulp
