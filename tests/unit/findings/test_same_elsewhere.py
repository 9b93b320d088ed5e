"""Another version is no reason for a difference in one place where all else of a document is as published."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Document
from harness.documents.of_python_2 import OF_PYTHON_2
from harness.findings.answers import judged
from harness.findings.dict_order import goes_through_a_dict
from harness.findings.evidence import is_a_unit_in_single
from harness.findings.number_pairs import number_pairs
from harness.findings.one_place import in_one_place, is_one_of_many, row_left_out
from harness.findings.runs import DocumentRuns
from harness.findings.same_elsewhere import may_stand_for
from harness.findings.slips import only_the_order
from harness.findings.which_first import left_open
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, HERE, UNTOLD = Answer.WRONG, Answer.HERE, Answer.UNCHECKED
TABLE = "ATL BOS BRK CHI CHO CLE \n 14  15  15  15  15  16 \n"
NARROW = "ATL BOS BRK CHI \n 14  15  15  13 \nCHO CLE \n 15  16 \n"


@pytest.mark.parametrize(
    ("published", "printed", "language", "what"),
    [
        ("a 17 b", "a 16 b", "python", "value"),
        ("True", "False", "python", "value"),
        ("<class 'list'>", "<class 'tuple'>", "python", "word"),
        ("that is mad", "that is crazy", "python", "word"),
        ("[1] PG PF C", "[1] PF PG C", "r", "word"),
        ("x - (y + 2)", "x + (y + 2)", "python", "value"),
        ("a 4.9 b 2.0", "a 2.0 b 4.9", "python", "exchange"),
        ("## a 1\n## c 5\n## b 3\n", "a 1\nb 3\nc 5\n", "r", "element"),
        ("(3,)", "(3, 1)", "python", "element"),
        ("[1, 2, 4]", "[1, 2, 3, 4]", "python", "element"),
        ("<Dog at 0x7f1b2c3d4e>\n3\nAda", "<Dog at 0x7f99999999>\nAda\n3", "python", "element"),
        ("a 1 2\nc 5 6\nb 3 4\nd 7 8 9", "a 1 2\nb 3 4\nc 5 6\nd 7 8 9", "python", "element"),
        (NARROW, TABLE, "r", "value"),
        ("the red one\nis here\n", "is here\nthe red one\n", "julia", "element"),
        ("b\na\nc d\n", "a\nb\nd c\n", "julia", ""),
        ("a 17 b 3", "a 16 b 4", "python", ""),
        ("1, 2 and 4", "1, 2, 3 and 4", "python", ""),
        ("[1, 4]", "[1, 2, 3, 4]", "python", ""),
        ("a 1\nb 2\nc 3 4", "c 3 4\na 1\nb 2", "python", ""),
        ("the same", "the same", "python", ""),
        ("  a b\n1 3 4\n2 5 6\n2 5 6", "  a b\n1 3 4\n2 5 6", "r", "element"),
        ("[[1 0]\n [1 0]\n [0 1]\n [5 6]]", "[[1 0]\n [0 1]\n [5 6]]", "python", "element"),
        (
            "matrix([[1, 3],\n  [4, 5],\n  [2, 9]])",
            "matrix([[1, 3],\n  [2, 9],\n  [4, 5]])",
            "python",
            "element",
        ),
        ("a 1\nc 5", "a 1\nb 3 x\nc 5", "python", "element"),
        ("a 1\nb 3 x", "a 1\nb 3 x\nc 5", "python", ""),
        ("b 3 x\nc 5", "a 1\nb 3 x\nc 5", "python", ""),
        ("a 1\nc 6", "a 1\nb 3 x\nc 5", "python", ""),
        ("a 1\nd 7", "a 1\nb 3 x\nc 5\nd 7", "python", ""),
        ("a\na\nb\nd", "a\nb\nc", "python", ""),
    ],
)
def test_what_differs_in_one_place(published: str, printed: str, language: str, what: str) -> None:
    assert in_one_place(published, printed, language) == what


@pytest.mark.parametrize(
    ("published", "printed", "same"),
    [
        ("dtype: object", "dtype: str", True),
        ("int32", "int64", True),
        ('"matrix"', '"array"', True),
        ('"factor"', '"character"', True),
        ("'#32#yy'", "'#43#yy'", True),
        ("'cuda'", "'cpu'", True),
        ("tuple", "list", False),
        ("Int64Index([3, 5])", "Index([3, 5])", True),
        ("Int64Idnex([3, 5])", "Int64Index([3, 5])", False),
        ('"double"', '"integer"', False),
        ("numeric", "integer", False),
        ("3", "4", False),
    ],
)
def test_words_of_versions_and_machines_stand_for_one_another(
    published: str, printed: str, same: bool
) -> None:
    assert may_stand_for(published, printed) is same


def test_a_table_with_one_other_cell_was_read_rightly() -> None:
    assert is_one_of_many(NARROW, TABLE, "r")
    assert not is_one_of_many("17 3", "16 3", "r")
    assert not is_one_of_many("a b c d e f 1 2", "a b c d e f 3 4", "r")


def said(
    code: str,
    published: str,
    printed: str,
    *,
    language: str = "python",
    rest: tuple[str, str] = ("print(1 + 1)", "2\n"),
    right: int = 12,
    here: int = 0,
    stated: str = "3.7.6",
    folder: Path = Path(),
    **given: str,
) -> Answer | None:
    """What is said of an output beside others, of which some are reproduced and in some a version differs."""
    chunks = [chunk(0, code, language, output=published, **given)]
    results = [left(printed)]
    for _ in range(right):
        chunks.append(chunk(len(chunks), rest[0], language, output=rest[1]))
        results.append(left(rest[1]))
    for _ in range(here):
        chunks.append(chunk(len(chunks), "print(repr(q))", language, output="<Q of 1>\n"))
        results.append(left("Q one thing\n"))

    def alone(document: Document) -> DocumentRuns | None:
        if len(document.chunks) != len(chunks):
            return None  # other code is tried of it
        return with_version(Ran(list(document.chunks), [left(printed), *map(left, [""] * (len(chunks) - 1))]))

    def with_version(runs: Ran) -> Ran:
        runs.document = msgspec.structs.replace(
            runs.document, written_for={language: stated} if stated else {}, path=folder / "a.md"
        )
        return runs

    return judged(with_version(Ran(chunks, results, alone=alone))).blocks[0].answer


ALL = "".join(f"{n}\n" for n in range(10, 20))
TYPES = "t = (1, 2)\nprint(type(t))"


@pytest.mark.parametrize(
    ("right", "here", "answer"),
    [(12, 0, WRONG), (12, 1, WRONG), (3, 0, HERE), (6, 6, HERE)],
)
def test_a_word_is_another_where_nearly_all_else_is_as_published(
    right: int, here: int, answer: Answer
) -> None:
    assert said(TYPES, "<class 'list'>\n", "<class 'tuple'>\n", right=right, here=here) is answer


@pytest.mark.parametrize(("values", "answer"), [(14, WRONG), (9, HERE)])
def test_of_a_table_of_many_values_half_of_the_rest_is_enough(values: int, answer: Answer) -> None:
    printed = " ".join(f"w{n} {n}{n}" for n in range(1, values // 2 + 2))
    code = f"import pandas as pd\nprint(pd.merge({printed.split()}, b))"
    rest = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    told = said(code, printed.replace("w2 ", "w9 "), printed, rest=rest, right=9, here=6)
    assert told is answer


@pytest.mark.parametrize(
    ("published", "printed", "code", "open_"),
    [
        (
            "R(start=0, stop=1, step=5)",
            "R(start=0, stop=5, step=1)",
            "d = df.groupby('a').size()\nd.index",
            False,
        ),
        (
            "R(start=0, step=1, stop=5)",
            "R(start=0, stop=5, step=1)",
            "d = df.groupby('a').size()\nd.index",
            True,
        ),
        ("P(a=1, b=0)", "P(a=0, b=1)", "P(**{k: n for n, k in enumerate(set(x))})", True),
        (" a b\nx 1 2\ny 3 4", " a b\nx 2 1\ny 3 4", "pd.merge(d, e).sort_values('c')", False),
        (" a b\nx 1 2\ny 3 4", " a b\nx 2 1\ny 3 4", "print(*set(x))", True),
        (" a b\ny 3 4\nx 1 2", " a b\nx 1 2\ny 3 4", "pd.merge(d, e).sort_values('c')", True),
        (" b a\nx 2 1\ny 4 3", " a b\nx 1 2\ny 3 4", "pd.DataFrame(dict(d.groupby('a')))", True),
        (" a b\nx 2 1\ny 3 4", " a b\nx 1 2\ny 3 4", "pd.DataFrame(set(x)).cumsum()", True),
    ],
)
def test_values_go_with_their_names_in_whatever_order(
    published: str, printed: str, code: str, open_: bool
) -> None:
    assert only_the_order(published, printed, code, "python", before_3_7=True) is open_


@pytest.mark.parametrize(
    ("published", "printed", "code", "open_"),
    [
        ("[2 0 1]", "[0 2 1]", "np.argsort(x)", True),
        ("[0 1]", "[0 2 1]", "np.argsort(x)", False),
        ("in 5", "in 4", "for x in y:\n    print(f'in {x[0, 1]}', 'a')", False),
        ("b: Hazle 1", "b: Hazel 1", "for k in {y, 'Hazel'}:\n    print(k)", False),
        ("b: Hazle 1", "b: Hazel 1", "for k in {y, 'Hazel', 'Hazle'}:\n    print(k)", True),
        ("in 5", "in 4", "for x in {y, 'a'}:\n    print(f'in {x}')", True),
    ],
)
def test_what_is_picked_from_equals_and_sets(published: str, printed: str, code: str, open_: bool) -> None:
    pairs = number_pairs(published, printed)
    said = left_open(published, printed, pairs, code, "python", stated="3.9", same=False)
    assert bool(said) is open_


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("import numpy as np\na = np.ones((3, 1))\nprint(a.shape)", "(3,)\n", "(3, 1)\n", WRONG),
        ("for x in range(11, 20):\n    print(x)", ALL, "".join(ALL.splitlines(True)[1:]), WRONG),
        (f"{TYPES}\nprint(t)", "<class 'tulpe'>\n(1, 2)\n", "<class 'tuple'>\n(1, 2)\n", WRONG),
        ("print(f'that is {1} crazy')", "that is 1 mad\n", "that is 1 crazy\n", WRONG),
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


@pytest.mark.parametrize(
    ("code", "goes"),
    [
        ("d = {'a': 1}\nfor k in d:\n    print(k)", True),
        ("d = {'a': 1}\nprint(d)", True),
        ("d = dict(a=1)\nprint(list(d))", True),
        ("print({'a': 1})", True),
        ("d = {'a': 1\n", True),
        ("d = {'a': 1}\nfor f in fs:\n    print(d[f], d.get(f), f in d, len(d))", False),
        ("x = [3, 1]\nx.sort()\nprint(x)", False),
    ],
)
def test_a_dict_has_no_order_where_nothing_goes_through_it(code: str, goes: bool) -> None:
    assert goes_through_a_dict(code) is goes


@pytest.mark.parametrize(
    ("code", "language", "left_open"),
    [
        ("a = list('Python')\na.sort()\na", "python", False),
        ("sort(c('P', 'h', 'n'))", "r", True),
        ("print(f'{x.shape}', f'{y.shape}')", "python", False),
        ("print({'P', 'h', 'n'})", "python", True),
        ("print(words.max(axis=1), words.argmax(axis=1))", "python", False),
        ("print(words[words.argsort()])", "python", True),
    ],
)
def test_which_code_leaves_the_order_open(code: str, language: str, left_open: bool) -> None:
    assert only_the_order("h n P", "P h n", code, language) is left_open


def test_single_precision_gives_whole_numbers_exactly() -> None:
    code = "import torch\ntorch.matmul(a, b)"
    assert not is_a_unit_in_single([("107.", "106.")], code)
    assert is_a_unit_in_single([("0.3512", "0.3513")], code)


def test_the_mode_of_a_value_of_r_is_no_choice_among_equals() -> None:
    answer = said("x <- c(1, 2.5)\nmode(x)", '[1] "integer"\n', '[1] "numeric"\n', language="r",
                  rest=("1 + 1", "[1] 2\n"), stated="")  # fmt: skip
    assert answer is WRONG


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
    ("code", "answer"),
    [
        ("fit <- lm(y ~ b + c)\nsummary(fit)", WRONG),
        ("fit <- prcomp(y)\nsummary(fit)", HERE),
    ],
)
def test_what_is_estimated_keeps_the_order_of_its_rows(code: str, answer: Answer) -> None:
    code = f"x <- c(1, 2)\ny <- c(3, 4)\nb <- c(1, 2)\nc <- c(2, 5)\n{code}"
    published, printed = "## a  1.5\n## c -2.5\n## b  0.25\n", "a  1.5\nb  0.25\nc -2.5\n"
    rest = ("1 + 1", "[1] 2\n")
    assert said(code, published, printed, language="r", rest=rest, stated="") is answer


@pytest.mark.parametrize(("layer", "answer"), [("nn.MaxPool2d(3)", WRONG), ("nn.Conv2d(1, 1, 3)", HERE)])
def test_what_only_takes_the_largest_is_not_fitted(layer: str, answer: Answer) -> None:
    code = f"import torch\nfrom torch import nn\ntorch.manual_seed(1)\nprint({layer}(torch.ones(1, 9, 9)))"
    other = ("import torch\nfrom torch import nn\nprint(torch.ones(1))", "tensor([1.])\n")
    published, printed = "tensor([1., 2., 9., 7., 5., 3.])\n", "tensor([1., 2., 7., 9., 5., 3.])\n"
    assert said(code, published, printed, rest=other, stated="") is answer


SAID = "for w in ('Alice', 'Bob', 'Charlie'):\n    print('Hello,', w)"
GREETED = "Hello, Alice\nHello, Bob\nHello, Charlie\n"


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("Hello, Alice\nHello, Charlie\n", WRONG),
        ("Hello, Alice\n...\nHello, Charlie\n", Answer.REPRODUCED),
        ("Hello, Alice\nHello, Bob\n", HERE),
        ("Hello, Bob\nHello, Charlie\n", HERE),
        ("Hello, Alice\n", HERE),
    ],
)
def test_a_row_that_is_missing_between_others_is_no_part_that_an_author_shows(
    published: str, answer: Answer
) -> None:
    assert said(SAID, published, GREETED) is answer


def test_an_author_who_shows_parts_elsewhere_may_have_left_a_row_out_on_purpose() -> None:
    rest = ("for n in range(4):\n    print(n)", "0\n")
    chunks = [chunk(0, SAID, output="Hello, Alice\nHello, Charlie\n"), chunk(1, rest[0], output=rest[1])]
    results = [left(GREETED), left("0\n1\n2\n3\n")]
    for n in range(2, 20):
        chunks.append(chunk(n, f"{n}", output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert [block.answer for block in judged(Ran(chunks, results)).blocks[:2]] == [HERE, HERE]


@pytest.mark.parametrize(("at", "answer"), [(1, HERE), (3, WRONG)])
def test_the_name_of_an_index_comes_and_goes_with_the_version_of_a_package(at: int, answer: Answer) -> None:
    code = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\nprint(df)"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    rows = ["   a\n", "id\n", "0  1\n", "1  2\n", "2  3\n"]
    published = "".join(row for n, row in enumerate(rows) if n != at)
    assert said(code, published, "".join(rows), rest=other) is answer


@pytest.mark.parametrize(
    ("shown", "printed", "answer"),
    [("df['a'].cumsum()", "0     4\n1    28\n2    59\n3    61\n", WRONG),
     ("pd.Series(list(d['a']))", "0     4\n1    24\n2    31\n3     2\n", HERE)],
)  # fmt: skip
def test_no_order_of_a_dict_exchanges_what_is_computed(shown: str, printed: str, answer: Answer) -> None:
    code = f"import pandas as pd\nd = {{'a': [4, 24, 31, 2]}}\ndf = pd.DataFrame(d)\nprint({shown})"
    rows = printed.splitlines()
    values = [row.split()[1] for row in rows]
    published = f"{rows[0]}\n{rows[1]}\n2    {values[3]}\n3    {values[2]}\n"
    other = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    assert said(code, published, printed, rest=other, stated="3.4") is answer


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
    ("published", "answer"),
    [
        ("1\n4\n16\n", WRONG),
        ("1\n4\n9\n9\n16\n", WRONG),
        ("1\n9\n4\n16\n", WRONG),
        ("4\n9\n16\n", HERE),
    ],
)
def test_half_of_the_rest_is_enough_for_rows(published: str, answer: Answer) -> None:
    code = 'for i in 1:4\n    println("no. ", i^2)\nend'
    published, printed = (re.sub(r"(?m)^", "no. ", text)[:-4] for text in (published, "1\n4\n9\n16\n"))
    assert said(code, published, printed, language="julia", rest=("1 + 1", "2\n"), here=7) is answer


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


@pytest.mark.parametrize("code", ["print_all(flights)", "try:\n    print_all(q)\nexcept KeyError:\n    pass"])
def test_rows_in_each_others_place_are_of_no_data_of_rs_and_of_no_errors_words(code: str) -> None:
    rows = ["United 46 Los Angeles\n", "United 302 London\n", "Southwest 59 Dulles\n"]
    assert said(code, "".join([rows[1], rows[0], rows[2]]), "".join(rows)) is WRONG


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


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["row 1", "row 2", "row 3"], 3),
        (["1", "2"], 0),
        (["row 1", "row 2", "ready"], 0),
        (["1", "1", "1"], 0),
        ([str(n) for n in range(30)], 0),
    ],
)
def test_the_last_of_few_rows_that_are_alike_is_not_left_out(rows: list[str], found: int) -> None:
    last = "row 4" if rows[0] == "row 1" else "1" if rows[-1] == "1" else "99"
    assert row_left_out("\n".join(rows), "\n".join([*rows, last])) == found


def test_an_object_and_its_address_are_no_reason_for_other_lines() -> None:
    code = "d = Dog('Ada', 3)\nprint(d)\nprint(d.name)\nprint(d.age)"
    shown = "<__main__.Dog object at 0x{}>\n{}\n{}\n"
    chunks = [chunk(0, code, executable=True, output=shown.format("15a0a33741", "3", "Ada"))]
    results = [left(shown.format("7f15a0a337", "Ada", "3"))]
    for n in range(1, 12):
        chunks.append(chunk(n, f"print({n})", executable=True, output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert "another version" not in judged(Ran(chunks, results)).blocks[0].why
