"""The statements that a printed value depends on: fewer than the chunks that they stand in."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from harness.documents.model import Chunk
from harness.findings.carried import statements
from harness.findings.names import names_in
from harness.findings.steady import BASE_NAMES

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
    kept = [shown]
    for code, _ in [(above, language), *reversed(codes[:-1])]:
        for sets, uses, text in reversed(statements(code, language)):
            changed = sets | names_in(text, language).sets
            if "*" in text and "import" in text:
                kept.append(text)
            elif changed & wanted:
                kept.append(text)
                wanted = (wanted - (changed - uses)) | uses
            elif _CALLS.match(text) and uses & wanted and not _only_reads(text, language):
                # A function may change what it is given.
                kept.append(text)
                wanted |= uses
    return "\n".join(reversed(kept))


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
