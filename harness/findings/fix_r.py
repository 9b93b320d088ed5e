"""R packages that a document lacks: built in the sandbox, or unpacked, into a library of its own."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.findings.fix_r_debian import unpack_debian
from harness.runtimes.provision.machine import this_machine
from harness.runtimes.provision.r import r_executable
from harness.runtimes.registry import Launch
from harness.sessions.own_packages import DISTRIBUTION, with_packages
from harness.sessions.sandbox import Limits, Sandbox, enclose
from harness.sessions.scratch import make_scratch_dirs
from harness.store.temporary import temporary_folder

_SCRIPT = Path(__file__).with_name("fetch_packages.R")
_SECONDS = 1800.0
_LIMITS = Limits(file_bytes=1 << 30, scratch_bytes=2 << 30)
_BUILD = """r="$1"; shift
mkdir lib
"$r" CMD INSTALL --no-docs --no-test-load -l lib "$@" >&2
rm -rf lib/00LOCK*
tar cf - -C lib .
"""
_EMPTY = bytes(1024)
"""An archive that holds nothing."""
_LOAD = """for (name in commandArgs(TRUE)) {
  why <- tryCatch({
    suppressMessages(suppressWarnings(loadNamespace(name)))
    ""
  }, error = function(condition) gsub("[[:space:]]+", " ", conditionMessage(condition)))
  cat("LOADED: ", name, "\\t", why, "\\n", sep = "")
}
"""
_WHERE = 'options("repos") of this R says where packages come from'
_FIELDS = re.compile(r"^(?:Depends|Imports|Suggests|LinkingTo):((?:.*\n?)(?:[ \t]+.*\n?)*)", re.MULTILINE)
_AT_LEAST = re.compile(r"([A-Za-z][\w.]*)\s*\(\s*>=\s*([\w.-]+)\s*\)")
_VERSION = re.compile(r"\d+(?:[.-]\d+)+")
_DONE = ".installed"
_HIGHEST = 5
"""Folders above a document in which its repository's files are looked for."""


def r_requirements(packages: Iterable[str], document: Path) -> tuple[str, ...]:
    """Return what is to be installed: each name, with the version that the document's repository names.

    Parameters
    ----------
    packages : iterable of str
        Those that the document lacks.
    document : Path
        The document. ``renv.lock`` beside it, or above it in its repository, has versions (``name==1.0``);
        without one, ``DESCRIPTION`` has the oldest that will do (``name>=1.0``).
    """
    pinned = _pinned(document)
    least = {} if pinned else _least(document)
    wanted = []
    for name in packages:
        version = f"=={pinned[name]}" if name in pinned else f">={least[name]}" if name in least else ""
        wanted.append(f"{name}{version}")
    return tuple(wanted)


def install_r(wanted: Sequence[str], folder: Path, sandbox: Sandbox) -> tuple[str, ...]:
    """Install packages and what they need into a library of a document's own; nothing else is changed.

    What no repository of R has is taken from the distribution, where that is Debian or Ubuntu.

    Parameters
    ----------
    wanted : sequence of str
        From `r_requirements`.
    folder : Path
        From `folder_for`.
    sandbox : Sandbox
        Their code runs while they are built: in this sandbox, without a network.

    Returns
    -------
    tuple of str
        A sentence for each that could not be had, and for each of which the version is another.

    Raises
    ------
    UsageError
        None of them can be had or built, with what R says.
    """
    machine = this_machine()
    program = r_executable(machine)
    if program is None:
        raise _cannot(wanted, "there is no R", "harness doctor --fix r installs it")
    version = _version(program)
    if (folder / _DONE).is_file():
        first, *notes = (folder / _DONE).read_text(encoding="utf-8").split("\n")
        if first == version:
            return tuple(notes)
        shutil.rmtree(folder)  # it was built for another R
    folder.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder() as room, tempfile.TemporaryDirectory(dir=folder.parent) as unpacked:
        made = Path(unpacked) / "library"
        made.mkdir()
        packages = room / "packages"
        packages.mkdir()
        files, refused = _download(program, wanted, packages)
        if files:
            library, why = _build(program, [packages / name for name in files], sandbox, room)
            with tarfile.open(fileobj=io.BytesIO(library)) as archive:
                archive.extractall(made, filter="data")
            refused |= {
                asked: why
                for asked in wanted
                if asked not in refused and not (made / re.split("[=>]=", asked)[0]).is_dir()
            }
        notes = []
        if refused:
            given = unpack_debian(list(refused), made / DISTRIBUTION, room / "distribution", machine, program)
            unloaded = _unloaded(program, given.had, made, sandbox, room)
            notes = list(given.notes)
            refused = {
                asked: f"{refused[asked]}; {given.refused.get(asked) or unloaded.get(asked)}"
                for asked in refused
                if asked in given.refused or asked in unloaded
            }
        if len(refused) == len(wanted):
            reasons = dict.fromkeys(part for why in refused.values() for part in why.split("; "))
            raise _cannot(wanted, "; ".join(reasons), _WHERE)
        notes += [f"{asked} cannot be installed: {why}" for asked, why in refused.items()]
        made.chmod(0o755)
        (made / _DONE).write_text("\n".join([version, *notes]), encoding="utf-8")
        made.rename(folder)
    return tuple(notes)


def _version(program: str) -> str:
    """The first line of what R says of itself."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.partition("\n")[0]


def _download(program: str, wanted: Sequence[str], folder: Path) -> tuple[list[str], dict[str, str]]:
    """Download packages from where this R is told to find them.

    Returns
    -------
    files : list of str
        In the order in which they are to be built.
    refused : dict of str to str
        Why, for each that cannot be had.
    """
    command = [program, "--no-echo", "--no-save", "--no-restore", f"--file={_SCRIPT}", "--args"]
    try:
        done = subprocess.run(
            [*command, str(folder), *wanted], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return [], dict.fromkeys(wanted, f"nothing was downloaded in {_SECONDS:g} s")
    lines = done.stdout.splitlines()
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["R ended without a word"])[-1]
        return [], dict.fromkeys(wanted, said)
    found = (line.removeprefix("LACKS: ").partition("\t") for line in lines if line.startswith("LACKS: "))
    refused = {asked: why for asked, _, why in found}
    files = [line.removeprefix("FILE: ") for line in lines if line.startswith("FILE: ")]
    return list(dict.fromkeys(files)), refused


def _build(program: str, files: Sequence[Path], sandbox: Sandbox, room: Path) -> tuple[bytes, str]:
    """Build packages in the sandbox; return their library as an archive, and why one cannot be built."""
    command = ("/bin/sh", "-c", _BUILD, "sh", program, *(file.name for file in files))
    dirs = make_scratch_dirs(room, {file.name: file for file in files})
    inside = enclose(sandbox, Launch(command=command), dirs, _LIMITS).launch
    try:
        done = subprocess.run(
            inside.command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return _EMPTY, f"it was not built in {_SECONDS:g} s"
    lines = done.stderr.decode(errors="replace").splitlines()
    said = next((line for line in lines if line.startswith("ERROR")), (lines or ["no word of R"])[-1])
    return (_EMPTY if done.returncode else done.stdout), said


def _unloaded(
    program: str, wanted: Sequence[str], made: Path, sandbox: Sandbox, room: Path
) -> dict[str, str]:
    """Load packages in the sandbox; return what R says of those that cannot be."""
    if not wanted:
        return {}
    names = [re.split("[=>]=", asked)[0] for asked in wanted]
    made.chmod(0o755)
    Path(made.parent).chmod(0o711)
    launch = with_packages(
        Launch(command=(program, "--no-echo", "--no-save", "--no-restore", "-e", _LOAD, "--args", *names)),
        made,
        "R_LIBS",
    )
    inside = enclose(sandbox, launch, make_scratch_dirs(room / "loaded", {}, [made]), _LIMITS).launch
    try:
        done = subprocess.run(
            inside.command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return dict.fromkeys(wanted, f"it was not loaded in {_SECONDS:g} s")
    lines = done.stdout.decode(errors="replace").splitlines()
    said = dict(line.removeprefix("LOADED: ").partition("\t")[::2] for line in lines if "LOADED: " in line)
    ended = (done.stderr.decode(errors="replace").strip().splitlines() or ["R ended without a word"])[-1]
    return {
        asked: f"the distribution's {name} cannot be loaded: {said.get(name, ended)}"
        for asked, name in zip(wanted, names, strict=True)
        if said.get(name, ended)
    }


def _cannot(wanted: Sequence[str], why: str, advice: str = "") -> UsageError:
    return UsageError(f"{', '.join(wanted)} cannot be installed: {why}", advice=advice)


def _pinned(document: Path) -> Mapping[str, str]:
    """The versions of ``renv.lock``."""
    file = _above(document, "renv.lock")
    if file is None:
        return {}
    try:
        packages = json.loads(file.read_text(encoding="utf-8"))["Packages"]
        versions = {str(name): str(package["Version"]) for name, package in packages.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{file.name} beside {document.name} is no lock file of renv: {type(error).__name__}: {error}",
            advice="make it anew with renv::snapshot(), or take it away",
        ) from error
    return {name: version for name, version in versions.items() if _VERSION.fullmatch(version)}


def _least(document: Path) -> Mapping[str, str]:
    """The oldest versions that ``DESCRIPTION`` asks for."""
    file = _above(document, "DESCRIPTION")
    text = file.read_text(encoding="utf-8", errors="replace") if file is not None else ""
    found = {name: version for field in _FIELDS.findall(text) for name, version in _AT_LEAST.findall(field)}
    return {name: version for name, version in found.items() if _VERSION.fullmatch(version)}


def _above(document: Path, name: str) -> Path | None:
    """Find a file beside a document, or above it inside of its repository."""
    folder = document.resolve().parent
    for here in (folder, *folder.parents[:_HIGHEST]):
        if (here / name).is_file():
            return here / name
        if (here / ".git").exists():
            return None
        if here == folder and not any((part / ".git").exists() for part in folder.parents[:_HIGHEST]):
            return None
    return None
