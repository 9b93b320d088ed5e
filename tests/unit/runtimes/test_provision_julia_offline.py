"""The Julia project of the private build, and its recipe."""

from __future__ import annotations

import io
import sys
import tarfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from harness.errors import ProvisionError
from harness.runtimes.provision.julia_offline import build
from harness.runtimes.provision.julia_offline.project import unpack_pythoncall, write_project
from harness.runtimes.provision.machine import Machine, installed_version, run_command
from harness.runtimes.provision.provision import Say, silent

CONSTS = "@eval pybuiltins begin\n$([:(const $k = $pynew()) for k in BUILTINS]...)\nend\n"
MODULE = "Meta.parseall(strip(pyconvert(String, expr)))"


def package(
    folder: Path, name: str, uuid: str, deps: dict[str, str] | None = None, version: str = "1.0.0"
) -> Path:
    folder.mkdir(parents=True)
    lines = [f'name = "{name}"', f'uuid = "{uuid}"', f'version = "{version}"', "[deps]"]
    lines += [f'{dep} = "{value}"' for dep, value in (deps or {}).items()]
    (folder / "Project.toml").write_text("\n".join(lines))
    return folder


def test_the_manifest_holds_what_is_needed_and_no_absolute_path(tmp_path: Path) -> None:
    stdlib = tmp_path / "stdlib"
    package(stdlib / "Libdl", "Libdl", "u-libdl")
    package(stdlib / "Random", "Random", "u-random", {"Libdl": "u-libdl"})
    package(stdlib / "Unused", "Unused", "u-unused")
    small = package(tmp_path / "small", "Small", "u-small", version="0.2.0")
    main = package(tmp_path / "main", "Main1", "u-main", {"Small": "u-small", "Random": "u-random"})
    write_project(stdlib, tmp_path / "project", [small, main])
    manifest = tomllib.loads((tmp_path / "project/Manifest.toml").read_text())
    assert set(manifest) == {"Libdl", "Random", "Small", "Main1"}
    assert manifest["Main1"] == [
        {"deps": ["Random", "Small"], "path": "../main", "version": "1.0.0", "uuid": "u-main"}
    ]
    assert manifest["Random"] == [{"deps": ["Libdl"], "uuid": "u-random"}]
    project = tomllib.loads((tmp_path / "project/Project.toml").read_text())
    assert project == {"deps": {"Small": "u-small", "Main1": "u-main"}}
    assert str(tmp_path) not in (tmp_path / "project/Manifest.toml").read_text()


def test_a_package_that_is_not_on_disk_is_named(tmp_path: Path) -> None:
    main = package(tmp_path / "main", "Main1", "u-main", {"Absent": "u-absent"})
    with pytest.raises(ProvisionError, match="no Julia package Absent"):
        write_project(tmp_path / "stdlib", tmp_path / "project", [main])


def archive(folder: Path, consts: str) -> Path:
    path = folder / "juliacall-0.9.37.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, text in (("src/Core/consts.jl", consts), ("src/JlWrap/module.jl", f"f(x) = {MODULE}\n")):
            member = tarfile.TarInfo(f"juliacall-0.9.37/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return path


def test_two_statements_are_respelled(tmp_path: Path) -> None:
    unpack_pythoncall(archive(tmp_path, f"before\n{CONSTS}after\n"), tmp_path / "PythonCall")
    consts = (tmp_path / "PythonCall/src/Core/consts.jl").read_text()
    assert "@eval" not in consts
    assert "jl_set_const" in consts
    assert (consts.split("\n")[0], consts.split("\n")[-2]) == ("before", "after")
    assert "parseall" not in (tmp_path / "PythonCall/src/JlWrap/module.jl").read_text()


@pytest.mark.parametrize("consts", ["", CONSTS + CONSTS])
def test_another_pythoncall_is_refused(tmp_path: Path, consts: str) -> None:
    with pytest.raises(ProvisionError, match=f"{consts.count('@eval')} times, not once"):
        unpack_pythoncall(archive(tmp_path, consts), tmp_path / "PythonCall")


def test_another_recipe_is_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = tmp_path / "recipe"
    recipe.mkdir()
    (recipe / "front.c").write_text("int x;")
    monkeypatch.setattr(build, "_HERE", recipe)
    path = build.build_folder(tmp_path)
    assert build.build_folder(tmp_path) == path
    (recipe / "front.c").write_text("int y;")
    assert build.build_folder(tmp_path) != path
    assert path.parent == tmp_path


def test_the_recipe_is_packaged_with_everything_it_names() -> None:
    here = Path(build.__file__).parent
    assert (here / "libjulia_front.c").is_file()
    stand_ins = sorted(path.parent.name for path in (here / "stand_ins").glob("*/Project.toml"))
    assert stand_ins == ["CondaPkg", "MacroTools", "Preferences", "Tables", "UnsafePointers"]
    for name in stand_ins:
        assert f"module {name}\n" in (here / "stand_ins" / name / "src" / f"{name}.jl").read_text()


def here(cache: Path) -> Machine:
    return Machine(
        environ={},
        system="Linux",
        arch="x86_64",
        distribution=frozenset({"debian"}),
        is_root=False,
        python=sys.executable,
        cache=cache,
        runner=run_command,
        installed=installed_version,
    )


def test_of_two_builds_at_once_the_second_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[Path] = []

    def steps(machine: Machine, folder: Path, say: Say) -> build.PrivateJulia:
        assert not folder.exists()
        folder.mkdir()
        running.append(folder)
        time.sleep(0.3)
        built = build.PrivateJulia(folder=folder)
        (folder / "complete.json").write_bytes(msgspec.json.encode(built, enc_hook=str))
        return built

    monkeypatch.setattr(build, "_build_steps", steps)
    with ThreadPoolExecutor(2) as pool:
        private_julia, two = pool.map(lambda _: build.build(here(tmp_path), silent), range(2))
    assert private_julia == two
    assert len(running) == 1


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (OSError("No space left on device"), "No space left"),
        (ProvisionError("patchelf failed"), "patchelf failed"),
    ],
)
def test_a_failed_build_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, shown: str
) -> None:
    def steps(machine: Machine, folder: Path, say: Say) -> build.PrivateJulia:
        (folder / "julia").mkdir(parents=True)
        raise error

    monkeypatch.setattr(build, "_build_steps", steps)
    with pytest.raises(ProvisionError, match=shown):
        build.build(here(tmp_path), silent)
    assert not build.build_folder(tmp_path).exists()
