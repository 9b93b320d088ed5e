"""What changed in the documents of two records: verdicts on printed output, findings. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from harness.model import Record
from harness.model.article import Block, BlockKind, Examined, Finding, Severity

RANK: Mapping[BlockKind, int] = {
    BlockKind.REPRODUCED: 0,
    BlockKind.FORMATTING: 0,
    BlockKind.UNCHECKED: 1,
    BlockKind.NOT_REPRODUCIBLE: 1,
    BlockKind.DIFFERS: 2,
}
"""Verdicts of printed output, from best to worst."""

_Place = tuple[str, ...]


def printed(old: Record, new: Record) -> Iterator[tuple[str, BlockKind, BlockKind]]:
    """Yield the output blocks whose verdict changed: the block's name, its old and its new verdict."""
    for before, now in _both(old, new):
        by_line = before.sha256 == now.sha256
        then = dict(_blocks(before, by_line))
        for place, block in _blocks(now, by_line):
            was = then.get(place)
            if was is not None and was.verdict.kind is not block.verdict.kind:
                yield f"{now.document} line {block.line} printed output", was.verdict.kind, block.verdict.kind


def findings(old: Record, new: Record) -> Iterator[tuple[str, Severity | None, Severity | None]]:
    """Findings that came, went, or changed: the finding's name, its severity before, and now."""
    for before, now in _both(old, new):
        by_line = before.sha256 == now.sha256
        then, here = dict(_findings(before, by_line)), dict(_findings(now, by_line))
        for place in dict.fromkeys([*here, *then]):
            old_finding, new_finding = then.get(place), here.get(place)
            severities = (
                old_finding.severity if old_finding else None,
                new_finding.severity if new_finding else None,
            )
            if (finding := new_finding or old_finding) is not None and severities[0] is not severities[1]:
                yield (
                    f"{finding.document} line {finding.line} {finding.language}: {finding.kind}",
                    *severities,
                )


def _both(old: Record, new: Record) -> Iterator[tuple[Examined, Examined]]:
    """The documents that were read in both, by name."""
    before = {
        document.document: document
        for document in old.documents
        if not document.problem and not document.failure
    }
    for document in new.documents:
        if document.document in before and not document.problem and not document.failure:
            yield before[document.document], document


def _blocks(examined: Examined, by_line: bool) -> Iterator[tuple[_Place, Block]]:
    """Blocks by line; in a document that was edited, by how many of their language stand before."""
    seen: Counter[_Place] = Counter()
    for block in examined.blocks:
        place: _Place = (block.language, str(block.line) if by_line else "")
        seen[place] += 1
        yield (*place, str(seen[place])), block


def _findings(examined: Examined, by_line: bool) -> Iterator[tuple[_Place, Finding]]:
    """Findings by kind and line; in a document that was edited, by how many of that kind stand before."""
    seen: Counter[_Place] = Counter()
    for finding in examined.findings:
        place: _Place = (finding.language, str(finding.kind), str(finding.line) if by_line else "")
        seen[place] += 1
        yield (*place, str(seen[place])), finding
