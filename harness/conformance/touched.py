"""Which cases a change of files touches."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.conformance.plan import Plan
from harness.store.fixtures import find_fixture


def watched_folders(plan: Plan) -> tuple[Path, ...]:
    """The suite's folder, and those of its fixtures that lie elsewhere."""
    suite = plan.suite.resolve()
    fixtures = (find_fixture(planned.case, plan.suite).resolve() for planned in plan.cases)
    outside = (folder for folder in fixtures if not folder.is_relative_to(suite))
    return tuple(dict.fromkeys((suite, *outside)))


def touched(plan: Plan, paths: Iterable[Path]) -> tuple[str, ...]:
    """Names of the cases that read any of these files.

    A file of the suite that is in no case's folder, as a helper that several share, touches all of them.

    Parameters
    ----------
    plan : Plan
        The cases that are watched.
    paths : iterable of Path
        Absolute paths of files that came, went or changed.
    """
    suite = plan.suite.resolve()
    folders = {
        planned.case.name: (planned.folder.resolve(), find_fixture(planned.case, plan.suite).resolve())
        for planned in plan.cases
    }
    others = {child for child in suite.iterdir() if child.is_dir() and (child / "case.toml").is_file()}
    names: set[str] = set()
    for path in paths:
        whose = {name for name, own in folders.items() if any(path.is_relative_to(f) for f in own)}
        shared = path.is_relative_to(suite) and not any(path.is_relative_to(other) for other in others)
        names |= whose or (set(folders) if shared else set())
    return tuple(name for name in folders if name in names)
