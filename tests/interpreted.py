"""A Julia that does not compile, for tests in which each function is called once or twice."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest


@contextlib.contextmanager
def interpreted(folder: Path) -> Iterator[None]:
    """The first Julia on PATH, in this folder, does not compile: it does at once what it does.

    Where it computes for long it is slower. ``harness run`` compiles.
    """
    from harness.runtimes.provision.julia import find_julia

    julia = find_julia()
    with pytest.MonkeyPatch.context() as patch:
        if julia.executable is not None and os.name == "posix":
            lines = [f"export {name}={shlex.quote(value)}" for name, value in julia.env.items()]
            lines.append(f'exec {shlex.quote(julia.executable)} --compile=min -O0 "$@"')
            program = folder / "julia"
            program.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
            program.chmod(0o755)
            patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        yield


@contextlib.contextmanager
def interpreted_sessions() -> Iterator[None]:
    """Documents' sessions of Julia do not compile: a document's few lines run once."""
    from harness.model import Absent
    from harness.runtimes.registry import Launch, Registry

    found = Registry.session

    def session(registry: Registry, runtime: str) -> Launch | Absent:
        launch = found(registry, runtime)
        if runtime != "julia" or isinstance(launch, Absent):
            return launch
        program, *rest = launch.command
        return msgspec.structs.replace(launch, command=(program, "--compile=min", "-O0", *rest))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Registry, "session", session)
        yield


@contextlib.contextmanager
def interpreted_programs() -> Iterator[None]:
    """Programs in Julia that are recorded do not compile: most of it would be the recorder's own code."""
    from harness.programs import launch

    found = launch.command_of

    def command_of(language: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
        (program, *rest), env = found(language)
        return (program, *(["--compile=min"] if language == "julia" else []), *rest), env

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "command_of", command_of)
        yield
