"""Code in which one number, sign or name was changed after its output was made: before, it printed that.

No version, package or machine prints to the last sign what the code prints with another number in it. Where
the code of an output, with one small change, gives what is published, the output is of that code, and not of
the one that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from harness.documents.model import Chunk, Document
from harness.findings import cell_order
from harness.findings.apart import tokens_of, values_apart
from harness.findings.causes import Cause
from harness.findings.changed_seeds import other_seeds
from harness.findings.closures import Closure, closure_of
from harness.findings.code_changes import (
    Change,
    changes_of,
    far_changes_of,
    likely_first,
    literals_of,
)
from harness.findings.doubts import difference_at, doubt
from harness.findings.firm_ground import rest_beside
from harness.findings.judging_state import JudgingState, Key
from harness.findings.no_proof import not_numbered
from harness.findings.open_orders import only_the_order
from harness.findings.outputs import LIKE, piece, produced, verdicts
from harness.findings.proof import document_of, gives_what_the_whole_does
from harness.findings.random_numbers import draw_in
from harness.findings.reasons import Proof
from harness.findings.runs import DocumentRuns
from harness.findings.telling import is_of_mixed_kinds, says_much, signs_of, tells
from harness.findings.too_many import unless_too_many
from harness.findings.versions import packages
from harness.findings.which_session import set_in_several
from harness.findings.written_through import is_written_through
from harness.model.article import Answer, BlockKind

_OPEN = (Answer.HERE, Answer.UNCHECKED)
_NEVER = ("its digits are cut", "it is written as a comment", "dots stand for", "only quotation marks")
"""How reasons begin by which what is published is what the code prints."""
_MOST = 3
"""Outputs of a document of which code is tried."""
_TRIED = 80
"""Changes that are tried of the code of one output, from its last line up."""
_LONGEST, _SECONDS = 20.0, 60.0
"""Seconds that the code of an output takes at most, and all its changes together."""
_CERTAIN = 12
"""Digits of numbers with four and more that no other seed gives."""
_HALF = 0.5
"""Of a document's other outputs, how many are reproduced at least."""
_MANY = 12
"""Letters and digits of several outputs that one change gives by no chance, whatever the rest is like."""
_SEVERAL, _ALONE = 3, 4
"""Outputs that are reproduced, and digits or letters of values, or of one alone, that no chance gives."""


class _Output(msgspec.Struct, frozen=True):
    """An output that differs, with the statements that it needs, as a document and by their lines."""

    key: Key
    part: Document
    closure: Closure
    signs: int
    seeds: tuple[Change, ...]
    drawn: bool

    def needs(self, change: Change) -> bool:
        """Whether it is computed by the line that a change is in."""
        return change.line in self.closure.lines.get(change.index, ())


def outdated(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs that their code prints as it was before one change, each with its accusation.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output. Outputs of which none tells enough by itself are told together.
    """
    found, tried = [], 0
    causes: dict[Change, Cause] = {}
    others: list[_Output] = []
    unborne: list[_Output] = []
    differing = [key for key in answers if state.verdicts[key].kind is BlockKind.DIFFERS]
    # What has the form of what is printed, and other values, another version seldom gives.
    for key in sorted(differing, key=lambda key: values_apart(*_texts(state, key)) is None):
        answer, why = answers[key]
        if answer not in (*_OPEN, Answer.WRONG) or why.startswith(_NEVER):
            continue
        output = _may_be_outdated(state, key)
        if output is None or doubt(difference_at(state, key), Proof.TOGETHER):
            continue
        alone = not doubt(difference_at(state, key), _proof_of(*_texts(state, key), output.closure.text))
        if output.drawn and not output.seeds:
            others.append(output)
            continue
        changes = list(output.seeds)
        rest = rest_beside(state, answers, key)
        borne = rest.reproduced >= _SEVERAL and rest.share() >= _HALF
        if not (changes or borne):
            unborne.append(output)
            continue
        if borne and not output.drawn:
            changes += _likely(state, output)
        known = [change for change in causes if output.needs(change)]
        changes = [*known, *(change for change in changes if change not in known)][
            : _most(state, output.closure)
        ]
        if answer is Answer.WRONG or not changes or not alone:
            others.append(output)
            continue
        tried += not known
        if tried > _MOST:
            break
        change = _that_gives_it(state, output, changes)
        if change is not None and _leaves_the_rest(state, answers, change):
            found.append((key, causes.setdefault(change, _blamed(state, change))))
        elif not known:
            others.append(output)
    fixed = [output for output in others if not output.drawn]
    told = causes or dict(_of_several(state, answers, fixed, _ALONE))
    told = told or dict(_of_several(state, answers, [*fixed, *unborne], _MANY))
    for change, cause in told.items():
        needing = (one for one in (*others, *unborne) if one.needs(change))
        found += [(one.key, cause) for one in needing if _is_proven(state, one, change)]
    yield from unless_too_many(state, found, answers)


def _proof_of(published: str, printed: str, code: str) -> Proof:
    """What a change proves that gives an output: less, where an open order may pick what is published."""
    values, before = (
        [text for kind, text in tokens_of(part) if kind != "other"] for part in (published, printed)
    )
    few = len(values) <= _SEVERAL
    new = [value.strip("'\"") for value in values if value not in before]
    return Proof.PICKED if few and all(value in code for value in new) else Proof.OUTDATED


def _of_several(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], outputs: Sequence[_Output], least: int
) -> Iterator[tuple[Change, Cause]]:
    """Yield the change that gives all outputs which need its line, where they tell enough together.

    That it gives several outputs shows that they were read rightly, whatever became of others.
    """
    for first in outputs[:_MOST]:
        tried = list(_changes(state, first.part, first.key))[: _most(state, first.closure)]
        akin = [change for change in tried if sum(one.signs for one in outputs if one.needs(change)) >= least]
        akin = [change for change in akin if sum(one.needs(change) for one in outputs) > 1]
        for change in _giving(state, first, akin):
            if all(_is_proven(state, one, change) for one in outputs if one.needs(change)):
                if _leaves_the_rest(state, answers, change):
                    yield change, _blamed(state, change)
                return


def _blamed(state: JudgingState, change: Change) -> Cause:
    said = f"with {change.new} in place of {change.old} the code prints what is published"
    return Cause(Answer.WRONG, state.chunks[change.index], change.line, said)


def _likely(state: JudgingState, output: _Output) -> list[Change]:
    """The changes of which each gives an output by no chance."""
    changes = list(_changes(state, output.part, output.key))
    # No other session changes what an output repeats of its own cell.
    own = _may_be_of_another_session(state, state.chunks[output.key[0]], output.closure)
    if own or not tells(*_texts(state, output.key)):
        changes = [
            change for change in changes if _is_repeated(state, output.part, output.key, change, own=own)
        ]
    return changes


def _most(state: JudgingState, closure: Closure) -> int:
    """How many changes of some code may be tried."""
    # Packages are loaded once, whatever is tried behind.
    parts = (state.chunks[index] for index in closure.lines)
    seconds = sum(state.runs.seconds(one) for one in parts if not packages(one.code, one.language))
    return 0 if seconds > _LONGEST else min(_TRIED, int(_SECONDS / max(seconds, 1.0)))


def _changes(state: JudgingState, part: Document, key: Key) -> Iterator[Change]:
    """Yield the changes of all code that an output needs: first of what it repeats, the nearest first."""
    needed = [one for one in reversed(part.chunks) if one.code.strip()]
    literals = [change for one in needed for change in _literals(state, part, key, one.index)]
    code = "\n".join(one.code for one in needed)
    others = [change for one in needed for change in changes_of(one, code)]
    published, printed = _texts(state, key)
    far = (
        [change for one in needed for change in far_changes_of(one)] if says_much(published, printed) else []
    )
    yield from dict.fromkeys((*literals, *likely_first(published, others), *far))


def _literals(state: JudgingState, part: Document, key: Key, index: int) -> Sequence[Change]:
    """The changes of what one chunk says and an output repeats."""
    return list(literals_of(part.chunks[index], *_texts(state, key)))


def _texts(state: JudgingState, key: Key) -> tuple[str, str]:
    """An output as it is published, and as it is printed."""
    chunk = state.chunks[key[0]]
    return chunk.output[key[1]].text, produced(chunk, state.runs.published.of(chunk), key[1])


def _is_repeated(state: JudgingState, part: Document, key: Key, change: Change, *, own: bool) -> bool:
    """Whether a change is of a value that an output repeats, with all else of it the same."""
    if not _is_one_value(*_texts(state, key)) or (own and change.index != key[0]):
        return False
    return change in _literals(state, part, key, change.index)


def _is_one_value(published: str, printed: str) -> bool:
    """Whether one value differs of a text that has several words and values beside it."""
    beside = sum(kind != "other" for kind, _ in tokens_of(printed)) - 1
    return len(values_apart(published, printed) or ()) == 1 and beside >= _SEVERAL


def _may_be_outdated(state: JudgingState, key: Key) -> _Output | None:
    """Return an output that differs with the code that it needs, where that is all that it depends on.

    That it is the code's at all, the change shows that gives it; of a remark of one value it does not.
    """
    chunk = state.chunks[key[0]]
    block = chunk.output[key[1]]
    if (
        block.example
        or chunk.doubtful
        or (block.info == "value" and not block.certain)
        or set_in_several(state.runs.document, chunk, state.verdicts, piece(chunk, key[1]))
    ):
        return None
    published, printed = _texts(state, key)
    if not printed.strip() or is_written_through(state.chunks, chunk, piece(chunk, key[1])):
        return None
    closure = closure_of(state.runs.published, chunk, key[1])
    if (
        closure is None
        or state.unpinned.intersection(closure.lines)
        or is_of_mixed_kinds(published, printed, closure.text)
    ):
        return None
    signs = signs_of(published, printed)
    part = document_of(state, closure, key, sure=True)
    others = tuple(other_seeds(part, published, printed, state.chunks))
    # Few draws are the same by chance, and where a locale orders otherwise, so does the other way round.
    drawn = draw_in(closure.text, chunk.language) is not None and signs < _CERTAIN
    if only_the_order(published, printed, closure.text, chunk.language):
        return None
    return _Output(key, part, closure, signs, others, drawn)


def _may_be_of_another_session(state: JudgingState, chunk: Chunk, closure: Closure) -> bool:
    """Whether other cells, or the same ones run again, may have left other values to an output."""
    if set(closure.lines) == {chunk.index}:
        return False
    document = state.runs.document
    said = cell_order.numbered(document, chunk)
    if said.apart or said.lost or said.disordered or not_numbered(document, chunk):
        return True
    return bool(cell_order.may_have_run_again(document, chunk))


def _that_gives_it(state: JudgingState, output: _Output, changes: Sequence[Change]) -> Change | None:
    """The first change with which the statements of an output, run alone, give what is published."""
    given = _giving(state, output, changes)
    return given[0] if given and _is_proven(state, output, given[0]) else None


def _giving(state: JudgingState, output: _Output, changes: Sequence[Change]) -> list[Change]:
    """The changes that give an output where they are tried one after the other in a session."""
    if not changes:
        return []
    tried, shown = _one_after_another(output.part, changes, output.key)
    runs = state.runs.alone(tried)
    pairs = zip(changes, shown, strict=True)
    return [change for change, chunk in pairs if runs is not None and _gives_it(runs, chunk, output.key[1])]


def _is_proven(state: JudgingState, output: _Output, change: Change) -> bool:
    """Whether code alone gives what the whole document gives, and with a change what is published."""
    part, key = output.part, output.key
    plain, changed = state.runs.alone(part), state.runs.alone(_with_change(part, change))
    if plain is None or changed is None or not gives_what_the_whole_does(state, plain, key):
        return False
    return _gives_it(changed, changed.document.chunks[key[0]], key[1])


def _leaves_the_rest(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], change: Change) -> bool:
    """Whether outputs that are reproduced, and need the line of a change, are so with it too."""
    tried = 0
    for (index, place), (answer, _) in answers.items():
        if answer is not Answer.REPRODUCED or index < change.index or tried >= _MOST:
            continue
        chunk = state.chunks[index]
        closure = (
            closure_of(state.runs.published, chunk, place)
            if chunk.language == state.chunks[change.index].language
            else None
        )
        if closure is None or change.line not in closure.lines.get(change.index, ()):
            continue
        tried += 1
        part = document_of(state, closure, (index, place), sure=True)
        runs = state.runs.alone(_with_change(part, change))
        if runs is None:
            return False
        if not _gives_it(runs, runs.document.chunks[index], place):
            # What its statements do not give as they are says nothing of a change of them.
            as_it_is = state.runs.alone(part)
            if as_it_is is None or _gives_it(as_it_is, as_it_is.document.chunks[index], place):
                return False
    return True


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
