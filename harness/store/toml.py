"""TOML files with the line of every key, so that every error can name its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from bisect import bisect_right
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from harness.errors import HarnessError
from harness.store.regular_file import read_regular
from harness.store.utf8 import decode_utf8

T = TypeVar("T")
Key = str | int

MOST_BYTES = 1 << 20
"""Bytes that a TOML file may have."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
# Reading a key takes time and memory by the square of its parts.
_DOTTED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"(?:\\.|[^"\\\n]){0,200}+"|'[^'\n]{0,200}+')[ \t]*+\.[ \t]*+){100}"""
)
_SCALAR = re.compile(r"[^,\]}#\n]+")
_SPACE = re.compile(r"(?:\s|#[^\n]*)*")
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<where>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


class Toml:
    """A parsed TOML file; every key's line is known.

    Parameters
    ----------
    path : Path
        The file.
    error : type of HarnessError
        What to raise when something in the file is not as it should be.

    Raises
    ------
    HarnessError
        The given ``error``, if the file is missing, is not UTF-8, or is not TOML; with the line.
    """

    def __init__(self, path: Path, error: type[HarnessError]) -> None:
        self.path = path
        self.error = error
        try:
            raw = read_regular(path, MOST_BYTES)
        except OSError as problem:
            raise error(f"cannot be read: {problem.strerror}", path=path) from problem
        text = decode_utf8(raw, path, error).replace("\r\n", "\n")
        if (dotted := _DOTTED.search(text)) is not None:
            line = text.count("\n", 0, dotted.start()) + 1
            raise error(
                "has a key of more than 100 parts", path=path, line=line, advice="use few parts and dots"
            )
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as problem:
            raise _syntax_error(problem, text, path, error) from problem
        self._lines = _Scanner(text).scan()

    def line(self, *place: Key) -> int | None:
        """Return the line, counted from 1, of a key or of the nearest table around it."""
        for end in range(len(place), 0, -1):
            if place[:end] in self._lines:
                return self._lines[place[:end]]
        return None

    def refuse(self, message: str, *place: Key, advice: str = "") -> HarnessError:
        """Return an error that names this file and the line of ``place``."""
        return self.error(message, path=self.path, line=self.line(*place), advice=advice)

    def convert(self, kind: type[T], *place: Key) -> T:
        """Return what stands at ``place`` as a typed value; unknown keys and wrong types are refused.

        Raises
        ------
        HarnessError
            The file's ``error``, with the line of the offending key.
        """
        value: Any = self.data
        for depth, key in enumerate(place):
            inside = value if isinstance(value, dict | list) else ()
            if key not in (inside if isinstance(inside, dict) else range(len(inside))):
                around = _dotted(place[:depth])
                raise self.refuse(
                    f"{str(key)!r} is missing from {around}", *place, advice=f"add {str(key)!r}"
                )
            value = inside[key]  # type: ignore[index]
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as problem:
            raise self._explain(str(problem), kind, place) from problem

    def _explain(self, problem: str, kind: type, place: tuple[Key, ...]) -> HarnessError:
        match = _PLACE.match(problem)
        assert match is not None
        what = match["what"]
        steps: tuple[Key, ...] = tuple(
            name or int(index) for name, index in _STEP.findall(match["where"] or "")
        )
        here = msgspec.inspect.type_info(kind)
        for step in steps:
            here = _inside(here, step)
        name = _dotted((*place, *steps))
        if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
            known = [field.encode_name for field in _fields(here)]
            close = difflib.get_close_matches(unknown[1], known, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(known)}"
            return self.refuse(
                f"unknown key {unknown[1]!r} in {name}", *place, *steps, unknown[1], advice=advice
            )
        if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
            return self.refuse(
                f"{missing[1]!r} is missing from {name}", *place, *steps, advice=f"add {missing[1]!r}"
            )
        if wrong := re.fullmatch(r"Invalid enum value (.*)", what, re.DOTALL):
            return self.refuse(
                f"{name} is {wrong[1]}", *place, *steps, advice=f"use one of: {', '.join(_choices(here))}"
            )
        plain = re.sub(r"`([^`]*)`", lambda words: _plain(words[1]), what)
        return self.refuse(
            f"{name}: {plain[:1].lower()}{plain[1:]}", *place, *steps, advice="correct the type"
        )


def _plain(words: str) -> str:
    return " or ".join(_WORDS.get(word, word) for word in words.split(" | "))


def _dotted(place: tuple[Key, ...]) -> str:
    """Write a place as in ``stage[3].tolerance.rule``, counted from 1."""
    text = "".join(f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in place)
    return text.removeprefix(".") or "the file"


def _alternatives(kind: msgspec.inspect.Type) -> tuple[msgspec.inspect.Type, ...]:
    return kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)


def _inside(kind: msgspec.inspect.Type, step: Key) -> msgspec.inspect.Type:
    for alternative in _alternatives(kind):
        if isinstance(alternative, msgspec.inspect.StructType) and isinstance(step, str):
            return next(field.type for field in alternative.fields if field.encode_name == step)
        if isinstance(alternative, msgspec.inspect.CollectionType) and isinstance(step, int):
            return alternative.item_type
    return msgspec.inspect.AnyType()


def _fields(kind: msgspec.inspect.Type) -> tuple[msgspec.inspect.Field, ...]:
    return next(
        (
            alternative.fields
            for alternative in _alternatives(kind)
            if isinstance(alternative, msgspec.inspect.StructType)
        ),
        (),
    )


def _choices(kind: msgspec.inspect.Type) -> list[str]:
    for alternative in _alternatives(kind):
        if isinstance(alternative, msgspec.inspect.LiteralType):
            return [str(value) for value in alternative.values]
        if isinstance(alternative, msgspec.inspect.EnumType):
            return [str(member.value) for member in alternative.cls]
    return []


def _syntax_error(problem: Exception, text: str, path: Path, error: type[HarnessError]) -> HarnessError:
    if isinstance(problem, RecursionError):
        return error("is nested too deeply", path=path)
    what = str(problem)
    line: int | None = None
    if place := re.search(r" \(at line (\d+), column (\d+)\)$", what):
        line, what = int(place[1]), f"{what[: place.start()]} (column {place[2]})"
    elif what.endswith(" (at end of document)"):
        line, what = max(text.rstrip("\n").count("\n") + 1, 1), what.removesuffix(" (at end of document)")
    return error(f"is not TOML: {what}", path=path, line=line, advice="correct the syntax")


class _Scanner:
    """Finds the line of every key and item of a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.breaks = [index for index, letter in enumerate(text) if letter == "\n"]
        self.lines: dict[tuple[Key, ...], int] = {}
        self.counts: dict[tuple[Key, ...], int] = {}

    def scan(self) -> dict[tuple[Key, ...], int]:
        table: tuple[Key, ...] = ()
        at = self._skip(0)
        while at < len(self.text):
            if self.text[at] == "[":
                listed = self.text.startswith("[[", at)
                keys, end = self._key(at + 1 + listed)
                table = self._header(keys, at, listed)
                at = end + 1 + listed
            else:
                at = self._pair(at, table)
            at = self._skip(at)
        return self.lines

    def _mark(self, place: tuple[Key, ...], at: int) -> None:
        self.lines.setdefault(place, bisect_right(self.breaks, at - 1) + 1)

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def _header(self, keys: tuple[str, ...], at: int, listed: bool) -> tuple[Key, ...]:
        place: tuple[Key, ...] = ()
        for number, key in enumerate(keys, 1):
            place = (*place, key)
            self._mark(place, at)
            if listed and number == len(keys):
                self.counts[place] = self.counts.get(place, -1) + 1
            if place in self.counts:
                place = (*place, self.counts[place])
                self._mark(place, at)
        return place

    def _key(self, at: int) -> tuple[tuple[str, ...], int]:
        parts: list[str] = []
        while True:
            at = self._skip(at)
            match = _STRING.match(self.text, at) or _BARE.match(self.text, at)
            assert match is not None
            part = match[0]
            parts.append(tomllib.loads(f"key = {part}")["key"] if part[0] in "\"'" else part)
            at = self._skip(match.end())
            if not self.text.startswith(".", at):
                return tuple(parts), at
            at += 1

    def _pair(self, at: int, table: tuple[Key, ...]) -> int:
        keys, end = self._key(at)
        for count in range(1, len(keys) + 1):
            self._mark((*table, *keys[:count]), at)
        return self._value(self._skip(end + 1), (*table, *keys))

    def _value(self, at: int, place: tuple[Key, ...]) -> int:
        self._mark(place, at)
        opening = self.text[at]
        if opening not in "[{":
            match = _STRING.match(self.text, at) or _SCALAR.match(self.text, at)
            assert match is not None
            return match.end()
        closing = "]" if opening == "[" else "}"
        at = self._skip(at + 1)
        count = 0
        while self.text[at] != closing:
            at = self._value(at, (*place, count)) if opening == "[" else self._pair(at, place)
            count += 1
            at = self._skip(at)
            if self.text[at] == ",":
                at = self._skip(at + 1)
        return at + 1
