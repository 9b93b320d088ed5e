"""Code whose result a document leaves open: what the reader is to type, what prose says is otherwise."""

from __future__ import annotations

import ast
import re

import msgspec

from harness.documents.continued import parsed
from harness.documents.exercises import Exercises, only_shows
from harness.documents.model import Chunk

_TO_TYPE = re.compile(
    r"#+\s*(?:(?:now|then|first|next|please|try to|you)\W+)?"
    r"(?:append|insert|remove|delete|add|replace|change|update|set|sort|reverse|create|make|define|write|type"
    r"|enter|fill|try|modify|rename|put|swap|clear|extend|convert|compute|calculate|find|count|look|use"
    r"|your|todo|exercise)\b",
    re.IGNORECASE,
)
_FOR_READER = re.compile(
    r"#.*\b(?:(?<!can )(?<!could )(?<!may )(?<!might )(?:add|write|put|insert|type|enter) your"
    r"|your (?:own )?(?:code|solution|answer|implementation)\b"
    r"|fill (?:this|in(?! (?:(?:the|all|any) )?(?:NA|NaN|missing (?!code|part|line|piece|word|bit))))"
    r"|to-?do\b|complete (?:the|this)|solution here|code here)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\bif\s+(?:you|we|one)\s+(?:don['’]t|do\s+not|didn['’]t|did\s+not|hadn['’]t|had\s+not|forget|omit)\b"
    r"|\bwithout\s+(?:it|this|that)\b[^.]*\bwould\b"
    r"|\b(?:when|once|until|after)\b[^.]*\b(?:finally|eventually)\b",
    re.IGNORECASE,
)
_NEAR = 240
"""Characters before code that speak of it."""
_TAKES_DOTS = frozenset(
    {"print", "type", "id", "bool", "isinstance", "repr", "str", "hash", "Field", "Query", "Path", "Body"}
)
"""Functions to which dots are given as the value that they are."""


class LeftOpen:
    """Marks the chunks whose result is left open; what a reader is to type holds for all below."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}
        self._remark: Chunk | None = None
        self._exercises = Exercises()

    def marked(self, chunk: Chunk, prose: str) -> Chunk:
        """Return a chunk with why nothing can be said of it, if so.

        Parameters
        ----------
        chunk : Chunk
            The next one of the document.
        prose : str
            What stands above it, up to the code before.
        """
        if chunk.prompts and not chunk.doubtful:
            chunk = msgspec.structs.replace(chunk, doubtful=self._to_type(chunk))
        if chunk.prompts and chunk.doubtful:
            self._typed.setdefault(chunk.language, chunk.doubtful)
        self._exercises.read(prose)
        why = self._typed.get(chunk.language, "") or _dots(chunk) or _for_the_reader(chunk)
        why = why or self._exercises.left_out(chunk.code)
        why = why or _otherwise(prose) or chunk.doubtful
        return msgspec.structs.replace(chunk, doubtful=why) if why != chunk.doubtful else chunk

    def _to_type(self, chunk: Chunk) -> str:
        """Say that a remark stands in the place of code, or that an output is left to the reader."""
        above, self._remark = self._remark, None
        lines = [line.strip() for line in chunk.code.split("\n") if line.strip()]
        here = f"what the reader is to type at line {chunk.line} is not known"
        if any(block.text.strip().strip("?") == "" for block in chunk.output):
            return here
        if all(line.startswith("#") for line in lines):
            if any(block.kind != "error" for block in chunk.output):
                return here
            self._remark = chunk if _TO_TYPE.match(lines[-1]) else None
            return ""
        if above is not None and chunk.output and only_shows(chunk.code):
            return f"what the reader is to type at line {above.line} is not known"
        return ""


def _dots(chunk: Chunk) -> str:
    """Say that dots stand in the place of a call's arguments."""
    tree = parsed(chunk.code) if chunk.language == "python" and "..." in chunk.code else None
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            continue
        only = node.args[0]
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if isinstance(only, ast.Constant) and only.value is ... and called not in _TAKES_DOTS:
            return f"dots stand in the place of what {called or 'a function'} is called with"
    return ""


def _for_the_reader(chunk: Chunk) -> str:
    """Say that a remark beside code tells the reader to complete it."""
    found = _FOR_READER.search(chunk.code)
    return f"the reader is to complete it ({' '.join(found[0].strip('# ').split())})" if found else ""


def _otherwise(prose: str) -> str:
    last = re.split(r"\n\s*\n", prose.strip())[-1][-_NEAR:]
    found = _OTHERWISE.search(last)
    if found is None:
        return ""
    return f"the text above it speaks of other code than what is shown ({' '.join(found[0].split())})"
