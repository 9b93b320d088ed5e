"""Functions of files in C, C++ and Fortran that nothing outside of their files, or modules, can call."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.authoring.read_words import without_comments
from harness.authoring.sources import Source
from harness.errors import UsageError

_SCOPE = re.compile(
    r"^[ \t]*(?P<end>end[ \t]*)?(?P<kind>module|submodule|program)\b"
    r"(?![ \t]*(?:procedure|subroutine|function)\b)(?![ \t]*=)",
    re.IGNORECASE,
)
_BARE_END = re.compile(r"^[ \t]*end[ \t]*$", re.IGNORECASE)
_BOUND = re.compile(r"\bbind\s*\(\s*c\b", re.IGNORECASE)


def within_reach(source: Source, stages: Sequence[str]) -> tuple[Source, list[str]]:
    """A source whose functions for the stages can be called; and in words what a copy has changed for it.

    Parameters
    ----------
    source : Source
        In C, C++ or Fortran.
    stages : sequence of str
        Their names.

    Raises
    ------
    UsageError
        A subroutine or function of Fortran is inside of a module or program, and has no ``bind(c)``.
    """
    functions = [(stage, found) for stage in stages if (found := source.function(stage)) is not None]
    if source.runtime == "fortran":
        for _, function in functions:
            if scope := _scope(source.text, function.line):
                raise UsageError(
                    f"{function.name} is inside of a {scope}, from where it cannot be called",
                    path=source.path,
                    line=function.line,
                    advice="write it outside of it in a copy of the file, or give it bind(c)",
                )
        return source, []
    # One that is called by another function of the same file may stay what it is.
    own = [function.name for stage, function in functions if function.name == stage]
    text = source.text
    for name in own:
        text = _public(text, name)
    if text == source.text:
        return source, []
    changed = [name for name in own if _public(source.text, name) != source.text]
    said = f"{source.path.name}: {', '.join(changed)}: static in the file, and not in the copy"
    return msgspec.structs.replace(source, text=text), [said]


def _public(text: str, name: str) -> str:
    """The text where a function, and what declares it, is not static; every line has its number still."""
    heads = re.compile(
        rf"^(?=[^\n;{{}}()#]*\bstatic\b)[A-Za-z_](?:[^;{{}}()#])*?\b{re.escape(name)}\s*\(", re.MULTILINE
    )
    return heads.sub(lambda head: re.sub(r"\b(?:static|inline)\b[ \t]*", "", head[0]), text)


def _scope(text: str, line: int) -> str:
    """The module or program in which the procedure of a line is, unless it has ``bind(c)``; else nothing."""
    lines = without_comments(text, "fortran").split("\n")
    end = line
    while end < len(lines) and lines[end - 1].rstrip().endswith("&"):
        end += 1
    if _BOUND.search(" ".join(lines[line - 1 : end])):
        return ""
    # What an end without a name ends, only a compiler knows.
    if any(_BARE_END.match(each) for each in lines):
        return ""
    scope = ""
    for each in lines[: line - 1]:
        if found := _SCOPE.match(each):
            scope = "" if found["end"] else found["kind"].lower()
    return scope
