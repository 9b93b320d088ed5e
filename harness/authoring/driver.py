"""The block of a source file whose calls are its program."""

from __future__ import annotations

from collections.abc import Mapping

from harness.authoring.literals import literal, names_a_file
from harness.authoring.sources import MAIN, Block, Call, Function, Passed, Source, plain
from harness.model import Frozen

_PATHS = frozenset({"path", "file", "filename", "file_name", "fname", "args", "argv"})
"""Names of variables that hold no arrays."""


class Driver(Frozen, frozen=True, kw_only=True):
    """A block of calls; names in it that are no arrays, such as a path; and those of what is written out."""

    block: Block
    no_arrays: frozenset[str]
    written: Mapping[str, str]


def is_value(text: str) -> bool:
    """Whether an expression is a number, a text or a list of these, and no path."""
    return literal(text) is not None and not (text[:1] in ("'", '"') and names_a_file(text))


def drivers(source: Source) -> list[Driver]:
    """The blocks whose calls may be the program, outermost first.

    The first is top level, `main`, or a function that does nothing but call; each other is the function that
    is all that the one before it calls.
    """
    block = source.block(MAIN)
    if block is None or not block.calls:
        block = next((each for each in source.blocks if plain(each.name) == "main" and each.calls), None)
    if block is None:
        alone = [each for each in source.blocks if each.only_calls and len(each.calls) > 1]
        alone = [each for each in alone if each.name not in source.inner]
        block = alone[0] if len(alone) == 1 else None
    if block is None:
        return []
    own = source.function(block.name) if block.name else None
    outer = _defaults(own) if own is not None and plain(block.name) == "main" else {}
    unknown = {each.name for each in own.arguments} - set(outer) if own is not None and outer else set()
    found = [Driver(block=block, no_arrays=_PATHS | unknown, written={**outer, **_values(block)})]
    while len({call.function for call in found[-1].block.calls}) == 1:
        call = found[-1].block.calls[0]
        inner, takes = source.block(call.function), source.function(call.function)
        if inner is None or not inner.calls or takes is None or any(inner is each.block for each in found):
            break
        # What takes arrays, and does more than call others, is a stage itself.
        is_program = plain(call.function) == "main" or any(_is_read(each) for each in call.passed)
        if takes.required and not inner.only_calls and not is_program:
            break
        found.append(_inside(found[-1], call, takes, inner))
    return found


def _inside(outer: Driver, call: Call, takes: Function, inner: Block) -> Driver:
    """The block of a function that is called; what its arguments are there."""
    passed = {
        each.keyword or argument.name: each
        for argument, each in zip(takes.arguments, call.passed, strict=False)
    }
    written = {name: text for name, text in _defaults(takes).items() if name not in passed}
    for name, each in passed.items():
        text = outer.written.get(each.text, "") if each.kind == "name" else each.text
        if each.kind != "item" and text and is_value(text):
            written[name] = text
    arrays = {name for name, each in passed.items() if each.kind != "other"} | set(written)
    gone = {argument.name for argument in takes.arguments} - arrays
    return Driver(block=inner, no_arrays=outer.no_arrays | gone, written={**written, **_values(inner)})


def _is_read(passed: Passed) -> bool:
    """Whether an argument is computed, as by reading a file, and not written out."""
    return passed.kind == "other" and not is_value(passed.text)


def _defaults(function: Function) -> dict[str, str]:
    return {each.name: each.default for each in function.arguments if each.default and is_value(each.default)}


def _values(block: Block) -> dict[str, str]:
    return {name: text for name, text in block.constants.items() if is_value(text)}
