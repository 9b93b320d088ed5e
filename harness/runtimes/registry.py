"""Which runtimes there are, which source files are theirs, and how their workers are started."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from harness.errors import CaseError
from harness.model import Absent, Frozen, Implementation
from harness.runtimes.provision import Provision

_BUILTIN = Path(__file__).with_name("runtimes.toml")
_WORKERS = Path(__file__).resolve().parents[1] / "workers"
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDERS = frozenset({"python", "workers", "executable", "suite"})

Needed = Literal["", "r", "julia", "torch"]


class RuntimeSpec(Frozen, frozen=True, kw_only=True):
    """One stanza: a runtime, its source files, and the command of its worker.

    ``language`` is the matrix's name for it. ``fallback`` is the command where the provision says that the
    interpreter is hosted by a process of its own; ``session`` that of the worker that runs documents.
    """

    id: str
    language: str
    suffix: str
    command: tuple[str, ...]
    fallback: tuple[str, ...] = ()
    session: tuple[str, ...] = ()
    provision: Needed = ""
    env: dict[str, str] = msgspec.field(default_factory=dict)


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A worker's command, and what its environment has besides the parent's."""

    command: tuple[str, ...]
    env: dict[str, str] = {}


class Registry:
    """The runtimes that are built in, and those that a suite adds. Made by `Registry.load`."""

    def __init__(
        self,
        specs: Mapping[str, RuntimeSpec],
        suite: Path,
        find: Callable[[Needed], Provision | None] | None = None,
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
        for path in (_BUILTIN, suite / "suite.toml"):
            if path is _BUILTIN or path.is_file():
                for spec, line in _stanzas(path):
                    _refuse_duplicate(spec, specs, path, line)
                    specs[spec.id] = spec
        return cls(specs, suite.absolute())

    def implementations(self, case_folder: Path) -> tuple[Implementation, ...]:
        """Source files of a case, by their names; runtimes in the order of their stanzas.

        Parameters
        ----------
        case_folder : Path
            Its name is the case's.

        Returns
        -------
        tuple of Implementation
            ``{case}{suffix}`` is called as its runtime, ``{case}.{label}{suffix}`` is ``runtime.label``.
        """
        case = case_folder.name
        found: list[tuple[int, str, Implementation]] = []
        order = {name: position for position, name in enumerate(self.specs)}
        for path in case_folder.iterdir():
            spec = self._owner(path.name)
            if spec is None or not path.name.startswith(case) or not path.is_file():
                continue
            label = path.name[len(case) : -len(spec.suffix)]
            if label and not (label[0] == "." and _LABEL.fullmatch(label[1:])):
                continue
            implementation = Implementation(
                id=spec.id + label, runtime=spec.id, language=spec.language, path=path
            )
            found.append((order[spec.id], label, implementation))
        return tuple(implementation for *_, implementation in sorted(found, key=lambda item: item[:2]))

    def _owner(self, name: str) -> RuntimeSpec | None:
        owners = [spec for spec in self.specs.values() if name.endswith(spec.suffix)]
        return max(owners, key=lambda spec: len(spec.suffix), default=None)

    def launch(self, runtime_id: str) -> Launch | Absent:
        """How to start a runtime's worker, or why it cannot be had; looked up once.

        Parameters
        ----------
        runtime_id : str
            A key of `specs`.
        """
        if runtime_id not in self._launches:
            self._launches[runtime_id] = self._look_up(self.specs[runtime_id])
        return self._launches[runtime_id]

    def session(self, runtime_id: str) -> Launch | Absent:
        """How to start the worker that holds a runtime's session, or why it cannot be had.

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
                return Absent(
                    runtime=spec.id, language=spec.language, reason=provision.reason, advice=provision.advice
                )
            env, executable = {**provision.env, **spec.env}, provision.executable or ""
            if provision.hosting == "process" and spec.fallback:
                command = spec.fallback
        values = {
            "python": sys.executable, "workers": str(_WORKERS), "suite": str(self._suite),
            "executable": executable,
        }  # fmt: skip
        filled = tuple(_PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in command)
        program = shutil.which(filled[0])
        if program is None:
            reason, advice = f"there is no program {filled[0]}", f"install {filled[0]} so that it is on PATH"
            return Absent(runtime=spec.id, language=spec.language, reason=reason, advice=(advice,))
        return Launch(command=(program, *filled[1:]), env=env)


def find_provision(name: Needed) -> Provision | None:
    """Ask for what a runtime needs; ``None`` where it needs nothing."""
    match name:
        case "":
            return None
        case "r":
            from harness.runtimes.provision_r import find_r

            return find_r()
        case "julia":
            from harness.runtimes.provision_julia import find_julia

            return find_julia()
        case "torch":
            from harness.runtimes.provision_torch import find_torch

            return find_torch()


def _stanzas(path: Path) -> Iterator[tuple[RuntimeSpec, int]]:
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"cannot be read: {error}", path=path) from error
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+)", str(error))
        raise CaseError(f"not TOML: {error}", path=path, line=int(at[1]) if at else None) from error
    lines = text.splitlines()
    for key in document:
        if key != "runtime":
            raise CaseError(
                f"unknown key {key!r}", path=path, line=_line_of(lines, key, 0),
                advice="a suite.toml holds [[runtime]] stanzas",
            )  # fmt: skip
    stanzas = document.get("runtime", [])
    starts = [number for number, line in enumerate(lines) if re.match(r"\s*\[\[\s*runtime\s*\]\]", line)]
    if not isinstance(stanzas, list) or len(starts) != len(stanzas):
        line = _line_of(lines, "runtime", 0)
        raise CaseError("write each runtime as a [[runtime]] stanza", path=path, line=line)
    for start, stanza in zip(starts, stanzas, strict=True):
        yield _spec(stanza, path, lines, start), start + 1


def _spec(stanza: dict[str, Any], path: Path, lines: list[str], start: int) -> RuntimeSpec:
    try:
        spec = msgspec.convert(stanza, RuntimeSpec)
    except msgspec.ValidationError as error:
        named = re.search(r"`\$\.(\w+)|unknown field `(\w+)`|missing required field `(\w+)`", str(error))
        key = next((name for name in named.groups() if name), "") if named else ""
        line = _line_of(lines, key, start) or start + 1
        raise CaseError(f"a runtime that cannot be used: {error}", path=path, line=line) from error

    def refuse(key: str, why: str) -> CaseError:
        return CaseError(why, path=path, line=_line_of(lines, key, start) or start + 1)

    if not _ID.fullmatch(spec.id):
        raise refuse("id", f"a runtime's id is letters, digits, - and _, not {spec.id!r}")
    if not re.fullmatch(r"[^/\s]*\.[^/\s.]+", spec.suffix):
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
    return spec


def _refuse_duplicate(spec: RuntimeSpec, specs: Mapping[str, RuntimeSpec], path: Path, line: int) -> None:
    for other in specs.values():
        if other.id == spec.id:
            raise CaseError(f"there is a runtime {spec.id!r} already", path=path, line=line)
        if other.suffix == spec.suffix:
            what = f"the suffix {spec.suffix!r} belongs to the runtime {other.id!r} already"
            raise CaseError(what, path=path, line=line)


def _line_of(lines: list[str], key: str, start: int) -> int | None:
    """Line, counted from 1, at which a key stands in the stanza that starts at ``start``, counted from 0."""
    for number, line in enumerate(lines[start:], start=start):
        if number > start and start and line.lstrip().startswith("[["):
            return None
        if key and re.match(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]", line):
            return number + 1
    return None
