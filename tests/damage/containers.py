"""Binary files taken apart, damaged inside, and put together so that what is inside is reached."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import lzma
import random
import struct
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.store.truths import _digest
from tests.damage.mutations import LONGEST, damage_bytes, damage_text, damage_tree, dump_json

_BOMB = 400 << 20
"""Bytes that a bomb announces, all zero."""

_packed_bombs: dict[str, bytes] = {}


def damage_safetensors(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage the tree of the header, or the bytes behind it; the header's length fits."""
    parts = split_safetensors(data)
    if parts is None:
        return None
    header, body = parts
    if rng.random() < 0.8:
        other = split_safetensors(rng.choice(others))
        header = damage_tree(rng, header, [other[0]] if other else [])
    else:
        body = damage_bytes(rng, body, others, ())
    return join_safetensors(header, body)


def split_safetensors(data: bytes) -> tuple[Any, bytes] | None:
    """The header's tree and what follows; None where there is none."""
    size = int.from_bytes(data[:8], "little")
    try:
        return json.loads(data[8 : 8 + size]), data[8 + size :]
    except (ValueError, RecursionError):
        return None


def join_safetensors(header: Any, body: bytes) -> bytes:
    """A safetensors file."""
    text = dump_json(header)
    return len(text).to_bytes(8, "little") + text + body


def damage_npy(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage the header's text or its dictionary; its length fits."""
    if data[:6] != b"\x93NUMPY" or len(data) < 12:
        return None
    wide = data[6] > 1
    begin = 12 if wide else 10
    size = int.from_bytes(data[8:begin], "little")
    text, body = data[begin : begin + size], data[begin + size :]
    if rng.random() < 0.6:
        try:
            tree = ast.literal_eval(text.decode("latin1").strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            tree = None
        if isinstance(tree, dict):
            tree = {key: list(item) if isinstance(item, tuple) else item for key, item in tree.items()}
            tree = damage_tree(rng, tree)
            if isinstance(tree, dict) and isinstance(tree.get("shape"), list):
                tree["shape"] = tuple(tree["shape"])
            text = repr(tree).encode("utf-8", "replace") + b"\n"
    else:
        text = damage_text(rng, text, others, (b"(", b"L", b"'|O'", b"'<f8'", b"lambda:0", b"\\\n", b"0777"))
    version = bytes((rng.choice((1, 2, 3)), 0)) if wide or len(text) > 65535 else data[6:8]
    count = struct.pack("<I" if version[0] > 1 else "<H", len(text) % (1 << 16))
    return data[:6] + version + count + text + body


def damage_npz(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage members and their names, or add one that grows; the archive is whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [
                (info.filename, archive.read(info)) for info in archive.infolist() if info.file_size < LONGEST
            ]
    except Exception:
        return None
    if not members:
        return None
    at = rng.randrange(len(members))
    name, content = members[at]
    choice = rng.randrange(6)
    if choice < 3:
        members[at] = (name, damage_npy(rng, content, [content]) or damage_bytes(rng, content, others, ()))
    elif choice == 3:
        members[at] = (rng.choice(("x", "../x.npy", "a/b.npy", name * 40, "\ud7ff.npy", ".npy")), content)
    elif choice == 4:
        members.append((rng.choice((name, "b.npy")), rng.choice((content, b"", b"text", content[:-1]))))
    built = io.BytesIO()
    import warnings

    with zipfile.ZipFile(built, "w", rng.choice((0, 8, 8, 12, 14))) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of one name twice
        for name, content in members:
            archive.writestr(name, content)
    whole = built.getvalue()
    return bomb_npz() if choice == 5 and rng.random() < 0.2 else whole


def bomb_npz() -> bytes:
    """A small archive of one array of zeros that is large."""
    if "npz" not in _packed_bombs:
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            head, {"descr": "<f8", "fortran_order": False, "shape": (_BOMB // 8,)}
        )
        built = io.BytesIO()
        with zipfile.ZipFile(built, "w", 8) as archive, archive.open("a.npy", "w") as member:
            member.write(head.getvalue())
            for _ in range(_BOMB >> 20):
                member.write(bytes(1 << 20))
        _packed_bombs["npz"] = built.getvalue()
    return _packed_bombs["npz"]


def bomb_xz() -> bytes:
    """A small xz stream of many zeros."""
    if "xz" not in _packed_bombs:
        packer = lzma.LZMACompressor(preset=1)
        pieces = [packer.compress(bytes(1 << 20)) for _ in range(_BOMB >> 20)]
        _packed_bombs["xz"] = b"".join([*pieces, packer.flush()])
    return _packed_bombs["xz"]


STREAMS = ("chained", "index", "isolated")


def damage_snapshot(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage head, index or values of a snapshot, and seal it again."""
    parts = split_safetensors(data)
    if parts is None:
        return None
    header, body = parts
    try:
        head = json.loads(header["__metadata__"]["recording"])
        streams = {name: body[slice(*header[name]["data_offsets"])] for name in STREAMS}
        choice = rng.randrange(8)
        if choice < 4:
            rows = json.loads(lzma.decompress(streams["index"]))
            streams["index"] = lzma.compress(dump_json(damage_tree(rng, rows)), preset=0)
        elif choice == 4:
            head = damage_tree(rng, head)
        elif choice == 5:
            name = rng.choice(STREAMS)
            streams[name] = lzma.compress(
                damage_bytes(rng, lzma.decompress(streams[name]), others, ())[:LONGEST], preset=0
            )
        elif choice == 6:
            name = rng.choice(STREAMS)
            streams[name] = damage_bytes(rng, streams[name], others, ())
        elif rng.random() < 0.05:
            streams[rng.choice(STREAMS)] = bomb_xz()
        else:
            header = damage_tree(rng, header)
            return join_safetensors(header, body)
    except (KeyError, TypeError, ValueError, lzma.LZMAError, EOFError, IndexError):
        return None
    return join_snapshot(head, streams)


def join_snapshot(head: Any, streams: dict[str, bytes]) -> bytes:
    """A snapshot with a seal that fits."""
    if isinstance(head, dict) and head.get("sha256"):
        head = {**head, "sha256": "0" * 64}
    unsealed = _snapshot(head, streams)
    if not isinstance(head, dict) or not head.get("sha256"):
        return unsealed
    return unsealed.replace(b"0" * 64, hashlib.sha256(unsealed).hexdigest().encode(), 1)


def _snapshot(head: Any, streams: dict[str, bytes]) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"recording": json.dumps(head, separators=(",", ":"))}}
    at = 0
    for name in STREAMS:
        end = at + len(streams[name])
        header[name] = {"dtype": "U8", "shape": [len(streams[name])], "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(streams[name] for name in STREAMS)


def damage_truths(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage the values of the metadata or the shapes of the arrays, and write the digest that fits."""
    parts = split_safetensors(data)
    if parts is None or "__metadata__" not in parts[0]:
        return None
    header, body = parts
    if rng.random() < 0.6:
        metadata = header.pop("__metadata__")
        try:
            metadata["values"] = json.dumps(damage_tree(rng, json.loads(metadata["values"])))
        except (KeyError, TypeError, ValueError):
            return None
    else:
        metadata = header.pop("__metadata__")
        header = damage_tree(rng, header)
    return sealed_truths(header, metadata, body)


KEY = "0123abcd"


def sealed_truths(header: Any, metadata: Any, body: bytes) -> bytes:
    """A file of true values with a digest that fits, where its arrays can be read at all."""
    from harness.store.arrays import parse_safetensors

    if not isinstance(header, dict) or not isinstance(metadata, dict):
        return join_safetensors(header, body)
    try:
        arrays = parse_safetensors(join_safetensors(header, body))
        metadata = {**metadata, "digest": _digest(KEY, metadata["values"], arrays)}
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    return join_safetensors({"__metadata__": metadata, **header}, body)


def damage_record(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage the tree of one line of a record, and count and seal it again, or leave it without its end."""
    lines = data.split(b"\n")[:-1]
    trees = []
    try:
        trees = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    if not trees:
        return None
    at = rng.randrange(len(trees))
    there = (
        [json.loads(line) for line in rng.choice(others).split(b"\n")[:-1]] if rng.random() < 0.2 else trees
    )
    trees[at] = damage_tree(rng, trees[at], there)
    return sealed_record(trees, whole=rng.random() < 0.6)


def sealed_record(trees: list[Any], *, whole: bool) -> bytes:
    """A record of these lines; a whole one has a footer that fits."""
    footer = trees[-1] if isinstance(trees[-1], dict) and trees[-1].get("kind") == "footer" else None
    lines = trees[:-1] if footer is not None else trees
    data = b"".join(dump_json(line) + b"\n" for line in lines)
    if footer is None or not whole:
        return data
    counts: dict[str, int] = {}
    for line in lines:
        if isinstance(line, dict) and line.get("kind") == "cell" and isinstance(line.get("verdict"), str):
            counts[line["verdict"]] = counts.get(line["verdict"], 0) + 1
    unsealed = json.dumps({**footer, "counts": counts, "digest": ""}, separators=(",", ":")).encode() + b"\n"
    digest = hashlib.sha256(data + unsealed).hexdigest()
    return data + unsealed.replace(b'"digest":""', f'"digest":"{digest}"'.encode())


def damage_frames(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage the JSON of one line of a worker's frames."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        lines[at] = dump_json(damage_tree(rng, json.loads(lines[at])))
    except (ValueError, RecursionError):
        return None
    return b"\n".join(lines)
