"""Which file is whose, what a stanza may say, and how a worker is started."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from harness.errors import CaseError
from harness.model import Absent, Broken
from harness.runtimes.provision.provision import Provision
from harness.runtimes.registry import Launch, Needed, Registry

NODE = """
# A language that is not built in.
[[runtime]]
id = "node"
language = "JavaScript"
suffix = ".mjs"
command = ["{python}", "{suite}/worker.py"]
env = { NODE_PATH = "x" }
"""


def suite(folder: Path, text: str = NODE) -> Path:
    (folder / "suite.toml").write_text(text, encoding="utf-8")
    return folder


def case(folder: Path, *names: str) -> Path:
    path = folder / "four_word"
    path.mkdir()
    for name in names:
        (path / name).write_text("", encoding="utf-8")
    return path


def test_files_belong_to_runtimes_by_their_names(tmp_path: Path) -> None:
    folder = case(
        tmp_path,
        "four_word.mjs", "four_word.jl", "four_word.blocked.jl", "four_word.R", "four_word_torch.py",
        "four_word.py", "four_word.blas_torch.py", "four_word.float-32.py", "four_word.a.jl",
        # None of these is an implementation.
        "case.toml", "other.py", "four_word.r", "four_word.pyc", "four_words.py", "four_word..py",
        "four_word.a.b.py", "xfour_word.py", "four_word", "four_word.c d.py", "_torch.py",
    )  # fmt: skip
    implementations = Registry.load(suite(tmp_path)).implementations(folder)
    assert [
        (implementation.id, implementation.runtime, implementation.path.name)
        for implementation in implementations
    ] == [
        ("numpy", "numpy", "four_word.py"),
        ("numpy.float-32", "numpy", "four_word.float-32.py"),
        ("torch", "torch", "four_word_torch.py"),
        ("torch.blas", "torch", "four_word.blas_torch.py"),
        ("r", "r", "four_word.R"),
        ("julia", "julia", "four_word.jl"),
        ("julia.a", "julia", "four_word.a.jl"),
        ("julia.blocked", "julia", "four_word.blocked.jl"),
        ("node", "node", "four_word.mjs"),
    ]
    assert {implementation.language for implementation in implementations} == {
        "NumPy",
        "PyTorch",
        "R",
        "Julia",
        "JavaScript",
    }


@pytest.mark.parametrize(
    ("name", "advice"), [("toy.f", "put it into free form, as toy.f90"), ("toy.f95", "call it toy.f90")]
)
def test_fortran_that_is_not_read_is_refused(tmp_path: Path, name: str, advice: str) -> None:
    case = tmp_path / "toy"
    case.mkdir()
    (case / name).write_text("      end\n")
    with pytest.raises(CaseError, match="is not read: of Fortran's endings only") as caught:
        Registry.load(tmp_path).implementations(case)
    assert caught.value.advice == advice
    stanza = f'[[runtime]]\nid = "own"\nlanguage = "F"\nsuffix = "{Path(name).suffix}"\ncommand = ["f"]\n'
    (tmp_path / "suite.toml").write_text(stanza)
    assert [one.id for one in Registry.load(tmp_path).implementations(case)] == ["own"]
    (tmp_path / "suite.toml").unlink()
    # What has been put into free form may keep the old file beside it.
    (case / "toy.f90").write_text("end\n")
    assert [one.id for one in Registry.load(tmp_path).implementations(case)] == ["fortran"]


@pytest.mark.parametrize(
    ("name", "language", "advice"),
    [
        ("toy.cc", "C++", "call it toy.cpp"),
        ("toy.cxx", "C++", "call it toy.cpp"),
        ("toy.c++", "C++", "call it toy.cpp"),
        ("toy.C", "C++", "call it toy.cpp"),
        ("toy.fast.cc", "C++", "call it toy.fast.cpp"),
        ("toy.F", "Fortran", "put it into free form, as toy.f90"),
        ("toy.js", "JavaScript", "call it toy.mjs"),
        ("toy.cjs", "JavaScript", "write it as a module"),
        ("toy.ts", "JavaScript", "have it compiled to toy.mjs"),
    ],
)
def test_a_file_with_another_ending_of_a_language_is_refused(
    tmp_path: Path, name: str, language: str, advice: str
) -> None:
    case = tmp_path / "toy"
    case.mkdir()
    (case / "toy.py").touch()
    (case / name).touch()
    with pytest.raises(CaseError, match=re.escape(f"is not read: of {language}'s endings only")) as caught:
        Registry.load(tmp_path).implementations(case)
    assert advice in (caught.value.advice or "")


def test_a_file_that_one_which_is_read_includes_may_have_another_ending(tmp_path: Path) -> None:
    case = tmp_path / "toy"
    case.mkdir()
    (case / "toy.cpp").write_text('#include "toy.fast.cc"\n')
    for name in ("toy.fast.cc", "toy.cc", "toy.mjs", "toy.test.js", "tools.js", "toys.cc"):
        (case / name).touch()
    assert [one.id for one in Registry.load(tmp_path).implementations(case)] == ["cpp", "node"]
    (case / "toy.cpp").write_text("")
    with pytest.raises(CaseError, match="is not read"):
        Registry.load(tmp_path).implementations(case)


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_link_to_nothing_and_a_folder_are_no_implementations(tmp_path: Path) -> None:
    case = tmp_path / "toy"
    case.mkdir()
    (case / "toy.c").symlink_to("gone.c")
    with pytest.raises(CaseError, match=r"is a link to gone\.c, which is not there"):
        Registry.load(tmp_path).implementations(case)
    (case / "toy.c").unlink()
    (case / "toy.c").mkdir()
    with pytest.raises(CaseError, match="is a folder, and is called as an implementation is"):
        Registry.load(tmp_path).implementations(case)


def test_a_suite_need_not_add_anything(tmp_path: Path) -> None:
    builtin = [
        *("numpy", "torch", "r", "julia", "program", "c", "c-fast", "cpp", "fortran"),
        *("jax", "jax-jit", "onnx"),
    ]
    assert list(Registry.load(tmp_path).specs) == [*builtin, "node", "octave"]
    # The suite's own takes the place of the one that is built in.
    assert list(Registry.load(suite(tmp_path)).specs) == [*builtin, "octave", "node"]


def test_a_suite_keeps_the_worker_that_it_brought_before_there_was_one(tmp_path: Path) -> None:
    stanza = NODE.replace('"node"', '"own"').replace('".mjs"', '".c"')
    registry = Registry.load(suite(tmp_path, stanza))
    assert {"c", "c-fast"} & set(registry.specs) == set()
    assert registry.specs["own"].suffix == ".c"
    folder = case(tmp_path, "four_word.c", "four_word.mjs")
    assert [each.id for each in registry.implementations(folder)] == ["node", "own"]


def test_one_file_is_an_implementation_in_each_runtime_that_runs_it(tmp_path: Path) -> None:
    stanza = '[[runtime]]\nid = "c-o0"\nlanguage = "C -O0"\nsources = "c"\ncommand = ["cc", "-O0"]\n'
    folder = case(tmp_path, "four_word.c", "four_word.blocked.c", "four_word.py")
    named = [
        (each.id, each.runtime, each.path.name)
        for each in Registry.load(suite(tmp_path, stanza)).implementations(folder)
    ]
    assert named == [
        ("numpy", "numpy", "four_word.py"),
        ("c", "c", "four_word.c"),
        ("c.blocked", "c", "four_word.blocked.c"),
        ("c-fast", "c-fast", "four_word.c"),
        ("c-fast.blocked", "c-fast", "four_word.blocked.c"),
        ("c-o0", "c-o0", "four_word.c"),
        ("c-o0.blocked", "c-o0", "four_word.blocked.c"),
    ]


OWN = NODE.replace('"node"', '"own"')
BAD = {
    "not TOML": ('[[runtime]]\nid = "node\n', 2, "not TOML"),
    "unknown table": (NODE + "[case]\nname = 1\n", 9, "unknown key 'case'"),
    "unknown key": (NODE + 'mood = "good"\n', 9, "mood"),
    "missing key": (NODE.replace('suffix = ".mjs"', ""), 3, "suffix"),
    "wrong type": (NODE.replace('"JavaScript"', "3"), 5, "language"),
    "wrong provision": (NODE + 'provision = "perl"\n', 9, "perl"),
    "one table": (NODE.replace("[[runtime]]", "[runtime]"), 3, r"\[\[runtime\]\]"),
    "list": ("runtime = [1]\n", 1, r"runtime\[1\]: expected a table"),
    "bad id": (NODE.replace('"node"', '"no de"'), 4, "no de"),
    "dotted id": (NODE.replace('"node"', '"no.de"'), 4, "no.de"),
    "no suffix": (NODE.replace('".mjs"', '"mjs"'), 6, "mjs"),
    "empty command": (NODE.replace('["{python}", "{suite}/worker.py"]', "[]"), 7, "empty"),
    "placeholder": (NODE.replace("{suite}", "{home}"), 7, "{home}"),
    "interpreter": (NODE.replace("{python}", "{executable}"), 7, "provision"),
    "same id": (NODE.replace('"node"', '"r"'), 3, "'r' already"),
    "same suffix": (NODE.replace('".mjs"', '".jl"'), 3, "'julia' already"),
    "twice": (NODE + NODE, 11, "'node' already"),
    "suffix and sources": (NODE + 'sources = "c"\n', 6, "not both"),
    "sources of nobody": (
        OWN.replace('suffix = ".mjs"', 'sources = "cobol"'),
        3,
        "'cobol' before it",
    ),
    "sources of sources": (
        OWN.replace('suffix = ".mjs"', 'sources = "c-fast"'),
        3,
        "'c-fast' before it",
    ),
}


@pytest.mark.parametrize(("text", "line", "words"), BAD.values(), ids=BAD)
def test_a_stanza_that_cannot_be_used(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(CaseError, match=words) as caught:
        Registry.load(suite(tmp_path, text))
    assert (caught.value.path, caught.value.line) == (tmp_path / "suite.toml", line)


def registry(folder: Path, provision: Provision, asked: list[str] | None = None) -> Registry:
    def find(name: Needed) -> Provision | None:
        if asked is not None:
            asked.append(name)
        return provision if name else None

    return Registry(Registry.load(suite(folder)).specs, folder, find)


FOUND = Provision(
    runtime="julia", available=True, hosting="juliacall 1", env={"A": "1"}, executable=sys.executable
)


def test_a_worker_is_looked_for_once(tmp_path: Path) -> None:
    asked: list[str] = []
    runtimes = registry(tmp_path, FOUND, asked)
    first = runtimes.launch("julia")
    assert isinstance(first, Launch)
    assert runtimes.launch("julia") is first
    assert asked == ["julia"]
    assert first.env == {"A": "1"}
    assert first.command[0] == sys.executable
    assert first.command[-1] == "julia"
    assert Path(first.command[-2]).name == "__main__.py"
    assert Path(first.command[-2]).is_file()


def test_a_process_of_its_own_is_the_fallback(tmp_path: Path) -> None:
    launch = registry(tmp_path, Provision(**_fields(FOUND) | {"hosting": "process"})).launch("julia")
    assert isinstance(launch, Launch)
    assert launch.command[0] == sys.executable
    assert Path(launch.command[-1]).name == "worker.jl"
    assert Path(launch.command[-1]).is_file()


def test_what_cannot_be_had_is_absent_with_its_reason(tmp_path: Path) -> None:
    missing = Provision(runtime="r", available=False, reason="no R on PATH", advice=("install it",))
    assert registry(tmp_path, missing).launch("r") == Absent(
        runtime="r", language="R", reason="no R on PATH", advice=("install it",)
    )


def test_what_is_found_and_does_not_run_is_broken(tmp_path: Path) -> None:
    dead = Provision(runtime="r", available=False, broken=True, reason="R ends", advice=("repair it",))
    assert registry(tmp_path, dead).launch("r") == Broken(
        runtime="r", language="R", reason="R ends", advice=("repair it",)
    )


def test_a_command_of_a_suite(tmp_path: Path) -> None:
    launch = Registry.load(suite(tmp_path)).launch("node")
    assert launch == Launch(command=(sys.executable, str(tmp_path / "worker.py")), env={"NODE_PATH": "x"})
    text = NODE.replace("{python}", "no-such-program")
    absent = Registry.load(suite(tmp_path, text)).launch("node")
    assert isinstance(absent, Absent)
    assert (absent.runtime, absent.language) == ("node", "JavaScript")
    assert absent.reason == "there is no program no-such-program"


def test_an_unknown_runtime_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        Registry.load(tmp_path).launch("cobol")


def _fields(provision: Provision) -> dict[str, object]:
    return {name: getattr(provision, name) for name in provision.__struct_fields__}
