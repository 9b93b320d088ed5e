"""True values beside what was observed: the oracle answers in parallel, in the order of what was observed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

from harness.conformance.evaluator import NOTHING, OracleAnswer
from harness.conformance.gather import FinishedUnit
from harness.conformance.judgement import fault
from harness.conformance.oracle import OracleClient
from harness.conformance.oracle_request import derived_outputs, unknown_truths
from harness.model import Verdict

MOST = 64
"""So many items may wait for their true values: what has been observed for more is not taken yet."""

SILENCE = 5.0
"""Seconds after which a run says that it waits for true values."""


def with_truth(
    items: Iterable[FinishedUnit | None],
    oracle_client: OracleClient,
    on_wait: Callable[[FinishedUnit], None] = lambda item: None,
) -> Iterator[tuple[FinishedUnit, OracleAnswer]]:
    """What was observed, in its order, with the true values of those stages whose tolerance is derived.

    The oracle works in parallel with the observers. An item that is None says that the next one is not there
    yet: what has been answered meanwhile is returned. ``on_wait`` is called every `SILENCE` seconds in which
    all items are there, or `MOST`, and the true values of this one are not.
    """
    waiting: deque[tuple[FinishedUnit, Future[OracleAnswer]]] = deque()
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="oracle")
    try:
        for item in items:
            if item is not None:
                waiting.append((item, _asked(pool, oracle_client, item)))
            while waiting and (waiting[0][1].done() or len(waiting) > MOST):
                first, answer = waiting.popleft()
                while wait([answer], timeout=SILENCE).not_done:
                    on_wait(first)
                yield first, answer.result()
        for item, answer in waiting:
            while wait([answer], timeout=SILENCE).not_done:
                on_wait(item)
            yield item, answer.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _asked(pool: ThreadPoolExecutor, oracle_client: OracleClient, item: FinishedUnit) -> Future[OracleAnswer]:
    if item.refusal is not None or not derived_outputs(item.planned.case):
        at_once: Future[OracleAnswer] = Future()
        at_once.set_result(NOTHING)
        return at_once
    return pool.submit(_answer, oracle_client, item)


def _answer(oracle_client: OracleClient, item: FinishedUnit) -> OracleAnswer:
    """Return the oracle's values; if the harness fails on them, all of them are errors."""
    try:
        return oracle_client.evaluate(item.planned, item.precision, item.upstream)
    except Exception as error:
        reason = fault(error).reason
        errors = unknown_truths(item.planned, reason, Verdict.ERROR)
        return OracleAnswer(chained=errors, isolated=errors)
