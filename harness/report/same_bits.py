"""Which implementations return the same bits: whose libraries compute alike. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from harness.model import Pair, Record, runtime_of
from harness.report import view

_NO_LIBRARY = frozenset({"", "none"})


class SameBits(msgspec.Struct, frozen=True, kw_only=True):
    """Implementations that return the same bits in some outputs, and no other one does.

    ``outputs`` counts outputs by case, stage and precision, ``of`` those that all members have; ``example``
    names one. ``libraries`` are those that the runtimes say they compute with.
    """

    implementations: tuple[str, ...]
    outputs: int
    of: int
    example: str
    libraries: tuple[str, ...]


def same_bits(record: Record) -> tuple[SameBits, ...]:
    """The groups whose members return the same bits, chained, those of most outputs first.

    Parameters
    ----------
    record : Record
        Outputs on which all return the same bits say nothing of libraries, and are left out; so are those
        that fewer than three have.
    """
    by_output: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in record.pairs:
        if not pair.broken and pair.stats is not None:
            by_output.setdefault((pair.case, pair.stage, pair.precision.value), []).append(pair)
    order = {name: place for place, name in enumerate(view.implementations(record))}
    found: dict[tuple[str, ...], list[str]] = {}
    considered: dict[tuple[str, ...], int] = {}
    members: list[frozenset[str]] = []
    for (case, stage, precision), pairs in by_output.items():
        groups = _groups(pairs, order)
        if len(groups) < 2 or sum(map(len, groups)) < 3:
            continue
        members.append(frozenset(name for group in groups for name in group))
        for group in groups:
            if len(group) > 1:
                found.setdefault(group, []).append(f"{stage} of {case} {precision}")
    for group in found:
        considered[group] = sum(names >= set(group) for names in members)
    return tuple(
        SameBits(
            implementations=group,
            outputs=len(places),
            of=considered[group],
            example=places[0],
            libraries=_libraries(record, group),
        )
        for group, places in sorted(found.items(), key=lambda item: (-len(item[1]), len(item[0]), item[0]))
    )


def _groups(pairs: Iterable[Pair], order: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Implementations in groups of the same bits: being equal is transitive."""
    group_of: dict[str, set[str]] = {}
    for pair in pairs:
        for name in (pair.left, pair.right):
            group_of.setdefault(name, {name})
        if _is_same(pair) and group_of[pair.left] is not group_of[pair.right]:
            both = group_of[pair.left] | group_of[pair.right]
            for name in both:
                group_of[name] = both
    distinct = {id(group): group for group in group_of.values()}.values()
    return [tuple(sorted(group, key=lambda name: order.get(name, len(order)))) for group in distinct]


def _is_same(pair: Pair) -> bool:
    stats = pair.stats
    return stats is not None and not (
        stats.max_abs or stats.nan_mismatch or stats.inf_mismatch or stats.zero_sign_mismatch
    )


def _libraries(record: Record, group: Iterable[str]) -> tuple[str, ...]:
    known = record.header.runtimes
    named = []
    for name in group:
        info = known.get(runtime_of(name))
        if info is not None:
            libm = info.libraries.get("libm", "")
            named += [info.blas, f"libm {libm}" if libm else ""]
    return tuple(dict.fromkeys(library for library in named if library not in _NO_LIBRARY))
