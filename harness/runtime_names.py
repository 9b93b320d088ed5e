"""What is looked for on a machine: the one list of it."""

from __future__ import annotations

from typing import Literal, get_args

Compiled = Literal["c", "cpp", "fortran"]
Library = Literal["jax", "onnx"]
Interpreter = Literal["node", "octave"]
Needed = Literal["r", "julia", "torch", Compiled, Library, Interpreter]
"""What a stanza may have the harness look for."""
RuntimeName = Literal[Needed, "oracle", "documents"]

COMPILED: tuple[Compiled, ...] = get_args(Compiled)
LIBRARIES: tuple[Library, ...] = get_args(Library)
INTERPRETERS: tuple[Interpreter, ...] = get_args(Interpreter)
NAMES: tuple[RuntimeName, ...] = get_args(RuntimeName)
"""The languages' runtimes, what computes the true values, and what runs articles."""
