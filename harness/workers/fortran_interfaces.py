"""Which procedures of Fortran only Fortran can call, from the tree that gfortran prints of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from harness.workers.declared_arrays import DeclaredStage

_BLOCK = re.compile(r"^ *Namespace:", re.MULTILINE)
_NAME = re.compile(r"^ *procedure name = (\w+)", re.MULTILINE)
_SYMBOL = re.compile(
    r"^ *symtree: '\w+' *\|\| symbol: '(?P<name>\w+)'(?: *from namespace '(?P<other>\w+)')?"
    r"(?P<facts>(?:(?!^ *symtree:|^ *code:).)*)",
    re.MULTILINE | re.DOTALL,
)
_ATTRIBUTES = re.compile(r"attributes: \((.*)\)$", re.MULTILINE)
_DESCRIBED = re.compile(r"Array spec:\(.*\bAS_(?:ASSUMED_SHAPE|DEFERRED|ASSUMED_RANK)\b")


class _Symbol(NamedTuple):
    other: str | None
    """The namespace that it is of, where it is another one."""
    attributes: frozenset[str]
    described: bool
    """Whether it is an array whose sizes come with it."""

    @property
    def hidden(self) -> bool:
        """Whether it is an argument that is passed as gfortran's own description of an array."""
        # DUMMY, or with an intent: DUMMY(IN).
        argument = any(each.startswith("DUMMY") for each in self.attributes)
        return argument and (self.described or bool(self.attributes & {"ALLOCATABLE", "POINTER"}))


def _blocks(tree: str) -> Iterator[tuple[str, Mapping[str, _Symbol]]]:
    """The symbols of each module and procedure, by their names."""
    for text in _BLOCK.split(tree)[1:]:
        if (named := _NAME.search(text)) is None:
            continue
        symbols = {}
        for match in _SYMBOL.finditer(text):
            found = _ATTRIBUTES.search(match["facts"])
            attributes = frozenset(found[1].split() if found else ())
            described = _DESCRIBED.search(match["facts"]) is not None
            symbols[match["name"].lower()] = _Symbol(match["other"], attributes, described)
        yield named[1].lower(), symbols


def described_arguments(tree: str) -> dict[str, tuple[str, ...]]:
    """The arguments that come with a description that only Fortran makes: ``x(:)``, allocatable, pointer.

    Parameters
    ----------
    tree : str
        What ``gfortran -fdump-fortran-original`` prints.

    Returns
    -------
    dict
        By procedure, of those outside of modules and those with ``bind(c)`` that have such arguments.
    """
    found: dict[str, tuple[str, ...]] = {}
    known: dict[str, Mapping[str, _Symbol]] = {}
    for name, symbols in _blocks(tree):
        known[name] = symbols
        own = symbols.get(name)
        home = known.get((own.other or name).lower(), {}) if own is not None else {}
        outside = own is not None and own.other is None
        bound = name in home and "BIND(C)" in home[name].attributes
        hidden = tuple(each for each, symbol in symbols.items() if symbol.hidden)
        if hidden and (outside or bound):
            found[name] = hidden
    return found


def array_functions(tree: str) -> list[str]:
    """The functions outside of modules whose result is an array, from what `described_arguments` reads."""
    return [
        name
        for name, symbols in _blocks(tree)
        if name in symbols
        and symbols[name].other is None
        and symbols[name].attributes >= {"FUNCTION", "DIMENSION"}
    ]


def returns_array(name: str) -> str:
    """Say what a function is that C cannot call."""
    return f"the function {name} returns an array, and a subroutine is expected, which sets an output"


_BEGINS = re.compile(
    r"^(?!\s*end\b)[^!'\"]*\b(?:subroutine|function)\s+(\w+)|^\s*module\s+procedure\s+(\w+)", re.IGNORECASE
)
_ENDS = re.compile(r"^\s*end\s*(?:(?:subroutine|function|procedure)\b.*)?(?:!.*)?$", re.IGNORECASE)


def without_procedures(text: str, names: Sequence[str]) -> str:
    """The text of a file in free form in which procedures are empty lines.

    Parameters
    ----------
    text : str
        The file.
    names : sequence of str
        Those to be left out, in lower case; what they contain goes with them.
    """
    lines = text.splitlines(keepends=True)
    for name in names:
        if (first := line_of("".join(lines), name)) is None:
            continue
        depth = 0
        for number in range(first - 1, len(lines)):
            line = lines[number]
            if _BEGINS.match(line):
                depth += 1
            elif _ENDS.match(line.rstrip()):
                depth -= 1
            lines[number] = "\n"
            if depth == 0:
                break
    return "".join(lines)


def not_passed(stage: DeclaredStage, arguments: Sequence[str]) -> str:
    """Why a procedure with such arguments cannot be called; empty where there are none."""
    if not arguments:
        return ""
    return (
        f"{' and '.join(arguments)} cannot be passed from outside of Fortran: without sizes, as x(:) "
        f"is, allocatable or a pointer; {expected(stage)} is expected"
    )


def expected(stage: DeclaredStage) -> str:
    """The subroutine of a stage, with its arguments in their order and the sizes of arrays."""
    outputs = [("out" if value.name == stage.name else value.name, value) for value in stage.outputs]
    inputs = [(value.name, value) for value in stage.inputs]
    names = ", ".join(
        [*stage.sizes, *(name for name, _ in inputs), *stage.found, *(name for name, _ in outputs)]
    )
    found = set(stage.found)
    kinds = [
        f"type(c_ptr) {name}"
        if found.intersection(value.shape)
        else f"{name}({', '.join(map(str, value.shape))})"
        for name, value in (*inputs, *outputs)
        if value.shape
    ]
    return f"subroutine {stage.name}({names})" + (f" with {', '.join(kinds)}" if kinds else "")


def line_of(text: str, name: str) -> int | None:
    """The line that a procedure begins in; of several with one name, that which can be called from outside.

    Parameters
    ----------
    text : str
        A file in free form.
    name : str
        The procedure, in any case.
    """
    begin = re.compile(
        rf"^(?!\s*end\b)[^!'\"]*\b(?:subroutine|function)\s+{re.escape(name)}\b", re.IGNORECASE
    )
    lines = text.splitlines()
    found: list[tuple[int, int]] = []
    module = interface = False
    for number, line in enumerate(lines, 1):
        words = line.lower().split()
        opens = len(words) > 1 and words[0] == "module" and words[1] not in _NO_MODULE
        module = (module or opens) and not re.match(r"\s*end\s*module\b", line, re.IGNORECASE)
        starts = words[:1] == ["interface"] or words[:2] == ["abstract", "interface"]
        interface = (interface or starts) and not re.match(r"\s*end\s*interface\b", line, re.IGNORECASE)
        if begin.match(line):
            bound = re.search(r"\bbind\s*\(", _statement(lines, number), re.IGNORECASE) is not None
            found.append((3 if interface else 0 if bound else 2 if module else 1, number))
    return min(found)[1] if found else None


_NO_MODULE = ("procedure", "subroutine", "function")


def _statement(lines: list[str], number: int) -> str:
    """A statement that begins in a line, without comments."""
    said = ""
    for line in lines[number - 1 :]:
        code = line.partition("!")[0].rstrip()
        said += code.removesuffix("&")
        if not code.endswith("&"):
            break
    return said
