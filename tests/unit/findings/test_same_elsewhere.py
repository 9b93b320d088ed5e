"""Another version is no reason for a difference in one place where all else of a document is as published."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.of_python_2 import OF_PYTHON_2
from harness.findings.answers import judged
from harness.findings.evidence import is_a_unit_in_single
from harness.findings.sources import called_packages
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left, said

WRONG, HERE, UNTOLD = Answer.WRONG, Answer.HERE, Answer.UNCHECKED


ALL = "".join(f"{n}\n" for n in range(10, 20))
TYPES = "t = (1, 2)\nprint(type(t))"


@pytest.mark.parametrize(
    ("right", "here", "answer"),
    [(12, 0, WRONG), (12, 1, WRONG), (3, 0, HERE), (6, 6, HERE)],
)
def test_a_word_is_another_where_nearly_all_else_is_as_published(
    right: int, here: int, answer: Answer
) -> None:
    code = "t = slice(2)\nprint(type(t))"
    assert said(code, "<class 'function'>\n", "<class 'slice'>\n", right=right, here=here) is answer


@pytest.mark.parametrize(("values", "answer"), [(20, WRONG), (2, HERE)])
def test_of_few_other_outputs_those_of_many_values_show_that_all_else_is_as_published(
    values: int, answer: Answer
) -> None:
    code = "t = slice(2)\nprint(type(t))"
    rest = ("print(*range(99))", " ".join(map(str, range(values))) + "\n")
    published, printed = "<class 'function'>\n", "<class 'slice'>\n"
    assert said(code, published, printed, rest=rest, right=2) is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("import numpy as np\na = np.ones((3, 1))\nprint(a.shape)", "(3,)\n", "(3, 1)\n", WRONG),
        ("for x in range(11, 20):\n    print(x)", ALL, "".join(ALL.splitlines(True)[1:]), WRONG),
        (f"{TYPES}\nprint(t)", "<class 'tulpe'>\n(1, 2)\n", "<class 'tuple'>\n(1, 2)\n", WRONG),
        ("print(f'that is {1} crazy')", "that is 1 mad\n", "that is 1 crazy\n", WRONG),
        ("print('Args:', args)", "Args: [1, 2]\n", "Args: (1, 2)\n", WRONG),
        ("import pandas as pd\nprint('in', pd.cut(x, 2)[0])", "in [1, 2)\n", "in (1, 2]\n", HERE),
        ("import numpy as np\nprint(a)", "[array([1]), 2]\n", "(array([1]), 2)\n", HERE),
        ("print(type(iter('abc')))", "<class 'str_iterator'>\n", "<class 'str_ascii_iterator'>\n", HERE),
        ("x = 'a'\nprint(x.dtype)", "object\n", "str\n", HERE),
        ("try:\n    f()\nexcept Exception as e:\n    print('say', e)", "say no\n", "say yes\n", HERE),
        ("a = [1]\nb = [1]\nprint('a', a is b)", "a True\n", "a False\n", HERE),
        ("import foo\nprint(foo.name())", "old\n", "new\n", HERE),
        ("a = {'x', 'y', 'z'}\nprint(*a)", "x y z\n", "y x z\n", HERE),
    ],
)
def test_what_may_be_of_a_version_is_none_of_the_authors(
    code: str, published: str, printed: str, answer: Answer
) -> None:
    assert said(code, published, printed) is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [("0.0277089912\n", WRONG), ("0.0277589912\n", UNTOLD), ("0.0247089919\n", UNTOLD)],
)
def test_no_other_session_gives_a_number_that_is_the_same_but_for_a_digit_within(
    published: str, answer: Answer
) -> None:
    """What holds elsewhere may be other code than what is shown here."""
    told = said("print(x)", published, "0.0247089912\n", doubtful="it may hold elsewhere")
    assert told is answer


def test_a_package_whose_other_outputs_are_reproduced_is_no_reason() -> None:
    code = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\nprint(df)"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    published, printed = "   a\n0  1\n1  3\n", "   a\n0  1\n1  2\n"
    assert said(code, published, printed, rest=other) is WRONG
    assert said(code, published, printed) is HERE


def test_a_package_that_statements_do_not_call_is_no_reason() -> None:
    code = "import numpy as np\nn = np.array([7, 8])\nprint(n)"
    assert called_packages(code, f"import foo\n{code}", "python", ["foo", "numpy"]) == ("numpy",)


def test_of_how_many_values_a_package_knows_something_versions_decide() -> None:
    code = "import pandas as pd\nprint(pd.Series([1, 2, 3]).rolling(2).count())"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    published, printed = "0    1.0\n1    2.0\n2    2.0\n", "0    NaN\n1    2.0\n2    2.0\n"
    assert said(code, published, printed, rest=other) is HERE
    assert said(code, published, printed.replace("NaN", "2.0"), rest=other) is WRONG


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("df.loc[1, 'a'] = 3", WRONG),
        ("df['b'] = 3", WRONG),
        ("df = df[['a']]\ndf['b'] = 3", WRONG),
        ("df['a'][1] = 3", HERE),
        ("df.a[1] = 3", HERE),
        ("df['a'].fillna(3, inplace=True)", HERE),
        ("s = df['a']\ns[1] = 3", HERE),
    ],
)
def test_writing_into_a_part_of_a_frame_is_another_thing_in_pandas_3(code: str, answer: Answer) -> None:
    code = f"import pandas as pd\ndf = pd.DataFrame({{'a': [1, 2]}})\n{code}\nprint(df)"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    assert said(code, "   a\n0  1\n1  3\n", "   a\n0  1\n1  2\n", rest=other) is answer


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Float64 <: Number", WRONG),
        ("Float64 <: Int", WRONG),
        ("Vector{Int} <: Vector", WRONG),
        ("AbstractArray{Int} <: Real", HERE),
    ],
)
def test_where_types_of_numbers_belong_is_the_same_in_every_julia(asked: str, answer: Answer) -> None:
    rest = ("1 + 1", "2\n")
    assert said(asked, "false\n", "true\n", language="julia", rest=rest, stated="1.11.5") is answer


@pytest.mark.parametrize(("between", "answer"), [("vals[2] = 0", HERE), ("vals = 0", WRONG)])
def test_a_part_that_is_written_to_elsewhere_is_one_of_the_frame(between: str, answer: Answer) -> None:
    """Also where the frame is shown by statements that do not name the part, and of many values."""
    rows = "".join(f"{n} {n}4 {n}7 word{n}\n" for n in range(1, 7))
    code = f"import pandas as pd\ndata = pd.DataFrame(d)\nvals = data.value\n{between}\nprint(data)"
    assert said(code, rows.replace("24", "20"), rows) is answer


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [("0.93\n", "0.96\n", HERE), ("1 2 3 4 5 0.93\n", "1 2 3 4 5 0.96\n", WRONG)],
)
def test_of_what_a_package_computes_one_value_of_many_has_to_be_another(
    published: str, printed: str, answer: Answer
) -> None:
    other = ("import foo\nprint(foo.n())", "1\n")
    assert said("import foo\nprint(foo.m())", published, printed, rest=other) is answer


@pytest.mark.parametrize(
    ("code", "answer"), [("x <- c(1, 2.5)\ntypeof(x)", WRONG), ("x <- c(1, 2.5)\nkind_of(x)", HERE)]
)
def test_a_package_that_r_attaches_is_no_reason_where_nothing_of_it_is_called(
    code: str, answer: Answer
) -> None:
    attached = f"library(foo)\n{code}"
    published, printed = '[1] "integer"\n', '[1] "double"\n'
    rest = ("1 + 1", "[1] 2\n")
    assert said(attached, published, printed, language="r", rest=rest, stated="") is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "language", "answer"),
    [
        ("library(dplyr)\ndim(starwars)", "[1] 87 13\n", "[1] 87 14\n", "r", HERE),
        ("dim(matrix(0, 87, 14))", "[1] 87 13\n", "[1] 87 14\n", "r", WRONG),
        ("Int === Int64", "false\n", "true\n", "julia", HERE),
        ("iseven(4)", "false\n", "true\n", "julia", WRONG),
    ],
)
def test_data_of_packages_and_types_are_of_versions(
    code: str, published: str, printed: str, language: str, answer: Answer
) -> None:
    rest = ("1 + 1", "[1] 2\n" if language == "r" else "2\n")
    assert said(code, published, printed, language=language, rest=rest, stated="") is answer


@pytest.mark.parametrize(
    ("call", "published", "answer"),
    [
        ("np.linalg.svd(a)[1]", "s (3,)\n1 0.5\n", WRONG),
        ("np.linalg.svd(a)[1]", "s (2,)\n1 0.7\n", HERE),
        ("scipy.linalg.null_space(a)", "s (3,)\n1 0.5\n", HERE),
    ],
)
def test_no_version_gives_another_shape_to_what_is_decomposed(
    call: str, published: str, answer: Answer
) -> None:
    code = f"import numpy as np\na = np.eye(2)\ns = {call}\nprint('s', s.shape)\nprint(*s)"
    assert said(code, published, "s (2,)\n1 0.5\n") is answer


@pytest.mark.parametrize(("published", "answer"), [('"Tuesday"\n', WRONG), ('"Thu"\n', HERE)])
def test_of_two_names_of_days_no_version_of_julia_chooses_one(published: str, answer: Answer) -> None:
    code = "using Dates\nday = Date(1997, 5, 22)\ndayname(day)"
    rest = ("1 + 1", "2\n")
    assert said(code, published, '"Thursday"\n', language="julia", rest=rest, stated="1.8.1") is answer


def test_rounding_of_another_machine_accuses_nobody_whatever_else_is_reproduced() -> None:
    code = "A = [1 3; 4 7]\nb = [3, 2]\nx = inv(A) * b\nA * x"
    published = "2-element Vector{Float64}:\n 2.9999999999999996\n 2.0\n"
    printed = "2-element Array{Float64,1}:\n 3.0000000000000004\n 2.0\n"
    answer = said(code, published, printed, language="julia", rest=("1 + 1", "2\n"), stated="1.10.4")
    assert answer is HERE


@pytest.mark.parametrize(
    ("code", "answer"),
    [("s = 'Taj Mahal'\nprint(s.find('j', 1, 3))", WRONG), ("s = 5\nprint(s / 2)", UNTOLD)],
)
def test_print_statements_of_python_2_are_run_for_certain(code: str, answer: Answer) -> None:
    assert said(code, "3\n", "2\n", stated="2.7", doubtful=OF_PYTHON_2) is answer


def test_single_precision_gives_whole_numbers_exactly() -> None:
    code = "import torch\ntorch.matmul(a, b)"
    assert not is_a_unit_in_single([("107.", "106.")], code)
    assert is_a_unit_in_single([("0.3512", "0.3513")], code)


@pytest.mark.parametrize(
    ("code", "stated", "answer"),
    [
        ("m <- matrix(0, 2, 2)\nclass(m)", "3.6.1", HERE),
        ("m <- matrix(0, 2, 2)\nclass(m)", "", HERE),
        ("m <- matrix(0, 2, 2)\nrev(m)", "3.6.1", WRONG),
        ("m <- data.frame(a = 1)\nrev(m)", "3.6.1", WRONG),
    ],
)
def test_what_a_version_is_known_to_have_changed_is_of_the_version(
    code: str, stated: str, answer: Answer
) -> None:
    published, printed, rest = '[1] "matrix"\n', '[1] "matrix" "array"\n', ("1 + 1", "[1] 2\n")
    assert said(code, published, printed, language="r", rest=rest, stated=stated) is answer


@pytest.mark.parametrize(
    ("published", "answer"), [("a 4.9 b 2.0 c 7.5\n", WRONG), ("a 3.1 b 5.7 c 7.5\n", UNTOLD)]
)
def test_no_version_puts_two_numbers_in_each_others_place(published: str, answer: Answer) -> None:
    code = "import pandas as pd\nfor n, x in f():\n    print(n, x)"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    assert said(code, published, "a 2.0 b 4.9 c 7.5\n", rest=other, right=7, here=5) is answer


@pytest.mark.parametrize(
    ("layer", "answer"),
    [
        ("nn.MaxPool2d(3)", WRONG),
        ("nn.functional.relu", WRONG),
        ("nn.ReLU()", WRONG),
        ("nn.Conv2d(1, 1, 3)", HERE),
    ],
)
def test_what_only_takes_the_largest_is_not_fitted(layer: str, answer: Answer) -> None:
    code = f"import torch\nfrom torch import nn\ntorch.manual_seed(1)\nprint({layer}(torch.ones(1, 9, 9)))"
    other = ("import torch\nfrom torch import nn\nprint(torch.ones(1))", "tensor([1.])\n")
    published, printed = "tensor([1., 2., 9., 7., 5., 3.])\n", "tensor([1., 2., 7., 9., 5., 3.])\n"
    assert said(code, published, printed, rest=other, stated="") is answer


@pytest.mark.parametrize(("at", "answer"), [(1, HERE), (3, WRONG)])
def test_the_name_of_an_index_comes_and_goes_with_the_version_of_a_package(at: int, answer: Answer) -> None:
    code = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\nprint(df)"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    rows = ["   a\n", "id\n", "0  1\n", "1  2\n", "2  3\n"]
    published = "".join(row for n, row in enumerate(rows) if n != at)
    assert said(code, published, "".join(rows), rest=other) is answer


@pytest.mark.parametrize(
    ("published", "language", "answer"),
    [("[1] 0.666\n", "r", WRONG), ("[1] 0.667\n", "r", Answer.REPRODUCED), ("0.666\n", "python", HERE)],
)
def test_print_of_r_rounds_and_does_not_cut(published: str, language: str, answer: Answer) -> None:
    code = "mean(c(1, 1, 0))" if language == "r" else "(1 + 1 + 0) / 3"
    printed = "[1] 0.6666667\n" if language == "r" else "0.6666666666666666\n"
    rest = ("1 + 1", "[1] 2\n" if language == "r" else "2\n")
    assert said(code, published, printed, language=language, rest=rest, stated="") is answer


def test_an_author_who_cuts_digits_twice_does_so_on_purpose() -> None:
    chunks = [chunk(0, "2 / 3", "r", output="[1] 0.666\n"), chunk(1, "5 / 3", "r", output="[1] 1.666\n")]
    results = [left("[1] 0.6666667\n"), left("[1] 1.666667\n")]
    for n in range(2, 30):
        chunks.append(chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n"))
        results.append(left(f"[1] {n + 1}\n"))
    assert [block.answer for block in judged(Ran(chunks, results)).blocks[:2]] == [HERE, HERE]


@pytest.mark.parametrize(
    ("published", "said_there", "answer"),
    [
        ("the copy is now the sheet", "the copy is not the sheet", WRONG),
        ("the copy is now the sheet", "the copy is {} the sheet'.format('not') + '", HERE),
    ],
)
def test_a_sentence_of_the_document_that_an_error_prints_is_no_versions(
    published: str, said_there: str, answer: Answer
) -> None:
    code = (
        "import pandas as pd\nsheet = pd.Series([4, 5])\ntry:\n    assert sheet.copy() is sheet, "
        f"'{said_there}'\nexcept AssertionError as error:\n    print(error)"
    )
    other = ("import pandas as pd\nprint(pd.Series([4]).sum())", "4\n")
    assert said(code, f"{published}\n", "the copy is not the sheet\n", rest=other) is answer


def test_what_is_drawn_without_a_seed_shows_nothing_of_versions() -> None:
    assert first_beside_draws("import random") is WRONG
    assert first_beside_draws("import random\nrandom.seed(3)") is HERE


def first_beside_draws(above: str) -> Answer | None:
    """What is said of a line that is another, in a document that draws, with a seed or without one."""
    draws = [chunk(n, "print(random.randint(1, 900))", output=f"{n}7\n") for n in range(1, 4)]
    right = [chunk(n, f"print({n})", output=f"{n}\n") for n in range(4, 8)]
    last = chunk(8, "print('Sour milk.'.replace('.', '!'))", output="Sour mode!\n")
    results = [left(), *map(left, ("8\n", "9\n", "11\n", "4\n", "5\n", "6\n", "7\n", "Sour milk!\n"))]
    return judged(Ran([chunk(0, above), *draws, *right, last], results)).blocks[-1].answer


@pytest.mark.parametrize(
    ("published", "elsewhere", "answer"),
    [
        ("  extra groups\n1   0.7     1\n", "plot(d$group)", WRONG),
        ("  extra groups\n1   0.7     1\n", "plot(d$other)", HERE),
        ("  extra team\n1   0.7     1\n", "plot(d$group)", HERE),
    ],
)
def test_a_name_that_is_spelt_otherwise_in_the_code_is_a_slip(
    published: str, elsewhere: str, answer: Answer
) -> None:
    printed = "  extra group\n1   0.7     1\n"
    rest = (f"{elsewhere}\n1 + 1", "[1] 2\n")
    assert said("head(sleep)", published, printed, language="r", rest=rest, stated="") is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("     a        \n Min.   :1.000  \n Means  :2.516  \n Max.   :4.000  \n", WRONG),
        ("     a        \n Min.   :1.000  \n Mean   :2.500  \n Max.   :4.000  \n", HERE),
    ],
)
def test_what_rounds_otherwise_has_no_other_words(published: str, answer: Answer) -> None:
    printed = "     a        \n Min.   :1.000  \n Mean   :2.516  \n Max.   :4.000  \n"
    rest = ("c(Mean = 2)", "Mean \n   2 \n")
    assert said("d <- read.csv(text = 'a\\n1')\nsummary(d)", published, printed, language="r", rest=rest,
                stated="") is answer  # fmt: skip


def test_what_kind_texts_of_a_data_frame_have_is_a_versions() -> None:
    code = "d <- data.frame(a = c('u', 'v'))\ntypeof(d$a)"
    of_it = said(code, '[1] "integer"\n', '[1] "character"\n', language="r", rest=("1 + 1", "[1] 2\n"))
    assert of_it is HERE


@pytest.mark.parametrize(("there", "answer"), [("Patricio Garino", WRONG), ("Manu Ginobili", HERE)])
def test_a_name_that_a_file_beside_the_document_spells_otherwise_is_a_slip(
    there: str, answer: Answer, tmp_path: Path
) -> None:
    (tmp_path / "names.csv").write_text(f"name\n{there}\n")
    code = "d <- read.csv('names.csv')\nd[1, 'name']"
    published, printed = '[1] "Patricio Carino"\n', '[1] "Patricio Garino"\n'
    rest = ("1 + 1", "[1] 2\n")
    assert said(code, published, printed, language="r", rest=rest, stated="3.4.2", folder=tmp_path) is answer


def test_an_object_and_its_address_are_no_reason_for_other_lines() -> None:
    code = "d = Dog('Ada', 3)\nprint(d)\nprint(d.name)\nprint(d.age)"
    shown = "<__main__.Dog object at 0x{}>\n{}\n{}\n"
    chunks = [chunk(0, code, executable=True, output=shown.format("15a0a33741", "3", "Ada"))]
    results = [left(shown.format("7f15a0a337", "Ada", "3"))]
    for n in range(1, 12):
        chunks.append(chunk(n, f"print({n})", executable=True, output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert "another version" not in judged(Ran(chunks, results)).blocks[0].why


@pytest.mark.parametrize(("kind", "answer"), [("int8", WRONG), ("int64", HERE)])
def test_no_version_gives_signed_numbers_for_unsigned_ones_of_their_size(kind: str, answer: Answer) -> None:
    code = "import numpy as np\nprint(repr(np.uint8(x)))"
    other = ("import numpy as np\nprint(np.arange(1))", "[0]\n")
    published, printed = (f"array([0, 1, 2], dtype={each})\n" for each in (kind, "uint8"))
    assert said(code, published, printed, rest=other) is answer
