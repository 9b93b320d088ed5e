"""Values of one language in the other's code, as knitr carries them: ``py$x`` in R, ``r.x`` in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from harness.documents.model import Chunk, Document
from harness.sessions.lasting_session import LastingSession

OTHER = {"r": "python", "python": "r"}
"""The language whose values code in a language may take."""
_NAMED = {"r": "py", "python": "r"}
_TAKEN = {
    "r": re.compile(r"(?<![\w.$@])py\$(?:(?P<name>[A-Za-z.][\w.]*)|`(?P<quoted>[^`\n]+)`)"),
    "python": re.compile(r"(?<![\w.])r\.(?P<name>[^\W\d]\w*)"),
}
_MARK = "harness: "
_ACROSS = "__import__('harness.workers.values_across', fromlist=['give'])"
_CODE = Path(__file__).parent
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def names_taken(chunks: Sequence[Chunk], chunk: Chunk) -> tuple[str, ...]:
    """Return the values of the other language that a chunk takes.

    Parameters
    ----------
    chunks : sequence of Chunk
        Those of the document: none of its languages may set the whole name, ``py`` or ``r``.
    chunk : Chunk
        One that the document's own program would run.
    """
    taken = _TAKEN.get(chunk.language)
    if not chunk.executable or taken is None:
        return ()
    found = (match.groupdict() for match in taken.finditer(chunk.code))
    names = [name for groups in found if (name := groups["name"] or groups.get("quoted") or "")]
    if not names or not is_of_the_other(chunks, chunk, _NAMED.get(chunk.language, "")):
        return ()
    return tuple(dict.fromkeys(names))


def is_of_the_other(chunks: Iterable[Chunk], chunk: Chunk, name: str) -> bool:
    """Whether a name stands for the session of the other language, as knitr has it.

    Parameters
    ----------
    chunks : iterable of Chunk
        Those of the document. Where one of them sets the whole name, it is a name like others.
    chunk : Chunk
        The chunk that uses the name.
    name : str
        The name.
    """
    if not name or _NAMED.get(chunk.language) != name:
        return False
    whole = re.compile(
        rf"(?:^|[(,;\s]){name}\s*(?:<-|=(?!=))|->\s*{name}\b|\b(?:as|import|for|def)\s+{name}\b"
    )
    return not any(whole.search(part.code) for part in chunks if part.language == chunk.language)


def values_cross(document: Document) -> bool:
    """Whether a document's chunks take values of each other, so that they run in its order."""
    if document.kind not in ("rmarkdown", "quarto") or document.tracks:
        return False
    languages = {chunk.language for chunk in document.chunks if chunk.executable}
    return {"r", "python"} <= languages and any(names_taken(document.chunks, c) for c in document.chunks)


def with_crossings(document: Document) -> Document:
    """Mark the chunks that take values of the other language: what differs there accuses nobody.

    Parameters
    ----------
    document : Document
        As it was read.
    """
    if not values_cross(document):
        return document
    chunks = list(document.chunks)
    for chunk in document.chunks:
        names = names_taken(document.chunks, chunk)
        if names and not chunk.doubtful:
            other = "Python" if chunk.language == "r" else "R"
            shown = f"py${names[0]}" if chunk.language == "r" else f"r.{names[0]}"
            why = f"it takes {shown}, a value of {other}, which another version may carry otherwise"
            chunks[chunk.index] = msgspec.structs.replace(chunk, doubtful=why)
    return msgspec.structs.replace(document, chunks=tuple(chunks))


def carry(names: Sequence[str], source: LastingSession, target: LastingSession, language: str) -> None:
    """Give a session values of the other one: numbers, texts, truth values, lists, arrays and tables of them.

    Parameters
    ----------
    names : sequence of str
        From `names_taken`.
    source, target : LastingSession
        The sessions that hold, and take, the values.
    language : {"python", "r"}
        That of ``target``. A value that cannot be carried is not there: code that takes it fails.
    """
    asked = [name for name in names if _IDENTIFIER.fullmatch(name) or language == "python"]
    given = source.eval(_asking(asked, language), file="<values>", line=1)
    found = [line.removeprefix(_MARK) for line in given.text.split("\n") if line.startswith(_MARK)]
    values: dict[str, str] = {}
    if given.error is None and not given.cut:
        for line in found:
            name, _, value = line.partition(" ")
            values[name] = value
    target.eval(_giving(values, language), file="<values>", line=1)


def _asking(names: Sequence[str], language: str) -> str:
    """Code that prints values, as code of the language that takes them."""
    if language == "r":
        return f"{_ACROSS}.give(globals(), {list(names)!r}, {_MARK!r})"
    code = (_CODE / "values_for_python.R").read_text(encoding="utf-8")
    wanted = ", ".join(json.dumps(name) for name in names)
    return f"invisible(({code})(c({wanted}), {json.dumps(_MARK)}))"


def _giving(values: dict[str, str], language: str) -> str:
    """Code that makes values known: of an object that holds them, and fails for any other name."""
    if language == "r":
        code = (_CODE / "values_in_r.R").read_text(encoding="utf-8")
        listed = ", ".join(f"{name} = {value}" for name, value in values.items())
        return f"invisible(({code})(list({listed})))"
    return f"{_ACROSS}.take({values!r})"
