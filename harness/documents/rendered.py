"""An R Markdown or Quarto file and the Markdown that was rendered from it: whose outputs are whose."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.documents.comment_marks import with_known_mark
from harness.documents.model import Chunk, Document, Note, OutputBlock, UnreadOutput
from harness.documents.shown_code import shown_lines

_COMMENT = re.compile(r"\s*#")
_POINT = re.compile(r"(?<![\w.])0\.(?=\d)")
_HIDDEN = ("hide", "asis")


class _Code(msgspec.Struct, frozen=True):
    """Code without blanks, and the line that each of its characters stands on."""

    text: str
    lines: list[int]


def with_rendered(document: Document, rendered: Document) -> Document:
    """Give each chunk the outputs that the rendered document shows below its code.

    Parameters
    ----------
    document : Document
        The source, of which the rendered document was made.
    rendered : Document
        The Markdown file beside it.

    Returns
    -------
    Document
        ``after`` names the statement's last line, ``file`` the rendered document. Outputs below code that
        cannot be found in the source are unread; where no code can be found, the document as it was.
    """
    chunks = list(document.chunks)
    unread: list[UnreadOutput] = []
    places = _places(chunks, rendered)
    if not any(place is not None for place in places.values()):
        return document
    attached: dict[int, list[OutputBlock]] = {}
    for other in rendered.chunks:
        place = places[other.index]
        for block in other.output:
            if place is None:
                why = f"the code above it in {rendered.path.name} is not that of {document.path.name}"
                unread.append(UnreadOutput(line=block.line, text=block.text[:200], why=why))
                continue
            index, lines = place
            after = max((lines[n] for n in lines if not block.after or n <= block.after), default=0)
            text = with_known_mark(block.text, chunks[index].options.get("comment"))
            moved = msgspec.structs.replace(block, text=text, after=after, file=rendered.path.name)
            attached.setdefault(index, []).append(moved)
    for index, blocks in attached.items():
        if not any(not block.file for block in chunks[index].output) or _only_listings(chunks[index]):
            sound = _ends_its_output(chunks, index)
            blocks = [msgspec.structs.replace(block, certain=block.certain and sound) for block in blocks]
            # knitr went on behind an error that it shows.
            went_on = chunks[index].error or any(block.kind == "error" for block in blocks)
            chunks[index] = msgspec.structs.replace(chunks[index], output=tuple(blocks), error=went_on)
    note = Note(line=1, text=f"the outputs are those of {rendered.path.name}, which lies beside it")
    return msgspec.structs.replace(
        document,
        chunks=tuple(chunks),
        unread=(*document.unread, *unread, *rendered.unread),
        pictures=document.pictures + rendered.pictures,
        notes=(note, *document.notes),
    )


def _places(chunks: list[Chunk], rendered: Document) -> dict[int, tuple[int, dict[int, int]] | None]:
    """Find, for each rendered chunk, the source's chunk, and the line there of each of its lines."""
    places: dict[int, tuple[int, dict[int, int]] | None] = {}
    waiting = [
        (chunk.index, _compact(chunk.own or chunk.code, shown_lines(chunk)))
        for chunk in chunks
        if chunk.supported
    ]
    at, within = 0, 0
    for other in rendered.chunks:
        places[other.index] = None
        wanted = _compact(other.code)
        for ahead in range(at, len(waiting)) if wanted.text else ():
            found = _ending(wanted.text, waiting, ahead, within if ahead == at else 0)
            if found is not None:
                last, start, size = found
                index, code = waiting[last]
                lines = code.lines[start : start + size]
                places[other.index] = index, dict(zip(wanted.lines[-size:], lines, strict=True))
                at, within = last, start + size
                break
    return places


def _ending(
    wanted: str, waiting: Sequence[tuple[int, _Code]], first: int, start: int
) -> tuple[int, int, int] | None:
    """Return where code ends that begins there: in which chunk, from where on, and how much of it is there.

    Code of several chunks stands in one listing where the first of them print nothing.
    """
    for number in range(first, len(waiting)):
        _, code = waiting[number]
        if code.text.startswith(wanted, start):
            return number, start, len(wanted)
        part = code.text[start:]
        if not part or not wanted.startswith(part):
            return None
        wanted, start = wanted[len(part) :], 0
    return None


def _compact(code: str, shown: frozenset[int] | None = None) -> _Code:
    """Take out comments and what knitr's formatter may change: blanks, quotes, zeros before points.

    Of a chunk of which only some lines are shown, the others are left out too.
    """
    text, numbers = "", []
    for number, line in enumerate(code.split("\n"), 1):
        if _COMMENT.match(line) or (shown is not None and number not in shown):
            continue
        piece = _POINT.sub(".", "".join(line.split()).replace("'", '"'))
        text += piece
        numbers += [number] * len(piece)
    return _Code(text, numbers)


def _only_listings(chunk: Chunk) -> bool:
    """Whether what stands below a chunk that runs are fences without a language, which it did not print."""
    ran = chunk.executable and chunk.evaluated
    return ran and all(not block.info and not block.after for block in chunk.output)


def _ends_its_output(chunks: list[Chunk], index: int) -> bool:
    """Whether no chunk of hidden code stands next, whose output would seem to be this chunk's."""
    after = chunks[index + 1] if index + 1 < len(chunks) else None
    return after is None or after.echo or not after.evaluated or after.options.get("results") in _HIDDEN
