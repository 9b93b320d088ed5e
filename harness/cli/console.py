"""Terminals: where to print, and a progress bar that only a terminal shows."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from harness.conformance.evaluator import Progress

BAD = frozenset({"FAIL", "XPASS", "ERROR", "TIMEOUT"})
"""The verdicts that are a divergence or a fault."""

_FORCED = frozenset({"FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"})
"""Variables by which rich takes what it writes to for a terminal."""
_WIDTH_OF_A_LOG = 110
SECONDS_A_LINE = 10.0
"""A log, which is no terminal, gets a line of progress so many seconds after the last, or the start."""


def stdout() -> Console:
    """The console of standard output; if that is no terminal, it is as wide as the tables need."""
    return _console(stderr=False)


def stderr() -> Console:
    """The console of standard error, likewise."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    fixed = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=stderr, width=_WIDTH_OF_A_LOG if fixed else None, highlight=False)


@contextmanager
def progress_bar(every: float = SECONDS_A_LINE) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress: as a bar on a terminal, else as lines on what is being done.

    No line is printed twice, nor within ``every`` seconds of the one before, or of the start. A terminal
    shows what was judged last, and keeps what is off.
    """
    console = stderr()
    if not console.is_terminal:
        shown: set[str] = set()
        last = time.monotonic()

        def say(progress: Progress) -> None:
            nonlocal last
            now = time.monotonic()
            line = progress.waiting or f"{progress.case}, {progress.done} of {progress.total}"
            if line not in shown and now - last >= every:
                last = now
                shown.add(line)
                console.print(line, markup=False)

        yield say
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting workers", total=None)

        def show(progress: Progress) -> None:
            doing = progress.waiting or judged(progress)
            if not BAD.isdisjoint(progress.verdicts):
                bar.console.print(doing, markup=False)
            bar.update(task, completed=progress.done, total=progress.total, description=doing)

        yield show


def judged(progress: Progress) -> str:
    """What was judged last, and how many of its cells have which verdict, the worst first."""
    others = [verdict for verdict in progress.verdicts if verdict not in BAD]
    counts = ", ".join(
        f"{progress.verdicts[verdict]} {verdict}"
        for verdict in (*sorted(BAD & progress.verdicts.keys()), *reversed(others))
    )
    which = " ".join(filter(None, (progress.case, progress.precision, progress.implementation)))
    return f"{which}: {counts}" if counts else which


@contextmanager
def status_line() -> Iterator[Callable[[Path, str], None]]:
    """Yield a function that shows each document's step: as a transient line, on a terminal only."""
    if not sys.stderr.isatty() and not _FORCED & os.environ.keys():
        # Rich takes as long to import as a short document to be judged.
        yield lambda _path, _step: None
        return
    console = stderr()
    if not console.is_terminal:
        yield lambda _path, _step: None
        return
    doing: dict[str, str] = {}
    with console.status("documents") as status:

        def show(path: Path, step: str) -> None:
            doing[path.name] = step
            status.update("; ".join(f"{name}: {now}" for name, now in doing.items()))

        yield show
