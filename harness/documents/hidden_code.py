"""Outputs of chunks that the source holds and the rendered document does not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

import msgspec

from harness.documents.markdown import Fence
from harness.documents.model import Chunk, Document, OutputBlock
from harness.documents.raw_output import MARK
from harness.documents.warned import warns_in

_ERROR = re.compile(r"(?:(?:##|#>) )?Error\b")
_UNPRINTED = ("hide", "asis")
_TEXT = ("prose", "heading")


def without_listings(rendered: Sequence[Fence], source: Sequence[Fence]) -> tuple[Fence, ...]:
    """Leave out of a rendered document the listings that its source holds as they are.

    Parameters
    ----------
    rendered, source : sequence of Fence
        The blocks of both.

    Returns
    -------
    tuple of Fence
        What is left out was printed by no code: it is a fence without a language in the source too.
    """
    listed = Counter(block.text for block in source if _is_listing(block))
    kept = []
    for block in rendered:
        if _is_listing(block) and listed[block.text] > 0 and not MARK.match(block.text):
            listed[block.text] -= 1
        else:
            kept.append(block)
    return tuple(kept)


def with_hidden_output(document: Document, rendered: Sequence[Fence], source: Sequence[Fence]) -> Document:
    """Give chunks of R whose code is not shown the output that stands in their place.

    Parameters
    ----------
    document : Document
        From `with_rendered`.
    rendered, source : sequence of Fence
        The blocks of the rendered document and of its source.

    Returns
    -------
    Document
        A chunk's place is known by the text right above it, where both documents hold it once.
    """
    file = next((block.file for chunk in document.chunks for block in chunk.output if block.file), "")
    places = {_words(above): place for above, place in _places(rendered)}
    above = {block.line: text for text, block in _places_of_chunks(source)}
    once = Counter(_words(block.text) for block in (*rendered, *source) if block.kind in _TEXT)
    chunks = list(document.chunks)
    taken: set[int] = set()
    for chunk in document.chunks:
        text = _words(above.get(chunk.line, ""))
        if not file or not _prints_unseen(chunk) or text not in places or once[text] != 2:
            continue
        blocks = places[text]
        if chunk.options.get("comment", "##"):
            blocks = tuple(takewhile(_all_marked, blocks))
        lines = "\n".join(block.text.rstrip("\n") for block in blocks)
        if not blocks or warns_in(lines) or any(_ERROR.match(line) for line in lines.split("\n")):
            continue
        taken.update(block.line + 1 for block in blocks)
        output = OutputBlock(line=blocks[0].line + 1, text=lines, info="", file=file)
        chunks[chunk.index] = msgspec.structs.replace(chunk, output=(output,))
    if not taken:
        return document
    return msgspec.structs.replace(
        document,
        chunks=tuple(_without(chunk, taken, file) if chunk.echo else chunk for chunk in chunks),
        unread=tuple(output for output in document.unread if output.line - 1 not in taken),
    )


def _is_listing(block: Fence) -> bool:
    return block.kind == "fence" and not block.info


def _prints_unseen(chunk: Chunk) -> bool:
    options = chunk.options
    shown = options.get("results", "markup") not in _UNPRINTED and options.get("include", True) is True
    ran = chunk.executable and chunk.evaluated and chunk.language == "r"
    return ran and shown and not chunk.echo and not chunk.output and not chunk.source


def _places(blocks: Sequence[Fence]) -> Iterator[tuple[str, tuple[Fence, ...]]]:
    """Yield texts of a rendered document with the printed listings that stand right below each."""
    for number, block in enumerate(blocks):
        below = number + 1
        while below < len(blocks) and _is_listing(blocks[below]):
            below += 1
        if block.kind in _TEXT and below > number + 1:
            yield block.text, tuple(blocks[number + 1 : below])


def _places_of_chunks(blocks: Sequence[Fence]) -> Iterator[tuple[str, Fence]]:
    """Yield texts of a source with the chunk that stands right below each."""
    for before, block in pairwise(blocks):
        if before.kind in _TEXT and block.kind == "fence" and block.info.startswith("{"):
            yield before.text, block


def _all_marked(block: Fence) -> bool:
    return all(MARK.match(line) for line in block.text.rstrip("\n").split("\n"))


def _words(text: str) -> str:
    return " ".join(text.split())


def _without(chunk: Chunk, lines: set[int], file: str) -> Chunk:
    """A chunk without the outputs that turned out to be another's."""
    kept = tuple(block for block in chunk.output if block.file != file or block.line not in lines)
    return chunk if len(kept) == len(chunk.output) else msgspec.structs.replace(chunk, output=kept)
