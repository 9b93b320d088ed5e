"""When a difference accuses: each rule with a slip that it finds, and one of another's that it does not."""

from __future__ import annotations

import pytest

from harness.findings.apart import are_lists, says_own_words, values_apart
from harness.findings.evidence import (
    differ_a_little,
    is_a_jump,
    is_a_unit_in_single,
    is_at_a_half,
    is_falsely_rounded,
    is_near_zero,
    lacks_evidence,
    slipped_for_certain,
)
from harness.findings.names import upstream
from harness.findings.number_pairs import same_digits
from harness.findings.slices import statements_behind
from harness.findings.sources import Ground, Source, asks_in, source_of
from harness.findings.used_packages import used_packages
from tests.unit.findings.made_runs import chunk


@pytest.mark.parametrize(
    ("published", "printed", "apart"),
    [
        ("[1, 2, 3]", "[1, 2, 4]", [("number", "3", "4")]),
        ("array([1., 2.])", "[1. 2.5]", None),
        ("total: True", "total: False", [("truth", "True", "False")]),
        ("{'a': 1}", "{'b': 1}", [("text", "'a'", "'b'")]),
        ("{2: 'one'}", "{'two': 'one'}", [("kind", "2", "'two'")]),
        ("'it is 3 of 4'", "'it is 2 of 4'", [("number", "3", "2")]),
        ("['a fine day', 1]", "['a fnie day', 1]", [("text", "fine", "fnie")]),
        ("'it is 3 of 4'", "'it was 2 of 4'", [("text", "'it is 3 of 4'", "'it was 2 of 4'")]),
        ("datetime.timedelta(9131)", "datetime.timedelta(days=9131)", None),
        ("re.compile(r'ab*', re.UNICODE)", "re.compile('ab*')", None),
        ("0.2526", "0.25260688696258", []),
        ("#> [1] 3", "[1] 4", [("number", "3", "4")]),
        (" 2+2im  0+1im", " 2-2im  0+1im", [("number", "+2im", "-2im")]),
        (" 2.5+2.5im", " 2.5-2.5im", None),
    ],
)
def test_values_are_told_from_the_form(
    published: str, printed: str, apart: list[tuple[str, str, str]] | None
) -> None:
    found = values_apart(published, printed)
    assert (None if found is None else [(a.what, a.published, a.produced) for a in found]) == apart


@pytest.mark.parametrize(
    ("published", "printed", "lists"),
    [
        ("[1, 2, 3]", "[1, 2]", True),
        ("[1] 1 2 3", "[1] 1 2", True),
        ("['a', 'b']", "['a']", True),
        ("[1, 2, ...]", "[1, 2]", False),
        ("[1, 2]", "[1, 'a']", False),
        ("range(0, 3)", "[0, 1, 2]", False),
        ("{1: 'a', 2: 'b'}", "{'one': 'a', 2: 'b', 3: 'c'}", True),
        ("a: 1", "a: 1\nb: 2", False),
    ],
)
def test_plain_lists_may_have_another_length(published: str, printed: str, lists: bool) -> None:
    assert are_lists(published, printed) is lists


@pytest.mark.parametrize(
    ("published", "printed", "code", "own"),
    [
        ("resarcher", "researcher", "print('a researcher')", True),
        ("'HELO'", "'HELLO'", "'hello'.upper()", True),
        ("'1971-01-01'", "'1970-01-01'", "f(0)", True),
        ("'int32'", "'int64'", "str(x.dtype)", False),
        ("invalid", "illegal", "f(0)", False),
    ],
)
def test_words_are_the_documents_own_or_the_languages(
    published: str, printed: str, code: str, own: bool
) -> None:
    (apart,) = values_apart(published, printed) or ()
    assert says_own_words(apart, code.lower()) is own


@pytest.mark.parametrize(
    ("language", "code", "ground"),
    [
        ("python", "x = [1, 2]\nsum(x)", Ground.LANGUAGE),
        ("python", "import numpy as np\nnp.arange(3).sum()", Ground.LANGUAGE),
        ("python", "import pandas as pd\npd.Series([1]).sum()", Ground.VALUES),
        ("python", "text = open('a.txt').read()\nlen(text)", Ground.VALUES),
        ("python", "import numpy as np\nnp.linalg.eig(np.eye(2))", Ground.FITS),
        ("python", "from scipy.integrate import quad\nquad(abs, 0, 5)[0]", Ground.VALUES),
        ("python", "from scipy.optimize import brentq\nbrentq(abs, 0, 5)", Ground.FITS),
        ("python", "import saying\nsaying.f(3)", Ground.BEYOND),
        ("python", "from sklearn.datasets import load_iris\nload_iris().data.sum()", Ground.BEYOND),
        ("python", "import seaborn as sns\nsns.load_dataset('tips').shape", Ground.BEYOND),
        ("python", "class A: pass\nlen(A.__dict__)", Ground.BEYOND),
        ("python", "n = int(input('n? '))\nn + 1", Ground.READER),
        ("python", "import requests\nrequests.get('x').status_code", Ground.READER),
        ("r", "x <- c(1, 2)\nmean(x)", Ground.LANGUAGE),
        ("r", "mean(mtcars$mpg)", Ground.LANGUAGE),
        ("r", "library(dplyr)\nx <- c(1, 2)\nmean(x)", Ground.LANGUAGE),
        ("r", "library(dplyr)\nnrow(starwars)", Ground.VALUES),
        ("r", "library(broom)\ntidy(x)", Ground.BEYOND),
        ("r", "data(flights)\nnrow(flights)", Ground.BEYOND),
        ("r", "data(trees)\nnrow(trees)", Ground.LANGUAGE),
        ("r", "data('Seatbelts')\nnrow(Seatbelts)", Ground.LANGUAGE),
        ("r", "data(esoph)\nnrow(esoph)", Ground.BEYOND),
        ("r", "data('trees', package = 'datasets')\nsum(datasets::women$height)", Ground.LANGUAGE),
        ("r", "data(trees, package = 'forests')\nnrow(trees)", Ground.BEYOND),
        ("r", "library(caret)\ndata(cars)\nnrow(cars)", Ground.BEYOND),
        ("r", "fit <- lm(Girth ~ Height, trees)\ncoef(fit)", Ground.LANGUAGE),
        ("r", "fit <- glm(am ~ wt, binomial, mtcars)\ncoef(fit)", Ground.FITS),
        ("r", "x <- readline('n? ')\nnchar(x)", Ground.READER),
        ("julia", "x = [1, 2]\nsum(x)", Ground.LANGUAGE),
        ("julia", "using Distributions\nx = [1, 2]\nsum(x)", Ground.LANGUAGE),
        ("julia", "using Distributions\nmean(Normal(0, 1))", Ground.BEYOND),
    ],
)
def test_what_a_value_is_computed_from(language: str, code: str, ground: Ground) -> None:
    head, _, shown = code.rpartition("\n")
    cone = (chunk(0, head, language), chunk(1, shown, language))
    assert source_of(cone, cone, used_packages(cone, cone), shown).ground is ground


def test_functions_of_julia_find_all_methods_of_one_name_and_those_below_them() -> None:
    first = chunk(0, 'greet(a) = "$(says(a)) from $a"\nsays(a) = "nothing"', "julia")
    others = chunk(1, 'says(a::Int) = "one"\nunused(a) = 3\nsays(a::Bool) = "yes"', "julia")
    shows = chunk(2, "greet(true)", "julia")
    cone = upstream([first, others, shows], shows)
    assert [part.index for part in cone] == [0, 1, 2]
    behind = statements_behind(cone, "greet(true)")
    assert all(method in behind for method in ("says(a) =", "says(a::Int)", "says(a::Bool)"))
    assert "unused" not in behind


def test_only_what_a_value_depends_on_is_behind_it() -> None:
    cone = (chunk(0, "n = input()\nm = 3\nxs = []\nxs.append(m)"), chunk(1, "k = n + n\nprint(xs)\nprint(k)"))
    assert statements_behind(cone, "print(xs)") == "m = 3\nxs = []\nxs.append(m)\nprint(xs)"
    assert not asks_in(cone, "print(xs)")
    assert asks_in(cone, "print(k)")
    shuffled = (chunk(0, "import random\nxs = [1, 2]\nrandom.shuffle(xs)"), chunk(1, "xs"))
    assert "random.shuffle(xs)" in statements_behind(shuffled, "xs")


@pytest.mark.parametrize(
    ("call", "kept"),
    [("table(d$a)", False), ("setDT(d)", True), ("lapply(1:2, function(n) d[[n]] <<- 0)", True)],
)
def test_functions_of_rs_own_get_copies(call: str, kept: bool) -> None:
    cone = (chunk(0, f"d <- data.frame(a = 1:2)\n{call}", "r"), chunk(1, "sum(d$a)", "r"))
    assert (call in statements_behind(cone, "sum(d$a)")) is kept


TABLE = "1 2 3 4 5 6"
LONG = "0.25260688"


@pytest.mark.parametrize(
    ("published", "printed", "ground", "accused"),
    [
        ("41", "42", Ground.LANGUAGE, True),
        ("41", "42", Ground.VALUES, False),
        ("0.3717", "0.37160171437460954", Ground.VALUES, True),
        ("0.3717", "0.37160171437460954", Ground.FITS, False),
        ("0.3817", "0.37160171437460954", Ground.VALUES, False),
        ("1 2 3 4 5 9", TABLE, Ground.VALUES, True),
        ("1 2 3 4 9 9", TABLE, Ground.VALUES, False),
        ("1 2 3 4 5 9", TABLE, Ground.BEYOND, False),
        ("2 3 4.25 5 6 7.5", "2 3 4.35 5 6 7.5", Ground.FITS, True),
        ("2 3 4.25 5 6 7.5", "2 3 8.17 5 6 7.5", Ground.FITS, False),
        ("0.75260688", LONG, Ground.BEYOND, True),
        ("0.75260699", LONG, Ground.BEYOND, False),
        ("0.75260688", LONG, Ground.READER, False),
        ("f(41)", "f(n=42)", Ground.LANGUAGE, False),
        ("[1, 2]", "[1, 2, 3]", Ground.LANGUAGE, True),
        ("[1, 2]", "[1, 2, 3]", Ground.VALUES, False),
        ("0.523 0.131 0.812", "0.521 0.132 0.815", Ground.LANGUAGE, False),
        ("0.523 0.131 0.812", "0.523 0.132 0.812", Ground.LANGUAGE, True),
        ("error: bad", "error: wrong", Ground.LANGUAGE, False),
    ],
)
def test_the_weaker_the_ground_the_more_has_to_speak_for_a_slip(
    published: str, printed: str, ground: Ground, accused: bool
) -> None:
    source = Source(ground, "why")
    why = lacks_evidence(published, printed, source, code="", shown="", texts="", isolated=(0, 0))
    assert (not why) is accused


def test_a_slip_is_certain_by_the_digits_behind_it() -> None:
    assert slipped_for_certain([("0.75260688", "0.25260688")])
    assert not slipped_for_certain([("0.75260688", "0.25260689")])
    assert not slipped_for_certain([("17000", "14000")])
    assert not slipped_for_certain([("0.1", "0.2")])
    assert not slipped_for_certain([("0.75260688", "0.25260688"), ("1", "2")])


def test_rounding_that_makes_a_step() -> None:
    (sign,) = values_apart("-1.0", "1.0") or ()
    (truth,) = values_apart("True", "False") or ()
    (count,) = values_apart("2", "3") or ()
    mean = "x = y.mean() / 3"
    assert is_a_jump([sign], "np.sign(x)", mean)
    assert is_a_jump([truth], "x == 0.1", mean)
    assert is_a_jump([count], "len(set(x))", mean)
    assert not is_a_jump([count], "x + 1", mean)
    (far,) = values_apart("2", "40") or ()
    assert is_a_jump([count], "int(x)", mean)
    assert not is_a_jump([far], "int(x)", mean)
    assert is_a_jump([far], "np.argmax(x)", mean)
    assert not is_a_jump([truth], "x == 0.1", "x = 0.1")
    assert not is_a_jump([count], "len(set(x))", "x = [1, 2]")


def test_a_number_halfway_between_two() -> None:
    assert is_at_a_half([("0.12", "0.13")], "round(x, 2)", "x = y.mean()")
    assert not is_at_a_half([("0.12", "0.14")], "round(x, 2)", "x = y.mean()")
    assert not is_at_a_half([("0.12", "0.13")], "x", "x = y.mean()")
    assert not is_at_a_half([("0.12", "0.13")], "round(x, 2)", "x = 0.125")


def test_most_numbers_differ_a_little() -> None:
    assert differ_a_little([("0.52", "0.51"), ("0.13", "0.132"), ("0.81", "0.82")])
    assert not differ_a_little([("0.52", "0.51"), ("0.13", "0.13"), ("0.81", "0.81")])
    assert not differ_a_little([("0.52", "7.1"), ("0.13", "3.2"), ("0.81", "0.1")])
    assert not differ_a_little([("52", "51"), ("13", "14"), ("81", "82")])


def test_as_good_as_zero_beside_the_others() -> None:
    assert is_near_zero([("3.1e-9", "0.0"), ("12.5", "12.5")])
    assert not is_near_zero([("3.1", "0.0"), ("12.5", "12.5")])


def test_numbers_are_held_to_the_digits_that_both_show() -> None:
    assert same_digits("0.2526", "0.25260688") == ("0.2526", "0.2526")
    assert same_digits("0.7526", "0.25260688") == ("0.7526", "0.2526")
    assert same_digits("1e-5", "0.25") == ("1e-5", "0.25")
    assert same_digits("1.22464680e-16", "1.2246468e-16") == ("1.22464680e-16",) * 2
    assert same_digits("1.2247e-16", "1.22465e-16") == ("1.2247e-16", "1.22465e-16")
    assert same_digits("1.2246e-16", "1.22465e-16") == ("1.2246e-16", "1.2246e-16")
    assert same_digits("0.00000000e+00", "0.") == ("0.00000000e+00",) * 2
    assert same_digits("2.40000000e+10", "2.4e+01") == ("2.40000000e+10", "2.4e+01")
    assert same_digits("8", "8.0") == ("8", "8")
    assert same_digits("0", "0.5") == ("0", "0.5")


def test_a_unit_of_the_last_digit_in_single_precision_is_the_machines() -> None:
    code = "import torch\n(t - t.mean()) / 3"
    assert is_a_unit_in_single([("1.35e-03", "1.34e-03"), ("2.0", "2.0")], code)
    assert not is_a_unit_in_single([("1.35e-03", "1.31e-03")], code)
    assert not is_a_unit_in_single([("1.35e-03", "1.34e-02")], code)
    assert not is_a_unit_in_single([("1.35j", "1.34j")], code)
    assert not is_a_unit_in_single([("12", "13")], code)
    assert not is_a_unit_in_single([("1.35", "1.34")], "import numpy as np\nx.mean()")


@pytest.mark.parametrize(
    ("published", "printed", "false"),
    [
        ("tensor(5.49)", "tensor(5.4772)", True),
        ("tensor(5.48)", "tensor(5.4750)", False),
        ("tensor(5.47)", "tensor(5.4750)", False),
        ("tensor(5.478)", "tensor(5.477)", False),
        ("tensor(5.4772)", "tensor(5.48)", False),
    ],
)
def test_single_precision_rounds_a_number_to_no_other_than_its_neighbours(
    published: str, printed: str, false: bool
) -> None:
    code = "import torch\nv = torch.tensor([1., 2., 5.])\ntorch.norm(v)"
    said = lacks_evidence(
        published,
        printed,
        Source(Ground.LANGUAGE),
        code=code,
        shown="torch.norm(v)",
        texts="",
        isolated=(9, 0),
    )
    assert is_falsely_rounded(published, printed) is false
    assert bool(said) is not false
