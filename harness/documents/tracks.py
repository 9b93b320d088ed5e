"""Which chunks of a document share a session; a script that stands beside it has one of its own."""

from __future__ import annotations

from collections.abc import Iterable

from harness.documents.model import Chunk, Document


def sessions_of(document: Document) -> Iterable[tuple[str, str, list[Chunk]]]:
    """Yield each session's language, tab and chunks, in order of appearance.

    Parameters
    ----------
    document : Document
        As it was read. Several tabs in one language are several sessions, and so is each run of a script.
    """
    shown = [chunk for chunk in document.chunks if not is_script(chunk)]
    for language in dict.fromkeys(chunk.language for chunk in shown):
        mine = [chunk for chunk in shown if chunk.language == language]
        tabs = list(dict.fromkeys(chunk.track for chunk in mine if chunk.track))
        if len(tabs) < 2:
            yield language, "", mine
        else:
            for tab in tabs:
                yield language, tab, [chunk for chunk in mine if chunk.track in ("", tab)]
    for chunk in document.chunks:
        if is_script(chunk):
            yield chunk.language, chunk.track, [chunk]


def is_script(chunk: Chunk) -> bool:
    """Say whether a chunk is a whole file beside its document: its track has the name of the file then."""
    return bool(chunk.source) and chunk.track == chunk.source
