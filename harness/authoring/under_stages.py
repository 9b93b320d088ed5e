"""In C and C++, functions under the stages' names that call those of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.authoring.read_words import parts
from harness.authoring.sources import Function, Source
from harness.errors import UsageError
from harness.workers.c_prototypes import Style, is_returned, prototype
from harness.workers.declared_arrays import DeclaredStage

COMPILED = ("c", "cpp", "fortran")
"""Languages whose functions take sizes, and outputs, besides the inputs."""


def under_stages(source: Source, declared: Mapping[str, DeclaredStage], stages: Sequence[str]) -> str:
    """What follows a copy of a file whose functions have other names than the stages.

    Parameters
    ----------
    source : Source
        The file.
    declared : mapping of str to DeclaredStage
        What case.toml says of the stages.
    stages : sequence of str
        Their names.

    Raises
    ------
    UsageError
        A function takes other arguments than its stage gives, or the language has no such functions here.
    """
    others = [
        (name, function) for name in stages if (function := source.function(name)) and function.name != name
    ]
    if not others:
        return ""
    if source.runtime == "fortran":
        name, function = others[0]
        raise UsageError(
            f"the subroutine {function.name} would have to be called {name}",
            path=source.path,
            line=function.line,
            advice="rename it in a copy of the file: Fortran's are not called under another name here",
        )
    written = [_called(source, declared[name], function) for name, function in others if name in declared]
    mark = "// Added by `harness new impl`: the functions above under the names of case.toml."
    return "\n".join(["", mark, *written])


def _called(source: Source, stage: DeclaredStage, function: Function) -> str:
    style: Style = "cpp" if source.runtime == "cpp" else "sized" if _is_sized(source, stage) else "flat"
    head = prototype(stage, style)
    names = [
        re.sub(r"\[.*", "", part).split()[-1].lstrip("*")
        for part in parts(head[head.index("(") + 1 : -1])
        if part.strip() != "void"
    ]
    if len(names) != len(function.arguments):
        raise UsageError(
            f"{function.name} takes {len(function.arguments)} arguments, and {stage.name} has {len(names)}",
            path=source.path,
            line=function.line,
            advice=f"{head} is expected",
        )
    call = f"{function.name}({', '.join(names)});"
    return f"{head}\n{{\n    {'return ' if is_returned(stage) else ''}{call}\n}}\n"


def _is_sized(source: Source, stage: DeclaredStage) -> bool:
    """Whether a file has arrays with their sizes, as all of its stages have to have then."""
    shaped = any(value.shape for value in (*stage.inputs, *stage.outputs))
    return shaped and re.search(r"\w\s*\[\s*\w+\s*\]\s*[,)\[]", source.text.partition("{")[0]) is not None
