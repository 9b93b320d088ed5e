"""The text of new files: a small example for a new case, else functions that say they are not written yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.cli import skeletons_compiled as compiled
from harness.cli import skeletons_interpreted as interpreted
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

# A stage is one function in every language, called with its inputs in this order. What it may differ by:
# - It states nothing: the limit is derived from what rounding explains, which needs python-flint.
# - No limit can be derived, say of a solver: the languages are compared coarsely. Half of the digits have to
#   agree with the reference, and every report says that it was coarse, and why.
# - It states a limit, with the reason; add such a line to the stage:
#       tolerance = {{ rule = "relative", value = 1e-9, reason = "condition 1e5: say how you know" }}
# All rules are in docs/authoring-a-case.md. The two stages below are an example: put your own in their place.

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


Bodies = Mapping[str, str]
"""The bodies of a source file's functions, by stage; a stage without one is not written yet."""

EXAMPLE: Mapping[str, Bodies] = {
    "numpy": {"scores": "return x @ W", "total": "return np.sum(scores, axis=1)"},
    "torch": {"scores": "return x @ W", "total": "return torch.sum(scores, dim=1)"},
    "r": {"scores": "x %*% W", "total": "rowSums(scores)"},
    "julia": {"scores": "return x * W", "total": "return vec(sum(scores, dims=2))"},
    "jax": {"scores": "return x @ W", "total": "return jnp.sum(scores, axis=1)"},
    **compiled.EXAMPLE,
    **interpreted.EXAMPLE,
}
"""The stages of `CASE_TOML`, by runtime."""

LIMITS = (
    "# Limits stand in case.toml. Where none is stated and none can be derived, half of the digits\n"
    "# are compared, which is called coarse.\n"
)


def python(case: Case, bodies: Bodies) -> str:
    """A source file for NumPy."""
    return _python(case, bodies, "numpy as np", "arrays")


def torch(case: Case, bodies: Bodies) -> str:
    """A source file for PyTorch."""
    return _python(case, bodies, "torch", "tensors")


def jax(case: Case, bodies: Bodies) -> str:
    """A source file for JAX."""
    return _python(case, bodies, "jax.numpy as jnp", "arrays of JAX")


def r(case: Case, bodies: Bodies) -> str:
    """A source file for R."""
    return _source(
        case,
        lambda stage: (
            f"{stage.name} <- function({', '.join(stage.inputs)}) {{\n"
            f"{_comments(case, stage, '  ')}"
            f"  {bodies.get(stage.name) or _missing('stop', stage)}\n"
            "}"
        ),
        between="\n",
    )


def julia(case: Case, bodies: Bodies) -> str:
    """A source file for Julia."""
    return _source(
        case,
        lambda stage: (
            f"function {stage.name}({', '.join(stage.inputs)})\n"
            f"{_comments(case, stage, '    ')}"
            f"    {bodies.get(stage.name) or _missing('error', stage)}\n"
            "end"
        ),
        between="\n",
    )


def node(case: Case, bodies: Bodies) -> str:
    """A source file for Node.js."""
    return interpreted.node(case, bodies, f"# {_line(case.title)}\n{LIMITS}", _comments)


def octave(case: Case, bodies: Bodies) -> str:
    """A source file for Octave."""
    return interpreted.octave(case, bodies, f"# {_line(case.title)}\n{LIMITS}", _comments)


SKELETONS: dict[str, Callable[[Case, Bodies], str]] = {
    "numpy": python,
    "torch": torch,
    "r": r,
    "julia": julia,
    "c": compiled.c,
    "cpp": compiled.cpp,
    "fortran": compiled.fortran,
    "jax": jax,
    "node": node,
    "octave": octave,
}
"""The functions that write a source file, by runtime."""

BESIDE: dict[str, tuple[str, Callable[[Case], str]]] = {"c": (".h", compiled.c_header)}
"""The file that a source file includes: how its name ends, and the function that writes it."""


def _python(case: Case, bodies: Bodies, library: str, what: str) -> str:
    imports = f"\nimport {library}  # takes and returns {what}\n"
    return _source(
        case,
        lambda stage: (
            f"def {stage.name}({', '.join(stage.inputs)}):\n"
            f"{_comments(case, stage, '    ')}"
            f"    {bodies.get(stage.name) or _missing('raise NotImplementedError', stage)}"
        ),
        between="\n\n",
        head=imports,
    )


def _source(case: Case, function: Callable[[Stage], str], *, between: str, head: str = "") -> str:
    parts = [f"# {_line(case.title)}\n{LIMITS}{head}", *(f"{function(stage)}\n" for stage in case.stages)]
    return between.join(parts)


def _missing(call: str, stage: Stage) -> str:
    return f'{call}("{stage.name} is not written yet")'


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
