"""document.toml: which document a case comes from, patches of its chunks, and what is captured of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from harness.documents.model import Chunk, Document
from harness.errors import CaseError
from harness.model import Frozen, Precision
from harness.store.toml import Toml

FILE = "document.toml"


class Place(Frozen, frozen=True, kw_only=True):
    """One chunk, by exactly one of its properties; ``contains`` must name it alone among its language's."""

    index: int | None = None
    label: str = ""
    contains: str = ""


class Patch(Frozen, frozen=True, kw_only=True):
    """A change of one chunk's code, with its reason; ``find`` must occur in it exactly once."""

    id: str
    chunk: Place
    find: str
    replace: str
    reason: str


class PrintedCapture(Frozen, frozen=True, kw_only=True):
    """Numbers that a chunk prints and keeps nowhere: one from each line that begins with a text."""

    printed: str


class Capture(Frozen, frozen=True, kw_only=True):
    """Values of a case that a session has after a chunk, or at its end where no chunk is named.

    Attributes
    ----------
    id, language : str
        Its name, and whose session.
    values : dict of str to str or Printed
        The case's values, and the expressions of the language that give them; ``{chunk N}`` stands for the
        code of the document's chunk N. Or what the chunk has printed.
    after : Place or None
        The chunk; the end of the session where there is none.
    precision : Precision
        What the document computes in.
    samples : dict of str to str
        The fixture's samples; each one's text stands for ``{sample}`` in the expressions.
    setup : str
        Code of ours that the session evaluates first, where an expression needs it; ``{chunk N}`` as above.
    """

    id: str
    language: Literal["r", "python", "julia"]
    values: dict[str, str | PrintedCapture]
    after: Place | None = None
    precision: Precision = Precision.FLOAT64
    samples: dict[str, str] = msgspec.field(default_factory=lambda: {"default": ""})
    setup: str = ""


class DocumentSpec(Frozen, frozen=True, kw_only=True):
    """A case's document.toml."""

    file: str
    patch: tuple[Patch, ...] = ()
    capture: tuple[Capture, ...] = ()
    case: str = ""


def load_document_specs(suite: Path) -> tuple[DocumentSpec, ...]:
    """Read every case's document.toml; a case without one has no document.

    Parameters
    ----------
    suite : Path
        The suite's folder.

    Raises
    ------
    CaseError
        A file that cannot be used.
    """
    return tuple(load_document_spec(path) for path in sorted(suite.glob(f"*/{FILE}")))


def load_document_spec(path: Path) -> DocumentSpec:
    """Read one document.toml.

    Raises
    ------
    CaseError
        It cannot be read, or has keys or values that it cannot have.
    """
    toml = Toml(path, CaseError)
    spec = toml.convert(DocumentSpec)
    for index, patch in enumerate(spec.patch):
        if not patch.reason.strip():
            raise toml.refuse(f"the patch {patch.id!r} gives no reason", "patch", index, "reason")
        if not patch.find:
            why = f"the patch {patch.id!r} finds nothing: `find` is empty"
            raise toml.refuse(why, "patch", index, "find")
    for kind, named in (("patch", spec.patch), ("capture", spec.capture)):
        ids = [entry.id for entry in named]
        for index, id_ in enumerate(ids):
            if id_ in ids[:index]:
                raise toml.refuse(f"there is a {kind} {id_!r} already", kind, index, "id")
    return msgspec.structs.replace(spec, case=path.parent.name)


def specs_for(document: Document, specs: Iterable[DocumentSpec]) -> tuple[DocumentSpec, ...]:
    """Return the specs of this document: those whose texts are in its code, whatever its file is called.

    A spec that names chunks by their place alone says too little: there the file's name must be the same.
    """
    return tuple(spec for spec in specs if _speaks_of(spec, document))


def _speaks_of(spec: DocumentSpec, document: Document) -> bool:
    places = [patch.chunk for patch in spec.patch] + [c.after for c in spec.capture if c.after is not None]
    texts = [place.contains for place in places if place.contains] + [patch.find for patch in spec.patch]
    if texts:
        return all(any(text in chunk.code for chunk in document.chunks) for text in texts)
    if document.path.name != spec.file:
        return False
    code = "\n".join(chunk.code for chunk in document.chunks)
    named = [
        text
        for c in spec.capture
        for text in c.values.values()
        if isinstance(text, str) and text.isidentifier()
    ]
    known = all(re.search(rf"\b{re.escape(name)}\b", code) for name in named)
    return known and all(place.index is None or place.index < len(document.chunks) for place in places)


def find_chunk(document: Document, place: Place, *, language: str = "") -> Chunk:
    """The chunk that a place names.

    Raises
    ------
    CaseError
        There is none, or there are several.
    """
    chunks = [
        chunk
        for chunk in document.chunks
        if (not language or chunk.language == language)
        and (place.index is None or chunk.index == place.index)
        and (not place.label or chunk.label == place.label)
        and (not place.contains or place.contains in chunk.code)
    ]
    if len(chunks) != 1:
        what = ", ".join(
            f"{name} = {value!r}" for name, value in msgspec.structs.asdict(place).items() if value
        )
        many = f"{len(chunks)} chunks" if chunks else "no chunk"
        raise CaseError(f"{many} with {what or 'no property at all'}", path=document.path)
    return chunks[0]


def apply_patches(document: Document, chunk: Chunk, patches: Iterable[Patch]) -> tuple[str, tuple[str, ...]]:
    """A chunk's code after its patches, and their ids; the document itself stays as it is.

    Raises
    ------
    CaseError
        The text that a patch replaces does not occur exactly once.
    """
    code, applied = chunk.code, []
    for patch in patches:
        if find_chunk(document, patch.chunk).index != chunk.index:
            continue
        if code.count(patch.find) != 1:
            times = code.count(patch.find)
            what = f"the patch {patch.id!r} looks for {patch.find!r}, which is there {times} times"
            raise CaseError(what, path=document.path, line=chunk.line)
        code = code.replace(patch.find, patch.replace)
        applied.append(patch.id)
    return code, tuple(applied)
