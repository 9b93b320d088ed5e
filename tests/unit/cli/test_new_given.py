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


DATES = """\
import numpy as np


def later(day):
    return day + np.timedelta64(31, "D")


def hot(level):
    return np.asarray(level) == "hot"


def scaled(x, k):
    return x * k
"""
LATER = ["2024-03-02", "2024-03-31"]
COLUMNS = "day,level,x,k\n2024-01-31,hot,2,7\n2024-02-29,mild,3,7\n"


def test_columns_of_text_can_be_said_to_be_dates_and_categories(harness: Harness) -> None:
    Path("d.csv").write_text(COLUMNS, encoding="utf-8")
    Path("one.csv").write_text("k\n7\n", encoding="utf-8")
    Path("p.py").write_text(DATES, encoding="utf-8")
    Path("q.py").write_text(DATES.replace("31", "30").replace('"hot"', '"mild"'), encoding="utf-8")
    said = ("--input", "day=day:date", "--input", "level=level:category", "--input", "k=k:number")
    Path("d.csv").write_text(COLUMNS.replace(",k", "").replace(",7", ""), encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "q.py", "--data", "d.csv", "one.csv", *said)
    assert result.exit_code == 0, result.output
    assert "input day: date [2], day of the data" in result.output
    text = Path("conformance/p/case.toml").read_text(encoding="utf-8")
    assert 'day = { shape = ["n"], dtype = "date" }' in text
    assert 'level = { shape = ["n"], dtype = "category", levels = ["hot", "mild"] }' in text
    assert 'k = { shape = [], given = "scalar" }' in text
    results = run("conformance")
    assert results.value("later", "numpy").astype("datetime64[D]").astype(str).tolist() == LATER
    failed = {cell.stage for cell in results.cells if cell.verdict is Verdict.FAIL}
    assert failed == {"later", "hot"}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("day=level:date", "day (level of the data): 'hot' is no date"),
        ("day=x:date", "day (x of the data) is float64 [2], and only text can be said to be a date"),
        ("k=k:number", "k (k of the data) is float64 [2], which is not one number"),
    ],
)
def test_what_a_column_cannot_be_is_refused(harness: Harness, said: str, message: str) -> None:
    Path("d.csv").write_text(COLUMNS, encoding="utf-8")
    Path("p.py").write_text(DATES, encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "--data", "d.csv", "--input", said)
    assert result.exit_code == 2
    assert message in result.output


def test_what_parquet_says_of_its_columns_is_kept(harness: Harness) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    day = pa.array(["2024-01-31", "2024-02-29"]).cast(pa.date32())
    level = pa.array(["mild", "hot"]).dictionary_encode()
    table = {"day": day, "level": level, "x": [2.0, 3.0], "long": pa.array([1, 2], pa.duration("s"))}
    pq.write_table(pa.table(table), "d.parquet")
    Path("p.py").write_text(DATES.partition("def scaled")[0], encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "--data", "d.parquet")
    assert result.exit_code == 0, result.output
    assert "left out: d.parquet: column 'long' is of type duration[s], not numbers" in result.output
    results = run("conformance")
    assert results.value("later", "numpy").astype("datetime64[D]").astype(str).tolist() == LATER
    assert 'levels = ["mild", "hot"]' in Path("conformance/p/case.toml").read_text(encoding="utf-8")
    result = harness("new", "fixture", "f", "d.parquet")
    assert 'day: int64 [2], which a case declares with dtype = "date"' in result.output
    # The fixture's arrays are what a case takes.
    case = Path("conformance/p/case.toml")
    text = case.read_text(encoding="utf-8").replace('fixture = "p"', 'fixture = "f"')
    case.write_text(text, encoding="utf-8")
    assert run("conformance").value("later", "numpy").tolist() == results.value("later", "numpy").tolist()


LISTS = """\
def median(nums):
    if not nums:
        raise ValueError("nothing")
    ordered = sorted(nums)
    return (ordered[(len(nums) - 1) // 2] + ordered[len(nums) // 2]) / 2
"""


@pytest.mark.parametrize("said", [(), ("--input", "nums=nums:list")])
def test_a_function_of_a_list_is_given_one(harness: Harness, said: tuple[str, ...]) -> None:
    Path("d.csv").write_text("nums\n4\n1.5\n9\n2.5\n", encoding="utf-8")
    Path("p.py").write_text(LISTS, encoding="utf-8")
    Path("q.py").write_text(LISTS.replace("- 1)", "- 3)"), encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "q.py", "--data", "d.csv", *said)
    assert result.exit_code == 0, result.output
    assert "input nums: float64 [4], nums of the data, as a list" in result.output
    assert 'nums = { shape = ["n"], given = "list" }' in Path("conformance/p/case.toml").read_text("utf-8")
    results = run("conformance")
    assert results.value("median", "numpy") == 3.25
    assert {cell.implementation for cell in results.cells if cell.verdict is Verdict.FAIL} == {"numpy.q"}


def test_what_no_list_mends_is_told_of_the_array(harness: Harness) -> None:
    Path("d.csv").write_text("nums\n4\n1.5\n", encoding="utf-8")
    # With a list it would be another error.
    Path("p.py").write_text("def f(nums):\n    return nums.mean() + nums.missing()\n", encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "--data", "d.csv")
    assert result.exit_code == 2
    said = " ".join(result.output.split())
    assert "'numpy.ndarray' object has no attribute 'missing'" in said
    assert "NAME=COLUMN:list makes it a list" in said


def test_columns_side_by_side_can_be_a_list_of_rows(harness: Harness) -> None:
    Path("d.csv").write_text("a,b,c\n1,2,3\n4,5,6\n", encoding="utf-8")
    source = "def total(rows):\n    return [sum(row) for row in rows] + []\n"
    Path("p.py").write_text(source, encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "--data", "d.csv", "--input", "rows=a,b,c:list")
    assert result.exit_code == 0, result.output
    assert "input rows: float64 [2, 3], the columns a, b, c side by side, as a list" in result.output
    assert 'given = "list"' in Path("conformance/p/case.toml").read_text("utf-8")
    assert run("conformance").value("total", "numpy").tolist() == [6.0, 15.0]


def test_a_number_is_no_list(harness: Harness) -> None:
    Path("p.py").write_text(LISTS, encoding="utf-8")
    result = harness("new", "case", "p", "--from", "p.py", "--input", "nums=3:list")
    assert result.exit_code == 2
    assert "nums (as --input says) is" in result.output
    assert "and no list" in result.output
