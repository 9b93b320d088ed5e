from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from harness.errors import CaseError, ExitCode, FixtureError
from harness.model import Array, Case, Value
from harness.store.cases import load_case
from harness.store.fixture_writer import write_fixture
from harness.store.fixtures import load_fixture
from harness.store.suites import case_folders
from harness.store.word_vectors import VARIABLE

SUITE = Path(__file__).parents[3] / "reference_impls"

ARRAYS: dict[str, Array] = {
    "W": np.array([[1.0, -0.0], [2.0, 3.5]]),
    "rate": np.array(0.1, np.float32),
    "first/x": np.arange(6.0).reshape(3, 2),
    "first/tokens": np.array([0, 2, 1], np.int32),
    "second/x": np.ones((1, 2)),
    "second/tokens": np.array([7], np.int32),
    "unused": np.array([True, False]),
}


def case(**changes: Any) -> Case:
    shapes: dict[str, tuple[Any, str]] = {
        "x": (("n", "d"), "float"),
        "W": (("d", "d"), "float"),
        "rate": ((), "float"),
        "tokens": (("n",), "int"),
    } | changes
    inputs = tuple(
        Value(name=name, shape=shape, dtype=kind)  # type: ignore[arg-type]
        for name, (shape, kind) in shapes.items()
    )
    return Case(name="toy", title="T", origin="o", fixture="toy", inputs=inputs, stages=())


def put(suite: Path, arrays: Mapping[str, Array] = ARRAYS, **options: Any) -> Path:
    folder = suite / "fixtures" / "toy"
    given: dict[str, Any] = {
        "version": 2,
        "title": 'a "toy"',
        "origin": "made up \\ here",
        "licence": "CC0-1.0",
        "generator": [{"kind": "literal", "note": ["x", {"y": 1.5, "z": True}]}],
        "samples": ["first", "second"],
    }
    write_fixture(folder, arrays=arrays, origins=dict.fromkeys(arrays, "here"), **(given | options))
    return folder


def refused(suite: Path, of: Case | None = None) -> FixtureError:
    with pytest.raises(FixtureError) as caught:
        load_fixture(of or case(), suite)
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(error: FixtureError) -> str:
    assert error.path is not None
    assert error.line is not None
    return error.path.read_text(encoding="utf-8").split("\n")[error.line - 1]


def test_a_fixture_comes_back_as_it_was_written(suite: Path) -> None:
    folder = put(suite)
    fixture = load_fixture(case(), suite)
    assert (fixture.name, fixture.version, fixture.origin) == ("toy", 2, "made up \\ here")
    assert fixture.sha256 == hashlib.sha256((folder / "arrays.safetensors").read_bytes()).hexdigest()
    assert list(fixture.samples) == ["first", "second"]
    assert fixture.labels == {}
    for sample in fixture.samples:
        for name, array in fixture.arrays(sample).items():
            source = ARRAYS.get(name, ARRAYS.get(f"{sample}/{name}"))
            assert source is not None
            assert (array.dtype, array.shape, array.tobytes()) == (
                source.dtype,
                source.shape,
                source.tobytes(),
            )
            assert not array.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    assert set(fixture.arrays("second")) == {"W", "rate", "unused", "x", "tokens"}


def test_without_samples_there_is_one_called_default(suite: Path) -> None:
    put(suite, {"W": ARRAYS["W"]}, samples=[])
    fixture = load_fixture(_only_w(), suite)
    assert list(fixture.samples) == ["default"]
    assert set(fixture.arrays("default")) == {"W"}


def _only_w() -> Case:
    value = Value(name="W", shape=("d", 2))
    return Case(name="toy", title="T", origin="o", fixture="toy", inputs=(value,), stages=())


def test_the_suites_own_fixture_comes_before_its_neighbours(suite: Path) -> None:
    put(suite.parent, {"W": np.zeros((2, 2))}, samples=[])
    assert not load_fixture(_only_w(), suite).shared["W"].any()
    put(suite, {"W": np.ones((2, 2))}, samples=[])
    assert load_fixture(_only_w(), suite).shared["W"].all()


@pytest.mark.parametrize("folder", case_folders(SUITE), ids=lambda folder: folder.name)
def test_every_fixture_of_the_repository_fits_its_case(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    fixture = load_fixture(load_case(folder), SUITE)
    assert fixture.samples


def test_a_missing_fixture_says_where_it_was_looked_for(suite: Path) -> None:
    error = refused(suite)
    assert "case 'toy' wants the fixture 'toy'" in error.message
    assert str(suite / "fixtures" / "toy") in error.message
    assert str(suite.parent / "fixtures" / "toy") in error.message


def test_a_missing_array_file(suite: Path) -> None:
    folder = put(suite)
    (folder / "arrays.safetensors").unlink()
    error = refused(suite)
    assert "the array file 'arrays.safetensors' cannot be read: No such file" in error.message
    assert line_of(error).startswith("file =")
    assert "harness regenerate toy --accept" in error.advice


def test_a_wrong_checksum_says_both_and_how_to_go_on(suite: Path) -> None:
    folder = put(suite)
    path = folder / "arrays.safetensors"
    stated = hashlib.sha256(path.read_bytes()).hexdigest()
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    error = refused(suite)
    assert stated in error.message
    assert hashlib.sha256(data).hexdigest() in error.message
    assert line_of(error) == f'sha256 = "{stated}"'
    assert "harness regenerate toy --accept" in error.advice


@pytest.mark.parametrize("keep", [0, 7, 8, 40, -1])
def test_a_truncated_array_file(suite: Path, keep: int) -> None:
    path = put(suite) / "arrays.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    error = refused(suite)
    assert "is not a whole safetensors file: it is cut off or damaged" in error.message
    assert error.path == path
    assert "harness regenerate toy --accept" in error.advice


def test_a_header_that_claims_too_much(suite: Path) -> None:
    path = put(suite) / "arrays.safetensors"
    path.write_bytes(struct.pack("<Q", 2**60) + path.read_bytes()[8:])
    assert "cut off or damaged" in refused(suite).message


WRONG = {
    "syntax": ("version = 2", "version = ", "version", "is not TOML"),
    "unknown section": ("[[generator]]", "[other]\n[[generator]]", "[other]", "unknown key 'other'"),
    "unknown key": ("version = 2", "version = 2\nvresion = 2", "vresion", "unknown key 'vresion' in fixture"),
    "missing key": ('licence = "CC0-1.0"\n', "", "[fixture]", "'licence' is missing from fixture"),
    "missing checksum": ("sha256 = ", "# ", "[fixture]", "'sha256' is missing from fixture"),
    "no generator": ("[[generator]]", "[x.generator]", "[x.generator]", "unknown key 'x'"),
    "generator without kind": ('kind = "literal"', "kind = 3", "[[generator]]", "does not say its 'kind'"),
    "wrong type": (
        "version = 2",
        'version = "2"',
        "version",
        "fixture.version: expected a whole number, got text",
    ),
    "version zero": ("version = 2", "version = 0", "version", "'version' must be 1 or above"),
    "empty licence": ('"CC0-1.0"', '""', "licence", "'licence' is empty"),
    "other name": ('name = "toy"', 'name = "toi"', "toi", "the fixture is called 'toi', its folder 'toy'"),
    "bad checksum": ('sha256 = "', 'sha256 = "x', "sha256", "'sha256' is not 64 hexadecimal digits"),
    "bad sample": ('"second"]', '"a/b"]', "a/b", "'a/b' cannot be a sample's name"),
    "sample twice": ('"second"]', '"first"]', "samples", "the sample 'first' is there twice"),
    "lost sample": ('"second"]', '"third"]', "second/", "array 'second/tokens' belongs to no sample"),
    "wrong shape": (
        "shape = [2, 2]",
        "shape = [2, 3]",
        "[2, 3]",
        "'W' has the shape [2, 2], but [2, 3] is stated",
    ),
    "negative shape": ("shape = [2, 2]", "shape = [-2, 2]", "[-2, 2]", "but [-2, 2] is stated"),
    "wrong dtype": (
        'dtype = "float64"',
        'dtype = "float32"',
        "float32",
        "'W' is float64, but float32 is stated",
    ),
    "shape as text": (
        "shape = [2, 2]",
        'shape = ["n", 2]',
        '"n"',
        "arrays.W.shape[1]: expected a whole number",
    ),
    "array without origin": ('origin = "here"\n', "", '[arrays."W"]', "'origin' is missing from arrays.W"),
    "missing array": (
        '[arrays."W"]',
        '[arrays."V"]',
        '[arrays."V"]',
        "arrays.safetensors lacks the array 'V'",
    ),
}


@pytest.mark.parametrize(("old", "new", "where", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_refused_with_its_line(
    suite: Path, old: str, new: str, where: str, message: str
) -> None:
    folder = put(suite)
    edit(folder, old, new)
    error = refused(suite)
    assert error.path == folder / "fixture.toml"
    assert message in error.message
    assert where in line_of(error)


def test_an_array_that_is_not_described(suite: Path) -> None:
    folder = put(suite)
    text = (folder / "fixture.toml").read_text(encoding="utf-8")
    start = text.index('[arrays."unused"]')
    (folder / "fixture.toml").write_text(text[:start], encoding="utf-8")
    error = refused(suite)
    assert "holds the array 'unused', which is not described" in error.message
    assert error.advice == 'add a section [arrays."unused"]'


def test_what_is_not_finite_must_be_meant(suite: Path) -> None:
    arrays = {"W": np.array([[1.0, np.nan], [np.inf, 0.0]])}
    folder = put(suite, arrays, samples=[])
    error = refused(suite, _only_w())
    assert "array 'W' holds NaN or infinity" in error.message
    assert "nonfinite = true" in error.advice
    assert line_of(error) == '[arrays."W"]'
    put(suite, arrays, samples=[], nonfinite=["W"])
    assert np.isnan(load_fixture(_only_w(), suite).shared["W"][0, 1])
    assert "nonfinite = true" in (folder / "fixture.toml").read_text(encoding="utf-8")


def test_a_samples_own_array_stands_in_place_of_the_shared_one(suite: Path) -> None:
    replacement = np.array([[5.0, 6.0], [7.0, 8.0]])
    put(suite, ARRAYS | {"first/W": replacement})
    loaded = load_fixture(_only_w(), suite)
    assert np.array_equal(loaded.arrays("first")["W"], replacement)
    assert np.array_equal(loaded.arrays("second")["W"], ARRAYS["W"])
    put(suite, ARRAYS | {"first/W": np.zeros((2, 3))})
    error = refused(suite, _only_w())
    assert "sample 'first': 'W' has the shape [2, 3]" in error.message
    assert line_of(error) == '[arrays."first/W"]'


MISFITS = {
    "missing": ({"y": (("n",), "float")}, "case 'toy' takes 'y', which sample 'first' lacks"),
    "kind": ({"tokens": (("n",), "float")}, "'tokens' is int32, but float is declared"),
    "bool": ({"tokens": (("n",), "bool")}, "'tokens' is int32, but bool is declared"),
    "float as int": ({"W": (("d", "d"), "int")}, "'W' is float64, but int is declared"),
    "rank": ({"rate": ((1,), "float")}, "'rate' has the shape [], but [1] is declared"),
    "size": ({"W": ((2, 3), "float")}, "'W' has the shape [2, 2], but [2, 3] is declared"),
    "symbol": (
        {"W": (("n", "d"), "float")},
        "sample 'first': 'W' has the shape [2, 2], but [n, d] is declared, and n is 3 by 'x'",
    ),
    "symbol, second sample": (
        {"x": (("k", "d"), "float"), "W": (("d", 2), "float"), "tokens": ((3,), "int")},
        "sample 'second': 'tokens' has the shape [1], but [3] is declared",
    ),
}


@pytest.mark.parametrize(("changes", "message"), MISFITS.values(), ids=MISFITS)
def test_a_fixture_that_does_not_fit_its_case(suite: Path, changes: dict[str, Any], message: str) -> None:
    put(suite)
    error = refused(suite, case(**changes))
    assert message in error.message
    assert error.path == suite / "fixtures" / "toy" / "fixture.toml"


def test_a_misfit_names_the_line_of_its_array(suite: Path) -> None:
    put(suite)
    assert line_of(refused(suite, case(W=((2, 3), "float")))) == '[arrays."W"]'
    assert line_of(refused(suite, case(tokens=((3,), "int")))) == '[arrays."second/tokens"]'


def test_a_printed_sample_that_the_fixture_lacks(suite: Path, put_case: Callable[..., Path]) -> None:
    put(suite)
    folder = put_case()
    printed = load_case(folder)
    with pytest.raises(CaseError, match="published 'last': the fixture has no sample 'default'") as caught:
        load_fixture(printed, suite)
    assert caught.value.path == folder / "case.toml"
    assert caught.value.line == 65
    text = (folder / "case.toml").read_text(encoding="utf-8")
    text = text.replace('source = "a', 'sample = "second"\nsource = "a')
    (folder / "case.toml").write_text(text, encoding="utf-8")
    assert load_fixture(load_case(folder), suite).name == "toy"


def test_writing_twice_gives_the_same_bytes(suite: Path) -> None:
    folder = put(suite)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    put(suite, dict(reversed(ARRAYS.items())))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert set(before) == {"fixture.toml", "arrays.safetensors"}


def test_columns_first_arrays_are_written_in_their_order(suite: Path) -> None:
    turned = np.asfortranarray(np.arange(4.0).reshape(2, 2))
    put(suite, {"W": turned}, samples=[])
    assert load_fixture(_only_w(), suite).shared["W"].tolist() == [[0.0, 1.0], [2.0, 3.0]]
    put(suite, {"W": np.arange(8.0).reshape(4, 2)[::2]}, samples=[])
    assert load_fixture(_only_w(), suite).shared["W"].tolist() == [[0.0, 1.0], [4.0, 5.0]]


def test_writing_needs_an_origin_for_each_array(suite: Path) -> None:
    with pytest.raises(FixtureError, match="each array needs an origin, and each origin an array: W, x"):
        write_fixture(
            suite / "fixtures" / "toy",
            version=1,
            title="t",
            origin="o",
            licence="l",
            generator=[{"kind": "k"}],
            arrays={"W": np.ones(1)},
            origins={"x": "here"},
        )
    assert not (suite / "fixtures").exists()


def test_what_cannot_be_written_leaves_the_old_fixture(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = put(suite)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FixtureError, match="cannot be written: No space left on device"):
        put(suite, {"W": np.zeros((2, 2))}, samples=[])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_dtype_that_numpy_lacks(suite: Path) -> None:
    folder = put(suite, {"W": np.ones((2, 2), np.uint8)}, samples=[])
    path = folder / "arrays.safetensors"
    path.write_bytes(save({"W": np.ones((2, 2), np.uint8)}).replace(b'"U8"', b'"F8_E4M3"'))
    message = refused(suite, _only_w()).message
    assert "not a whole safetensors file" in message
