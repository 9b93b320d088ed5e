from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import FixtureError
from harness.model import Array, Case, Fixture, Value
from harness.store.fixture_writer import write_fixture
from harness.store.fixtures import load_fixture
from harness.store.glove import read_vectors
from harness.store.word_vectors import VARIABLE, Corpus, Sentences, WordVectors

WORDS = ["good", "bad", "zebra", "mouse", "naïve", "unused"]
VECTORS = """\
the 0.5 -1 2e-3
mouse 1 2 3
good 0.1 0.2 0.3
naïve -0.0 7 1e-40
good 9 9 9
bad 4 5 6
"""

ARRAYS: dict[str, Array] = {
    "one/words": np.array([0, 2, 1, 0]),
    "two/words": np.array([4, 3]),
    "lost/words": np.array([2, 2]),
    "plain/y": np.array([1.0]),
    "one/y": np.array([0.0]),
    "two/y": np.array([2.0]),
    "lost/y": np.array([3.0]),
}
CORPUS: dict[str, Array] = {
    "corpus_words": np.array([0, 2, 2, 2, 1, 3, 2]),
    "corpus_offsets": np.array([0, 2, 4, 4, 7]),
    "corpus_labels": np.array([0, 1, 2, -1]),
    "W": np.ones(2),
}


@pytest.fixture(autouse=True)
def _no_glove(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def case(*names: str) -> Case:
    kinds = {"tokens": ("n",), "table": ("V", 3), "corpus_tokens": ("t",), "corpus_offsets": ("m",)}
    inputs = tuple(
        Value(name=name, shape=kinds[name], dtype="float" if name == "table" else "int") for name in names
    )
    return Case(name="toy", title="T", origin="o", fixture="toy", inputs=inputs, stages=())


def section(arrays: Mapping[str, Array]) -> WordVectors:
    names = {"words": "corpus_words", "offsets": "corpus_offsets", "labels": "corpus_labels"}
    sentences = any(name.endswith("/words") for name in arrays)
    return WordVectors(
        words="words.txt",
        shipped="vectors.txt",
        dimensions=3,
        table="table",
        sentences=Sentences(words="words", rows="tokens") if sentences else None,
        corpus=Corpus(**names, rows="corpus_tokens") if arrays.keys() & names.values() else None,
    )


def put(suite: Path, arrays: Mapping[str, Array] = ARRAYS, *, vectors: str = VECTORS, **options: Any) -> Path:
    folder = suite / "fixtures" / "toy"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    (folder / "vectors.txt").write_text(vectors, encoding="utf-8")
    given: dict[str, Any] = {
        "version": 1,
        "title": "t",
        "origin": "o",
        "licence": "l",
        "generator": [{"kind": "literal"}],
        "samples": list(dict.fromkeys(name.split("/")[0] for name in arrays if "/" in name)),
        "word_vectors": section(arrays),
    }
    write_fixture(folder, arrays=arrays, origins=dict.fromkeys(arrays, "here"), **(given | options))
    return folder


def refused(suite: Path, glove: Path | None = None) -> FixtureError:
    with pytest.raises(FixtureError) as caught:
        load_fixture(case(), suite, glove=glove)
    return caught.value


def test_words_become_rows_of_a_table(suite: Path) -> None:
    put(suite)
    fixture = load_fixture(case("table"), suite)
    assert fixture.name == "toy+made_up"
    assert list(fixture.samples) == ["one", "two", "plain"]
    table = fixture.shared["table"]
    assert table.dtype == np.float32
    # good, bad, mouse, naïve: in the word list's order; of two lines for good, the first.
    expected = np.array([[0.1, 0.2, 0.3], [4, 5, 6], [1, 2, 3], [-0.0, 7, 1e-40]], np.float32)
    assert table.tobytes() == expected.tobytes()
    assert fixture.samples["one"]["tokens"].tolist() == [0, 1, 0]
    assert fixture.samples["two"]["tokens"].tolist() == [3, 2]
    assert fixture.samples["two"]["tokens"].dtype == np.int64
    assert set(fixture.samples["one"]) == {"tokens", "y"}
    assert set(fixture.samples["plain"]) == {"y"}
    assert fixture.labels == {"one": ("good", "bad", "good"), "two": ("naïve", "mouse")}
    for array in (table, fixture.samples["one"]["tokens"]):
        assert not array.flags.writeable


def test_what_was_dropped_is_noted(suite: Path) -> None:
    put(suite)
    assert load_fixture(case(), suite).origin == (
        "o; word vectors: vectors.txt, 6 words; 1 words without a vector: zebra; "
        "samples left without a word: lost"
    )


def test_a_flat_corpus_keeps_empty_sentences(suite: Path) -> None:
    put(suite, CORPUS)
    fixture = load_fixture(case("corpus_tokens", "corpus_offsets", "table"), suite)
    assert list(fixture.samples) == ["default"]
    assert set(fixture.shared) == {"corpus_tokens", "corpus_offsets", "corpus_labels", "W", "table"}
    tokens, offsets = fixture.shared["corpus_tokens"], fixture.shared["corpus_offsets"]
    assert tokens.tolist() == [0, 1, 2]
    assert offsets.tolist() == [0, 1, 1, 1, 3]
    assert [tokens.dtype.name, offsets.dtype.name] == ["int64", "int64"]
    assert fixture.shared["corpus_labels"].tolist() == [0, 1, 2, -1]
    assert fixture.shared["table"].shape == (3, 3)
    assert not tokens.flags.writeable
    assert not offsets.flags.writeable
    words = {"corpus/0": ("good",), "corpus/1": (), "corpus/2": (), "corpus/3": ("bad", "mouse")}
    assert fixture.labels == words


def test_other_vectors_come_from_the_option_before_the_variable(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(suite)
    option, variable = tmp_path / "option.txt", tmp_path / "variable.txt"
    option.write_text("zebra 1 1 1\n", encoding="utf-8")
    variable.write_text("good 2 2 2\nbad 3 3 3\n", encoding="utf-8")
    made_up = load_fixture(case(), suite)
    monkeypatch.setenv(VARIABLE, str(variable))
    from_variable = load_fixture(case(), suite)
    from_option = load_fixture(case(), suite, glove=option)
    monkeypatch.setenv(VARIABLE, "")
    assert load_fixture(case(), suite).name == "toy+made_up"
    assert (from_variable.name, from_option.name) == ("toy+glove2", "toy+glove1")
    assert from_variable.labels == {"one": ("good", "bad", "good")}
    assert from_option.labels == {"one": ("zebra",), "lost": ("zebra", "zebra")}
    assert len({made_up.sha256, from_variable.sha256, from_option.sha256}) == 3


def test_the_checksum_covers_arrays_words_and_vectors(suite: Path) -> None:
    def load() -> Fixture:
        return load_fixture(case(), suite)

    put(suite)
    sums = [load().sha256]
    put(suite, ARRAYS | {"plain/y": np.array([5.0])})
    sums.append(load().sha256)
    put(suite, vectors=VECTORS.replace("the 0.5", "the 0.6"))
    sums.append(load().sha256)
    assert len(set(sums)) == 3
    put(suite)
    assert load().sha256 == sums[0]


@pytest.mark.parametrize("name", ["words", "shipped"])
def test_a_changed_word_list_or_vector_file_is_refused(suite: Path, name: str) -> None:
    folder = put(suite)
    path = folder / {"words": "words.txt", "shipped": "vectors.txt"}[name]
    stated = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_text(path.read_text(encoding="utf-8").replace("mouse", "house"), encoding="utf-8")
    error = refused(suite)
    actual = hashlib.sha256(path.read_bytes()).hexdigest()
    assert error.message == f"the file of '{name}' has the sha256 {actual}, but {stated} is stated"
    assert "state the new sha256" in error.advice
    assert error.path == folder / "fixture.toml"
    assert error.line is not None


@pytest.mark.parametrize(
    ("bad", "line", "message"),
    [
        ("bad 4 5", 6, "there are 2 numbers after the word, not 3"),
        ("bad 4 5 6 7", 6, "there are 4 numbers after the word, not 3"),
        ("bad", 6, "there are 0 numbers after the word, not 3"),
        ("", 6, "there are 0 numbers after the word, not 3"),
        ("bad 4 five 6", 6, "holds something that is not a number"),
        ("bad 4 5.5.5 6", 6, "holds something that is not a number"),
        ("bad 4  6", 6, "holds something that is not a number"),
        ("bad 4 nan 6", 6, "holds something that is not a number"),
        ("bad 4 1e39 6", 6, "too large for float32"),
        ("bad 4 1e999 6", 6, "too large for float32"),
        ("other 4 five 6", 6, "holds something that is not a number"),
        ("other 4 5", 6, "there are 2 numbers after the word, not 3"),
    ],
)
def test_a_bad_line_is_named_whether_it_is_wanted_or_not(
    suite: Path, tmp_path: Path, bad: str, line: int, message: str
) -> None:
    put(suite)
    path = tmp_path / "glove.txt"
    path.write_text(VECTORS.replace("bad 4 5 6", bad), encoding="utf-8")
    error = refused(suite, path)
    assert message in error.message
    assert (error.path, error.line) == (path, line)


def test_dimensions_must_be_the_fixtures(suite: Path, tmp_path: Path) -> None:
    put(suite)
    path = tmp_path / "glove.txt"
    path.write_text("good 1 2\nbad 1 2\n", encoding="utf-8")
    error = refused(suite, path)
    assert (error.message, error.line) == ("there are 2 numbers after the word, not 3", 1)


def test_files_that_are_not_there(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = put(suite)
    error = refused(suite, tmp_path / "none.txt")
    assert (error.message, error.path) == ("is not there", tmp_path / "none.txt")
    assert error.advice.startswith("--glove takes a text file")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    error = refused(suite)
    assert (error.message, error.path) == ("is a folder, not a file", tmp_path)
    assert error.advice.startswith("HARNESS_GLOVE takes a text file")
    monkeypatch.delenv(VARIABLE)
    (folder / "vectors.txt").unlink()
    assert "cannot be read: No such file" in refused(suite).message
    (folder / "words.txt").unlink()
    error = refused(suite)
    assert "cannot be read: No such file" in error.message
    assert error.path == folder / "words.txt"


def test_vectors_of_no_word(suite: Path, tmp_path: Path) -> None:
    put(suite)
    path = tmp_path / "glove.txt"
    path.write_text("the 1 2 3\n", encoding="utf-8")
    assert "has a vector for none of the 5 words" in refused(suite, path).message
    path.write_text("", encoding="utf-8")
    assert "is empty" in refused(suite, path).message


def test_a_fixture_of_which_no_sample_is_left(suite: Path, tmp_path: Path) -> None:
    put(suite, {"lost/words": np.array([2]), **CORPUS})
    path = tmp_path / "glove.txt"
    path.write_text("good 1 2 3\n", encoding="utf-8")
    error = refused(suite, path)
    assert "no sample has a word with a vector" in error.message
    assert "lost" in error.message


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("good\nbad\ngood\n", 3, "'good' is there twice, first in line 1"),
        ("good\n\nbad\n", 2, "'' is not one word"),
        ("good\nnot bad\n", 2, "'not bad' is not one word"),
        ("good\r\nbad\r\n", 1, "'good\\r' is not one word"),
        (" good\n", 1, "' good' is not one word"),
    ],
)
def test_a_word_list_with_a_bad_line(suite: Path, text: str, line: int, message: str) -> None:
    folder = put(suite)
    unsealed = (folder / "fixture.toml").read_text(encoding="utf-8").replace("words_sha256", "#")
    (folder / "fixture.toml").write_text(unsealed, encoding="utf-8")
    (folder / "words.txt").write_bytes(text.encode())
    error = refused(suite)
    assert (error.message, error.line, error.path) == (message, line, folder / "words.txt")


def test_a_word_list_that_is_not_utf8(suite: Path) -> None:
    folder = put(suite)
    (folder / "words.txt").write_bytes(b"na\xefve\n")
    error = refused(suite)
    assert (error.message, error.line) == ("is not UTF-8: byte 0xef at offset 2", 1)


BAD_ARRAYS: dict[str, tuple[dict[str, Array], str]] = {
    "float words": (
        {"one/words": np.array([0.0])},
        "'one/words' must be int64 of one dimension, but is float64 [1]",
    ),
    "small words": (
        {"one/words": np.array([0], np.int32)},
        "must be int64 of one dimension, but is int32 [1]",
    ),
    "flat words": ({"one/words": np.array([[0]])}, "must be int64 of one dimension, but is int64 [1, 1]"),
    "beyond": ({"one/words": np.array([0, 6])}, "'one/words' holds 0 to 6; the word list has lines 0 to 5"),
    "negative": ({"one/words": np.array([-1, 2])}, "'one/words' holds -1 to 2"),
    "corpus beyond": ({"corpus_words": np.array([9] * 7)}, "'corpus_words' holds 9 to 9"),
    "offsets from 1": ({"corpus_offsets": np.array([1, 2, 4, 4, 7])}, "begin at 0, never fall, and end at 7"),
    "offsets fall": ({"corpus_offsets": np.array([0, 4, 2, 4, 7])}, "never fall"),
    "offsets end early": ({"corpus_offsets": np.array([0, 2, 4, 4, 6])}, "end at 7"),
    "no offsets": ({"corpus_offsets": np.empty(0, np.int64)}, "begin at 0"),
    "float offsets": ({"corpus_offsets": np.array([0.0, 2, 4, 4, 7])}, "must be int64"),
    "labels": ({"corpus_labels": np.array([0, 1])}, "'corpus_labels' must be int64 of shape [4]"),
}


@pytest.mark.parametrize(("changes", "message"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
def test_arrays_that_do_not_fit_the_word_list(suite: Path, changes: dict[str, Array], message: str) -> None:
    folder = put(suite, {**CORPUS, "one/words": np.array([0]), **changes})
    error = refused(suite)
    assert message in error.message
    assert error.path == folder / "fixture.toml"
    assert error.line is not None
    line = (folder / "fixture.toml").read_text(encoding="utf-8").split("\n")[error.line - 1]
    assert line == f'[arrays."{next(iter(changes))}"]'


@pytest.mark.parametrize("name", ["corpus_words", "corpus_offsets", "corpus_labels"])
def test_a_corpus_is_whole(suite: Path, name: str) -> None:
    put(suite, {"one/words": np.array([0]), **{key: array for key, array in CORPUS.items() if key != name}})
    error = refused(suite)
    assert error.message == f"the samples share no array '{name}'"
    assert error.line is not None


def test_the_names_of_the_arrays_are_the_fixtures(suite: Path) -> None:
    named = {"words": "text", "offsets": "bounds", "labels": "classes"}
    arrays = {named[key.removeprefix("corpus_")]: CORPUS[key] for key in CORPUS if key.startswith("corpus_")}
    vectors = WordVectors(
        words="words.txt",
        shipped="vectors.txt",
        dimensions=3,
        table="embedding",
        sentences=Sentences(words="sentence", rows="ids"),
        corpus=Corpus(**named, rows="text"),
    )
    put(suite, {"one/sentence": np.array([0, 2, 1]), **arrays}, word_vectors=vectors)
    fixture = load_fixture(case(), suite)
    assert fixture.samples["one"]["ids"].tolist() == [0, 1]
    assert set(fixture.shared) == {"embedding", "text", "bounds", "classes"}
    assert fixture.shared["text"].tolist() == [0, 1, 2]
    assert fixture.shared["bounds"].tolist() == [0, 1, 1, 1, 3]
    assert fixture.labels["one"] == ("good", "bad")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dimensions = 3", "dimensions = 0", "'dimensions' must be 1 or above"),
        ("dimensions = 3", 'dimensions = "3"', "word_vectors.dimensions: expected a whole number, got text"),
        ("dimensions = 3\n", "", "'dimensions' is missing from word_vectors"),
        ("dimensions = 3", "dimensions = 3\nurl = 1", "unknown key 'url' in word_vectors"),
        ('table = "table"\n', "", "'table' is missing from word_vectors"),
        ('table = "table"', 'table = "y"', "the fixture has an array 'y' already"),
        ('"rows" = "tokens"', '"rows" = "y"', "the fixture has an array 'y' already"),
        ('"rows" = "tokens"', '"row" = "tokens"', "unknown key 'row' in word_vectors.sentences"),
        (
            'sentences = { "words" = "words"',
            'sentences = { "words" = "text"',
            "no sample has an array 'text'",
        ),
        ("sentences = ", "# ", "no array holds words"),
    ],
)
def test_a_wrong_section(suite: Path, old: str, new: str, message: str) -> None:
    path = put(suite) / "fixture.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    error = refused(suite)
    assert message in error.message
    assert error.line is not None


def test_a_user_can_read_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(VECTORS.replace("\n", " \r\n").encode())
    vectors = read_vectors(path, ["naïve", "good", "nothing"])
    assert vectors.count == 6
    assert set(vectors.rows) == {"naïve", "good"}
    assert vectors.rows["good"].dtype == np.float32
    assert vectors.rows["good"].tolist() == np.array([0.1, 0.2, 0.3], np.float32).tolist()
    assert vectors.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(FixtureError, match="not 4"):
        read_vectors(path, ["good"], dimensions=4)
    with pytest.raises(FixtureError, match="cannot be read: No such file"):
        read_vectors(tmp_path / "none.txt", ["good"])


def test_the_real_vectors(suite: Path) -> None:
    path = Path(__file__).parents[4] / "shared" / "glove" / "glove.6B.50d.first9163.txt"
    if not path.is_file():
        pytest.skip("shared/glove is not beside the checkout")
    vectors = read_vectors(path, ["red", "the", "qqqq"], dimensions=50)
    assert vectors.count == 9163
    assert set(vectors.rows) == {"red", "the"}
    assert vectors.rows["the"][:2].tolist() == np.array([0.418, 0.24968], np.float32).tolist()
