"""R and Julia code line by line: what is code, what is a comment, and where a statement ends."""

from __future__ import annotations

import re

import msgspec

_OPENERS = frozenset(
    {"function", "if", "for", "while", "let", "begin", "try", "quote", "module", "struct", "macro", "do"}
)
_WORD = re.compile(r"[^\W\d][\w!.]*")
_RAW = re.compile(r"[rR](['\"])(-*)([(\[{])")
_GOES_ON = {
    "r": re.compile(r"(?:%[^%\s]*%|\|>|[-+*/^<>=,~&|!$@:]|\belse)$"),
    "julia": re.compile(r"(?:[-+*/^<>=,&|÷\\~:?]|\|>|&&|\|\|)$"),
}
_CLOSING = {")": "(", "]": "[", "}": "{"}


class ScannedLine(msgspec.Struct):
    """One line: its code without the comment, the comment from its ``#`` on, and whether a statement ends."""

    code: str
    comment: str = ""
    ends: bool = False


def scan(code: str, language: str) -> list[ScannedLine] | None:
    """Split R or Julia code into lines.

    Parameters
    ----------
    code : str
        Whole statements.
    language : {"r", "julia"}
        Its language.

    Returns
    -------
    list of ScannedLine or None
        None where brackets or blocks do not pair, so that nothing certain can be said.
    """
    scanner = _Scanner(code, language)
    return scanner.lines if scanner.run() else None


class _Scanner:
    def __init__(self, code: str, language: str) -> None:
        self.code, self.language = code, language
        self.lines = [ScannedLine("")]
        self.open: list[str] = []
        self.at = 0

    def run(self) -> bool:
        """Read all of it; say whether everything that was opened was closed."""
        while self.at < len(self.code):
            char = self.code[self.at]
            if char == "\n":
                self._end_line()
                self._take(1, keep=False)
                self.lines.append(ScannedLine(""))
            elif char == "#":
                if not self._comment():
                    return False
            elif self._opens_text(char):
                if not self._text(char):
                    return False
            elif char in "([{":
                self.open.append(char)
                self._take(1)
            elif char in ")]}":
                if not self.open or self.open.pop() != _CLOSING[char]:
                    return False
                self._take(1)
            elif word := _WORD.match(self.code, self.at):
                if not self._word(word[0]):
                    return False
            else:
                self._take(1)
        self._end_line()
        return not self.open

    def _take(self, count: int, *, keep: bool = True) -> None:
        if keep:
            self.lines[-1].code += self.code[self.at : self.at + count]
        self.at += count

    def _end_line(self) -> None:
        line = self.lines[-1]
        code = line.code.strip()
        line.ends = bool(code) and not self.open and not _GOES_ON[self.language].search(code)

    def _comment(self) -> bool:
        if self.language == "julia" and self.code.startswith("#=", self.at):
            depth = 0
            for mark in re.finditer("#=|=#", self.code[self.at :]):  # such comments nest
                depth += 1 if mark[0] == "#=" else -1
                if depth == 0:
                    self._skip_to(self.at + mark.end())
                    return True
            return False
        end = self.code.find("\n", self.at)
        end = len(self.code) if end < 0 else end
        self.lines[-1].comment = self.code[self.at : end]
        self.at = end
        return True

    def _opens_text(self, char: str) -> bool:
        if char in '"`':
            return True
        if char != "'":
            return False
        before = self.lines[-1].code[-1:]
        # Behind a name or a bracket, Julia's ' is the adjoint.
        return self.language == "r" or not (before.isalnum() or before in (")", "]", "}", "'", "_", "!"))

    def _text(self, quote: str) -> bool:
        if self.language == "julia" and self.code.startswith(quote * 3, self.at):
            quote *= 3
        start = self.at + len(quote)
        at = start
        while at < len(self.code):
            if self.code[at] == "\\":
                at += 2
            elif self.code.startswith(quote, at):
                self._skip_to(at + len(quote))
                return True
            elif self.language == "julia" and self.code.startswith("$(", at):
                at = self._interpolated(at + 2)
            else:
                at += 1
        return False

    def _interpolated(self, at: int) -> int:
        depth = 1
        while at < len(self.code) and depth:
            depth += {"(": 1, ")": -1}.get(self.code[at], 0)
            at += 1
        return at

    def _skip_to(self, end: int) -> None:
        """Take text that may go over several lines."""
        pieces = self.code[self.at : end].split("\n")
        for number, piece in enumerate(pieces):
            if number:
                self.lines[-1].ends = False
                self.lines.append(ScannedLine(""))
            self.lines[-1].code += piece
        self.at = end

    def _word(self, word: str) -> bool:
        if self.language == "r":
            raw = _RAW.match(self.code, self.at)
            if raw is not None:
                closing = {"(": ")", "[": "]", "{": "}"}[raw[3]] + raw[2] + raw[1]
                end = self.code.find(closing, raw.end())
                if end < 0:
                    return False
                self._skip_to(end + len(closing))
                return True
        elif "." not in word and not self.lines[-1].code.endswith((":", ".")):
            block = not self.open or self.open[-1] not in "([{"
            typed = word == "type" and re.search(r"\b(?:abstract|primitive)\s+$", self.lines[-1].code)
            if block and (word in _OPENERS or typed):
                self.open.append(word)
            elif block and word == "end":
                if not self.open:
                    return False
                self.open.pop()
        self._take(len(word))
        return True
