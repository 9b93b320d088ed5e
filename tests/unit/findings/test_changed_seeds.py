"""Another seed that gives what is published: only where no chance gives it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.documents.model import Chunk, Document
from harness.findings.changed_seeds import other_seeds
from harness.findings.closures import closure_of
from harness.findings.code_changes import mistyped_seeds_of, seeds_of
from tests.unit.findings.made_runs import chunk, executed, left

MANY = ("7 3 1 4 2 9 8 11 5 6 2 2", "3 7 4 1 9 2 11 8 6 5 1 3")
FLIPS = ("0 1 1 0 0 1 0 1 0 0 1 1 1 0 1 1 0 0 0 1", "1 1 0 0 1 1 1 0 0 1 0 1 0 1 1 0 1 1 1 0")
LETTERS = ("'GCCCACGGCGCC'", "'TTGCAAACTCTC'")
LABELS = ("0 0 0 1 1 1 1 2 2 2 2 2", "1 1 1 2 2 2 2 0 0 0 0 0")


def seeds_for(code: str, published: str, printed: str, others: Sequence[Chunk] = ()) -> set[str]:
    part = Document(path=Path("a.md"), kind="markdown", title="A", chunks=(chunk(0, code),))
    return {change.new for change in other_seeds(part, published, printed, [*part.chunks, *others])}


@pytest.mark.parametrize(
    ("code", "texts", "many"),
    [
        ("np.random.seed(10)\nx = np.random.randint(12, size=12)", MANY, True),
        ("np.random.seed(10)\nx = np.random.randint(12, size=12)", ("7 3", "3 7"), False),
        ("np.random.seed(10)\nx = np.random.randint(3, size=12)", LABELS, False),
        ("np.random.seed(10)\nx = np.random.randint(2, size=20)", FLIPS, True),
        ("np.random.seed(10)\nx = ''.join(np.random.choice(list('ACGT'), 12))", LETTERS, True),
        ("np.random.seed(10)\nx = np.random.choice(['GCCCACGGCGCC', 'TTGCAAACTCTC'])", LETTERS, False),
        ("m = KMeans(12, random_state=10).fit(x)", MANY, False),
        ("np.random.seed(10)\nx = np.random.rand()", ("0.1355456734251", "0.7713206432667"), True),
        ("np.random.seed(10)\nx = share()", ("0.6666666666666666", "0.3333333333333333"), False),
    ],
)  # fmt: skip
def test_many_seeds_are_tried_where_none_gives_by_chance_what_is_published(
    code: str, texts: tuple[str, str], many: bool
) -> None:
    assert ("42" in seeds_for(code, *texts)) is many


def test_few_digits_tell_a_seed_that_a_slip_of_the_hand_makes_of_it() -> None:
    code = "x = d.sample(5, random_state=181).mean()"
    assert "118" in seeds_for(code, "3.49884", "3.51234")
    assert not seeds_for(code, "3.49", "3.51")
    there = [chunk(1, "y = d.sample(9, random_state=118)")]
    assert seeds_for(code, "3.49", "3.51", there) == {"118"}
    assert not seeds_for(code, "3.4", "3.5", there)
    # Seeds of which one has a digit more stand in many documents.
    assert not seeds_for("set.seed(1234)", "3.49", "3.51", [chunk(1, "set.seed(123)")])


def test_how_many_are_drawn_may_be_drawn_too() -> None:
    code = "r = np.random.RandomState(24)\nx = r.normal(size=9)\nx[x > 0]"
    published, printed = "[0.49671415 0.64768854 1.52302986]", "[1.32921217 0.99081463]"
    assert "42" in seeds_for(code, published, printed)
    assert not seeds_for(code, "[0.5 0.6 1.5]", "[1.3 0.9]")


def test_how_a_seed_is_mistyped() -> None:
    found = {change.new for change in mistyped_seeds_of(chunk(0, "np.random.seed(123)"))}
    assert {"213", "132", "13", "12", "23", "1123", "1230"} <= found
    assert "123" not in found


@pytest.mark.parametrize("code", ["SEED = 4", "seed <- 4", "random_state=4", "Xoshiro(4)", "set.seed(4)"])
def test_how_seeds_are_written(code: str) -> None:
    assert {change.old for change in seeds_of(chunk(0, code))} == {"4"}


def test_what_has_a_seed_of_its_own_needs_no_draw_above() -> None:
    def needed(drawn: str) -> set[int]:
        codes = ["import pandas as pd\nd = pd.DataFrame({'a': [1, 2]})", drawn, "d.sample(1, random_state=3)"]
        chunks = [chunk(n, code, output="1\n") for n, code in enumerate(codes)]
        document = Document(path=Path("a.md"), kind="markdown", title="A", chunks=tuple(chunks))
        closure = closure_of(executed(document, [left()] * 3), chunks[2], 0)
        return set(closure.lines) if closure is not None else set()

    assert needed("d.sample(n=1)") == {0, 2}
    # Of what is not called as a frame's own method is, it is not known what it changes.
    assert needed("d.sample(1)") == {0, 1, 2}
