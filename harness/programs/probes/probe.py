"""Write values down while a program runs: ``from probe import probe``, then ``probe("scores", x)``.

The folder is ``python.trace``, or what the environment variable PROBE_TRACE says; ``harness align`` compares
it with that of another program. Copied from the harness; it needs nothing, and may be changed at will.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path
from typing import Any

_FOLDER = Path(os.environ.get("PROBE_TRACE", "python.trace"))
_written = 0


def probe(name: str, value: Any) -> Any:
    """Write a number, list, array or tensor down, and return it as it is."""
    caller = sys._getframe(1)
    _write(name, value, Path(caller.f_code.co_filename).name, caller.f_lineno)
    return value


def modules(model: Any) -> None:
    """Write down what every module of a PyTorch model returns, by its name."""
    for name, module in model.named_modules():
        module.register_forward_hook(lambda _module, _inputs, out, name=name: probe(name or "model", out))


def _write(name: str, value: Any, at: str, line: int) -> None:
    global _written
    if isinstance(value, dict) or (isinstance(value, tuple) and any(map(_is_array, value))):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            _write(f"{name}[{key!r}]", part, at, line)
        return
    try:
        content = _npy(value)
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        print(f"probe: {name} is left out: {error}", file=sys.stderr)
        return
    _FOLDER.mkdir(parents=True, exist_ok=True)
    _written += 1
    (_FOLDER / f"{_written}.npy").write_bytes(content)
    entry = {"name": name, "file": f"{_written}.npy", "at": at, "line": line}
    with (_FOLDER / "trace.jsonl").open("w" if _written == 1 else "a", encoding="utf-8") as lines:
        lines.write(json.dumps(entry) + "\n")


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _npy(value: Any) -> bytes:
    """The bytes of a .npy file."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        value = value.float() if str(value.dtype) == "torch.bfloat16" else value
    if hasattr(value, "__array__"):
        import numpy as np

        array = np.asarray(value)
        if array.dtype == object:
            array = array.astype(float)
        if array.dtype.kind not in "biufc":
            raise TypeError(f"it holds {array.dtype}, not numbers")
        order = array.dtype.newbyteorder("<").str
        return _header(order, array.shape) + array.astype(order).tobytes()
    flat: list[Any] = []
    shape = _flatten(value, flat)
    if any(isinstance(one, complex) for one in flat):
        numbers = [part for one in flat for part in (complex(one).real, complex(one).imag)]
        return _header("<c16", shape) + struct.pack(f"<{len(numbers)}d", *numbers)
    if flat and all(isinstance(one, bool) for one in flat):
        return _header("|b1", shape) + struct.pack(f"<{len(flat)}?", *flat)
    if flat and all(isinstance(one, int) for one in flat) and all(abs(one) < 1 << 63 for one in flat):
        return _header("<i8", shape) + struct.pack(f"<{len(flat)}q", *flat)
    return _header("<f8", shape) + struct.pack(f"<{len(flat)}d", *map(float, flat))


def _flatten(value: Any, flat: list[Any]) -> tuple[int, ...]:
    if isinstance(value, list | tuple):
        shapes = {_flatten(part, flat) for part in value}
        if len(shapes) > 1:
            raise ValueError("its rows are not of one length")
        return (len(value), *(shapes.pop() if shapes else ()))
    if isinstance(value, str | bytes) or value is None:
        raise TypeError(f"it holds {type(value).__name__}, not numbers")
    flat.append(value)
    return ()


def _header(kind: str, shape: tuple[int, ...]) -> bytes:
    sizes = "".join(f"{size}," for size in shape)
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}"
    length = (len(text) + 11 + 63) // 64 * 64 - 10
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", length) + text.ljust(length - 1).encode() + b"\n"
