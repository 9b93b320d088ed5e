"""What lies beside a source counts, but for the harness's own files and other implementations' sources."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from harness.errors import FixtureError
from harness.store import beside
from harness.store.beside import FilesBeside, differing

SOURCES = ("toy.py", "toy.b.py", "toy.R", "toy.jl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    case = tmp_path / "toy"
    case.mkdir()
    for name in (*SOURCES, "case.toml", "document.toml", "probes.toml"):
        (case / name).write_text(f"# {name}: a port of toy.b.py\n", encoding="utf-8")
    return case


def files(folder: Path, *sources: str) -> dict[str, str]:
    return FilesBeside(folder, [folder / name for name in SOURCES]).of(*(folder / name for name in sources))


@pytest.mark.parametrize("source", SOURCES)
def test_where_nothing_lies_beside_the_sources_nothing_counts(folder: Path, source: str) -> None:
    assert files(folder, source) == {}


def test_helpers_and_data_count_by_their_content(folder: Path) -> None:
    (folder / "data" / "deep").mkdir(parents=True)
    contents = {
        "K.R": b"K <- 3",
        "data/const.txt": b"3.0\r\n",
        "data/deep/x.json": b"{}",
        "toy_helper.py": b"",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    expected = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    for source in SOURCES:
        assert files(folder, source) == expected
    (folder / "data" / "const.txt").write_bytes(b"3\n")
    assert files(folder, "toy.R")["data/const.txt"] == hashlib.sha256(b"3\n").hexdigest()


def test_a_header_counts_for_the_sources_that_include_it(folder: Path) -> None:
    (folder / "toy.h").write_text("#define SIZE 3\n", encoding="utf-8")
    assert files(folder, "toy.R") == {}
    (folder / "toy.jl").write_text('#include "toy.h"\n', encoding="utf-8")
    assert list(files(folder, "toy.jl")) == ["toy.h"]
    assert files(folder, "toy.py") == {}


def test_hidden_and_compiled_files_and_those_of_a_run_do_not_count(folder: Path) -> None:
    for name in ("__pycache__", ".cache", "results/logs", "kept"):
        (folder / name).mkdir(parents=True)
    for name in (
        *(
            "__pycache__/toy.pyc",
            ".cache/a",
            ".hidden",
            "results/results.jsonl.partial",
            "results/report.html",
        ),
        *("results/logs/r.1.stderr", "kept/report.html", "results/data.txt"),
    ):
        (folder / name).write_text("x", encoding="utf-8")
    # Without a record beside it, a page is a file like any other; and with one, so is what no run writes.
    assert list(files(folder, "toy.R")) == ["kept/report.html", "results/data.txt"]


@pytest.mark.parametrize(
    ("source", "text", "named"),
    [
        ("toy.jl", 'include("toy.R")', "toy.R"),
        ("toy.R", "source(file.path(here, 'toy.b.py'))", "toy.b.py"),
        ("toy.py", "open(folder + '/case.toml')", "case.toml"),
    ],
)
def test_another_source_counts_where_it_is_named(folder: Path, source: str, text: str, named: str) -> None:
    (folder / source).write_text(text, encoding="utf-8")
    assert list(files(folder, source)) == [named]
    for other in SOURCES:
        assert other == source or files(folder, other) == {}


def test_an_imported_source_counts_and_so_does_what_it_imports(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    names = ("toy.py", "toy_torch.py", "toy_deep.py")
    texts = ("import toy_torch", "from toy_deep import f", "f = 1")
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    files_beside = FilesBeside(folder, [folder / name for name in names])
    assert list(files_beside.of(folder / "toy.py")) == ["toy_deep.py", "toy_torch.py"]
    assert list(files_beside.of(folder / "toy_deep.py")) == []
    assert list(files_beside.of(folder / "toy_deep.py", folder / "toy_torch.py")) == ["toy_deep.py"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_followed_and_loops_end(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "data.txt").write_bytes(b"1")
    (folder / "linked.txt").symlink_to(elsewhere / "data.txt")
    (folder / "linked").symlink_to(elsewhere)
    (folder / "broken").symlink_to(tmp_path / "nowhere")
    (elsewhere / "round").symlink_to(folder)
    before = files(folder, "toy.R")
    assert {"linked.txt", "linked/data.txt"} <= set(before)
    assert len(before) < 20
    (elsewhere / "data.txt").write_bytes(b"2")
    after = files(folder, "toy.R")
    assert {name for name in before if before[name] != after[name]} == {"linked.txt", "linked/data.txt"}


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_what_is_no_regular_file_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert files(folder, "toy.R") == {}


@pytest.mark.parametrize(("limit", "most"), [("MOST_BYTES", 1000), ("MOST_FILES", 9)])
def test_a_folder_that_is_too_large_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(beside, limit, most)
    for number in range(2):
        (folder / f"{number}.bin").write_bytes(bytes(300))
    assert list(files(folder, "toy.R")) == ["0.bin", "1.bin"]
    (folder / "2.bin").write_bytes(bytes(300))
    files_beside = FilesBeside(folder, [])
    for _ in range(2):
        with pytest.raises(FixtureError, match="that a source may read"):
            files_beside.of(folder / "toy.R")


def test_what_differs_is_named() -> None:
    then = {"a": "1", "b": "1", "c": "1"}
    assert differing(then, then) == []
    assert differing(then, {"b": "2", "c": "1", "d": "1"}) == ["b", "d (new, or not noted then)", "a (gone)"]


FOLDER = Path(__file__).parents[3] / "reference_impls"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the repository's own cases")
def test_the_cases_of_the_repository_have_nothing_beside_their_sources() -> None:
    cases = [folder for folder in FOLDER.iterdir() if (folder / "case.toml").is_file()]
    assert len(cases) == 9
    for folder in cases:
        sources = [path for path in folder.iterdir() if path.suffix != ".toml"]
        files_beside = FilesBeside(folder, sources)
        assert [files_beside.of(source) for source in sources] == [{}] * len(sources)
        assert {source.suffix for source in sources} >= {".py", ".R", ".jl"}
