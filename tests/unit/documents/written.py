"""Documents that a test writes, and what is noted of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.documents.model import Document

Write = Callable[[str, str], Path]


def notes(document: Document) -> str:
    return "\n".join(f"{note.line}: {note.text}" for note in document.notes)


def notebook(*cells: dict[str, Any], **changes: Any) -> str:
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4, **changes}
    return json.dumps(whole, indent=1)


def code_cell(source: str, *outputs: dict[str, Any], tags: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {"tags": list(tags)},
        "outputs": list(outputs),
        "source": source.splitlines(keepends=True),
    }
