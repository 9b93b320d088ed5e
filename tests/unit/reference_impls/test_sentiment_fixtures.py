"""The sentiment fixtures: Julia's draws, the made-up vectors, and the words of the article's data."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.store.arrays import read_array_file
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture
from harness.streams.julia import MersenneTwister

REPOSITORY = Path(__file__).parents[3]
SUITE = REPOSITORY / "reference_impls"
FIXTURES = REPOSITORY / "fixtures"
SHARED = REPOSITORY.parent / "shared"
LABELS = ("negative", "neutral", "positive")


def arrays(name: str) -> dict[str, npt.NDArray[Any]]:
    return read_array_file(FIXTURES / name / "arrays.safetensors")


def head(name: str) -> dict[str, Any]:
    return tomllib.loads((FIXTURES / name / "fixture.toml").read_text(encoding="utf-8"))


def words() -> list[str]:
    return (FIXTURES / "sentiment" / "words.txt").read_text(encoding="utf-8").splitlines()


def shared(*path: str) -> Path:
    path_in_shared = SHARED.joinpath(*path)
    if not path_in_shared.is_file():
        pytest.skip(f"{path_in_shared.name} is not beside the repository")
    return path_in_shared


@pytest.mark.parametrize("name", ["sentiment", "sentiment_training"])
def test_parameters_are_julias_seed_12(name: str) -> None:
    fixture = arrays(name)
    (section,) = (generated for generated in head(name)["generator"] if generated["kind"] == "julia")
    generator = MersenneTwister(section["seed"], version=section["version"])
    for draw in section["draws"]:
        drawn = generator.randn(*map(tuple, draw["args"])) / draw["divide"]
        assert np.array_equal(fixture[draw["name"]], drawn), draw["name"]
        assert drawn.all(), draw["name"]
    assert np.array_equal(fixture["V"], fixture["K"])
    assert not any(fixture[bias].any() for bias in ("Qb", "Kb", "Vb", "b"))


@pytest.mark.parametrize("name", ["sentiment", "sentiment_training"])
def test_literals_are_what_the_fixture_says(name: str) -> None:
    fixture = arrays(name)
    (section,) = (generated for generated in head(name)["generator"] if generated["kind"] == "literal")
    for key, value in section["arrays"].items():
        assert np.array_equal(fixture[key], np.array(value)), key


def test_vectors_are_made_up_as_described() -> None:
    lines = (FIXTURES / "sentiment" / "vectors.txt").read_text(encoding="utf-8").splitlines()
    vectors = {line.split(" ")[0]: [float(number) for number in line.split(" ")[1:]] for line in lines}
    made = np.round(np.random.RandomState(50).standard_normal((142, 50)) * 0.5, 5)
    assert np.array_equal(np.array(list(vectors.values())), made)
    assert list(vectors) == [word for word in words() if word in vectors]
    assert len(words()) == 165
    assert words() == sorted(set(words()))
    assert "red" in vectors


def test_vectors_leave_out_the_words_that_the_first_of_glove_lack() -> None:
    coverage = shared("glove", "coverage_of_review_words.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in coverage]
    lines = (FIXTURES / "sentiment" / "vectors.txt").read_text(encoding="utf-8").splitlines()
    assert {row[0] for row in rows} == set(words())
    assert {row[0] for row in rows if row[2] == "prefix9163"} == {line.split(" ")[0] for line in lines}


def test_both_fixtures_hold_the_same_sentences_and_labels() -> None:
    single, corpus = arrays("sentiment"), arrays("sentiment_training")
    names = head("sentiment")["fixture"]["samples"]
    sentences = np.split(corpus["corpus_words"], corpus["corpus_offsets"][1:-1])
    assert names[-2:] == ["red", "biased"]
    assert [words()[word] for word in single["red/words"]] == ["red"]
    for part in ("words", "y"):
        assert np.array_equal(single[f"biased/{part}"], single[f"review_16/{part}"])
    for name, sentence, label in zip(names[:-2], sentences, corpus["corpus_labels"], strict=True):
        assert np.array_equal(single[f"{name}/words"], sentence), name
        assert (label == -1) == name.startswith("eval")
        assert single[f"{name}/y"].sum() == 1
        if label >= 0:
            assert single[f"{name}/y"].argmax() == label


def test_reviews_are_those_of_the_article() -> None:
    with shared("articles", "small.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    fixture = arrays("sentiment")
    assert len(rows) == 39
    for number, row in enumerate(rows, 1):
        spelled = [words()[word] for word in fixture[f"review_{number:02}/words"]]
        assert spelled == [word for word in row["cleaned_review"].split(" ") if word]
        assert fixture[f"review_{number:02}/y"].argmax() == LABELS.index(row["sentiments"])


@pytest.mark.parametrize("name", ["sentiment_forward", "sentiment_backward", "sentiment_training"])
def test_the_loader_takes_made_up_and_real_vectors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)
    case = load_case(SUITE / name)
    made_up = load_fixture(case, SUITE)
    assert made_up.name == f"{case.fixture}+made_up"
    assert made_up.shared["table"].shape[1] == 50
    glove = load_fixture(case, SUITE, glove=shared("glove", "glove.6B.50d.first9163.txt"))
    assert glove.name == f"{case.fixture}+glove9163"
    assert list(glove.samples) == list(made_up.samples)
    for sample in made_up.samples:
        assert made_up.labels.get(sample) == glove.labels.get(sample)
