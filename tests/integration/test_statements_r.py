"""The statements of R code, read by R: an empty index is one like others."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from harness.sessions.statements import Statement, probe, session_statements

CODE = """\
x <- m[, 1]
df[-1, ]
f <- function(a) a[, 2]
m[, 1] <- 0
y <- setNames(m[, , drop = FALSE], "a")
z <- make(g = function(a) a[1, ])
w <- list(m[, 1], a = m[1, ])
"""


@pytest.fixture
def statements(tmp_path: Path) -> list[Statement]:
    if shutil.which("Rscript") is None:
        pytest.skip("there is no Rscript on PATH")

    def evaluate(code: str) -> str:
        path = tmp_path / "a.R"
        path.write_text(f"{probe('r')}\n{code}\n", encoding="utf-8")
        done = subprocess.run(["Rscript", "--vanilla", path], capture_output=True, text=True, check=True)
        return done.stdout

    return list(session_statements(3, CODE, "r", evaluate))


def test_an_empty_index_does_not_end_the_reading(statements: list[Statement]) -> None:
    assert [(s.line, s.kind, sorted(s.sets)) for s in statements] == [
        (1, "other", ["x"]),
        (2, "other", []),
        (3, "definition", ["f"]),
        (4, "other", ["m"]),
        (5, "other", ["y"]),
        (6, "definition", ["z"]),
        (7, "other", ["w"]),
    ]
    assert "m" in statements[6].reads
    assert [s.unread for s in statements] == [""] * 7


def test_a_statement_that_cannot_be_read_is_said_with_its_place() -> None:
    printed = "statement\t1\t1\tother\tx\tm\t\nunread\t2\t4\tno way\nstatement\t5\t5\tother\t\tx\t\n"
    found = list(session_statements(0, "", "r", lambda code: printed))
    assert [(s.line, s.end_line, s.unread) for s in found] == [(1, 1, ""), (2, 4, "no way"), (5, 5, "")]
