"""Faults in the words of a source file of C, C++, Fortran, JavaScript, Octave or Julia: none is parsed here.

Comments and texts are passed over. A change that the language refuses is found like any other wrong program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from harness.audit.types import Change, InjectedFault


class Words(NamedTuple):
    """How a language writes what faults are made of.

    ``comments`` are texts and comments, ``begins`` the line of a definition with its name and its parameters;
    ``single`` rounds ``{}`` to float32 and gives it back as float64; ``axis`` is a number that names a
    dimension; ``transposed`` what turns a matrix, and what is left without that.
    """

    comments: str
    begins: str
    single: str
    axis: str = ""
    transposed: tuple[str, str] = ("", "")


_OF_C = Words(
    comments=r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|^[ \t]*#[^\n]*",
    begins=r"^(?!typedef|return|else)[A-Za-z_][\w \t*]*?\b(?P<name>\w+)\s*\((?P<takes>[^;{]*?)\)\s*\{",
    single="((double)(float)({}))",
)
LANGUAGES: Mapping[str, Words] = {
    "c": _OF_C,
    "cpp": _OF_C,
    "fortran": Words(
        comments=r"![^\n]*|\"[^\"\n]*\"|'[^'\n]*'|^[ \t]*#[^\n]*|^[^\n]*::[^\n]*|^[ \t]*implicit[^\n]*",
        begins=r"^[ \t]*(?:[\w() ]+ )?(?:subroutine|function)\s+(?P<name>\w+)\s*\((?P<takes>[^)]*)\)[^\n]*",
        single="real(real({}, 4), 8)",
        axis=r"(?<=dim=)\d",
        transposed=(r"\btranspose\((?P<what>\w+)\)", r"\g<what>"),
    ),
    "julia": Words(
        comments=r"#=.*?=#|#[^\n]*|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\])*\"|^(?:using|import)\b[^\n]*",
        begins=r"^(?P<long>function\s+)?(?P<name>[^\W\d][\w!]*)\((?P<takes>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)"
        r"(?(long)|[^=\n]*=(?![=>]))",
        single="Float64.(Float32.({}))",
        axis=r"(?:(?<=dims = )|(?<=dims=)|(?<=, ))[12](?=[,)])",
        transposed=(r"(?<=[\w)\]])'|\b(?:transpose|permutedims|adjoint)\((?P<what>\w+)\)", r"\g<what>"),
    ),
    "node": Words(
        comments=r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|^import[^\n]*",
        begins=r"^(?:export )?(?:async )?(?:const|let|function)\s+(?P<name>\w+)\s*=?\s*\(?(?P<takes>[^)=]*)",
        single="Math.fround({})",
    ),
    "octave": Words(
        comments=r"[%#][^\n]*|\"(?:\\.|[^\"\\\n])*\"|(?<![\w)\]}'.])'[^'\n]*'",
        begins=r"^\s*function\s+(?:[^=(\n]*=\s*)?(?P<name>\w+)\s*(?:\((?P<takes>[^)]*)\))?",
        single="double(single({}))",
        axis=r"(?<=, )[12](?=\))",
        transposed=(r"(?<=[\w)\]])\.?'", ""),
    ),
}

_OPERAND, _NEXT = r"(?<=[\w)\]'.])", r"(?=[\w(.\[])"
_SIGNS = re.compile(rf"{_OPERAND} \.?(?P<sign>[+-]) {_NEXT}|(?<= )(?P<added>[+-])(?== )")
_NUMBER = re.compile(r"(?<![\w.)\]])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.(])")
_ROOT = re.compile(r"\b(?:Math\.|std::)?sqrt\.?(?=\()")
_ROUNDED = re.compile(r"\b(?:Math\.|std::)?(?:exp|log|tanh)\.?(?=\()")
_MAX = r"\w*(?:max|largest)\w*(?:\.\w+)*(?:\[[^\]]*\])*(?:\([^()]*\))?"
_LARGEST = re.compile(rf"\s\.?-\s(?:spread\({_MAX}[^()]*\)|{_MAX})", re.IGNORECASE)


class Edit(NamedTuple):
    """What stands from ``first`` to ``last`` is replaced."""

    fault: InjectedFault
    first: int
    last: int
    now: str


def changes(text: str, language: str) -> Iterator[Change]:
    """Every fault in every place of a file where it can be.

    Parameters
    ----------
    text : str
        The source.
    language : str
        A key of `LANGUAGES`.

    Yields
    ------
    Change
        The whole source with one fault.
    """
    words = LANGUAGES[language]
    plain = _masked(text, words)
    for name, first, last, _ in _definitions(plain, words):
        edits = [edit for rule in _RULES for edit in rule(plain, first, last, words)]
        for edit in sorted(set(edits), key=lambda edit: (edit.first, edit.last, edit.fault, edit.now)):
            yield Change(
                fault=edit.fault,
                definition=name,
                line=text.count("\n", 0, edit.first) + 1,
                was=_short(text[edit.first : edit.last]),
                now=_short(edit.now) or "nothing",
                text=text[: edit.first] + edit.now + text[edit.last :],
            )


def uses(text: str, language: str) -> Mapping[str, frozenset[str]]:
    """Return, by definition, the names that it uses other than its parameters."""
    words = LANGUAGES[language]
    plain = _masked(text, words)
    return {
        name: frozenset(re.findall(r"[^\W\d]\w*", plain[first:last])) - frozenset(re.findall(r"\w+", takes))
        for name, first, last, takes in _definitions(plain, words)
    }


def _masked(text: str, words: Words) -> str:
    """The source with blanks for comments and texts, each character in its place."""
    pattern = re.compile(words.comments, re.MULTILINE | re.DOTALL)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _definitions(plain: str, words: Words) -> Iterator[tuple[str, int, int, str]]:
    """Each function's name, where its body begins and ends, and its parameters."""
    found = list(re.finditer(words.begins, plain, re.MULTILINE))
    for match, following in zip(found, [*found[1:], None], strict=True):
        last = len(plain) if following is None else following.start()
        yield match["name"], match.end(), last, match["takes"] or ""


def _scale(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    for match in _ROOT.finditer(plain, first, last):
        inside = _inside(plain, match.end())
        yield Edit(InjectedFault.SCALE, match.start(), inside[1], plain[match.end() : inside[1]])


def _sign(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    shifts = [edit.first for edit in _maximum(plain, first, last, words)]
    for match in _SIGNS.finditer(plain, first, last):
        key = "sign" if match["sign"] else "added"
        if match.start() not in shifts:
            other = "-" if match[key] == "+" else "+"
            yield Edit(InjectedFault.SIGN, match.start(key), match.end(key), other)


def _constant(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    axes = {edit.first for edit in _axis(plain, first, last, words)}
    for match in _NUMBER.finditer(plain, first, last):
        if match.start() not in axes:
            number = match[0]
            more = str(int(number) + 1) if number.isdigit() else repr(float(number) + 1)
            yield Edit(InjectedFault.CONSTANT, match.start(), match.end(), more)


def _axis(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    if words.axis:
        for match in re.compile(words.axis).finditer(plain, first, last):
            yield Edit(InjectedFault.AXIS, match.start(), match.end(), "2" if match[0] == "1" else "1")


def _maximum(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    for called in _ROUNDED.finditer(plain, first, last):
        for match in _LARGEST.finditer(plain, *_inside(plain, called.end())):
            yield Edit(InjectedFault.MAXIMUM, match.start(), match.end(), "")


def _transpose(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    pattern, left = words.transposed
    if pattern:
        for match in re.compile(pattern).finditer(plain, first, last):
            yield Edit(InjectedFault.TRANSPOSE_REMOVED, match.start(), match.end(), match.expand(left))


def _single(plain: str, first: int, last: int, words: Words) -> Iterator[Edit]:
    for match in _ROUNDED.finditer(plain, first, last):
        begin, end = _inside(plain, match.end())
        begin, end = begin + 1, end - 1
        yield Edit(InjectedFault.SINGLE_INSIDE, begin, end, words.single.format(plain[begin:end]))


_RULES: tuple[Callable[[str, int, int, Words], Iterator[Edit]], ...] = (
    *(_scale, _axis, _maximum, _transpose, _sign, _constant, _single),
)


def _inside(plain: str, at: int) -> tuple[int, int]:
    """Where parentheses that open at a place begin and end."""
    depth = 0
    for place in range(at, len(plain)):
        depth += {"(": 1, ")": -1}.get(plain[place], 0)
        if not depth:
            return at, place + 1
    return at, len(plain)


def _short(text: str) -> str:
    return " ".join(text.split())[:120]
