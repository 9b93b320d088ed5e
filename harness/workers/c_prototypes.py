"""What a stage's function in C or C++ looks like: its prototype, made of what case.toml declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from harness.workers.declared_arrays import Declared, DeclaredStage

Style = Literal["sized", "flat", "cpp"]
"""Arrays with their sizes, as C has since C99; pointers to the first number; the same with C's linkage."""

STYLES: Mapping[str, tuple[Style, ...]] = {"c": ("sized", "flat"), "cpp": ("cpp",)}
"""The styles that a source file of a language may be written in: all of it in one."""

_TYPES = {"float": "real", "complex": "complex_real", "int": "int64_t", "bool": "bool"}

_KEYWORDS = frozenset(
    [
        "alignas",
        "alignof",
        "and",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "not",
        "operator",
        "or",
        "private",
        "protected",
        "public",
        "real",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "while",
        "xor",
        "complex",
        "complex_real",
        "size_t",
    ]
)

_HEAD = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The precision that is compiled: double, or float where case.toml asks for float32 too. */
#ifndef HARNESS_REAL
#define HARNESS_REAL double
#endif
typedef HARNESS_REAL real;
"""
_COMPLEX = {
    "c": "typedef HARNESS_REAL _Complex complex_real;\n",
    "cpp": "#include <complex>\ntypedef std::complex<real> complex_real;\n",
}


def header(stages: Iterable[DeclaredStage], style: Style) -> str:
    """The text of a header with the prototypes of all stages.

    Parameters
    ----------
    stages : iterable of DeclaredStage
        Of one case.
    style : str
        One of `Style`.
    """
    stages = list(stages)
    kinds = {value.kind for stage in stages for value in (*stage.inputs, *stage.outputs)}
    language = "cpp" if style == "cpp" else "c"
    parts = [_HEAD, _COMPLEX[language] if "complex" in kinds else "", "\n"]
    # A definition that follows a prototype with C's linkage has C's linkage.
    before, after = ('extern "C" {\n', "}\n") if style == "cpp" else ("", "")
    parts += [before, *(f"{prototype(stage, style)};\n" for stage in stages), after]
    return "".join(parts)


def prototype(stage: DeclaredStage, style: Style) -> str:
    """What stands before the body of a stage's function.

    The sizes come first, then the inputs, then the outputs, in the order of case.toml. A scalar is passed by
    value, a complex one by its address; a single output that is a real scalar is what the function returns.
    An output with a size that no input has is allocated by the function, which sets the size.
    """
    names = _names(stage)
    sizes = {symbol: names[f"size {symbol}"] for symbol in (*stage.sizes, *stage.found)}
    parameters = [f"size_t {sizes[symbol]}" for symbol in stage.sizes]
    parameters += [_input(value, names[value.name], sizes, style) for value in stage.inputs]
    parameters += [f"size_t *{sizes[symbol]}" for symbol in stage.found]
    if is_returned(stage):
        return f"{_TYPES[stage.outputs[0].kind]} {stage.name}({', '.join(parameters) or 'void'})"
    found = set(stage.found)
    for value in stage.outputs:
        name = names[f"output {value.name}"]
        if found.intersection(value.shape):
            parameters.append(f"{_TYPES[value.kind]} **{name}")
        else:
            parameters.append(_array(_TYPES[value.kind], name, value, sizes, style))
    return f"void {stage.name}({', '.join(parameters)})"


def is_returned(stage: DeclaredStage) -> bool:
    """Whether a stage's only output is what its function returns: a scalar that is not complex."""
    return len(stage.outputs) == 1 and not stage.outputs[0].shape and stage.outputs[0].kind != "complex"


def _input(value: Declared, name: str, sizes: Mapping[str, str], style: Style) -> str:
    if not value.shape and value.kind != "complex":
        return f"{_TYPES[value.kind]} {name}"
    return _array(f"const {_TYPES[value.kind]}", name, value, sizes, style)


def _array(of: str, name: str, value: Declared, sizes: Mapping[str, str], style: Style) -> str:
    if style != "sized" or not value.shape:
        return f"{of} *{name}"
    return f"{of} {name}{''.join(f'[{sizes.get(str(size), size)}]' for size in value.shape)}"


def _names(stage: DeclaredStage) -> dict[str, str]:
    """Names of the parameters that are C's, and each another one, by what they are the names of."""
    wanted = [(value.name, value.name) for value in stage.inputs]
    for value in stage.outputs:
        wanted.append((f"output {value.name}", "out" if value.name == stage.name else value.name))
    wanted += [(f"size {symbol}", symbol) for symbol in (*stage.sizes, *stage.found)]
    names: dict[str, str] = {}
    for key, name in wanted:
        while name in _KEYWORDS or name in names.values():
            name = f"{name}_size" if key.startswith("size ") else f"{name}_"
        names[key] = name
    return names
