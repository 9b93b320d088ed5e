"""What is said of each output, and of what fails: one finding for each root cause; no runtime."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import Chunk, OutputBlock
from harness.documents.prose_model import InlineCode, ProseNumber
from harness.documents.surroundings import undefined_name
from harness.findings.answers import judged, published_outputs
from harness.model.article import Answer, Kind, Severity
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, chunk, kinds, left

SEEDED = "import numpy as np\ndef draw():\n    return np.random.rand()"


def test_a_failing_chunk_names_those_that_fail_because_of_it() -> None:
    runs = Ran(
        [
            chunk(0, "m = broken()", evaluated=True, executable=True, output="made\n"),
            chunk(1, "ok = 1"),
            chunk(2, "print(m)", output="3\n"),
        ],
        [
            left(error="TypeError: unsupported operand", line=2),
            left(),
            left(error="NameError: name 'm' is not defined"),
        ],
    )
    (finding,) = published_outputs(runs)
    assert (finding.line, finding.kind, finding.severity) == (2, Kind.CHUNK_FAILS, Severity.WRONG)
    assert finding.smallest == "m = broken()"
    assert finding.follows == (
        "line 21: fails: NameError: name 'm' is not defined",
        "line 6: output",
        "line 26: output",
    )
    assert [block.answer for block in judged(runs).blocks] == [Answer.WRONG, Answer.WRONG]


def test_a_failure_of_which_nothing_printed_depends_is_no_accusation() -> None:
    runs = Ran([chunk(0, "'a' + 1")], [left(error="TypeError: can only concatenate str")])
    (finding,) = published_outputs(runs)
    assert (finding.answer, finding.severity) == (Answer.UNCHECKED, Severity.NOTE)
    assert "nothing that the document prints depends on it" in finding.evidence


def test_a_name_that_the_document_never_sets_is_no_accusation() -> None:
    runs = Ran(
        [chunk(0, "print(other)", output="1\n")], [left(error="NameError: name 'other' is not defined")]
    )
    (finding,) = published_outputs(runs)
    assert finding.answer is Answer.UNCHECKED
    assert finding.evidence == "other is set nowhere in the document: 1 output"


def test_a_name_that_is_set_only_below_is_wrong_where_the_document_runs_it() -> None:
    failed = left(error="NameError: name 'x' is not defined", line=2)
    chunks = [chunk(0, "print(x)", executable=True, output="1\n"), chunk(1, "x = 1", executable=True)]
    (finding,) = published_outputs(Ran(chunks, [failed, left()]))
    assert (finding.answer, finding.kind) == (Answer.WRONG, Kind.CHUNK_FAILS)
    assert "set only below, at line 11" in finding.evidence
    (finding,) = published_outputs(Ran([chunk(0, "print(x)"), chunk(1, "x = 1")], [failed, left()]))
    assert finding.answer is Answer.UNCHECKED


def test_parts_of_a_listing_are_no_failures() -> None:
    runs = Ran(
        [chunk(0, "    y = x + 1\n"), chunk(1, "def f(x):\n    y = x + 1\n    return y\n")],
        [left(error="IndentationError: unexpected indent"), left()],
    )
    (finding,) = published_outputs(runs)
    assert (finding.kind, finding.severity) == (Kind.EXCERPT, Severity.NOTE)


def test_a_missing_package_is_one_finding_with_all_that_follows() -> None:
    runs = Ran(
        [
            chunk(0, "import nothing\nx = nothing.f()"),
            chunk(1, "y = x + 1\nprint(y)", output="2\n"),
            chunk(2, "print(y)", output="2\n"),
            chunk(3, "print(5)", output="5\n"),
            chunk(4, "tolerated()", error=True),
        ],
        [
            left(error="ModuleNotFoundError: No module named 'nothing'", line=2),
            left(error="NameError: name 'x' is not defined"),
            left(error="NameError: name 'y' is not defined"),
            left("5\n"),
            left(error="ValueError: as the author wants it"),
        ],
    )
    (finding,) = published_outputs(runs)
    assert kinds([finding]) == [(2, Kind.NEEDS_PACKAGE, Severity.NOTE)]
    assert finding.evidence == "nothing is not installed: 2 outputs"
    answers = [block.answer for block in judged(runs).blocks]
    assert answers == [Answer.UNCHECKED, Answer.UNCHECKED, Answer.REPRODUCED]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'", "data.csv is not beside"),
        ("URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", "needs the network"),
        ("there is no package called ‘dplyr’", "dplyr is not installed"),
        ("RuntimeError: Found no NVIDIA driver on your system", "this machine or the sandbox"),
        ("EOFError: EOF when reading a line", "asks for input"),
        ("UsageError: Line magic function `%lprun` not found.", "the magic %lprun is not installed"),
        ("ModuleNotFoundError: No module named 'scipy.misc'", "scipy.misc is not in the scipy that is here"),
    ],
)
def test_what_is_missing_here_is_named(error: str, said: str) -> None:
    (finding,) = published_outputs(Ran([chunk(0, "x = f()", output="1\n")], [left(error=error)]))
    assert finding.answer is Answer.UNCHECKED
    assert said in finding.evidence


def test_no_seed_is_one_finding_for_all_outputs() -> None:
    chunks = [
        chunk(0, "import numpy as np\nx = np.random.randn(3)\nprint(x)", output="[1. 2. 3.]\n"),
        chunk(1, "print(x.mean())", output="2.0\n"),
        chunk(2, "print(1 + 1)", output="3\n"),
    ]
    runs = Ran(
        chunks,
        [left("[4. 5. 6.]\n"), left("5.0\n"), left("2\n")],
        again=[left("[7. 8. 9.]\n"), left("5.0\n"), left("2\n")],
    )
    no_seed, wrong = published_outputs(runs)
    assert (no_seed.answer, no_seed.line) == (Answer.NOBODY, 3)
    assert no_seed.evidence.endswith("no seed is set before: 2 outputs")
    # The second output is the same in both runs, and still comes of what nobody can draw again.
    assert [block.answer for block in judged(runs).blocks] == [Answer.NOBODY, Answer.NOBODY, Answer.WRONG]
    assert wrong.evidence == "line 1 of the output: 3 is published, and the code prints 2"


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("import time\nprint(time.time())", Answer.NOBODY),
        ("print(id(3))", Answer.HERE),
        ("import numpy as np\nprint(np.uint8(200) + 61)", Answer.HERE),
        ("v = hash('a')\nprint(v)", Answer.HERE),
        ("import numpy as np\nprint(np.empty(1)[0])", Answer.HERE),
        ("import sys\nprint(sys.version_info[2])", Answer.HERE),
        ("import numpy as np\nnp.random.seed(1)\nprint(np.random.rand())", Answer.WRONG),
        ("import torch\ntorch.manual_seed(1)\nprint(torch.rand(1))", Answer.HERE),
        ("import pandas as pd\nprint(pd.Series([5])[0])", Answer.HERE),
        ("print(2 + 3)", Answer.WRONG),
    ],
)
def test_what_another_version_or_run_may_change_is_no_accusation(code: str, answer: Answer) -> None:
    (finding,) = published_outputs(Ran([chunk(0, code, output="7\n")], [left("5\n")]))
    assert finding.answer is answer


def test_the_last_digits_of_a_long_print_are_the_machines() -> None:
    published, produced = "0.30000000000000004\n", "0.30000000000000010\n"
    (finding,) = published_outputs(Ran([chunk(0, "print(x)", output=published)], [left(produced)]))
    assert finding.answer is Answer.HERE
    (finding,) = published_outputs(Ran([chunk(0, "print(x)", output=published)], [left("0.31\n")]))
    assert finding.answer is Answer.WRONG


def test_one_number_of_many_is_a_slip_whatever_the_package() -> None:
    code = "import pandas as pd\nprint(pd.Series([1, 2, 3, 4]))"
    published, produced = "0 1\n1 2\n2 9\n3 4\n", "0 1\n1 2\n2 3\n3 4\n"
    (finding,) = published_outputs(Ran([chunk(0, code, output=published)], [left(produced)]))
    assert finding.answer is Answer.WRONG


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("np.random.seed(1)\nprint(draw())", Answer.WRONG),
        ("print(draw())", Answer.NOBODY),
        ("print(draw.__name__)", Answer.WRONG),
    ],
)
def test_a_definition_draws_where_it_is_called(code: str, answer: Answer) -> None:
    runs = Ran([chunk(0, SEEDED), chunk(1, code, output="0.5\n")], [left(), left("0.4\n")])
    (finding,) = published_outputs(runs)
    assert finding.answer is answer


def test_streams_that_are_reproduced_elsewhere_are_the_authors() -> None:
    draws = "import torch\ntorch.manual_seed({0})\nprint(torch.rand(1))"
    chunks = [chunk(index, draws.format(index), output=f"0.{index}1\n") for index in range(1, 5)]
    chunks = [msgspec.structs.replace(c, index=place) for place, c in enumerate(chunks)]
    printed = [left(f"0.{index}1\n") for index in range(1, 4)]
    (finding,) = published_outputs(Ran(chunks, [*printed, left("0.99\n")]))
    assert finding.answer is Answer.WRONG
    off = [left("0.97\n"), left("0.98\n")]
    findings = published_outputs(Ran(chunks, [*printed[:2], *off]))
    assert {finding.answer for finding in findings} == {Answer.HERE}


def test_swapped_outputs_are_one_finding() -> None:
    chunks = [chunk(0, "print(1)", output="2\n"), chunk(1, "print(2)", output="1\n")]
    (finding,) = published_outputs(Ran(chunks, [left("1\n"), left("2\n")]))
    assert (finding.answer, len(finding.follows)) == (Answer.WRONG, 1)
    assert "line 16 are swapped" in finding.evidence


def test_an_error_that_is_shown_is_an_output() -> None:
    def shown(message: str) -> Answer:
        block = OutputBlock(
            line=6, text="IndexError: index 5", info="error", ename="IndexError", evalue="index 5"
        )
        failing = msgspec.structs.replace(chunk(0, "x[5]"), output=(block,))
        runs = Ran([failing], [left(error=message)])
        (block_said,) = judged(runs).blocks
        return block_said.answer

    assert shown("Error: index 5") is Answer.HERE
    assert shown("Error: index 6") is Answer.HERE
    assert shown("ModuleNotFoundError: No module named 'q'") is Answer.UNCHECKED


def said_of_prose(runs: Ran) -> list[str]:
    """Whether a number of line 9 is wrong, or worth a look beside a printed one."""
    said = judged(runs)
    prose = [finding for finding in said.findings if finding.kind is Kind.PROSE]
    looks = [suspect for suspect in said.suspects if suspect.shows.startswith("the text says")]
    assert all(one.line == 9 for one in (*prose, *looks))
    return [str(finding.severity) for finding in prose] + ["look"] * len(looks)


@pytest.mark.parametrize(
    ("written", "produced", "severity"),
    [
        ("0.8735", "0.8734", "wrong"),
        ("0.88", "0.87", "look"),
        ("0.8735", "0.8731", None),
        ("0.78", "0.87", "wrong"),
        ("71", "17.0", "wrong"),
        ("152", "142", "wrong"),
        ("143", "142", "look"),
    ],
)
def test_a_number_in_prose_is_compared_with_the_reproduced_one(
    written: str, produced: str, severity: str | None
) -> None:
    published = f"{produced}\n" if len(written) < 5 else "0.8734\n"
    runs = Ran([chunk(0, "print(x)", output=published)], [left(f"{produced}\n")])
    number = ProseNumber(
        line=9, text=written, quote=f"an accuracy of {written}", chunk=0, block=0, item=0, exact=False
    )
    runs.document = msgspec.structs.replace(runs.document, numbers=(number,))
    assert said_of_prose(runs) == ([severity] if severity is not None else [])


@pytest.mark.parametrize(
    ("quote", "elsewhere", "severity"),
    [
        ("a score of 0.8735", "", "wrong"),
        ("0.8735 instead", "", "look"),
        ("from 0.8735 to 0.8734", "", "look"),
        ("the score was 0.8735", "", "look"),
        ("a score of 0.8735", "0.8735\n", None),
        ("0.87349 is rounded to 0.8735", "", None),
    ],
)
def test_a_number_in_prose_may_be_another_that_the_document_knows(
    quote: str, elsewhere: str, severity: str | None
) -> None:
    chunks = [chunk(0, "print(x)", output="0.8734\n"), chunk(1, "print(y)", output=elsewhere)]
    runs = Ran(chunks, [left("0.8734\n"), left(elsewhere)])
    number = ProseNumber(line=9, text="0.8735", quote=quote, chunk=0, block=0, item=0, exact=False)
    runs.document = msgspec.structs.replace(runs.document, numbers=(number,))
    assert said_of_prose(runs) == ([severity] if severity is not None else [])


@pytest.mark.parametrize(
    ("written", "produced", "severity"),
    [
        ("-6.70", "-6.070860", "wrong"),
        ("-6.80", "-6.070860", "look"),
        ("42", "24", "look"),
        ("42 were found,", "24", "wrong"),
    ],
)
def test_a_number_that_is_compared_is_none_of_which_two_of_three_digits_are_turned(
    written: str, produced: str, severity: str
) -> None:
    runs = Ran([chunk(0, "print(x)", output=f"{produced}\n")], [left(f"{produced}\n")])
    quote = written if " " in written else f"{written} is in comparison to the smallest"
    written = written.partition(" ")[0]
    number = ProseNumber(line=9, text=written, quote=quote, chunk=0, block=0, item=0, exact=False)
    runs.document = msgspec.structs.replace(runs.document, numbers=(number,))
    assert said_of_prose(runs) == [severity]


@pytest.mark.parametrize("beside", ["97.3%", "0.973", "96.3%"])
def test_where_a_text_says_a_printed_share_another_share_is_none_of_it(beside: str) -> None:
    runs = Ran([chunk(0, "print(x)", output="0.97276\n")], [left("0.97276\n")])
    number = ProseNumber(
        line=9, text="97.7%", quote=f"97.7% here, and {beside} there", chunk=0, block=0, item=0, exact=False
    )
    runs.document = msgspec.structs.replace(runs.document, numbers=(number,))
    assert said_of_prose(runs) == ["wrong" if beside == "96.3%" else "look"]


def test_code_in_prose_is_compared_with_the_rendered_text() -> None:
    runs = Ran([chunk(0, "x = 3")], [left()])
    inline = InlineCode(line=8, language="python", code="x + 1", after=0, published="5")
    runs.document = msgspec.structs.replace(runs.document, inline=(inline, inline))
    for name in ("published", "again"):
        runs.__dict__[name] = msgspec.structs.replace(runs.__dict__[name], inline={0: "4\n", 1: "5\n"})
    (finding,) = published_outputs(runs)
    assert (finding.line, finding.answer, finding.smallest) == (8, Answer.WRONG, "x + 1")
    assert finding.evidence == "the text shows 5, and the code in it gives 4"


@pytest.mark.parametrize(
    ("comment", "printed", "answer"),
    [
        ("5", "[1] 5\n", Answer.REPRODUCED),
        ('"abc"', "'abc'\n", Answer.REPRODUCED),
        ("5", "[1] 6\n", Answer.WRONG),
        ("four, as always", "[1] 4\n", Answer.UNCHECKED),
    ],
)
def test_a_comment_is_compared_as_a_value(comment: str, printed: str, answer: Answer) -> None:
    block = OutputBlock(line=3, text=comment, info="value", after=1)
    runs = Ran([msgspec.structs.replace(chunk(0, "x", "r"), output=(block,))], [left(printed)])
    assert [said.answer for said in judged(runs).blocks] == [answer]


@pytest.mark.parametrize(
    ("other", "comment", "answer"),
    [
        ("TRUE", "FALSE", Answer.WRONG),
        ("as said", "FALSE", Answer.UNCHECKED),
        ("TRUE", "false alarm", Answer.UNCHECKED),
    ],
)
def test_a_truth_behind_code_states_its_value_beside_one_that_is_right(
    other: str, comment: str, answer: Answer
) -> None:
    texts = (other, comment)
    blocks = [OutputBlock(line=3, text=text, info="value", after=1, certain=False) for text in texts]
    chunks = [
        msgspec.structs.replace(chunk(n, "3 > 1", "r"), output=(block,)) for n, block in enumerate(blocks)
    ]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(2, 12)]
    results = [left("[1] TRUE\n")] * 2 + [left(f"[1] {n + 1}\n") for n in range(2, 12)]
    assert judged(Ran(chunks, results)).blocks[1].answer is answer


def test_a_comment_behind_an_output_is_none_of_it() -> None:
    runs = Ran([chunk(0, "x", output="[1, 2]  # one\n[3, 4]  # two\n")], [left("[1, 2]\n[3, 4]\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.REPRODUCED]
    runs = Ran([chunk(0, "x", output="[1, 2]  # or more\n")], [left("[1, 5]\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.HERE]


def test_a_failure_in_a_listing_does_not_hide_what_has_nothing_to_do_with_it() -> None:
    blocks = (
        OutputBlock(line=4, text="1", info="value", after=2),
        OutputBlock(line=6, text="3", info="value", after=3),
        OutputBlock(line=7, text="3", info="value", after=4),
    )
    listing = msgspec.structs.replace(chunk(0, "x = input()\nx\n1 + 1\nx + 1"), output=blocks)
    failed, fine = left(error="EOFError: EOF when reading a line", line=2), left("2\n")
    runs = Ran([listing], [left("2\n2\n", error="EOFError: EOF when reading a line", line=2)])
    results = runs.__dict__["published"]
    parts = (msgspec.structs.replace(results.chunks[0], parts=(failed, fine, left("2\n"))),)
    for name in ("published", "again", "patched"):
        runs.__dict__[name] = msgspec.structs.replace(results, chunks=parts)
    answers = [said.answer for said in judged(runs).blocks]
    assert answers == [Answer.UNCHECKED, Answer.WRONG, Answer.UNCHECKED]
    (wrong,) = [finding for finding in published_outputs(runs) if finding.answer is Answer.WRONG]
    assert (wrong.line, wrong.smallest) == (4, "1 + 1")


def test_numbers_that_two_runs_agree_on_are_not_drawn() -> None:
    draws = chunk(0, "import numpy as np\nx = np.random.rand(3)\nn = 2213")
    for published, printed, answer in (("2217\n", "2213\n", Answer.WRONG), ("4\n", "3\n", Answer.NOBODY)):
        runs = Ran([draws, chunk(1, "print(x.size, n)", output=published)], [left(), left(printed)])
        assert [said.answer for said in judged(runs).blocks] == [answer]


@pytest.mark.parametrize(
    ("published", "alike", "answer"),
    [
        ("total: 4\n", 3, Answer.WRONG),
        ("total: 4\n", 2, Answer.UNCHECKED),
        ("total: 4\n", 0, Answer.UNCHECKED),
        ("project/\n  main.py\n", 3, Answer.UNCHECKED),
    ],
)
def test_what_may_be_no_output_is_accused_only_of_a_number_and_where_others_are_outputs(
    published: str, alike: int, answer: Answer
) -> None:
    def uncertain(index: int, text: str) -> Chunk:
        block = OutputBlock(line=6, text=text, certain=False)
        return msgspec.structs.replace(chunk(index, f"print(x, {index})"), output=(block,))

    chunks = [uncertain(n, f"total: {n}\n") for n in range(5, 5 + alike)]
    chunks = [
        uncertain(0, published),
        *(msgspec.structs.replace(c, index=n) for n, c in enumerate(chunks, 1)),
    ]
    printed = [left("total: 3\n"), *(left(f"total: {n}\n") for n in range(5, 5 + alike))]
    assert judged(Ran(chunks, printed)).blocks[0].answer is answer


def test_a_part_of_what_is_printed_is_no_accusation() -> None:
    runs = Ran([chunk(0, "print(1)\nprint(2)", output="## 2\n")], [left("1\n2\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.HERE]
    runs = Ran([chunk(0, "print(1)\nprint(2)", output="## 3\n")], [left("1\n2\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.WRONG]


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("NameError: name 'x_1' is not defined", "x_1"),
        ("object 'a.b' not found", "a.b"),
        ('could not find function "f"', "f"),
        ("UndefVarError: ∂loss_∂p not defined", "∂loss_∂p"),
        ("UndefVarError: `push2!` not defined", "push2!"),
        ("ValueError: x", ""),
    ],
)
def test_the_name_that_an_error_says_is_not_defined(error: str, name: str) -> None:
    assert undefined_name(CodeError(message=error, kind="Error")) == name


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("# 'rack'\n", "'rack'\n", Answer.REPRODUCED),
        ("# [1, 2]\n# [3]\n", "[1, 2]\n[3]\n", Answer.REPRODUCED),
        ("# 'rack'\n", "'tack'\n", Answer.HERE),
        ("# 44671\n", "44617\n", Answer.HERE),
    ],
)
def test_what_is_printed_may_be_written_as_remarks(published: str, printed: str, answer: Answer) -> None:
    (block,) = judged(Ran([chunk(0, "x", output=published)], [left(printed)])).blocks
    assert block.answer is answer
