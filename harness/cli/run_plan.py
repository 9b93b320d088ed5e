"""What the options of ``harness run`` choose: which part of the suite, and how it is compiled."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from harness.cli import options
from harness.cli.report import read

if TYPE_CHECKING:
    from harness.conformance.observers import Replaying
    from harness.conformance.plan import Plan


class RunOptions(TypedDict):
    """The options and their values, as click hands them over."""

    suite: Path | None
    cases: tuple[str, ...]
    implementations: tuple[str, ...]
    samples: tuple[str, ...]
    precisions: tuple[str, ...]
    glove: Path | None
    require: tuple[str, ...]
    replay: Replaying
    strict: bool
    out: Path
    documents: tuple[Path, ...]
    run_unevaluated: bool
    trust: bool
    unsandboxed: bool
    shard: str | None
    times: Path | None
    sanitize: bool
    dask: str | None
    dask_wait: float
    accuracy: bool
    by_sample: bool
    as_json: bool


def check_dask(given: RunOptions) -> None:
    """Refuse an address that is none, and what cannot be had on a cluster."""
    if given["dask"] is None:
        return
    from harness.cluster.connect import check_address
    from harness.errors import UsageError

    check_address(given["dask"])
    if given["replay"] == "always":
        raise UsageError(
            "--replay always starts no runtime, and so needs no cluster", advice="leave --dask out"
        )
    if given["sanitize"]:
        raise UsageError("--sanitize is for the compilers of this machine", advice="leave --dask out")


def plan_of(given: RunOptions) -> Plan:
    """Return the plan for the part of the suite that the options choose."""
    from harness.conformance.plan import make_plan

    plan = make_plan(
        options.the_suite(given["suite"]),
        cases=given["cases"],
        implementations=given["implementations"],
        samples=given["samples"],
        precisions=given["precisions"],
        glove=given["glove"],
    )
    if given["shard"] is not None:
        return _shard(plan, given["shard"], given)
    if given["times"] is not None:
        from harness.errors import UsageError

        raise UsageError("--times balances shards, and there is no --shard", advice="--shard 1/2 --times DIR")
    return plan


@contextlib.contextmanager
def sanitized(plan: Plan) -> Iterator[None]:
    """Have the workers of this process compile with sanitizers."""
    import os

    from harness.errors import UsageError
    from harness.workers.compiler import SANITIZE

    compiled = [
        name for name in plan.runtimes if plan.registry.specs[name].provision in ("c", "cpp", "fortran")
    ]
    if not compiled:
        raise UsageError(
            "--sanitize: nothing that was chosen is compiled", advice="it is for C, C++ and Fortran: --impl c"
        )
    os.environ[SANITIZE] = "1"
    try:
        yield
    finally:
        del os.environ[SANITIZE]


def _shard(plan: Plan, shard: str, given: RunOptions) -> Plan:
    """Return one shard of a plan."""
    from harness.conformance.shards import shard_named, shard_of
    from harness.errors import UsageError

    index, of = shard_named(shard)
    if given["documents"]:
        raise UsageError(
            "--documents runs with no --shard", advice="harness documents, in a job of its own, looks further"
        )
    return shard_of(plan, index, of, read(given["times"]) if given["times"] is not None else None)
