"""The text of new files of C, C++ and Fortran: a header, and functions whose results are not set yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from harness.errors import UsageError
from harness.model import Case, Stage
from harness.workers.c_prototypes import Style, header, is_returned, prototype
from harness.workers.declared_arrays import PLAIN, Declared, DeclaredStage

Bodies = Mapping[str, str]

EXAMPLE: Mapping[str, Bodies] = {
    "c": {
        "scores": """\
for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            out[i][j] = 0;
            for (size_t m = 0; m < d; m++)
                out[i][j] += x[i][m] * W[m][j];
        }""",
        "total": """\
for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t j = 0; j < k; j++)
            out[i] += scores[i][j];
    }""",
    },
    "cpp": {
        "scores": """\
for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            out[i * k + j] = 0;
            for (size_t m = 0; m < d; m++)
                out[i * k + j] += x[i * d + m] * W[m * k + j];
        }""",
        "total": """\
for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t j = 0; j < k; j++)
            out[i] += scores[i * k + j];
    }""",
    },
    "fortran": {"scores": "out = matmul(x, W)", "total": "out = sum(scores, dim=2)"},
}
"""The stages of a new case's example, by runtime."""

_ADVICE = "C, C++ and Fortran take and return such arrays alone"
_C = {"float": "NAN", "int": "0", "bool": "false"}
_FORTRAN = {
    "float": "real(HARNESS_REAL)",
    "complex": "complex(HARNESS_REAL)",
    "int": "integer(8)",
    "bool": "logical(1)",
}


def c_header(case: Case, language: Literal["c", "cpp"] = "c") -> str:
    """The header that a source file in C includes: the prototype of each stage."""
    guard = f"{case.name.upper()}_H"
    about = f"/* {_line(case.title)}: one function for each stage, as case.toml declares it. */\n"
    body = header(_plain(case), "sized" if language == "c" else "cpp")
    return f"{about}#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n"


def c(case: Case, bodies: Bodies) -> str:
    """A source file for C."""
    include = f'#include <math.h>\n#include <stdlib.h>\n\n#include "{case.name}.h"\n'
    return "\n".join([f"/* {_line(case.title)} */\n\n{include}", *_functions(case, bodies, "sized")])


def cpp(case: Case, bodies: Bodies) -> str:
    """A source file for C++, which holds what its header would."""
    includes = "#include <cmath>\n#include <cstdlib>\n\n"
    head = f"// {_line(case.title)}\n// Arrays come row by row: the last index runs fastest.\n\n{includes}"
    return "\n".join([f"{head}{header(_plain(case), 'cpp')}", *_functions(case, bodies, "cpp")])


def _functions(case: Case, bodies: Bodies, style: Style) -> list[str]:
    return [
        f"{prototype(stage, style)}\n{{\n    {bodies.get(stage.name) or _unset(stage)}\n}}\n"
        for stage in _plain(case)
    ]


def fortran(case: Case, bodies: Bodies) -> str:
    """A source file for Fortran."""
    head = (
        f"! {_line(case.title)}\n! Arrays come in column order, with the shapes that case.toml declares.\n\n"
        "! The precision that is compiled: 8, or 4 where case.toml asks for float32 too.\n"
        "#ifndef HARNESS_REAL\n#define HARNESS_REAL 8\n#endif\n"
    )
    return "\n".join([head, *(_subroutine(stage, bodies.get(stage.name, "")) for stage in _plain(case))])


def _subroutine(stage: DeclaredStage, body: str) -> str:
    outputs = {value.name: "out" if value.name == stage.name else value.name for value in stage.outputs}
    names = [*stage.sizes, *(value.name for value in stage.inputs), *stage.found, *outputs.values()]
    lower = [name.lower() for name in [stage.name, *names]]
    if twice := [name for name in names if lower.count(name.lower()) > 1]:
        raise UsageError(
            f"{stage.name}: Fortran does not tell {' and '.join(twice)} apart, which differ in case alone",
            advice="write the subroutine by hand, with names of its own",
        )
    found = set(stage.found)
    lines = [f"subroutine {stage.name}({', '.join(names)})"]
    # What malloc of C gives: of other memory nobody outside would know how to free it.
    lines += ["  use, intrinsic :: iso_c_binding, only: c_ptr"] if found else []
    lines.append("  implicit none")
    if stage.sizes:
        lines.append(f"  integer, intent(in) :: {', '.join(stage.sizes)}")
    lines += [f"  {_FORTRAN[v.kind]}, intent(in) :: {v.name}{_dims(v)}" for v in stage.inputs]
    lines += [f"  integer, intent(out) :: {', '.join(stage.found)}"] if found else []
    lines += [
        f"  type(c_ptr), intent(out) :: {outputs[v.name]}  ! to {_FORTRAN[v.kind]} {v.name}{_dims(v)}"
        if found.intersection(v.shape)
        else f"  {_FORTRAN[v.kind]}, intent(out) :: {outputs[v.name]}{_dims(v)}"
        for v in stage.outputs
    ]
    lines.append(f"  {body}" if body else f"  ! {stage.name} is not written yet")
    return "\n".join([*lines, "end subroutine", ""])


def _dims(value: Declared) -> str:
    return f"({', '.join(map(str, value.shape))})" if value.shape else ""


def _unset(stage: DeclaredStage) -> str:
    """The body of a function that is not written: what it returns is not set, and no comparison passes."""
    note = f"/* {stage.name} is not written yet */"
    if is_returned(stage):
        return f"{note}\n    return {_C[stage.outputs[0].kind]};"
    return note


def _plain(case: Case) -> list[DeclaredStage]:
    values = {value.name: value for value in (*case.inputs, *case.values.values())}

    def declared(stage: Stage, name: str) -> Declared:
        value = values[name]
        if value.dtype not in PLAIN or "..." in value.shape or value.missing or value.optional:
            raise UsageError(
                f"{stage.name}: {name} is no array of numbers with a declared number of dimensions",
                advice=_ADVICE,
            )
        return Declared(name, value.shape, value.dtype)

    for stage in case.stages:
        for form in (*stage.takes, *stage.returns):
            # What a function in Python is given an array as is nothing to others.
            if not msgspec.structs.replace(form, given="").is_plain:
                told = f"{form.name} is" if form.name else "what it takes and returns is"
                raise UsageError(f"{stage.name}: {told} not a plain array of numbers", advice=_ADVICE)
    return [
        DeclaredStage(
            stage.name,
            tuple(declared(stage, name) for name in stage.inputs),
            tuple(declared(stage, value.name) for value in stage.outputs),
        )
        for stage in case.stages
    ]


def _line(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")
