"""A part of a run for each of several machines: whole cases, balanced by what they take."""

from __future__ import annotations

import hashlib
import re
import statistics
from collections.abc import Mapping, Sequence

import msgspec

from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.run import JUDGING
from harness.errors import UsageError
from harness.model import LeftOut, Record, Shard
from harness.store.provenance import file_hash

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def shard_named(text: str) -> tuple[int, int]:
    """Read ``3/8``: the third of eight.

    Raises
    ------
    UsageError
        It is no shard.
    """
    match = _SHARD.fullmatch(text)
    index, of = map(int, match.groups()) if match else (0, 0)
    if not 1 <= index <= of:
        raise UsageError(f"--shard: {text!r} is no shard", advice="the third of eight is --shard 3/8")
    return index, of


def shard_of(plan: Plan, index: int, of: int, earlier: Record | None = None) -> Plan:
    """Choose one shard's cases.

    The longest cases are dealt first, each to the shard that has the least so far, so that every machine
    comes to the same division by itself.

    Parameters
    ----------
    plan : Plan
        The whole run.
    index, of : int
        The shard number ``index``, from 1, of ``of``.
    earlier : Record, optional
        A record with the seconds that the cases took; without it a case counts by its comparisons.

    Raises
    ------
    UsageError
        There are more shards than cases.
    """
    if of > len(plan.cases):
        raise UsageError(
            f"--shard {index}/{of}: a shard has one case at least, and there are {len(plan.cases)} here",
            advice=f"divide the run into {len(plan.cases)} or fewer",
        )
    names = [planned.case.name for planned in plan.cases]
    mine = set(deal(_weights(plan, earlier), of)[index - 1])
    chosen = tuple(planned for planned in plan.cases if planned.case.name in mine)
    before = plan.left_out.get("cases")
    others = (*(before.names if before else ()), *(name for name in names if name not in mine))
    left_out = plan.left_out
    if others:
        all_of = before.of if before else len(names)
        left_out = {"cases": LeftOut(chosen=len(chosen), of=all_of, names=others), **_but_cases(left_out)}
    whole = Shard(
        index=index,
        of=of,
        cases=tuple(names),
        runtimes=plan.runtimes,
        left_out=plan.left_out,
        content=content_of(plan),
    )
    return msgspec.structs.replace(plan, cases=chosen, left_out=left_out, shard=whole)


def deal(weights: Mapping[str, float], of: int) -> list[list[str]]:
    """Divide names into so many parts of nearly the same weight, the heaviest first; no part is empty."""
    parts: list[list[str]] = [[] for _ in range(of)]
    loads = [(0.0, 0, place) for place in range(of)]
    for name in sorted(weights, key=lambda name: (-weights[name], name)):
        # Of equal loads that with fewer names, so that cases without a weight are spread as well.
        load, count, place = min(loads)
        parts[place].append(name)
        loads[loads.index((load, count, place))] = (load + weights[name], count + 1, place)
    return parts


def _weights(plan: Plan, earlier: Record | None) -> dict[str, float]:
    if earlier is None:
        return {planned.case.name: float(_comparisons(planned)) for planned in plan.cases}
    seconds = _seconds(earlier)
    known = [seconds[planned.case.name] for planned in plan.cases if planned.case.name in seconds]
    usual = statistics.median(known) if known else 1.0
    return {planned.case.name: seconds.get(planned.case.name, usual) for planned in plan.cases}


def _seconds(record: Record) -> dict[str, float]:
    """The seconds of each case: what its stages took, and its share of the judging."""
    judging = record.footer.busy.get(JUDGING, 0.0) if record.footer is not None else 0.0
    each = judging / max(1, len(record.cells))
    seconds: dict[str, float] = {}
    for cell in record.cells:
        seconds[cell.case] = seconds.get(cell.case, 0.0) + cell.seconds + each
    return seconds


def _comparisons(planned: PlannedCase) -> int:
    parts: Sequence[Sequence[object]] = (planned.implementations, planned.case.stages, planned.precisions)
    count = len(planned.fixture.samples)
    for part in parts:
        count *= len(part)
    return count


def _but_cases(left_out: Mapping[str, LeftOut]) -> dict[str, LeftOut]:
    return {kind: part for kind, part in left_out.items() if kind != "cases"}


def content_of(plan: Plan) -> str:
    """The sha256 of all files and choices that a run follows from."""
    parts = [
        [
            planned.case.name,
            file_hash(planned.folder / "case.toml"),
            {item.id: file_hash(item.path) for item in planned.hosted},
            planned.beside.of(*(item.path for item in planned.hosted)),
            planned.fixture.sha256,
            list(planned.fixture.samples),
            [item.id for item in planned.implementations],
            list(planned.precisions),
        ]
        for planned in plan.cases
    ]
    registry = plan.suite / "suite.toml"
    stanzas = file_hash(registry) if registry.is_file() else ""
    return hashlib.sha256(msgspec.json.encode([stanzas, parts])).hexdigest()
