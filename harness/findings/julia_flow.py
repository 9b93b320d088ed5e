"""What each statement of Julia sets and reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from harness.findings.flow import Part, StatementNames
from harness.findings.julia_locals import loop_variables, own_names
from harness.findings.julia_syntax import INTERPOLATED, OPENING, Token, julia_statements

_ASSIGNS = re.compile(r"=|:=|[-+*/^%÷\\|&⊻~$]=|//=|<<=|>>=|>>>=|\.[-+*/^%÷\\|&]*=")
_NAME = re.compile(r"(?<![\w.])[^\W\d][\w!]*")
_ANYTHING = frozenset(
    {"include", "eval", "@eval", "include_string", "evalfile", "@everywhere", "@enum", "seed!"}
)
_STARTS = frozenset(
    [
        "begin",
        "else",
        "elseif",
        "try",
        "finally",
        "do",
        "const",
        "global",
        "local",
        "outer",
        "return",
        "quote",
        "if",
        "for",
        "while",
        "let",
    ]
) | {";", "\n", "&&", "||", "->", "?"}
"""Behind what a statement, and so the target of an assignment, may begin."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {value: key for key, value in _BRACKETS.items()}


@lru_cache(maxsize=4096)
def julia_parts(code: str) -> tuple[Part, ...]:
    """Read the statements of Julia code.

    Parameters
    ----------
    code : str
        Any number of whole statements.

    Raises
    ------
    NotRead
        It cannot be read.
    """
    return tuple(_part(statement) for statement in julia_statements(code))


def _part(statement: Sequence[Token]) -> Part:
    last = statement[-1]
    line, end_line = statement[0].line, last.line + last.text.count("\n") - (last.kind == "newline")
    names = _Names()
    names.read(statement)
    return names.part(line, end_line, names.plain if names.depth == 0 else set())


class _Names(StatementNames):
    """Names of a statement."""

    def __init__(self) -> None:
        super().__init__()
        self.plain: set[str] = set()
        self.depth = 0

    def read(self, tokens: Sequence[Token]) -> None:
        tokens = _without_macros(tokens)
        words = [token.text for token in tokens]
        first = words[0] if words else ""
        if first in ("using", "import"):
            self.anything = True
            colon = words.index(":") if ":" in words else -1
            self.sets |= {
                t.text for n, t in enumerate(tokens[1:], 1) if t.kind == "name" and (n > colon or colon < 0)
            }
            return
        if first in ("function", "macro"):
            self.definition(tokens[1:])
            return
        if first in ("struct", "mutable", "abstract", "primitive"):
            at = next((n for n, token in enumerate(tokens) if token.kind == "name"), None)
            if at is not None:
                self.sets.add(tokens[at].text)
                self.defines.add(tokens[at].text)
                self.inner |= _read(tokens[at + 1 :]) - {tokens[at].text} - _fields(tokens[at + 1 :])
            return
        if first in ("module", "baremodule"):
            self.sets |= {token.text for token in tokens[1:2]}
            self.inner |= _read(tokens[2:])
            self.anything = True
            return
        if first == "const":
            tokens = tokens[1:]
        self.body(tokens)
        if first == "for":
            end = next((n for n, token in enumerate(tokens) if token.kind == "newline"), len(tokens))
            own = loop_variables(tokens[1:end])
            self.sets, self.reads = self.sets - own, self.reads - own
        if "function" in words or "macro" in words:
            self.within(tokens)

    def body(self, tokens: Sequence[Token]) -> None:
        """Read assignments, and everything else as read."""
        equals = _assignments(tokens)
        self.reads |= _read(tokens)
        for begin, at in equals:
            target = tokens[begin:at]
            if _is_signature(target):
                end = next((n for n in range(at + 1, len(tokens)) if _ends(tokens, at, n)), len(tokens))
                self.signature(target, tokens[at + 1 : end])
                if (begin, at) == (0, equals[0][1]):
                    # Nothing of a short definition is read before it is called.
                    self.reads -= _read(tokens[:end]) - _read(tokens[end:])
                continue
            bases = _bases(target)
            if any(token.kind in ("number", "string") or token.text in ("==", "<", ">") for token in target):
                bases |= {token.text for token in target if token.kind == "name"}  # if x == 1 n = 2 end
            self.sets |= bases
            whole = all(token.kind == "name" or token.text in (",", "(", ")") for token in target)
            if begin == 0 and tokens[at].text == "=" and whole:
                self.plain |= bases
                if bases.isdisjoint(_read(tokens[at + 1 :])):
                    self.reads -= bases
        for place, token in enumerate(tokens[:-2]):
            if token.kind == "name" and token.text.endswith("!") and tokens[place + 1].text == "(":
                given = tokens[place + 2]
                if given.kind == "name":
                    self.sets.add(given.text)
            if token.text in _ANYTHING:
                self.anything = True
        for place, token in enumerate(tokens):
            if token.text == "global":
                self.sets |= {t.text for t in tokens[place + 1 : place + 2] if t.kind == "name"}
            if token.text == "for":
                self.depth += 1

    def within(self, tokens: Sequence[Token]) -> None:
        """Take the functions that are defined inside of a statement for set."""
        for place, token in enumerate(tokens[:-1]):
            if token.text in ("function", "macro") and tokens[place + 1].kind == "name":
                self.sets.add(tokens[place + 1].text)
                self.defines.add(tokens[place + 1].text)

    def definition(self, tokens: Sequence[Token]) -> None:
        end = _signature_end(tokens)
        self.signature(tokens[:end], tokens[end:])

    def signature(self, head: Sequence[Token], body: Sequence[Token]) -> None:
        """Read a function: its name is set, and its body is read when it is called."""
        at = next((n for n, token in enumerate(head) if token.text == "("), len(head))
        called = head[:at]
        name = "".join(token.text for token in called).split("{")[0]
        given = head[at:]
        if not name:
            name, given = "", head
        if "." in name or not re.fullmatch(r"@?[^\W\d][\w!]*", name or "x"):
            # A method for a function of others: Base.show, +.
            self.anything = True
        if name:
            self.sets.add(name.rpartition(".")[2] or name)
            self.defines.add(name.rpartition(".")[2] or name)
        own = {token.text for token in given if token.kind == "name"}
        inside = _Names()
        inside.body(body)
        local = inside.sets | _loop_variables(body)
        self.inner |= (inside.reads | inside.inner) - (own - _types(given)) - local
        self.inner |= _types(given)
        declared = [t.text for n, t in enumerate(body) if n and body[n - 1].text == "global"]
        self.anything = self.anything or inside.anything or bool(declared)
        self.sets |= set(declared)


def _without_macros(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens behind macros at the front, such as ``@time``, which stand for what they are given."""
    while tokens and tokens[0].kind == "name" and tokens[0].text.startswith("@") and len(tokens) > 1:
        if tokens[0].text in _ANYTHING or tokens[1].text == "(":
            break
        tokens = tokens[1:]
    return tokens


def _assignments(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return where the target of each assignment begins, and where its mark stands; not of keywords."""
    found, begin, brackets = [], 0, 0
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.text in _BRACKETS and token.kind == "op":
            opened.append(brackets)
            brackets += 1
        elif token.text in _CLOSING and token.kind == "op":
            brackets = opened.pop() if opened else 0
        elif (
            token.kind == "word"
            and token.text in OPENING
            and brackets
            and token.text in ("begin", "do", "function")
        ):
            brackets = 0
        if brackets:
            continue
        if token.kind == "op" and _ASSIGNS.fullmatch(token.text):
            found.append((begin, place))
            begin = place + 1
        elif token.text in _STARTS or token.kind == "newline":
            begin = place + 1
    return found


def _ends(tokens: Sequence[Token], at: int, place: int) -> bool:
    """Whether a definition in short form that begins at one place has ended at another."""
    if tokens[place].kind != "newline":
        return False
    depth = 0
    for token in tokens[at:place]:
        if token.text in _BRACKETS or (token.kind == "word" and token.text in OPENING):
            depth += 1
        elif token.text in _CLOSING or (token.kind == "word" and token.text == "end"):
            depth -= 1
    return depth <= 0


def _is_signature(target: Sequence[Token]) -> bool:
    """Whether a target is a name with arguments in brackets: the short form of a function."""
    if len(target) < 3 or not any(token.text == "(" for token in target):
        return False
    at = next(n for n, token in enumerate(target) if token.text == "(")
    head = target[:at]
    if not head or target[at].blank or any(token.text in (",", "[") for token in head):
        return False
    return all(token.kind in ("name", "op") for token in head)


def _signature_end(tokens: Sequence[Token]) -> int:
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.text in _BRACKETS) - (token.text in _CLOSING)
        if not depth and token.kind == "newline":
            return place
        if not depth and token.text == ";":
            return place
    return len(tokens)


def _bases(target: Sequence[Token]) -> set[str]:
    """The names that an assignment sets, or of which it sets a part."""
    found, depth, fresh = set(), 0, True
    plain = list(target)
    while plain and plain[0].text == "(" and plain[-1].text == ")":
        plain = plain[1:-1]
    for token in plain:
        if token.kind == "op" and token.text in _BRACKETS:
            depth += 1
        elif token.kind == "op" and token.text in _CLOSING:
            depth -= 1
        elif not depth and token.text in (",", ";"):
            fresh = True
        elif not depth and fresh and token.kind == "name":
            found.add(token.text)
            fresh = False
    return found


def _fields(tokens: Sequence[Token]) -> set[str]:
    """The fields that stand in a type, each on a line of its own or with a type behind it."""
    return {
        token.text
        for place, token in enumerate(tokens)
        if token.kind == "name"
        and (tokens[place - 1].kind == "newline" or tokens[place - 1].text == ";")
        and place + 1 < len(tokens)
        and (tokens[place + 1].kind == "newline" or tokens[place + 1].text in ("::", ";", "end"))
    }


def _loop_variables(tokens: Sequence[Token]) -> set[str]:
    found = set()
    for place, token in enumerate(tokens):
        if token.text in ("for", "let", "do", "catch", "local"):
            for other in tokens[place + 1 :]:
                if other.kind == "name":
                    found.add(other.text)
                elif other.text not in (",", "(", ")"):
                    break
        if token.text == "->":
            before = place - 1
            while before >= 0 and (tokens[before].kind == "name" or tokens[before].text in (",", "(", ")")):
                found |= {tokens[before].text} if tokens[before].kind == "name" else set()
                if tokens[before].text == "(" or (
                    tokens[before].kind == "name" and tokens[place - 1].text != ")"
                ):
                    break
                before -= 1
    return found


def _types(given: Sequence[Token]) -> set[str]:
    """The names of types among a function's arguments, and those that defaults begin with."""
    found = set()
    for place, token in enumerate(given):
        if token.kind == "name" and place and given[place - 1].text in ("::", "=", "<:", "{"):
            found.add(token.text)
    return found


def _read(tokens: Sequence[Token]) -> set[str]:
    """All names but fields, symbols, keywords, and the variables of comprehensions and small functions."""
    found: set[str] = set()
    depth = 0
    own = own_names(tokens)
    for place, token in enumerate(tokens):
        depth += (token.text in _BRACKETS) - (token.text in _CLOSING)
        if token.kind == "string":
            for group, name in INTERPOLATED.findall(token.text):
                found |= ({name} if name else set(_NAME.findall(group))) - own[place]
        if token.kind != "name":
            continue
        before = tokens[place - 1].text if place else ""
        earlier = tokens[place - 2] if place > 1 else None
        after = tokens[place + 1].text if place + 1 < len(tokens) else ""
        symbol = before == ":" and not token.blank
        symbol = symbol and (
            earlier is None or tokens[place - 1].blank or earlier.text in ("(", ",", "=", "[", "=>")
        )
        keyword = depth > 0 and after == "=" and before in ("(", ",", ";")
        if before != "." and not symbol and not keyword and token.text not in ("end", *own[place]):
            found.add(token.text)
    return found
