"""Exercises whose answers are left out: a cell shows what the code that was taken out of it made."""

from __future__ import annotations

import ast
import re

from harness.documents.continued import parsed

_ASKED = re.compile(
    r"^[ \t]*(?:#+|\*\*|__)[ \t]*(?:your turn\b|(?:\w+[ \t]+)?(?:exercise|challenge|quiz)s?\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A heading below which a reader is given a task."""
_PRINTED = re.compile(r"print\(([^()\n]*)\)")


class Exercises:
    """Follows a document's text down to its code: below which of its headings a reader is given a task."""

    def __init__(self) -> None:
        self._asked = False

    def read(self, prose: str) -> None:
        """Take the next text of the document; another one than the task's ends it."""
        if prose.strip():
            self._asked = _ASKED.search(prose) is not None

    def left_out(self, code: str) -> str:
        """Say that the answer is left out, where code of a task only shows a value below an empty line.

        Parameters
        ----------
        code : str
            Python's, as it stands in the document.
        """
        if not self._asked or not code.startswith("\n"):
            return ""
        shown = _PRINTED.fullmatch(code.strip())
        if not only_shows(shown[1] if shown is not None else code):
            return ""
        return "the answer to the exercise above it is left out"


def only_shows(code: str) -> bool:
    """Whether Python code only shows a value that is there already."""
    tree = parsed(code)
    if tree is None or len(tree.body) != 1 or not isinstance(statement := tree.body[0], ast.Expr):
        return False
    return not any(
        isinstance(node, ast.Call | ast.BinOp | ast.Compare | ast.NamedExpr) for node in ast.walk(statement)
    )
