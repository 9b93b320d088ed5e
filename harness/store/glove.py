"""Files of word vectors in GloVe's text format."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from harness.errors import FixtureError
from harness.store.regular_file import open_regular

LONGEST_LINE = 1 << 20
"""Bytes of a line: a word and tens of thousands of numbers."""

_DIGITS = b"0123456789.-+eE "
_LARGEST = float(np.finfo(np.float32).max)


class Vectors(msgspec.Struct, frozen=True, kw_only=True):
    """The vectors that were asked for; ``count`` is the number of vectors in the whole file."""

    rows: Mapping[str, npt.NDArray[np.float32]]
    count: int
    sha256: str


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
        with open_regular(path) as file:
            for raw in iter(partial(file.readline, LONGEST_LINE + 1), b""):
                count += 1
                if len(raw) > LONGEST_LINE:
                    raise FixtureError(
                        f"has more than {LONGEST_LINE:,} bytes in a line",
                        path=path,
                        line=count,
                        advice="a line is a word and its numbers, with one space between",
                    )
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
                # A character that numbers are not written with.
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
