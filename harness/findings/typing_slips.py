"""Slips of the typing hand, which no other version, package or machine makes.

Of what other versions and packages print, and of what is printed behind a failure, hardly anything differs in
one value alone; and where it does, the value is another one altogether. Two digits of a number in each
other's place, a sign that is lost, a letter too few: with all else as it is printed here, that is a reason by
itself, whatever else might be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from harness.documents.row_marks import miscounted
from harness.findings.apart import Apart, are_exchanged, places_apart, tokens_of, values_apart
from harness.findings.brackets import are_of_nothing
from harness.findings.causes import Cause
from harness.findings.contradictions import contradicts_itself, differ_in_a_head
from harness.findings.differing import how
from harness.findings.digits import are_of_no_double
from harness.findings.doubts import difference_at, doubt
from harness.findings.evidence import numbers_in
from harness.findings.firm_ground import rest_beside
from harness.findings.judging_state import JudgingState, Key
from harness.findings.left_out import is_said_to_be_a_part
from harness.findings.names import last_line, upstream
from harness.findings.names_of_months import names_months
from harness.findings.one_kind import counts_otherwise, stands_alone
from harness.findings.one_place import VERY_MANY, has_another_row, in_one_place, is_one_of_many
from harness.findings.outputs import differs, piece, produced
from harness.findings.proof import candidates
from harness.findings.r_texts import texts_of
from harness.findings.reasons import Proof
from harness.findings.slices import statements_behind
from harness.findings.slips import by_one_key
from harness.findings.too_many import unless_too_many
from harness.findings.torn import has_a_row_twice, is_torn
from harness.model.article import Answer

_TURNED = 3
"""Digits of a number of which two, side by side, have changed places."""
_LONG = 4
"""Digits of a number of which one is another, or is missing, before the last one."""
_SIGNED = 2
_EXCHANGED = 2
_WRAPPED = 9
"""Digits of a whole number: of so many and more, 32 bits may be too few."""
_EXACT = 15
"""Digits that no rounding of a machine reaches."""
_WORD = 6
"""Letters of a word of which one is another, missing or too many."""
_OWN = 4
"""The same of a word that stands in the code."""
_OPEN = (Answer.HERE, Answer.UNCHECKED)
_NUMBER = re.compile(r"[-+]?[\d_]+(?:\.\d*)?|[-+]?\.\d+")
_LETTERS = re.compile(r"['\"]?([^\W\d_]+)['\"]?")
_QUOTED = re.compile(r"([\"'])(?P<text>(?:[^\W\d_]| (?! ))+)\1")
"""Words in quotation marks."""
_SPELLINGS = re.compile(r"ou|[sz]|re$|er$|ll|ae|oe|['\"]")
"""Where English and American differ, and plurals."""
_DECOMPOSES = re.compile(r"\b(?:eig\w*|svd\w*|qr\w*|roots|polyroot|prcomp|princomp|schur\w*|PCA)\b[!.]?\(")
"""What gives values in an order, and vectors with a sign, that libraries choose."""
_WEIGHS = re.compile(r"\b(?:getsizeof|object\.size|summarysize|memory_usage|nbytes)\b")
"""What tells how much memory a value takes, where a version or a machine changes any digit."""
_STOOD_IN = "stand-in"
_OF_AN_ORDER = re.compile(r"\b(?:order|first)\b")
"""How reasons speak that leave an order open."""
_QUARTER = 0.25
"""Of a document's other outputs, how many are reproduced at least."""


def typed(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs that only a slip of typing explains, each with its accusation.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    """
    found = []
    for key in candidates(state, answers, _OPEN):
        chunk = state.chunks[key[0]]
        if _STOOD_IN in answers[key][1] or _OF_AN_ORDER.search(answers[key][1]):
            continue
        published = chunk.output[key[1]].text
        printed = produced(chunk, state.runs.published.of(chunk), key[1])
        behind = statements_behind(upstream(state.chunks, chunk), piece(chunk, key[1]))
        apart = values_apart(published, printed) or ()
        if names_months(apart, behind) or (_DECOMPOSES.search(behind) and _is_of_its_order(apart)):
            continue
        if _WEIGHS.search(behind):
            continue
        slip = slip_in(published, printed, texts_of(behind, chunk.language, printed))
        proof = Proof.TYPED if slip else Proof.DENIED
        slip = slip or _impossible(state, key, published, printed, behind)
        # Where hardly anything is reproduced, it is the reading that is at fault, but of what is so itself.
        many = is_one_of_many(published, printed, chunk.language, VERY_MANY)
        if not slip or not (many or rest_beside(state, answers, key).share() >= _QUARTER):
            continue
        if doubt(difference_at(state, key), proof):
            continue
        # Only an accusation needs a further run.
        if not differs(state.runs.published, state.runs.again, chunk, key[1]):
            said = f"{how(state.verdicts[key])}: {slip}, and all else is as it is printed here"
            line = chunk.output[key[1]].after or last_line(chunk)
            found.append((key, Cause(Answer.WRONG, chunk, line, said)))
    yield from unless_too_many(state, found, answers)


def slip_in(published: str, printed: str, own: str = "") -> str:
    """Say in which way one value alone of a text was typed falsely; empty where none was, or more differs.

    Parameters
    ----------
    published, printed : str
        The two texts.
    own : str, optional
        What the document's code says in its own words, which no version spells otherwise.
    """
    apart = values_apart(published, printed)
    if apart and are_exchanged(apart) and all(_is_long(pair) for pair in apart):
        several = sum(kind == "number" for kind, _ in tokens_of(printed)) > _EXCHANGED
        return "two numbers stand in each other's place" if several else ""
    if apart is None:
        return _in_truth(published, printed)
    if len(apart) != 1:
        return ""
    return _in_number(apart[0]) if apart[0].what == "number" else _in_word(apart[0], own)


def _is_of_its_order(apart: Sequence[Apart]) -> bool:
    """Whether only the order of values or their signs differ."""
    signs = all(pair.published.lstrip("+-") == pair.produced.lstrip("+-") for pair in apart)
    return bool(apart) and (signs or are_exchanged(apart))


def _is_long(pair: Apart) -> bool:
    """Whether two numbers have several digits, and more than their signs differ, as of an eigenvector."""
    if pair.published.lstrip("+-") == pair.produced.lstrip("+-"):
        return False
    return pair.what == "number" and sum(map(str.isdigit, pair.published.lstrip("0."))) >= _TURNED


def _impossible(state: JudgingState, key: Key, published: str, printed: str, behind: str) -> str:
    """Say why nothing prints what is published; empty where something may."""
    language, first = state.chunks[key[0]].language, state.verdicts[key].first
    if denied := _denied(published, printed, language):
        return denied
    if language == "python" and (broken := _of_no_print(published, printed)):
        return broken
    if language == "r" and has_a_row_twice(published, printed):
        return "R prints that row once"
    if language == "r" and is_torn(published, printed):
        chunk = state.chunks[key[0]]
        said = is_said_to_be_a_part(state.runs.document, chunk, published, printed)
        return "" if said else "without that line it is no print of R's"
    row = miscounted(published, printed) if language == "r" else None
    if row and first and (first.published, first.produced) == row[1:]:
        return "R counts the same values otherwise"
    return "no machine prints a number so" if are_of_no_double(numbers_in(published, printed), behind) else ""


def _of_no_print(published: str, printed: str) -> str:
    """Say what of a text nothing prints that Python has, whatever its version; empty where something may."""
    if are_of_nothing(published, printed):
        return "nothing prints such brackets"
    if stands_alone(published, printed):
        return "nothing prints one number of an array or a column in another way than the others"
    return (
        "a row of those that are counted is not in its place" if counts_otherwise(published, printed) else ""
    )


def _denied(published: str, printed: str, language: str) -> str:
    """Say in what a text denies itself that differs in one place from a printed one, which does not."""
    # A number, and its noun: "1 element".
    few = 0 < len(values_apart(published, printed) or ()) <= _EXCHANGED
    apart = few or (language == "julia" and differ_in_a_head(published, printed))
    apart = apart or (language in ("python", "r") and has_another_row(published, printed))
    if not (apart or in_one_place(published, printed, language)) or contradicts_itself(printed, language):
        return ""
    return contradicts_itself(published, language)


def _in_truth(published: str, printed: str) -> str:
    left, right = tokens_of(published), tokens_of(printed)
    apart = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1]]
    if len(left) != len(right) or len(apart) != 1:
        return ""
    (mine, word), (kind, truth) = apart[0]
    misspelt = mine == "word" and kind == "truth" and by_one_key(word, truth)
    return f"{truth} is misspelt" if misspelt else ""


def _in_number(pair: Apart) -> str:
    left, right = pair.published, pair.produced
    if not (_NUMBER.fullmatch(left) and _NUMBER.fullmatch(right)):
        return ""
    digits = min(len(re.sub(r"\D", "", text).lstrip("0")) for text in (left, right))
    if left.lstrip("+-") == right.lstrip("+-"):
        # A large whole number is negative where it does not fit.
        return "a sign is lost" if _SIGNED <= digits < _WRAPPED or "." in left else ""
    if len(left) != len(right):
        return ""
    places = places_apart(left, right)
    if not places or len(re.sub(r"\D", "", left[: places[-1] + 1]).lstrip("0")) > _EXACT:
        return ""
    if _are_turned(left, right, places):
        return "two digits stand in each other's place" if digits >= _TURNED else ""
    # The last digit is what rounds, and what counts one more.
    inside = len(places) == 1 and left[places[0]].isdigit() and re.search(r"[1-9]", left[places[0] + 1 :])
    return "one digit within is another" if inside and digits >= _LONG else ""


def _in_word(pair: Apart, own: str) -> str:
    words = [_LETTERS.fullmatch(text) for text in (pair.published, pair.produced)]
    if words[0] is None or words[1] is None:
        return _in_quoted(pair.published, pair.produced)
    left, right = words[0][1], words[1][1]
    if left.casefold() == right.casefold():
        return ""
    said = [re.search(rf"\b{word.lower()}\b", own) is not None for word in (left, right)]
    if said == [False, True] and min(len(left), len(right)) >= _OWN and by_one_key(left, right):
        return "a letter is another, missing or too many in a word of the code's own"
    if min(len(left), len(right)) < _WORD - 1:
        return ""
    if len(left) == len(right):
        places = places_apart(left, right)
        return "two letters stand in each other's place" if _are_turned(left, right, places) else ""
    short, long = sorted((left, right), key=len)
    at = next(
        (n for n, (one, other) in enumerate(zip(short, long, strict=False)) if one != other), len(short)
    )
    one_more = len(long) - len(short) == 1 and short[at:] == long[at + 1 :]
    if not one_more or len(long) < _WORD or _SPELLINGS.search(long[max(0, at - 1) : at + 2]):
        return ""
    return "a letter is missing" if short is left else "a letter stands there twice"


def _in_quoted(left: str, right: str) -> str:
    """Say that two letters of words in quotation marks are turned; nothing where anything else differs."""
    texts = [_QUOTED.fullmatch(text) for text in (left, right)]
    if any(text is None or len(text["text"]) < _WORD for text in texts) or len(left) != len(right):
        return ""
    places = places_apart(left, right)
    apart = left.casefold() != right.casefold() and " " not in {left[at] for at in places}
    return "two letters stand in each other's place" if apart and _are_turned(left, right, places) else ""


def _are_turned(left: str, right: str, places: list[int]) -> bool:
    """Whether two texts differ in two characters side by side that have changed places."""
    if len(places) != 2:
        return False
    first, second = places
    between = left[first + 1 : second]
    side_by_side = between in ("", ".", "_")
    return side_by_side and (left[first], left[second]) == (right[second], right[first])
