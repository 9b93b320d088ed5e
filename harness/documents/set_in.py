"""Listings of Python that are set in as a whole, and pieces of a program that keep their blanks."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
import warnings
from collections.abc import Iterable, Sequence

import msgspec

from harness.documents.markdown import Fence
from harness.documents.model import Chunk
from harness.sessions.statements import NOT_PARSED, python_statements

_BUILT_IN = frozenset(vars(builtins)) | {"__name__", "__file__"}
_STAR = re.compile(r"^\s*from\s+\S+\s+import\s+\*", re.MULTILINE)
_OF_A_CLASS = frozenset({"self", "cls"})


def at_its_margin(block: Fence, above: Sequence[Chunk]) -> Fence:
    """Take the blanks away that all lines of a listing of Python begin with, where it runs without them.

    Parameters
    ----------
    block : Fence
        The listing.
    above : sequence of Chunk
        The code above it. A piece of a function or a class keeps its blanks: it returns, it is a method, or
        it reads what nothing above sets.
    """
    if block.text.lstrip("\n")[:1] not in (" ", "\t"):
        return block
    text = textwrap.dedent(block.text)
    return msgspec.structs.replace(block, text=text) if _stands_alone(text, above) else block


def _stands_alone(text: str, above: Sequence[Chunk]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "listing", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            tree = ast.parse(text)
    except NOT_PARSED:
        return False
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    if any(_OF_A_CLASS & {arg.arg for arg in node.args.args[:1]} for node in functions):
        return False
    codes = [chunk.code for chunk in above if chunk.language == "python"]
    if any(_STAR.search(code) for code in (*codes, text)):
        return True
    known = _BUILT_IN.union(*map(_names, codes))
    for statement in python_statements(0, text):
        if statement.reads - known:
            return False
        known |= statement.sets
    return True


def _names(code: str) -> Iterable[str]:
    """Return the names that code sets; all its words, where it cannot be parsed."""
    statements = python_statements(0, code)
    return {name for part in statements for name in part.sets} if statements else re.findall(r"\w+", code)
