"""Code of R in listings without a language: above its marked output, or with it as a console shows it.

A page of Python that names no language either is told by what its listings import, define and print.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

import msgspec

from harness.documents.languages import SUPPORTED, canonical
from harness.documents.listing import first_word, looks_typed
from harness.documents.markdown import Fence
from harness.documents.output_words import leads_to_output
from harness.documents.raw_output import looks_printed, with_marks
from harness.documents.scan import scan
from harness.documents.transcript import prompt_of
from harness.sessions.statements import NOT_PARSED

_QUOTED = re.compile(r"(?m)^(?:R?>|\$) ")
"""A prompt, wherever it stands in a listing."""
_MARKED = re.compile(r"\s*(?:##|#>)(?: |$)")
_OF_R = re.compile(r"<-|%>%|\|>|\b(?:library|require|data|head|str|summary)\(")
"""What code of R alone has, of all that stands in listings above ``##`` lines."""
_PRINTED = re.compile(r"\s*(?:##|#>) +\[1\] ")
_STATEMENT = re.compile(
    r"[\w.$\[\]\"',@ -]+?(?:<-|=)[^=]|.*->|[\w.:]+\(|(?:for|if|while|repeat)\b"
    r"|[-(\d\w.\"'\]$)]+\s*(?:[-+*/^<>&|:]|[=!]=|%\S*%)\s*[-(\d\w.\"']"
)
"""What a statement of R begins with, and a line of text or of a table does not."""
_ASSIGNS = re.compile(r"[\w.$\[\]\"',@ -]+?<-\s*\S|[\w.]+\s*=\s*function\(")
_SETS = re.compile(r"(?m)^[\w.]+ <- ")
"""What R assigns by, and Python reads as a comparison that nothing asks for."""
_OF_PYTHON = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
_LISTED = ("indented", "fence")
_NO_NAMES = ("text", "txt", "plaintext", "plain", "none")
_LISTINGS = 3
"""Listings that import, define or print, of a page of Python."""
_SHORTEST = 4
"""Letters of code that cannot stand in another document's code by chance."""


def with_named_code(blocks: Sequence[Fence], source: str = "") -> tuple[Fence, ...]:
    """Call code of R what stands in listings without a language.

    Parameters
    ----------
    blocks : sequence of Fence
        The blocks of a Markdown document.
    source : str
        The code of the chunks that it was rendered from, where they are known.

    Returns
    -------
    tuple of Fence
        Such a listing in pieces, code and output in turn, where marked lines stand below code that only R
        has, or where the source holds the code. Where no listing of the document is called anything, most
        are Python, none a command, and several import, define or print, those that are Python are its code,
        but a bare value below another. Where none is called a language that is run, and one has ``[1] 2``
        below a statement, those that are statements of R are its code; all others as they were.
    """
    if not source and names_no_language(blocks):
        told = _of_one_language(tuple(map(_without_name, blocks)))
        if told is not None:
            return told
    held = _compact(source)
    return tuple(piece for block in blocks for piece in _pieces(block, held))


def _of_one_language(blocks: Sequence[Fence]) -> tuple[Fence, ...] | None:
    """Return the blocks of a document that names no language, its code called what it is; None if unknown."""
    if _is_of_a_console(blocks):
        # Beside them there may be listings of knitr's, whose output is marked.
        return tuple(_as_r(piece) for block in blocks for piece in _pieces(block, ""))
    if _is_of_prompts(blocks):
        # A function is often shown between the sessions that call it.
        return tuple(
            msgspec.structs.replace(block, info="r")
            if _may_be_code(block) and only_sets(block.text)
            else block
            for block in blocks
        )
    if _is_page_of_python(blocks):
        return tuple(
            msgspec.structs.replace(block, info="python") if _is_python(block, before) else block
            for before, block in pairwise([None, *blocks])
            if block is not None
        )
    return None


def _without_name(block: Fence) -> Fence:
    """Call a listing nothing that is called text, as GitBook calls all that have no name."""
    return msgspec.structs.replace(block, info="") if first_word(block.info) in _NO_NAMES else block


def _is_of_a_console(blocks: Sequence[Fence]) -> bool:
    """Whether a document shows code of R with what it prints."""
    return any(with_marks(block.text) != block.text for block in filter(_may_be_code, blocks))


def names_no_language(blocks: Sequence[Fence]) -> bool:
    """Whether no listing of a document is called a language that is run here."""
    return not any(canonical(first_word(block.info)) in SUPPORTED for block in blocks if block.info)


def _is_page_of_python(blocks: Sequence[Fence]) -> bool:
    """Whether all listings are called nothing, most are Python, none a command, and several do something.

    What such a listing prints, right below it or below words that say so, or below ``$ python a.py``, is not
    counted, nor are Python's sessions.
    """
    code = others = does = 0
    above, prose = False, ""
    for block in blocks:
        if block.kind not in _LISTED:
            prose = f"{prose}\n\n{block.text}" if block.kind == "prose" else prose
            continue
        if _parsed(block):
            code, above = code + 1, True
            does += is_of_python(block.text)
        elif block.info or block.classes:
            return False
        elif not (_is_session(block.text) or (above and (not prose.strip() or leads_to_output(prose)))):
            if _QUOTED.search(block.text) or looks_typed(block.text.lstrip()):
                return False
            others, above = others + 1, False
        prose = ""
    return does >= _LISTINGS and others * _LISTINGS <= code + others


def _is_session(text: str) -> bool:
    """Whether a listing shows Python's prompts, or what is typed in a terminal behind a ``$``."""
    return prompt_of("", text) == "python" or text.lstrip().startswith("$ ")


def is_of_python(text: str) -> bool:
    """Say whether a listing without a language is Python that imports, defines or prints something.

    Parameters
    ----------
    text : str
        The listing.
    """
    return any(isinstance(part, _OF_PYTHON) or _prints(part) for part in _statements(text))


def _parsed(block: Fence) -> list[ast.stmt]:
    """The statements of a listing that may be Python; none where it is none."""
    return _statements(block.text) if _may_be_code(block) else []


def _statements(text: str) -> list[ast.stmt]:
    if _SETS.search(text):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text).body
    except NOT_PARSED:
        return []


def _is_python(block: Fence, before: Fence | None) -> bool:
    """Whether a listing is code; a bare value right behind another is what that prints."""
    body = _parsed(block)
    bare = all(isinstance(part, ast.Expr) and not isinstance(part.value, ast.Call) for part in body)
    return bool(body) and not (bare and before is not None and before.kind in _LISTED)


def _prints(part: ast.stmt) -> bool:
    return (
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Call)
        and isinstance(part.value.func, ast.Name)
        and part.value.func.id == "print"
    )


def _is_of_prompts(blocks: Sequence[Fence]) -> bool:
    """Whether a document shows sessions of R."""
    return any(prompt_of("", block.text) == "r" for block in blocks if block.kind in ("indented", "fence"))


def _may_be_code(block: Fence) -> bool:
    listed = block.kind in ("indented", "fence") and not block.info and not block.classes
    return listed and not prompt_of("", block.text) and not _QUOTED.search(block.text)


def only_sets(text: str) -> bool:
    """Whether a listing is nothing but assignments of R, which no code prints."""
    begins = _begins(text)
    return bool(begins) and all(map(_ASSIGNS.match, begins))


def _begins(text: str) -> list[str]:
    """Return the first line of each statement of R; nothing of what is no code."""
    begins, goes_on = [], False
    for line in scan(text, "r") or ():
        if line.code.strip():
            begins += [] if goes_on else [line.code]
            goes_on = not line.ends
    return begins


def _as_r(block: Fence) -> Fence:
    if not _may_be_code(block) or looks_printed(block.text):
        return block
    begins = _begins(block.text)
    stated = bool(begins) and all(map(_STATEMENT.match, begins))
    if not stated and with_marks(block.text) == block.text:
        return block
    return msgspec.structs.replace(block, info="r")


def _pieces(block: Fence, held: str) -> tuple[Fence, ...]:
    if block.info or block.kind not in ("indented", "fence") or block.classes:
        return (block,)
    parts = list(_parts(block.text))
    code = [text for _, text, printed in parts if not printed]
    if not code or parts[0][2] or not (_is_held(code[0], held) or _speaks_r(parts)):
        return (block,)
    first = block.first_line
    return tuple(
        Fence(
            "indented",
            first + start,
            first + start + text.count("\n"),
            f"{text}\n",
            "" if printed else "r",
            track=block.track,
            tabset=block.tabset,
        )
        for start, text, printed in parts
    )


def _parts(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the line that each piece begins on, the piece, and whether it is output.

    Output is a paragraph of marked lines alone: a remark stands right above code or below it.
    """
    lines = text.rstrip("\n").split("\n")
    starts = [n for n, line in enumerate(lines) if line.strip() and not (n and lines[n - 1].strip())]
    begin = starts[0] if starts else 0
    paragraphs = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    printed = [all(_MARKED.match(line) for line in part if line.strip()) for part in paragraphs]
    for kind, group in groupby(zip(printed, paragraphs, strict=True), key=itemgetter(0)):
        piece = [line for _, part in group for line in part]
        yield begin, "\n".join(piece).rstrip("\n "), kind
        begin += len(piece)


def _speaks_r(parts: Sequence[tuple[int, str, bool]]) -> bool:
    """Whether the code is R's, and output is marked as knitr does."""
    code = "\n".join(text for _, text, printed in parts if not printed)
    whole = "\n".join(text for _, text, _ in parts)
    shown = any(printed for _, _, printed in parts)
    printed = any(map(_PRINTED.match, whole.split("\n")))
    return ((shown and _OF_R.search(code) is not None) or printed) and scan(code, "r") is not None


def _is_held(code: str, held: str) -> bool:
    compact = _compact(code)
    return len(compact) >= _SHORTEST and compact in held


def _compact(code: str) -> str:
    lines = (line for line in code.split("\n") if not line.lstrip().startswith("#"))
    return "".join("".join(line.split()).replace("'", '"') for line in lines)
