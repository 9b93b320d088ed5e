"""Shared by ``documents`` and ``run --documents``: which documents are run, and whether they may be."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from harness.cli import options

run_unevaluated = click.option(
    "--run-unevaluated", is_flag=True, help="Run the chunks that a document itself does not run."
)

trust = click.option("--trust", is_flag=True, help="Run the code of these documents without being asked.")


def vouched_for(paths: tuple[Path, ...], trust: bool) -> tuple[Path, ...]:
    """The documents themselves, and those in the folders, if the user says that they may be run.

    Raises
    ------
    UsageError
        There is no such document, nobody allows it, or a package that reads documents is not installed.
    """
    from harness.errors import UsageError

    try:
        from harness.findings.articles import find_documents
        from harness.sessions.sandbox import requires_trust
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"documents cannot be read: {missing.name} is not installed",
            advice="python3 -m pip install 'harness[documents]'",
        ) from missing
    documents = find_documents(paths)
    ask = (lambda question: click.confirm(question, err=True)) if sys.stdin.isatty() else None
    requires_trust(documents, trust, ask)
    return documents


def check_unique_names(paths: tuple[Path, ...]) -> None:
    """Refuse documents of one name: a record knows them by their names.

    Raises
    ------
    UsageError
        With both paths.
    """
    from harness.errors import UsageError

    first: dict[str, Path] = {}
    for path in paths:
        other = first.setdefault(path.name, path)
        if other is not path:
            raise UsageError(
                f"two documents are called {path.name}: {other} and {path}",
                advice="a record knows documents by their names: give one of them, or rename it",
            )


def known_languages(names: tuple[str, ...]) -> None:
    """Refuse names of languages that no document can be run in.

    Raises
    ------
    UsageError
        With the name.
    """
    from harness.documents.engine import RUNTIMES
    from harness.errors import UsageError

    unknown = [name for name in names if name not in RUNTIMES]
    if unknown:
        raise UsageError(
            f"--require: unknown language {', '.join(unknown)}", advice=f"there are: {', '.join(RUNTIMES)}"
        )


def the_suite(given: Path | None) -> Path | None:
    """The suite that was named, or the one that this folder belongs to, or none."""
    from harness.errors import UsageError
    from harness.store.suites import find_suite

    if given is not None:
        return options.the_suite(given)
    try:
        return find_suite(Path.cwd())
    except UsageError:
        return None
