"""``harness new case --from``: functions that take and return texts, lists, dates and dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.store.cases import load_case
from harness.store.record import read_record

Harness = Callable[..., Result]

KINDS = """\
import datetime
from collections import namedtuple

import numpy as np

Ends = namedtuple("Ends", "least most")


def clean(name):
    return [each.strip().upper() for each in name]


def fit(x, y, method="ols", robust=False):
    slope = float(x @ y / (x @ x))
    result = {"beta": [0.0, slope], "n": len(x)}
    result["method"] = method
    return result


def predict(model, x):
    return model["beta"][0] + model["beta"][1] * x


def ends(y):
    return Ends(y.min(), y.max())


def width(ends):
    return ends.most - ends.least


def order(y):
    return [float(at) for at in np.argsort(y)]


def day(y):
    return datetime.date(2020, 1, 1)


def tell(y):
    print(y)


def main():
    name, x, y = load("d.csv")
    clean(name)
    model = fit(x, y, "ols", robust=True)
    p = predict(model, x)
    e = ends(y)
    width(e)
    order(y)
    day(y)
    tell(y)


main()
"""
KINDS_PORT = """\
import datetime

import numpy as np


def clean(name):
    return np.array([each.strip().upper() for each in name])


def fit(x, y, method="ols", robust=False):
    return {"method": method, "Beta": np.array([0.0, x @ y / (x @ x)]), "n": len(x), "more": 1}


def predict(model, x):
    return model["beta"][0] + model["beta"][1] * x


def ends(y):
    return {"most": y.max(), "least": y.min()}


def width(ends):
    return ends["most"] - ends["least"]


def order(y):
    return [float(at) for at in np.argsort(y)]


def begin(y):
    return datetime.date(2020, 1, 1)


def tell(y):
    pass
"""
KINDS_DATA = "name,x,y\n ab,1,2.5\ncd,2,3.5\nef ,4,1.5\n"


def line_of(function: str) -> int:
    lines = KINDS.splitlines()
    return next(at for at, line in enumerate(lines, 1) if line.startswith(f"def {function}("))


def kinds(harness: Harness, port: str = KINDS_PORT, *more: str) -> Result:
    for name, text in (("one.py", KINDS), ("two.py", port), ("d.csv", KINDS_DATA)):
        Path(name).write_text(text, encoding="utf-8")
    return harness("new", "case", "kinds", "--from", "one.py", "two.py", "--data", "d.csv", *more)


def test_functions_that_take_and_return_texts_lists_and_dictionaries(harness: Harness) -> None:
    pytest.importorskip("flint")
    written = kinds(harness, KINDS_PORT, "--pair", "day=begin")
    assert written.exit_code == 0, written.output
    for line in (
        "input name: text [3], name of the data",
        "input method: 'ols', as the program passes it",
        "input robust: True, as the program passes it",
        f"one.py:{line_of('clean')}: clean() returns text",
        f"one.py:{line_of('fit')}: fit() returns values by name: beta, n, method",
        f"one.py:{line_of('ends')}: ends() returns values by name: least, most",
        f"one.py:{line_of('order')}: order() returns a list of numbers",
        f"one.py:{line_of('day')}: day() returns date",
        f"one.py:{line_of('tell')}: tell() is no stage: it returns nothing",
        "kinds.two.py: the stage day is begin(y)",
    ):
        assert line in [" ".join(each.split()) for each in written.stdout.splitlines()], line
    case = load_case(Path("conformance/kinds"))
    assert {name: (value.dtype, value.shape) for name, value in case.values.items()} == {
        "clean": ("text", ("n",)),
        "fit_stage.beta": ("float", ("d",)),
        "fit_stage.n": ("int", ()),
        "fit_stage.method": ("text", ()),
        "predict": ("float", ("n",)),
        "ends.least": ("float", ()),
        "ends.most": ("float", ()),
        "width": ("float", ()),
        "order_stage": ("float", ("n",)),
        "day": ("date", ()),
    }
    ran = harness("run")
    assert ran.exit_code == 0, ran.output
    judged = {
        cell.stage for cell in read_record(Path("results/results.jsonl")).cells if cell.verdict == "PASS"
    }
    assert judged >= set(case.values)


def test_one_more_implementation_of_such_a_case(harness: Harness) -> None:
    pytest.importorskip("flint")
    assert kinds(harness, KINDS_PORT, "--pair", "day=begin").exit_code == 0
    more = KINDS_PORT.replace("def fit(", "def estimate(").replace('"Beta"', '"BETA"')
    Path("more.py").write_text(more, encoding="utf-8")
    pairs = ["--pair", "fit_stage=estimate", "--pair", "order_stage=order", "--pair", "day=begin"]
    written = harness("new", "impl", "kinds", "numpy", "--label", "more", "--from", "more.py", *pairs)
    assert written.exit_code == 0, written.output
    text = Path("conformance/kinds/kinds.more.py").read_text(encoding="utf-8")
    assert 'return {"beta": value["BETA"], "n": value["n"], "method": value["method"]}' in text
    # Of a list of numbers nothing says that it is to be an array.
    assert harness("run", "--impl", "numpy", "--impl", "numpy.more").exit_code == 1
    cells = read_record(Path("results/results.jsonl")).cells
    assert {cell.stage for cell in cells if cell.verdict == "FAIL"} == {"order_stage"}


SLIPS = {
    "lower": (".upper()", ".lower()", "clean"),
    "count": ('"n": len(x)', '"n": len(x) + 1', "fit_stage.n"),
    "text": ('"method": method', '"method": "OLS"', "fit_stage.method"),
    "least": ("y.min()", "y.max()", "ends.least"),
    "day": ("date(2020, 1, 1)", "date(2020, 1, 2)", "day"),
    "list": ("[float(at)", "[float(at + 1)", "order_stage"),
}


def test_a_slip_in_one_of_them_is_found(harness: Harness) -> None:
    pytest.importorskip("flint")
    for name, (right, wrong, _) in SLIPS.items():
        assert right in KINDS_PORT
        Path(f"{name}.py").write_text(KINDS_PORT.replace(right, wrong), encoding="utf-8")
    written = kinds(harness, KINDS_PORT, *(f"{name}.py" for name in SLIPS), "--pair", "day=begin")
    assert written.exit_code == 0, written.output
    assert harness("run").exit_code == 1
    cells = read_record(Path("results/results.jsonl")).cells
    failed = {
        (cell.implementation, cell.stage)
        for cell in cells
        if cell.verdict == "FAIL" and cell.mode == "isolated"
    }
    assert failed == {(f"numpy.{name}", stage) for name, (_, _, stage) in SLIPS.items()}


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("day", "--pair day: is not NAME=FUNCTION"),
        ("dai=begin", "one.py: --pair dai=begin: there is no function dai"),
        ("day=start", "--pair day=start: no other file has a function start"),
    ],
)
def test_a_wrong_pair_is_refused(harness: Harness, pair: str, message: str) -> None:
    done = kinds(harness, KINDS_PORT, "--pair", pair)
    assert done.exit_code == 2
    assert message in done.stderr
