"""Word vectors in GloVe's text format, and the fixtures that look their words up in them."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import FixtureError
from harness.model import Array, Frozen
from harness.store.toml import Toml

VARIABLE = "HARNESS_GLOVE"

_DIGITS = b"0123456789.-+eE "
_LARGEST = float(np.finfo(np.float32).max)

Rows = npt.NDArray[np.int64]


class WordVectors(Frozen, frozen=True, kw_only=True):
    """The section ``[word_vectors]`` of a fixture.toml: files, checksums, and the length of a vector."""

    words: str
    shipped: str
    dimensions: int
    words_sha256: str = ""
    shipped_sha256: str = ""


class Vectors(msgspec.Struct, frozen=True, kw_only=True):
    """The vectors that were asked for; ``count`` is the number of vectors in the whole file."""

    rows: Mapping[str, npt.NDArray[np.float32]]
    count: int
    sha256: str


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


def read_vectors(path: Path, words: Collection[str], *, dimensions: int | None = None) -> Vectors:
    """Read the vectors of some words from a text file in GloVe's format.

    Parameters
    ----------
    path : Path
        One word a line, then its numbers, separated by single spaces; UTF-8.
    words : collection of str
        The words that are wanted. A word that the file lacks is left out; of two lines, the first counts.
    dimensions : int, optional
        How many numbers a line must have; by default, as many as the first line.

    Returns
    -------
    Vectors
        One float32 array of shape (dimensions,) for each word that was found.

    Raises
    ------
    FixtureError
        If the file is missing or empty, or a line, wanted or not, is too short, too long or holds no number.

    References
    ----------
    Pennington, Socher and Manning (2014), GloVe: Global Vectors for Word Representation.
    """
    wanted = {word.encode(): word for word in words}
    rows: dict[str, npt.NDArray[np.float32]] = {}
    digest = hashlib.sha256()
    count = 0
    try:
        with path.open("rb") as file:
            for raw in file:
                count += 1
                digest.update(raw)
                line = raw.rstrip(b"\r\n ")
                if dimensions is None:
                    dimensions = line.count(b" ")
                if line.count(b" ") != dimensions or not dimensions:
                    raise FixtureError(
                        f"there are {line.count(b' ')} numbers after the word, not {dimensions or 'any'}",
                        path=path,
                        line=count,
                        advice=f"a line is a word and its {dimensions or ''} numbers, with one space between",
                    )
                cut = line.index(b" ")
                # What is left after all that numbers are written with would not be a number.
                if line[cut:].translate(None, _DIGITS) or b"  " in line:
                    raise _not_a_number(path, count)
                if line[:cut] in wanted:
                    rows.setdefault(wanted[line[:cut]], _numbers(line[cut:], path, count))
    except OSError as problem:
        raise FixtureError(f"cannot be read: {problem.strerror}", path=path) from problem
    if count == 0:
        raise FixtureError("is empty", path=path, advice="a line is a word and its numbers")
    return Vectors(rows=rows, count=count, sha256=digest.hexdigest())


def _numbers(text: bytes, path: Path, line: int) -> npt.NDArray[np.float32]:
    try:
        numbers = np.array([float(number) for number in text.split()], np.float64)
    except ValueError as problem:
        raise _not_a_number(path, line) from problem
    if not (np.abs(numbers) <= _LARGEST).all():
        raise FixtureError("holds a number that is too large for float32", path=path, line=line)
    return numbers.astype(np.float32)


def _not_a_number(path: Path, line: int) -> FixtureError:
    return FixtureError(
        "holds something that is not a number",
        path=path,
        line=line,
        advice="a line is a word and its numbers, with one space between",
    )


def look_up(
    toml: Toml,
    shared: Mapping[str, Array],
    samples: Mapping[str, Mapping[str, Array]],
    *,
    glove: Path | None,
) -> LookedUp:
    """Give every sample ``tokens``, and all of them the ``table`` that these count rows of.

    Words that the vectors lack are dropped; a sample of which no word is left is left out. A flat corpus
    (``corpus_words``, ``corpus_offsets``) becomes ``corpus_tokens`` with offsets that fit; a sentence of
    which nothing is left stays, as an empty range.

    Parameters
    ----------
    toml : Toml
        The fixture.toml, with a section ``[word_vectors]``.
    shared, samples : mapping of str to ndarray
        Its arrays; ``words``, ``corpus_words``: int64 of shape (n,), lines of the word list, counted from 0.
    glove : Path, optional
        The vectors to take; else what HARNESS_GLOVE names; else the made-up ones beside the fixture.

    Returns
    -------
    LookedUp
        ``table`` is float32 of shape (words, dimensions), in the word list's order; ``tokens`` int64 of shape
        (n,).

    Raises
    ------
    FixtureError
        If a file is missing or damaged, an array does not fit the word list, or no word at all has a vector.
    """
    section = toml.convert(WordVectors, "word_vectors")
    if section.dimensions < 1:
        raise toml.refuse("'dimensions' must be 1 or above", "word_vectors", "dimensions")
    words, words_sha256 = _read_words(toml.path.parent / section.words)
    _check_sha256(toml, "words", section.words_sha256, words_sha256)
    sentences = {name: arrays["words"] for name, arrays in samples.items() if "words" in arrays}
    for name, sentence in sentences.items():
        _check_words(toml, f"{name}/words", sentence, len(words))
    _check_corpus(toml, shared, len(words))
    corpus = shared.get("corpus_words", np.empty(0, np.int64))
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
        own = {key: array for key, array in arrays.items() if key != "words"}
        if name in sentences:
            own["tokens"] = tokens = _known(row[sentences[name]])
            if not tokens.size:
                continue
            labels[name] = tuple(words[known[token]] for token in tokens)
        kept[name] = own
    bounds = shared.get("corpus_offsets", np.zeros(1, np.int64))
    for number, (begin, end) in enumerate(itertools.pairwise(bounds)):
        sentence = _known(row[corpus[begin:end]])
        labels[f"corpus/{number}"] = tuple(words[known[token]] for token in sentence)
    dropped = [words[index] for index in occurring if row[index] < 0]
    return LookedUp(
        shared=_corpus(shared, row) | {"table": np.stack([vectors.rows[words[index]] for index in known])},
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
        return toml.path.parent / section.shipped, True
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
        raw = path.read_bytes()
        words = raw.decode("utf-8").split("\n")
    except OSError as problem:
        raise FixtureError(f"cannot be read: {problem.strerror}", path=path) from problem
    except UnicodeDecodeError as problem:
        raise FixtureError("is not UTF-8", path=path, advice="save the file as UTF-8") from problem
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


def _check_sha256(toml: Toml, key: str, stated: str, found: str) -> None:
    if stated and stated != found:
        raise toml.refuse(
            f"the file of '{key}' has the sha256 {found}, but {stated} is stated",
            *("word_vectors", f"{key}_sha256"),
            advice="restore the file, or, if the change is meant, run: python3 bootstrap.py regenerate",
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


def _check_corpus(toml: Toml, shared: Mapping[str, Array], count: int) -> None:
    names = ("corpus_words", "corpus_offsets", "corpus_labels")
    there = [name for name in names if name in shared]
    if not there:
        return
    if len(there) < len(names):
        raise toml.refuse(
            f"{' and '.join(there)} cannot stand alone",
            *("arrays", there[0]),
            advice=f"{', '.join(names)} go together",
        )
    words, offsets, labels = (shared[name] for name in names)
    _check_words(toml, "corpus_words", words, count)
    _check_offsets(toml, offsets, words.size)
    if labels.dtype != np.int64 or labels.shape != (offsets.size - 1,):
        raise toml.refuse(
            f"array 'corpus_labels' must be int64 of shape [{offsets.size - 1}], one for each sentence",
            *("arrays", "corpus_labels"),
        )


def _check_offsets(toml: Toml, offsets: Array, end: int) -> None:
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
            f"array 'corpus_offsets' must be int64, begin at 0, never fall, and end at {end}",
            *("arrays", "corpus_offsets"),
        )


def _corpus(shared: Mapping[str, Array], row: Rows) -> dict[str, Array]:
    """Return the shared arrays, with rows of the table in place of the corpus' words."""
    if "corpus_words" not in shared:
        return dict(shared)
    tokens = row[shared["corpus_words"]]
    # So many words are kept before each place in the old corpus.
    before = np.concatenate([[0], np.cumsum(tokens >= 0)]).astype(np.int64)
    rest = {name: array for name, array in shared.items() if name != "corpus_words"}
    return rest | {"corpus_tokens": _known(tokens), "corpus_offsets": before[shared["corpus_offsets"]]}
