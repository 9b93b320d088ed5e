"""Ways to damage a file: its bytes, its text, and the tree of a JSON or TOML file."""

from __future__ import annotations

import copy
import json
import math
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

LONGEST = 1 << 17
"""Bytes of a damaged file."""

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_NUMBERS = (
    b"0", b"-1", b"-0.0", b"1e308", b"1e999", b"-1e999", b"nan", b"inf", b"NaN", b"Infinity", b"1.5",
    b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"1000000000",
    b"-9223372036854775809", b"1" + b"0" * 25, b"9" * 400, b"9" * 5000, b"true", b'"5"', b"[]", b"{}",
    b"1e-400", b"0x7f", b"00",
)  # fmt: skip
_BYTES = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\r\n", b"\n\n", b"\t", b'"', b"'", b"\\",
    b"[", b"]", b"{", b"}", b"=", b"#", b",", b":", b"`", b"-", b"\x1b[31m", "\u202e".encode(), "é".encode(),
    b"\\u0000", b"\\ud800", b"../../../etc/passwd", b"/dev/zero", b"%s%n", b"\x7f",
)  # fmt: skip
_SIZES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**40, 2**63 - 1, 2**63, 2**64 - 1)
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**40, 2**62, 2**63, 2**64, -(2**63) - 1, 10**25, 10**400, 0.5, -0.0,
    1e308, math.inf, -math.inf, math.nan, "", " ", "x", "5", "NaN", "Infinity", "\0", "\ud800", "\u202e",
    "../../../etc/passwd", "/dev/zero", ".", "..", "a/b", "x" * 3000, "\x1b[31m", "é" * 40, "[", "*", "%s",
    [], {}, [[]], [None], {"": None}, [0] * 40, ["x", 1], [[1, 2], [3]], {"kind": 5}, [2**40, 2**40],
)  # fmt: skip

Dump = Callable[[Any], bytes]


def damage_bytes(rng: random.Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Flip, cut, repeat, overwrite, insert, or splice with another file."""
    buffer = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        begin = rng.randrange(len(buffer) + 1)
        end = min(len(buffer), begin + rng.choice((1, 1, 2, 4, 8, 30, 200)))
        match rng.randrange(9):
            case 0 if begin < len(buffer):
                buffer[begin] ^= 1 << rng.randrange(8)
            case 1 if begin < len(buffer):
                buffer[begin] = rng.randrange(256)
            case 2:
                del buffer[begin:end]
            case 3:
                del buffer[begin:]
            case 4:
                buffer[end:end] = buffer[begin:end] * rng.choice((1, 1, 2, 50, 2000))
            case 5:
                size = rng.choice(_SIZES).to_bytes(8, rng.choice(("little", "big")))
                width = rng.choice((1, 2, 4, 8))
                buffer[begin : begin + width] = size[:width] if rng.random() < 0.5 else size[-width:]
            case 6:
                buffer[begin:begin] = rng.choice((*_BYTES, *words))
            case 7:
                other = rng.choice(others)
                at = rng.randrange(len(other) + 1)
                buffer[begin : begin if rng.random() < 0.5 else None] = other[
                    at : at + rng.choice((8, 100, 5000))
                ]
            case _:
                buffer[begin:end] = bytes(rng.randrange(256) for _ in range(min(end - begin, 8)))
        del buffer[LONGEST:]
    return bytes(buffer)


def damage_text(rng: random.Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Change numbers, move, repeat and drop lines, nest deep, and put words of the format in."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0 | 1:
                numbers = list(_NUMBER.finditer(data))
                if numbers:
                    found = rng.choice(numbers)
                    data = data[: found.start()] + rng.choice(_NUMBERS) + data[found.end() :]
                    continue
            case 2:
                del lines[at]
            case 3:
                lines[at:at] = [lines[at]] * rng.choice((1, 1, 2, 300))
            case 4:
                other = rng.choice(others).split(b"\n")
                place = rng.randrange(len(other))
                lines[at:at] = other[place : place + rng.choice((1, 1, 3, 20))]
            case 5:
                second = rng.randrange(len(lines))
                lines[at], lines[second] = lines[second], lines[at]
            case 6:
                opening = rng.choice(
                    (b"[", b"{a=", b'{"a":', b"(", b"- ", b"> ", b"a.", b":::: a\n", b"\\", b"&a [*a,")
                )
                cut = rng.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + opening * rng.choice((3, 60, 900, 20000)) + lines[at][cut:]
            case _:
                cut = rng.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + rng.choice((*_BYTES, *words)) + lines[at][cut:]
        data = b"\n".join(lines)[:LONGEST]
    return data


def damage_tree(rng: random.Random, tree: Any, others: Sequence[Any] = ()) -> Any:
    """A copy of a tree of dicts and lists with some nodes dropped, renamed, repeated, nested or replaced."""
    try:
        tree = copy.deepcopy(tree)
    except RecursionError:
        return [tree]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return rng.choice(_VALUES)
        holder, key = rng.choice(places)
        match rng.randrange(11):
            case 0:
                del holder[key]
            case 9 | 10 if isinstance(key, str):
                # What the same key has elsewhere is of the right type.
                elsewhere = [there[key] for there, same in places if same == key and there is not holder]
                holder[key] = copy.deepcopy(rng.choice(elsewhere or _VALUES))
            case 1 if isinstance(holder, dict):
                holder[rng.choice((f"{key}x", "", "kind", key.upper(), "a.b", 'q"'))] = holder.pop(key)
            case 2:
                value: Any = holder[key]
                for _ in range(rng.choice((1, 2, 60, 300))):
                    value = [value] if rng.random() < 0.7 else {"a": value}
                holder[key] = value
            case 3 if isinstance(holder[key], list) and holder[key]:
                holder[key] = holder[key] * rng.choice((2, 3, 50))
            case 4:
                other, place = rng.choice(places)
                holder[key] = copy.deepcopy(other[place])
            case 5 if others and (there := list(_places(rng.choice(others)))):
                other, place = rng.choice(there)
                holder[key] = copy.deepcopy(other[place])
            case 6 if type(holder[key]) in (int, float):
                number = holder[key]
                holder[key] = rng.choice(
                    (
                        number + 1,
                        number - 1,
                        number / 2 if abs(number) < 1e300 else 0,
                        -number,
                        number * 10**9,
                        str(number),
                        number * 1000,
                    )
                )
            case 7 if isinstance(holder[key], str):
                text = holder[key]
                holder[key] = rng.choice(
                    (text[:-1], text * 2, text.upper(), [text], f"../{text}", text[::-1])
                )
            case _:
                holder[key] = copy.deepcopy(rng.choice(_VALUES))
    return tree


def damage_json(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """A JSON file with a damaged tree; None if it is no JSON file."""
    tree = _load(json.loads, data)
    known = [other for other in (_load(json.loads, rng.choice(others)),) if other is not None]
    return None if tree is None else _bounded(dump_json(damage_tree(rng, tree, known)))


def damage_toml(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """A TOML file with a damaged tree, on as many lines as it has keys; None if it is no TOML file."""
    tree = _load(tomllib.loads, data)
    known = [other for other in (_load(tomllib.loads, rng.choice(others)),) if other is not None]
    if tree is None:
        return None
    damaged = damage_tree(rng, tree, known)
    return _bounded(dump_toml(damaged)) if isinstance(damaged, dict) else None


def dump_json(tree: Any) -> bytes:
    """JSON; broken text stays broken."""
    return json.dumps(tree).encode()


def dump_toml(tree: Mapping[str, Any]) -> bytes:
    """TOML of one line for each key, tables inline."""
    return "\n".join(f"{_toml(str(key))} = {_toml(value)}" for key, value in tree.items()).encode(
        "utf-8", "surrogatepass"
    )


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, int | float):
        return repr(value) if not isinstance(value, int) or abs(value) < 10**4000 else "1" * 4000
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return '""'


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        keys: Any = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            yield node, key
            waiting.append(node[key])


def _load(loads: Callable[[str], Any], data: bytes) -> Any:
    try:
        return loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _bounded(data: bytes) -> bytes | None:
    return data if len(data) <= 4 * LONGEST else None
