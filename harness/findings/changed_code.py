"""Code in which one number, sign or name was changed after its output was made: before, it printed that.

No version, package or machine prints to the last sign what the code prints with another number in it. Where
the code of an output, with one small change, gives what is published, the output is of that code, and not of
the one that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings import cell_order
from harness.findings.apart import tokens_of, values_apart
from harness.findings.causes import Cause
from harness.findings.closures import Closure, closure_of
from harness.findings.code_changes import Change, changes_of, likely_first, literals_of, seeds_of
from harness.findings.evidence import numbers_in
from harness.findings.firm_ground import rest_beside, unless_too_many
from harness.findings.judging_state import JudgingState, Key
from harness.findings.no_proof import not_numbered
from harness.findings.outputs import LIKE, piece, produced, verdicts
from harness.findings.proof import document_of, gives_what_the_whole_does
from harness.findings.runs import DocumentRuns
from harness.findings.versions import packages
from harness.findings.which_session import set_in_several
from harness.findings.written_through import is_written_through
from harness.model.article import Answer, BlockKind

_OPEN = (Answer.HERE, Answer.UNCHECKED)
_NEVER = ("its digits are cut", "it is written as a comment", "dots stand for", "only quotation marks")
"""How reasons begin by which what is published is what the code prints."""
_MOST = 3
"""Outputs of a document of which code is tried."""
_TRIED = 24
"""Changes that are tried of the code of one output, from its last line up."""
_LONGEST, _SECONDS = 20.0, 60.0
"""Seconds that the code of an output takes at most, and all its changes together."""
_CERTAIN = 12
"""Digits of numbers with four and more that no other seed gives."""
_HALF = 0.5
"""Of a document's other outputs, how many are reproduced at least."""
_SEVERAL, _ALONE = 3, 4
"""Outputs that are reproduced, and digits or letters of values, or of one alone, that no chance gives."""


def outdated(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs that their code prints as it was before one change, each with its accusation.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    """
    found, tried = [], 0
    causes: dict[Change, Cause] = {}
    for key, (answer, why) in answers.items():
        chunk = state.chunks[key[0]]
        if answer not in _OPEN or why.startswith(_NEVER) or not _may_be_outdated(state, key):
            continue
        if is_written_through(state.chunks, chunk, piece(chunk, key[1])):
            continue
        closure = closure_of(state.runs.published, chunk, key[1])
        if closure is None or closure.masked or state.unpinned.intersection(closure.lines):
            continue
        part = document_of(state, closure, key, sure=True)
        changes = list(_seeds(state, part, key))
        rest = rest_beside(state, answers, key)
        if not changes:
            little = rest.reproduced < _SEVERAL or rest.share() < _HALF
            if little or _may_be_of_another_session(state, chunk, closure):
                continue
            changes = list(_changes(state, part, key))
        # Packages are loaded once, whatever is tried behind.
        parts = (state.chunks[index] for index in closure.lines)
        seconds = sum(state.runs.seconds(one) for one in parts if not packages(one.code, one.language))
        most = min(_TRIED, int(_SECONDS / max(seconds, 1.0)))
        known = [change for change in causes if change in changes]
        changes = [*known, *(change for change in changes if change not in known)][:most]
        if not changes or seconds > _LONGEST:
            continue
        tried += not known
        if tried > _MOST:
            break
        change = _that_gives_it(state, part, changes, key)
        if change is not None:
            said = f"with {change.new} in place of {change.old} the code prints what is published"
            own = Cause(Answer.WRONG, state.chunks[change.index], change.line, said)
            found.append((key, causes.setdefault(change, own)))
    yield from unless_too_many(found, answers)


def _seeds(state: JudgingState, part: Document, key: Key) -> Iterator[Change]:
    """Yield other seeds, where the numbers that differ have so many digits that no two seeds give them."""
    chunk = state.chunks[key[0]]
    published, printed = chunk.output[key[1]].text, produced(chunk, state.runs.published.of(chunk), key[1])
    apart = [left for left, right in numbers_in(published, printed) if left != right]
    long = [digits for left in apart if len(digits := re.sub(r"\D|[eE].*", "", left).lstrip("0")) >= _ALONE]
    if len("".join(long)) < _CERTAIN:
        return
    for one in reversed(part.chunks):
        yield from seeds_of(one)


def _changes(state: JudgingState, part: Document, key: Key) -> Iterator[Change]:
    """Yield the changes of an output's own code, and of what is printed by it in all code that it needs."""
    chunk = state.chunks[key[0]]
    published, printed = chunk.output[key[1]].text, produced(chunk, state.runs.published.of(chunk), key[1])
    needed = [one for one in reversed(part.chunks) if one.code.strip()]
    literals = [change for one in needed for change in literals_of(one, published, printed)]
    own = likely_first(published, changes_of(part.chunks[key[0]]))
    yield from dict.fromkeys((*literals, *own))


def _may_be_outdated(state: JudgingState, key: Key) -> bool:
    """Whether an output differs, and enough for it to be told which code gives it.

    That it is the code's at all, the change shows that gives it; of a remark of one value it does not.
    """
    chunk = state.chunks[key[0]]
    block = chunk.output[key[1]]
    if state.verdicts[key].kind is not BlockKind.DIFFERS or block.example or chunk.doubtful:
        return False
    if (block.info == "value" and not block.certain) or set_in_several(
        state.runs.document, chunk, state.verdicts
    ):
        return False
    printed = produced(chunk, state.runs.published.of(chunk), key[1])
    return bool(printed.strip()) and tells(block.text, printed)


def tells(published: str, printed: str) -> bool:
    """Whether a published text differs in so much that no other change of the code gives it by chance.

    Parameters
    ----------
    published, printed : str
        The two texts. Where lines are left out in front or behind, nothing follows.
    """
    apart = values_apart(published, printed)
    if apart is not None:
        telling = [pair.published for pair in apart if pair.what != "truth"]
        signs = sum(len(re.sub(r"\W", "", text).strip("0")) for text in telling)
        return signs >= (_SEVERAL if len(telling) > 1 else _ALONE)
    left, right = ([text for _, text in tokens_of(text)] for text in (published, printed))
    if _is_whole(published) and _is_whole(printed):
        return len(re.sub(r"\W", "", published)) >= _SEVERAL
    if left in (right[: len(left)], right[len(right) - len(left) :]):
        return False
    return len(re.sub(r"\W", "", published)) >= _SEVERAL


def _is_whole(text: str) -> bool:
    """Whether a text is one value in brackets, of which no lines are left out."""
    return re.fullmatch(r"\s*[\w.]*[(\[{](?:(?!\.\.\.|…).)*[)\]}]\s*", text, re.DOTALL) is not None


def _may_be_of_another_session(state: JudgingState, chunk: Chunk, closure: Closure) -> bool:
    """Whether other cells, or the same ones run again, may have left other values to an output."""
    if set(closure.lines) == {chunk.index}:
        return False
    document = state.runs.document
    said = cell_order.numbered(document, chunk)
    if said.apart or said.lost or said.disordered or not_numbered(document, chunk):
        return True
    return bool(cell_order.may_have_run_again(document, chunk))


def _that_gives_it(state: JudgingState, part: Document, changes: Sequence[Change], key: Key) -> Change | None:
    """The first change with which the statements of an output, run alone, give what is published."""
    tried, shown = _one_after_another(part, changes, key)
    runs = state.runs.alone(tried)
    given = [
        change
        for change, chunk in zip(changes, shown, strict=True)
        if runs is not None and _gives_it(runs, chunk, key[1])
    ]
    if not given:
        return None
    # Alone the code has to give what the whole document gives, and with the change what is published.
    plain, changed = state.runs.alone(part), state.runs.alone(_with_change(part, given[0]))
    if plain is None or changed is None or not gives_what_the_whole_does(state, plain, key):
        return None
    return given[0] if _gives_it(changed, changed.document.chunks[key[0]], key[1]) else None


def _one_after_another(part: Document, changes: Sequence[Change], key: Key) -> tuple[Document, list[Chunk]]:
    """A document of the same statements again and again, each time with a change, and the chunks with it."""
    chunks: list[Chunk] = []
    shown = []
    for change in changes:
        for chunk in _with_change(part, change).chunks[: key[0] + 1]:
            if chunk.code.strip():
                chunks.append(msgspec.structs.replace(chunk, index=len(chunks), label=""))
        shown.append(chunks[-1])
    return msgspec.structs.replace(part, chunks=tuple(chunks)), shown


def _with_change(part: Document, change: Change) -> Document:
    index = change.index
    lines = part.chunks[index].code.split("\n")
    line = lines[change.line - 1]
    lines[change.line - 1] = line[: change.start] + change.new + line[change.start + len(change.old) :]
    chunks = list(part.chunks)
    chunks[index] = msgspec.structs.replace(chunks[index], code="\n".join(lines))
    return msgspec.structs.replace(part, chunks=tuple(chunks))


def _gives_it(runs: DocumentRuns, chunk: Chunk, place: int) -> bool:
    return verdicts(chunk, runs.published.of(chunk))[place].kind in LIKE
