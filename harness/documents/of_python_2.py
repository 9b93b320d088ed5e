"""Chunks that are written for Python 2: their ``print x`` run as calls, and accuse nobody."""

from __future__ import annotations

import msgspec

from harness.documents.model import Document
from harness.documents.older_python import with_print_calls

OF_PYTHON_2 = "it is written for Python 2, and ran in Python 3 with its print statements as calls"


def with_print_as_calls(document: Document) -> Document:
    """Return a document whose chunks of Python 2 can be run, but those that show how Python 3 refuses them.

    Parameters
    ----------
    document : Document
        As it was read. It is written for Python 2 then, where it names no version itself.
    """
    chunks = list(document.chunks)
    for place, chunk in enumerate(chunks):
        if chunk.language != "python" or "print" not in chunk.code:
            continue
        if any(block.kind == "error" for block in chunk.output):
            continue
        code = with_print_calls(chunk.code)
        if code is not None:
            own, why = chunk.own or chunk.code, chunk.doubtful or OF_PYTHON_2
            chunks[place] = msgspec.structs.replace(chunk, code=code, own=own, doubtful=why)
    if chunks == list(document.chunks):
        return document
    written = {**document.written_for, "python": "2.7"}
    return msgspec.structs.replace(document, chunks=tuple(chunks), written_for=written)
