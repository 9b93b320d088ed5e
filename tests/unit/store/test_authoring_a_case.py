from __future__ import annotations

import re
from pathlib import Path

from harness.errors import FixtureError
from harness.store.cases import load_case
from harness.store.fixture_data import ArrayEntry
from harness.store.fixtures import FixtureHead
from harness.store.toml import Toml
from harness.store.word_vectors import WordVectors

TEXT = (Path(__file__).parents[3] / "docs" / "authoring-a-case.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def test_the_guides_case_is_a_case(tmp_path: Path) -> None:
    folder = tmp_path / "four_word"
    folder.mkdir()
    (folder / "case.toml").write_text(BLOCKS[0], encoding="utf-8")
    case = load_case(folder)
    assert [stage.name for stage in case.stages] == ["Q", "sgd", "Q_by_rows"]
    assert case.identities
    assert case.known_divergences
    assert case.published


def test_the_guides_fixture_has_the_keys_of_a_fixture(tmp_path: Path) -> None:
    path = tmp_path / "fixture.toml"
    path.write_text(BLOCKS[1] + BLOCKS[2], encoding="utf-8")
    toml = Toml(path, FixtureError)
    assert set(toml.data) == {"fixture", "generator", "arrays", "word_vectors"}
    assert set(toml.data["fixture"]) == set(FixtureHead.__struct_fields__)
    assert toml.convert(FixtureHead, "fixture").name == "four_word"
    assert set(toml.data["arrays"]["words"]) == set(ArrayEntry.__struct_fields__)
    assert toml.convert(ArrayEntry, "arrays", "words").shape == (4, 3)
    assert set(toml.data["word_vectors"]) == set(WordVectors.__struct_fields__)
    assert toml.convert(WordVectors, "word_vectors").dimensions == 50
