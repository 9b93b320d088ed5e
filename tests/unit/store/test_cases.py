"""Cases are read, with their graph in order; the lines of what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.errors import CaseError, UsageError
from harness.model import Precision
from harness.numerics.printed import hold_to_print
from harness.store.cases import load_case
from harness.store.provenance import graph_hash
from harness.store.suites import case_folders, find_suite

Put = Callable[..., Path]

SUITE = Path(__file__).parents[3] / "reference_impls"


def test_a_whole_case_is_read(put_case: Put) -> None:
    case = load_case(put_case())
    assert case.name == "toy"
    assert case.precisions == (Precision.FLOAT64, Precision.FLOAT32)
    assert case.reference == "numpy"
    assert case.timeout == 60.0
    assert [value.name for value in case.inputs] == ["x", "W", "rate", "tokens"]
    assert case.inputs[0].shape == ("n", "d")
    assert case.inputs[2].shape == ()
    assert (case.inputs[3].dtype, case.inputs[2].meaning) == ("int", "step")
    assert list(case.values) == ["first", "losses", "final", "mask", "last"]
    last = case.values["last"]
    assert last.tolerance is not None
    assert (last.shape, last.symbol, last.tolerance.rule, last.tolerance.value) == (("n", 3), "L", "ulp", 4.0)
    assert case.values["first"].nan
    assert case.values["mask"].dtype == "bool"
    assert case.identities[0].left == "first"
    assert [known.implementation for known in case.known_divergences] == ["*", "julia*"]
    assert case.published[0].values == (("0.50", "1e3", "-2"), "...")
    assert (case.published[1].decimals, case.published[1].fixture) == (2, "toy*")
    hash(case.published)


def test_a_printed_scalar_is_text(put_case: Put, toy: str) -> None:
    toy += '[[stage]]\nname = "r"\ninputs = ["x"]\nshape = []\n'
    printed = '[[published]]\nstage = "r"\nsource = "a docstring"\nvalues = '
    case = load_case(put_case(toy + printed + '"-0.2092706263573845"\n'))
    assert case.published[-1].values == "-0.2092706263573845"
    assert hold_to_print(case.published[-1].values, np.array(-0.20927062635738453)).misprints == ()
    assert len(hold_to_print(case.published[-1].values, np.array(-0.209)).misprints) == 1
    with pytest.raises(CaseError, match="'x' is not a printed number"):
        load_case(put_case(toy + printed + '"x"\n'))


def test_stages_are_sorted_and_keep_the_declared_order_where_they_can(put_case: Put, toy: str) -> None:
    assert [stage.name for stage in load_case(put_case()).stages] == ["first", "fit", "last"]
    names = [f"s{number}" for number in (5, 1, 4, 2, 3)]
    stages = "".join(
        f'[[stage]]\nname = "{name}"\ninputs = ["x"]\nshape = []\ntolerance = {{ rule = "exact" }}\n'
        for name in names
    )
    head = toy[: toy.index("[[stage]]")]
    assert [stage.name for stage in load_case(put_case(head + stages)).stages] == names


def test_a_known_divergence_may_state_elements_and_samples(put_case: Put, toy: str) -> None:
    text = toy.replace("at_most = 1e-2", 'at_most = 1e-2\nelements = [1, 4]\nsamples = ["a", "b*"]', 1)
    first, second = load_case(put_case(text)).known_divergences
    assert (first.elements, first.samples) == ((1, 4), ("a", "b*"))
    assert (second.elements, second.samples) == (None, ("*",))
    assert [first.is_of_sample(name) for name in ("a", "b1", "c")] == [True, True, False]


def test_an_input_may_count_repetitions(put_case: Put, toy: str) -> None:
    assert load_case(put_case()).repetitions == ()
    text = toy.replace('dtype = "int" }', 'dtype = "int", role = "repetitions" }')
    case = load_case(put_case(text))
    assert case.repetitions == ("tokens",)
    assert graph_hash(case) == graph_hash(load_case(put_case()))


@pytest.mark.parametrize("folder", sorted(SUITE.glob("*/case.toml")), ids=lambda path: path.parent.name)
def test_every_case_of_the_repository_is_sound(folder: Path) -> None:
    case = load_case(folder.parent)
    known = {value.name for value in case.inputs}
    for stage in case.stages:
        assert known.issuperset(stage.inputs)
        known |= {value.name for value in stage.outputs}


LINES = {
    "stage without inputs": ('inputs = ["x", "W"]\n', "", 21),
    "no tolerance": ('nan = true\ntolerance = { rule = "exact" }', 'dtype = "int"', 21),
    "no value": ('"ulp", value = 4,', '"ulp",', 19),
    "stage twice": ('name = "first"', 'name = "last"', 22),
    "output twice": ('name = "final"', 'name = "losses"', 34),
    "circle": ('["x", "W"]', '["x", "last"]', 16),
    "divergence twice": ('id = "off"', 'id = "not-same"', 55),
    "printed too many": ('"1e3", "-2"]', '"1e3", "-2", "4"]', 68),
}


@pytest.mark.parametrize(("old", "new", "line"), LINES.values(), ids=LINES)
def test_lines_that_no_text_tells_apart(put_case: Put, toy: str, old: str, new: str, line: int) -> None:
    with pytest.raises(CaseError) as caught:
        load_case(put_case(toy.replace(old, new, 1)))
    assert caught.value.line == line


def test_a_circle_is_named_in_the_order_of_its_data(put_case: Put, toy: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_case(put_case(toy.replace('["x", "W"]', '["x", "last"]')))
    assert caught.value.message in {
        "the stages go in a circle: last -> first -> last",
        "the stages go in a circle: first -> last -> first",
        "the stages go in a circle: first -> fit -> last -> first",
        "the stages go in a circle: fit -> last -> first -> fit",
        "the stages go in a circle: last -> first -> fit -> last",
    }


def test_identities_are_told_apart(put_case: Put, toy: str) -> None:
    twice = '[[identity]]\nid = "same"\nleft = "first"\nright = "final"\ntolerance = { rule = "exact" }\n\n'
    with pytest.raises(CaseError, match="the identity 'same' is there twice"):
        load_case(put_case(toy.replace("[[known", twice + "[[known", 1)))
    other = twice.replace('"same"', '"other"').replace('"first"', '"?"').replace('"final"', '"first"')
    other = other.replace('"?"', '"final"')
    with pytest.raises(CaseError, match="'same' and 'other' hold the same two values"):
        load_case(put_case(toy.replace("[[known", other + "[[known", 1)))


def test_a_case_needs_a_stage(put_case: Put, toy: str) -> None:
    text = "stage = []\n" + toy[: toy.index("[[stage]]")]
    with pytest.raises(CaseError, match="the case has no stage") as caught:
        load_case(put_case(text))
    assert caught.value.line == 1
    with pytest.raises(CaseError, match="'stage' is missing from the file"):
        load_case(put_case(text.removeprefix("stage = []\n")))
    with pytest.raises(CaseError, match="stage 'fit' has no output"):
        load_case(put_case(toy[: toy.index("outputs = [")] + "outputs = []\n"))


def test_an_empty_stage_lacks_its_keys(put_case: Put) -> None:
    folder = put_case()
    path = folder / "case.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n[[stage]]\n", encoding="utf-8")
    with pytest.raises(CaseError, match="is missing from stage"):
        load_case(folder)


def test_what_cannot_be_read(put_case: Put, suite: Path) -> None:
    with pytest.raises(CaseError, match=r"there is no case\.toml here"):
        load_case(suite / "nothing")
    folder = put_case()
    (folder / "case.toml").write_bytes(b"[case]\nname = '\xff'\n")
    with pytest.raises(CaseError, match="is not UTF-8") as caught:
        load_case(folder)
    assert caught.value.line == 2
    (folder / "case.toml").write_text("x = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    with pytest.raises(CaseError, match="nested too deeply"):
        load_case(folder)
    (folder / "case.toml").write_text("x = " + "9" * 5000, encoding="utf-8")
    with pytest.raises(CaseError, match="is not TOML"):
        load_case(folder)
    (folder / "case.toml").write_text("", encoding="utf-8")
    with pytest.raises(CaseError, match="'case' is missing from the file"):
        load_case(folder)


def test_windows_line_ends_are_fine(put_case: Put, toy: str) -> None:
    folder = put_case()
    (folder / "case.toml").write_bytes(toy.replace("\n", "\r\n").encode())
    assert len(load_case(folder).stages) == 3


def test_the_suite_is_the_nearest_one_upward(tmp_path: Path) -> None:
    for folder in ("reference_impls/four_word", "fixtures", "inner/deep"):
        (tmp_path / folder).mkdir(parents=True)
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "reference_impls"
    assert find_suite(tmp_path) == tmp_path / "reference_impls"
    (tmp_path / "inner" / "reference_impls").mkdir()
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "reference_impls"
    (tmp_path / "inner" / "fixtures").mkdir()
    assert find_suite(tmp_path / "inner" / "deep") == tmp_path / "inner" / "reference_impls"


def test_no_suite_upward(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no suite here") as caught:
        find_suite(tmp_path)
    assert "--suite" in caught.value.advice


def test_case_folders(put_case: Put, suite: Path) -> None:
    put_case()
    for name in ("b", "a", "fixtures"):
        (suite / name).mkdir()
    (suite / "a" / "case.toml").touch()
    (suite / "README.md").touch()
    assert case_folders(suite) == (suite / "a", suite / "toy")
    with pytest.raises(UsageError, match="does not exist"):
        case_folders(suite / "nothing")
    with pytest.raises(UsageError, match="is not a folder"):
        case_folders(suite / "README.md")
    with pytest.raises(UsageError, match="is a case, not a suite"):
        case_folders(suite / "toy")
