"""The statements that a printed value depends on: fewer than the chunks that they stand in."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from harness.documents.model import Chunk
from harness.findings.carried import statements
from harness.findings.names import names_in
from harness.findings.steady import BASE_NAMES

_Part = tuple[Set[str], Set[str], str]
"""What a statement sets and uses, and its text."""
_CALLS = re.compile(r"\s*(?!(?:print|display|len|cat|println|head|str|type)\b)[^\W\d][\w.]*!?\(")
_CALLED = re.compile(r"(?<![\w.$@])([A-Za-z.][\w.]*)\(")
_CHANGES_IN_R = re.compile(
    r"<<-|->>|\b(?:assign|eval|parse|list2env|setattr|source|library|require)\(|%<>%|:="
)
"""What of R's own sets a value elsewhere, or attaches what may."""


def statements_behind(cone: Sequence[Chunk], shown: str) -> str:
    """Return the code that a value is computed by, the statement that shows it last.

    Parameters
    ----------
    cone : sequence of Chunk
        A chunk after those that it depends on.
    shown : str
        The part of its code that an output is of.
    """
    return _behind(tuple((part.code, part.language) for part in cone), shown)


@lru_cache(maxsize=4096)
def _behind(codes: tuple[tuple[str, str], ...], shown: str) -> str:
    language = codes[-1][1]
    # What stands below it in its own chunk cannot change what it shows.
    last = codes[-1][0]
    above = last[: max(0, last.find(shown))]
    wanted = set(names_in(shown, language).uses | names_in(shown, language).reads)
    parts = [
        part
        for code, _ in [(above, language), *reversed(codes[:-1])]
        for part in reversed(statements(code, language))
    ]
    kept = set[int]()
    for at, (sets, uses, text) in enumerate(parts):
        changed = sets | names_in(text, language).sets
        if "*" in text and "import" in text:
            kept.add(at)
        elif changed & wanted:
            kept.add(at)
            wanted = (wanted - (changed - uses)) | uses
        elif _CALLS.match(text) and uses & wanted and not _only_reads(text, language):
            # A function may change what it is given.
            kept.add(at)
            wanted |= uses
    if language == "julia":
        kept |= _methods_called(parts, kept, names_in(shown, language).uses)
    return "\n".join([*(parts[at][2] for at in sorted(kept, reverse=True)), shown])


def _methods_called(parts: Sequence[_Part], kept: Set[int], shown: Set[str]) -> set[int]:
    """The definitions that those of Julia find when they are called: below them too, all of one name."""
    defines = [names_in(text, "julia").defines for _, _, text in parts]
    found = set(kept)
    while True:
        called = set(shown).union(*(parts[at][1] | defines[at] for at in found if defines[at]))
        more = {at for at, names in enumerate(defines) if names & called} - found
        if not more:
            return found
        found |= more


def read_through(code: str, shown: str, language: str, modules: Set[str]) -> frozenset[str]:
    """Return the names that a value is computed from, through what is set or handed on, and not by modules.

    Parameters
    ----------
    code, shown, language : str
        The statements that the value is computed by, the last of them, and their language.
    modules : set of str
        Names of modules: two calls of functions of one share no value.
    """
    wanted = set(names_in(shown, language).uses | names_in(shown, language).reads) - modules
    for sets, uses, text in reversed(statements(code, language)):
        given = (sets | names_in(text, language).sets | (uses if _CALLS.match(text) else set())) - modules
        if given & wanted:
            wanted |= uses - modules
    return frozenset(wanted)


def _only_reads(text: str, language: str) -> bool:
    """Whether a statement calls nothing but functions of R's own, which get copies of what they are given."""
    own = language == "r" and set(_CALLED.findall(text)) <= BASE_NAMES["r"]
    return own and _CHANGES_IN_R.search(text) is None
