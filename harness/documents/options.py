"""Chunk options: knitr's header, and ``#|`` lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from harness.documents.languages import canonical
from harness.documents.model import Note
from harness.errors import DocumentError

if TYPE_CHECKING:
    import yaml

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L?")
_STRING = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", re.DOTALL)
_ENGINE = re.compile(r"\s*([\w.+-]+)\s*(.*)", re.DOTALL)
_NAMED = re.compile(r"\s*`?([A-Za-z.][\w.-]*)`?\s*=(?!=)\s*(.*)", re.DOTALL)
_KEY = re.compile(r"[^\s:=][^:=]*:(\s|$)")
_LITERALS: dict[str, Any] = {
    "TRUE": True,
    "T": True,
    "FALSE": False,
    "F": False,
    "NULL": None,
    "NA": None,
    "Inf": float("inf"),
    "-Inf": float("-inf"),
    "NaN": float("nan"),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_ELSEWHERE = frozenset({"code", "file"})
_TAB = re.compile(r"(?m)(?<=:)\t+|[ \t]*\t[ \t]*$")
"""What R's and Quarto's readers of YAML pass over, and Python's refuses."""
_LONGEST_YAML = 100_000
_DEEPEST_YAML = 50
PREFIX = "#|"


class Expression(msgspec.Struct, frozen=True):
    """An option that only R could evaluate."""

    text: str


class Options(msgspec.Struct, frozen=True):
    """One chunk's options by normalised name; expressions are kept as text, and named in the notes."""

    label: str = ""
    values: dict[str, Any] = {}
    expressions: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()

    def flag(self, name: str, default: bool) -> bool:
        """Return an option that is true or false; anything else that was given counts as true."""
        value = self.values.get(name, default)
        if name in self.expressions:
            return default
        return value if isinstance(value, bool) else value is not None


def parse_header(inside: str, *, path: Path, line: int) -> tuple[str, Options]:
    """Parse what stands between the braces of ``{r label, eval = FALSE}``.

    Returns
    -------
    tuple of str and Options
        The language, which the option ``engine`` overrides, and the options.

    Raises
    ------
    DocumentError
        If no engine is named, or a bracket or quote is left open.
    """
    head = _ENGINE.fullmatch(inside)
    if head is None:
        raise DocumentError(f"a chunk names no engine: {{{inside}}}", path=path, line=line)
    options = _arguments(head[2].lstrip(","), path=path, line=line)
    engine = options.values.get("engine")
    return canonical(engine if isinstance(engine, str) else head[1]), options


def split_comments(code: str) -> tuple[list[str], str]:
    """Split the leading ``#|`` lines off a chunk's code."""
    lines = code.split("\n")
    count = next((n for n, text in enumerate(lines) if not text.lstrip().startswith(PREFIX)), len(lines))
    stripped = [text.lstrip().removeprefix(PREFIX) for text in lines[:count]]
    return stripped, "\n".join(lines[count:])


def parse_comments(lines: list[str], *, path: Path, line: int) -> Options:
    """Parse ``#|`` lines, their prefix taken off: YAML, or knitr's ``name = value`` form.

    Raises
    ------
    DocumentError
        If they are neither; ``line`` is that of the first of them.
    """
    if not any(text.strip() for text in lines):
        return Options()
    first = next((text.strip() for text in lines if text.strip() and text.strip()[0] != "#"), "")
    if not _KEY.match(first) and "=" in first:
        return _arguments(" ".join(lines), path=path, line=line)
    mapping = load_yaml("\n".join(lines), what="the chunk's #| options", path=path, line=line)
    return _collect(mapping.items(), line)


def load_yaml(text: str, *, what: str, path: Path, line: int) -> dict[str, Any]:
    """Load a YAML mapping whose first line is ``line`` of the file; ``!expr`` gives an Expression.

    Raises
    ------
    DocumentError
        If it is not YAML, or no mapping.
    """
    import yaml

    if len(text) > _LONGEST_YAML or _depth(text) > _DEEPEST_YAML:
        raise DocumentError(
            f"{what} cannot be read as YAML: too long or nested too deeply", path=path, line=line
        )
    try:
        loaded = yaml.load(_TAB.sub(" ", text), Loader=_loader())
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        why = getattr(problem, "problem", None) or str(problem) or type(problem).__name__
        raise DocumentError(
            f"{what} cannot be read as YAML: {why}", path=path, line=line + (mark.line if mark else 0)
        ) from problem
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise DocumentError(f"{what} cannot be read as YAML of the form `key: value`", path=path, line=line)
    return {str(key): value for key, value in loaded.items()}


def merge(*layers: Options) -> Options:
    """Merge options; later ones override earlier ones."""
    values: dict[str, Any] = {}
    expressions: set[str] = set()
    for layer in layers:
        values |= layer.values
        expressions = (expressions - set(layer.values)) | layer.expressions
    label = next((layer.label for layer in reversed(layers) if layer.label), "")
    notes = tuple(note for layer in layers for note in layer.notes)
    return Options(label, values, frozenset(expressions), notes)


def defaults(header: dict[str, Any]) -> Options:
    """Return the options that a document's header sets for all chunks: ``execute:`` and knitr's."""
    execute = header.get("execute")
    knitr = header.get("knitr")
    chunk = knitr.get("opts_chunk") if isinstance(knitr, dict) else None
    settings: dict[str, Any] = {}
    if isinstance(execute, dict):
        settings |= execute
        if execute.get("enabled") is False:
            settings["eval"] = False
    if isinstance(chunk, dict):
        settings |= chunk
    return _collect(((str(key), value) for key, value in settings.items()), 1)


def _arguments(text: str, *, path: Path, line: int) -> Options:
    pairs: list[tuple[str, Any]] = []
    label = ""
    for number, argument in enumerate(_split(text, path=path, line=line)):
        named = _NAMED.fullmatch(argument)
        if named is not None:
            pairs.append((named[1], _value(named[2].strip())))
        elif number == 0 and argument.strip():
            label, rest = _bare_label(argument)
            pairs += [(name, _value(value)) for name, value in rest]
        elif argument.strip():
            raise DocumentError(f"a chunk option has no name: {argument.strip()}", path=path, line=line)
    options = _collect(pairs, line)
    return msgspec.structs.replace(options, label=options.label or label)


def _bare_label(argument: str) -> tuple[str, list[tuple[str, str]]]:
    # knitr also takes `{r label echo=FALSE}`, with no comma after the label
    words = argument.strip().split(None, 1)
    named = _NAMED.fullmatch(words[1]) if len(words) == 2 else None
    if named is not None:
        return words[0].strip("\"'"), [(named[1], named[2].strip())]
    return argument.strip().strip("\"'"), []


def _split(text: str, *, path: Path, line: int) -> list[str]:
    """Split at commas outside of quotes and brackets."""
    parts, start, open_, at = [], 0, [], 0
    while at < len(text):
        char = text[at]
        if char in "\"'":
            string = _STRING.match(text, at)
            if string is None:
                raise DocumentError("a quote is left open in the chunk's options", path=path, line=line)
            at = string.end()
            continue
        if char in "([{":
            open_.append(char)
        elif char in ")]}" and (not open_ or open_.pop() != _CLOSING[char]):
            raise DocumentError(f"a `{char}` closes nothing in the chunk's options", path=path, line=line)
        elif char == "," and not open_:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    if open_:
        raise DocumentError(f"a `{open_[-1]}` is left open in the chunk's options", path=path, line=line)
    return [*parts, text[start:]]


def _value(text: str) -> Any:
    if text in _LITERALS:
        return _LITERALS[text]
    if _STRING.fullmatch(text):
        return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1])
    if _NUMBER.fullmatch(text):
        number = float(text.removesuffix("L"))
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return Expression(text)


def _collect(pairs: Iterable[tuple[str, Any]], line: int) -> Options:
    values: dict[str, Any] = {}
    expressions: set[str] = set()
    notes: list[Note] = []
    for key, value in pairs:
        name = key.replace("-", ".")
        expressions.discard(name)
        values[name] = value
        if isinstance(value, Expression):
            values[name] = value.text
            expressions.add(name)
            notes.append(
                Note(line=line, text=f"the option {name} is an R expression, kept as text: {value.text}")
            )
        elif name == "results":
            values[name] = "hide" if value is False else str(value).lower()
        elif name == "output" and value is False:
            values["results"] = "hide"
        elif name == "eval" and not isinstance(value, bool) and value is not None:
            notes.append(Note(line=line, text=f"eval is {value!r}: all of the chunk is taken as evaluated"))
    for name in sorted(values.keys() & _ELSEWHERE):
        notes.append(
            Note(line=line, text=f"the option {name} takes code from elsewhere, which is not followed")
        )
    label = values.get("label")
    named = "" if label is None or "label" in expressions else str(label)
    return Options(named, values, frozenset(expressions), tuple(notes))


def _depth(text: str) -> int:
    """Return how deep brackets are nested at most; deep ones take PyYAML time by the square."""
    depth = deepest = 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        deepest = max(deepest, depth)
    return deepest


def _loader() -> type[yaml.SafeLoader]:
    import yaml

    class Loader(yaml.SafeLoader):
        """A safe loader that keeps R expressions as text."""

    def expression(_: yaml.SafeLoader, node: yaml.Node) -> Expression:
        return Expression(str(node.value))

    for tag in ("!expr", "!r"):
        Loader.add_constructor(tag, expression)
    return Loader
