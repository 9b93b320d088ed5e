"""Outputs of another session than the document shows: after a failure, and by the numbers of the cells."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Document, OutputBlock
from harness.documents.prose_model import InlineCode
from harness.documents.results import TrackRun
from harness.documents.transcript import without_prompts
from harness.findings.answers import judged, published_outputs
from harness.findings.beyond_names import beyond_names
from harness.findings.dict_order import goes_through_a_dict
from harness.findings.names import names_in
from harness.findings.open_orders import only_the_order
from harness.findings.random_numbers import machine_in
from harness.findings.slips import of_the_pen
from harness.findings.versions import printed_versions
from harness.findings.which_first import OF_A_SET, left_open
from harness.model import RuntimeInfo
from harness.model.article import Answer, Severity
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, answers, chunk, left


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("def f(n):\n...     return n\n...\nf(2)", "def f(n):\n    return n\n\nf(2)"),
        (">>> x = 1\n>>> x", "x = 1\nx"),
        ("    x = 1\n    x", "x = 1\nx"),
        ("x = ...\nx", "x = ...\nx"),
        ("print 1", "print 1"),
        ("a = f([1,\n...    [2]])\na", "a = f([1,\n   [2]])\na"),
        ("x[\n...\n]", "x[\n...\n]"),
        ("x[1,\n... , 2]", "x[1,\n... , 2]"),
    ],
)
def test_prompts_that_were_pasted_into_a_cell_are_left_out(code: str, read: str) -> None:
    assert without_prompts(code) == read


def test_of_code_that_cannot_be_read_nothing_is_set() -> None:
    syntax = CodeError(message="SyntaxError: invalid syntax", kind="syntax", line=4)
    chunks = [
        chunk(0, "x = 1"),
        chunk(1, "x = 2\ny = 3\nprint y", output="3\n"),
        chunk(2, "print(x)", output="2\n"),
    ]
    broken = msgspec.structs.replace(left(), error=syntax)
    assert answers(Ran(chunks, [left(), broken, left("1\n")])) == [Answer.HERE, Answer.HERE]


@pytest.mark.parametrize(
    ("failing", "later"),
    [
        ("from gone import *", "print(x)"),
        ("np.set_printoptions(precision=2) + fails", "print(x)"),
        ("np.random.seed(fails)", "print(np.random.rand())"),
    ],
)
def test_what_a_failure_leaves_undone_is_no_accusation_of_what_follows(failing: str, later: str) -> None:
    chunks = [chunk(0, "x = 1"), chunk(1, failing), chunk(2, later, output="21.5\n")]
    error = left(error="ValueError: something of this machine")
    assert Answer.WRONG not in answers(Ran(chunks, [left(), error, left("1.5\n")]))
    assert answers(Ran([*chunks[:1], chunk(1, "pass"), chunk(2, "print(x)", output="21.5\n")],
                       [left(), left(), left("1.5\n")])) == [Answer.WRONG]  # fmt: skip


def test_an_error_that_is_shown_and_does_not_come_leaves_other_values() -> None:
    shown = OutputBlock(line=6, text="TypeError: no", info="error", kind="error", ename="TypeError")
    chunks = [
        msgspec.structs.replace(chunk(0, "x = f()"), output=(shown,)),
        chunk(1, "print(x)", output="2\n"),
    ]
    assert answers(Ran(chunks, [left(), left("1\n")])) == [Answer.HERE, Answer.HERE]


def test_an_order_that_the_code_leaves_open_is_no_accusation() -> None:
    code = "import numpy as np\nprint(np.partition([7, 2, 3, 1], 2))"
    assert answers(Ran([chunk(0, code, output="[2 1 3 7]\n")], [left("[1 2 3 7]\n")])) == [Answer.HERE]
    assert answers(Ran([chunk(0, code, output="[2 1 3 8]\n")], [left("[1 2 3 7]\n")])) == [Answer.WRONG]
    assert only_the_order("a b", "b a", "set(x)")
    assert not only_the_order("a b", "b a", "print(x)")


@pytest.mark.parametrize(
    ("published", "printed", "left_open"),
    [
        ("##        b\n## cyl8 -2.1\n## cyl6 -3.0", "       b\ncyl6 -3.0\ncyl8 -2.1", False),
        ("## Kay 1 \n## bea 2", "bea 2\nKay 1", True),
        ("##  A  b\n##  2  1", " A  b\n 1  2", False),
    ],
)
def test_a_locale_has_words_in_another_order_and_no_others(
    published: str, printed: str, left_open: bool
) -> None:
    assert only_the_order(published, printed, "table(factor(x))") is left_open


@pytest.mark.parametrize(
    ("published", "printed", "left_open"),
    [
        ("2  Bob  41\n1  Ann  23", "1  Ann  23\n2  Bob  41", False),
        ("2  bob  41\n1  Cid  23", "1  Cid  23\n2  bob  41", True),
    ],
)
def test_what_r_orders_has_an_order_but_that_of_the_locale(
    published: str, printed: str, left_open: bool
) -> None:
    assert only_the_order(published, printed, "d[order(d$age), ]") is left_open


@pytest.mark.parametrize(
    ("published", "printed", "left_open"),
    [
        ("b 2\nc 3\n", "b 3\nc 2\n", False),
        ("c 2\nb 3\n", "b 3\nc 2\n", True),
        ("0 2\n1 3\n", "0 3\n1 2\n", True),
        ("[b 2\n c 3]\n", "[b 3\n c 2]\n", True),
    ],
)
def test_rows_that_have_another_order_have_their_labels(
    published: str, printed: str, left_open: bool
) -> None:
    """Rows that are only counted have none."""
    assert only_the_order(published, printed, "d.groupby('a').size()", "python") is left_open


@pytest.mark.parametrize(
    ("published", "printed", "code", "said"),
    [
        ("1) {3, 4}", "1) {3, 5, 4}", "s = {3, 4}\ns.add(5)\nprint('1)', s)", ""),
        ("1) {3, 4}", "1) {4, 3}", "s = {3, 4}\nprint('1)', s)", OF_A_SET),
        ("1) 3 {3, 4}", "1) 5 {3, 5}", "s = {3, 4}\nprint('1)', list(s)[0], s)", OF_A_SET),
    ],
)
def test_a_set_that_is_shown_whole_has_other_items_in_no_order(
    published: str, printed: str, code: str, said: str
) -> None:
    assert left_open(published, printed, None, code, "python", stated="", same=False) == said


def test_a_format_looks_keys_up_and_an_ordered_dict_has_an_order() -> None:
    assert not goes_through_a_dict("d = {'a': 1}\nprint('{a}'.format(**d))")
    assert goes_through_a_dict("d = {'a': 1}\nf(**d)")
    loop = "for a, b in OrderedDict([('x', 1), ('y', 2)]).items():\n    print(a, b)"
    assert not only_the_order("x 1 y 2", "y 2 x 1", loop, "python", before_3_7=True)
    assert only_the_order("x y", "y x", "print(a.keys() & b)", "python")


def test_a_sign_of_percent_in_a_text_is_no_magic() -> None:
    assert machine_in("print('len(x) = %d' % len(x))") is None
    assert machine_in("x = !ls") == 1
    assert machine_in("x = %sql select 1") == 1


def test_which_items_of_a_set_come_first_is_no_accusation_and_a_slip_still_is() -> None:
    pick = "s = {(1, 2), (3, 4), (5, 6)}.difference([(5, 6)])\nprint(list(s)[0])"
    assert answers(Ran([chunk(0, pick, output="(1, 2)\n")], [left("(3, 4)\n")])) == [Answer.HERE]
    assert answers(Ran([chunk(0, pick, output="(1, 2)\n")], [left("(1, 5)\n")])) == [Answer.HERE]
    assert answers(Ran([chunk(0, pick, output="(1, 2345)\n")], [left("(1, 2344)\n")])) == [Answer.WRONG]
    count = "print(len(set([1, 2, 2])))"
    assert answers(Ran([chunk(0, count, output="3\n")], [left("2\n")])) == [Answer.WRONG]
    plain = "s = [(1, 2), (3, 4)]\nprint(s[0])"
    assert answers(Ran([chunk(0, plain, output="(1, 2)\n")], [left("(3, 4)\n")])) == [Answer.WRONG]


@pytest.mark.parametrize(
    ("pair", "slip"),
    [
        (("0.1234", "0.1284"), True),
        (("0.1234", "0.1243"), True),
        (("1234", "123"), True),
        (("0.13", "0.1234"), True),
        (("0.1234", "0.8967"), False),
        (("12", "97"), False),
        (("15", "10"), False),
    ],
)
def test_a_slip_of_the_pen_is_one_digit(pair: tuple[str, str], slip: bool) -> None:
    assert of_the_pen([pair]) is slip


@pytest.mark.parametrize(
    ("code", "language", "found"),
    [
        ("x = 1", "python", set()),
        ("from m import *", "python", {"session"}),
        ("print.money <- function(x) 1", "r", {"session"}),
        ("set.seed(1)", "r", {"stream"}),
        ("Base.show(io::IO, p::P) = 1", "julia", {"session"}),
    ],
)
def test_what_code_changes_beyond_names(code: str, language: str, found: set[str]) -> None:
    assert beyond_names(code, language) == found


@pytest.mark.parametrize(
    ("code", "language", "name"),
    [
        ("names(x)[1] <- 'a'", "r", "x"),
        ("x %<>% f", "r", "x"),
        ("x[, a := 2]", "r", "x"),
        ("(p, x) = f()", "julia", "x"),
    ],
)
def test_names_that_are_set_in_passing(code: str, language: str, name: str) -> None:
    assert name in names_in(code, language).sets


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("3.14159", "np.float64(3.14259)", Answer.WRONG),
        ("array([ 1.4,  0.71])", "array([1.9, 0.71])", Answer.WRONG),
        ("<a 3>", "<b 3>", Answer.HERE),
    ],
)
def test_of_numpy_numbers_accuse_and_words_do_not(published: str, printed: str, answer: Answer) -> None:
    code = "import numpy as np\nf(np)"
    assert answers(Ran([chunk(0, code, output=f"{published}\n")], [left(f"{printed}\n")])) == [answer]


@pytest.mark.parametrize(("published", "answer"), [("128534", Answer.WRONG), ("826534", Answer.HERE)])
def test_one_digit_inside_of_a_number_is_no_other_version(published: str, answer: Answer) -> None:
    code = "import pandas as pd\nprint(pd.f())"
    assert answers(Ran([chunk(0, code, output=f"{published}\n")], [left("198534\n")])) == [answer]


def test_outputs_behind_a_mark_are_no_comments() -> None:
    made = chunk(0, "str(x)", language="r", output="#> List of 2\n#>  $ : num 1 2 3 9\n")
    assert answers(Ran([made], [left("List of 2\n $ : num 1 2 3 4\n")])) == [Answer.WRONG]


def test_outputs_that_changed_places_may_be_printed_otherwise_here() -> None:
    code = "import numpy as np\nnp.f()"
    chunks = [chunk(0, code, output="0.25\n"), chunk(1, code, output="array([ 2. ,  0.5])\n")]
    runs = Ran(chunks, [left("array([2. , 0.5])\n"), left("np.float64(0.25)\n")])
    (finding,) = published_outputs(runs)
    assert (finding.answer, "are swapped" in finding.evidence) == (Answer.WRONG, True)
    truths = [chunk(0, "f()", output="True\n"), chunk(1, "g()", output="False\n")]
    assert all(
        "swapped" not in one.evidence
        for one in published_outputs(Ran(truths, [left("False\n"), left("True\n")]))
    )


def test_an_error_that_code_prints_is_a_text() -> None:
    code = "try:\n    f()\nexcept ValueError as e:\n    print('ValueError:', e)"
    chunks = [chunk(0, code, output="ValueError: no\n"), chunk(1, "print(7 * 2)", output="15\n")]
    assert answers(Ran(chunks, [left("ValueError: no\n"), left("14\n")])) == [Answer.REPRODUCED, Answer.WRONG]


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        ("RuntimeError: x must be a sequence", Answer.HERE),
        ("RecursionError: maximum recursion depth exceeded", Answer.HERE),
        ("ZeroDivisionError: division by zero", Answer.WRONG),
    ],
)
def test_a_failure_is_the_codes_where_every_version_has_it(error: str, answer: Answer) -> None:
    runs = Ran([chunk(0, "print(f())", executable=True, output="1\n")], [left(error=error, line=2)])
    assert answers(runs) == [answer]


def test_a_listing_that_uses_a_name_before_it_is_set_is_no_accusation() -> None:
    chunks = [chunk(0, "print(area(2))", output="4\n"), chunk(1, "def area(x):\n    return x * x")]
    failed = left(error="NameError: name 'area' is not defined", line=2)
    assert answers(Ran(chunks, [failed, left()])) == [Answer.UNCHECKED]


@pytest.mark.parametrize(("version", "answer"), [("2.7.10", Answer.HERE), ("3.11.2", Answer.WRONG)])
def test_another_generation_of_the_language_computes_otherwise(version: str, answer: Answer) -> None:
    runs = Ran([chunk(0, "1 / 2", output="0\n")], [left("0.5\n")])
    runs.document = msgspec.structs.replace(runs.document, written_for={"python": version})
    execution = runs.published
    here = TrackRun(
        language="python", runtime=RuntimeInfo(runtime="numpy", language="Python", version="3.11.7")
    )
    runs.__dict__["published"] = msgspec.structs.replace(execution, tracks=(here,))
    assert answers(runs) == [answer]


def test_of_a_document_whose_package_is_not_attached_nothing_is_accused() -> None:
    chunks = [
        chunk(0, "x %>% f", language="r"),
        chunk(1, "lag(x)", language="r", output="[1] 21\n"),
    ]
    failed = left(error='could not find function "%>%"', line=2)
    runs = Ran(chunks, [failed, left("[1] 87\n")])
    (finding,) = published_outputs(runs)
    assert (finding.answer, answers(runs)) == (Answer.UNCHECKED, [Answer.UNCHECKED])
    assert (
        "%>% is set nowhere in the document, and no package that it attaches here has it" in finding.evidence
    )


@pytest.mark.parametrize(
    ("language", "code", "output", "version"),
    [
        ("r", "sessionInfo()", "R version 3.6.1 (2019-07-05)\nPlatform: x86_64", "3.6.1"),
        ("r", "getRversion()", "[1] ‘4.0.2’", "4.0.2"),
        ("julia", "versioninfo()", "Julia Version 1.0.5\nCommit 3af96bcefc", "1.0.5"),
        ("julia", "VERSION", 'v"1.6.2"', "1.6.2"),
        ("python", "import sys\nprint(sys.version)", "2.7.10 (default, Oct 23 2015)", "2.7.10"),
        ("python", "x = 3.5\nprint(x)", "3.5", ""),
    ],
)
def test_what_a_session_prints_of_its_version(language: str, code: str, output: str, version: str) -> None:
    made = chunk(0, code, language=language, output=output)
    document = Document(path=Path("a.md"), kind="markdown", title="A", chunks=(made,))
    assert printed_versions(document).get(language, "") == version


def test_a_document_that_differs_in_many_places_accuses_nobody() -> None:
    def made(off: int) -> Ran:
        chunks = [chunk(n, f"print({n} + 40)", output=f"{n + 40 + (n < off)}\n") for n in range(40)]
        return Ran(chunks, [left(f"{n + 40}\n") for n in range(40)])

    assert answers(made(2)).count(Answer.WRONG) == 2
    assert Answer.WRONG not in answers(made(5))
    assert answers(made(5)).count(Answer.UNCHECKED) == 5


def test_code_in_prose_that_uses_what_failed_is_no_accusation() -> None:
    runs = Ran([chunk(0, "x = 3"), chunk(1, "x = gone.f()")],
               [left(), left(error="ModuleNotFoundError: No module named 'gone'", line=12)])  # fmt: skip
    inline = InlineCode(line=18, language="python", code="x + 1", after=1, published="5")
    runs.document = msgspec.structs.replace(runs.document, inline=(inline,))
    for name in ("published", "again"):
        runs.__dict__[name] = msgspec.structs.replace(runs.__dict__[name], inline={0: "4\n"})
    assert [one.severity for one in published_outputs(runs) if one.line == 18] == [Severity.NOTE]


def test_what_a_file_holds_depends_on_the_code_that_wrote_it() -> None:
    chunks = [
        chunk(0, "import matplotlib.pyplot as plt\nplt.savefig('a.png')"),
        chunk(1, "img = read('a.png')\nprint(img.shape)", output="(288, 432)\n"),
    ]
    assert answers(Ran(chunks, [left(), left("(480, 640)\n")])) == [Answer.HERE]
    failed = left(error="ValueError: something of this machine")
    assert answers(Ran(chunks, [failed, left("(480, 640)\n")])) == [Answer.HERE]
    # Of a file beside the document nobody knows whether it is the author's.
    (alone,) = [msgspec.structs.replace(chunks[1], index=0)]
    assert answers(Ran([alone], [left("(480, 640)\n")])) == [Answer.HERE]


@pytest.mark.parametrize(
    ("published", "answer"),
    [("Evaluations: 15 5 20 1.724", Answer.HERE), ("Evaluations: 10 5 20 1.824", Answer.WRONG)],
)
def test_counts_of_an_iteration_are_another_version(published: str, answer: Answer) -> None:
    code = "from scipy import optimize\noptimize.fmin_bfgs(f, optimize.minimize(f))"
    made = chunk(0, code, output=f"{published}2\n")
    assert answers(Ran([made], [left("Evaluations: 10 5 20 1.7242\n")])) == [answer]


def test_another_seed_is_one_mistake() -> None:
    chunks = [chunk(0, "import numpy as np\nnp.random.seed(1)")]
    chunks += [chunk(n, "print(np.random.rand())", output=f"0.{n}217\n") for n in range(1, 7)]
    runs = Ran(chunks, [left(), *(left(f"0.{n}884\n") for n in range(1, 7))])
    (finding,) = published_outputs(runs)
    assert (finding.answer, len(finding.follows)) == (Answer.WRONG, 5)


def test_cells_of_python_2_change_what_they_call_methods_of() -> None:
    syntax = CodeError(message="SyntaxError: Missing parentheses", kind="syntax", line=13)
    chunks = [
        chunk(0, "l = [1, 1]"),
        chunk(1, "l.append(1)\nprint l"),
        chunk(2, "l.count(1)", output="3\n"),
    ]
    broken = msgspec.structs.replace(left(), error=syntax)
    assert answers(Ran(chunks, [left(), broken, left("2\n")])) == [Answer.HERE]


@pytest.mark.parametrize(("others", "answer"), [(9, Answer.WRONG), (3, Answer.HERE)])
def test_a_slip_in_a_document_of_python_2_stands_alone(others: int, answer: Answer) -> None:
    chunks = [chunk(n, f"{n} + 20", output=f"{n + 20}\n") for n in range(others)]
    chunks.append(chunk(others, "61 + 1", output="63\n"))
    runs = Ran(chunks, [*(left(f"{n + 20}\n") for n in range(others)), left("62\n")])
    runs.document = msgspec.structs.replace(runs.document, written_for={"python": "2.7.10"})
    python = RuntimeInfo(runtime="numpy", language="Python", version="3.11.7")
    here = TrackRun(language="python", runtime=python)
    runs.__dict__["published"] = msgspec.structs.replace(runs.published, tracks=(here,))
    assert answers(runs)[-1] is answer


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("(1.0, 0.0)", "1.0 0.0", Answer.HERE),
        ("set([1, 3, 2])", "{1, 2, 3}", Answer.HERE),
        ("[u'a', 5L]", "['a', 5]", Answer.HERE),
        ("(1.0, 0.5)", "1.0 0.0", Answer.WRONG),
    ],
)
def test_brackets_of_python_2_are_no_accusation(published: str, printed: str, answer: Answer) -> None:
    made = [chunk(n, f"print({n}, 20)", output=f"{n} 20\n") for n in range(8)]
    made.append(chunk(8, "print(x, y)", output=f"{published}\n"))
    assert answers(Ran(made, [*(left(f"{n} 20\n") for n in range(8)), left(f"{printed}\n")]))[-1] is answer


def test_of_two_generations_in_one_document_the_other_one_counts() -> None:
    chunks = [
        chunk(0, "from platform import python_version\npython_version()", output="'3.4.1'\n"),
        *(chunk(n, f"{n} + 20", output=f"{n + 20}\n") for n in range(1, 10)),
        chunk(10, "round(16.5)", output="17\n"),
    ]
    runs = Ran(chunks, [left("'3.4.1'\n"), *(left(f"{n + 20}\n") for n in range(1, 10)), left("16\n")])
    runs.document = msgspec.structs.replace(runs.document, written_for={"python": "2.7.12"})
    python = RuntimeInfo(runtime="numpy", language="Python", version="3.11.7")
    here = TrackRun(language="python", runtime=python)
    runs.__dict__["published"] = msgspec.structs.replace(runs.published, tracks=(here,))
    assert answers(runs)[-1] is Answer.HERE


@pytest.mark.parametrize(
    ("code", "language", "uses"),
    [
        ("for i in range(n):\n    print(i)", "python", {"range", "n", "print"}),
        ("for i in f(i):\n    print(i)", "python", {"f", "i", "print"}),
        ("for (i in 1:n) cat(i)", "r", {"n", "cat"}),
        ("for (i in i:1) cat(i)", "r", {"i", "cat"}),
        ("for i = 1:n\n    println(i)\nend", "julia", {"n", "println"}),
        ("for i in i:3\n    println(i)\nend", "julia", {"i", "println"}),
    ],
)
def test_the_variable_of_a_loop_is_its_own(code: str, language: str, uses: set[str]) -> None:
    assert names_in(code, language).uses == uses


def test_a_file_that_a_cell_writes_is_the_one_that_another_reads() -> None:
    writes = 'get_ipython().run_cell_magic("file", "a.csv", "1,2\\n")'
    assert names_in(writes, "python").sets == {"file:a.csv"}
    assert "file:a.csv" in names_in("np.loadtxt('./a.csv')", "python").uses


def test_statements_in_braces_leave_no_order_open() -> None:
    assert not only_the_order("23 500", "500 23", "if (i > 2) {x <- rnorm(20, i)}\nx", "r")
    assert only_the_order("23 500", "500 23", "x = {23, n}\nprint(x)", "python")


@pytest.mark.parametrize(
    ("published", "ends"), [("['a\\n', 'b']", True), ("['a\\n', 'c']", False), ("['a\\n']", False)]
)
def test_a_version_of_ipython_ends_a_file(published: str, ends: bool) -> None:
    """Older ones write a cell as it stands, without an end of its last line."""
    writes = 'get_ipython().run_cell_magic("file", "a.dat", "a\\n"\n "b\\n")'
    codes = ["1 + 1", "2 + 2", "3 + 3", writes, "print(open('a.dat').readlines())"]
    outputs = ["2\n", "4\n", "6\n", "", f"{published}\n"]
    chunks = [chunk(n, code, output=text) for n, (code, text) in enumerate(zip(codes, outputs, strict=True))]
    printed = [*outputs[:4], "['a\\n', 'b\\n']\n"]
    block = judged(Ran(chunks, [left(text) for text in printed])).blocks[-1]
    assert ("ends the last line" in block.why) is ends


@pytest.mark.parametrize(
    ("code", "uses"),
    [
        ("while i < 11:\n    n = 1\n    while n <= 10:\n        n += 1\n    i += 1", {"i"}),
        ("for k in x:\n    n = k\n    n = n + 1", {"x"}),
        ("for k in x:\n    n += k", {"n", "x"}),
        ("for k in x:\n    n = n + k", {"n", "x"}),
        ("for k in x:\n    if k:\n        n = 2\n    m = n", {"n", "x"}),
        ("for k in x:\n    n = 2\nelse:\n    m = n", {"n", "x"}),
        ("while n:\n    n = 3", {"n"}),
    ],
)
def test_what_a_loop_sets_before_it_reads_it_comes_from_nowhere_else(code: str, uses: set[str]) -> None:
    assert names_in(code, "python").uses == uses
