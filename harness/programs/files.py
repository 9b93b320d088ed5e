"""Two existing programs by their files: which variable is which, and where they part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.programs.said import Alignment


def align(
    a: str | PathLike[str],
    b: str | PathLike[str],
    *,
    args_a: Sequence[str] = (),
    args_b: Sequence[str] = (),
    language_a: str = "",
    language_b: str = "",
    same: Mapping[str, str] | None = None,
    ignored: Iterable[str] = (),
    timeout: float = 120.0,
    seconds: float = 120.0,
) -> Alignment:
    """Run two existing programs, match their variables, and find the first statement that differs.

    As ``harness align`` does; they run as they are, each in a copy of its folder.

    Parameters
    ----------
    a, b : path
        Programs in Python, R or Julia, by their endings, or notebooks, R Markdown or Quarto documents.
    args_a, args_b : sequence of str
        Their arguments.
    language_a, language_b : str
        Of a document with chunks in several languages, which are meant: ``python``, ``r`` or ``julia``.
    same : mapping of str to str
        Variables of ``a`` that are known to be those of ``b``.
    ignored : iterable of str
        Variables that are matched with nothing.
    timeout : float
        Seconds for one run of a program.
    seconds : float
        Of processor time, after which nothing more is tried; what is known is said, and ``notes`` tell of it.

    Returns
    -------
    Alignment
        Its ``outcome``, ``matches``, ``divergences`` and ``unmatched``; ``raise_for_divergence`` for a test;
        as Markdown in a notebook.

    Raises
    ------
    UsageError
        A file is not there, or its ending names no language; a name is in neither program.
    ProvisionError
        A language is not here.
    """
    from harness.programs.alignment import align as run
    from harness.programs.launch import as_program
    from harness.sessions.sandbox import Limits, find_sandbox

    return run(
        as_program(Path(a), args_a, language_a),
        as_program(Path(b), args_b, language_b),
        # They are the user's own programs, run as ``python a.py`` would run them.
        find_sandbox(unsandboxed=True),
        limits=Limits(chunk_seconds=timeout),
        seconds=seconds,
        given=same,
        ignored=ignored,
    )
