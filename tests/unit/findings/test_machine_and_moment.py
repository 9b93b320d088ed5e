"""What an output shows of the machine, of the moment, of memory or of versions accuses nobody."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.apart import values_apart
from harness.findings.carried import of_the_place
from harness.findings.context import context_of
from harness.findings.difference import Difference
from harness.findings.doubts_in_text import shows_the_machine
from harness.findings.older_pythons import of_what_a_sum_loses
from harness.findings.outputs import verdicts
from harness.findings.random_numbers import machine_in, place_in
from harness.findings.rounding import last_digits
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, left


@pytest.mark.parametrize(
    ("code", "pairs", "close"),
    [
        ("import torch", [("0.5582", "0.5582"), ("-1.0279e-08", "-9.0400e-09")], True),
        ("import torch", [("5.9605e-08", "0.")], True),
        ("import torch", [("0.5582", "0.5592")], False),
        ("import torch", [("1e-06", "1e-05")], False),
        ("x.sum()", [("0.5582", "0.5582"), ("-1.0279e-08", "-9.0400e-09")], False),
        ("x.sum()", [("81234.5", "81234.5"), ("2.3e-11", "-7.28e-11")], True),
        ("x.sum()", [("2.31e-05", "2.37e-05")], False),
        ("A * x - b", [("-1.159405904616051e-11", "-1.1593837001555585e-11"), ("0.0", "0.0")], True),
        ("A * x - b", [("-1.159405904616051e-11", "-1.1693837001555585e-11"), ("0.0", "0.0")], False),
    ],
)
def test_what_rounding_leaves_of_a_sum_that_is_zero(
    code: str, pairs: list[tuple[str, str]], close: bool
) -> None:
    assert bool(last_digits(pairs, code)) is close


def test_the_devices_of_a_machine() -> None:
    def run(code: str) -> Ran:
        return Ran([chunk(0, code, output="1\n")], [left("0\n")])

    assert answers(run("import torch\ntorch.cuda.device_count()")) == [Answer.HERE]
    assert answers(run("import torch\ntorch.cuda.manual_seed(1)\ntorch.numel(x)")) == [Answer.WRONG]


EMPTY = "import numpy as np\nu = np.empty(2)\n"


@pytest.mark.parametrize(
    ("code", "again", "answer"),
    [
        ("u", "[3. 4.]\n", Answer.NOBODY),
        ("u", "[2. 2.]\n", Answer.HERE),
        ("for n in range(3):\n    u = x.copy()\nx", "[2. 2.]\n", Answer.WRONG),
    ],
)
def test_memory_that_nothing_wrote_to_shows_in_two_runs(code: str, again: str, answer: Answer) -> None:
    chunks = [chunk(0, EMPTY + code, output="[1. 1.]\n")]
    assert answers(Ran(chunks, [left("[2. 2.]\n")], again=[left(again)])) == [answer]


FACTORS = "df <- data.frame(x = c('a', 'b'))"


TODAY = (
    "from datetime import date\nimport os, glob\n"
    "today = date.today()\ncount = os.cpu_count()\nhere = glob.glob('*')"
)


NUMPY = "import numpy as np\nx = np.arange(9)"


AGE = "from datetime import date\ndef age(born):\n    return date.today().year - born\nborn = 1980"


@pytest.mark.parametrize(
    ("language", "above", "shown", "published", "printed", "answer"),
    [
        ("python", TODAY, "print(today)", "2019-03-01", "2026-11-23", Answer.NOBODY),
        ("python", TODAY, "print(count)", "8", "2", Answer.HERE),
        ("python", TODAY, "print(len(here))", "8", "2", Answer.HERE),
        ("python", TODAY, "print(2 + 2)", "8", "4", Answer.WRONG),
        ("python", f"{TODAY}\ntoday = 3", "print(today)", "8", "3", Answer.WRONG),
        ("python", AGE, "print(age(born))", "39", "46", Answer.NOBODY),
        ("python", "d = np.datetime64('today')", "print(d + 7)", "2019-03-01", "2026-11-23", Answer.NOBODY),
        ("python", AGE, "print(born)", "1981", "1980", Answer.WRONG),
        ("r", "d <- Sys.Date()", "as.numeric(format(d, '%Y')) - 1980", "[1] 39", "[1] 46", Answer.NOBODY),
        ("r", "", "as.numeric(as.POSIXct('2014-01-01'))", "[1] 1388559600", "[1] 1388534400", Answer.HERE),
        ("r", "", "as.POSIXct(0, tz = 'UTC')", '[1] "1971-01-01"', '[1] "1970-01-01"', Answer.WRONG),
        ("r", "", "file.exists('x.csv')", "[1] TRUE", "[1] FALSE", Answer.HERE),
        ("r", "", "file.copy('x.csv', 'y.csv')", "[1] FALSE", "[1] TRUE", Answer.HERE),
        ("r", "", "format(x, '%A')", '[1] "Mittwoch"', '[1] "Wednesday"', Answer.HERE),
        ("julia", "", "sizeof(Int)", "4", "8", Answer.HERE),
        ("julia", "", "typemax(Int)", "2147483647", "9223372036854775807", Answer.HERE),
        ("r", "", ".Machine$integer.max", "[1] 1", "[1] 2147483647", Answer.HERE),
        ("python", "", "numpy.version.version", "'1.2'", "'2.0'", Answer.HERE),
        ("python", "", "traceback.print_exc()", "line 3", "line 4", Answer.HERE),
        ("r", FACTORS, "is.factor(df$x)", "[1] TRUE", "[1] FALSE", Answer.HERE),
        ("r", FACTORS, "levels(df$x)", '[1] "a" "b"', "NULL", Answer.HERE),
        ("r", FACTORS, "sum(1:3)", "[1] 7", "[1] 6", Answer.WRONG),
        ("r", "", "class(m)", '[1] "matrix"', '[1] "matrix" "array" ', Answer.HERE),
        ("r", "", "round(0.15, 1)", "[1] 0.1", "[1] 0.2", Answer.HERE),
        ("r", "", "round(x, 1)", "[1] 0.1", "[1] 0.2", Answer.WRONG),
        ("r", "", "sort(x)", '[1] "a" "A" "b" "B"', '[1] "A" "B" "a" "b"', Answer.HERE),
        ("r", "", "sort(x)", '[1] "a" "c" "b"', '[1] "a" "b" "c"', Answer.WRONG),
        ("python", "", "sorted(x)", "['a', 'A', 'b']", "['A', 'a', 'b']", Answer.WRONG),
        ("python", NUMPY, "np.linalg.inv(a)", "[3.152e+15 -6.305e+15]", "[4.5e+15 9e+15]", Answer.HERE),
        ("python", NUMPY, "np.sum(a)", "[3.152e+15 -6.305e+15]", "[4.5e+15 9e+15]", Answer.WRONG),
        ("python", NUMPY, "(x * x).sum()", "-2147483648", "2147483648", Answer.HERE),
        ("python", NUMPY, "(x * x).sum()", "-2147483647", "2147483648", Answer.WRONG),
        ("python", NUMPY, "np.sqrt(np.mean(x ** 2))", "27116.0625", "57735.1", Answer.HERE),
        ("python", NUMPY, "np.sqrt(np.mean(x ** 2))", "57725.1", "57735.1", Answer.WRONG),
        ("python", NUMPY, "np.sqrt(np.mean(x ** 2))", "27.0625", "57.1", Answer.WRONG),
        ("python", NUMPY, "np.sqrt(np.sum(x))", "27116.0625", "57735.1", Answer.WRONG),
        ("python", "r = np.random.default_rng(0)", "r.geometric(0.1)", "4", "3", Answer.HERE),
        ("python", "torch.manual_seed(0)", "w.normal_()", "tensor([0.1])", "tensor([0.4])", Answer.HERE),
        ("python", "import numpy as np", "x.astype(np.float32).sum()", "0.12345", "0.12346", Answer.HERE),
        ("python", "", "x.sum()", "0.12345", "0.12346", Answer.WRONG),
        ("python", "", "print(quota())  # doctest: +SKIP", "12", "14", Answer.HERE),
        ("python", "", "print(text)", "Hello ... end", "Hello big world end", Answer.HERE),
        ("python", "", "print(text)", "Hello ... end", "Hello big world", Answer.HERE),
        ("python", "", "os.path.join('a', 'b')", r"'a\\b'", "'a/b'", Answer.HERE),
        ("python", "", "c.most_common(1)", "[('a', 2)]", "[('b', 2)]", Answer.HERE),
        ("python", "", "c.most_common(1)", "[('a', 3)]", "[('a', 2)]", Answer.WRONG),
    ],
)  # fmt: skip
def test_where_and_when_a_document_was_run(
    language: str, above: str, shown: str, published: str, printed: str, answer: Answer
) -> None:
    """Times, files, zones, locales, word sizes and generators are the author's; all else is the code's."""
    others = [chunk(n + 2, f"{n} + 1", language, output=f"{n}\n") for n in range(5)]
    chunks = [chunk(0, above, language), chunk(1, shown, language, output=f"{published}\n"), *others]
    printed_by = [left(), left(f"{printed}\n"), *(left(f"{n}\n") for n in range(5))]
    assert answers(Ran(chunks, printed_by))[0] is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "stated", "open_"),
    [
        ("sum([0.1] * 10) == 1.0", "True", "False", "", True),
        ("sum([1e16, 1, -1e16])", "1.0", "0.0", "3", True),
        ("sum([0.1] * 10) == 1.0", "True", "False", "3.12", True),
        ("sum([0.1] * 10) == 1.0", "True", "False", "3.8", False),
        ("sum([1, 2]) == 4", "True", "False", "", False),
        ("np.sum([0.1] * 10) == 1.0", "True", "False", "", False),
        ("sum([0.1, 0.5])", "0.7", "0.6", "", False),
    ],
)
def test_pythons_sum_loses_less_of_fractions_than_it_did(
    code: str, published: str, printed: str, stated: str, *, open_: bool
) -> None:
    apart = values_apart(published, printed) or ()
    assert of_what_a_sum_loses(apart, code, stated, "3.11.7") is open_


def test_a_truth_of_a_sum_accuses_nobody() -> None:
    said = [chunk(n, f"print({n})", output=f"{n}\n") for n in range(12)]
    last = chunk(12, "print(sum([0.1] * 10) == 1.0)", output="True\n")
    printed = [*(left(f"{n}\n") for n in range(12)), left("False\n")]
    assert answers(Ran([*said, last], printed))[-1] is Answer.HERE
    other = msgspec.structs.replace(last, code="print(max([0.1] * 10) == 1.0)")
    assert answers(Ran([*said, other], printed))[-1] is Answer.WRONG


@pytest.mark.parametrize(
    "code",
    [
        "getRversion() >= '4.3.0'",
        "Base.summarysize(x)",
        "Threads.threadid()",
        "println(@__LINE__)",
        'Sys.setlocale("LC_ALL", "zh_TW.UTF-8")',
    ],
)
def test_versions_sizes_threads_and_lines(code: str) -> None:
    assert machine_in(code) == 1 or place_in(code) == 1


EACH = "for n in range(5):\n    print(n, sys.getsizeof('a' * n))"


@pytest.mark.parametrize(
    ("code", "published", "machine"),
    [
        (EACH, "0 49\n1 50\n3 52\n4 53\n", False),
        (EACH, "0 37\n1 38\n2 39\n3 40\n4 41\n", True),
        (EACH, "0 37\n1 38\n3 40\n4 41\n", True),
        (EACH.replace("print", "if sys.getsizeof(n) > 4: print"), "0 49\n1 50\n3 52\n4 53\n", True),
        (EACH.replace("range(5)", "os.listdir()"), "0 49\n1 50\n3 52\n4 53\n", True),
    ],
)
def test_how_large_something_is_explains_no_line_that_is_lost(
    code: str, published: str, machine: bool
) -> None:
    shown = chunk(0, f"import sys, os\n{code}", output=published)
    printed = "0 49\n1 50\n2 51\n3 52\n4 53\n"
    runs = Ran([shown], [left(printed)])
    (verdict,) = verdicts(shown, runs.published.of(shown))
    one = Difference(context_of(runs, {(0, 0): verdict}), shown, published, printed, verdict, code)
    assert shows_the_machine(one) is machine


@pytest.mark.parametrize(
    ("code", "carried"),
    [
        ("if os.path.exists(p):\n    d = open(p)\nelse:\n    d = io.StringIO('a')", False),
        ("if os.path.exists(p):\n    d = pd.read_csv(p)\nelse:\n    d = pd.DataFrame()", False),
        ("if os.path.exists(p):\n    d = 'it is there'\nelse:\n    d = 'it is not'", True),
        ("d = os.path.exists(p)", True),
    ],
)
def test_of_a_file_that_is_read_if_it_is_there_no_value_is_the_machines(code: str, *, carried: bool) -> None:
    assert of_the_place([chunk(0, f"import os\np = 'a.csv'\n{code}"), chunk(1, "d")], "d") is carried
