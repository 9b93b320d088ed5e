"""Terminals: where to print, and a progress bar that only a terminal shows."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from harness.conformance.evaluator import Progress

_WIDTH_OF_A_LOG = 110


def stdout() -> Console:
    """Standard output; where it is no terminal, as wide as the tables need."""
    return _console(stderr=False)


def stderr() -> Console:
    """Standard error, likewise."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    fixed = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=stderr, width=_WIDTH_OF_A_LOG if fixed else None, highlight=False)


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Something to tell progress to: a bar on a terminal; elsewhere what is waited for."""
    console = stderr()
    if not console.is_terminal:
        told: set[str] = set()

        def say(progress: Progress) -> None:
            if progress.waiting and progress.waiting not in told:
                told.add(progress.waiting)
                console.print(progress.waiting, markup=False)

        yield say
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting workers", total=None)

        def show(progress: Progress) -> None:
            doing = progress.waiting or f"{progress.case} {progress.implementation}"
            bar.update(task, completed=progress.done, total=progress.total, description=doing)

        yield show


@contextmanager
def status_line() -> Iterator[Callable[[Path, str], None]]:
    """Something to tell what is done with which document: a line that goes away again, on a terminal."""
    console = stderr()
    if not console.is_terminal:
        yield lambda _path, _step: None
        return
    doing: dict[str, str] = {}
    with console.status("documents") as status:

        def show(path: Path, step: str) -> None:
            doing[path.name] = step
            status.update("; ".join(f"{name}: {each}" for name, each in doing.items()))

        yield show
