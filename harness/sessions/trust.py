"""Whether documents may be run at all: their code is a stranger's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from harness.errors import UsageError
from harness.sessions.sandbox import Sandbox


def requires_trust(
    paths: Iterable[Path],
    sandbox: Sandbox,
    trust: bool,
    ask: Callable[[str], bool] | None = None,
    suite: Path | None = None,
) -> None:
    """Refuse to run documents whose code nobody has vouched for.

    Parameters
    ----------
    paths : iterable of Path
        The documents.
    sandbox : Sandbox
        Where they would run: the question says what that protects, and what it does not.
    trust : bool
        Whether the user has said so (``--trust``).
    ask : callable, optional
        Puts a question to a person; None where there is none to ask.

    suite : Path, optional
        The cases that the documents are compared with, where the user has not named them: they run outside of
        the sandbox.

    Raises
    ------
    UsageError
        If they may not be run.
    """
    if trust:
        return
    names = ", ".join(path.name for path in paths)
    facts = sandbox.question
    if suite is not None:
        facts += f" The cases in {suite} run outside of it, with this user's rights, where they speak of it."
    if ask is not None and ask(f"The code of {names} is a stranger's. {facts}\nRun it?"):
        return
    raise UsageError(
        f"not run: the code of {names} is a stranger's", advice=f"say --trust to run it. {facts}"
    )
