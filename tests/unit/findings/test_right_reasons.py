"""Why an output is not reproduced, said as it is: packages, days, generators, versions, machines."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.surroundings import missing_here
from harness.findings.answers import judged, published_outputs
from harness.findings.names import names_in
from harness.findings.versions import same_versions
from harness.model.article import Answer
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, chunk, left

HERE, NOBODY, WRONG, UNCHECKED = Answer.HERE, Answer.NOBODY, Answer.WRONG, Answer.UNCHECKED


@pytest.mark.parametrize(
    ("language", "message", "said"),
    [
        ("python", "ImportError: `Import openpyxl` failed.  Use pip or conda to install the package.",
         "openpyxl is not installed"),
        ("python", "ImportError: Missing optional dependency 'lxml'. Use pip or conda to install lxml.",
         "lxml is not installed"),
        ("python", "ImportError: Unable to find a usable engine; tried using: 'pyarrow', 'fastparquet'.",
         "pyarrow is not installed"),
        ("python", "ImportError: lxml not found, please install it", "lxml is not installed"),
        ("python", "ImportError: this needs more; run pip install -U tables", "tables is not installed"),
        ("python", "ModuleNotFoundError: No module named 'numpy.core.umath_tests'",
         "numpy.core.umath_tests is not in the numpy that is here"),
        ("julia", "ArgumentError: Package Knet not found in current path:", "Knet is not installed"),
        ("julia", 'ErrorException: could not load library "libgit2"',
         "packages cannot be installed without a network"),
    ],
)  # fmt: skip
def test_a_missing_package_and_what_is_below_it(language: str, message: str, said: str) -> None:
    below = left(error="NameError: name 'd' is not defined", line=12)
    chunks = [
        chunk(0, "d = read(1)", language, executable=True, output="1\n"),
        chunk(1, "print(d)", language, executable=True, output="2\n"),
    ]
    runs = Ran(chunks, [left(error=message, line=2), below])
    (finding,) = published_outputs(runs)
    assert finding.evidence == f"{said}: 2 outputs"
    assert [block.answer for block in judged(runs).blocks] == [UNCHECKED, UNCHECKED]


def test_a_macro_of_a_missing_package_of_julia() -> None:
    lacks = left(error="ArgumentError: Package MacroTools not found in current path:", line=2)
    chunks = [
        chunk(0, "using MacroTools", "julia", executable=True),
        chunk(1, "@capture(ex, a_ + b_)", "julia", executable=True, output="true\n"),
    ]
    runs = Ran(chunks, [lacks, left(error="UndefVarError: @capture not defined", line=12)])
    runs.document = msgspec.structs.replace(runs.document, written_for={"julia": "1.0.3"})
    (finding,) = published_outputs(runs)
    assert (finding.answer, finding.evidence) == (UNCHECKED, "MacroTools is not installed: 1 output")


def test_a_name_that_pylab_sets() -> None:
    chunks = [chunk(0, "%pylab inline"), chunk(1, "x = plot([3])\nprint(len(x))", output="1\n")]
    lacks = left(error="ModuleNotFoundError: No module named 'matplotlib'", line=2)
    (finding,) = published_outputs(Ran(chunks, [lacks, left(error="NameError: name 'plot' is not defined")]))
    assert finding.evidence == "matplotlib is not installed: 1 output"


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("Date: Tue, 14 Apr 2020  R: 0.5\nTime: 10:11:12\n", NOBODY),
        ("Date: Tue, 14 Apr 2020  R: 0.7\nTime: 10:11:12\n", HERE),
    ],
)
def test_the_day_on_which_a_table_was_made(published: str, answer: Answer) -> None:
    printed = "Date: Mon, 23 Nov 2026  R: 0.5\nTime: 12:00:00\n"
    chunks = [chunk(0, "import statsmodels as sm\nsm.fit(1).summary()", output=published)]
    assert [block.answer for block in judged(Ran(chunks, [left(printed)])).blocks] == [answer]


def test_the_line_that_an_expression_of_julia_names() -> None:
    code = "quote\n    1 + 1\nend"
    shown = "quote\n    #= {}:2 =#\n    1 + 1\nend"
    chunks = [chunk(0, code, "julia", output=shown.format("In[8]"))]
    (block,) = judged(Ran(chunks, [left(shown.format("a.ipynb"))])).blocks
    assert block.why == "it names the cell or the line that the author's code stood in"


@pytest.mark.parametrize(
    ("seeding", "again", "stated", "answer"),
    [
        ("np.random.seed(3)", "7 8\n", "3.8", NOBODY),
        ("random.seed(3)", "7 1\n", "3.8", WRONG),
        ("random.seed(3)", "7 1\n", "", HERE),
    ],
)
def test_numpys_seed_does_not_seed_pythons_own_generator(
    seeding: str, again: str, stated: str, answer: Answer
) -> None:
    """Python 2 draws other numbers behind a seed, and a text that names no version may be of it."""
    above = f"import random\nimport numpy as np\n{seeding}\nfirst = random.sample(range(9), 2)"
    chunks = [chunk(0, above), chunk(1, "print(*first)", output="3 4\n")]
    runs = Ran(chunks, [left(), left("7 1\n")], again=[left(), left(again)])
    if stated:
        runs.document = msgspec.structs.replace(runs.document, written_for={"python": stated})
    assert [block.answer for block in judged(runs).blocks] == [answer]


def test_texts_have_other_places_in_a_set_in_every_run() -> None:
    def said(again: str) -> Answer:
        chunks = [chunk(0, "print(list({'a', 'b', 'c'}))", output="['c', 'b', 'a']\n")]
        return judged(Ran(chunks, [left("['a', 'b', 'c']\n")], again=[left(again)])).blocks[0].answer

    assert said("['b', 'a', 'c']\n") is NOBODY
    assert said("['a', 'b', 'c']\n") is HERE


@pytest.mark.parametrize(
    ("shown", "published", "printed", "same"),
    [
        ("print(sk.__version__)", "0.24.1", "0.24.1", {"sklearn"}),
        ("print(sk.__version__)", "0.24.1", "1.5.0", set()),
        ("print('pandas:', pd.__version__, np.__version__)", "pandas: 1.2.3 1.19", "pandas: 1.2.3 1.26",
         {"pandas"}),
        ("packageVersion('dplyr')", "[1] ‘1.0.7’", "[1] ‘1.0.7’", {"dplyr"}),
        ("sessionInfo()", "dplyr_1.0.7 glue_1.4.2", "dplyr_1.0.7 glue_1.6.0", {"dplyr"}),
        ("print(0.24)", "0.24.1", "0.24.1", set()),
    ],
)  # fmt: skip
def test_versions_that_a_document_prints(shown: str, published: str, printed: str, same: set[str]) -> None:
    chunks = [chunk(0, "import sklearn as sk\nimport numpy as np\nimport pandas as pd")]
    assert same_versions(chunks, shown, published, printed) == same


@pytest.mark.parametrize(("version", "answer"), [("1.5.0", WRONG), ("0.24.1", HERE)])
def test_a_package_of_which_the_document_prints_the_version_that_is_here(
    version: str, answer: Answer
) -> None:
    others = [chunk(n + 3, f"saying.f({n})", output=f"{n}\n") for n in range(9)]
    chunks = [
        chunk(0, "import saying"),
        chunk(1, "print(saying.__version__)", output=f"{version}\n"),
        chunk(2, "saying.f(1001)", output="[11 12 13 14 15 17]\n"),
        *others,
    ]
    rest = [left(f"{n}\n") for n in range(9)]
    runs = Ran(chunks, [left(), left("1.5.0\n"), left("[11 12 13 14 15 16]\n"), *rest])
    assert judged(runs).blocks[1].answer is answer


SUMS = "import numpy as np\nx = np.array([.1, .2])\nprint(np.round(x @ x, 3))"


@pytest.mark.parametrize(
    ("code", "elsewhere", "answer"),
    [
        (SUMS, "0.052\n", HERE),
        (SUMS, "0.050\n", WRONG),
        ("x = .05\nprint(x)", "0.052\n", WRONG),
    ],
)
def test_what_another_order_of_rounding_changes_is_the_machines(
    code: str, elsewhere: str, answer: Answer
) -> None:
    """Where code sums by no library, its kernels are no reason, whatever a run with others prints."""
    runs = Ran([chunk(0, code, output="0.054\n")], [left("0.050\n")], elsewhere=[left(elsewhere)])
    (block,) = judged(runs).blocks
    assert block.answer is answer
    assert ("round in another order" in block.why) is (answer is HERE)


def swap(
    first: str, second: str, texts: tuple[str, str], again: tuple[str, str] | None = None
) -> list[Answer]:
    """Two outputs, each published in the place of the other."""
    chunks = [chunk(0, first, output=f"{texts[1]}\n"), chunk(1, second, output=f"{texts[0]}\n")]
    printed = [left(f"{text}\n") for text in texts]
    second_run = [left(f"{text}\n") for text in again] if again else None
    return [block.answer for block in judged(Ran(chunks, printed, again=second_run)).blocks]


def test_outputs_that_are_swapped_for_certain() -> None:
    assert swap("print(11)", "print(23)", ("11", "23")) == [WRONG, WRONG]
    # Behind a package, short texts may stand in each other's place by chance, and long ones may not.
    package = "import saying\nsaying.f({})"
    short = swap(package.format(1), package.format(2), ("11", "23"))
    assert short == [HERE, HERE]
    assert swap(package.format(1), package.format(2), ("1123581321", "2357111317")) == [WRONG, WRONG]
    # What a reader types, and what two runs do not agree on, is nobody's slip.
    assert WRONG not in swap("print(input())", "print(input() * 2)", ("1123581321", "2357111317"))
    unsteady = swap("print(f())", "print(g())", ("1123581321", "2357111317"), again=("31415926", "27182818"))
    assert WRONG not in unsteady


def test_a_module_that_the_document_calls_a_file_is_no_package() -> None:
    for above, said in (
        ("# stock.py\nclass Stock: pass", "stock.py, a file of the document's own, is not beside it"),
        ("# stocks.py", "stock is not installed"),
    ):
        chunks = [chunk(0, above), chunk(1, "from stock import Stock\nStock", output="4\n")]
        failed = left(error="ModuleNotFoundError: No module named 'stock'", line=12)
        (block,) = judged(Ran(chunks, [left(), failed])).blocks
        assert (block.answer, block.why) == (Answer.UNCHECKED, said)


@pytest.mark.parametrize(
    ("code", "message", "said"),
    [
        ('write.csv(x, "pop.tsv")', "cannot open the connection", "pop.tsv is written here"),
        (
            'readr::write_tsv(x, "pop.tsv")',
            "Cannot open file for writing:\n* 'pop.tsv'",
            "pop.tsv is written",
        ),
        ('read.csv("pop.tsv")', "cannot open the connection", "pop.tsv is not beside the document"),
    ],
)
def test_a_file_that_is_written_is_not_said_to_be_missing(code: str, message: str, said: str) -> None:
    lack = missing_here(CodeError(message=message, kind="simpleError", line=1), code, "r")
    assert lack is not None
    assert lack.said.startswith(said)


@pytest.mark.parametrize(
    ("language", "others", "error", "said"),
    [
        ("r", [("cpp", "// [[Rcpp::export]]\nint f(int x) { return x; }")],
         'could not find function "f"', "f is set in C++ (line 1), which documents do not run"),
        ("r", [("cpp", "int fgh(int x) { return x; }")],
         'could not find function "f"',
         "f is set nowhere in the document, and no package that it attaches here has it"),
        ("julia", [], "UndefVarError: diagm not defined",
         "diagm is set nowhere in the document; LinearAlgebra, which may have it, is attached only below"
         " (line 21)"),
    ],
)  # fmt: skip
def test_a_name_that_no_code_here_sets_may_be_of_what_does_not_run_here(
    language: str, others: list[tuple[str, str]], error: str, said: str
) -> None:
    uses = {"r": "f(2)", "julia": "diagm([2])"}[language]
    chunks = [chunk(n, code, other, supported=False) for n, (other, code) in enumerate(others)]
    chunks.append(chunk(1, uses, language, output="2\n"))
    chunks = [*chunks, *([chunk(2, "using LinearAlgebra", language)] if language == "julia" else [])]
    chunks = [msgspec.structs.replace(part, index=n) for n, part in enumerate(chunks)]
    failing = msgspec.structs.replace(
        left(), error=CodeError(message=error, kind=error.partition(":")[0], line=12)
    )
    results = [failing if part.code == uses else left() for part in chunks]
    (block,) = judged(Ran(chunks, results)).blocks
    assert (block.answer, block.why) == (UNCHECKED, said)


@pytest.mark.parametrize(
    ("code", "names"),
    [("ux::UInt8 = 5", {"ux"}), ("first, rest... = [1, 2]", {"first", "rest"}), ("f(x::Int) = 2", {"f"})],
)
def test_names_that_julia_sets_with_a_type_or_dots(code: str, names: set[str]) -> None:
    assert names <= names_in(code, "julia").sets


def test_what_ends_a_session_is_named_and_what_depends_on_it_is_not_accused() -> None:
    error = CodeError(message="stopped: it did not end within 300 s; the session was begun anew without it",
                      kind="time", line=3, end=3)  # fmt: skip
    ended = msgspec.structs.replace(left(), error=error)
    chunks = [
        chunk(0, "y = 1\nx = wait()"),
        chunk(1, "print(x + 1)", output="2\n"),
        chunk(2, "print(y + 1)", output="2\n"),
        chunk(3, "print(y + 2)", output="4\n"),
    ]
    unset = left(error="NameError: name 'x' is not defined", line=12)
    runs = Ran(chunks, [ended, unset, left("2\n"), left("3\n")])
    said = [block.said for block in judged(runs).blocks]
    assert said[:2] == [UNCHECKED, Answer.REPRODUCED]
    finding = next(finding for finding in published_outputs(runs) if finding.line == 3)
    assert finding.evidence == "it did not end within 300 s; the session was begun anew without it: 1 output"
    assert "line 16: output" in finding.follows
    assert not any("did not end" in block.why for block in judged(runs).blocks[2:])


@pytest.mark.parametrize(
    ("language", "code", "message", "said"),
    [
        ("r", "print(1)\nprint(py$total + 1)", "object 'py' not found", "py$total is a value of Python"),
        ("python", "y = 1\nr.seen = y", "NameError: name 'r' is not defined", "r.seen is a value of R"),
        ("r", "y <- 2\npy$`a b` <- y", "object 'py' not found", "py$`a b` is a value of Python"),
        (
            "python",
            "y = 1\nprint(r.flights)",
            "NameError: name 'r' is not defined",
            "r.flights is a value of R",
        ),
    ],
)
def test_a_value_that_crosses_is_named(language: str, code: str, message: str, said: str) -> None:
    chunks = [chunk(0, code, language, output="2\n", executable=True)]
    runs = Ran(chunks, [left("1\n", error=message, line=3)])
    (block,) = judged(runs).blocks
    assert block.said is UNCHECKED
    assert block.why == f"{said}, and not of those that are carried: numbers, texts, lists and tables"


def test_a_name_that_the_document_sets_does_not_cross() -> None:
    chunks = [chunk(0, "py <- list(x = 1)", "r"), chunk(1, "print(py$x)", "r", output="2\n")]
    runs = Ran(chunks, [left(error="no"), left(error="object 'py' not found", line=12)])
    assert "reticulate" not in judged(runs).blocks[0].why


@pytest.mark.parametrize(
    ("above", "code", "answer"),
    [
        ("df = frame(3)", "df.sample(2)", HERE),
        ("df = frame(3)", "df = df.sample(2)", NOBODY),
        ("df = frame(3)", "df.sample(2)\ndf.append(3)", NOBODY),
        ("import random\ndf = random.Random()", "df.sample(range(9), 2)", NOBODY),
    ],
)
def test_a_sample_that_is_only_shown_changes_nothing(above: str, code: str, answer: Answer) -> None:
    chunks = [
        chunk(0, above, executable=True),
        chunk(1, code, executable=True),
        *[chunk(n, f"{n}", executable=True, output=f"{n}\n") for n in range(2, 30)],
        chunk(30, "print(df.total())", executable=True, output="3\n"),
    ]
    shown = [left(), left(), *[left(f"{n}\n") for n in range(2, 30)], left("4\n")]
    found = judged(Ran(chunks, shown)).blocks[-1].answer
    assert (found is NOBODY) is (answer is NOBODY)


@pytest.mark.parametrize(("name", "nobodys"), [("z", False), ("y", True)])
def test_what_stands_beside_a_draw_is_not_drawn(name: str, nobodys: bool) -> None:
    code = f"z <- 3\ny <- rnorm(9)\n1\nmean({name})\n"
    blocks = tuple(OutputBlock(line=after, text="1", info="value", after=after) for after in (3, 4))
    drawn = msgspec.structs.replace(chunk(0, code, "r"), output=blocks)
    found = judged(Ran([drawn], [left("[1] 2\n")])).blocks[-1].answer
    assert (found is NOBODY) is nobodys
    assert found is not WRONG
    twice = judged(Ran([drawn], [left("[1] 2\n")], again=[left("[1] 3\n")])).blocks[-1]
    assert twice.answer is NOBODY


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("2.229446049250313e-16", "2.220446049250313e-16", Answer.WRONG),
        ("1.272919649514069 + 0.5im", "1.272019649514069 + 0.5im", Answer.WRONG),
        ("Float64[2.25]", "[3.70]", Answer.HERE),
        ("Float64[2.25]", "Float64[3.70]", Answer.WRONG),
        ("Float64[2.25]", "Float64[2.75]", Answer.WRONG),
    ],
)
def test_letters_inside_of_julias_numbers_are_no_words(published: str, printed: str, answer: Answer) -> None:
    shown = [chunk(place - 1, f"x{place}", "julia", output=f"{place}.5\n") for place in range(1, 11)]
    last = chunk(10, "sqrt(y)", "julia", output=f"{published}\n")
    runs = [left(f"{place}.5\n") for place in range(1, 11)]
    assert judged(Ran([*shown, last], [*runs, left(f"{printed}\n")])).blocks[-1].answer is answer


def test_an_error_that_is_shown_is_not_reached_where_a_package_is_missing_above() -> None:
    above = chunk(0, "from states import Machine\nm = Machine()", output="1\n")
    shown = "Traceback (most recent call last):\n  ...\nMachineError: not from here"
    below = msgspec.structs.replace(
        chunk(1, "m = Machine(1)\nm.state\nm.next()"),
        output=(
            OutputBlock(line=12, text="'B'", after=2),
            OutputBlock(line=14, text=shown, kind="error", after=3),
        ),
    )
    lacking = CodeError(message="ModuleNotFoundError: No module named 'states'", line=1)
    first = msgspec.structs.replace(left(), error=lacking)
    second = left(error="NameError: name 'Machine' is not defined", line=11)
    for block in judged(Ran([above, below], [first, second])).blocks:
        assert (block.answer, block.why) == (UNCHECKED, "states is not installed")


def test_a_root_of_a_project_is_a_file_that_is_missing() -> None:
    said = (
        'No root directory found in /document or its parent directories. Root criterion: contains a file "D"'
    )
    lack = missing_here(CodeError(message=said, kind="simpleError", line=1), "here::here()", "r")
    assert lack is not None
    assert lack.kind == "file"


@pytest.mark.parametrize("use", ["machine = Machine(model=lump, states=['a'])", "lump + Machine"])
def test_what_is_handed_to_a_package_that_is_missing_may_be_changed_by_it(use: str) -> None:
    chunks = [
        chunk(0, "class Matter:\n    pass\nlump = Matter()"),
        chunk(1, f"from states import Machine\n{use}"),
        chunk(2, "lump.state", output="'a'\n", prompts=True),
    ]
    lacking = CodeError(message="ModuleNotFoundError: No module named 'states'", line=11)
    first = msgspec.structs.replace(left(), error=lacking)
    second = left(error="AttributeError: 'Matter' object has no attribute 'state'", line=21)
    (block,) = judged(Ran(chunks, [left(), first, second])).blocks
    assert (block.answer, block.why) == (UNCHECKED, "states is not installed")


def test_what_is_typed_at_a_prompt_is_no_part_of_a_listing() -> None:
    chunks = [
        chunk(0, "lump.melt()", prompts=True),
        chunk(1, "lump.state", output="'a'\n", prompts=True),
        chunk(2, "def f():\n    lump.melt()\n    return 1"),
    ]
    failing = left(error="AttributeError: 'Matter' object has no attribute 'melt'", line=1)
    (block,) = judged(Ran(chunks, [failing, failing, left()])).blocks
    assert "it is a part of the code" not in block.why


def test_an_error_of_the_same_kind_in_other_words_is_said_to_be_worded_otherwise() -> None:
    shown = OutputBlock(line=6, text="TypeError: cannot concatenate 'str' and 'int' objects", info="error")
    one = msgspec.structs.replace(chunk(0, "'a' + 1", cell=1), output=(shown,))
    error = 'TypeError: can only concatenate str (not "int") to str'
    (block,) = judged(Ran([one], [left(error=error)])).blocks
    assert (block.answer, block.why) == (Answer.HERE, "the error that it ends with is worded otherwise here")
