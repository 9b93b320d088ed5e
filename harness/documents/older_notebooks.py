"""Notebooks of format 3, which IPython wrote before Jupyter, as such of format 4."""

from __future__ import annotations

import re
import warnings
from typing import Any

_PRINT = re.compile(r"(?m)^[ \t]*print[ \t]+[^\s(=]")
"""Python 2's."""
_LAST = {"python": "3.4", "julia": "0.3"}
"""The versions of the languages when format 4 came."""


def is_older(notebook: object) -> bool:
    """Whether a JSON text's value is a notebook of format 3, as far as its frame tells."""
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 3:
        return False
    sheets = notebook.get("worksheets")
    return isinstance(sheets, list) and all(
        isinstance(sheet, dict) and isinstance(sheet.get("cells"), list) for sheet in sheets
    )


def upgraded(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook of format 4 with the same cells.

    Parameters
    ----------
    notebook : dict
        One of format 3, by `is_older`; it is changed.

    Returns
    -------
    dict
        It names the version of its language: the last that format 3 knew, or Python 2.7 where a cell is
        written in that.

    Raises
    ------
    AttributeError, KeyError, LookupError, TypeError, ValueError
        Where nbformat cannot read it.
    """
    import nbformat

    cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    notebook["worksheets"] = [{"cells": cells, "metadata": {}}]
    notebook.setdefault("metadata", {})
    languages = [str(cell["language"]) for cell in cells if isinstance(cell, dict) and "language" in cell]
    # IJulia wrote its own name into the notebook, and left its cells IPython's.
    spoken = str(notebook["metadata"].get("language") or (languages[0] if languages else "python"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        node = nbformat.convert(nbformat.v3.nbjson.JSONReader().to_notebook(notebook), 4)
    second = any(_PRINT.search(cell.source) for cell in node.cells if cell.cell_type == "code")
    version = "2.7" if second and spoken == "python" else _LAST.get(spoken.lower(), "")
    node.metadata.setdefault("language_info", {"name": spoken, "version": version})
    return dict(node)
