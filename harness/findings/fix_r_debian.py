"""R packages of the distribution (Debian, Ubuntu), unpacked into a folder; the system is left as it is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.runtimes.provision.machine import CommandResult, Machine

_KINDS = ("cran", "bioc", "other")
"""What stands behind ``r-`` in the names of Debian's packages of R."""
_NEW = re.compile(r"^Inst (?P<name>\S+)(?: \[[^]]*\])? \((?P<version>\S+) ", re.MULTILINE)
_REMOVED = re.compile(r"^Remv (\S+)", re.MULTILINE)
_KEPT = frozenset({"libc6", "r-base-core"})
"""What cannot be another one in a folder: all that runs uses them as they are."""
_SECONDS = 900.0
_ASKED = re.compile(r"(?P<name>[\w.]+?)(?:(?P<how>[=>]=)(?P<version>.+))?")
_HOME = "/usr/lib/R"
"""The home of the R for which the distribution builds its packages."""
_LIBRARIES = ("usr/lib/R/site-library", "usr/lib/R/library")


class Unpacked(NamedTuple):
    """What a distribution has given: sentences on versions that differ, and why something cannot be had."""

    had: tuple[str, ...]
    notes: tuple[str, ...]
    refused: Mapping[str, str]


def unpack_debian(
    wanted: Sequence[str], tree: Path, room: Path, machine: Machine, r_program: str
) -> Unpacked:
    """Download the distribution's packages of R, with what they need and is not installed, and unpack them.

    Their scripts are not run. No rights are needed: only ``tree`` and ``room`` are written to.

    Parameters
    ----------
    wanted : sequence of str
        Names of R packages, perhaps with a version (``name==1.0``, ``name>=1.0``).
    tree : Path
        A folder, which stands for the root of the system.
    room : Path
        A folder for the files of the packages, and for lists of what there is.
    machine : Machine
        Where that is.
    r_program : str
        The R that they are for.

    Returns
    -------
    Unpacked
        ``refused`` has why, for each that cannot be had.
    """
    apt = _Apt(machine, room)
    why = apt.why_not()
    if not why and machine.run(r_program, "RHOME").out.strip() != _HOME:
        why = f"{r_program} is not the distribution's R"
    if why:
        return Unpacked((), (), dict.fromkeys(wanted, why))
    apt.need_lists()
    offered = apt.offered(wanted)
    refused: dict[str, str] = {}
    notes: list[str] = []
    chosen: dict[str, str] = {}
    for asked in wanted:
        found = _ASKED.fullmatch(asked)
        name, how, version = found.groups() if found is not None else (asked, None, None)
        package, has = offered.get(name.lower(), ("", ""))
        if not package:
            refused[asked] = apt.silent or f"the distribution has no r-cran-{name.lower()}"
        elif how == ">=" and version and _is_older(has, version):
            refused[asked] = f"{name} {version} is asked for, and the distribution has {has}"
        else:
            chosen[asked] = package
            if how == "==" and version != has:
                notes.append(f"{name} is {has}, the distribution's, and not {version} as the lock file says")
    if chosen:
        said = apt.unpack(list(dict.fromkeys(chosen.values())), tree)
        for asked in list(chosen):
            name = re.split("[=>]=", asked)[0]
            if said or not any((tree / library / name).is_dir() for library in _LIBRARIES):
                refused[asked] = said or f"{chosen[asked]} has no package that is called {name}"
                del chosen[asked]
    return Unpacked(tuple(chosen), tuple(notes), refused)


def _is_older(version: str, least: str) -> bool:
    """Whether a version of an R package is older than another."""
    parts = [[int(part) for part in re.findall(r"\d+", text)] for text in (version, least)]
    return parts[0] < parts[1]


class _Apt:
    """The distribution's packages, asked without root: lists and files lie in a room of its own.

    Parameters
    ----------
    machine : Machine
        Where it is asked.
    room : Path
        A folder of its own.
    """

    def __init__(self, machine: Machine, room: Path) -> None:
        self._machine = machine
        self._room = room
        self._own: tuple[str, ...] = ()
        self.silent = ""

    def why_not(self) -> str:
        """Why nothing can be had of a distribution here; empty where it can be asked."""
        if not self._machine.distribution & {"debian", "ubuntu"}:
            return "this is no Debian or Ubuntu, whose packages could be taken"
        lacking = [name for name in ("apt-get", "apt-cache", "dpkg-deb") if not self._machine.which(name)]
        return f"there is no {lacking[0]}" if lacking else ""

    def need_lists(self) -> None:
        """Fetch the lists of what there is into the room, where the system has none."""
        asked = self._run("apt-get", "indextargets", "Created-By: Packages", "--format", "$(FILENAME)")
        if not any(Path(line).exists() for line in asked.out.splitlines()):
            self._update()

    def offered(self, wanted: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return the package and version for each R package, by its name in small letters."""
        names = [re.split("[=>]=", asked)[0].lower() for asked in wanted]
        asked = [f"r-{kind}-{name}" for name in names for kind in _KINDS]
        shown = self._run("apt-cache", "--no-all-versions", "show", *asked).out
        found: dict[str, tuple[str, str]] = {}
        for record in shown.split("\n\n"):
            fields = dict(re.findall(r"^(Package|Version): (\S+)", record, re.MULTILINE))
            name = fields.get("Package", "").split("-", 2)[-1]
            if name in names:
                found.setdefault(name, (fields["Package"], _of_r(fields.get("Version", ""))))
        return found

    def unpack(self, packages: Sequence[str], tree: Path) -> str:
        """Download packages with what they need and is not installed, and unpack them; return why not."""
        tried = self._run("apt-get", *_SIMULATED, "install", *packages, timeout=_SECONDS)
        if tried.code:
            return f"the distribution's packages do not fit together: {tried.last_line}"
        new = {found["name"]: found["version"] for found in _NEW.finditer(tried.out)}
        changed = sorted((new.keys() & _KEPT) | set(_REMOVED.findall(tried.out)))
        if changed:
            return f"the distribution's package would need another {changed[0]} than is installed"
        wanted = [f"{name}={version}" for name, version in new.items()]
        # A package that is installed is there for an R that does not see it.
        wanted += [name for name in packages if name not in new]
        files = self._room / "files"
        files.mkdir(parents=True, exist_ok=True)
        done = self._run("apt-get", "download", "--quiet", *wanted, timeout=_SECONDS, cwd=files)
        if done.code and not self._own and not self._update():
            # The lists may name files that the distribution has replaced.
            return self.unpack(packages, tree)
        if done.code:
            return f"the distribution's packages could not be downloaded: {self.silent or done.last_line}"
        for file in sorted(files.glob("*.deb")):
            done = self._run("dpkg-deb", "--extract", str(file), str(tree), timeout=_SECONDS)
            if done.code:
                return f"{file.name} cannot be unpacked: {done.last_line}"
        _make_plain(tree)
        return ""

    def _update(self) -> str:
        """Fetch the lists of what there is into the room; return why not."""
        for folder in ("lists/partial", "cache/archives/partial"):
            (self._room / folder).mkdir(parents=True, exist_ok=True)
        self._own = ("-o", f"Dir::State::Lists={self._room}/lists", "-o", f"Dir::Cache={self._room}/cache")
        done = self._run("apt-get", "update", "--quiet", "--error-on=any", timeout=_SECONDS)
        self.silent = f"the distribution does not answer: {done.last_line}" if done.code else ""
        return self.silent

    def _run(self, *words: str, timeout: float = 120, cwd: Path | None = None) -> CommandResult:
        own = self._own if words[0].startswith("apt") else ()
        return self._machine.run(words[0], *own, *words[1:], env=_PLAIN, timeout=timeout, cwd=cwd)


_PLAIN = {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
_SIMULATED = ("--simulate", "--option", "APT::Install-Recommends=false", "--option", "Debug::NoLocking=true")


def _of_r(version: str) -> str:
    """Return R's version of a package of Debian's version (``1:1.4.0+dfsg-11+b1``)."""
    plain = version.partition(":")[2] or version
    upstream = plain.rpartition("-")[0] or plain
    return re.split(r"[+~]", upstream)[0]


def _make_plain(tree: Path) -> None:
    """Let everybody read what was unpacked, nobody gain rights by it, and links find the system's files."""
    for folder, names, files in os.walk(tree):
        Path(folder).chmod(0o755)
        for name in (*names, *files):
            path = Path(folder) / name
            if not path.is_symlink():
                path.chmod((path.stat().st_mode & 0o755) | 0o444)
            elif not path.exists():
                target = Path(os.path.normpath(path.parent / path.readlink()))
                inside = tree / target.relative_to(tree if target.is_relative_to(tree) else "/")
                path.unlink()
                path.symlink_to(
                    os.path.relpath(inside, path.parent)
                    if inside.exists()
                    else "/" / inside.relative_to(tree)
                )
