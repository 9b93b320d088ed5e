"""Whether a document gives ground to accuse it: the rest of it reproduces, and what differs is one slip.

What reads documents is at fault more often than their authors. A layout that it does not know makes it read
much of one document falsely, and the values that are then computed are others altogether; a slip changes one
place of a document of which the rest is as published.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from harness.documents.model import Chunk
from harness.findings.apart import are_lists, in_order_of, values_apart
from harness.findings.causes import Cause
from harness.findings.doubts import ONLY_THE_ORDER, difference_at
from harness.findings.evidence import is_a_slip, is_near_zero, is_turned, numbers_in, slipped_for_certain
from harness.findings.judging_state import JudgingState, Key
from harness.findings.julia_versions import are_rows_alike
from harness.findings.names import names_in, upstream
from harness.findings.one_place import VERY_MANY, is_in_one_cell, is_one_of_many
from harness.findings.outputs import piece, shows_error
from harness.findings.plain_slips import is_mistyped
from harness.findings.plain_vectors import differs_as_no_version_does
from harness.findings.runs import DocumentRuns
from harness.findings.same_values import holds_the_same
from harness.findings.slices import statements_behind
from harness.findings.sources import Ground, source_of
from harness.findings.too_many import drawn_beside
from harness.findings.used_packages import used_packages
from harness.findings.which_session import set_in_several
from harness.model.article import Answer, BlockKind, Finding, Kind, Severity
from harness.sessions.session import CodeError

_HALF = 0.5
"""Of what could be compared, the share that is reproduced where one output stands in the place of another."""
_MOST = 0.75
"""The share where a slip in one place accuses."""
_QUARTER = 0.25
"""The share where one digit inside of a long number is proven by a run of its own statements."""
_MORE = 0.9
"""The share where any other value accuses, and one that its own statements prove."""
_NEARLY_ALL = 0.95
"""The share where a failure accuses."""
_SEVERAL = 3
"""Numbers of an output of which one alone differs."""
_OTHERWISE = (Answer.HERE, Answer.WRONG)
_WORD = re.compile(r"[^\W\d]\w*")
_SHAPE = re.compile(r"\(\d+, ?\d+|\[\d+, ?\d+\]\)|\d ?[×x] ?\d")
READ_RIGHTLY = (
    "it shows a path or an address",
    "it shows an address, an id",
    "it shows something of the machine",
    "how many methods a function has",
    "only quotation marks differ",
    "the last digits of what is computed",
    "fewer digits are shown",
    "what a seed gives",
    "what sample() gives after a seed",
    "messages and warnings depend",
    ONLY_THE_ORDER,
)
"""How reasons begin by which all else of an output is as published, or nothing can be."""
_OF_A_VERSION = re.compile(r"it fails here, in [^:]+, and the document names ")
"""How a reason begins by which code calls what another version has: it was read rightly."""
NOT_TOLD = "whether the document or this reading of it is at fault could not be told"


class Rest(msgspec.Struct, frozen=True):
    """What became of a document's other outputs in a language.

    Attributes
    ----------
    reproduced, otherwise : int
        How many are as published, and how many are not, without draws, clocks and what is missing.
    unread : int
        Chunks that the language cannot read, and of which the document shows no error.
    failing : int
        Of those that are not, outputs whose code fails here: nothing differs.
    """

    reproduced: int
    otherwise: int
    unread: int
    failing: int = 0

    def share(self, *, unread: bool = False, failing: bool = True) -> float:
        """The share that is reproduced, of one that is without others too; chunks count where asked for."""
        otherwise = self.otherwise + (self.unread if unread else 0) - (0 if failing else self.failing)
        return self.reproduced / (self.reproduced + otherwise) if otherwise else 1.0


def rest_of(
    state: JudgingState,
    answers: Mapping[Key, tuple[Answer, str]],
    language: str,
    cause: Cause | None = None,
) -> Rest:
    """Count what became of a document's outputs in a language, but for those that an accusation is about.

    Parameters
    ----------
    state : JudgingState
        The document.
    answers : mapping
        What is said of each output.
    language : str
        The language.
    cause : Cause, optional
        The accusation; of a failure, what is computed from its code is left out too. So are other values
        that have code in common with it, where all code runs: they may have one root.
    """
    chunks = [chunk for chunk in state.chunks if chunk.language == language]
    left_out = set(cause.outputs) if cause is not None else set()
    if cause is not None and cause.kind is Kind.CHUNK_FAILS:
        behind = _behind(state, cause.chunk)
        left_out |= {key for key in answers if key[0] in behind}
    elif cause is not None and all(state.runs.published.of(chunk).error is None for chunk in chunks):
        akin = _behind(state, cause.chunk) | {part.index for part in upstream(state.chunks, cause.chunk)}
        akin |= drawn_beside(state, cause.chunk)
        left_out |= {key for key, (answer, _) in answers.items() if key[0] in akin and answer in _OTHERWISE}
    said = {
        key: answer
        for key, (answer, why) in answers.items()
        if key not in left_out
        and state.chunks[key[0]].language == language
        and not (why.startswith(READ_RIGHTLY) or _OF_A_VERSION.match(why))
    }
    # What stands there in another form or order was read rightly, and computed so.
    otherwise = [
        key for key, answer in said.items() if answer in _OTHERWISE and not holds_the_same(state, key)
    ]
    return Rest(
        reproduced=list(said.values()).count(Answer.REPRODUCED),
        otherwise=len(otherwise),
        failing=sum(state.verdicts[key].kind is not BlockKind.DIFFERS for key in otherwise),
        unread=sum(
            _cannot_be_read(state.runs, chunk) and (cause is None or _bears_on(state, chunk, cause))
            for chunk in chunks
        ),
    )


def rest_beside(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key) -> Rest:
    """Count what became of a document's outputs but for one, which is to be accused by itself.

    Parameters
    ----------
    state : JudgingState
        The document.
    answers : mapping
        What is said of each output.
    key : Key
        The output.
    """
    chunk = state.chunks[key[0]]
    held = Cause(Answer.WRONG, chunk, 0, "")
    held.outputs[key] = ""
    return rest_of(state, answers, chunk.language, held)


def _bears_on(state: JudgingState, unread: Chunk, cause: Cause) -> bool:
    """Whether a chunk that cannot be read may be why an output is another, or shows how badly it was read.

    A notebook's file says what is code. Elsewhere code that lacks its end, or stands behind prompts, may go
    on in what was read as output. Operators that are listed, and blanks that a reader fills, set no value.
    """
    run = state.runs.published.of(unread)
    notebook = state.runs.document.kind == "notebook"
    if cause.kind is Kind.CHUNK_FAILS or not cause.outputs:
        return True
    if not notebook and (unread.prompts or run.incomplete or _lacks_a_block(run.error)):
        return True
    if unread.index > max(index for index, _ in cause.outputs):
        return False
    if not notebook and any(index - unread.index == 1 for index, _ in cause.outputs):
        return True
    words = set(_WORD.findall("\n".join([unread.code, *(block.text for block in unread.output)])))
    for index, place in cause.outputs:
        chunk = state.chunks[index]
        names = names_in(
            statements_behind(upstream(state.chunks, chunk), piece(chunk, place)), chunk.language
        )
        if words & (names.sets | names.uses):
            return True
    return False


def _behind(state: JudgingState, chunk: Chunk) -> set[int]:
    """The indices of a chunk and of those that are computed from it."""
    return {part.index for part in state.chunks if chunk in upstream(state.chunks, part)}


def lacks_ground(state: JudgingState, cause: Cause, rest: Rest) -> str:
    """Say what an accusation lacks; empty where the document gives ground for it.

    Parameters
    ----------
    state : JudgingState
        The document.
    cause : Cause
        The accusation.
    rest : Rest
        What became of the other outputs.
    """
    compared = rest.reproduced + rest.otherwise
    fails = cause.kind is Kind.CHUNK_FAILS
    if cause.exchanged or (
        cause.outputs and not fails and all(may_be_a_slip(state, k) for k in cause.outputs)
    ):
        # A long number of which one digit differs shows that it was read rightly.
        sure = cause.exchanged or all(
            slipped_for_certain(numbers_in(*_texts(state, key))) for key in cause.outputs
        )
        many = not cause.exchanged and all(_is_one_of_very_many(state, key) for key in cause.outputs)
        if rest.share() >= (_QUARTER if many else _HALF if sure else _MOST):
            return ""
        return f"of {compared} other outputs only {rest.reproduced} are reproduced"
    if not fails and not all(_is_another_value(state, key) for key in cause.outputs):
        return "it is no slip in one place, but in what is shown or in how"
    for index, place in () if fails else cause.outputs:
        chunk = state.chunks[index]
        if said := set_in_several(state.runs.document, chunk, state.verdicts, piece(chunk, place)):
            return said
    # Where nothing else differs, a listing that is no code, a template or a sentence, hides little.
    enough = _NEARLY_ALL if fails else _MORE
    if rest.share(unread=True) >= enough:
        return ""
    told = f"{rest.otherwise} of {compared} other outputs differ as well" if rest.otherwise else ""
    if rest.unread:
        unread = f"{rest.unread} of the listings cannot be read as code"
        told = f"{told}, and {unread}" if told else unread
    return f"it is more than a slip in one place, and {told}"


def lacks_ground_alone(state: JudgingState, key: Key, rest: Rest) -> str:
    """Say what an accusation lacks that a run of nothing but the statements of its output bears out.

    Parameters
    ----------
    state : JudgingState
        The document.
    key : Key
        The output. That the code was read rightly, its own run shows in part: less of the rest has to.
    rest : Rest
        What became of the other outputs.
    """
    if is_in_one_place(state, key):
        sure = slipped_for_certain(numbers_in(*_texts(state, key)))
        if rest.share() >= (_QUARTER if sure or _is_one_of_very_many(state, key) else _HALF):
            return ""
    elif not _is_another_value(state, key):
        return "it is no slip in one place, but in what is shown or in how"
    elif rest.share(unread=True) >= _share_for(state, key):
        return ""
    return f"of {rest.reproduced + rest.otherwise} other outputs only {rest.reproduced} are reproduced"


def _share_for(state: JudgingState, key: Key) -> float:
    """The share of the rest that another value takes; less, where a notebook says what is code and output."""
    apart = values_apart(*_texts(state, key)) or ()
    one = _is_one_digit(state, key) or (len(apart) == 1 and is_mistyped(apart[0]))
    chunk = state.chunks[key[0]]
    if chunk.cell and len(upstream(state.chunks, chunk)) == 1:
        return _HALF if one else _MOST
    return _MOST if one else _MORE


def without_ground(finding: Finding, rest: Rest) -> Finding:
    """Return a finding on a number in prose; where most of the document is otherwise, it accuses nobody."""
    if finding.severity is not Severity.WRONG or rest.share(failing=False) >= _MOST:
        return finding
    compared = rest.reproduced + rest.otherwise
    why = f"; {NOT_TOLD}: of {compared} outputs only {rest.reproduced} are reproduced"
    return msgspec.structs.replace(
        finding, severity=Severity.NOTE, answer=Answer.UNCHECKED, evidence=finding.evidence + why
    )


def may_be_a_slip(state: JudgingState, key: Key) -> bool:
    """Whether an output differs as a slip makes it differ: in one number or word of several, or a digit."""
    published, printed = _texts(state, key)
    pairs = numbers_in(published, printed)
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart:
        return len(values_apart(published, printed) or ()) == 1 and len(published.split()) >= _SEVERAL
    if is_near_zero(pairs):
        return False
    if len(pairs) > len(apart) and is_in_one_cell(published, printed):
        return True
    alone = len(apart) == 1 and len(pairs) >= _SEVERAL
    turned = is_turned(pairs) and (len(pairs) >= _SEVERAL or _SHAPE.search(published) is not None)
    return alone or turned or slipped_for_certain(pairs) or is_a_slip(pairs)


def is_in_one_place(state: JudgingState, key: Key) -> bool:
    """Whether one value alone differs, or two stand in each other's place, and it may be a slip."""
    pairs = numbers_in(*_texts(state, key))
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    one = len(apart) <= 1 or is_turned(pairs) or is_in_one_cell(*_texts(state, key))
    return may_be_a_slip(state, key) and one


def _is_one_of_very_many(state: JudgingState, key: Key) -> bool:
    return is_one_of_many(*_texts(state, key), state.chunks[key[0]].language, VERY_MANY)


def _is_one_digit(state: JudgingState, key: Key) -> bool:
    """Whether one number alone differs, and in one digit."""
    apart = [pair for pair in numbers_in(*_texts(state, key)) if pair[0] != pair[1]]
    if len(apart) != 1 or len(apart[0][0]) != len(apart[0][1]):
        return False
    return sum(mine != theirs for mine, theirs in zip(*apart[0], strict=True)) == 1


def _is_another_value(state: JudgingState, key: Key) -> bool:
    """Whether another value stands in the same form, and the language alone computes it."""
    one = difference_at(state, key)
    if one.is_of_own_texts or one.is_spelled_otherwise:
        return True
    published, printed = _texts(state, key)
    if (pairs := numbers_in(published, printed)) and is_near_zero(pairs):
        return False
    chunk = state.chunks[key[0]]
    alike = are_rows_alike if chunk.language == "julia" else are_lists
    vector = chunk.language == "r" and differs_as_no_version_does(published, printed, chunk.code)
    if values_apart(published, printed) is None and not (vector or alike(published, printed)):
        return False
    cone, same = upstream(state.chunks, chunk), state.context.same_versions
    source = source_of(state.chunks, cone, used_packages(state.chunks, cone), piece(chunk, key[1]), same=same)
    return source.ground is Ground.LANGUAGE


def _texts(state: JudgingState, key: Key) -> tuple[str, str]:
    one = difference_at(state, key)
    return one.published, in_order_of(one.published, one.printed)


def _lacks_a_block(error: CodeError | None) -> bool:
    return error is not None and error.message.startswith("IndentationError")


def _cannot_be_read(runs: DocumentRuns, chunk: Chunk) -> bool:
    run = runs.published.of(chunk)
    if run.error is None or shows_error(chunk):
        return False
    return run.incomplete or run.error.message.startswith(("SyntaxError", "IndentationError"))
