"""The Julia project that holds PythonCall: its sources, fitted to Julia 1.5, and its manifest."""

from __future__ import annotations

import os
import tarfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.errors import ProvisionError

# Statements of PythonCall that Julia 1.5 cannot run, and their equivalents in Julia 1.5.
_RESPELLED = {
    "src/Core/consts.jl": (
        "@eval pybuiltins begin\n$([:(const $k = $pynew()) for k in BUILTINS]...)\nend\n",
        "for k in BUILTINS\n    ccall(:jl_set_const, Cvoid, (Any, Any, Any), pybuiltins, k, pynew())\nend\n",
    ),
    "src/JlWrap/module.jl": (
        "Meta.parseall(strip(pyconvert(String, expr)))",
        "Base.parse_input_line(String(strip(pyconvert(String, expr))))",
    ),
}


def unpack_pythoncall(archive: Path, target: Path) -> None:
    """Unpack PythonCall out of juliacall's source distribution and fit it to Julia 1.5.

    Raises
    ------
    ProvisionError
        A statement that is to be respelled is not there, or more than once.
    """
    with tarfile.open(archive) as tar:
        # Python 3.11.2, Debian 12's, has no filters yet.
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        tar.extractall(target.parent)
    (target.parent / archive.name.removesuffix(".tar.gz")).rename(target)
    for name, (old, new) in _RESPELLED.items():
        path = target / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise ProvisionError(
                f"the statement to respell for Julia 1.5 stands there {text.count(old)} times, not once",
                path=path,
                advice="the recipe fits one version of juliacall: change both together",
            )
        path.write_text(text.replace(old, new), encoding="utf-8")


def write_project(stdlib: Path, folder: Path, packages: Iterable[Path]) -> None:
    """Write Project.toml and Manifest.toml, with relative paths, for packages on disk.

    Raises
    ------
    ProvisionError
        A package depends on one that is neither given nor in Julia's standard library.
    """
    local = {toml["name"]: (toml, path) for toml, path in ((_read(path), path) for path in packages)}
    standard = {path.parent.name: (_read(path.parent), None) for path in stdlib.glob("*/Project.toml")}
    known: dict[str, tuple[dict[str, Any], Path | None]] = {**standard, **local}
    wanted: dict[str, tuple[dict[str, Any], Path | None]] = {}
    waiting = list(local)
    while waiting:
        name = waiting.pop()
        if name in wanted:
            continue
        if name not in known:
            raise ProvisionError(f"no Julia package {name} on disk", path=folder)
        wanted[name] = known[name]
        waiting += known[name][0].get("deps", {})
    folder.mkdir(parents=True, exist_ok=True)
    stanzas = [_stanza(name, toml, path, folder) for name, (toml, path) in sorted(wanted.items())]
    (folder / "Manifest.toml").write_text("\n".join(stanzas), encoding="utf-8")
    deps = [f'{name} = "{toml["uuid"]}"\n' for name, (toml, _) in sorted(local.items())]
    (folder / "Project.toml").write_text("[deps]\n" + "".join(deps), encoding="utf-8")


def _stanza(name: str, toml: dict[str, Any], path: Path | None, folder: Path) -> str:
    lines = [f"[[{name}]]"]
    if toml.get("deps"):
        deps = ", ".join(f'"{dep}"' for dep in sorted(toml["deps"]))
        lines.append(f"deps = [{deps}]")
    if path is not None:
        lines += [f'path = "{os.path.relpath(path, folder)}"', f'version = "{toml["version"]}"']
    lines += [f'uuid = "{toml["uuid"]}"', ""]
    return "\n".join(lines)


def _read(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "Project.toml").read_text(encoding="utf-8"))
