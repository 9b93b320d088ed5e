"""The files of the repository that a document's code may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.given_files import files_beside, repository_of
from harness.documents.model import Chunk, Document


def document(folder: Path, code: str) -> Document:
    chunk = Chunk(index=0, line=1, end_line=3, code_line=2, language="python", code=code)
    return Document(path=folder / "a.md", kind="markdown", title="", chunks=(chunk,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name in ("book/part", ".git", "data/deep", ".secret"):
        (root / name).mkdir(parents=True)
    for name in ("data/a.csv", "data/b.csv", ".git/config", ".secret/key", "data/.hidden", "book/c.csv"):
        (root / name).write_text(name)
    (tmp_path / "outside.csv").write_text("outside")
    return root / "book" / "part"


def given(folder: Path, code: str) -> tuple[list[str], str]:
    found = files_beside(document(folder, code), folder)
    return sorted(found.files), found.place


def test_files_of_the_repository_above_the_folder_are_given(folder: Path) -> None:
    assert given(folder, "open('../../data/a.csv')") == (["../../data/a.csv"], "book/part")
    assert given(folder, 'read("../c.csv"); read("../../data/")') == (
        ["../../data/a.csv", "../../data/b.csv", "../c.csv"],
        "book/part",
    )
    assert given(folder, "open('../part/../c.csv')") == (["../c.csv"], "book/part")
    assert given(folder, "open('b.csv')") == ([], "")


def test_a_path_that_begins_with_a_dot(folder: Path) -> None:
    assert given(folder, "open('./../c.csv')") == (["../c.csv"], "book/part")
    assert given(folder, "sys.path.insert(1, r'./../../data')")[0] == ["../../data/a.csv", "../../data/b.csv"]


def test_files_that_a_pattern_finds(folder: Path) -> None:
    (folder / "in").mkdir()
    for name in ("in/a.csv", "in/b.csv", "in/c.txt", "in/.d.csv", "e.csv"):
        (folder / name).write_text(name)
    assert given(folder, "glob.glob('in/*.csv')") == (["in/a.csv", "in/b.csv"], "")
    assert given(folder, "glob('*.csv')") == (["e.csv"], "")
    assert given(folder, "glob('../../data/*.csv')")[0] == ["../../data/a.csv", "../../data/b.csv"]
    for code in (
        "print('in/*.csv')",
        "glob('/*.csv')",
        "glob('*')",
        "glob('../../../*.csv')",
        "glob('no/*.csv')",
    ):
        assert given(folder, code) == ([], "")
    (folder / "in" / "f.csv").symlink_to(folder.parents[2] / "outside.csv")
    assert given(folder, "glob.glob('in/*.csv')") == (["in/a.csv", "in/b.csv"], "")


@pytest.mark.parametrize(
    "name", ["../../../outside.csv", "../../.git/config", "../../.secret/key", "../../data/.hidden", "../.."]
)
def test_nothing_above_the_repository_and_nothing_hidden(folder: Path, name: str) -> None:
    assert given(folder, f"open('{name}')") == ([], "")


def test_links_stay_in_the_repository(folder: Path) -> None:
    data = folder.parents[1] / "data"
    (data / "out.csv").symlink_to(folder.parents[2] / "outside.csv")
    (data / "key.csv").symlink_to(data.parent / ".secret" / "key")
    (data / "in.csv").symlink_to(data / "a.csv")
    names = ", ".join(f"'../../data/{name}.csv'" for name in ("out", "key", "in"))
    assert given(folder, names) == (["../../data/in.csv"], "book/part")


def test_without_a_repository_nothing_above_is_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder.parents[1]
    assert repository_of(folder) == root
    # A home folder that is a repository itself holds much that is not the author's.
    monkeypatch.setenv("HOME", str(root))
    assert given(folder, "open('../../data/a.csv')") == ([], "")
    monkeypatch.undo()
    (root / ".git" / "config").unlink()
    (root / ".git").rmdir()
    if repository_of(folder) is None:
        assert given(folder, "open('../../data/a.csv')") == ([], "")
        # Where no repository holds it, a folder that was given does.
        what = document(folder, "open('../../data/a.csv'), open('../../../outside.csv')")
        found = files_beside(what, folder, [root / "data", root])
        assert (list(found.files), found.place) == (["../../data/a.csv"], "book/part")
        assert not files_beside(what, folder, [folder, root / "nowhere"]).files
