from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from harness.errors import CaseError, FixtureError
from harness.model import EQUIVALENCES, RULES, UpTo
from harness.model.tolerance import RuleName
from harness.store.cases import load_case
from harness.store.fixture_data import ArrayEntry
from harness.store.fixtures import FixtureHead
from harness.store.toml import Toml
from harness.store.word_vectors import WordVectors

TEXT = (Path(__file__).parents[3] / "docs" / "authoring-a-case.md").read_text(encoding="utf-8")
TABLE = "# a comment\ndefault, 0.98522025, 1.74174051\n"
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def test_the_guides_case_is_a_case(tmp_path: Path) -> None:
    folder = tmp_path / "four_word"
    folder.mkdir()
    (folder / "case.toml").write_text(BLOCKS[0], encoding="utf-8")
    (folder / "certified.csv").write_text(TABLE, encoding="utf-8")
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


def test_the_guide_has_every_rule_with_its_keys() -> None:
    table = TEXT[TEXT.index("| rule | its keys |") :].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]
    assert (
        [name for name, _, _ in rows]
        == [f"`{name}`" for name in RULES]
        == [f"`{n}`" for n in get_args(RuleName)]
    )
    for (name, keys, allowed), rule in zip(rows, RULES.values(), strict=True):
        assert re.findall(r"`(\w+)`", keys) == [*rule.needs, *rule.takes], name
        assert allowed == rule.allowed


def test_the_guide_has_every_equivalence() -> None:
    table = TEXT[TEXT.index("| `up_to` |") :].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table]
    assert [name for name, _, _ in rows] == [f'`"{name}"`' for name in EQUIVALENCES]
    assert [f'`"{name}"`' for name in get_args(UpTo)] == [name for name, _, _ in rows]
    for (_, free, kinds), equivalence in zip(rows, EQUIVALENCES.values(), strict=True):
        assert (free, kinds.split(", ")) == (equivalence.free, list(equivalence.kinds))


def test_a_rule_that_is_none_is_refused_with_those_of_the_guide(tmp_path: Path) -> None:
    folder = tmp_path / "four_word"
    folder.mkdir()
    text = BLOCKS[0].replace('rule = "ulp"', 'rule = "close"', 1)
    (folder / "case.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        load_case(folder)
    listed = caught.value.advice.removeprefix("use one of: ").split(", ")
    assert set(listed) == set(RULES)
    assert len(listed) == 8


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        ("# none\n", None, "has no number"),
        ("default, 1, x\n", 1, "'x' is no number"),
        ("# a\ndefault\n", 2, "the sample 'default' has no number"),
        ("default, 1\ndefault, 2\n", 2, "the sample 'default' is there twice"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(
    tmp_path: Path, table: str, line: int | None, message: str
) -> None:
    folder = tmp_path / "four_word"
    folder.mkdir()
    (folder / "case.toml").write_text(BLOCKS[0], encoding="utf-8")
    (folder / "certified.csv").write_text(table, encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        load_case(folder)
    assert (caught.value.path, caught.value.line) == (folder / "certified.csv", line)
    assert message in caught.value.message
