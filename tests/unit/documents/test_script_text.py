"""Scripts whose comments show what they give are documents, where they are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.parse import parse_document
from harness.documents.script_text import script_blocks
from harness.errors import UsageError
from harness.findings.articles import find_documents

PYTHON = '''\
"""Sums."""
import math

x = [1, 2]
print(sum(x))  # 3

# %% [markdown]
# # Next
# A loop:

# %%
for n in x:

    print(n)

math.sqrt(16)
# Output: 4.0
'''
R = """\
#' # Sums
#' of numbers

x <- c(1,

  2)
sum(x)
# [1] 3
f <- function() {

y <- 1
}

f()
"""


@pytest.mark.parametrize(
    ("name", "text", "chunks", "outputs"),
    [
        ("a.py", PYTHON, [(1, 2), (4, 2), (12, 3), (16, 2)], [(5, "3"), (17, "4.0")]),
        ("a.R", R, [(4, 9), (14, 1)], [(8, "[1] 3")]),
        ("a.jl", "x = 1\nx + 1 # => 2\n", [(1, 2)], [(2, "2")]),
    ],
)
def test_paragraphs_and_comments(
    tmp_path: Path, name: str, text: str, chunks: list[tuple[int, int]], outputs: list[tuple[int, str]]
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    document = parse_document(path)
    assert [(chunk.code_line, chunk.code.count("\n")) for chunk in document.chunks] == chunks
    assert [(o.line, o.text) for chunk in document.chunks for o in chunk.output] == outputs
    with pytest.raises(UsageError):
        find_documents([tmp_path])
    assert find_documents([path]) == (path,)


def test_text_in_marked_comments() -> None:
    assert [block.text for block in script_blocks(PYTHON, "python") if block.kind == "prose"] == [
        "# Next\nA loop:"
    ]
    assert [block.text for block in script_blocks(R, "r") if block.kind == "prose"] == ["# Sums\nof numbers"]


def test_what_is_no_python_is_one_piece() -> None:
    text = "print 1\n\n" * 200
    (block,) = script_blocks(text, "python")
    assert block.text.count("print") == 200
