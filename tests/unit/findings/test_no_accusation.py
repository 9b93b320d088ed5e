"""Differences of which the author is innocent: rounding, versions, identities, machines, other outputs."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.results import TrackRun
from harness.findings.answers import judged, published_outputs
from harness.findings.apart import values_apart
from harness.findings.older_pythons import of_text_in_bytes
from harness.model import RuntimeInfo
from harness.model.article import Answer
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, answers, chunk, left


def test_a_number_that_a_package_puts_into_words() -> None:
    """That all else of a package is reproduced does not tell its version."""
    said = [chunk(n + 1, f"saying.f({n})", output=f"{n} hours\n") for n in range(6)]
    last = chunk(7, "saying.f(1001)", output="16 minutes\n")
    chunks = [chunk(0, "import saying"), *said, last]
    printed = [left(), *(left(f"{n} hours\n") for n in range(6)), left("17 minutes\n")]
    assert answers(Ran(chunks, printed))[-1] is Answer.HERE
    own = msgspec.structs.replace(last, code="n = 17\nprint(n, 'minutes')")
    assert answers(Ran([*chunks[:-1], own], printed))[-1] is Answer.WRONG


@pytest.mark.parametrize(
    ("begins", "answer"),
    [
        ('source("common.R")', Answer.HERE),
        ("sys.source('R/common.R', globalenv())", Answer.HERE),
        ("resource <- 1", Answer.WRONG),
    ],
)
def test_a_file_that_is_run_may_attach_any_package(begins: str, answer: Answer) -> None:
    """What it attaches has versions as others have."""
    codes = [f"print(sqrt({n}^2))" for n in range(1, 10)]
    said = [chunk(n, code, language="r", output=f"[1] {n}\n") for n, code in enumerate(codes, 1)]
    last = chunk(10, "print(length(held_names(x)))", language="r", output="[1] 784\n")
    chunks = [chunk(0, f"{begins}\nx <- factor(c(2, 3))", language="r"), *said, last]
    printed = [left(), *(left(f"[1] {n}\n") for n in range(1, 10)), left("[1] 805\n")]
    assert answers(Ran(chunks, printed))[-1] is answer


def test_keys_that_look_alike_may_stand_in_any_order() -> None:
    def run(code: str, output: str, text: str) -> Ran:
        return Ran([chunk(0, code, output=output)], [left(text)])

    assert answers(run("d", "{'s': 40, 's': 42}\n", "{'s': 42, 's': 40}\n")) == [Answer.REPRODUCED]
    assert answers(run("d", "{'s': 40, 's': 42}\n", "{'s': 42, 's': 41}\n")) == [Answer.WRONG]
    assert answers(run("d", "{'s': 40, 't': 42}\n", "{'s': 42, 't': 40}\n")) == [Answer.WRONG]


def test_an_assertion_of_identity_and_one_on_which_nothing_depends() -> None:
    """Whether two equal constants are one object is another matter in a file than at a prompt."""

    def run(code: str, line: int, output: str = "") -> Ran:
        chunks = [
            chunk(0, code, executable=True, output=output),
            chunk(1, "print(a)", output="1\n"),
        ]
        return Ran(chunks, [left(error="AssertionError", line=line), left("1\n")])

    assert [f.answer for f in published_outputs(run("a = 1\nassert a is b\nc = a", 3))] == [Answer.UNCHECKED]
    assert [f.answer for f in published_outputs(run("a = 1\nassert a == b", 3))] == [Answer.UNCHECKED]
    # What the failure leaves unset is printed below, which does not say that the code itself runs to its end.
    assert [f.answer for f in published_outputs(run("assert a == b\na = 1", 2))] == [Answer.UNCHECKED]
    shown = run("assert a == b\na = 1\nprint(2)", 2, "2\n")
    assert [f.answer for f in published_outputs(shown)] == [Answer.WRONG]
    assert [f.answer for f in published_outputs(run("assert a is b\na = 1", 2))] != [Answer.WRONG]


def test_a_block_behind_an_output_and_prose_does_not_take_the_output_with_it() -> None:
    blocks = (
        OutputBlock(line=5, text="[1, 2, 3]"),
        OutputBlock(line=9, text="help(numbers)\n\nHelp on list object:", certain=False),
    )
    given = msgspec.structs.replace(chunk(0, "print(numbers)"), output=blocks)
    assert answers(Ran([given], [left("[1, 2, 3]\n")])) == [Answer.REPRODUCED, Answer.UNCHECKED]
    assert answers(Ran([given], [left("[1, 2, 4]\n")]))[0] is not Answer.REPRODUCED


def test_what_follows_from_an_accusation_may_differ_for_another_reason() -> None:
    failed = left(error="UndefVarError: z not defined", line=2)
    chunks = [
        chunk(0, "y = z", "julia", executable=True, output="3.0\n"),
        chunk(1, "@macroexpand f(y)", "julia", executable=True, output=":(#99#z = 3.0)\n"),
        chunk(2, "z = 4", "julia", executable=True),
    ]
    runs = Ran(chunks, [failed, left(':(var"#1#z" = 3.0)\n'), left()])
    assert answers(runs) == [Answer.WRONG, Answer.HERE]


@pytest.mark.parametrize(
    ("below", "answer"),
    [
        ("w = 4\nend\nz = 4", Answer.WRONG),
        ("    z = 4\nend", Answer.UNCHECKED),
        ("z = 4\nend", Answer.UNCHECKED),
    ],
)
def test_a_name_that_only_a_function_sets_below_is_not_set_below(below: str, answer: Answer) -> None:
    failed = left(error="UndefVarError: z not defined", line=2)
    chunks = [
        chunk(0, "z", "julia", executable=True, output="3.0\n"),
        chunk(1, f"function f()\n{below}", "julia", executable=True),
    ]
    assert answers(Ran(chunks, [failed, left()])) == [answer]


def test_a_value_below_a_missing_package_is_no_error_that_the_document_shows() -> None:
    """knitr's ``error = TRUE`` tolerates errors; where a value is shown, there was none."""
    lacks = left(error="there is no package called 'tidyverso'", line=2)
    unknown = left(error='could not find function "str_detecto"', line=12)
    chunks = [
        chunk(0, "library(tidyverso)", "r", error=True, executable=True),
        chunk(1, 'str_detecto("a")', "r", error=True, executable=True, output="[1] TRUE"),
    ]
    (finding,) = published_outputs(Ran(chunks, [lacks, unknown]))
    assert (finding.answer, finding.line) == (Answer.UNCHECKED, 2)
    assert finding.evidence == "tidyverso is not installed: 1 output"
    # An error that is tolerated is no accusation, whatever it is.
    chunks = [chunk(0, "f(1)", "r", error=True, executable=True, output="[1] TRUE")]
    own = left(error='argument "part" is missing, with no default', line=2)
    assert answers(Ran(chunks, [own])) == [Answer.HERE]


def test_an_output_that_holds_the_next_cells_too() -> None:
    """No version prints the output of code that is not there."""

    def run(first: str, below: str, *, executable: bool = True) -> Ran:
        chunks = [
            chunk(0, "print(type(t))", output=first, executable=executable),
            chunk(1, "print(t and f)\nprint(t or f)\nprint(t != f)", output=below),
            *(chunk(n, "print(dis.f(t))", output="1\n") for n in (2, 3)),
        ]
        printed = [left("<class 'bool'>\n"), left("False\nTrue\nTrue\n"), left("1\n"), left("1\n")]
        return Ran(chunks, printed)

    three = "False\nTrue\nTrue\n"
    runs = run(f"<class 'bool'>\n{three}", three)
    assert answers(runs)[:2] == [Answer.WRONG, Answer.REPRODUCED]
    (finding,) = published_outputs(runs)
    assert finding.evidence == "behind what the code prints stands what that of line 11 prints"
    assert answers(run(f"<class 'bool'>\n{three}", "False\nTrue\nFalse\n"))[0] is Answer.HERE
    # A text may show once more what its code printed before.
    assert answers(run(f"<class 'bool'>\n{three}", three, executable=False))[0] is Answer.HERE
    assert answers(run("<class 'bool'>\nFalse\nTrue\nFalse\n", three))[0] is Answer.HERE


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("] add Statistics", "Julia's package prompt was not run: it needs the network"),
        ("?eigen", "Julia's help prompt was not run"),
        (";ls", "Julia's shell prompt was not run"),
        ("shell> ls -l", "Julia's shell prompt was not run"),
        ("help?> eigen", "Julia's help prompt was not run"),
        ("(@v1.5) pkg> add Statistics", "Julia's package prompt was not run: it needs the network"),
    ],
)
def test_the_other_prompts_of_julia(code: str, said: str) -> None:
    problem = CodeError(message='syntax: unexpected "]"', kind="syntax", line=2)
    broken = msgspec.structs.replace(left(), error=problem)
    (finding,) = published_outputs(Ran([chunk(0, code, "julia", output="1\n")], [broken]))
    assert (finding.answer, finding.evidence) == (Answer.UNCHECKED, f"{said}: 1 output")


def test_a_magic_that_is_left_out_is_named() -> None:
    chunks = [chunk(0, "%load_ext watermark\n%watermark -v", output="CPython 3.7\n")]
    (finding,) = published_outputs(Ran(chunks, [left()]))
    assert finding.evidence == "the magic %load_ext watermark was not run: 1 output"


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("TypeError: 'module' object is not callable", False),
        ("TypeError: f() got an unexpected keyword argument 'b'", True),
    ],
)
def test_a_version_is_named_where_it_may_be_the_reason_of_a_failure(message: str, named: bool) -> None:
    chunks = [chunk(0, "import saying\nsaying(1)", output="1\n")]
    runs = Ran(chunks, [left(error=message, line=3)])
    runs.document = msgspec.structs.replace(runs.document, written_for={"python": "3.13.7"})
    python = RuntimeInfo(runtime="numpy", language="Python", version="3.11.7")
    here = TrackRun(language="python", runtime=python)
    runs.__dict__["published"] = msgspec.structs.replace(runs.published, tracks=(here,))
    (finding,) = published_outputs(runs)
    assert finding.answer is Answer.HERE
    assert ("the document names 3.13.7" in finding.evidence) is named


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("1.0", "w is set nowhere in the document"),
        ("0.6", "it fails here, in Julia 1.5.3, and the document names 0.6"),
        ("1.9", "it fails here, in Julia 1.5.3, and the document names 1.9"),
    ],
)
def test_a_name_that_is_not_here_may_be_of_a_later_version_or_another_generation(
    stated: str, said: str
) -> None:
    error = CodeError(message="UndefVarError: w not defined", kind="UndefVarError", line=1)
    runs = Ran([chunk(0, "w[1]", "julia", output="1\n")], [msgspec.structs.replace(left(), error=error)])
    runs.document = msgspec.structs.replace(runs.document, written_for={"julia": stated})
    julia = RuntimeInfo(runtime="julia", language="Julia", version="1.5.3")
    here = TrackRun(language="julia", runtime=julia)
    runs.__dict__["published"] = msgspec.structs.replace(runs.published, tracks=(here,))
    (finding,) = published_outputs(runs)
    assert finding.evidence.startswith(said)


@pytest.mark.parametrize(
    ("code", "message", "answer"),
    [
        ("x = d.keys()[0]", "TypeError: 'dict_keys' object is not subscriptable", Answer.HERE),
        (
            "x = range(3) + [1]",
            "TypeError: unsupported operand type(s) for +: 'range' and 'list'",
            Answer.HERE,
        ),
        ("import glob\nx = glob.glob('*.csv')[0]", "IndexError: list index out of range", Answer.HERE),
        ("x = d[0]", "IndexError: list index out of range", Answer.WRONG),
    ],
)
def test_failures_of_python_2_and_of_files_that_are_not_here(code: str, message: str, answer: Answer) -> None:
    chunks = [chunk(0, f"{code}\nprint(x)", executable=True, output="3\n")]
    assert answers(Ran(chunks, [left(error=message, line=3)])) == [answer]


RNG = "import numpy as np\nrng = np.random.default_rng(0)\nx = rng.rayleigh(size=3)"


def test_a_generator_that_gives_what_the_authors_gave() -> None:
    def said(published: str, alike: int) -> Answer:
        others = [chunk(n + 2, "print(x.sum())", output="1.23456\n") for n in range(alike)]
        chunks = [chunk(0, RNG), chunk(1, "x", output=f"array({published})\n"), *others]
        printed = [left(), left("array([0.385, 0.369, 0.638])\n"), *(left("1.23456\n") for _ in others)]
        return answers(Ran(chunks, printed))[0]

    assert said("[0.385, 0.396, 0.683]", 0) is Answer.HERE
    assert said("[0.385, 0.396, 0.683]", 3) is Answer.WRONG


def test_one_digit_of_a_long_number_is_of_no_other_stream() -> None:
    def said(published: str) -> Answer:
        chunks = [chunk(0, RNG), chunk(1, "x[0]", output=f"{published}\n")]
        return answers(Ran(chunks, [left(), left("0.38503638\n")]))[0]

    assert said("0.38903638") is Answer.WRONG
    assert said("0.385039") is Answer.WRONG
    assert said("0.38903639") is Answer.HERE
    assert said("0.00000639") is Answer.HERE


def test_of_a_package_a_short_number_is_no_slip_and_a_long_one_with_one_digit_is() -> None:
    def said(published: str, printed: str) -> Answer:
        others = [chunk(n + 1, f"pd.Series(bob=2)[{n}]", output=f"{n}\n") for n in range(9)]
        chunks = [chunk(0, "import pandas as pd"), *others, chunk(10, "pd.Series(bob=83)", output=published)]
        return answers(Ran(chunks, [left(), *(left(f"{n}\n") for n in range(9)), left(printed)]))[-1]

    assert said("bob 93\ndtype: int64\n", "bob 83\ndtype: int64\n") is Answer.HERE
    assert said("bob 983\ndtype: int64\n", "bob 883\ndtype: int64\n") is Answer.WRONG
    assert said("bob 983 minutes\n", "bob 83.5 minutes\n") is Answer.HERE


@pytest.mark.parametrize(
    ("language", "above", "error", "said"),
    [
        ("python", "%run helpers.py", "FileNotFoundError: No such file: 'helpers.py'", "helpers.py"),
        ("python", "from helpers import *", "No module named 'helpers'", "helpers is not"),
        ("python", "from pylab import *", "", "has not run before"),
        ("python", "%pylab inline", "ModuleNotFoundError: No module named 'matplotlib'", "matplotlib is not"),
        ("python", "import seaborn", "ModuleNotFoundError: No module named 'seaborn'", ""),
        ("python", "import math", "", ""),
        ("r", "source('h.R')", "cannot open file 'h.R': No such file or directory", "h.R is not beside"),
        ("r", "library(gap)", "there is no package called 'gap'", "gap is not installed"),
        ("r", "library(dplyr)", "", "has not run before"),
        ("r", "library(stats)", "", ""),
        ("julia", "using Foo", "ArgumentError: Package Foo not found in current path", "Foo is not"),
    ],
)  # fmt: skip
def test_a_name_that_code_above_may_have_brought(language: str, above: str, error: str, said: str) -> None:
    """It is set only below as far as the text shows: an accusation where nothing else brings names."""
    unknown = {"python": "NameError: name 'foo' is not defined", "julia": "UndefVarError: foo not defined"}
    failed = left(error=unknown.get(language, "object 'foo' not found"), line=12)
    below = "foo <- 4" if language == "r" else "foo = 4"
    chunks = [
        chunk(0, above, language, executable=True),
        chunk(1, "print(foo)", language, executable=True, output="3\n"),
        chunk(2, below, language, executable=True),
    ]
    block = judged(Ran(chunks, [left(error=error, line=2), failed, left()])).blocks[0]
    assert block.answer is (Answer.UNCHECKED if said else Answer.WRONG)
    assert (said or "set only below") in block.why


@pytest.mark.parametrize("brings", ["%pylab inline", "from pylab import *"])
def test_below_pylab_only_what_it_did_not_bring_is_not_the_documents(brings: str) -> None:
    """NumPy's names are there without matplotlib; without NumPy, a sum may be another function's."""

    def said(code: str, printed: str, published: str, missing: str) -> Answer:
        lacks = left(error=f"ModuleNotFoundError: No module named '{missing}'", line=2)
        chunks = [chunk(0, brings), chunk(1, code, output=published)]
        return answers(Ran(chunks, [lacks, left(printed)]))[0]

    for missing, answer in (("matplotlib", Answer.WRONG), ("numpy", Answer.UNCHECKED)):
        assert said("print(sum([1.0, 3.0]))", "4.0\n", "7.0\n", missing) is answer
        assert said("print(3 + 4)", "7\n", "8\n", missing) is answer


def test_what_pylab_draws_is_drawn() -> None:
    lacks = left(error="ModuleNotFoundError: No module named 'matplotlib'", line=2)
    chunks = [chunk(0, "%pylab inline"), chunk(1, "x = poisson(3)\nprint(int(x))", output="4\n")]
    assert answers(Ran(chunks, [lacks, left("2\n")])) == [Answer.NOBODY]
    chunks[1] = chunk(1, "def poisson(n):\n    return n\n\n\nprint(poisson(2))", output="4\n")
    assert answers(Ran(chunks, [lacks, left("2\n")])) == [Answer.WRONG]


@pytest.mark.parametrize(
    ("stated", "published", "answer"),
    [
        ("3.5.2", "a 2\nb 1\n", Answer.HERE),
        ("", "a 2\nb 1\n", Answer.HERE),
        ("3.8.1", "a 2\nb 1\n", Answer.WRONG),
        ("3.5.2", "a 2\nb 3\n", Answer.WRONG),
    ],
)
def test_dicts_have_an_order_since_python_3_7(stated: str, published: str, answer: Answer) -> None:
    code = "d = {'b': 1, 'a': 2}\nfor k in d: print(k, d[k])"
    others = [chunk(n + 1, f"{n} + 0", output=f"{n}\n") for n in range(5)]
    printed = [left("b 1\na 2\n"), *(left(f"{n}\n") for n in range(5))]
    runs = Ran([chunk(0, code, output=published), *others], printed)
    if stated:
        runs.document = msgspec.structs.replace(runs.document, written_for={"python": stated})
    assert answers(runs)[0] is answer


def test_what_a_document_leaves_open_is_not_accused() -> None:
    def run(doubtful: str, error: str = "") -> Ran:
        chunks = [chunk(0, "n = f(1)", doubtful=doubtful), chunk(1, "n", output="4\n")]
        return Ran(chunks, [left(error=error), left(error=error) if error else left("7\n")])

    assert answers(run("")) == [Answer.WRONG]
    assert answers(run("dots stand in its place")) == [Answer.UNCHECKED]
    assert answers(run("dots stand in its place", "TypeError: f() missing 1 required")) == [Answer.UNCHECKED]


def test_a_failed_loop_leaves_the_parts_that_it_would_set_unknown() -> None:
    def run(loop: str) -> Ran:
        chunks = [chunk(0, "n = Counter()"), chunk(1, loop), chunk(2, "n['a']", output="4\n")]
        right = [chunk(n, f"{n} + 1", output=f"{n + 1}\n") for n in range(3, 30)]
        failed = left(error="SyntaxError: invalid syntax", line=12)
        return Ran(
            [*chunks, *right], [left(), failed, left("0\n"), *(left(f"{n + 1}\n") for n in range(3, 30))]
        )

    assert answers(run("for s in x:\n    n[s] += 1"))[0] is not Answer.WRONG
    assert answers(run("for s in x:\n    m[s] += 1"))[0] is Answer.WRONG


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("SyntaxError: invalid syntax", Answer.REPRODUCED),
        ("SyntaxError: unexpected indent", Answer.HERE),
        ("IndentationError: invalid syntax", Answer.HERE),
    ],
)
def test_an_error_of_syntax_may_name_another_cell(message: str, answer: Answer) -> None:
    shown = OutputBlock(
        line=5,
        text="  3 * * 4",
        kind="error",
        ename="SyntaxError",
        evalue="invalid syntax (<ipython-input-2-012ea60b41dd>, line 1)",
    )
    given = msgspec.structs.replace(chunk(0, "3 * * 4"), output=(shown,))
    failed = msgspec.structs.replace(left(), error=CodeError(message=message, kind="syntax", line=2))
    assert answers(Ran([given], [failed])) == [answer]


@pytest.mark.parametrize(
    ("code", "published", "printed", "open_"),
    [
        ("len('é')", "2", "1", True),
        ("isinstance('a', bytes)", "True", "False", True),
        ("len(u'ab') == len(b'ab')", "False", "True", True),
        ("len('e')", "2", "1", False),
        ("'é'.upper()", "'é'", "'É'", False),
        ("frame = {'größe': [5, 6]}\nprint(frame)", "{'größe': [5, 7]}", "{'größe': [5, 6]}", False),
        ("n = 0\nfor c in 'größe':\n    n += 1\nn", "6", "5", True),
    ],
)
def test_before_python_3_a_text_was_bytes(code: str, published: str, printed: str, *, open_: bool) -> None:
    assert of_text_in_bytes(values_apart(published, printed) or (), code, "python") is open_
    said = [chunk(n, f"print({n})", output=f"{n}\n") for n in range(12)]
    ran = Ran(
        [*said, chunk(12, code, output=f"{published}\n")],
        [*(left(f"{n}\n") for n in range(12)), left(f"{printed}\n")],
    )
    assert not open_ or answers(ran)[-1] is Answer.HERE


def test_r_counts_bytes_in_the_encoding_of_the_machine() -> None:
    apart = values_apart("[1] 1", "[1] 2") or ()
    assert of_text_in_bytes(apart, "nchar('é', type = 'bytes')", "r")
    assert not of_text_in_bytes(apart, "nchar('e', type = 'bytes')", "r")
    assert not of_text_in_bytes(apart, "length('é')", "r")
