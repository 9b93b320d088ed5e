"""What no author is accused of, and at which one should look first: outputs that differ in one place.

Where versions, packages or machines differ, most of an output differs, or its form. An output that is as
published but for one value is what a slip of the pen leaves as well; which of both it is, its author can see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from harness.documents.model import Document
from harness.findings.apart import places_apart, says_own_words, tokens_of, values_apart
from harness.findings.causes import named
from harness.findings.difference import Difference
from harness.findings.doubts import difference_at, reasons_of
from harness.findings.firm_ground import NOT_TOLD
from harness.findings.judging_state import JudgingState, Key
from harness.findings.outputs import produced
from harness.findings.prose_suspects import prose_suspects
from harness.findings.r_texts import texts_of
from harness.findings.reasons import Reason
from harness.model.article import Answer, BlockKind, Finding, Kind, Severity, Suspect

MOST = 3
"""How many are shown of a document: the first ones."""
_OF_ELSE = "the text may speak of something else"
_LONGEST = 3
"""Words or numbers in a row that are one place; three are a lost row of a small table."""
_EXPLAINED = frozenset({Reason.FORM, Reason.MACHINE, Reason.SESSION, Reason.DIGITS, Reason.DRAWN})
"""Reasons that say of a difference what it is, and not only that it may be one."""
_KNOWN_OF_SOME = frozenset({Reason.CHANGED, Reason.ORDER})
"""Reasons that explain some outputs of a kind, and this one perhaps."""

_SETTLED = frozenset({Answer.REPRODUCED, Answer.WRONG})

_Tokens = list[tuple[str, str]]


class _Place(NamedTuple):
    """Where two texts differ: how many tokens in how many places, of how many in all."""

    places: int
    tokens: int
    size: int


def worth_a_look(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[Suspect]:
    """Yield the outputs that differ in one place and are not accused, those that tell most first.

    Parameters
    ----------
    state : JudgingState
        What is known of the document.
    answers : mapping
        What is said of each output, and why.

    Yields
    ------
    Suspect
        At most `MOST`.
    """
    ranked: list[tuple[tuple[bool, int, bool, int], Key]] = []
    for key, (answer, why) in answers.items():
        # What is missing here tells nothing; an accusation that was taken back is of the code's own.
        lacks = answer is Answer.UNCHECKED and NOT_TOLD not in why
        if lacks or answer in _SETTLED or state.verdicts[key].kind is not BlockKind.DIFFERS:
            continue
        one = difference_at(state, key)
        place = _place(tokens_of(one.published), tokens_of(one.produced))
        if place is None or _is_worded_by_others(one):
            continue
        reasons = reasons_of(one)
        drawn = answer is Answer.NOBODY
        if reasons & _EXPLAINED or (drawn and not _is_steady(state, key, one)):
            continue
        ranked.append(((bool(reasons & _KNOWN_OF_SOME), place.places, drawn, -place.size), key))
    for _, key in sorted(ranked)[:MOST]:
        yield _suspect(state, key, answers[key][1])


def is_no_claim(finding: Finding) -> bool:
    """Whether a finding on prose is of a number that the text may only hold against a printed one.

    Parameters
    ----------
    finding : Finding
        What is said of a document.
    """
    return finding.kind is Kind.PROSE and finding.severity is Severity.FRAGILE and finding.answer is None


def in_prose(document: Document, findings: Sequence[Finding]) -> Iterator[Suspect]:
    """Yield the numbers in prose and comments that look like results, and stand nowhere beside them.

    Parameters
    ----------
    document : Document
        The document.
    findings : sequence of Finding
        What is said of its prose: what is no claim comes first, and nothing is said twice.
    """
    meant = [
        Suspect(line=one.line, where=one.where, shows=f"{one.evidence}: {one.smallest}", held_back=_OF_ELSE)
        for one in findings
        if is_no_claim(one)
    ]
    alone = [
        Suspect(
            line=one.line,
            where=one.place if one.cell else "",
            shows=f"{one.why}: {one.sentence}",
            held_back=_OF_ELSE,
        )
        for one in prose_suspects(document, findings)
    ]
    yield from [*meant, *alone][:MOST]


def _place(published: _Tokens, printed: _Tokens) -> _Place | None:
    """Where two texts differ, if it is one value, two that are exchanged, or a row that one lacks."""
    if not published or not printed:
        return None
    blocks = SequenceMatcher(None, published, printed, autojunk=False).get_opcodes()
    apart = [block for block in blocks if block[0] != "equal"]
    lengths = [max(block[2] - block[1], block[4] - block[3]) for block in apart]
    size = max(len(published), len(printed))
    if any(how == "replace" and _kinds(published[a:b]) != _kinds(printed[c:d]) for how, a, b, c, d in apart):
        return None
    one_value = len(lengths) == 1 and (lengths[0] == 1 or (lengths[0] <= _LONGEST and 2 * lengths[0] < size))
    if not (one_value or (lengths == [1, 1] and size > len(lengths) + 1)):
        return None
    return _Place(len(lengths), sum(lengths), size)


def _kinds(tokens: _Tokens) -> list[str]:
    return [kind for kind, _ in tokens]


def _is_worded_by_others(one: Difference) -> bool:
    """Whether a word differs that the language or a package has printed: they word things anew."""
    apart = values_apart(one.published, one.produced)
    if apart is None:
        return False
    texts = texts_of(one.behind, one.language, one.produced)
    return any(pair.what == "text" and not says_own_words(pair, texts) for pair in apart)


def _is_steady(state: JudgingState, key: Key, one: Difference) -> bool:
    """Whether a second run prints the same where the published text differs, though not everywhere."""
    other = produced(one.chunk, state.runs.again.of(one.chunk), key[1])
    mine, theirs, published = (tokens_of(text) for text in (one.printed, other, one.published))
    if not len(mine) == len(theirs) == len(published):
        return False
    return all(mine[at] == theirs[at] for at in places_apart(mine, published))


def _suspect(state: JudgingState, key: Key, why: str) -> Suspect:
    chunk = state.chunks[key[0]]
    return Suspect(
        line=chunk.output[key[1]].line,
        language=chunk.language,
        where=named(state.runs.document, chunk) if chunk.cell else "",
        shows=str(state.verdicts[key].first or state.verdicts[key].reason),
        held_back=why,
    )
