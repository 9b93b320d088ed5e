"""What does not need a package that is not here is run, in R, Julia and Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engine import execute_document
from harness.documents.parse import parse_document
from harness.documents.results import Execution
from harness.runtimes.provision.r import find_r
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

SANDBOX = find_sandbox(unsandboxed=True)
R = """```r
library(nowhere1)
a <- 5
z <- nowhere2::g(a,
  2)
pacman.none::p_load(x)
a + 1
```

```r
f <- function() nowhere2::g(1)
f()
a + 2
```
"""
JULIA = """```julia
using LinearAlgebra, Nowhere1
import Nowhere2: f
x = [1, 2]
dot(x, x)
```
"""
PYTHON = """```python
import nowhere1
x = 3
print "x is", x
x + 1
```
"""


def ran(folder: Path, text: str) -> Execution:
    (folder / "a.md").write_text(text, encoding="utf-8")
    registry = Registry.load(Path(__file__).parent)
    return execute_document(parse_document(folder / "a.md"), registry=registry, sandbox=SANDBOX, trust=True)


def printed(execution: Execution) -> list[str]:
    return [run.left.text if run.left is not None else run.skipped for run in execution.chunks]


@pytest.mark.r
def test_statements_of_r_that_need_no_package(tmp_path: Path) -> None:
    if not find_r().available:
        pytest.skip("R is not there")
    execution = ran(tmp_path, R)
    # What a function takes of a package fails where it is called: the chunk ends there.
    assert printed(execution) == ["[1] 6\n", ""]
    assert [len(run.lacking) for run in execution.chunks] == [3, 0]


@pytest.mark.julia
def test_statements_of_julia_that_need_no_package(tmp_path: Path) -> None:
    execution = ran(tmp_path, JULIA)
    if execution.tracks[0].missing:
        pytest.skip("Julia is not there")
    assert printed(execution) == ["5\n"]
    assert [error.line for error in execution.chunks[0].lacking] == [2, 3]


def test_statements_of_python_2(tmp_path: Path) -> None:
    execution = ran(tmp_path, PYTHON)
    assert printed(execution) == ["x is 3\n4\n"]
    assert len(execution.chunks[0].lacking) == 1
