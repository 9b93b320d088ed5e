"""``harness new case``: lists, numbers and texts of a program in Python stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness import run
from harness.conformance.coded import signature_of
from harness.model import Verdict
from harness.store.cases import load_case
from harness.store.record import read_record

Harness = Callable[..., Result]

PROGRAM = """\
def evens(x):
    return [v for v in x if v % 2 == 0]


def odds(x):
    return [v for v in x if v % 2 == 1]


def parted(evens, odds):
    return evens + odds


def many(n, flag):
    return [7.0] * n if flag is True else [0.0]


def shout(word):
    return word.upper() + "!" * len(word)


def size(shout):
    return len(shout.split("!"))
"""
DATA = "x\n" + "\n".join("123456") + "\n"
INPUTS = ("--data", "d.csv", "--input", "n=3", "--input", "flag=true", "--input", 'word="abc"')


@pytest.fixture
def made(harness: Harness) -> Path:
    Path("d.csv").write_text(DATA, encoding="utf-8")
    Path("p.py").write_text(PROGRAM, encoding="utf-8")
    # A port that adds what the program appends.
    Path("q.py").write_text(
        PROGRAM.replace("evens + odds", "[a + b for a, b in zip(evens, odds)]"), encoding="utf-8"
    )
    result = harness("new", "case", "p", "--from", "p.py", "q.py", *INPUTS)
    assert result.exit_code == 0, result.output
    return Path("conformance/p")


def test_the_reference_computes_what_the_program_does(made: Path) -> None:
    forms = {form.name: form.given for stage in load_case(made).stages for form in stage.takes}
    assert {name: given for name, given in forms.items() if given} == {
        "evens": "list",
        "odds": "list",
        "n": "scalar",
        "flag": "scalar",
        "word": "scalar",
        "shout": "scalar",
    }
    results = run("conformance", implementations=["numpy"])
    assert results.value("parted", "numpy").tolist() == [2.0, 4.0, 6.0, 1.0, 3.0, 5.0]
    assert results.value("many", "numpy").tolist() == [7.0] * 3
    assert results.value("shout", "numpy").item() == "ABC!!!"
    assert results.value("size", "numpy").item() == 4


def test_other_languages_are_told_nothing_of_it(made: Path) -> None:
    case = load_case(made)
    (parted,) = (stage for stage in case.stages if stage.name == "parted")
    assert [form["given"] for form in signature_of(case, parted, "numpy.q")["takes"]] == ["list"] * 2
    assert signature_of(case, parted, "r") == signature_of(case, parted, "julia") == {}


def test_a_port_that_adds_where_the_program_appends_is_found(harness: Harness, made: Path) -> None:
    assert harness("run").exit_code == 1
    cells = read_record(Path("results/results.jsonl")).cells
    assert {cell.stage for cell in cells if cell.verdict is Verdict.FAIL} == {"parted"}


def test_what_names_alone_connect_is_an_array_where_a_list_will_not_do(harness: Harness) -> None:
    Path("d.csv").write_text(DATA, encoding="utf-8")
    program = (
        "def doubled(x):\n    return [2 * v for v in x]\n\n\ndef mean(doubled):\n    return doubled.mean()\n"
    )
    Path("p.py").write_text(program, encoding="utf-8")
    assert harness("new", "case", "p", "--from", "p.py", "--data", "d.csv").exit_code == 0
    assert 'given = "list"' not in Path("conformance/p/case.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('x = { shape = ["n"], given = "scalar" }', "is given as a scalar, and has the shape"),
        ('x = { shape = [], given = "list" }', "is given as a list, and has the shape"),
        ('x = { shape = ["n"], given = "sparse matrix" }', "is no matrix of numbers"),
        ('x = { shape = ["n"], given = "list", missing = true }', "of which some are missing"),
        ('x = { shape = ["n"], given = "tuple" }', "tuple"),
    ],
)
def test_what_cannot_be_given_is_refused(harness: Harness, declared: str, message: str) -> None:
    case = Path("suite/toy")
    case.mkdir(parents=True)
    (case / "case.toml").write_text(
        '[case]\nname = "toy"\ntitle = "t"\norigin = "o"\nfixture = "toy"\n\n'
        f'[inputs]\n{declared}\n\n[[stage]]\nname = "one"\ninputs = ["x"]\nshape = []\n',
        encoding="utf-8",
    )
    (case / "toy.py").write_text("def one(x):\n    return 1.0\n", encoding="utf-8")
    result = harness("run", "--suite", "suite")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "case.toml" in result.stderr
