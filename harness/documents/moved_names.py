"""Names of Python's packages that were taken away, and that stand under another name in all versions.

An older document says ``np.NaN`` or ``from collections import Mapping``: the value is the same under the name
that stayed. It is run with that one, with a note: a name is no reason why nothing below could be checked.
"""

from __future__ import annotations

import re

import msgspec

from harness.documents.model import Chunk, Document, Note
from harness.documents.moved_keywords import moved_arguments

_OF_NUMPY = {
    **dict.fromkeys(("float", "int", "object", "str", "complex")),
    **dict.fromkeys(("NaN", "NAN"), "nan"),
    **dict.fromkeys(("Inf", "Infinity", "infty", "PINF"), "inf"),
    "float_": "float64",
    "complex_": "complex128",
    "unicode_": "str_",
    "string_": "bytes_",
    "product": "prod",
    "cumproduct": "cumprod",
    "sometrue": "any",
    "alltrue": "all",
    "row_stack": "vstack",
    "mat": "asmatrix",
    "round_": "round",
    "in1d": "isin",
    "bool8": "bool_",
}
"""What NumPy's names stand for; of those without another one, Python's own."""
_ANY = (
    "Mapping|MutableMapping|Sequence|MutableSequence|Set|MutableSet|Iterable|Iterator|Callable|Hashable|Sized"
    "|Container|Generator|KeysView|ValuesView|ItemsView"
)
"""Abstract kinds that moved within the standard library."""
_MOVED = re.compile(
    r"(?P<text>\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\#[^\n]*)"
    rf"|\b(?P<numpy>np|numpy)\.(?P<name>{'|'.join(_OF_NUMPY)})\b"
    rf"|\bfrom (?P<abstract>collections) import (?=(?:{_ANY})(?:, *(?:{_ANY}))* *(?:$|[;\#\n]))"
    rf"|\b(?P<dotted>collections)\.(?=(?:{_ANY})\b)"
    r"|\b(?P<shown>from IPython\.core\.display import\b)"
    r"|(?P<items>\.iteritems\(\))|(?P<values>\.(?:as_matrix|get_values)\(\))|(?P<bytes>\.tostring\(\))"
    r"|\b(?P<scipy>integrate)\.(?P<integral>trapz|simps|cumtrapz)\b"
    r"|(?P<from>\bfrom scipy\.integrate import )(?P<named>trapz|simps|cumtrapz)(?= *(?:$|[;\#\n]))"
)
_INTEGRALS = {"trapz": "trapezoid", "simps": "simpson", "cumtrapz": "cumulative_trapezoid"}
"""What SciPy's names stand for since 1.6."""
_NUMPY = re.compile(r"\bimport\s+numpy\b|%pylab\b|\bfrom\s+pylab\b")
_PANDAS = re.compile(r"\bimport\s+pandas\b")


def with_names_that_stayed(document: Document) -> Document:
    """Return a document whose Python takes names from where they are in all versions.

    Parameters
    ----------
    document : Document
        As it was read. Code that is shown with an error is left as it is: a name may be what it shows.
    """
    code = "\n".join(chunk.code for chunk in document.chunks if chunk.language == "python")
    numpy, pandas = _NUMPY.search(code) is not None, _PANDAS.search(code) is not None

    def stayed(found: re.Match[str]) -> str:
        if found["numpy"] and numpy:
            other = _OF_NUMPY[found["name"]]
            return f"{found['numpy']}.{other}" if other else found["name"]
        if found["abstract"]:
            return "from collections.abc import "
        if found["dotted"]:
            return "collections.abc."
        if found["shown"]:
            return "from IPython.display import"
        if found["integral"]:
            return f"{found['scipy']}.{_INTEGRALS[found['integral']]}"
        if found["named"]:
            return f"{found['from']}{_INTEGRALS[found['named']]} as {found['named']}"
        if found["bytes"] and numpy:
            return ".tobytes()"
        if found["values"] and pandas:
            return ".to_numpy()"
        return ".items()" if found["items"] and pandas else found[0]

    chunks = list(document.chunks)
    notes: dict[str, Note] = {}
    for place, chunk in enumerate(chunks):
        if chunk.language != "python" or any(block.kind == "error" for block in chunk.output):
            continue
        other = _MOVED.sub(stayed, chunk.code)
        for found in _MOVED.finditer(chunk.code):
            if stayed(found) != found[0]:
                notes.setdefault(found[0], _note(chunk, found.start(), found[0], stayed(found)))
        # What is within another one is spelled anew before it.
        while moved := list(moved_arguments(other, numpy=numpy, pandas=pandas)):
            one = max(moved)
            old = other[one.start : one.end]
            notes.setdefault(old, _note(chunk, one.start, old, one.spelled))
            other = f"{other[: one.start]}{one.spelled}{other[one.end :]}"
        if other != chunk.code:
            chunks[place] = msgspec.structs.replace(chunk, code=other, own=chunk.own or chunk.code)
    return msgspec.structs.replace(document, chunks=tuple(chunks), notes=(*document.notes, *notes.values()))


def _note(chunk: Chunk, start: int, old: str, new: str) -> Note:
    line = chunk.code_line + chunk.code[:start].count("\n")
    where = f"cell {chunk.cell}: " if chunk.cell else ""
    old, new = (" ".join(text.split()) for text in (old, new))
    return Note(line=line, text=f"{where}`{old}` is gone from newer versions: run as `{new}`, which all have")
