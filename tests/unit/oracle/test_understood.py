"""docs/tolerance.md lists what is understood, and no more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.understood import BEGIN, END, SINCE, known, listing, put

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


def test_what_an_older_numpy_lacks_is_listed_with_the_one_that_brought_it() -> None:
    lines = listing()
    for name, since in SINCE.items():
        last = name.rpartition(".")[2]
        assert f"`{last}` (NumPy {since})" in lines.replace("\n ", "")
        has_it = tuple(map(int, np.__version__.split(".")[:2])) >= tuple(map(int, since.split(".")))
        assert (name in known()) == hasattr(np, last) == has_it
