"""Code of which a number was changed after its output was made: with the other it prints that output."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from harness.documents.model import Document
from harness.findings.answers import Judged, judged
from harness.findings.code_changes import changes_of, far_changes_of, likely_first, literals_of, seeds_of
from harness.findings.telling import is_of_mixed_kinds, says_much, tells
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, HERE, UNTOLD = Answer.WRONG, Answer.HERE, Answer.UNCHECKED
DAY = "from datetime import datetime\nday = datetime(year=2019, month=11, day=24)"
RIGHT = ("print(1 + 1)", "2\n")
LOOP = "for i in range(2, 5):\n    print('at', i * j)"


def printed(code: str, names: dict[str, Any]) -> str:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(ZeroDivisionError, ValueError):
        exec(code, names)
    return shown.getvalue()


def ran(document: Document) -> Ran:
    """The runs of a document of Python, one chunk after the other."""
    names: dict[str, Any] = {}
    results = [left(printed(part.code, names)) for part in document.chunks]
    runs = Ran(list(document.chunks), results, kind=document.kind, alone=ran)
    runs.document = document
    return runs


def said_of(
    above: str, shown: str, published: str, *, right: int = 4, counts: tuple[int, ...] = ()
) -> tuple[Judged, Answer]:
    """What is said of a document, and of the output of its second chunk; others are reproduced."""
    codes = [(above, ""), (shown, published), *[RIGHT] * right]
    chunks = [
        chunk(n, code, output=text, **({"cell": n + 1, "execution_count": counts[n]} if counts else {}))
        for n, (code, text) in enumerate(codes)
    ]
    made = Ran(chunks, [left()] * len(chunks), kind="notebook" if counts else "markdown")
    said = judged(ran(made.document))
    return said, said.blocks[0].answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("at 6\nat 9\nat 12\nat 15\n", WRONG),
        ("at 6\nat 9\n", HERE),
        ("at 9\nat 12\n", HERE),
    ],
)
def test_an_output_is_of_other_code_where_one_number_more_or_less_gives_it(
    published: str, answer: Answer
) -> None:
    """Of lines that are left out in front or behind, nothing follows."""
    said, of_it = said_of("j = 3", LOOP, published)
    assert of_it is answer
    if answer is WRONG:
        (finding,) = [finding for finding in said.findings if finding.answer is WRONG]
        assert finding.evidence == "with 6 in place of 5 the code prints what is published"
        assert finding.smallest == "for i in range(2, 5):"


@pytest.mark.parametrize(
    ("code", "published", "printed", "mixed"),
    [
        ("promote_type(Int8, UInt16)", "Int64", "UInt16", True),
        ("typeof(Int8(1) + x)", "Int64", "Int8", True),
        ("(np.float32(3) + 3.0).dtype", "dtype('float64')", "dtype('float32')", True),
        ("np.zeros(3, np.int8).dtype", "dtype('int16')", "dtype('int8')", False),
        ("typeof(Int8(1))", "Int16", "Int8", False),
        ("promote_type(Int8, UInt16)", "Text", "UInt16", False),
    ],
)
def test_of_which_kind_a_number_is_that_is_made_of_several_depends_on_the_version(
    code: str, published: str, printed: str, mixed: bool
) -> None:
    assert is_of_mixed_kinds(published, printed, code) is mixed


def test_no_other_kind_in_code_shows_that_its_result_had_another() -> None:
    above = "def promoted(*kinds):\n    return max(kinds, key=lambda kind: int(kind.strip('uint')))"
    assert said_of(above, "print(promoted('int8', 'uint16'))", "int64\n")[1] is HERE


def test_where_hardly_anything_is_reproduced_no_other_code_is_tried() -> None:
    published = "at 6\nat 9\nat 12\nat 15\n"
    assert said_of("j = 3", LOOP, published, right=2)[1] is HERE


@pytest.mark.parametrize(
    ("unseen", "shown", "published", "answer"),
    [
        ("kept['a'].append(1)", "len(seen), i > 1", "1 True\n", WRONG),
        ("", "len(seen), i", "0 4\n", HERE),
    ],
)
def test_only_what_its_own_statements_give_speaks_against_a_change(
    unseen: str, shown: str, published: str, answer: Answer
) -> None:
    """A list is changed by another name that it has; what the loop leaves depends on its end."""
    codes = [
        ("j = 3\nseen = []\nkept = {'a': seen}", ""),
        (LOOP, "at 6\nat 9\nat 12\nat 15\n"),
        (unseen, ""),
        (f"print({shown})", published),
        *[RIGHT] * 4,
    ]
    chunks = [chunk(n, code, output=text) for n, (code, text) in enumerate(codes)]
    said = judged(ran(Ran(chunks, [left()] * len(chunks)).document))
    assert [block.answer for block in said.blocks[:2]] == [answer, Answer.REPRODUCED]


@pytest.mark.parametrize(("counts", "answer"), [((1, 2), WRONG), ((1, 5), HERE)])
def test_cells_that_are_lost_may_have_set_what_the_code_reads(
    counts: tuple[int, int], answer: Answer
) -> None:
    last = counts[-1]
    numbers = (*counts, *range(last + 1, last + 5))
    published = "at 6\nat 9\nat 12\nat 15\n"
    assert said_of("j = 3", LOOP, published, counts=numbers)[1] is answer


@pytest.mark.parametrize(
    ("published", "made", "enough"),
    [
        ("7\n", "8\n", False),
        ("127\n", "128\n", False),
        ("5051\n", "4951\n", True),
        ("1 2 3\n", "2 3 4\n", True),
        ("True False\n", "False True\n", False),
        ("3 14\n", "3 5 7\n", True),
        ("3 5\n", "3 5 7\n", False),
        ("5 7\n", "3 5 7\n", False),
        ("[3, 5, 8]\n", "[3, 5, 8, 7]\n", True),
        ("[3, 5, ...]\n", "[3, 5, 7]\n", False),
        ("3 7 9\n", "3 5 7 9\n", True),
        ("ab ab\n", "ab ab ab\n", False),
        ("abab\n", "ababab\n", True),
        ("0.33\n", "0.3333\n", False),
    ],
)
def test_what_is_published_tells_which_code_gives_it(published: str, made: str, enough: bool) -> None:
    assert tells(published, made) is enough


def test_each_number_comparison_sign_and_name_is_changed() -> None:
    code = "x = a1[2]  # 7\nif x < 10 + y:\n    print(f'{x * 3}', 2.5, min(x, 4.))"
    found = [(one.line, one.old, one.new) for one in changes_of(chunk(0, code))]
    assert found == [
        *[(3, "3", other) for other in ("4", "2", "5", "1", "30", "6")],
        *[(3, "4.", other) for other in ("5.", "3.", "6.", "2.", "40.", "8.")],
        *[(3, "2.5", other) for other in ("2.6", "2.4", "3.5", "1.5", "25.0", "0.25")],
        (3, "*", "+"),
        (3, "min", "max"),
        *[(2, "10", other) for other in ("11", "9", "12", "8", "100", "1", "5", "20")],
        (2, "<", "<="),
        (2, "+", "-"),
        *[(1, "2", other) for other in ("3", "1", "4", "0", "20")],
    ]


@pytest.mark.parametrize(
    ("code", "others"),
    [
        ("sort(x, decreasing = TRUE)", ["FALSE"]),
        ("var(x, na.rm = T)", ["F"]),
        ("sorted(x, reverse=False)", ["True"]),
        ("df.drop(columns=c, inplace=True)", []),
    ],
)
def test_an_argument_that_all_versions_heed_may_have_been_set_or_not(code: str, others: list[str]) -> None:
    assert [one.new for one in changes_of(chunk(0, code))] == others


@pytest.mark.parametrize(("more", "answer"), [("", UNTOLD), ("print(sum(v), max(v), v[0])", WRONG)])
def test_what_gives_several_outputs_was_read_rightly_whatever_the_rest_is_like(
    more: str, answer: Answer
) -> None:
    """One output more, computed by the same line, says as much as others that are reproduced."""
    above = "v = [n * 37 for n in range(1, 5)]"
    codes = [(above, ""), ("print(v)", "[38, 76, 114, 152]\n")]
    codes += [(more, "380 152 38\n")] if more else []
    chunks = [chunk(n, code, output=text) for n, (code, text) in enumerate(codes)]
    chunks += [chunk(n, "print(2)", output="two\n") for n in range(len(chunks), len(chunks) + 2)]
    said = judged(ran(Ran(chunks, [left()] * len(chunks)).document))
    assert said.blocks[0].answer is answer


def test_a_change_that_makes_a_published_number_is_tried_first_and_one_of_two_last() -> None:
    found = [change.new for change in likely_first("[1, 3, 9]", changes_of(chunk(0, "f(7, 4)")))]
    assert found == ["9", "3", "8", "6", "5", "5", "70", "14", "6", "2", "40", "8"]


@pytest.mark.parametrize(
    ("shown", "published"),
    [
        ("print(list(range(1, 13, 2)))", "[1, 3, 5, 7, 9]\n"),
        ("print(max([1513, 2731, 3647]))", "1513\n"),
        ("print([a - 7 for a in (11, 12, 13)])", "[18, 19, 20]\n"),
    ],
)
def test_an_output_is_of_code_with_another_step_function_or_sign(shown: str, published: str) -> None:
    assert said_of("", shown, published)[1] is WRONG


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("set.seed(2)", "r"),
        ("np.random.seed(2)", "python"),
        ('unclass(as.Date("2016-11-27"))', "r"),
        ("Date(2016, 11, 27)", "julia"),
        ("datetime(2016, 11, 27).timestamp()", "python"),
    ],
)
def test_another_seed_or_another_day_is_no_change(code: str, language: str) -> None:
    assert not list(changes_of(chunk(0, code, language=language)))


@pytest.mark.parametrize(
    ("published", "printed", "much"),
    [
        ("[-0.6689, 1.5213, 18.25]", "[-0.6320, 1.4471, 18.25]", True),
        ("[-0.67, 18.25]", "[-0.63, 18.25]", False),
        ("[1513]", "[1518]", False),
        ("[1, 2, 3]", "[6, 7, 8]", False),
    ],
)
def test_numbers_further_off_are_told_by_several_values(published: str, printed: str, *, much: bool) -> None:
    """One number that differs is the sum of something and a number further off, whatever the reason is."""
    assert says_much(published, printed) is much
    assert [one.new for one in far_changes_of(chunk(0, "x + 4"))] == ["7", "1", "8", "0", "9", "10", "14"]


def test_a_day_of_no_place_is_a_number_like_others() -> None:
    assert said_of(DAY, "print(f'{day:%B %d, %Y}')", "October 24, 2019\n")[1] is WRONG
    assert said_of(DAY, "print(f'{day:%Y-%m-%d}')", "2019-10-24\n")[1] is WRONG


@pytest.mark.parametrize(("shares", "answer"), [("80", WRONG), ("b['shares'] - 20", HERE)])
def test_no_lost_cell_changes_what_an_output_repeats_of_its_own(shares: str, answer: Answer) -> None:
    above, shown = "b = dict(name='ACME', shares=100, price=12.5)", f"b = dict(b, shares={shares})\nprint(b)"
    published = "{'name': 'ACME', 'shares': 75, 'price': 12.5}\n"
    assert said_of(above, shown, published, counts=(1, 5, 6, 7, 8, 9))[1] is answer


def test_what_was_changed_may_stand_in_another_listing() -> None:
    assert said_of("e = [n * 3 for n in range(4)]", "print([n + 1 for n in e])", "[1, 3, 5, 7]\n")[1] is WRONG


def _several(above: str, codes: list[str], published: list[str]) -> list[Answer]:
    outputs = [("", above), *zip(published, codes, strict=True), *[("2\n", "print(1 + 1)")] * 20]
    chunks = [chunk(n, code, output=text) for n, (text, code) in enumerate(outputs)]
    blocks = judged(ran(Ran(chunks, [left()] * len(chunks)).document)).blocks
    return [block.answer for block in blocks[: len(codes)]]


HEIGHTS = [
    "print(sum(heights) / 4)",
    "print(heights[2])",
    "print(sorted(heights)[2])",
    "print(max(heights[:3]))",
]
WITH_FOUR = ["4.0\n", "4\n", "4\n", "4\n"]


def test_outputs_that_one_change_gives_tell_together_what_none_tells_alone() -> None:
    """Values of one digit may be of any code; that one other number gives all of them is no chance."""
    assert _several("heights = [2, 4, 5, 6]", HEIGHTS, WITH_FOUR) == [WRONG] * 4
    # Another change gives one of them each, and none of all.
    codes, published = [*HEIGHTS, "print(len(heights))"], ["4.0\n", "6\n", "8\n", "7\n", "4\n"]
    assert WRONG not in _several("heights = [2, 4, 5, 6]", codes, published)


def test_a_change_that_takes_from_other_outputs_what_they_show_is_none() -> None:
    codes = [*HEIGHTS, "print('the tallest but one is', heights[2])"]
    published = [*WITH_FOUR, "the tallest but one is 5\n"]
    assert WRONG not in _several("heights = [2, 4, 5, 6]", codes, published)


def test_outputs_of_another_form_are_tried_last() -> None:
    """Another version gives another form: of a few outputs only is other code tried."""
    others = [(f"print([{n}, {n + 1}, 300])", f"<{n}>\n[{n + 1} 300]\n") for n in range(11, 16)]
    codes, texts = zip(*others, ("print(f'{day:%B %d, %Y}')", "October 24, 2019\n"), strict=True)
    assert _several(DAY, list(codes), list(texts))[-1] is WRONG


def test_what_is_missing_above_is_no_reason_where_other_code_gives_the_output() -> None:
    chunks = [chunk(0, "from nowhere import *"), chunk(1, DAY)]
    chunks.append(chunk(2, "print(f'{day:%B %d, %Y}')", output="October 24, 2019\n"))
    chunks += [chunk(n, "print(1 + 1)", output="2\n") for n in range(3, 9)]
    failed = left(error="ModuleNotFoundError: No module named 'nowhere'", line=1)
    shown = left("November 24, 2019\n")
    made = Ran(chunks, [failed, left(), shown, *[left("2\n")] * 6], alone=ran)
    assert judged(made).blocks[0].answer is WRONG


def test_a_variance_may_have_been_divided_by_one_less() -> None:
    above = "n = 7\nv = [3, 8, 1, 9, 4, 4, 6]\nm = sum(v) / n\nvar = sum((x - m) ** 2 for x in v) / n"
    (change,) = [one for one in changes_of(chunk(0, above)) if one.new == "(n - 1)" and one.line == 4]
    assert above.split("\n")[3][change.start :] == change.old == "n"
    back = [one.new for one in changes_of(chunk(0, "s / (n - 1)")) if one.old == "(n - 1)"]
    assert back == ["n"]


@pytest.mark.parametrize(
    ("shown", "published", "answer"),
    [
        ("print('of', random.randint(2000, 7000))", "of 3101\n", HERE),
        ("print('of', 2000 + 1100)", "of 3101\n", WRONG),
    ],
)
def test_few_draws_are_the_same_by_chance(shown: str, published: str, answer: Answer) -> None:
    above = f"import random\n{DAY}\nrandom.seed(1)"
    assert said_of(above, shown, published)[1] is answer


@pytest.mark.parametrize(("made", "answer"), [("set", HERE), ("list", WRONG)])
def test_where_an_order_is_left_open_no_other_one_is_of_other_code(made: str, answer: Answer) -> None:
    """A locale that orders otherwise gives what the other way round gives here."""
    shown = f"print('see', *sorted({made}(v), reverse=True))"
    above = f"{DAY}\nv = ['apple', 'pear'][: day.month]"
    assert said_of(above, shown, "see apple pear\n")[1] is answer


DRAWN = "for _ in range(3):\n    print(round(random.random(), {}))"


@pytest.mark.parametrize(("digits", "right", "answer"), [(6, 4, WRONG), (6, 1, WRONG), (1, 4, HERE)])
def test_numbers_of_many_digits_tell_which_seed_gave_them(digits: int, right: int, answer: Answer) -> None:
    shown = DRAWN.format(digits)
    above = "import random\nrandom.seed({})"
    published = printed(f"{above.format(0)}\n{shown}", {})
    said, of_it = said_of(above.format(1), shown, published, right=right)
    assert of_it is answer
    if answer is WRONG:
        (finding,) = [finding for finding in said.findings if finding.answer is WRONG]
        assert finding.evidence.startswith("with 0 in place of 1 the code prints what is published")
        assert finding.smallest == "random.seed(1)"


def test_where_a_seed_is_another_numbers_of_the_code_are_tried_too() -> None:
    """What is drawn is as published, and what is added to it was changed."""
    above = "import random\nrandom.seed(1)\nu = [random.random() for _ in range(3)]"
    published = printed(f"{above}\nprint([n + 5 for n in u])", {})
    said, answer = said_of(above, "print([n + 6 for n in u])", published)
    assert answer is WRONG
    (finding,) = [finding for finding in said.findings if finding.answer is WRONG]
    assert finding.evidence.startswith("with 5 in place of 6 the code prints what is published")


def test_short_numbers_tell_a_seed_together() -> None:
    above, shown = "import random\nrandom.seed({})", "print([random.randint(1, 12) for _ in range(14)])"
    published = printed(f"{above.format(10)}\n{shown}", {})
    assert said_of(above.format(12), shown, published, right=1)[1] is WRONG
    shown = shown.replace("14", "4")
    published = printed(f"{above.format(10)}\n{shown}", {})
    assert said_of(above.format(12), shown, published, right=1)[1] is not WRONG


def test_seeds_are_those_beside_it_and_those_that_many_take() -> None:
    found = [change.new for change in seeds_of(chunk(0, "n = 5\nnp.random.seed(41)"))]
    assert found[:4] == ["42", "40", "43", "39"]
    assert "0" in found
    assert "41" not in found


@pytest.mark.parametrize(
    ("code", "published", "made", "found"),
    [
        ("x = {1, 35}", "{1, 40}", "{1, 35}", [("35", "40")]),
        ("x = [1, 35]", "[1]", "[1, 35]", [("35", "1")]),
        ("x = 'one two'", "three", "two", [("two", "three")]),
        ("x = 2", "4", "2 3", [("2", "4")]),
        ("x = 2", "4 5 6 7", "2", []),
        ("x = 2", "four", "2", []),
        ("x = 'cpu'", "cuda", "cpu", []),
        ("x = 2  # 2", "4", "2", [("2", "4")]),
        (
            "lm(y ~ hp + qsec)",
            "hp -1.8 1.3 2.1\nwt -2.4 0.8",
            "hp -3.8 1.8 2.9\nqsec -0.1 0.5",
            [("qsec", "wt")],
        ),
    ],
)
def test_what_is_printed_and_stands_in_the_code_may_have_been_what_is_published(
    code: str, published: str, made: str, found: list[tuple[str, str]]
) -> None:
    assert [(change.old, change.new) for change in literals_of(chunk(0, code), published, made)] == found


def test_a_literal_of_a_chunk_above_is_put_in_place_of_what_is_printed() -> None:
    shown = "a = {10, 20, 30}\nfor x in (a, a | set(b)):\n    print('now', sorted(x))"
    said, of_it = said_of("b = [10, 35, 40]", shown, "now [10, 20, 30]\nnow [10, 20, 30, 40]\n")
    (finding,) = [finding for finding in said.findings if finding.answer is WRONG]
    assert of_it is WRONG
    assert finding.smallest == "b = [10, 35, 40]"


def test_another_name_with_other_numbers_tells_which_code_it_was() -> None:
    assert tells("hp -1.8 1.3\nwt -2.4 0.8", "hp -3.8 1.8\nqsec -0.1 0.5")
    assert not tells("hp 3\nwt 2", "hp 3\nqsec 2")


def test_which_of_a_dicts_items_is_picked_is_no_change_of_the_code() -> None:
    """In both, the code with one name twice prints that name."""
    above = "votes = {'Tennis': 3, 'Biking': 3, 'Acting': 2}"
    assert said_of(above, "print(max(votes, key=votes.get))", "Biking\n")[1] is HERE
    played = "[{'of': 'Tennis'}, {'of': 'Acting'}, {'of': 'Biking'}, {'of': 'Rowing'}]"
    shown = "print([one['of'] for one in played for _ in one.items()])"
    published = "['Biking', 'Acting', 'Biking', 'Rowing']\n"
    assert said_of(f"played = {played}", shown, published)[1] is WRONG
