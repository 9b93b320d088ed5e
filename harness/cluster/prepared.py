"""What all units of a run have in common, and the suite that is sent for them."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import __version__
from harness.cluster.archive import FIXTURES, Archive, pack
from harness.cluster.units import Common
from harness.conformance.observers import Replaying
from harness.conformance.plan import Plan
from harness.runtimes.oracle import ID as ORACLE
from harness.store.word_vectors import VARIABLE


def prepared(
    plan: Plan,
    *,
    runtimes: Sequence[str] | None = None,
    require: tuple[str, ...] = (),
    replay: Replaying = "never",
    strict: bool = False,
    glove: Path | None = None,
    without: Path | None = None,
) -> tuple[Archive, Common]:
    """Pack a plan's suite, and say what its units have in common.

    Parameters
    ----------
    plan : Plan
        The whole run.
    runtimes : sequence of str, optional
        Those that are started; else all of the plan.
    require, replay, strict
        As in `harness.conformance.run.run`.
    glove : Path, optional
        The word vectors that the plan was made with.
    without : Path, optional
        A folder that is not sent.

    Raises
    ------
    UsageError
        The suite cannot be sent.
    """
    words = _glove(plan, glove)
    archive = pack(plan.suite, glove=words, without=without)
    needed = dict.fromkeys(
        name for name in (*(plan.runtimes if runtimes is None else runtimes), *require) if name != ORACLE
    )
    common = Common(
        run=uuid.uuid4().hex,
        harness=__version__,
        archive=archive.sha256,
        suite=archive.suite,
        here=str(plan.suite.absolute()),
        fixtures=str(plan.suite.resolve().parent / FIXTURES),
        glove=words.name if words is not None else "",
        runtimes=tuple(name for name in needed if name != ORACLE),
        replay=replay,
        strict=strict,
    )
    return archive, common


def _glove(plan: Plan, given: Path | None) -> Path | None:
    """The file of word vectors that a plan's fixtures look words up in."""
    named: Any = given or os.environ.get(VARIABLE)
    return Path(named) if named and any(planned.fixture.labels for planned in plan.cases) else None
