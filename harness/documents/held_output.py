"""Listings of Python that hold their output too: behind a label or a prompt, or as a session in a text."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

import msgspec

from harness.documents.continued import is_python, parsed
from harness.documents.languages import canonical
from harness.documents.listing import first_word
from harness.documents.markdown import Fence
from harness.documents.output_words import OUTPUT_WORD

_LABEL = re.compile(r"^(?:\[Out(?:put)?\]|Out ?\[\d+\]): *", re.MULTILINE)
_HEAD = re.compile(rf"^(?i:{OUTPUT_WORD})\s?[:：] *\n(?=\s*\S)", re.MULTILINE)
"""A line that says, in the listing itself, that all below it is output."""
_DOCTEST = re.compile(r"^# output(?:[ \t]*|;.*)\n+", re.MULTILINE)
"""What parts code from its output in a doctest of Julia's Documenter that has no prompts."""
_PROMPT = re.compile(r"^\s*In ?\[\d+\]:", re.MULTILINE)
_REMARK = re.compile(r"\s+# .*\Z")
_SHOWN = re.compile(r"^>>> (.*)$", re.MULTILINE)
_FIRST = re.compile(r"\A(?:(?!>>> ).*\n)*?(?![#>\s]).+\n>>> ")
"""Code right above the first of them."""
_QUOTES = re.compile(r"[rR]?(?:'''|\"\"\")\s*")


def with_held_output(blocks: Sequence[Fence]) -> tuple[Fence, ...]:
    """Take listings of Python apart that hold output.

    Parameters
    ----------
    blocks : sequence of Fence
        The blocks of a Markdown document.

    Returns
    -------
    tuple of Fence
        Such a listing as its code, where there is any, and its output or session; all others as they were.
    """
    return tuple(piece for block in blocks for piece in _pieces(block))


def _pieces(block: Fence) -> Iterator[Fence]:
    if not block.info and block.kind == "fence" and _is_above_prompts(block.text):
        block = msgspec.structs.replace(block, info="python")
    if first_word(block.info) == "jldoctest" and (parts := _DOCTEST.search(block.text)) is not None:
        yield from _parted(block, parts)
    elif block.kind != "fence" or canonical(first_word(block.info)) != "python":
        yield block
    elif (label := _LABEL.search(block.text)) is not None and is_python(block.text[: label.start()]):
        code, text = block.text[: label.start()], _behind(block.text[label.start() :], len(label[0]))
        if text is None or _PROMPT.search(block.text):
            yield block
            return
        if any(not line.startswith("#") for line in code.split("\n") if line.strip()):
            yield msgspec.structs.replace(block, text=code)
        yield msgspec.structs.replace(block, info="output", text=text, line=block.line + code.count("\n"))
    elif (head := _HEAD.search(block.text)) is not None and _stands_below_code(block.text, head):
        yield from _parted(block, head)
    elif (marked := _with_marks(block.text)) is not None:
        yield msgspec.structs.replace(block, text=marked)
    elif (begins := _session(block.text)) is not None:
        lines = block.text.rstrip().split("\n")
        yield msgspec.structs.replace(block, text="\n".join(lines[:begins]) + "\n")
        session = "\n".join(lines[begins + 1 : -1]) + "\n"
        yield msgspec.structs.replace(block, text=session, line=block.line + begins + 1)
    else:
        yield block


def _parted(block: Fence, between: re.Match[str]) -> Iterator[Fence]:
    """Yield the code and the output of a listing, without what stands between them."""
    code, text = block.text[: between.start()], block.text[between.end() :]
    yield msgspec.structs.replace(block, text=code)
    line = block.line + block.text.count("\n", 0, between.end())
    yield msgspec.structs.replace(block, info="output", text=text, line=line)


def _stands_below_code(text: str, head: re.Match[str]) -> bool:
    """Whether code stands above a line, and nothing below it that sets or prints something."""
    below = text[head.end() :]
    tree = parsed(below)
    code = tree is not None and any(not isinstance(part, ast.Expr) or _calls(part) for part in tree.body)
    above = text[: head.start()]
    return bool(above.strip()) and is_python(above) and not code and "print(" not in below


def _calls(part: ast.stmt) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(part))


def _is_above_prompts(text: str) -> bool:
    """Whether statements of Python that define or import something stand above a prompt of Python's."""
    tree = parsed(text[: found.start()]) if (found := _SHOWN.search(text)) is not None else None
    defines = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Import | ast.ImportFrom | ast.Assign
    return tree is not None and any(isinstance(node, defines) for node in tree.body)


def _with_marks(text: str) -> str | None:
    """Return code with a mark before what it shows, where ``>>>`` stands there and nowhere before code."""
    shown = [_kind_of(found) for found in _SHOWN.findall(text)]
    if None in shown or not set(shown) - {ast.Name}:
        return None
    marked = _SHOWN.sub(r"#> \1", text)
    return marked if _FIRST.search(text) is not None and is_python(marked) else None


def _kind_of(text: str) -> type[ast.expr] | None:
    """Return what a value is that is written in full, or a name; None for other code."""
    tree = parsed(text)
    value = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    if not isinstance(value, ast.Expr):
        return None
    code = (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute)
    return None if any(isinstance(node, code) for node in ast.walk(value)) else type(value.value)


def _behind(text: str, width: int) -> str | None:
    """Return what stands behind a label of a width; None where more than that follows."""
    first, *rest = text.rstrip().split("\n")
    if any(line.strip() and not line[0].isspace() for line in rest):
        return None
    moved = textwrap.dedent("\n".join([" " * width + first[width:], *rest]))
    return _REMARK.sub("", moved) + "\n"


def _session(text: str) -> int | None:
    """Where a text begins, counted from 0, that ends the code and holds prompts with what they show."""
    tree = parsed(text) if ">>> " in text else None
    last = tree.body[-1] if tree is not None and len(tree.body) > 1 else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Constant):
        return None
    lines = text.rstrip().split("\n")
    begins, ends = last.lineno - 1, (last.end_lineno or last.lineno) - 1
    alone = _QUOTES.fullmatch(lines[begins]) is not None and _QUOTES.fullmatch(lines[ends]) is not None
    inside = [line for line in lines[begins + 1 : ends] if line.strip()]
    return begins if alone and ends == len(lines) - 1 and inside and inside[0].startswith(">>> ") else None
