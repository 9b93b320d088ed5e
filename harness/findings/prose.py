"""Numbers in prose, and code in prose, beside what the code gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

import msgspec

from harness.documents.compare_printed import compare_printed
from harness.documents.model import Chunk, Document
from harness.documents.prose_model import InlineCode
from harness.documents.prose_numbers import numbers_written, printed_number, printed_numbers
from harness.documents.written_numbers import are_turned, digits_of, is_round, like, plain, rounds_to
from harness.findings.causes import Cause, named
from harness.findings.difference import Difference
from harness.findings.doubts import doubt
from harness.findings.judging_state import JudgingState
from harness.findings.names import names_in
from harness.findings.prose_beside import HELD
from harness.findings.random_numbers import without_comments
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, BlockKind, Finding, Kind, Severity

_CERTAIN = 3
"""Digits from which on a number that differs from a printed one in one digit is meant to be that one."""

_DIGITS = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
_OTHERS = re.compile(_DIGITS.pattern + "%?")
COMPARES = re.compile(
    r"\b(?:tru(?:e|th)|theor\w+|exact\w*|expect\w*|actual\w*|old(?:er)?|earlier|previous\w*|instead"
    r"|compar\w+|versus|vs|than|paper|reported|original\w*|known|population|close(?:st)? to"
    r"|near\w*|almost|target|analytic\w*|differ\w*|rather|against|before|after|was|were|had|first|another"
    r"|best|baseline|originally|initially|if|would)\b",
    re.IGNORECASE,
)
"""Words by which a text holds a number against a printed one, from which it differs."""

_LONG, _BEHIND = 5, 2
"""Digits of a number that no other comes near to but in the last ones, and how many these are."""
_CHANGES = re.compile(r"\b(?:improv|increas|decreas|drop|chang)", re.IGNORECASE)
"""Words by which a text holds a number against another that it has."""

_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
_PAST = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)


def numbers_in_prose(runs: DocumentRuns, answers: Mapping[tuple[int, int], Answer]) -> Iterator[Finding]:
    """Find numbers in prose that are not the reproduced one which they repeat.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    answers : mapping
        The answer on each output, by the chunk's index and the output's place.
    """
    shown = numbers_shown(texts_of(runs.document))
    for number in runs.document.numbers:
        if (
            number.exact
            or _plain(number.text) in shown
            or (answer := answers.get((number.chunk, number.block))) not in HELD
        ):
            continue
        chunk = runs.document.chunks[number.chunk]
        printed = printed_number(chunk.output[number.block].text, chunk.language, number.item)
        if printed is None:
            continue
        others = _OTHERS.findall(number.quote)
        if any(_makes(_plain(other), number.text) for other in others):
            continue
        both = any(rounds_to(printed, other) for other in others if digits_of(other) >= _CERTAIN)
        form = like(printed, number.text)
        compared = is_compared(number.quote, number.text, form)
        alone = printed.text if len(list(printed_numbers(chunk))) == 1 else ""
        certain = is_meant(number.text, form, alone) and not compared and not both
        if answer is not Answer.REPRODUCED and not certain:
            continue
        certain = certain and answer is Answer.REPRODUCED
        gives = "code prints" if answer is Answer.REPRODUCED else "output shows"
        said = f"the text says {number.text}, and the {gives} {printed.text}"
        found = says_otherwise(runs, chunk, number.block, said, number.line, number.quote, certain=certain)
        yield msgspec.structs.replace(found, where=f"cell {number.cell}" if number.cell else "")


def says_otherwise(
    runs: DocumentRuns, chunk: Chunk, place: int, said: str, line: int, quote: str, *, certain: bool = True
) -> Finding:
    """Return the finding on a text that says something else than an output shows.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    chunk, place : Chunk, int
        The output.
    said : str
        What both say.
    line, quote : int, str
        Where the text says it, and its words.
    certain : bool
        Whether the text is for certain meant for that.
    """
    there = named(runs.document, chunk) if chunk.cell else f"line {chunk.output[place].line}"
    return runs.finding(
        chunk,
        Kind.PROSE,
        Severity.WRONG if certain else Severity.FRAGILE,
        f"{said} ({there})",
        "a reader takes one of the two for the other",
        line=line,
        smallest=" ".join(quote.split()),
        answer=Answer.WRONG if certain else None,
    )


def texts_of(document: Document, *, comments: bool = True) -> list[str]:
    """Return all code and outputs of a document: what is there, a text that says it is meant for.

    Parameters
    ----------
    document : Document
        The document.
    comments : bool
        Whether the code's comments belong to it.
    """
    code = [chunk.code if comments else without_comments(chunk.code) for chunk in document.chunks]
    return code + [block.text for chunk in document.chunks for block in chunk.output]


def numbers_shown(texts: Iterable[str]) -> frozenset[str]:
    """Return the numbers of texts."""
    return frozenset(_plain(found) for text in texts for found in _DIGITS.findall(text))


def _plain(text: str) -> str:
    return plain(text).lstrip("-")


def _makes(other: str, written: str) -> bool:
    """Whether a number beside one in a text, rounded, is that: the text is sound by itself."""
    places = len(_plain(written).partition(".")[2])
    scale = 100 if written.endswith("%") else 1
    return len(other) > len(_plain(written)) and f"{Decimal(other) * scale:.{places}f}" == _plain(written)


def is_compared(quote: str, written: str, form: str) -> bool:
    """Whether a text holds a number against a printed one, from which it differs.

    Parameters
    ----------
    quote : str
        The words around the number, of which those of its sentence count.
    written, form : str
        Both, the printed one from `like`. Of three digits and more, two are turned in no other number; of
        two, where the text only speaks of what was. What is held against a long one is another at its end.
    """
    before, number, after = quote.partition(written)
    sentence = _SENTENCE.split(before)[-1] + number + _SENTENCE.split(after)[0]
    if not are_turned(_plain(written), form.lstrip("-")):
        if digits_of(written) >= _LONG and _plain(written)[-_BEHIND:] == form[-_BEHIND:]:
            return False
        changes = _CHANGES.search(sentence) and len(list(numbers_written(sentence))) > 1
        return bool(changes or COMPARES.search(sentence))
    return digits_of(written) < _CERTAIN and COMPARES.search(_PAST.sub("", sentence)) is not None


def is_meant(written: str, form: str, alone: str = "") -> bool:
    """Whether a number is for certain meant for a printed one: both are long, or turned whole numbers.

    Of whole numbers the next one may be meant, and a round one; a fraction of two digits is like many others.

    Parameters
    ----------
    written, form : str
        Both, the printed one from `like`.
    alone : str
        The printed one as it is printed, if nothing else is: a whole number or a percentage of two digits is
        meant too, and a fraction of two that is printed with no more.
    """
    digits = _plain(written)
    long = min(_significant(digits), _significant(form)) >= _CERTAIN
    turned = are_turned(digits, form.lstrip("-"))
    if "." in digits:
        several = min(digits_of(digits), digits_of(form)) >= _CERTAIN
        return long or (turned and (several or form == _plain(alone)))
    short = alone and not is_round(digits)
    return turned or bool((long or short) and abs(int(digits) - abs(int(form))) > 1)


def _significant(number: str) -> int:
    """How many digits a number has between its first and its last that is no zero."""
    return len(number.lstrip("-").partition("E")[0].replace(".", "").strip("0"))


def code_in_prose(runs: DocumentRuns, state: JudgingState) -> Iterator[Finding]:
    """Find code in prose that gives something else than the rendered document shows in its place.

    Parameters
    ----------
    runs : DocumentRuns
        The document.
    state : JudgingState
        What is known of it.
    """
    for place, inline in enumerate(runs.document.inline):
        text = runs.published.inline.get(place)
        if inline.published is None or text is None:
            continue
        verdict = compare_printed(inline.published, text, inline.language)
        if verdict.kind is not BlockKind.DIFFERS:
            continue
        base = runs.document.chunks[max(0, inline.after)]
        code = msgspec.structs.replace(base, code=inline.code, language=inline.language, output=())
        if (cause := _unsound(state, code)) is not None:
            yield _inline(
                runs,
                inline,
                text,
                cause.answer if cause.answer is not Answer.WRONG else Answer.HERE,
                cause.said,
            )
            continue
        why = doubt(Difference(state.context, code, inline.published, text, verdict, inline.code))
        agreed = runs.again.inline.get(place) == text
        yield _inline(
            runs, inline, text, Answer.NOBODY if not agreed else Answer.HERE if why else Answer.WRONG, why
        )


def _unsound(state: JudgingState, code: Chunk) -> Cause | None:
    """The cause why what code in prose uses may not be what the author had."""
    names = names_in(code.code, code.language).uses
    found = (
        state.touched[code.language, name] for name in sorted(names) if (code.language, name) in state.touched
    )
    return next(found, None) or state.unlike_the_authors(code)


def _inline(runs: DocumentRuns, inline: InlineCode, text: str, answer: Answer, why: str) -> Finding:
    severity = {Answer.WRONG: Severity.WRONG, Answer.NOBODY: Severity.FRAGILE}.get(answer, Severity.NOTE)
    chunk = runs.document.chunks[max(0, inline.after)]
    return runs.finding(
        chunk,
        Kind.PROSE,
        severity,
        f"the text shows {inline.published}, and the code in it gives {text.strip()}"
        + (f"; {why}" if why else ""),
        "the sentence says something else than the code",
        line=inline.line,
        smallest=inline.code,
        answer=answer,
    )
