"""The plan of a run: which cases, on which fixtures, in which implementations and precisions."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from harness.errors import CaseError, UsageError
from harness.model import Case, Expected, Fixture, Implementation, LeftOut, Precision, Shard
from harness.runtimes.registry import Registry
from harness.store.beside import FilesBeside
from harness.store.cases import load_case
from harness.store.environments import check_lock
from harness.store.fixtures import load_fixture
from harness.store.suites import case_folders

_NAMED = 20


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
    """All of a run; ``left_out`` and ``shard`` as in the record's `Header`."""

    suite: Path
    registry: Registry
    cases: tuple[PlannedCase, ...]
    left_out: dict[str, LeftOut] = {}
    shard: Shard | None = None

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
    chosen = _choose("case", cases, [folder.name for folder in folders])
    whole = tuple(_plan_case(folder, suite, registry, glove) for folder in folders if folder.name in chosen)
    named = dict.fromkeys(implementation.id for item in whole for implementation in item.implementations)
    narrowed = _narrowed(
        whole,
        _choose("implementation", implementations, named, known=registry.specs),
        _choose("sample", samples, dict.fromkeys(name for item in whole for name in item.fixture.samples)),
        _choose("precision", precisions, dict.fromkeys(p for item in whole for p in item.precisions)),
    )
    if not narrowed:
        raise UsageError(
            "no case has all that was chosen together",
            advice="choose other cases, or fewer of --impl, --sample and --precision",
        )
    return Plan(
        suite=suite,
        registry=registry,
        cases=narrowed,
        left_out=_left_out([folder.name for folder in folders], whole, narrowed),
    )


def plan_one(
    suite: Path,
    case: str,
    registry: Registry,
    *,
    implementations: Container[str],
    samples: Container[str],
    precisions: Container[str],
    glove: Path | None = None,
) -> Plan:
    """Plan a part of one case; the suite's other cases are not looked at.

    Parameters
    ----------
    suite : Path
        The suite's folder.
    case : str
        The name of the case.
    registry : Registry
        The suite's.
    implementations, samples, precisions : container of str
        Those that are chosen, by their names.
    glove : Path, optional
        As in `make_plan`.

    Raises
    ------
    CaseError, FixtureError
        If the case or its fixture is not sound.
    """
    whole = (_plan_case(suite / case, suite, registry, glove),)
    return Plan(suite=suite, registry=registry, cases=_narrowed(whole, implementations, samples, precisions))


def _narrowed(
    whole: tuple[PlannedCase, ...],
    implementations: Container[str],
    samples: Container[str],
    precisions: Container[str],
) -> tuple[PlannedCase, ...]:
    """Return the chosen parts of cases; cases of which nothing is chosen are left out."""
    kept = (
        msgspec.structs.replace(
            item,
            implementations=tuple(i for i in item.implementations if i.id in implementations),
            fixture=msgspec.structs.replace(
                item.fixture,
                samples={name: arrays for name, arrays in item.fixture.samples.items() if name in samples},
            ),
            precisions=tuple(p for p in item.precisions if p in precisions),
        )
        for item in whole
    )
    return tuple(item for item in kept if item.implementations and item.fixture.samples and item.precisions)


def _left_out(
    cases: Sequence[str], whole: tuple[PlannedCase, ...], chosen: tuple[PlannedCase, ...]
) -> dict[str, LeftOut]:
    """Return what was not chosen; of the cases that were left out, only their names."""
    ran = {item.case.name for item in chosen}
    there, left = (_parts([item for item in items if item.case.name in ran]) for items in (whole, chosen))
    there["cases"], left["cases"] = list(cases), list(ran)
    return {
        kind: LeftOut(
            chosen=len(left[kind]),
            of=len(names),
            names=tuple(name for name in names if name not in set(left[kind])),
        )
        for kind, names in there.items()
        if len(left[kind]) < len(names)
    }


def _parts(items: Sequence[PlannedCase]) -> dict[str, list[str]]:
    """Return the names of the parts of cases; a sample's name has its case if there are several cases."""
    several = len(items) > 1
    return {
        "implementations": list(dict.fromkeys(i.id for item in items for i in item.implementations)),
        "samples": [
            f"{item.case.name}/{name}" if several else name for item in items for name in item.fixture.samples
        ],
        "precisions": list(dict.fromkeys(p.value for item in items for p in item.precisions)),
    }


def _plan_case(
    folder: Path,
    suite: Path,
    registry: Registry,
    glove: Path | None,
) -> PlannedCase:
    case = load_case(folder)
    fixture = load_fixture(case, suite, glove=glove)
    _check_samples(case, fixture, folder)
    implementations = registry.implementations(folder)
    references = [implementation for implementation in implementations if implementation.id == case.reference]
    if not references:
        raise CaseError(
            f"no source file for the reference {case.reference!r}",
            path=folder / "case.toml",
            advice=f"found: {', '.join(implementation.id for implementation in implementations) or 'none'}",
        )
    if any(implementation.runtime == "r" for implementation in implementations):
        check_lock(folder)
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
        precisions=case.precisions,
        beside=FilesBeside(folder, [implementation.path for implementation in implementations]),
    )


def _check_samples(case: Case, fixture: Fixture, folder: Path) -> None:
    """Refuse a known divergence, or an expected value, of which the fixture has no sample."""
    for value in case.values.values():
        data = value.expected
        if not isinstance(data, Expected):
            continue
        if data.array and not any(data.array in fixture.arrays(sample) for sample in fixture.samples):
            raise CaseError(
                f"{value.name!r} is expected to be {data.array!r}, which the fixture {fixture.name} has not",
                path=folder / "case.toml",
                advice="name an array of the fixture, or add it",
            )
        for sample in data.printed:
            if sample not in fixture.samples:
                raise CaseError(
                    f"the fixture {fixture.name} has no sample {sample!r}",
                    path=folder / data.table,
                    advice=f"there are: {', '.join(fixture.samples)}",
                )
    for known in case.known_divergences:
        for pattern in known.samples:
            if not any(fnmatchcase(sample, pattern) for sample in fixture.samples):
                raise CaseError(
                    f"known divergence {known.id!r}: no sample matches {pattern!r}",
                    path=folder / "case.toml",
                    advice=f"there are: {', '.join(fixture.samples)}",
                )


def _any(patterns: tuple[str, ...], name: str) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")] or ["*"]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return any(fnmatchcase(name, p) for p in wanted) and not any(fnmatchcase(name, p) for p in unwanted)


def _choose(
    what: str, patterns: tuple[str, ...], names: Collection[str], known: Collection[str] = ()
) -> frozenset[str]:
    """The names that patterns choose; what is ``known`` may be left out though there is none here.

    Raises
    ------
    UsageError
        A pattern matches none of them, or all that match are left out.
    """
    whose = "there are" if what == "case" else "the chosen cases have"
    advice = f"{whose}: {', '.join(list(names)[:_NAMED])}{' ...' if len(names) > _NAMED else ''}"
    for pattern in patterns:
        there = {*names, *known} if pattern.startswith("!") else names
        if not any(fnmatchcase(name, pattern.removeprefix("!")) for name in there):
            raise UsageError(f"no {what} matches {pattern!r}", advice=advice)
    chosen = frozenset(name for name in names if _any(patterns, name))
    if not chosen:
        raise UsageError(f"no {what} is left by {', '.join(map(repr, patterns))}", advice=advice)
    return chosen
