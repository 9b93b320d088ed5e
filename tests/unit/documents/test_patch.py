from pathlib import Path

import pytest

from harness.documents.model import Chunk, Document
from harness.documents.patch import (
    Patch,
    Place,
    apply_patches,
    find_chunk,
    load_document_spec,
    load_document_specs,
    specs_for,
)
from harness.errors import CaseError

SUITE = Path(__file__).parents[3] / "reference_impls"


def chunk(index: int, code: str, label: str = "", language: str = "r") -> Chunk:
    return Chunk(
        index=index, line=10 * index, end_line=10 * index + 5, code_line=10 * index + 1,
        language=language, code=code, label=label,
    )  # fmt: skip


DOCUMENT = Document(
    path=Path("a.Rmd"), kind="rmarkdown", title="",
    chunks=(chunk(0, "f(1)", "first"), chunk(1, "f(2)\nf(2)"), chunk(2, "f(1)", language="python")),
)  # fmt: skip


def patch(place: Place, find: str) -> Patch:
    return Patch(id="p", chunk=place, find=find, replace="g", reason="because")


class TestPlaces:
    @pytest.mark.parametrize(
        ("place", "index"), [(Place(index=1), 1), (Place(label="first"), 0), (Place(contains="f(2)"), 1)]
    )
    def test_a_place_names_one_chunk(self, place: Place, index: int) -> None:
        assert find_chunk(DOCUMENT, place).index == index

    def test_its_language_helps(self) -> None:
        assert find_chunk(DOCUMENT, Place(contains="f(1)"), language="python").index == 2

    @pytest.mark.parametrize(
        ("place", "why"),
        [
            (Place(index=9), "no chunk with index = 9"),
            (Place(contains="f("), "3 chunks"),
            (Place(), "no property"),
        ],
    )
    def test_none_or_several_are_refused(self, place: Place, why: str) -> None:
        with pytest.raises(CaseError, match=why):
            find_chunk(DOCUMENT, place)


class TestPatches:
    def test_it_changes_its_chunk_alone(self) -> None:
        change = patch(Place(index=0), "f(1)")
        assert apply_patches(DOCUMENT, DOCUMENT.chunks[0], [change]) == ("g", ("p",))
        assert apply_patches(DOCUMENT, DOCUMENT.chunks[2], [change]) == ("f(1)", ())

    @pytest.mark.parametrize(("find", "times"), [("h(1)", 0), ("f(2)", 2)])
    def test_what_it_looks_for_is_there_once(self, find: str, times: int) -> None:
        with pytest.raises(CaseError, match=f"is there {times} times") as caught:
            apply_patches(DOCUMENT, DOCUMENT.chunks[1], [patch(Place(index=1), find)])
        assert caught.value.line == 10


class TestFiles:
    def test_ours_can_be_read(self) -> None:
        specs = load_document_specs(SUITE)
        assert {spec.case for spec in specs} >= {"four_word", "self_attention", "sentiment_forward"}
        code = "maxs = as.matrix(apply(scores, margin=1, max))"
        chunk = Chunk(index=0, line=1, end_line=3, code_line=2, language="r", code=code)
        for name in ("attention-in-r.md", "a copy under another name.md"):
            document = Document(path=Path(name), kind="markdown", title="", chunks=(chunk,))
            assert [spec.case for spec in specs_for(document, specs)] == ["four_word"]
        other = Document(path=Path("attention-in-r.md"), kind="markdown", title="")
        assert specs_for(other, specs) == ()

    @pytest.mark.parametrize(
        ("text", "line", "why"),
        [
            ("file = ", 1, "not TOML"),
            ("file = 1", 1, "file: expected text, got a whole number"),
            ('file = "a.md"\ncolour = 1', 2, "unknown key 'colour' in the file"),
            (
                'file = "a"\n[[patch]]\nid = "p"\nchunk = {}\nfind = "x"\nreplace = ""\nreason = " "',
                7,
                "no reason",
            ),
            (
                'file = "a"\n[[patch]]\nid = "p"\nchunk = {}\nfind = ""\nreplace = ""\nreason = "r"',
                5,
                "is empty",
            ),
            (
                'file = "a"\n[[capture]]\nid = "c"\nlanguage = "r"\nvalues = {}\n'
                '[[capture]]\nid = "c"\nlanguage = "r"\nvalues = {}',
                7,
                "there is a capture 'c' already",
            ),
            ('file = "a"\n[[capture]]\nid = "c"\nlanguage = "cobol"\nvalues = {}', 4, "cobol"),
            (
                'file = "a"\n[[capture]]\nid = "c"\nlanguage = "r"\nvalues = { y = 1 }',
                5,
                r"capture\[1\]\.values: expected",
            ),
        ],
    )
    def test_mistakes_are_named(self, tmp_path: Path, text: str, line: int, why: str) -> None:
        path = tmp_path / "document.toml"
        path.write_text(text)
        with pytest.raises(CaseError, match=why) as caught:
            load_document_spec(path)
        assert caught.value.line == line
        assert caught.value.path == path
