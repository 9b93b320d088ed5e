"""Packages that a case asks for: files that the package managers of Python, R and Julia know, beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from harness.errors import CaseError
from harness.store.regular_file import read_regular

REQUIREMENTS = "requirements.txt"
LOCK = "renv.lock"
PROJECTS = ("JuliaProject.toml", "Project.toml")
MANIFESTS = ("JuliaManifest.toml", "Manifest.toml")

_NAMED = 5


def environment_of(folder: Path, versions: Mapping[str, str]) -> dict[str, str]:
    """What is used of the files beside a case that name packages, and what is not.

    Parameters
    ----------
    folder : Path
        The case's.
    versions : mapping of str to str
        The version of each language whose worker runs: ``Python``, ``R``, ``Julia``.

    Returns
    -------
    dict of str to str
        By the file's name, what was done with it; files of languages that do not run are left out.

    Raises
    ------
    CaseError
        The renv.lock is none.
    """
    found: dict[str, str] = {}
    if "Python" in versions and (folder / REQUIREMENTS).is_file():
        found[REQUIREMENTS] = _python(folder / REQUIREMENTS)
    if "R" in versions and (folder / LOCK).is_file():
        found[LOCK] = _r(folder, versions["R"])
    project = next((name for name in PROJECTS if (folder / name).is_file()), None)
    if "Julia" in versions and project is not None:
        manifest = next((name for name in MANIFESTS if (folder / name).is_file()), None)
        found[project] = "the active project of the case's file" + (
            f", with {manifest}" if manifest else "; there is no Manifest.toml: Pkg.instantiate() makes it"
        )
    return found


def _python(path: Path) -> str:
    try:
        lines = read_regular(path).decode("utf-8", errors="replace").splitlines()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    unmet, unread, met = [], [], 0
    for line in lines:
        text = re.split(r"(?:^|\s)#", line)[0].split(" --hash", 1)[0].strip().rstrip("\\").strip()
        if not text or text.startswith("--hash"):
            continue
        answer = _requirement(text)
        met += answer == ""
        if answer is None:
            unread.append(text)
        elif answer:
            unmet.append(answer)
    said = []
    if unmet:
        said.append(f"not met: {_some(unmet)}; nothing is installed for it: pip install -r {path.name}")
    elif met:
        said.append(f"met by what is installed: {met} of {met}")
    if unread:
        said.append(f"not checked: {_some(unread)}")
    return "; ".join(said) or "asks for nothing"


def _requirement(text: str) -> str | None:
    """What is wrong with one requirement: nothing, or in what it is not met; None if it is not understood."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        asked = Requirement(text)
    except InvalidRequirement:
        return None
    if asked.marker is not None and not asked.marker.evaluate():
        return ""
    if asked.url is not None:
        return None
    try:
        there = version(asked.name)
    except PackageNotFoundError:
        return f"{text} (not installed)"
    return "" if asked.specifier.contains(there, prereleases=True) else f"{text} ({there} is installed)"


class _Lock(msgspec.Struct):
    Packages: dict[str, msgspec.Raw] = {}


def _r(folder: Path, number: str) -> str:
    try:
        packages = msgspec.json.decode(read_regular(folder / LOCK), type=_Lock).Packages
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _no_lock(folder / LOCK, error) from error
    asked = f"{len(packages)} package{'s' if len(packages) != 1 else ''}"
    library = next(_libraries(folder, number), None)
    if library is None:
        return f"{asked}; its library is not here, so R's own are used: renv::restore() makes it"
    missing = [name for name in packages if not (library / name).is_dir()]
    where = f"{asked}, from {library.relative_to(folder).as_posix()}"
    return f"{where}; not in it, and taken from R's own: {_some(missing)}" if missing else where


def check_lock(folder: Path) -> None:
    """Raise CaseError where the renv.lock of a case is none: its packages would be R's own unnoticed."""
    path = folder / LOCK
    if not path.is_file():
        return
    try:
        msgspec.json.decode(read_regular(path), type=_Lock)
    except OSError:
        return
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _no_lock(path, error) from error


def _no_lock(path: Path, error: Exception) -> CaseError:
    return CaseError(
        f"is no renv.lock: {error}", path=path, advice="renv::snapshot() writes it; else delete it"
    )


def _libraries(folder: Path, number: str) -> Iterator[Path]:
    """Where renv keeps a project's packages, older versions and newer ones: as r_host.R looks for it."""
    short = "R-" + ".".join(number.split(".")[:2])
    for pattern in (f"{short}/*", f"*/{short}/*"):
        yield from sorted(path for path in (folder / "renv" / "library").glob(pattern) if path.is_dir())


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
