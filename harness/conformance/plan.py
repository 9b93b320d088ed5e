"""What is going to be run: which cases, on which fixtures, in which implementations and precisions."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

import msgspec

from harness.errors import CaseError, UsageError
from harness.model import Case, Fixture, Implementation, Precision
from harness.runtimes.registry import Registry
from harness.store.beside import FilesBeside
from harness.store.cases import case_folders, load_case
from harness.store.fixtures import load_fixture

T = TypeVar("T")


class PlannedCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case with its inputs; the reference always runs, and is reported if ``implementations`` has it.

    ``beside`` are the files that its sources may read.
    """

    folder: Path
    case: Case
    fixture: Fixture
    reference: Implementation
    implementations: tuple[Implementation, ...]
    precisions: tuple[Precision, ...]
    beside: FilesBeside

    @property
    def hosted(self) -> tuple[Implementation, ...]:
        """Everything that has to run, the reference first."""
        return (
            self.reference,
            *(
                implementation
                for implementation in self.implementations
                if implementation.id != self.reference.id
            ),
        )


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All of a run."""

    suite: Path
    registry: Registry
    cases: tuple[PlannedCase, ...]

    @property
    def runtimes(self) -> tuple[str, ...]:
        """Ids of the runtimes that are needed, the references' first."""
        references = [planned.reference.runtime for planned in self.cases]
        others = [
            implementation.runtime for planned in self.cases for implementation in planned.implementations
        ]
        return tuple(dict.fromkeys([*references, *others]))


def make_plan(
    suite: Path,
    *,
    cases: tuple[str, ...] = ("*",),
    implementations: tuple[str, ...] = ("*",),
    samples: tuple[str, ...] = ("*",),
    precisions: tuple[str, ...] = ("*",),
    glove: Path | None = None,
) -> Plan:
    """Read a suite and choose from it.

    Parameters
    ----------
    suite : Path
        A folder of case folders.
    cases, implementations, samples, precisions : tuple of str
        Glob patterns; what matches any of them is chosen, less what matches one that begins with ``!``.
    glove : Path, optional
        Word vectors in GloVe's text format, for the fixtures that look words up.

    Raises
    ------
    CaseError, FixtureError
        If a chosen case or its fixture is not sound.
    UsageError
        If a pattern matches nothing.
    """
    registry = Registry.load(suite)
    folders = case_folders(suite)
    if not folders:
        raise UsageError(
            "no case here", path=suite, advice="a suite is a folder of folders with a case.toml each"
        )
    chosen = _choose("case", cases, {folder.name: folder for folder in folders})
    planned = tuple(
        _plan_case(folder, suite, registry, samples, precisions, glove) for folder in chosen.values()
    )
    known = {implementation.id: implementation for item in planned for implementation in item.implementations}
    kept = _choose("implementation", implementations, known)
    planned = tuple(
        msgspec.structs.replace(
            item,
            implementations=tuple(
                implementation for implementation in item.implementations if implementation.id in kept
            ),
        )
        for item in planned
    )
    if not any(item.fixture.samples for item in planned):
        raise UsageError(f"no sample matches {', '.join(samples)}")
    if not any(item.precisions for item in planned):
        raise UsageError(
            f"no precision matches {', '.join(precisions)}", advice=f"there are {', '.join(Precision)}"
        )
    return Plan(
        suite=suite,
        registry=registry,
        cases=tuple(
            item for item in planned if item.fixture.samples and item.precisions and item.implementations
        ),
    )


def _plan_case(
    folder: Path,
    suite: Path,
    registry: Registry,
    samples: tuple[str, ...],
    precisions: tuple[str, ...],
    glove: Path | None,
) -> PlannedCase:
    case = load_case(folder)
    fixture = load_fixture(case, suite, glove=glove)
    fixture = msgspec.structs.replace(
        fixture, samples={name: arrays for name, arrays in fixture.samples.items() if _any(samples, name)}
    )
    implementations = registry.implementations(folder)
    references = [implementation for implementation in implementations if implementation.id == case.reference]
    if not references:
        raise CaseError(
            f"no source file for the reference {case.reference!r}",
            path=folder / "case.toml",
            advice=f"found: {', '.join(implementation.id for implementation in implementations) or 'none'}",
        )
    for known in case.known_divergences:
        if not any(
            fnmatchcase(implementation.id, known.implementation) for implementation in implementations
        ):
            raise CaseError(
                f"known divergence {known.id!r}: no implementation matches {known.implementation!r}",
                path=folder / "case.toml",
            )
    return PlannedCase(
        folder=folder,
        case=case,
        fixture=fixture,
        reference=references[0],
        implementations=implementations,
        precisions=tuple(precision for precision in case.precisions if _any(precisions, precision)),
        beside=FilesBeside(folder, [implementation.path for implementation in implementations]),
    )


def _any(patterns: tuple[str, ...], name: str) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")] or ["*"]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return any(fnmatchcase(name, one) for one in wanted) and not any(
        fnmatchcase(name, one) for one in unwanted
    )


def _choose(what: str, patterns: tuple[str, ...], items: dict[str, T]) -> dict[str, T]:
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern.removeprefix("!")) for name in items):
            raise UsageError(f"no {what} matches {pattern!r}", advice=f"there are: {', '.join(items)}")
    return {name: item for name, item in items.items() if _any(patterns, name)}
