"""``harness regenerate`` and ``harness streams``: exit codes, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Harness = Callable[..., Result]

GENERATORS = """\
[[generator]]
kind = "literal"
arrays = { x = [1.0, 2.5, -3.0] }
"""


@pytest.fixture
def fixture(suite: Path) -> Path:
    """The fixture.toml of the toy suite, with a generator that gives what is stored."""
    path = suite / "fixtures" / "toy" / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('[[generator]]\nkind = "by hand"\n', GENERATORS), encoding="utf-8")
    return path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("named", [(), ("toy",)])
def test_a_fixture_that_comes_out(
    harness: Harness, suite: Path, fixture: Path, named: tuple[str, ...]
) -> None:
    before = fixture.read_bytes()
    result = harness("regenerate", "--suite", suite, "--check", *named)
    assert (result.exit_code, result.output) == (0, "toy: 1 arrays (literal) come out, bit for bit\n")
    assert fixture.read_bytes() == before


def test_a_fixture_that_no_longer_comes_out(harness: Harness, suite: Path, fixture: Path) -> None:
    edit(fixture, "2.5", "2.5000000000000004")
    before = (fixture.parent / "arrays.safetensors").read_bytes()
    checked = harness("regenerate", "--suite", suite, "--check")
    assert checked.exit_code == 1
    assert "x: 1 of 3 elements differ, up to 1 ULP, first at [1]" in checked.output
    kept = harness("regenerate", "--suite", suite)
    assert kept.exit_code == 1
    assert "not written: --accept overwrites" in kept.output
    assert (fixture.parent / "arrays.safetensors").read_bytes() == before
    accepted = harness("regenerate", "--suite", suite, "--accept", "toy")
    assert accepted.exit_code == 0
    assert "written" in accepted.output
    assert harness("regenerate", "--suite", suite, "--check").exit_code == 0
    # The case runs on what was written; its reference alone has nothing to be compared with.
    ran = harness("run", "--suite", suite, "--impl", "numpy")
    assert (ran.exit_code, "INCOMPLETE" in ran.output) == (5, True)


def test_a_new_fixture_is_written(harness: Harness, suite: Path, fixture: Path) -> None:
    arrays = fixture.parent / "arrays.safetensors"
    before = arrays.read_bytes()
    arrays.unlink()
    assert harness("regenerate", "--suite", suite, "--check").exit_code == 1
    assert harness("regenerate", "--suite", suite).exit_code == 0
    assert arrays.read_bytes() == before


def test_what_is_written_down_is_described(harness: Harness, suite: Path, fixture: Path) -> None:
    edit(fixture, "x = [1.0, 2.5, -3.0] }", "x = [1.0, 2.5, -3.0], k = 3 }")
    refused = harness("regenerate", "--suite", suite)
    assert refused.exit_code == 2
    assert "the array 'k' is made, but not described" in refused.stderr
    assert "as harness regenerate toy --accept does" in refused.stderr
    assert harness("regenerate", "--suite", suite, "--accept").exit_code == 0
    assert '[arrays."k"]\nshape = []\ndtype = "int64"' in fixture.read_text(encoding="utf-8")
    assert harness("regenerate", "--suite", suite, "--check").exit_code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nothing",), "no fixture is called 'nothing'"),
        (("--check", "--accept"), "--check writes nothing"),
        (("--suite", "nowhere"), "no such folder"),
    ],
)
def test_a_user_s_mistake(
    harness: Harness, suite: Path, fixture: Path, args: tuple[str, ...], message: str
) -> None:
    given = args if "--suite" in args else ("--suite", str(suite), *args)
    result = harness("regenerate", *given)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


def test_a_bad_generator_names_its_line(harness: Harness, suite: Path, fixture: Path) -> None:
    edit(fixture, "literal", "litteral")
    line = fixture.read_text(encoding="utf-8").splitlines().index('kind = "litteral"') + 1
    result = harness("regenerate", "--suite", suite, "--check")
    assert result.exit_code == 2
    assert f"fixture.toml:{line}: unknown kind of generator 'litteral'" in result.stderr
    assert "Traceback" not in result.output


def test_streams_names_versions_and_numbers(harness: Harness) -> None:
    result = harness("streams", "--seed", "42")
    assert result.exit_code == 0, result.output
    for word in ("3.6.0", "Rounding", "1.11", "PyTorch", "NumPy", "0.37454012"):
        assert word in result.output


def test_streams_of_a_seed_that_a_language_refuses(harness: Harness) -> None:
    result = harness("streams", "--versions", "--seed", str(2**40))
    assert result.exit_code == 0, result.output
    assert "R raises" in result.output


def test_streams_take_no_option_that_they_need(harness: Harness) -> None:
    assert harness("streams").stdout == harness("streams", "--versions").stdout
