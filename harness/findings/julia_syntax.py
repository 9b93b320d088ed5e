"""The words of Julia's grammar: code as tokens, and where its top-level statements begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from harness.findings.flow import NotRead

_TOKEN = re.compile(
    r"(?P<blank>[ \t\f\r\u00a0]+)|(?P<comment>\#=|\#[^\n]*)|(?P<newline>\n)"
    r"|(?P<string>(?:[^\W\d]\w*)?\"\"\"(?:\\.|[^\\])*?\"\"\"[a-z]*|(?:[^\W\d]\w*)?\"(?:\\.|[^\"\\])*\"[a-z]*"
    r"|`(?:\\.|[^`\\])*`)"
    r"|(?P<number>0[xob][\da-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d+)(?:[eEf][-+]?\d+)?)"
    r"|(?P<name>@?(?:[^\W\d]|[∂∇∑∏√∞°])(?:[\w!′″‴⁰¹²³⁴-⁹₀-₉]|(?<=!)(?!=))*)"
    r"|(?P<op>\.\.\.|===|!==|>>>=|<<=|>>=|>>>|->|=>|<:|>:|::|:=|\|>|<\||&&|\|\||//=?|==|!=|<=|>=|<<|>>|\.'"
    r"|[-+*/^%÷\\|&⊻~$]=|\.[-+*/^%÷\\|&<>=!≤≥≠]+=?|[^\s\w])",
)
INTERPOLATED = re.compile(r"\$\(([^\"]*)|\$([^\W\d][\w!]*)")
"""What a text takes of code: an expression in brackets, or a name."""
_CHAR = re.compile(r"'(?:\\[^\n]{1,9}?|[^'\\\n])'")
OPENING = frozenset(
    [
        "begin",
        "function",
        "if",
        "for",
        "while",
        "let",
        "try",
        "struct",
        "module",
        "baremodule",
        "macro",
        "quote",
        "do",
        "type",
    ]
)
_WORDS = OPENING | frozenset(
    [
        "end",
        "else",
        "elseif",
        "catch",
        "finally",
        "return",
        "in",
        "isa",
        "where",
        "mutable",
        "abstract",
        "primitive",
        "const",
        "global",
        "local",
        "using",
        "import",
        "export",
        "break",
        "continue",
        "outer",
        "true",
        "false",
        "nothing",
        "missing",
    ]
)
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_GOES_ON = re.compile(
    r"[-+*/^%÷\\|&⊻<>=!≤≥≠∈~,?]|\.[-+*/^%÷\\|&<>=!≤≥≠]+=?|[^\w\s]{2,}|in|isa|where|const|global|local"
)
_NO_END = frozenset({"...", "::", ".'", "'", ")", "]", "}", ";", "$", "@", ":"})


class Token(NamedTuple):
    """A word, and its line, counted from 1; ``kind`` is word, name, string, number, op, newline or end."""

    kind: str
    text: str
    line: int
    blank: bool
    """Whether a blank stands before it."""


def julia_statements(code: str) -> list[list[Token]]:
    """Divide code of Julia into the tokens of its top-level statements.

    Parameters
    ----------
    code : str
        Any number of whole statements.

    Raises
    ------
    NotRead
        It cannot be read: a bracket or a block is left open, or closed twice.
    """
    found: list[list[Token]] = []
    now: list[Token] = []
    opened: list[str] = []
    for token in marked(tokens(code), opened):
        over = token.kind == "newline" or token.text == ";"
        if over and not opened and not (now and token.kind == "newline" and _goes_on(now[-1])):
            if now:
                found.append(now)
            now = []
            continue
        if over and not now:
            continue
        now.append(token)
    if opened:
        raise NotRead(f"{opened[-1]} is left open")
    return [*found, now] if now else found


def marked(found: list[Token], opened: list[str]) -> Iterator[Token]:
    """Yield tokens while keeping what is open; words that open nothing where they stand become names."""
    for place, token in enumerate(found):
        before = found[place - 1] if place else Token("newline", "\n", 0, False)
        text, kind = token.text, token.kind
        if kind == "word" and (before.text == "." or (before.text == ":" and not token.blank)):
            yield token._replace(kind="name")
            continue
        if kind == "op" and text in _BRACKETS:
            opened.append(text)
        elif kind == "op" and text in _BRACKETS.values():
            if not opened or _BRACKETS.get(opened[-1]) != text:
                raise NotRead(f"line {token.line}: {text!r}")
            opened.pop()
        elif kind == "word" and text in OPENING and _opens(token, before, opened):
            opened.append(text)
        elif kind == "word" and text == "end":
            if opened and opened[-1] in _BRACKETS:
                yield token._replace(kind="name")
                continue
            if not opened:
                raise NotRead(f"line {token.line}: end")
            opened.pop()
        yield token


def _opens(token: Token, before: Token, opened: list[str]) -> bool:
    if token.text == "type":
        return before.text in ("abstract", "primitive")
    if opened and opened[-1] in _BRACKETS and token.text in ("for", "if"):
        # In a comprehension they stand behind an expression.
        return before.text in ("(", "[", ",", ";", "=", "->") or before.kind == "newline"
    return True


def _goes_on(last: Token) -> bool:
    return (
        last.text not in _NO_END and last.kind in ("op", "word") and _GOES_ON.fullmatch(last.text) is not None
    )


def tokens(code: str) -> list[Token]:
    """Return the tokens of code, without blanks and comments."""
    found: list[Token] = []
    at, line, blank = 0, 1, False
    while at < len(code):
        if code[at] == "'" and (char := _char(code, at, found, blank)):
            found.append(Token("string", char, line, blank))
            at, blank = at + len(char), False
            continue
        match = _TOKEN.match(code, at)
        if match is None:
            raise NotRead(f"line {line}")
        text, kind = match[0], match.lastgroup or "op"
        if text == "#=":
            text = _nested(code, at)
        if kind in ("blank", "comment"):
            blank = True
        else:
            kind = "word" if kind == "name" and text in _WORDS else kind
            found.append(Token(kind, text, line, blank))
            blank = False
        line += text.count("\n")
        at += len(text)
    return found


def tokens_with_texts(code: str) -> list[Token]:
    """Return the tokens of code, and behind each text in quotation marks those of the code that it holds.

    Parameters
    ----------
    code : str
        Some statements.
    """
    found: list[Token] = []
    for token in tokens(code):
        found.append(token)
        if token.kind == "string" and "$" in token.text:
            for group, name in INTERPOLATED.findall(token.text):
                found.append(token._replace(kind="newline", text="\n"))
                held = tokens(group.removesuffix(")"))
                found += held if group else [token._replace(kind="name", text=name, blank=False)]
            found.append(token._replace(kind="newline", text="\n"))
    return found


def _char(code: str, at: int, found: list[Token], blank: bool) -> str:
    """A character in quotes; nothing where the mark stands behind what it transposes."""
    last = found[-1] if found else None
    behind = last is not None and (
        last.kind in ("name", "number") or last.text in (")", "]", "}", "'", ".", "end")
    )
    match = _CHAR.match(code, at)
    return match[0] if match is not None and not (behind and not blank) else ""


def _nested(code: str, at: int) -> str:
    depth, place = 0, at
    while place < len(code):
        if code.startswith("#=", place):
            depth, place = depth + 1, place + 2
        elif code.startswith("=#", place):
            depth, place = depth - 1, place + 2
            if not depth:
                return code[at:place]
        else:
            place += 1
    raise NotRead("a comment is left open")
