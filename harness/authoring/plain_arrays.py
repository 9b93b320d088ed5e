"""Functions of JavaScript that take plain arrays, as most code does, and no object with shape and data.

Nothing is parsed: a parameter is a plain array where the function's text indexes it, walks over it, or asks
it for what arrays have (``length``, ``map``, ``reduce``, ...), itself or in a function that it is passed to,
and never for ``shape`` or ``data``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import msgspec

from harness.authoring.adapt import Adapter
from harness.authoring.read_words import bracketed, exported, parts, without_comments
from harness.authoring.sources import Function, Source

_LISTS = """\
const asLists = (array) => {
  if (array === null || typeof array !== "object" || /complex|float16/.test(array.dtype)) return array;
  const numbers = Array.from(array.data, array.dtype === "bool" ? Boolean : Number);
  const nested = (list, [size, ...sizes]) => {
    if (sizes.length === 0) return list;
    const step = sizes.reduce((a, b) => a * b, 1);
    return Array.from({ length: size }, (_, at) => nested(list.slice(at * step, (at + 1) * step), sizes));
  };
  return nested(numbers, array.shape);
};
"""
"""What makes plain arrays, nested where there are several dimensions, of what a stage is given."""

_FLOATS = """\
const asFloats = (value, ...given) => {
  const shape = [], numbers = [value].flat(Infinity);
  const isFloat = given.some((array) => array?.dtype === "float32")
    && numbers.every((each) => typeof each === "number");
  for (let part = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  return isFloat ? { dtype: "float32", shape, data: Float32Array.from(numbers) } : value;
};
"""
"""What rounds the numbers that come back where the stage was given float32: plain arrays hold doubles."""

_METHODS = (
    "at|concat|entries|every|filter|find|findIndex|flat|flatMap|forEach|includes|indexOf|join|keys|length|map"
    "|pop|push|reduce|reduceRight|reverse|shift|slice|some|sort|splice|toSorted|unshift|values"
)


def with_lists(source: Source, found: Sequence[Adapter], *, short: bool = False) -> list[Adapter]:
    """The adapters, with plain arrays as the arguments that are used so.

    Parameters
    ----------
    source : Source
        A file in JavaScript.
    found : sequence of Adapter
        How its functions are called as stages.
    short : bool
        Whether the case has float32, too.
    """
    bodies = _bodies(source)
    adapted = []
    for adapter in found:
        function = source.function(adapter.function)
        names = [argument.name for argument in function.arguments] if function is not None else []
        arguments = tuple(
            f"asLists({given})" if _is_plain(source, bodies, adapter.function, name, ()) else given
            for given, name in zip(adapter.arguments, names, strict=False)
        )
        arguments += adapter.arguments[len(arguments) :]
        is_short = short and arguments != adapter.arguments and len(adapter.step.outputs) == 1
        through = "asFloats" if is_short else ""
        adapted.append(msgspec.structs.replace(adapter, arguments=arguments, through=through))
    return adapted


def needed(found: Sequence[Adapter]) -> str:
    """The functions that these adapters call."""
    lists = any("asLists(" in argument for adapter in found for argument in adapter.arguments)
    floats = any(adapter.through for adapter in found)
    return "".join(f"\n{text}" for text, there in ((_LISTS, lists), (_FLOATS, floats)) if there)


def unexported(source: Source, names: Sequence[str]) -> str:
    """The text of a module that no longer exports these names, with as many lines."""
    text = source.text
    for name in names:
        if name not in exported(source):
            continue
        word = r"(?:async[ \t]+)?(?:function[ \t*]*|const[ \t]+|let[ \t]+|var[ \t]+)"
        begins = rf"^export[ \t]+({word}{re.escape(name)}(?![\w$]))"
        text = re.sub(begins, r"\1", text, flags=re.MULTILINE)
        text = re.sub(
            r"^(export\s*\{)([^}]*)(\})", functools.partial(_less, name=name), text, flags=re.MULTILINE
        )
    return text


def _less(found: re.Match[str], name: str) -> str:
    """A list of exports without a name."""
    return found[1] + ",".join(each for each in found[2].split(",") if each.split()[-1:] != [name]) + found[3]


def _bodies(source: Source) -> dict[str, str]:
    """The text of each function, from its first line to the next function's."""
    lines = without_comments(source.text, source.runtime).split("\n")
    begins = sorted(function.line for function in source.functions)
    ends = dict(zip(begins, [line - 1 for line in (*begins[1:], len(lines) + 1)], strict=False))
    return {
        function.name: "\n".join(lines[function.line - 1 : ends[function.line]])
        for function in source.functions
    }


def _is_plain(
    source: Source, bodies: dict[str, str], function: str, name: str, seen: tuple[tuple[str, str], ...]
) -> bool:
    """Whether a parameter of a function is used as a plain array."""
    if (function, name) in seen:
        return False
    body, this = bodies.get(function, ""), rf"(?<![\w$.]){re.escape(name)}(?![\w$])"
    if re.search(rf"{this}\s*\??\.\s*(?:shape|data|dtype)\b", body):
        return False
    used = (
        rf"{this}\s*(?:\?\.)?\[",
        rf"{this}\s*\??\.\s*(?:{_METHODS})\b",
        rf"\.\.\.{re.escape(name)}(?![\w$])",
        rf"\bof\s+{this}",
        rf"\bArray\.(?:from|isArray)\(\s*{this}",
    )
    if any(re.search(pattern, body) for pattern in used):
        return True
    seen = (*seen, (function, name))
    return any(
        _is_plain(source, bodies, other.name, taken, seen)
        for other in source.functions
        for taken in _passed(body, name, other)
    )


def _passed(body: str, name: str, other: Function) -> list[str]:
    """The parameters of another function as which a variable is passed to it."""
    found = []
    for call in re.finditer(rf"(?<![\w$.]){re.escape(other.name)}\s*(?=\()", body):
        given = [part.strip() for part in parts(bracketed(body, call.end())[0])]
        found += [
            argument.name for argument, part in zip(other.arguments, given, strict=False) if part == name
        ]
    return found
