"""The text of new source files: one function per stage, which says that it is not written yet."""

from __future__ import annotations

from collections.abc import Callable

from harness.model import Case, Stage

CASE_TOML = """\
[case]
name = "{name}"
title = "{name}: say in a few words what it computes"
origin = "say where the algorithm comes from"
fixture = "{name}"

[inputs]    # arrays of the fixture, with their shapes; a symbol stands for the same size everywhere
x = {{ shape = ["n", "d"], meaning = "one row for each of n things" }}
W = {{ shape = ["d", "k"], meaning = "weights" }}

# A stage is one function in every language, called with its inputs in this order. One that states no
# tolerance may differ from the true value by as much as rounding explains, which python-flint is needed to
# compute; the other rules are in docs/authoring-a-case.md.

[[stage]]
name = "scores"
inputs = ["x", "W"]
shape = ["n", "k"]
meaning = "say what it is"

[[stage]]
name = "total"
inputs = ["scores"]
shape = ["n"]
meaning = "say what it is"
"""


def python(case: Case) -> str:
    """A source file for NumPy."""
    return _python(case, "numpy as np", "arrays")


def torch(case: Case) -> str:
    """A source file for PyTorch."""
    return _python(case, "torch", "tensors")


def r(case: Case) -> str:
    """A source file for R."""
    return _source(
        case,
        lambda stage: (
            f"{stage.name} <- function({', '.join(stage.inputs)}) {{\n"
            f"{_comments(case, stage, '  ')}"
            f'  stop("{stage.name} is not written yet")\n'
            "}"
        ),
        between="\n",
    )


def julia(case: Case) -> str:
    """A source file for Julia."""
    return _source(
        case,
        lambda stage: (
            f"function {stage.name}({', '.join(stage.inputs)})\n"
            f"{_comments(case, stage, '    ')}"
            f'    error("{stage.name} is not written yet")\n'
            "end"
        ),
        between="\n",
    )


SKELETONS: dict[str, Callable[[Case], str]] = {"numpy": python, "torch": torch, "r": r, "julia": julia}
"""By runtime."""


def _python(case: Case, library: str, what: str) -> str:
    imports = f"\nimport {library}  # takes and returns {what}\n"
    return _source(
        case,
        lambda stage: (
            f"def {stage.name}({', '.join(stage.inputs)}):\n"
            f"{_comments(case, stage, '    ')}"
            f'    raise NotImplementedError("{stage.name} is not written yet")'
        ),
        between="\n\n",
        head=imports,
    )


def _source(case: Case, function: Callable[[Stage], str], *, between: str, head: str = "") -> str:
    parts = [f"# {_line(case.title)}\n{head}", *(f"{function(stage)}\n" for stage in case.stages)]
    return between.join(parts)


def _comments(case: Case, stage: Stage, indent: str) -> str:
    shapes = {value.name: value for value in (*case.inputs, *case.values.values())}
    lines = []
    for title, names in (
        ("takes", stage.inputs),
        ("returns", tuple(value.name for value in stage.outputs)),
    ):
        for name in names:
            value = shapes[name]
            size = ", ".join(map(str, value.shape))
            meaning = f": {_line(value.meaning)}" if value.meaning else ""
            lines.append(f"{indent}# {title} {name} [{size}]{meaning}\n")
    return "".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split())
