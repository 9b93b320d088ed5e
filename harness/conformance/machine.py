"""The machine that a run was made on."""

from __future__ import annotations

import locale
import platform
from datetime import UTC, datetime
from pathlib import Path

from harness import __version__
from harness.cores import cores
from harness.model import Absent, Case, Header, LeftOut, RuntimeInfo, Shard
from harness.store.record_line import SCHEMA
from harness.store.suites import current_folder
from harness.workers.protocol import VERSION


def describe_machine(
    *,
    suite: str,
    started: str,
    runtimes: dict[str, RuntimeInfo],
    absent: tuple[Absent, ...],
    fixtures: dict[str, str],
    cases: tuple[Case, ...],
    copies: dict[str, tuple[str, ...]] | None = None,
    left_out: dict[str, LeftOut] | None = None,
    environments: dict[str, dict[str, str]] | None = None,
    shard: Shard | None = None,
) -> Header:
    """Return a record's header for a run that began then."""
    return Header(
        schema=SCHEMA,
        harness=__version__,
        protocol=VERSION,
        started=started,
        suite=suite,
        python=platform.python_version(),
        platform=platform.platform(),
        cpu=cpu(),
        cores=cores(),
        locale=".".join(filter(None, locale.getlocale())) or "C",
        runtimes=runtimes,
        absent=absent,
        fixtures=fixtures,
        cases=cases,
        copies=copies or {},
        left_out=left_out or {},
        environments=environments or {},
        shard=shard,
    )


def now() -> str:
    """Return the time, as a record has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def called(suite: Path) -> str:
    """Return a suite as a command given here would name it; of one elsewhere, the folder's name."""
    whole, here = suite.resolve(), current_folder()
    inside = whole != here and whole.is_relative_to(here)
    return whole.relative_to(here).as_posix() if inside else whole.name


def cpu() -> str:
    """Return the processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
