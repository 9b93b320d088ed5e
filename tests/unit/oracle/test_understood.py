"""docs/tolerance.md lists what is understood, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("flint")

from harness.oracle.understood import BEGIN, END, listing, put

DOCUMENT = Path(__file__).parents[3] / "docs" / "tolerance.md"


def test_the_document_lists_what_is_understood() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert put(text) == text, "write it again: python -m harness.oracle.understood docs/tolerance.md"


def test_the_list_names_functions_by_their_modules() -> None:
    lines = listing()
    for name in ("`where`", "`argmax`", "`zeros`", "`matmul`", "`concatenate`", "`maximum.reduce`"):
        assert name in lines
    assert "`unwrap`" not in lines
