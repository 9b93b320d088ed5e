"""Which chunks of a document share a session."""

from __future__ import annotations

from collections.abc import Iterable

from harness.documents.model import Chunk, Document


def sessions_of(document: Document) -> Iterable[tuple[str, str, list[Chunk]]]:
    """Yield each session's language, tab and chunks, in order of appearance.

    Parameters
    ----------
    document : Document
        As it was read. Several tabs in one language are several sessions.
    """
    for language in dict.fromkeys(chunk.language for chunk in document.chunks):
        mine = [chunk for chunk in document.chunks if chunk.language == language]
        tabs = list(dict.fromkeys(chunk.track for chunk in mine if chunk.track))
        if len(tabs) < 2:
            yield language, "", mine
        else:
            for tab in tabs:
                yield language, tab, [chunk for chunk in mine if chunk.track in ("", tab)]
