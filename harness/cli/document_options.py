"""Shared by ``documents`` and ``run --documents``: which documents are run, and whether they may be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from harness.cli import options
from harness.cli.output import answers

if TYPE_CHECKING:
    from harness.sessions.sandbox import Sandbox

run_unevaluated = click.option(
    "--run-unevaluated", is_flag=True, help="Run the chunks that a document itself does not run."
)

trust = click.option("--trust", is_flag=True, help="Run the code of these documents without being asked.")

unsandboxed = click.option(
    "--unsandboxed",
    is_flag=True,
    help="Run it even where no sandbox can keep it from this user's files; where one can, it still does.",
)


class Vouched(NamedTuple):
    """Documents that may be run, and the sandbox to run them in."""

    documents: tuple[Path, ...]
    sandbox: Sandbox


def vouched_for(
    paths: tuple[Path, ...], *, trust: bool, unsandboxed: bool, suite: Path | None = None
) -> Vouched:
    """The documents themselves, and those in the folders, if they may be run, and the sandbox to run them in.

    ``suite`` is what they are compared with, where it was found and not named.

    Raises
    ------
    UsageError
        There is no such document, nobody allows it, nothing confines its code, or a package that reads
        documents is not installed.
    """
    from harness.errors import UsageError

    try:
        from harness.findings.articles import find_documents
        from harness.sessions.sandbox import find_sandbox
        from harness.sessions.trust import requires_trust
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"documents cannot be read: {missing.name} is not installed",
            advice="python3 -m pip install 'polyglot-harness[documents]'",
        ) from missing
    documents = find_documents(paths)
    ask = (lambda question: click.confirm(question, err=True)) if answers() else None
    sandbox = find_sandbox(unsandboxed=unsandboxed)
    requires_trust(documents, sandbox, trust, ask, suite)
    return Vouched(documents, sandbox)


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
    from harness.documents.track import RUNTIMES
    from harness.errors import UsageError

    unknown = [name for name in names if name not in RUNTIMES]
    if unknown:
        raise UsageError(
            f"--require: unknown language {', '.join(unknown)}", advice=f"there are: {', '.join(RUNTIMES)}"
        )


def the_suite(given: Path | None) -> Path | None:
    """The suite that was named, or the one that this folder belongs to, or none."""
    from harness.errors import UsageError
    from harness.store.suites import current_folder, find_suite

    if given is not None:
        return options.the_suite(given)
    try:
        return find_suite(current_folder())
    except UsageError:
        return None
