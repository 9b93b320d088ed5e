"""Scripts for C, C++ and Fortran: in Python, which compiles the source and calls it as a worker does.

A ``main`` with the inputs in it would be another program to the compiler, which computes ahead what it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from harness.conformance.script_text import GIVE_UP, literal_text
from harness.errors import UsageError
from harness.store.temporary import temporary_folder
from harness.workers.c_calls import LARGEST_SIZE, UNSET_SIZE, dtype_of
from harness.workers.c_prototypes import STYLES, header, is_returned
from harness.workers.compiler import FOLDER, CompileError, Compiler, Language, options_of
from harness.workers.declared_arrays import Declared, DeclaredStage, read_stages
from harness.workers.fortran_interfaces import described_arguments, not_passed
from harness.workers.fortran_prototypes import misfit, procedures
from harness.workers.guards import unit_of

_COMPILES = (
    """
import atexit as _exits
import ctypes as _ctypes
import os as _system
import shutil as _shutil
import subprocess as _subprocess
import sys as _running
import tempfile as _tempfile
from pathlib import Path as _Path

import numpy as _np


"""
    + GIVE_UP
    + """

def _compile():
    folder, here = _Path(_tempfile.mkdtemp()), _Path(__file__).resolve().parent
    _exits.register(_shutil.rmtree, folder, True)
    source, library, said = folder / _NAME, folder / "stages.so", ""
    source.write_text(_SOURCE, encoding="utf-8")
    for header in _HEADERS:
        (folder / "prototypes.h").write_text(header, encoding="utf-8")
        given = ["-include", str(folder / "prototypes.h")] if header else []
        linked = ["-Wl,-Bsymbolic"] if _running.platform == "linux" else []
        words = [_COMPILER, *_FIRST, *given, *_FLAGS, "-fPIC", "-g", "-shared", *linked, "-I", str(here)]
        words += [*_modules(folder), str(source), *_FLAGS, "-lm", "-o", str(library)]
        try:
            done = _subprocess.run(words, stdin=_subprocess.DEVNULL, capture_output=True, text=True)
        except OSError as error:
            _give_up(f"{_COMPILER} cannot be run: {error.strerror}")
        if done.returncode == 0:
            return _ctypes.CDLL(str(library))
        said = said or done.stderr
    _give_up(said)


def _around(array, role):
    # In memory with a zone before and behind it, in which what is read is NaN; the zones are looked at later.
    unit = _UNITS[array.dtype.str[1:], role]
    row = array.size // min([size for size in (*array.shape[:1], *array.shape[-1:]) if size], default=1)
    zone = -(-max(8, min(row, 65536 // array.itemsize)) * array.itemsize // 64) * 64
    memory = _np.empty(2 * zone + array.nbytes + 64, _np.uint8)
    first = zone + -(memory.ctypes.data + zone) % 64
    last = first + array.nbytes
    edge = _np.frombuffer(unit * (zone // len(unit)), _np.uint8)
    memory[first - zone : first] = memory[last : last + zone] = edge
    made = _np.ndarray(array.shape, array.dtype, memory, first, order=_ORDER)
    made[...] = array
    return made, (memory[first - zone : first], memory[last : last + zone], edge)


def _unset(dtype, shape):
    if dtype == "b1":
        return _np.full(shape, 255, _np.uint8, order=_ORDER).view(bool)
    fill = _np.iinfo(dtype).min if _np.dtype(dtype).kind == "i" else _np.nan
    return _np.full(shape, fill, dtype, order=_ORDER)


def _sizes(inputs, arrays):
    known = {}
    for (name, shape, _), array in zip(inputs, arrays):
        if len(shape) != array.ndim:
            _give_up(f"{name} has the shape {array.shape}")
        for size, length in zip(shape, array.shape):
            if (known.setdefault(size, length) if isinstance(size, str) else size) != length:
                _give_up(f"{name} has the shape {array.shape}, and {size} is another size")
    return known


def _look(zones):
    for name, (before, behind, edge) in zones:
        for where, zone in (("beyond the end", behind), ("before the beginning", before)):
            if zone.tobytes() != edge.tobytes():
                _give_up(f"it writes {where} of {name}")
"""
)

_CALLS_C = """

def _modules(folder):
    return []


def _run(stage, arrays):
    inputs, outputs, returned = _STAGES[stage]
    sizes, words, kept, zones = _sizes(inputs, arrays), [], [], []
    words += [_ctypes.c_size_t(size) for size in sizes.values()]
    for (name, shape, dtype), array in zip(inputs, arrays):
        array = _np.asarray(array, dtype)
        if not shape and array.dtype.kind != "c":
            words.append(_np.ctypeslib.as_ctypes_type(array.dtype)(array.item()))
            continue
        made, zone = _around(array, "input")
        kept.append(made)
        zones.append((f"the input {name}", zone))
        words.append(_ctypes.c_void_p(made.ctypes.data))
    found = {size: _ctypes.c_size_t(_UNSET_SIZE) for _, shape, _ in outputs for size in shape
             if isinstance(size, str) and size not in sizes}
    words += [_ctypes.byref(size) for size in found.values()]
    places = []
    for name, shape, dtype in () if returned else outputs:
        if found.keys() & set(shape):
            places.append(_ctypes.c_void_p())
            words.append(_ctypes.byref(places[-1]))
            continue
        empty = _unset(dtype, tuple(sizes.get(size, size) for size in shape))
        made, zone = _around(empty, "output")
        zones.append((f"the output {name}", zone))
        places.append(made)
        words.append(_ctypes.c_void_p(made.ctypes.data))
    function = getattr(_LIBRARY, stage, None)
    if function is None:
        _give_up(f"there is no function {stage}")
    function.restype = _np.ctypeslib.as_ctypes_type(_np.dtype(outputs[0][2])) if returned else None
    value = function(*words)
    _look(zones)
    if returned:
        return _np.array(value, outputs[0][2])
    sizes.update((name, size.value) for name, size in found.items())
    for name, size in found.items():
        if size.value >= _LARGEST_SIZE:
            _give_up(f"the size {name} was not set, or is out of range: {size.value}")
    for at, (place, (_, shape, dtype)) in enumerate(zip(places, outputs)):
        if isinstance(place, _ctypes.c_void_p):
            shape = tuple(sizes.get(size, size) for size in shape)
            count = int(_np.prod(shape)) * _np.dtype(dtype).itemsize
            raw = _ctypes.string_at(place.value, count) if count else b""
            places[at] = _np.frombuffer(raw, dtype).reshape(shape)
    return places[0] if len(places) == 1 else tuple(places)
"""

_CALLS_FORTRAN = """

def _modules(folder):
    return ["-J", str(folder)]


def _run(stage, arrays):
    inputs, outputs, _ = _STAGES[stage]
    sizes, held, zones, places = _sizes(inputs, arrays), [], [], []
    if isinstance(_PROCEDURES[stage], str):
        _give_up(_PROCEDURES[stage])
    symbol, takes, returned = _PROCEDURES[stage]
    given = [*map(_np.int64, sizes.values()), *arrays]
    names = [*sizes, *(name for name, _, _ in inputs)]
    dtypes = [*("i8" for _ in sizes), *(dtype for _, _, dtype in inputs)]
    for name, dtype, array, (kind, size, _) in zip(names, dtypes, given, takes):
        made, zone = _around(_np.asarray(array, f"i{size}" if kind == "whole" else dtype), "input")
        zones.append((f"the input {name}", zone))
        held.append(made)
    for (name, shape, dtype), (kind, size, _) in zip(() if returned else outputs, takes[len(given) :]):
        empty = _unset(f"i{size}" if kind == "whole" else dtype, tuple(sizes.get(one, one) for one in shape))
        made, zone = _around(empty, "output")
        zones.append((f"the output {name}", zone))
        places.append(made)
    words = [_ctypes.c_void_p(array.ctypes.data) if by_address
             else _np.ctypeslib.as_ctypes_type(array.dtype)(array.item())
             for array, (_, _, by_address) in zip([*held, *places], takes)]
    function = _LIBRARY[symbol]
    function.restype = _np.ctypeslib.as_ctypes_type(_np.dtype(returned)) if returned else None
    value = function(*words)
    _look(zones)
    if returned:
        return _np.array(value).astype(outputs[0][2])
    places = [place != 0 if dtype == "b1" else place.astype(dtype)
              for place, (_, _, dtype) in zip(places, outputs)]
    return places[0] if len(places) == 1 else tuple(places)
"""


def source_of_compiled(
    path: Path, language: Language, program: str, flags: Sequence[str], precision: str
) -> str:
    """Return a source in Python that has a compiled file's stages as functions.

    Parameters
    ----------
    path : Path
        The source file. What it includes from its folder has to lie beside the script.
    language : {"c", "cpp", "fortran"}
        Its language.
    program, flags
        The compiler and its options.
    precision : {"float64", "float32"}
        In which it is compiled.

    Raises
    ------
    UsageError
        Of Fortran: the file does not compile, or gfortran is missing.
    """
    real = 4 if precision == "float32" else 8
    stages = read_stages(path)
    if language == "fortran":
        headers, first = [""], [f"-DHARNESS_REAL={real}", "-cpp", "-ffree-line-length-none"]
        calls, order = _CALLS_FORTRAN + _procedures(path, stages, program, flags, real), "F"
    else:
        headers = [header(stages.values(), style) for style in STYLES[language]]
        first, calls, order = [f"-DHARNESS_REAL={'float' if real == 4 else 'double'}"], _CALLS_C, "C"
    listed = "".join(f"    {name!r}: {_described(stage, real)},\n" for name, stage in stages.items())
    constants = {
        "_NAME": path.name, "_COMPILER": program, "_FLAGS": [*options_of(language, program, flags)],
        "_FIRST": first, "_ORDER": order,
        "_UNITS": _units(real), "_UNSET_SIZE": UNSET_SIZE, "_LARGEST_SIZE": LARGEST_SIZE,
    }  # fmt: skip
    return "".join(
        [
            f"_SOURCE = {literal_text(path.read_text(encoding='utf-8'))}\n",
            f"_HEADERS = [{', '.join(map(literal_text, headers))}]\n",
            *(f"{name} = {value!r}\n" for name, value in constants.items()),
            f"_STAGES = {{\n{listed}}}\n",
            _COMPILES,
            calls,
            "\n\n_LIBRARY = _compile()\n",
            *(f"\n\ndef {name}(*arrays):\n    return _run({name!r}, arrays)\n" for name in stages),
        ]
    )


def _described(stage: DeclaredStage, real: int) -> str:
    """Its inputs and outputs, each with its shape and dtype, and whether its output is what it returns."""

    def each(values: tuple[Declared, ...]) -> tuple[tuple[str, tuple[str | int, ...], str], ...]:
        return tuple((value.name, value.shape, dtype_of(value.kind, real).str[1:]) for value in values)

    return repr((each(stage.inputs), each(stage.outputs), is_returned(stage)))


def _units(real: int) -> dict[tuple[str, str], bytes]:
    """What zones around arrays are filled with, as a worker fills them."""
    dtypes = [dtype_of(kind, real) for kind in ("float", "complex", "bool")]
    dtypes += [np.dtype(f"i{size}") for size in (1, 2, 4, 8)]
    both = ("input", "output")
    return {(dtype.str[1:], role): unit_of(dtype, role) for dtype, role in product(dtypes, both)}


def _procedures(
    path: Path, stages: dict[str, DeclaredStage], program: str, flags: Sequence[str], real: int
) -> str:
    """By stage, the symbol of its procedure, what that takes and returns; or why it has none."""
    try:
        with temporary_folder() as folder:
            said = Compiler.of("fortran", program, flags, {FOLDER: str(folder)}).prototypes(path, real)
    except (CompileError, OSError) as error:
        why = f"what the procedures of {path.name} take is not known: {error}"
        raise UsageError(why, advice="the message of its cell has file and line", path=path) from error
    known, described, lines = procedures(said), described_arguments(said), []
    for name, stage in stages.items():
        procedure = known.get(name.lower())
        told: object = f"there is no subroutine {name} outside of a module"
        if procedure is not None:
            back = procedure.returns
            returned = "" if back is None else f"{'f' if back.kind == 'float' else 'i'}{back.size}"
            why = not_passed(stage, described.get(name.lower(), ())) or misfit(stage, procedure, real)
            told = why or (procedure.symbol, tuple(map(tuple, procedure.takes)), returned)
        lines.append(f"    {name!r}: {told!r},\n")
    return f"\n\n_PROCEDURES = {{\n{''.join(lines)}}}\n"
