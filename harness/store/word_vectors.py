"""Fixtures that hold words: their vectors are looked up in a file in GloVe's text format."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import FixtureError
from harness.model import Array, Frozen
from harness.store.fixture_files import shared_file_of
from harness.store.glove import read_vectors
from harness.store.regular_file import read_regular
from harness.store.toml import Key, Toml
from harness.store.utf8 import decode_utf8

VARIABLE = "HARNESS_GLOVE"

Rows = npt.NDArray[np.int64]


class Sentences(Frozen, frozen=True, kw_only=True):
    """Names of arrays: the samples' words, and the rows of the table that take their place."""

    words: str
    rows: str


class Corpus(Frozen, frozen=True, kw_only=True):
    """Names of shared arrays: the words of all sentences in a row, and the rows that take their place.

    ``offsets`` says where each sentence begins and where the last ends; ``labels`` has a number for each.
    """

    words: str
    offsets: str
    labels: str
    rows: str


class WordVectors(Frozen, frozen=True, kw_only=True):
    """The section ``[word_vectors]`` of a fixture.toml.

    Files, checksums, the length of a vector, and the names of the arrays: ``table`` is the one of vectors.
    """

    words: str
    shipped: str
    dimensions: int
    table: str
    sentences: Sentences | None = None
    corpus: Corpus | None = None
    words_sha256: str = ""
    shipped_sha256: str = ""


class LookedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A fixture's arrays with vectors in place of words.

    ``labels`` are the words of each sample, and, as ``corpus/0`` and so on, of each sentence of the corpus.
    """

    shared: dict[str, Array]
    samples: dict[str, dict[str, Array]]
    labels: dict[str, tuple[str, ...]]
    vectors: str
    sha256: str
    note: str


def look_up(
    toml: Toml,
    shared: Mapping[str, Array],
    samples: Mapping[str, Mapping[str, Array]],
    *,
    glove: Path | None,
) -> LookedUp:
    """Put rows of a table of vectors in place of the words of every sample and of the corpus.

    Words that the vectors lack are dropped; a sample of which no word is left is left out. The offsets of a
    corpus are made to fit; a sentence of which nothing is left stays, as an empty range.

    Parameters
    ----------
    toml : Toml
        The fixture.toml, with a section ``[word_vectors]``, which names the arrays.
    shared, samples : mapping of str to ndarray
        Its arrays; those of words: int64 of shape (n,), lines of the word list, counted from 0.
    glove : Path, optional
        The vectors to take; else what HARNESS_GLOVE names; else the made-up ones beside the fixture.

    Returns
    -------
    LookedUp
        The table is float32 of shape (words, dimensions), in the word list's order; rows are int64 of shape
        (n,).

    Raises
    ------
    FixtureError
        If a file is missing or damaged, an array is missing or does not fit the word list, or no word at all
        has a vector.
    """
    section = toml.convert(WordVectors, "word_vectors")
    if section.dimensions < 1:
        raise toml.refuse("'dimensions' must be 1 or above", "word_vectors", "dimensions")
    words, words_sha256 = _read_words(shared_file_of(toml, section.words, "word_vectors", "words"))
    _check_sha256(toml, "words", section.words_sha256, words_sha256)
    _check_names(toml, section, shared, samples)
    key = section.sentences.words if section.sentences else ""
    sentences = {name: arrays[key] for name, arrays in samples.items() if key in arrays}
    for name, sentence in sentences.items():
        _check_words(toml, f"{name}/{key}", sentence, len(words))
    corpus: Array = np.empty(0, np.int64)
    bounds: Array = np.zeros(1, np.int64)
    if section.corpus is not None:
        _check_corpus(toml, section.corpus, shared, len(words))
        corpus, bounds = shared[section.corpus.words], shared[section.corpus.offsets]
    occurring = np.unique(np.concatenate([corpus, *sentences.values()]))

    path, is_shipped = _choose(toml, section, glove)
    vectors = read_vectors(path, [words[index] for index in occurring], dimensions=section.dimensions)
    if is_shipped:
        _check_sha256(toml, "shipped", section.shipped_sha256, vectors.sha256)
    known = [int(index) for index in occurring if words[index] in vectors.rows]
    if not known:
        raise FixtureError(
            f"has a vector for none of the {len(occurring)} words of the fixture",
            path=path,
            advice="give a file with vectors of English words",
        )
    row = np.full(len(words), -1, np.int64)
    row[known] = np.arange(len(known))

    kept: dict[str, dict[str, Array]] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for name, arrays in samples.items():
        others = {other: array for other, array in arrays.items() if other != key}
        if section.sentences is not None and name in sentences:
            others[section.sentences.rows] = tokens = _known(row[sentences[name]])
            if not tokens.size:
                continue
            labels[name] = tuple(words[known[token]] for token in tokens)
        kept[name] = others
    for number, (begin, end) in enumerate(itertools.pairwise(bounds)):
        sentence = _known(row[corpus[begin:end]])
        labels[f"corpus/{number}"] = tuple(words[known[token]] for token in sentence)
    dropped = [words[index] for index in occurring if row[index] < 0]
    table = np.stack([vectors.rows[words[index]] for index in known])
    return LookedUp(
        shared=_with_rows(section.corpus, shared, row) | {section.table: table},
        samples=kept,
        labels=labels,
        vectors="made_up" if is_shipped else f"glove{vectors.count}",
        sha256=hashlib.sha256(f"{words_sha256}{vectors.sha256}".encode()).hexdigest(),
        note=_note(path, vectors.count, dropped, [name for name in samples if name not in kept]),
    )


def _known(tokens: Rows) -> Rows:
    return tokens[tokens >= 0]


def _note(path: Path, count: int, dropped: list[str], left_out: list[str]) -> str:
    note = f"word vectors: {path.name}, {count} words"
    if dropped:
        note += f"; {len(dropped)} words without a vector: {', '.join(dropped)}"
    if left_out:
        note += f"; samples left without a word: {', '.join(left_out)}"
    return note


def _choose(toml: Toml, section: WordVectors, glove: Path | None) -> tuple[Path, bool]:
    named = os.environ.get(VARIABLE)
    path = glove or (Path(named) if named else None)
    if path is None:
        return shared_file_of(toml, section.shipped, "word_vectors", "shipped"), True
    path = path.expanduser()
    if not path.is_file():
        asked = "--glove" if glove else VARIABLE
        raise FixtureError(
            "is a folder, not a file" if path.is_dir() else "is not there",
            path=path,
            advice=f"{asked} takes a text file of GloVe vectors, such as glove.6B.{section.dimensions}d.txt",
        )
    return path, False


def _read_words(path: Path) -> tuple[list[str], str]:
    try:
        raw = read_regular(path)
    except OSError as problem:
        raise FixtureError(f"cannot be read: {problem.strerror}", path=path) from problem
    words = decode_utf8(raw, path, FixtureError).split("\n")
    if words[-1] == "":
        words.pop()
    first: dict[str, int] = {}
    for line, word in enumerate(words, 1):
        if word.split() != [word]:
            raise FixtureError(
                f"{word!r} is not one word", path=path, line=line, advice="write one word a line"
            )
        if word in first:
            raise FixtureError(
                f"{word!r} is there twice, first in line {first[word]}",
                path=path,
                line=line,
                advice="remove one",
            )
        first[word] = line
    return words, hashlib.sha256(raw).hexdigest()


def _check_sha256(toml: Toml, key: str, stated: str, computed: str) -> None:
    if stated and stated != computed:
        raise toml.refuse(
            f"the file of '{key}' has the sha256 {computed}, but {stated} is stated",
            *("word_vectors", f"{key}_sha256"),
            advice="restore the file, or, if the change is meant, state the new sha256",
        )


def _check_words(toml: Toml, name: str, array: Array, count: int) -> None:
    if array.dtype != np.int64 or array.ndim != 1:
        raise toml.refuse(
            f"array {name!r} must be int64 of one dimension, but is {array.dtype} {list(array.shape)}",
            *("arrays", name),
        )
    if array.size and not (array.min() >= 0 and array.max() < count):
        raise toml.refuse(
            f"array {name!r} holds {array.min()} to {array.max()}; the word list has lines 0 to {count - 1}",
            *("arrays", name),
            advice="correct the array or the word list",
        )


def _check_names(
    toml: Toml, section: WordVectors, shared: Mapping[str, Array], samples: Mapping[str, Mapping[str, Array]]
) -> None:
    """Refuse a section that names arrays that are not there, or that are there already."""
    if section.sentences is None and section.corpus is None:
        raise toml.refuse(
            "no array holds words",
            "word_vectors",
            advice='name those that do: sentences = { words = "...", rows = "..." }, or a corpus',
        )
    of_samples = dict.fromkeys(name for arrays in samples.values() for name in arrays)
    for name, entry, key in _named(section):
        candidates = of_samples if entry == "sentences" else shared
        if name not in candidates:
            raise toml.refuse(
                f"{'no sample has an' if entry == 'sentences' else 'the samples share no'} array {name!r}",
                *("word_vectors", entry, key),
                advice=f"there are: {', '.join(candidates) or 'none'}",
            )
    consumed = [entry.words for entry in (section.sentences, section.corpus) if entry is not None]
    made: list[tuple[str, tuple[Key, ...]]] = [(section.table, ("table",))]
    made += [(section.sentences.rows, ("sentences", "rows"))] if section.sentences else []
    made += [(section.corpus.rows, ("corpus", "rows"))] if section.corpus else []
    for name, place in made:
        if name in (*shared, *of_samples) and name not in consumed:
            raise toml.refuse(
                f"the fixture has an array {name!r} already",
                *("word_vectors", *place),
                advice="choose another name",
            )


def _named(section: WordVectors) -> Iterator[tuple[str, str, str]]:
    """The arrays that a section takes, each with its two keys there."""
    if section.sentences is not None:
        yield section.sentences.words, "sentences", "words"
    if section.corpus is not None:
        for key in ("words", "offsets", "labels"):
            yield getattr(section.corpus, key), "corpus", key


def _check_corpus(toml: Toml, corpus: Corpus, shared: Mapping[str, Array], count: int) -> None:
    words, offsets, labels = (shared[name] for name in (corpus.words, corpus.offsets, corpus.labels))
    _check_words(toml, corpus.words, words, count)
    _check_offsets(toml, corpus.offsets, offsets, words.size)
    if labels.dtype != np.int64 or labels.shape != (offsets.size - 1,):
        raise toml.refuse(
            f"array {corpus.labels!r} must be int64 of shape [{offsets.size - 1}], one for each sentence",
            *("arrays", corpus.labels),
        )


def _check_offsets(toml: Toml, name: str, offsets: Array, end: int) -> None:
    sound = (
        offsets.dtype == np.int64
        and offsets.ndim == 1
        and offsets.size > 0
        and offsets[0] == 0
        and offsets[-1] == end
        and bool((np.diff(offsets.astype(np.int64)) >= 0).all())
    )
    if not sound:
        raise toml.refuse(
            f"array {name!r} must be int64, begin at 0, never fall, and end at {end}",
            *("arrays", name),
        )


def _with_rows(corpus: Corpus | None, shared: Mapping[str, Array], row: Rows) -> dict[str, Array]:
    """Return the shared arrays, with rows of the table in place of the corpus' words."""
    if corpus is None:
        return dict(shared)
    tokens = row[shared[corpus.words]]
    # So many words are kept before each place in the old corpus.
    before = np.concatenate([[0], np.cumsum(tokens >= 0)]).astype(np.int64)
    rest = {name: array for name, array in shared.items() if name != corpus.words}
    return rest | {corpus.rows: _known(tokens), corpus.offsets: before[shared[corpus.offsets]]}
