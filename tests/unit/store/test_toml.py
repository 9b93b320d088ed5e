from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import CaseError
from harness.store.toml import Key, Toml

TEXT = '''# a comment with [brackets] and = signs
top = 1
a.b.c = 2  # dotted
"quoted key" = 'x # no comment'
"\\u0061lt" = 1

[table] # comment
text = """
many = 1
[lines]
""""
after = \'\'\'
'raw' """ \\\'\'\'
list = [
    1,  # one, ] not the end
    [2, 3], "],",

    { x = 1, y.z = [
        5 ] },
]

[[item]]
name = "first"
[item.sub]
deep = 2024-01-01 10:00:00
[[item.part]]
n = 1
[[item.part]]
n = 2
[[item]]
inline = { a = "}", b = 'c' , "d e" = {}}
[item.sub]
deep = -inf
'''

PLACES: dict[tuple[Key, ...], int] = {
    ("top",): 2,
    ("a",): 3,
    ("a", "b", "c"): 3,
    ("quoted key",): 4,
    ("alt",): 5,
    ("table",): 7,
    ("table", "text"): 8,
    ("table", "after"): 12,
    ("table", "list"): 14,
    ("table", "list", 0): 15,
    ("table", "list", 1): 16,
    ("table", "list", 1, 1): 16,
    ("table", "list", 2): 16,
    ("table", "list", 3, "x"): 18,
    ("table", "list", 3, "y", "z"): 18,
    ("table", "list", 3, "y", "z", 0): 19,
    ("item", 0): 22,
    ("item", 0, "name"): 23,
    ("item", 0, "sub"): 24,
    ("item", 0, "sub", "deep"): 25,
    ("item", 0, "part", 0, "n"): 27,
    ("item", 0, "part", 1): 28,
    ("item", 0, "part", 1, "n"): 29,
    ("item", 1): 30,
    ("item", 1, "inline", "a"): 31,
    ("item", 1, "inline", "d e"): 31,
    ("item", 1, "sub", "deep"): 33,
}


def read(folder: Path, text: str) -> Toml:
    path = folder / "x.toml"
    path.write_text(text, encoding="utf-8", newline="")
    return Toml(path, CaseError)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_line_of_every_key(tmp_path: Path, place: tuple[Key, ...]) -> None:
    assert read(tmp_path, TEXT).line(*place) == PLACES[place]


def test_the_line_of_what_is_not_there_is_that_of_the_table_around_it(tmp_path: Path) -> None:
    toml = read(tmp_path, TEXT)
    assert toml.line("item", 1, "sub", "missing") == 32
    assert toml.line("item", 0, "missing") == 22
    assert toml.line("missing") is None


def test_every_key_that_is_parsed_has_a_line(tmp_path: Path) -> None:
    toml = read(tmp_path, TEXT)
    for place in _places(toml.data, ()):
        assert place in toml._lines


def _places(value: Any, place: tuple[Key, ...]) -> list[tuple[Key, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [nested for key, item in items for nested in [(*place, key), *_places(item, (*place, key))]]


WORDS = st.text(st.sampled_from("ab[]{}\"'#=,.\\ \n\t\r"), max_size=6)
SCALARS = st.one_of(st.integers(), st.booleans(), WORDS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.tuples(WORDS, VALUES), min_size=1, max_size=4, unique_by=lambda pair: pair[0]))
def test_odd_keys_and_strings_never_shift_a_line(pairs: list[tuple[str, Any]]) -> None:
    from tempfile import TemporaryDirectory

    from harness.store.fixture_writer import _value

    text = "".join(f"{_value(key)} = {_value(value)} # = [{{'\"\n" for key, value in pairs)
    assert tomllib.loads(text) == dict(pairs)
    with TemporaryDirectory() as folder:
        toml = read(Path(folder), text)
    assert [toml.line(key) for key, _ in pairs] == list(range(1, len(pairs) + 1))
    for place in _places(toml.data, ()):
        assert place in toml._lines


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read: No such file or directory"):
        Toml(tmp_path / "none.toml", CaseError)
    with pytest.raises(CaseError, match="cannot be read: Is a directory"):
        Toml(tmp_path, CaseError)
