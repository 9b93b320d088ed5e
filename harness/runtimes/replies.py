"""What a worker's replies to ``hello``, ``load`` and ``call`` say, once they are held to the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from harness.errors import ImplementationError
from harness.model import Array, RuntimeInfo
from harness.runtimes.conversation import Conversation
from harness.workers import protocol

LONGEST_CALL = 1e9
"""The largest duration in seconds that is accepted from a worker."""

MOST_THREADS = 1 << 16

LONGEST_GREETING = 1 << 16
"""Largest size in bytes of a worker's description of its runtime."""


class Greeting(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's runtime, and which options of the protocol it has."""

    info: RuntimeInfo
    scalars: bool
    vectors: bool
    signatures: bool
    batches: bool


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a worker has loaded, and why some of its stages cannot be called."""

    handle: str
    problems: Mapping[str, ImplementationError]


def greeting(talk: Conversation, result: Mapping[str, Any]) -> Greeting:
    """The reply to ``hello``; the worker is killed where it is not the protocol."""
    if result.get("protocol") != protocol.VERSION:
        talk.not_the_protocol("hello", f"it speaks version {result.get('protocol')!r:.40}")
    facts = result.get("runtime")
    if not isinstance(facts, dict):
        talk.not_the_protocol("hello", "the runtime is missing")
    known = {name: facts[name] for name in RuntimeInfo.__struct_fields__ if name in facts}
    try:
        info = msgspec.convert({**known, "runtime": talk.name}, RuntimeInfo)
        size = len(msgspec.json.encode(info))
    except (msgspec.MsgspecError, OverflowError, UnicodeError) as error:
        talk.not_the_protocol("hello", f"the runtime is not as it should be: {error}")
    if size > LONGEST_GREETING:
        talk.not_the_protocol("hello", f"it says {size} bytes of its runtime")
    if not 0 <= info.threads <= MOST_THREADS:
        talk.not_the_protocol("hello", f"it says {info.threads} threads")
    return Greeting(
        info=info,
        scalars=facts.get("scalars", True) is not False,
        vectors=facts.get("vectors", True) is not False,
        signatures=facts.get("signatures") is True,
        batches=facts.get("batches") is True,
    )


def loaded(talk: Conversation, result: Mapping[str, Any], stages: Mapping[str, int], path: Path) -> Loaded:
    """The reply to ``load`` of a file for these stages; the worker is killed where it is not the protocol."""
    talk.no_other_keys(result, ("handle", "problems"), "load")
    handle, problems = result.get("handle"), result.get("problems")
    if not isinstance(handle, str) or not isinstance(problems, list):
        talk.not_the_protocol("load", "a handle and a list of problems are expected")
    reasons: dict[str, ImplementationError] = {}
    for problem in problems:
        stage = problem.get("stage") if isinstance(problem, dict) else None
        if not isinstance(stage, str) or stage not in stages:
            talk.not_the_protocol("load", "a problem names no stage")
        talk.no_other_keys(problem, ("stage", "kind", "message", "line"), "load")
        why = talk.implementation_error(problem, ("missing", "arity", "unsupported"), "load")
        why.path = path
        reasons[stage] = why
    return Loaded(handle=handle, problems=reasons)


def seconds(talk: Conversation, result: Mapping[str, Any], doing: str) -> float:
    """How long a call took; the worker is killed where it is not the protocol."""
    told = result.get("seconds")
    # In Python, `True` is an int too.
    if not isinstance(told, int | float) or isinstance(told, bool) or not 0 <= told <= LONGEST_CALL:
        talk.not_the_protocol(doing, f"seconds are expected, not {told!r:.80}")
    return float(told)


def check_others(talk: Conversation, others: Any, arrays: Sequence[Array], count: int, doing: str) -> None:
    """Whether ``others`` are places among so many inputs; the worker is killed where they are not."""
    known = isinstance(others, list) and all(type(place) is int and 0 <= place < count for place in others)
    if not known:
        talk.not_the_protocol(doing, "'others' is no list of places")
    if len(others) < count and any(array.shape[:1] != (count,) for array in arrays):
        talk.not_the_protocol(doing, f"{count} results are expected in each array")
