"""Whether what a statement shows was computed from something that passes, or is the machine's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from functools import lru_cache

from harness.documents.model import Chunk
from harness.findings.frame_columns import FrameColumns
from harness.findings.names import names_in
from harness.findings.parts import parts_of, text_of
from harness.findings.random_numbers import (
    clock_given_by,
    definitions,
    draw_here,
    generator_in,
    place_in,
    without_negations,
)
from harness.sessions.statements import python_statements

_ASSIGNED = re.compile(
    r"\s*(?:const\s+|global\s+)?([^\W\d][\w.]*(?:\s*,\s*[^\W\d][\w.]*)*)\s*(?:<<?-|(?<![=!<>])=(?!=))\s*(.*)"
)
_TAKES = re.compile(
    r"\bnext\(\s*(\w+)|\b(?!(?:np|numpy)\.)(\w+)\.(?:pop|popitem|append|extend|insert|remove|add|update|shuffle)\("
    r"|\b(?:append|push|pop|insert)\w*!\(\s*(\w+)"
)
_ELEMENT = re.compile(r"\s*([^\W\d]\w*)(?:\[.*\]|\.[^\W\d]\w*)\s*(?:[-+*/.^%|&]|//|\*\*)*=(?!=)", re.DOTALL)
"""What sets an element or a field."""
_MAGIC = re.compile(r"^(?P<indent>[ \t]*)(?:%(?!%)|!)[^\n]*$", re.MULTILINE)
_IS_THERE = re.compile(
    r"(?m)^if (?:not )?(?:os\.path\.(?:exists|isfile)\([^()\n]*\)|\w+\.(?:exists|is_file)\(\)):"
    r"(?P<opens>\n[ \t]+\w+ = (?:open|pd\.read_\w+|np\.\w*load\w*)\([^\n]*\n(?:else:|\S*[ \t]*$))"
)
"""Where a file is read if there is one."""
_NAME = re.compile(r"[^\W\d][\w.]*")

Reads = Callable[[str], int | None]


def of_the_clock(cone: Sequence[Chunk], shown: str) -> bool:
    """Whether code shows a value that was computed from the time or the date.

    Parameters
    ----------
    cone : sequence of Chunk
        A chunk after those that it depends on.
    shown : str
        The part of its code that an output is of.
    """
    return _carries(tuple((part.code, part.language) for part in cone), shown, clock_given_by)


def of_the_place(cone: Sequence[Chunk], shown: str) -> bool:
    """Whether code shows a value that was computed from the machine, its files or its time zone.

    Where Python takes data from a file if there is one, and else from elsewhere, they are a file's.
    """
    parts = tuple((without_negations(part.code, part.language), part.language) for part in cone)
    shown = without_negations(shown, cone[-1].language) if cone else shown
    return _carries(parts, shown, _place_taken)


def _place_taken(text: str) -> int | None:
    return place_in(_IS_THERE.sub(r"\g<opens>", text))


def of_a_generator(cone: Sequence[Chunk], shown: str) -> bool:
    """Whether code shows a value that an object of NumPy's, Python's or PyTorch's generators had drawn."""
    return _carries(tuple((part.code, part.language) for part in cone), shown, generator_in)


def changes_what_it_reads(chunk: Chunk) -> bool:
    """Whether code run once more gives something else: it counts on, appends, takes out or draws."""
    names = names_in(chunk.code, chunk.language)
    # What the code makes itself begins anew with it.
    brought = names.uses - names.defines
    found = statements(chunk.code, chunk.language)
    counted = {name for sets, uses, _ in found for name in sets & uses}
    taken = {name for group in _TAKES.findall(chunk.code) for name in group}
    if (counted | taken) & brought or draw_here(chunk.code, chunk.language) is not None:
        return True
    return chunk.language != "r" and _sets_elements_of(brought, found)


def _sets_elements_of(brought: Set[str], found: Sequence[tuple[set[str], set[str], str]]) -> bool:
    """Whether an element is set of what may be a view, or another name, of a value from elsewhere."""
    shared = set(brought)
    for sets, uses, text in found:
        if (element := _ELEMENT.match(text)) and element[1] in shared:
            return True
        if uses & shared:
            shared |= sets
    return False


@lru_cache(maxsize=4096)
def _carries(codes: tuple[tuple[str, str], ...], shown: str, reads: Reads) -> bool:
    if not any(reads(code) is not None for code, _ in codes):
        return False
    carriers: set[str] = set()
    frames = FrameColumns()

    def brings(text: str) -> bool:
        return reads(text) is not None or bool(_names(text) & carriers)

    for code, language in codes:
        for sets, uses, text in statements(code, language):
            if reads(text) is not None or uses & carriers or frames.reaches(text):
                if language != "r" or not frames.takes(text, brings):
                    carriers |= sets
            else:
                carriers -= sets
                frames.forget(sets, text)
    return brings(shown) or frames.reaches(shown)


def statements(code: str, language: str) -> list[tuple[set[str], set[str], str]]:
    """Return the names that each statement sets and uses, and its text.

    Parameters
    ----------
    code, language : str
        The code of a chunk, or a part of it. Code of R and Julia that no grammar reads is taken line by line.
    """
    lines = code.split("\n")
    if language == "python":
        found = [
            (set(s.sets), set(s.reads | s.inner), "\n".join(lines[s.line - 1 : s.end_line]))
            for s in python_statements(0, without_magics(code))
        ]
        if found:
            return found
    parts = parts_of(code, language)
    if parts is not None:
        # What is set in part, or perhaps, keeps what it was.
        return [
            (
                set(part.sets),
                set(part.reads | part.inner | (part.sets - part.whole - part.defines)),
                text_of(code, part),
            )
            for part in parts
        ]
    found = []
    last = 0
    for name, first, end in definitions(code, language):
        found += _lines(lines[last : first - 1])
        text = "\n".join(lines[first - 1 : end])
        found.append(({name}, _names(text), text))
        last = end
    return found + _lines(lines[last:])


def without_magics(code: str) -> str:
    """Return code of a notebook with nothing in the place of its lines for IPython and the shell."""
    return _MAGIC.sub(r"\g<indent>pass", code)


def _names(text: str) -> set[str]:
    """The names of a text; of those with points, which R allows, the first part too."""
    found = set(_NAME.findall(text))
    return found | {name.partition(".")[0] for name in found}


def _lines(lines: Sequence[str]) -> list[tuple[set[str], set[str], str]]:
    found = []
    for line in lines:
        match = _ASSIGNED.match(line)
        sets = set(_NAME.findall(match[1])) if match is not None else set()
        found.append((sets, _names(match[2] if match is not None else line), line))
    return found
