"""Numbers that prose gives as what a statement beside it prints, and that it does not print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.documents.prose_numbers import numbers_written
from harness.documents.tokens import Number
from harness.documents.written_numbers import are_turned, digits_of, like, plain
from harness.findings.prose import is_compared, is_meant
from harness.findings.prose_beside import Beside, Claim, Output

_VERB = (
    r"(?:is|are|equals?|gives?|gave|returns?|returned|yields?|prints?|outputs?|evaluates?|shows?|displays?"
    r"|becomes?|produces?|results?|contains?|has|have|da|dio|es|devuelve|vaut|donne|ergibt|ist|=>?|→|->)"
)
_SMALL = (
    r"(?:the|an?|as|to|in|us|values?|result|number|equal|now|also|still|only|just|exactly|about|around"
    r"|approximately|un|el|la|de)"
)
_NUMBER = r"[`*$]{0,2}(?P<number>-?\d+(?:\.\d+)?)(?![\w/:^_]|[.,]\d|\s?[-+*/^=x×]\s?[\d(\\])"
_SAID = re.compile(rf"(?<!\S){_VERB}\s+(?:{_SMALL}\s+)*{_NUMBER}")
_QUOTED = re.compile(rf"`(?P<code>[^`\n]+)`,?\s+{_VERB}\s+(?:{_SMALL}\s+)*{_NUMBER}")
_ANSWER = re.compile(
    rf"\b(?:result|answer|output)\b[*_ ]*(?:(?::|(?:is|equals|=)(?:\s+{_SMALL})*)[*_\s]*|(?=`)){_NUMBER}",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=[.!?,;:])\s|\n\s*\n|\sand\s")
_DOUBT = re.compile(
    r"\b(?:if(?! you)|not|n't|no|would|could|was|were|had|before|after|than|instead|rather|first|then|next"
    r"|previous\w*|another|other|expect\w*|theor\w+|exact\w*|tru(?:e|th)|change\w*|increas\w*|decreas\w*|compar\w+|assum\w+)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_OTHERWISE = {
    "mean": ("average",),
    "median": (),
    "length": (),
    "prod": ("product",),
    "len": ("length",),
    "nrow": ("rows",),
    "ncol": ("columns",),
    "sd": ("deviation",),
    "std": ("deviation",),
    "var": ("variance",),
    "ndim": ("dimensions",),
    "max": ("largest",),
    "min": ("smallest",),
    "sum": ("total",),
    "nchar": ("characters",),
    "det": ("determinant",),
    "cor": ("correlation",),
}
"""What measures something, and how prose calls it beside its name and words that begin with it."""
_COUNTED = {
    "nrow": ("rows", "observations", "records"),
    "ncol": ("columns", "variables"),
    "len": ("elements", "items", "entries", "characters", "letters"),
    "length": ("elements", "items", "entries", "characters", "letters"),
    "nchar": ("characters", "letters"),
    "ndim": ("dimensions",),
    "ndims": ("dimensions",),
    "nlevels": ("levels",),
    "sizeof": ("bytes",),
    "itemsize": ("bytes",),
    "nbytes": ("bytes",),
}
"""What counts something, and how prose calls that behind its number."""
_NOUN = re.compile(
    r"[`*]{0,2}\s+(?:[^\W\d_]+[\s/]+)?([^\W\d_]+)(?=[`*]*\s*(?:[.,;:)]|$|(?:in|of) (?:the|this|our|it)\b))"
)
"""What is counted, and nothing more of it."""
_NO_WORDS = frozenset(("np", "numpy", "pd", "torch", "tf", "math", "round", "item", "float", "int"))
_AROUND = 60
_SHORTEST, _FEW, _MANY = 2, 10, 40
"""Digits of the shortest numbers; numbers among which one of these, and a longer one, are meant."""
_FEWEST, _SHORT, _CLOSE = 2, 4, 5
"""Words of a statement in front of a number, letters of one that begins a longer word, and last words."""


def other_values(beside: Beside) -> Iterator[Claim]:
    """Yield numbers that a clause gives for a statement, whose output is that number but for a digit.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    """
    ones = [output for output in beside.outputs if output.sure and output.code and len(output.numbers) == 1]
    # Between a count further away and the text, what is counted may have changed.
    after = beside.paragraph.after
    next_to = [one for one in ones if one.chunk.index - after in (0, 1) and len(one.chunk.output) == 1]
    for start, clause in _clauses(beside.paragraph.text) if ones else ():
        if _DOUBT.search(clause):
            continue
        for found in _QUOTED.finditer(clause):
            code = "".join(found["code"].split())
            meant = [one for one in ones if "".join(one.code.split()) == code]
            yield from _unlike(beside, meant, found["number"], start + found.start())
        for found in _SAID.finditer(clause):
            words = [word.lower() for word in _WORD.findall(clause[: found.start()])]
            noun = _NOUN.match(clause, found.end())
            counted = noun[1].lower() if noun else ""
            meant = [
                one
                for one in ones
                if _speaks_of(words, one.code)
                or (one in next_to and (_counts(counted, one.code) or _is_named(counted, one.code)))
            ]
            yield from _unlike(beside, meant, found["number"], start + found.start())


def other_answers(beside: Beside) -> Iterator[Claim]:
    """Yield numbers that a paragraph calls the result, and the only number printed above it is another.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    """
    above = [one for one in beside.outputs if one.chunk.index == beside.paragraph.after]
    alone = len(above) == 1 and above[0].sure and len(above[0].numbers) == 1
    text = beside.paragraph.text
    for found in _ANSWER.finditer(text) if alone else ():
        if not _DOUBT.search(text[max(0, found.start() - _AROUND) : found.start()]):
            yield from _unlike(beside, above, found["number"], found.start("number"))


def other_numbers(beside: Beside, known: frozenset[str]) -> Iterator[Claim]:
    """Yield numbers that are one of another chunk's than the last, but for a digit.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it; those of the last chunk before it are held against all numbers.
    known : frozenset of str
        The numbers of all code and outputs: what is there is meant for that.
    """
    outputs = [one for one in beside.outputs if one.sure and one.chunk.index != beside.paragraph.after]
    among = sum(len(output.numbers) for output in beside.outputs)
    if among > _MANY:
        few = len(beside.outputs) <= _FEW
        outputs = [one for one in outputs if few and len(one.numbers) <= _MANY]
    text = beside.paragraph.text
    for found in numbers_written(text) if outputs else ():
        written = found[0].strip()
        quote = text[max(0, found.start() - _AROUND) : found.end() + _AROUND]
        if (
            plain(written).lstrip("-") in known
            or beside.holds(written)
            or text[found.end() : found.end() + 1] in ("-", "–")
        ):
            continue
        alike = [
            (one.number.text, form, output)
            for output in outputs
            for one in output.numbers
            if ("." in written or written.endswith("%")) == (one.number.place < 0)
            and (form := like(one.number, written))
        ]
        alike = [one for one in alike if are_turned(one[1], plain(written))] or alike
        if len({number for number, _, _ in alike}) != 1:
            continue
        number, form, output = alike[0]
        # Among many, one of two digits is turned by chance.
        certain = is_meant(written, form) and (among <= _FEW or digits_of(written) > _SHORTEST)
        if certain and not is_compared(quote, written, form):
            # As of numbers anywhere, but next to the output.
            above = output.chunk.index <= beside.paragraph.after
            yield Claim(found.start(), written, number, output, above or are_turned(form, plain(written)))


def _unlike(beside: Beside, meant: list[Output], written: str, start: int) -> Iterator[Claim]:
    shown = {one.numbers[0].number.text for one in meant}
    number = meant[0].numbers[0].number if len(shown) == 1 else None
    # Of a fraction, a whole number is what comes next to it, or is enough.
    if number is None or ("." in written) is not _has_a_fraction(number) or beside.holds(written):
        return
    if like(number, written):
        yield Claim(start, written, number.text, meant[0])


def _has_a_fraction(number: Number) -> bool:
    return number.value is not None and number.value != number.value.to_integral_value()


def _is_named(noun: str, code: str) -> bool:
    """Whether a statement calls what it gives as prose calls it, behind the number."""
    return len(noun) >= _SHORT and noun in _WORD.findall(_STRING.sub("", code))


def _clauses(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for end in [*(found.end() for found in _CLAUSE.finditer(text)), len(text)]:
        yield start, text[start:end]
        start = end


def _speaks_of(words: list[str], code: str) -> bool:
    """Whether all names of a statement, or what prose calls them, are among the words of a text.

    Of a measure, its own name is enough where it is one of the last words.
    """
    names = dict.fromkeys(name.lower() for name in _WORD.findall(_STRING.sub("", code)))
    wanted = [name for name in names if name not in _NO_WORDS]
    if len(wanted) >= _FEWEST and all(_is_among(name, words) for name in wanted):
        return True
    measures = [name for name in wanted if name in _OTHERWISE]
    return len(measures) == 1 and _is_among(measures[0], words[-_CLOSE:])


def _counts(noun: str, code: str) -> bool:
    """Whether a statement counts what prose calls so."""
    noun = f"{noun.removesuffix('s')}s"
    return any(noun in _COUNTED.get(name.lower(), ()) for name in _WORD.findall(_STRING.sub("", code)))


def _is_among(name: str, words: list[str]) -> bool:
    return any(word in (name, *_OTHERWISE.get(name, ())) or _begins(name, word) for word in words)


def _begins(name: str, word: str) -> bool:
    return len(name) >= _SHORT and word.startswith(name)
