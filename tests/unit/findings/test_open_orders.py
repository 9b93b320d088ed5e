"""Orders that code leaves open, and those that it does not."""

from __future__ import annotations

import pytest

from harness.findings.dict_order import goes_through_a_dict
from harness.findings.number_pairs import number_pairs
from harness.findings.open_orders import only_the_order
from harness.findings.which_first import left_open
from harness.model.article import Answer
from tests.unit.findings.made_runs import said

WRONG, HERE = Answer.WRONG, Answer.HERE


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


def test_the_mode_of_a_value_of_r_is_no_choice_among_equals() -> None:
    answer = said("x <- c(1, 2.5)\nmode(x)", '[1] "integer"\n', '[1] "numeric"\n', language="r",
                  rest=("1 + 1", "[1] 2\n"), stated="")  # fmt: skip
    assert answer is WRONG


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
    ("shown", "published", "printed", "answer"),
    [
        ("print(s)\nprint(len(s))", "{'a', 'b'}\n3\n", "{'b', 'a'}\n2\n", WRONG),
        ("print(s)\nprint(max(s))", "{'a', 'b'}\n3\n", "{'b', 'a'}\n2\n", HERE),
        ("print('a' in s)\nprint('c' in s)", "False\nTrue\n", "True\nFalse\n", WRONG),
        ("print('a' in s)\nprint('c' in s)", "## False\n## True\n", "True\nFalse\n", WRONG),
        ("for x in s:\n    print(x == 'a')", "False\nTrue\n", "True\nFalse\n", HERE),
        ("a, b = s\nprint(a)\nprint(b)", "a\nb\n", "b\na\n", HERE),
    ],
)
def test_how_many_a_set_holds_and_whether_one_is_of_no_order(
    shown: str, published: str, printed: str, answer: Answer
) -> None:
    assert said(f"s = {{'a', 'b'}}\n{shown}", published, printed) is answer
