"""Tables of Markdown in which a document shows a data frame, as the text that pandas prints of it."""

from __future__ import annotations

import ast
import re

from harness.documents.continued import parsed
from harness.documents.markdown import Fence
from harness.documents.model import Chunk, OutputBlock

_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-*:?\s*)")


def data_frame_below(block: Fence, above: Chunk, prose: str) -> OutputBlock | None:
    """Return the data frame that a paragraph shows, which is right below code that ends with one.

    Parameters
    ----------
    block : Fence
        A paragraph. The first cell of its head is empty: it stands above the rows' names.
    above : Chunk
        The code above. Whether the table is what its last expression shows is not certain.
    prose : str
        What stands between.

    Returns
    -------
    OutputBlock or None
        Its cells as text, row by row; None where it is something else.
    """
    lines = [line.strip() for line in block.text.strip().split("\n")]
    if prose.strip() or above.language != "python" or len(lines) < 3 or not _RULE.fullmatch(lines[1]):
        return None
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if rows[0][0] or len({len(row) for row in rows}) != 1 or not _shows_a_value(above.code):
        return None
    text = "\n".join("  ".join(row) for row in (rows[0], *rows[2:]))
    return OutputBlock(line=block.line, text=text, info="table", certain=False)


def _shows_a_value(code: str) -> bool:
    """Whether code ends with an expression that is no call of ``print``."""
    tree = parsed(code)
    last = tree.body[-1] if tree is not None and tree.body else None
    if not isinstance(last, ast.Expr) or isinstance(last.value, ast.Constant):
        return False
    called = last.value.func if isinstance(last.value, ast.Call) else None
    return not (isinstance(called, ast.Name) and called.id == "print")
