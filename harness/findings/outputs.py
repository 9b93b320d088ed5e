"""Printed output that the printed code does not produce."""

from __future__ import annotations

from collections.abc import Iterator

from harness.documents.compare_printed import compare_printed
from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.runs import DocumentRuns, first_line
from harness.model.article import Block, BlockKind, BlockVerdict, Finding, Kind, Severity

_NOT_PRINTED = frozenset({"stderr", "display", "error"})
"""Notebook outputs that are not written to standard output."""


def judge_blocks(runs: DocumentRuns) -> tuple[Block, ...]:
    """Compare every output block with what its chunk printed; a chunk's blocks are one text.

    Parameters
    ----------
    runs : Runs
        The document as published, and patched where patches are known.
    """
    blocks = []
    patched = runs.patched is not runs.published and runs.patched.patched
    for chunk in runs.document.chunks:
        if not chunk.output:
            continue
        verdict = _judge(chunk, runs.published.of(chunk))
        other = _judge(chunk, runs.patched.of(chunk)) if patched else None
        for block in chunk.output:
            block_verdict, second = verdict, other
            if block.info in _NOT_PRINTED:
                block_verdict = BlockVerdict(
                    kind=BlockKind.UNCHECKED, reason=f"{block.info}, not printed text"
                )
                second = None
            blocks.append(
                Block(
                    line=block.line,
                    chunk=chunk.index,
                    language=chunk.language,
                    verdict=block_verdict,
                    patched=second if second is not None and second != block_verdict else None,
                )
            )
    return tuple(blocks)


def _judge(chunk: Chunk, run: ChunkRun) -> BlockVerdict:
    if run.left is None:
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason=run.skipped)
    if run.error is not None and not run.left.text.strip():
        reason = f"its chunk fails: {first_line(run.error.message)}"
        return BlockVerdict(kind=BlockKind.NOT_REPRODUCIBLE, reason=reason)
    texts = [block.text for block in chunk.output if block.info not in _NOT_PRINTED]
    if not texts:
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason="no printed text")
    if run.left.cut:
        return BlockVerdict(kind=BlockKind.UNCHECKED, reason=f"{run.left.cut} printed bytes were not kept")
    return compare_printed("\n".join(texts), run.left.text, chunk.language)


def output_findings(runs: DocumentRuns) -> Iterator[Finding]:
    """A finding for every block that differs, or whose chunk fails."""
    chunks = {chunk.index: chunk for chunk in runs.document.chunks}
    for block in judge_blocks(runs):
        verdict = block.verdict
        if verdict.kind not in (BlockKind.DIFFERS, BlockKind.NOT_REPRODUCIBLE):
            continue
        evidence = verdict.reason or _differs(verdict)
        after = block.patched
        if after is not None and after.kind in (BlockKind.REPRODUCED, BlockKind.FORMATTING):
            evidence += f"; with the known patches it is {after.kind}"
        yield runs.finding(
            chunks[block.chunk],
            Kind.OUTPUT_DIFFERS,
            Severity.WRONG,
            evidence,
            "what is printed below the code is not what a reader gets from it",
            line=block.line,
            smallest=str(verdict.first) if verdict.first is not None else "",
        )


def _differs(verdict: BlockVerdict) -> str:
    counted = f"{verdict.differing} of {verdict.numbers} numbers differ" if verdict.numbers else "differs"
    return f"{counted}; first: {verdict.first}" if verdict.first is not None else counted
