"""What is read of a source file: its functions, and the calls of them in its main program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from harness.errors import UsageError
from harness.model import Frozen

MAIN = ""
"""The name of the block that is the file's own top level."""


class Argument(Frozen, frozen=True, kw_only=True):
    """One argument of a function; an optional one has a default. ``keys`` are what is taken of it by name.

    One that begins with a dot is an attribute, which arrays have too. ``default`` is text, where it is known.
    """

    name: str
    optional: bool = False
    default: str = ""
    keys: tuple[str, ...] = ()


class Function(Frozen, frozen=True, kw_only=True):
    """A function at the top level of a file.

    ``returns`` names what it returns, ``""`` where that has no name; ``keyed`` says that it returns a
    dictionary, a list or a tuple with these names.
    """

    name: str
    line: int
    arguments: tuple[Argument, ...]
    returns: tuple[str, ...] = ("",)
    keyed: bool = False

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments without a default."""
        return tuple(argument.name for argument in self.arguments if not argument.optional)


class Passed(Frozen, frozen=True, kw_only=True):
    """What a call passes: a variable, an item of one, a number as text, or something else."""

    kind: Literal["name", "item", "number", "other"]
    text: str
    item: str = ""
    keyword: str = ""


class Call(Frozen, frozen=True, kw_only=True):
    """A call of one of the file's functions; ``targets`` are the variables that take what it returns."""

    function: str
    line: int
    targets: tuple[str, ...]
    passed: tuple[Passed, ...]


class Block(Frozen, frozen=True, kw_only=True):
    """The calls in a function's body, or at top level, outside of loops, in their order.

    ``only_calls``: there is nothing else in it. ``constants`` are its variables that hold what is written
    out, as text.
    """

    name: str
    calls: tuple[Call, ...]
    only_calls: bool = False
    constants: Mapping[str, str] = {}


class Source(Frozen, frozen=True, kw_only=True):
    """A source file.

    ``left_out`` are the lines, first and last, that a copy leaves out: what runs the program, not what it
    is made of. ``unread`` says why the file could not be read; it has no functions then. ``pairs`` has the
    functions that a person names, by those of the reference.
    """

    path: Path
    runtime: str
    text: str
    functions: tuple[Function, ...] = ()
    blocks: tuple[Block, ...] = ()
    inner: frozenset[str] = frozenset()
    left_out: tuple[tuple[int, int], ...] = ()
    unread: str = ""
    pairs: Mapping[str, str] = {}

    def function(self, name: str) -> Function | None:
        """The function that is paired with this name; else the one of the name, but for conventions."""
        if name in self.pairs:
            return next(each for each in self.functions if each.name == self.pairs[name])
        free = [each for each in self.functions if each.name not in self.pairs.values()]
        exact = next((function for function in free if function.name == name), None)
        alike = [function for function in free if plain(function.name) == plain(name)]
        return exact or (alike[0] if len(alike) == 1 else None)

    def block(self, name: str) -> Block | None:
        """The calls in a function's body, or at top level."""
        return next((block for block in self.blocks if block.name == name), None)


def unpaired(reference: Source, other: Source) -> str:
    """Say which functions of the reference another source lacks, and which of its own have no counterpart."""
    lacking = [
        each.name
        for each in reference.functions
        if other.function(each.name) is None and plain(each.name) != "main"
    ]
    if not lacking or other.unread:
        return ""
    paired = [other.function(each.name) for each in reference.functions]
    left = [each.name for each in other.functions if each not in paired]
    there = f"it has {', '.join(left)}, which {reference.path.name} has not" if left else "it has no other"
    return (
        f"{other.path.name} has no function {', '.join(lacking)}, in any spelling such as fooBar, foo_bar or"
        f" foo.bar; {there}{suggested(lacking, left)}"
    )


def suggested(lacking: Sequence[str], left: Sequence[str]) -> str:
    """Say how functions that a source lacks are paired with those that it has left: two by name, if alike."""
    alike = next(((name, own) for name in lacking for own in left if _is_alike(name, own)), None)
    if alike is not None:
        return f"; --pair {alike[0]}={alike[1]} would say that these two are one"
    return "; --pair NAME=FUNCTION would say which two are one" if left else ""


def _is_alike(name: str, other: str) -> bool:
    """Whether two names differ by convention only, or one is in the other; two letters say nothing."""
    short, long = sorted((plain(name), plain(other)), key=len)
    return short == long or (len(short) > 2 and short in long)


def with_pairs(reference: Source, others: Sequence[Source], pairs: Sequence[tuple[str, str]]) -> list[Source]:
    """The other sources, with the functions that a person pairs with those of the reference.

    Raises
    ------
    UsageError
        A pair names a function that is not there, or one twice.
    """
    of_file: list[dict[str, str]] = [{} for _ in others]
    for name, function in pairs:
        what = f"--pair {name}={function}"
        if reference.functions and all(each.name != name for each in reference.functions):
            have = ", ".join(each.name for each in reference.functions)
            raise UsageError(
                f"{what}: there is no function {name}", path=reference.path, advice=f"it has {have}"
            )
        there = [at for at, each in enumerate(others) if any(one.name == function for one in each.functions)]
        if not there:
            have = "; ".join(
                f"{each.path.name} has {', '.join(one.name for one in each.functions) or 'none'}"
                for each in others
            )
            raise UsageError(
                f"{what}: no other file has a function {function}", advice=have or "--from takes more"
            )
        for at in there:
            known = of_file[at]
            if name in known or function in known.values():
                raise UsageError(f"{what}: one of the two is in another pair already", path=others[at].path)
            known[name] = function
    return [msgspec.structs.replace(each, pairs=known) for each, known in zip(others, of_file, strict=True)]


def plain(name: str) -> str:
    """A name without what conventions differ in: betaHat, beta_hat and beta.hat are one."""
    return re.sub(r"[_.!]", "", name).lower()


def matching(name: str, names: Sequence[str]) -> str:
    """The one of ``names`` that is ``name``, or differs by convention only; ``""`` if there is none."""
    if name in names:
        return name
    alike = [each for each in names if plain(each) == plain(name)]
    return alike[0] if len(alike) == 1 else ""
