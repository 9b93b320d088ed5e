"""``py$x`` and ``r.x`` in R Markdown: values of one session in the other, and those that are not carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engine import RunSettings, execute_document
from harness.documents.parse import parse_document
from harness.documents.results import Execution
from harness.documents.shared_variables import variables_cross
from harness.findings.articles import examine_all
from harness.model.article import Answer
from harness.runtimes.provision.r import find_r
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.r
SANDBOX = find_sandbox(unsandboxed=True)
PYTHON = """
import numpy as np
x, whole, yes, none = 0.1, 7, True, None
words = ["a", 'b"c', "ü\\n"]
m = np.array([[1.5, 2.0], [3.0, 4.25]])
k = {"a": 1, "b": [1.5, float("inf")]}
f = abs
"""
R = """
y <- c(1.5, NA, 3)
one <- 0.1
mm <- matrix(1:4, 2)
l <- list(u = 1L, v = "w", n = NULL)
t <- factor("b")
g <- function() 1
"""


def ran(folder: Path, *chunks: tuple[str, str]) -> Execution:
    if not find_r().available:
        pytest.skip("R is not there")
    path = folder / "a.Rmd"
    path.write_text(
        "\n".join(f"```{{{name}}}\n{code.strip()}\n```\n" for name, code in chunks), encoding="utf-8"
    )
    registry = Registry.load(Path(__file__).parent)
    return execute_document(parse_document(path), registry=registry, sandbox=SANDBOX, trust=True)


def texts(execution: Execution) -> list[str]:
    return [chunk.left.text if chunk.left is not None else chunk.skipped for chunk in execution.chunks]


def test_values_of_python_in_r(tmp_path: Path) -> None:
    asked = (
        "cat(identical(py$x, 0.1), py$whole + 1L, py$yes, is.null(py$none),"
        " identical(py$words, c('a', 'b\"c', 'ü\\n')))"
    )
    more = "cat(identical(py$m, matrix(c(1.5, 3, 2, 4.25), 2)), py$k$a, py$k$b)"
    execution = ran(
        tmp_path, ("python", PYTHON), ("r", asked), ("python", "x = 2.5"), ("r", "py$x"), ("r", more)
    )
    assert texts(execution)[1] == "TRUE 8 TRUE TRUE TRUE"
    assert texts(execution)[3:] == ["[1] 2.5\n", "TRUE 1 1.5 Inf"]


def test_values_of_r_in_python(tmp_path: Path) -> None:
    execution = ran(
        tmp_path, ("r", R), ("python", "print(r.y, r.one == 0.1, r.l, r.t)\nprint(r.mm.tolist())")
    )
    assert texts(execution)[1] == "[1.5, nan, 3.0] True {'u': 1, 'v': 'w', 'n': None} b\n[[1, 3], [2, 4]]\n"


def test_tables(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    made = "import pandas as pd\nd = pd.DataFrame({'n': [1, 2], 't': ['u', None]})"
    execution = ran(
        tmp_path,
        ("python", made),
        ("r", "d <- py$d\nstr(d)\nd$n <- d$n * 2"),
        ("python", "print(r.d['n'].tolist(), r.d['t'][0])"),
    )
    assert (
        "'data.frame':\t2 obs. of  2 variables:\n $ n: int  1 2\n $ t: chr  \"u\" NA\n" in texts(execution)[1]
    )
    assert texts(execution)[2] == "[2.0, 4.0] u\n"


@pytest.mark.parametrize(
    ("first", "taken"), [(("python", PYTHON), ("r", "py$f(1)")), (("r", R), ("python", "r.g()"))]
)
def test_what_is_not_carried_is_not_there(
    tmp_path: Path, first: tuple[str, str], taken: tuple[str, str]
) -> None:
    last = ran(tmp_path, first, taken).chunks[-1]
    assert last.error is not None
    name = "'py'" if taken[0] == "r" else "'r'"
    assert name in last.error.message


def test_names_of_a_session_stay_as_they_are(tmp_path: Path) -> None:
    asked = ("r", "y <- py$x\nls()"), ("python", "print(r.y, 'r' in globals())")
    execution = ran(tmp_path, ("python", "x = 1"), *asked)
    assert texts(execution)[1:] == ['[1] "y"\n', "1 False\n"]


def test_a_value_that_differs_accuses_nobody(tmp_path: Path) -> None:
    if not find_r().available:
        pytest.skip("R is not there")
    (tmp_path / "a.Rmd").write_text("```{python}\nx = 2\n```\n\n```{r}\npy$x\n```\n\n```{r}\npy$x + 1\n```\n")
    shown = (
        "```python\nx = 2\n```\n\n```r\npy$x\n```\n\n```\n## [1] 2\n```\n\n"
        "```r\npy$x + 1\n```\n\n```\n## [1] 4\n```\n"
    )
    (tmp_path / "a.md").write_text(shown)
    (examined,) = examine_all([tmp_path / "a.Rmd"], sandbox=SANDBOX, plan=RunSettings(), suite=None)
    assert [block.answer for block in examined.examined.blocks] == [Answer.REPRODUCED, Answer.UNCHECKED]
    assert "it takes py$x, a value of Python" in examined.examined.blocks[1].why


def test_values_come_before_those_of_reticulate(tmp_path: Path) -> None:
    attached = "if (requireNamespace('reticulate', quietly = TRUE)) library(reticulate)"
    execution = ran(tmp_path, ("r", "py$x"), ("python", "x = 3"), ("r", attached), ("r", "py$x"))
    assert execution.chunks[0].error is not None
    assert texts(execution)[-1] == "[1] 3\n"


def test_environment_variables_are_seen_by_both(tmp_path: Path) -> None:
    execution = ran(
        tmp_path,
        ("r", "Sys.setenv(A = 'one \"two\"\\n\u00fc', GONE = 'x')"),
        ("python", "import os\nprint(os.environ['A'] == 'one \"two\"\\n\u00fc')\nos.environ['B'] = 'b;c'\n"
         "del os.environ['GONE']\nos.environ['A'] = 'new'"),
        ("r", "cat(Sys.getenv('A'), Sys.getenv('B'), Sys.getenv('GONE', 'gone'))"),
        ("r", "Sys.unsetenv('B')\ncat(system('echo $A', intern = TRUE))"),
        ("python", "print(os.environ.get('B'), os.environ['A'])"),
    )  # fmt: skip
    assert texts(execution)[1:] == ["True\n", "new b;c gone", "new", "None new\n"]


def test_sessions_that_set_no_variable_for_each_other_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("```{r}\nSys.setenv(A = 1)\n```\n\n```{python}\nprint(1)\n```\n")
    assert not variables_cross(parse_document(tmp_path / "a.Rmd"))
    (tmp_path / "a.md").write_text(
        "```r\nSys.setenv(A = 1)\n```\n\n```python\nimport os\nprint(os.environ['A'])\n```\n"
    )
    assert not variables_cross(parse_document(tmp_path / "a.md"))
