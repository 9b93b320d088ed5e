"""What decides an accusation that was held back: the statements that an output needs, run alone.

A package that is missing, code that failed, a draw or a file elsewhere in a document is no reason for a value
that does not need it. The statements that it does need are a document of their own: where they alone give
twice what the whole document gives, all doubts are asked of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from harness.documents.crossing import values_cross
from harness.documents.model import Chunk, Document
from harness.documents.of_python_2 import OF_PYTHON_2
from harness.documents.shared_variables import variables_cross
from harness.findings.causes import Cause
from harness.findings.closures import Closure, closure_of, located_in
from harness.findings.doubts import ONLY_A_PART
from harness.findings.evidence import numbers_in, slipped_for_certain
from harness.findings.firm_ground import is_in_one_place, lacks_ground_alone, rest_beside
from harness.findings.in_full import printed_in_full
from harness.findings.judging_context import Context
from harness.findings.judging_state import JudgingState, Key
from harness.findings.left_out import may_be_lost
from harness.findings.many_draws import is_same_in_all_draws
from harness.findings.names import names_in
from harness.findings.no_proof import has_its_words, is_borne_out, undone_above
from harness.findings.one_place import is_one_of_many
from harness.findings.outputs import differs, piece, produced, verdicts
from harness.findings.random_numbers import seeds
from harness.findings.runs import DocumentRuns
from harness.findings.same_elsewhere import no_version_differs
from harness.findings.shared_data import by_data
from harness.findings.too_many import unless_too_many
from harness.findings.which_session import set_in_several
from harness.findings.written_through import is_written_through
from harness.model.article import Answer, BlockKind

Alone = Callable[[DocumentRuns, Context, Key], Cause | None]
"""Judges one output of a document, and returns what it is accused of."""
_MOST = 8
"""Outputs of a document that are run alone."""
_SECONDS = 30.0
_QUICK = 5.0
"""Seconds of a document that is run again to learn which of its outputs are drawn."""
_SEVERAL = 3
"""Right outputs that show that a name has the value which the author had."""
_OPEN = (Answer.HERE, Answer.UNCHECKED, Answer.NOBODY)
_NEVER = ("only quotation", "it is written as a comment", "dots stand for", "two fresh runs")
"""How reasons begin that no run of a part of the document takes away."""


def proven(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], alone: Alone
) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs that are wrong by what their statements give alone, each with its accusation.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    alone : callable
        Judges a document that consists of the statements of one output.
    """
    if values_cross(state.runs.document) or variables_cross(state.runs.document):
        return
    spent, tried = 0.0, 0
    found: list[tuple[Key, Cause, Closure]] = []
    untouched: dict[str, frozenset[str]] = {}
    for key in candidates(state, answers, _OPEN):
        chunk = state.chunks[key[0]]
        same = no_version_differs(state, answers, key)
        if not same and lacks_ground_alone(state, key, rest_beside(state, answers, key)):
            continue
        if chunk.language not in untouched:
            untouched[chunk.language] = _untouched(state, answers, chunk.language)
        closure = closure_of(state.runs.published, chunk, key[1], untouched[chunk.language])
        if closure is None:
            continue
        # A function of Python's may change what it is given; of others, names say so.
        if chunk.language == "python" and undone_above(state, chunk, key[1]):
            continue
        if closure.masked and not is_in_one_place(state, key) and not same:
            continue
        part = document_of(state, closure, key, sure=same)
        presumed = _Presumed(state.runs, part)
        context = msgspec.structs.replace(state.context, same_elsewhere=same)
        if alone(presumed, context, key) is None:
            # Of what is drawn, only what differs in one place may be the same in all draws.
            context = msgspec.structs.replace(context, same_in_all_draws=same)
            if not same or seeds(closure.text, chunk.language) or alone(presumed, context, key) is None:
                continue
        if _is_drawn_anew(state, key, answers[key][0]):
            continue
        tried += 1
        if tried > _MOST or spent > _SECONDS + state.runs.published.seconds:
            break
        runs = state.runs.alone(part)
        if runs is None:
            return
        gives_it = gives_what_the_whole_does(state, runs, key, ("published",))
        spent += runs.published.seconds
        # Whether it is accused is asked before further runs are made that only an accusation needs.
        accused = alone(runs, context, key) if gives_it else None
        spent += 2 * runs.published.seconds if gives_it else 0.0
        if accused is None or not gives_what_the_whole_does(state, runs, key):
            continue
        if not context.same_in_all_draws or is_same_in_all_draws(runs, key):
            found.append((key, _cause(state, key, accused, closure), closure))
    yield from unless_too_many(state, list(by_data(state, answers, found)), answers)


def _is_drawn_anew(state: JudgingState, key: Key, answer: Answer) -> bool:
    """Whether two runs of the whole document print something else, so that no part gives what both do."""
    runs = state.runs
    # One run tells it of all outputs that are drawn; of code that takes long, it costs more than a part's.
    known = runs.has_run_again or (answer is Answer.NOBODY and runs.published.seconds < _QUICK)
    return known and differs(runs.published, runs.again, state.chunks[key[0]], key[1])


def _untouched(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], language: str
) -> frozenset[str]:
    """Names that nothing sets which ran, such as data of the language, and that several outputs bear out."""
    shown: Counter[str] = Counter()
    for (index, place), (answer, _) in answers.items():
        chunk = state.chunks[index]
        if answer is Answer.REPRODUCED and chunk.language == language:
            shown.update(names_in(piece(chunk, place), language).uses)
    parts = (part for part in state.chunks if part.language == language)
    located = (one for part in parts for one in located_in(part, state.runs.published.of(part)) or ())
    changed = {name for one in located if not one.undone for name in one.part.sets | one.part.defines}
    return frozenset(name for name, count in shown.items() if count >= _SEVERAL) - changed


class _Presumed(DocumentRuns):
    """Runs of a part of a document, as they are if it gives what the whole document gives: none is made."""

    def __init__(self, whole: DocumentRuns, document: Document) -> None:
        super().__init__(document, registry=whole.registry, sandbox=whole.sandbox, plan=whole.plan)
        chunks = []
        for run in whole.published.chunks:
            code = document.chunks[run.index].code
            if run.left is None or not code.strip():
                chunks.append(msgspec.structs.replace(run, left=None, parts=(), lacking=()))
                continue
            parts = tuple(part and msgspec.structs.replace(part, error=None) for part in run.parts)
            left = msgspec.structs.replace(run.left, error=None)
            chunks.append(msgspec.structs.replace(run, left=left, parts=parts, lacking=()))
        same = msgspec.structs.replace(whole.published, document=document, chunks=tuple(chunks))
        self.__dict__ |= dict.fromkeys(("published", "again", "elsewhere", "patched"), same)
        self._whole = whole

    def alone(self, document: Document) -> DocumentRuns | None:
        """What was run of the whole document with all digits, if anything was."""
        return printed_in_full(self._whole)

    @property
    def by_numbers(self) -> None:
        """Nothing: it takes a run."""

    def repeated(self, times: int) -> None:
        """Nothing: it takes a run."""

    def without(self, chunk: Chunk, line: int, end_line: int) -> None:
        """Nothing: it takes a run."""

    def with_code(self, codes: Mapping[int, str]) -> None:
        """Nothing: it takes a run."""


def candidates(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], of: Collection[Answer]
) -> Iterator[Key]:
    """Yield the outputs in which a value differs, and that something else was said to be the reason of.

    Parameters
    ----------
    state : JudgingState
        The document.
    answers : mapping
        What is said of each output.
    of : collection of Answer
        The answers to be looked at again.
    """
    for key, (answer, why) in answers.items():
        chunk = state.chunks[key[0]]
        block = chunk.output[key[1]]
        if answer not in of or state.verdicts[key].kind is not BlockKind.DIFFERS or why.startswith(_NEVER):
            continue
        text = produced(chunk, state.runs.published.of(chunk), key[1])
        if block.example or not text.strip():
            continue
        # A remark that shows many values as they are printed is of what is printed.
        many = is_one_of_many(block.text, text, chunk.language)
        if not (block.certain or many or has_its_words(state, key) or is_borne_out(state, key)):
            continue
        # No run of a part shows what the rest of the code writes to it.
        shown = piece(chunk, key[1])
        if is_written_through(state.chunks, chunk, shown):
            continue
        if why == ONLY_A_PART and not may_be_lost(block.text, text, chunk.language):
            continue
        doubted = chunk.doubtful or set_in_several(state.runs.document, chunk, state.verdicts, shown)
        # No other session's number shares all its digits but one with this one's.
        sure = not doubted or many or slipped_for_certain(numbers_in(block.text, text))
        if sure or (chunk.doubtful == OF_PYTHON_2 and no_version_differs(state, answers, key)):
            yield key


def document_of(state: JudgingState, closure: Closure, key: Key, *, sure: bool) -> Document:
    """Return a document of nothing but some statements, each in its line, and their chunks' outputs.

    Parameters
    ----------
    state : JudgingState
        The whole document.
    closure : Closure
        The statements that an output needs.
    key : Key
        The output.
    sure : bool
        Whether nothing that the document does not show can be the reason of its difference.
    """
    mine = state.chunks[key[0]]
    text = produced(mine, state.runs.published.of(mine), key[1])
    # Of code that is read otherwise than its author ran it, not all values but one would be the same.
    sure = sure or is_one_of_many(mine.output[key[1]].text, text, mine.language)
    chunks = []
    for chunk in state.chunks:
        lines = closure.lines.get(chunk.index, frozenset())
        code = [text if at in lines else "" for at, text in enumerate(chunk.code.split("\n"), 1)]
        output = [
            msgspec.structs.replace(block, certain=True) if (chunk.index, place) == key else block
            for place, block in enumerate(chunk.output)
        ]
        kept = ("\n".join(code), tuple(output)) if lines else ("", ())
        doubtful = "" if sure else chunk.doubtful
        chunks.append(msgspec.structs.replace(chunk, code=kept[0], output=kept[1], doubtful=doubtful))
    return msgspec.structs.replace(state.runs.document, chunks=tuple(chunks))


def gives_what_the_whole_does(
    state: JudgingState, runs: DocumentRuns, key: Key, made: Sequence[str] = ("published", "again")
) -> bool:
    """Whether statements alone give, in fresh runs, what the whole document gives.

    Parameters
    ----------
    state : JudgingState
        The whole document.
    runs : DocumentRuns
        Those of the statements, as `document_of` gives them.
    key : Key
        The output that they are of.
    made : sequence of str, optional
        Which runs are asked: two, where nothing else is said.
    """
    place = key[1]
    chunk, mine = state.chunks[key[0]], runs.document.chunks[key[0]]
    whole = produced(chunk, state.runs.published.of(chunk), place)
    for execution in made:
        if produced(mine, getattr(runs, execution).of(mine), place).split() != whole.split():
            return False
    return verdicts(mine, runs.published.of(mine))[place].kind is BlockKind.DIFFERS


def _cause(state: JudgingState, key: Key, accused: Cause, closure: Closure) -> Cause:
    chunk = state.chunks[key[0]]
    count = sum(len(lines) for lines in closure.lines.values())
    lines = "line" if count == 1 else f"{count} lines"
    said = f"{accused.said}; so it is where the {lines} that it needs run alone"
    cause = Cause(Answer.WRONG, chunk, accused.line, said, exchanged=accused.exchanged)
    cause.smallest = closure.text
    return cause
