"""The records of all shards of a run as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from harness.errors import RecordError
from harness.model import Absent, Cell, Consensus, Exhibit, Footer, Header, Pair, Record, RuntimeInfo, Shard

L = TypeVar("L", Cell, Pair, Consensus, Exhibit)

_NAMED = 8


class Part(NamedTuple):
    """One shard's record, where it was read from, and which shard it is."""

    where: Path
    record: Record
    shard: Shard

    @property
    def header(self) -> Header:
        """Its first line."""
        return self.record.header


def merged(records: Mapping[Path, Record]) -> Record:
    """Put the records of all shards of one run together.

    Parameters
    ----------
    records : mapping of Path to Record
        By where they were read from.

    Returns
    -------
    Record
        That of the whole run, but for its times: its seconds are those of all shards together. It is partial
        if one of them is.

    Raises
    ------
    RecordError
        One of them is no shard, one is missing or there twice, they are of different files, choices or
        versions of the harness or of a runtime, or a runtime is there in one and missing in another.
    """
    parts = [_part(where, record) for where, record in records.items()]
    _check_same(parts)
    _check_all_there(parts)
    parts.sort(key=lambda part: part.shard.index)
    return Record(
        header=_header(parts),
        cells=_by_case(parts, lambda record: record.cells),
        pairs=_by_case(parts, lambda record: record.pairs),
        consensus=_by_case(parts, lambda record: record.consensus),
        exhibits=_by_case(parts, lambda record: record.exhibits),
        footer=_footer(parts),
    )


def _part(where: Path, record: Record) -> Part:
    shard = record.header.shard
    if shard is None:
        raise RecordError(
            "is the record of a whole run", path=where, advice="merge takes those of harness run --shard I/N"
        )
    return Part(where, record, shard)


def _check_same(parts: Sequence[Part]) -> None:
    """Refuse parts of different runs."""
    first = parts[0]
    aspects: list[tuple[str, Callable[[Part], object]]] = [
        ("the schema", lambda part: part.header.schema),
        ("the harness", lambda part: part.header.harness),
        ("the suite", lambda part: part.header.suite),
        ("the number of shards", lambda part: part.shard.of),
        ("the cases of the whole run", lambda part: ", ".join(part.shard.cases)),
        ("what the whole run leaves out", lambda part: sorted(part.shard.left_out)),
        ("the content of sources, cases and fixtures", lambda part: part.shard.content[:12]),
    ]
    for part in parts[1:]:
        for what, of in aspects:
            if of(part) != of(first):
                raise _apart(what, first, part, of)
    for name in dict.fromkeys(name for part in parts for name in part.header.runtimes):
        _check_runtime(name, parts)


def _check_runtime(name: str, parts: Sequence[Part]) -> None:
    """Refuse parts in which a runtime has different versions, or is missing in one alone."""
    there = [part for part in parts if name in part.header.runtimes]
    for part in parts:
        for absent in part.header.absent:
            if absent.runtime == name:
                raise RecordError(
                    f"{absent.language} is missing here and is there in {there[0].where}: {absent.reason}",
                    path=part.where,
                    advice="run this shard again where it is",
                )
    for part in there[1:]:
        if _version(part, name) != _version(there[0], name):
            raise _apart(f"the version of {name}", there[0], part, lambda part: _version(part, name))


def _version(part: Part, name: str) -> str:
    return version_of(part.header.runtimes[name])


def version_of(info: RuntimeInfo) -> str:
    """A runtime's version, and those of its libraries: what must be the same on all machines of a run."""
    libraries = [f"{library} {version}" for library, version in sorted(info.libraries.items())]
    return f"{info.version}{' with ' if libraries else ''}{', '.join(libraries)}"


def _apart(what: str, first: Part, part: Part, of: Callable[[Part], object]) -> RecordError:
    return RecordError(
        f"does not belong to {first.where}: {what} there is {of(first)}, and here {of(part)}",
        path=part.where,
        advice="run all shards of the same files with the same options and versions",
    )


def _check_all_there(parts: Sequence[Part]) -> None:
    """Refuse parts of which one is missing or there twice."""
    seen: dict[int, Path] = {}
    for where, _, shard in parts:
        if shard.index in seen:
            raise RecordError(
                f"is the shard {shard.index}/{shard.of}, and so is {seen[shard.index]}",
                path=where,
                advice="name each once",
            )
        seen[shard.index] = where
    of = parts[0].shard.of
    missing = [f"{index}/{of}" for index in range(1, of + 1) if index not in seen]
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        raise RecordError(
            f"without all {of} shards this is no run: missing {', '.join(missing[:_NAMED])}{more}",
            path=parts[0].where,
            advice="name the folders of all shards",
        )


def _header(parts: Sequence[Part]) -> Header:
    shard = parts[0].shard
    headers = [part.header for part in parts]
    cases = {case.name: case for header in headers for case in header.cases}
    whole = joined(headers, shard.runtimes)
    return msgspec.structs.replace(
        whole,
        cases=tuple(cases[name] for name in shard.cases if name in cases),
        left_out=shard.left_out,
        shard=None,
    )


def joined(headers: Sequence[Header], order: Sequence[str]) -> Header:
    """The first of several headers of parts of a run, with what all have: machines, runtimes, fixtures.

    Parameters
    ----------
    headers : sequence of Header
        Of one run's parts.
    order : sequence of str
        The runtimes of the whole run; what it does not name, the oracle, comes last.
    """
    runtimes: dict[str, RuntimeInfo] = {}
    absent: dict[str, Absent] = {}
    for header in headers:
        absent |= {each.runtime: each for each in header.absent}
        for name, info in header.runtimes.items():
            runtimes[name] = _both(runtimes[name], info) if name in runtimes else info
    return msgspec.structs.replace(
        headers[0],
        started=min(header.started for header in headers),
        python=_either(header.python for header in headers),
        platform=_either(header.platform for header in headers),
        cpu=_either(header.cpu for header in headers),
        cores=max(header.cores for header in headers),
        locale=_either(header.locale for header in headers),
        runtimes={name: runtimes[name] for name in sorted(runtimes, key=_place(order))},
        absent=tuple(absent.values()),
        fixtures={name: sha for header in headers for name, sha in header.fixtures.items()},
        copies={name: ids for header in headers for name, ids in header.copies.items()},
        environments={name: used for header in headers for name, used in header.environments.items()},
    )


def _place(order: Sequence[str]) -> Callable[[str], int]:
    places = {name: place for place, name in enumerate(order)}
    return lambda name: places.get(name, len(places))


def _both(one: RuntimeInfo, other: RuntimeInfo) -> RuntimeInfo:
    """A runtime on two machines."""
    return msgspec.structs.replace(
        one,
        blas=_either((one.blas, other.blas)),
        platform=_either((one.platform, other.platform)),
        hosting=_either((one.hosting, other.hosting)),
    )


def _either(texts: Iterable[str]) -> str:
    """What is said by any, each once."""
    return "; ".join(dict.fromkeys(each for text in texts for each in text.split("; ")))


def _by_case(parts: Sequence[Part], lines_of: Callable[[Record], tuple[L, ...]]) -> tuple[L, ...]:
    """The lines of all parts, in the order of the whole run's cases."""
    place = {name: place for place, name in enumerate(parts[0].shard.cases)}
    return tuple(
        sorted((line for part in parts for line in lines_of(part.record)), key=lambda line: place[line.case])
    )


def _footer(parts: Sequence[Part]) -> Footer:
    footers = [part.record.footer or Footer(partial=True, reason="it has no last line") for part in parts]
    reasons = [
        f"shard {part.shard.index}/{part.shard.of}: {footer.reason}"
        for part, footer in zip(parts, footers, strict=True)
        if footer.partial
    ]
    return Footer(
        partial=bool(reasons),
        reason="; ".join(reasons),
        seconds=sum(footer.seconds for footer in footers),
        start_up=summed(footer.start_up for footer in footers),
        busy=summed(footer.busy for footer in footers),
        first=summed(footer.first for footer in footers),
        complaints=tuple(dict.fromkeys(line for footer in footers for line in footer.complaints)),
    )


def summed(times: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Add up times by name."""
    total: dict[str, float] = {}
    for each in times:
        for name, seconds in each.items():
            total[name] = total.get(name, 0.0) + seconds
    return total
