"""What leaves open that a difference is the document's own: other sessions, and code that did not run.

A difference that only one slip explains is none of these: they make another value of it, or another form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.model import Chunk, Document
from harness.documents.surroundings import undefined_name
from harness.findings import cell_order
from harness.findings.apart import tokens_of, values_apart
from harness.findings.carried import changes_what_it_reads, statements
from harness.findings.causes import named
from harness.findings.failure_lines import from_failure
from harness.findings.judging_state import JudgingState, Key
from harness.findings.left_as_it_was import unchanged_by
from harness.findings.meant_to_fail import ends_itself
from harness.findings.names import names_in, set_by, upstream
from harness.findings.outputs import LIKE, kind_of, piece, produced, shows_error
from harness.findings.random_numbers import draw_in
from harness.findings.slices import read_through, statements_behind
from harness.findings.swapped import are_of_one_form, are_unlike
from harness.model.article import BlockVerdict

_SURE = 3
"""Outputs that are read so and reproduced, from which on another one is an output too."""
_MANY = 4
_TELL = 6
"""Values that show what the one is which they are computed from."""
_DIFFS = frozenset({"diff", "patch", "udiff"})
_DEFINED = re.compile(
    r"(?m)^[+ \t]*(?:async\s+)?(?:def|class|function|struct|macro)\s+([^\W\d]\w*)"
    r"|^\+[ \t]*([^\W\d]\w*)\s*=(?!=)"
)
_TURNS = re.compile(
    r"\b(\w+)\s*,\s*(\w+)\s*=\s*\2\s*,\s*\1\b|\b\w*(?:reverse|rotate|swap|sort|flip|shuffle)\w*!?\(|\[::-1\]"
)
_IMPORTS = re.compile(r"^[ \t]*(?:import\b|from\b|%pylab\b).*", re.MULTILINE)
_CALL = re.compile(r"[\w.!]+\(")
_CHANGES_IN_R = re.compile(
    r":=|<<-|\b(?:assign|set(?!\.seed)\w*|list2env|attach|detach|with_\w+|local|eval\w*|sys\.\w+)\(|\$\w+\("
    r"|^\s*[\w.]+\s*(?:\(|\[|\$)[^<]*<-|%<>%"
)
"""What of R's changes a value in its place: a function that is given one has its own."""
_ONLY_SHOWS = re.compile(
    r"\s*(?:(?:print(?:ln)?|display|type|len|repr|str|help|cat|show)\(|(?:sns|seaborn|plt|mpl|matplotlib|pylab)\.)"
)


def is_borne_out(state: JudgingState, key: Key) -> bool:
    """Whether outputs of which it is not certain that they are the code's are reproduced in a document.

    Parameters
    ----------
    state : JudgingState
        The document.
    key : Key
        An output that is not certain. Others are like it that are not certain for the same reason.
    """
    kind = state.chunks[key[0]].output[key[1]].info == "value"
    found = [
        like
        for other, verdict in state.verdicts.items()
        if not (block := state.chunks[other[0]].output[other[1]]).certain
        and (block.info == "value") is kind
        and ((like := verdict.kind in LIKE or has_its_words(state, other)) or not _is_nobodys(state, *other))
    ]
    right = sum(found)
    # A truth alone is no remark; beside a right one, it states what the code gives.
    enough = 1 if _is_a_truth_alone(state, key) else _SURE
    return right >= enough and len(found) - right <= max(1, right // _SURE)


def _is_a_truth_alone(state: JudgingState, key: Key) -> bool:
    """Whether one truth value is published, and nothing else, and the code prints one."""
    chunk = state.chunks[key[0]]
    printed = produced(chunk, state.runs.published.of(chunk), key[1])
    texts = (chunk.output[key[1]].text.lstrip("# "), printed.removeprefix("[1]"))
    return all(text.strip().lower() in ("true", "false") for text in texts)


def _is_nobodys(state: JudgingState, index: int, place: int) -> bool:
    """Whether an output is of code that fails here, or draws: it does not tell how it was read."""
    chunk = state.chunks[index]
    failed = state.runs.published.of(chunk).error is not None
    return failed or draw_in(piece(chunk, place), chunk.language) is not None


def has_its_words(state: JudgingState, key: Key) -> bool:
    """Whether an output has all the words that the code prints, in their places, and other values at most.

    Parameters
    ----------
    state : JudgingState
        The document.
    key : Key
        The output: three words that are the same in a row of values show that it is one of this code.
    """
    chunk = state.chunks[key[0]]
    shown, text = chunk.output[key[1]].text, produced(chunk, state.runs.published.of(chunk), key[1])
    apart = values_apart(shown, text)
    if apart is None or any(pair.what not in ("number", "truth") for pair in apart):
        return False
    return sum(kind == "word" and len(word) > 1 for kind, word in tokens_of(text)) >= _SURE


def is_in_one_place(verdict: BlockVerdict) -> bool:
    """Whether few of several numbers differ, as no other session makes them differ."""
    few = verdict.differing <= verdict.numbers // _MANY
    return verdict.first is not None and verdict.numbers >= _MANY and few


def not_numbered(document: Document, chunk: Chunk) -> str:
    """Say that the cells of a notebook have no numbers, where their order or a second run may matter."""
    if document.kind != "notebook" or any(part.execution_count is not None for part in document.chunks):
        return ""
    cone = upstream(document.chunks, chunk)
    again = [part for part in cone if changes_what_it_reads(part)]
    several = [
        name
        for part in cone
        for name in names_in(part.code, part.language).sets
        if len(set_by(document.chunks, name, chunk.language)) > 1
    ]
    return "the cells have no numbers: in which order they were run is not known" if again or several else ""


def may_be_turned_by_order(state: JudgingState, key: Key, other: Key) -> bool:
    """Whether two outputs may stand in each other's place because code was run in another order, or twice.

    Parameters
    ----------
    state : JudgingState
        The document.
    key, other : Key
        The two. In a text, a name that several listings set may have the value of any of them, so that what
        shows it may be a value of one kind that stands in the place of another.
    """
    chunk, document = state.chunks[key[0]], state.runs.document
    said = cell_order.numbered(document, chunk)
    if said.disordered or said.apart or not_numbered(document, chunk):
        return not is_exchanged_in_print(state, key, other)
    if document.kind != "markdown" or chunk.executable:
        return False
    shown, there = (state.chunks[index].output[place].text for index, place in (key, other))
    if not are_of_one_form(shown, there) or not _turns(state, key):
        return False
    uses = names_in(piece(chunk, key[1]), chunk.language).uses
    return any(_set_above(state, chunk, name) > 1 for name in uses)


def is_exchanged_in_print(state: JudgingState, key: Key, other: Key) -> bool:
    """Whether no session, in whatever order and of whatever values, prints two outputs in each other's place.

    Parameters
    ----------
    state : JudgingState
        The document.
    key, other : Key
        Two outputs of which each is what the other's code prints here.
    """
    one, there = ((state.chunks[index], place) for index, place in (key, other))
    if one[0].doubtful or there[0].doubtful:
        return False
    return are_unlike(one, there) and not _turns(state, key) and not _turns(state, other)


def _turns(state: JudgingState, key: Key) -> bool:
    """Whether code that an output depends on exchanges values, or changes the order of some."""
    chunk = state.chunks[key[0]]
    behind = statements_behind(upstream(state.chunks, chunk), piece(chunk, key[1]))
    return _TURNS.search(behind) is not None


def _set_above(state: JudgingState, chunk: Chunk, name: str) -> int:
    setters = [index for index in set_by(state.chunks, name, chunk.language) if index <= chunk.index]
    imports = re.compile(rf"(?m)^\s*(?:import|from|using)\b[^\n]*\b{re.escape(name)}\b")
    return sum(not imports.search(state.chunks[index].code) for index in setters)


def undone_above(state: JudgingState, chunk: Chunk, place: int) -> str:
    """Say which code above did not run, or not to its end, that may have changed what an output shows.

    Parameters
    ----------
    state : JudgingState
        The document.
    chunk, place : Chunk, int
        The output. A failure is looked for that the document does not show, and code that is shown in part or
        as a difference from what stands above it.
    """
    cone = upstream(state.chunks, chunk)
    text = statements_behind(cone, piece(chunk, place))
    # A call changes no module.
    modules = _imported(text, chunk.language)
    known = names_in(text, chunk.language).sets & read_through(
        text, piece(chunk, place), chunk.language, modules
    )
    for part, code in _undone(state, chunk):
        there = named(state.runs.document, part)
        for name in (first or second for first, second in _DEFINED.findall(code)):
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                return f"the code at {there}, which sets {name}, did not run"
        if part.language != chunk.language:
            continue
        lines = [line for _, _, line in statements(code, "python")] if part.language == "python" else None
        lines = code.split("\n") if lines is None else lines
        error = state.runs.published.of(part).error
        lost = re.escape(undefined_name(error)) if error is not None else ""
        # An operator is the call of a method; of a value that is missing it can be any.
        beside = re.compile(rf"[-+*/@|&] *{lost}\b|\b{lost} *[-+*/@|&]" if lost else r"(?!)")
        calls = [
            line
            for line in lines
            if (_CALL.search(line) or beside.search(line)) and not _ONLY_SHOWS.match(line)
        ]
        if part.language == "r":
            calls = [line for line in lines if _CHANGES_IN_R.search(line)]
        given = names_in("\n".join(line.strip() for line in calls), part.language).uses & known
        functions = {name for name in given if re.search(rf"(?<![\w.]){re.escape(name)}\(", code)}
        same = unchanged_by(code, part.language, error.message) if error is not None else frozenset()
        # What is set anew below it has its value from there.
        anew = {name for name in given if _first_to_set(cone, name) > part.index}
        for name in sorted(given - functions - same - anew):
            if _is_shown_below(state, part, name):
                continue
            return f"the code at {there}, which may change {name}, did not run to its end"
    return ""


def _is_shown_below(state: JudgingState, undone: Chunk, name: str) -> bool:
    """Whether many values that are computed from a name below code that did not run are as published."""
    for (index, place), verdict in state.verdicts.items():
        chunk = state.chunks[index]
        if index <= undone.index or chunk.language != undone.language or verdict.kind not in LIKE:
            continue
        if sum(kind in ("number", "quoted") for kind, _ in tokens_of(chunk.output[place].text)) < _TELL:
            continue
        cone = upstream(state.chunks, chunk)
        known = names_in(statements_behind(cone, piece(chunk, place)), chunk.language)
        if name in known.sets | known.uses and _first_to_set(cone, name) <= undone.index:
            return True
    return False


def _first_to_set(cone: Sequence[Chunk], name: str) -> int:
    return min((part.index for part in cone if name in names_in(part.code, part.language).sets), default=-1)


def _imported(code: str, language: str) -> frozenset[str]:
    lines = _IMPORTS.findall(code) if language == "python" else []
    return frozenset(name for line in lines for name in names_in(line.strip(), language).sets)


def _undone(state: JudgingState, chunk: Chunk) -> Iterator[tuple[Chunk, str]]:
    """Yield the chunks above one that were not run to their end, each with the code that is left."""
    for part in state.chunks[: chunk.index]:
        if part.language in _DIFFS:
            lines = [line for line in part.code.split("\n") if line.startswith("+")]
            yield part, "\n".join(lines)
            continue
        run = state.runs.published.of(part)
        if (
            part.language != chunk.language
            or run.error is None
            or shows_error(part)
            or ends_itself(part, run)
        ):
            continue
        if not any(kind_of(block) == "error" for block in part.output):
            yield part, from_failure(part, run)
