"""Which implementations return the same bits: whose libraries compute alike. Pure."""

from __future__ import annotations

from collections import Counter
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
    found = Found()
    found.add(record)
    if record.rest is not None:
        found.outputs.update(record.rest.bits)
        found.members.update(record.rest.bits_of)
        found.example = {**record.rest.bits_example, **found.example}
    return tuple(
        SameBits(
            implementations=group,
            outputs=outputs,
            of=sum(n for names, n in found.members.items() if names >= set(group)),
            example=found.example[group],
            libraries=_libraries(record, group),
        )
        for group, outputs in sorted(
            found.outputs.items(), key=lambda item: (-item[1], len(item[0]), item[0])
        )
    )


class Found:
    """In how many ``outputs`` each group returns the same bits, and how many have each set of ``members``."""

    def __init__(self) -> None:
        self.outputs: Counter[tuple[str, ...]] = Counter()
        self.members: Counter[frozenset[str]] = Counter()
        self.example: dict[tuple[str, ...], str] = {}

    def add(self, record: Record) -> None:
        """Take the pairs of a record."""
        by_output: dict[tuple[str, str, str], list[Pair]] = {}
        for pair in record.pairs:
            if not pair.broken and pair.stats is not None:
                by_output.setdefault((pair.case, pair.stage, pair.precision.value), []).append(pair)
        order = {name: place for place, name in enumerate(view.implementations(record))}
        for (case, stage, precision), pairs in by_output.items():
            groups = _groups(pairs, order)
            if len(groups) < 2 or sum(map(len, groups)) < 3:
                continue
            self.members[frozenset(name for group in groups for name in group)] += 1
            for group in groups:
                if len(group) > 1:
                    self.outputs[group] += 1
                    self.example.setdefault(group, f"{stage} of {case} {precision}")


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
