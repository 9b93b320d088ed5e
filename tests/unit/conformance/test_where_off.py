"""The lines of a stage's function in every language, and the map of where an output is off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance.where_off import MOST_COLUMNS, MOST_ROWS, function_lines, map_of

ROOT = Path(__file__).parents[3]
SOURCES = [
    (
        ".py",
        [
            "import numpy as np", "", "", "def other(q):", "    scores = q", "    return scores", "",
            "", "def scores(", "    q, k", "):", "    \"\"\"One.\"\"\"", "", "    return q @ k.T", "",
            "", "def weights(s):", "    return s",
        ],
        9, 14,
    ),
    (
        ".py",
        [
            "class Net:", "    def scores(self, q):", "        return q", "", "    def other(self):",
            "        return 1",
        ],
        2, 3,
    ),
    (
        ".py",
        [
            "scores = lambda q, k: q @ k.T", "other = 1",
        ],
        1, 1,
    ),
    (
        ".r",
        [
            "other <- function(q) {", "  scores <- q", "  scores", "}", "", "scores <- function(q, k)",
            "{", "  q %*% t(k)", "}", "last <- 1",
        ],
        6, 9,
    ),
    (
        ".r",
        [
            "scores <- function(q, k) q %*% t(k)", "last <- 1",
        ],
        1, 1,
    ),
    (
        ".jl",
        [
            "other(q) = scores(q, q)", "", "function scores(q::Matrix{T}, k) where T", "    if true",
            "        q * k'", "    end", "end", "", "last() = 1",
        ],
        3, 7,
    ),
    (
        ".jl",
        [
            "other(q) = begin", "  scores(q)", "end", "@inline scores(q, k)::Matrix = q * k'",
            "last() = 1",
        ],
        4, 4,
    ),
    (
        ".m",
        [
            "function [r] = other(q)", "  r = scores(q, q);", "end", "function r = scores(q, k)",
            "  r = q * k';", "end",
        ],
        4, 6,
    ),
    (
        ".mjs",
        [
            "const other = (q) => scores(q);", "export function scores(q, k) {", "  return q;", "}",
        ],
        2, 4,
    ),
    (
        ".mjs",
        [
            "class Net {", "  other() {", "    scores(1);", "  }", "  scores(q) {", "    return q;",
            "  }", "}",
        ],
        5, 7,
    ),
    (
        ".f90",
        [
            "module m", "contains", "subroutine other(q)", "  call scores(q)", "end subroutine",
            "SUBROUTINE Scores(q)", "  q = 1", "END SUBROUTINE", "end module",
        ],
        6, 8,
    ),
    (
        ".c",
        [
            "void scores(const double *q, double *out);", "int main() {", "  scores(0, 0);", "}",
            "void scores(const double *q,", "            double *out)", "{", "  out[0] = q[0];", "}",
        ],
        5, 9,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("suffix", "source", "first", "last"), SOURCES)
def test_a_function_is_found_where_it_is_defined(
    suffix: str, source: list[str], first: int, last: int
) -> None:
    name = "Scores" if suffix == ".f90" else "scores"
    assert function_lines("\n".join(source), name, suffix) == (first, source[first - 1 : last])


def test_what_is_not_defined_is_not_found() -> None:
    assert function_lines("x = scores(1)\nscores(2)\n", "scores", ".jl") is None
    assert function_lines("", "scores", ".py") is None


@pytest.mark.parametrize("file", sorted((ROOT / "reference_impls" / "four_word").glob("four_word*.*")))
def test_every_stage_of_every_language_is_found(file: Path) -> None:
    if file.suffix in (".onnx", ".toml", ".safetensors", ".h"):
        return
    text = file.read_text(encoding="utf-8")
    for stage in ("scores", "weights", "attention"):
        found = function_lines(text, stage, file.suffix.lower())
        assert found is not None, stage
        assert stage in found[1][0] or stage in "".join(found[1][:3])
        assert len(found[1]) < 40


def test_a_map_shows_which_elements_are_off() -> None:
    beyond = np.zeros((2, 3), dtype=bool)
    beyond[0, 1] = beyond[1, 2] = True
    made = map_of(beyond)
    assert made is not None
    assert (made.count, made.of, made.block, made.rows) == (2, 6, (1, 1), (".#.", "..#"))


def test_a_large_map_is_of_blocks_of_which_none_is_lost() -> None:
    beyond = np.zeros((7, 5, 1000), dtype=bool)
    beyond[6, 4, 999] = True
    made = map_of(beyond)
    assert made is not None
    assert made.block == (2, 16)
    assert len(made.rows) == 18 <= MOST_ROWS
    assert {len(row) for row in made.rows} == {63}
    assert MOST_COLUMNS >= 63
    assert "".join(made.rows).count("#") == 1
    assert made.rows[-1][-1] == "#"


@pytest.mark.parametrize(
    "beyond", [np.array(True), np.ones((3, 3), bool), np.zeros(9, bool), np.eye(1, 3) > 0]
)
def test_what_one_number_or_one_word_says_has_no_map(beyond: np.ndarray) -> None:
    assert map_of(beyond) is None
