"""The runtimes: their source files, and how their workers are started."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from harness.errors import CaseError, HarnessError
from harness.model import Absent, Broken, Frozen, Implementation
from harness.runtime_names import COMPILED, INTERPRETERS, LIBRARIES, Needed
from harness.runtimes.near_names import is_named, refuse_no_file, refuse_unread
from harness.runtimes.provision.provision import Provision
from harness.store.toml import Toml

_BUILTIN = Path(__file__).with_name("runtimes.toml")
_WORKERS = Path(__file__).resolve().parents[1] / "workers"
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_GIVE_WAY = frozenset({*COMPILED, *LIBRARIES, *INTERPRETERS})
"""Runtimes that a suite's own stanza replaces where it has the same suffix."""
_PLACEHOLDERS = frozenset({"python", "workers", "executable", "suite"})

Provisioned = Literal["", Needed]
"""What a stanza's ``provision`` may be."""


class RuntimeSpec(Frozen, frozen=True, kw_only=True):
    """One stanza: a runtime, its source files, and the command of its worker.

    ``language`` is the matrix's name for it. ``suffix`` is how its source files end; a runtime that has
    ``sources`` instead runs those of another one, in its own way. ``fallback`` is the command where the
    provision says that the interpreter is hosted by a process of its own; ``session`` that of the worker that
    runs documents. ``not_ieee`` says in what its arithmetic is not that of IEEE 754.
    """

    id: str
    language: str
    command: tuple[str, ...]
    suffix: str = ""
    sources: str = ""
    fallback: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    provision: Provisioned = ""
    env: dict[str, str] = msgspec.field(default_factory=dict)
    not_ieee: str = ""


class _File(Frozen, frozen=True, kw_only=True):
    runtime: tuple[RuntimeSpec, ...] = ()


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's command, and the variables that are added to the parent's environment."""

    command: tuple[str, ...]
    env: dict[str, str] = {}


class Registry:
    """The built-in runtimes, and those that a suite adds. Made by `Registry.load`."""

    def __init__(
        self,
        specs: Mapping[str, RuntimeSpec],
        suite: Path,
        find: Callable[[Provisioned], Provision | None] | None = None,
    ) -> None:
        self.specs: Mapping[str, RuntimeSpec] = MappingProxyType(dict(specs))
        self._suite = suite
        self._find = find or find_provision
        self._launches: dict[str, Launch | Absent] = {}
        self._sessions: dict[str, Launch | Absent] = {}

    @classmethod
    def load(cls, suite: Path) -> Registry:
        """Read the built-in stanzas, and those of the suite's ``suite.toml`` where there is one.

        Parameters
        ----------
        suite : Path
            The suite's folder.

        Raises
        ------
        CaseError
            A stanza that cannot be used, with file and line.
        """
        specs: dict[str, RuntimeSpec] = {}
        builtin: dict[str, RuntimeSpec] = {}
        for path in (_BUILTIN, suite / "suite.toml"):
            if path is _BUILTIN or path.is_file():
                for spec, line in _stanzas(path):
                    if path is not _BUILTIN:
                        _make_way(spec, specs, builtin)
                    _refuse_duplicate(spec, specs, path, line)
                    _refuse_no_sources(spec, specs, path, line)
                    specs[spec.id] = spec
            builtin = builtin or dict(specs)
        return cls(specs, suite.absolute())

    def implementations(self, case_folder: Path) -> tuple[Implementation, ...]:
        """Return the implementations of a case by its file names; runtimes are in the order of their stanzas.

        Parameters
        ----------
        case_folder : Path
            Its name is the case's.

        Returns
        -------
        tuple of Implementation
            ``{case}{suffix}`` is called as its runtime, ``{case}.{label}{suffix}`` is ``runtime.label``; a
            file that several runtimes run is an implementation in each of them.
        """
        case = case_folder.name
        sources: list[tuple[int, str, Implementation]] = []
        order = {name: position for position, name in enumerate(self.specs)}
        for path in case_folder.iterdir():
            spec = self._owner(path.name)
            if spec is None or not is_named(path, case, spec.suffix):
                continue
            refuse_no_file(path)
            label = path.name[len(case) : -len(spec.suffix)]
            runs_it = (spec, *(other for other in self.specs.values() if other.sources == spec.id))
            sources += (
                (
                    order[one.id],
                    label,
                    Implementation(id=one.id + label, runtime=one.id, language=one.language, path=path),
                )
                for one in runs_it
            )
        others = [path for path in case_folder.iterdir() if self._owner(path.name) is None]
        refuse_unread(case, others, [one.path for *_, one in sources])
        return tuple(implementation for *_, implementation in sorted(sources, key=lambda item: item[:2]))

    def _owner(self, name: str) -> RuntimeSpec | None:
        owners = [spec for spec in self.specs.values() if spec.suffix and name.endswith(spec.suffix)]
        return max(owners, key=lambda spec: len(spec.suffix), default=None)

    def launch(self, runtime_id: str) -> Launch | Absent:
        """Return how to start a runtime's worker, or why it is absent; looked up once.

        It is `Broken` where an interpreter is found and does not run.

        Parameters
        ----------
        runtime_id : str
            A key of `specs`.
        """
        if runtime_id not in self._launches:
            self._launches[runtime_id] = self._look_up(self.specs[runtime_id])
        return self._launches[runtime_id]

    def session(self, runtime_id: str) -> Launch | Absent:
        """Return how to start the worker that holds a runtime's session, or why it is absent.

        Parameters
        ----------
        runtime_id : str
            A key of `specs`, with a ``session``.
        """
        if runtime_id not in self._sessions:
            spec = self.specs[runtime_id]
            direct = msgspec.structs.replace(spec, command=spec.session, fallback=())
            self._sessions[runtime_id] = self._look_up(direct)
        return self._sessions[runtime_id]

    def _look_up(self, spec: RuntimeSpec) -> Launch | Absent:
        provision = self._find(spec.provision)
        command, env, executable = spec.command, dict(spec.env), ""
        if provision is not None:
            if not provision.available:
                kind = Broken if provision.broken else Absent
                return kind(
                    runtime=spec.id, language=spec.language, reason=provision.reason, advice=provision.advice
                )
            env, executable = {**provision.env, **spec.env}, provision.executable or ""
            if provision.hosting == "process" and spec.fallback:
                command = spec.fallback
        values = {
            "python": sys.executable, "workers": str(_WORKERS), "suite": str(self._suite),
            "executable": executable,
        }  # fmt: skip
        filled = tuple(_PLACEHOLDER.sub(lambda match: values[match[1]], word) for word in command)
        program = shutil.which(filled[0])
        if program is None:
            reason, advice = f"there is no program {filled[0]}", f"install {filled[0]} so that it is on PATH"
            return Absent(runtime=spec.id, language=spec.language, reason=reason, advice=(advice,))
        return Launch(command=(program, *filled[1:]), env=env)


def find_provision(name: Provisioned) -> Provision | None:
    """Find what a runtime needs; ``None`` if it needs nothing."""
    match name:
        case "":
            return None
        case "r":
            from harness.runtimes.provision.r import find_r

            return find_r()
        case "julia":
            from harness.runtimes.provision.julia import find_julia

            return find_julia()
        case "torch":
            from harness.runtimes.provision.torch import find_torch

            return find_torch()
        case "c" | "cpp" | "fortran":
            from harness.runtimes.provision.compilers import find_compiler

            return find_compiler(name)
        case "jax" | "onnx":
            from harness.runtimes.provision.extras import find_extra

            return find_extra(name)
        case "node" | "octave":
            from harness.runtimes.provision.interpreters import find_interpreter

            return find_interpreter(name)


def _stanzas(path: Path) -> Iterator[tuple[RuntimeSpec, int | None]]:
    toml = Toml(path, CaseError)
    if not isinstance(toml.data.get("runtime", []), list):
        raise toml.refuse("write each runtime as a [[runtime]] stanza", "runtime")
    for index, spec in enumerate(toml.convert(_File).runtime):
        _check(toml, index, spec)
        yield spec, toml.line("runtime", index)


def _check(toml: Toml, index: int, spec: RuntimeSpec) -> None:
    def refuse(key: str, why: str) -> HarnessError:
        return toml.refuse(why, "runtime", index, key)

    if not _ID.fullmatch(spec.id):
        raise refuse("id", f"a runtime's id is letters, digits, - and _, not {spec.id!r}")
    if spec.sources:
        if spec.suffix:
            raise refuse("suffix", "a runtime has a suffix, or the sources of another one, and not both")
    elif not re.fullmatch(r"[^/\s]*\.[^/\s.]+", spec.suffix):
        raise refuse("suffix", f"a suffix is the end of a file's name, such as .mjs, not {spec.suffix!r}")
    commands = (("command", spec.command), ("fallback", spec.fallback), ("session", spec.session))
    for key, command in commands:
        if key == "command" and not command:
            raise refuse(key, "the command is empty")
        for unknown in {name for word in command for name in _PLACEHOLDER.findall(word)} - _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in sorted(_PLACEHOLDERS))
            raise refuse(key, f"unknown placeholder {{{unknown}}}; there are {known}")
        if not spec.provision and any("{executable}" in word for word in command):
            raise refuse(key, "{executable} needs a provision")


def _make_way(spec: RuntimeSpec, specs: dict[str, RuntimeSpec], builtin: Mapping[str, RuntimeSpec]) -> None:
    """Leave out what is built in where a suite brings its own for the same files, as it had to before."""
    for name in _GIVE_WAY & specs.keys():
        if spec.suffix and specs[name] is builtin.get(name) and specs[name].suffix == spec.suffix:
            for lost in [each.id for each in builtin.values() if name in (each.id, each.sources)]:
                specs.pop(lost, None)


def _refuse_duplicate(
    spec: RuntimeSpec, specs: Mapping[str, RuntimeSpec], path: Path, line: int | None
) -> None:
    for other in specs.values():
        if other.id == spec.id:
            raise CaseError(f"there is a runtime {spec.id!r} already", path=path, line=line)
        if spec.suffix and other.suffix == spec.suffix:
            what = f"the suffix {spec.suffix!r} belongs to the runtime {other.id!r} already"
            raise CaseError(what, path=path, line=line)


def _refuse_no_sources(
    spec: RuntimeSpec, specs: Mapping[str, RuntimeSpec], path: Path, line: int | None
) -> None:
    if spec.sources and not (spec.sources in specs and specs[spec.sources].suffix):
        known = ", ".join(other.id for other in specs.values() if other.suffix)
        what = f"there is no runtime {spec.sources!r} before it whose sources it could run; there are {known}"
        raise CaseError(what, path=path, line=line)
