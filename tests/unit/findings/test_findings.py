"""What findings are made of: statements, differences, blocks and pages; no runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import pytest

from harness.documents.engine import RunSettings
from harness.documents.model import Chunk, Document, InlineCode, OutputBlock, ProseNumber
from harness.documents.patch import Patch, Place
from harness.documents.results import ChunkRun, Execution
from harness.errors import CaseError, ExitCode, WorkerTimeout
from harness.findings.answers import judged, published_outputs
from harness.findings.failures import as_script, silent_after_errors
from harness.findings.knowledge import FILE, load_knowledge
from harness.findings.mathematics import _compare, _ratio
from harness.findings.report import (
    as_object,
    exit_code,
    html_page,
    summary,
    text_page,
    write_pages,
)
from harness.findings.runs import DocumentRuns
from harness.findings.track import difference
from harness.findings.training import training_diverges
from harness.model.article import Answer, BlockKind, Count, Examined, Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import Sandbox
from harness.sessions.session import CodeError, Evaluated
from harness.sessions.statements import python_statements, quoted, text_of, without


def chunk(index: int, code: str, language: str = "python", output: str = "", **given: Any) -> Chunk:
    line = 10 * index + 1
    blocks = (OutputBlock(line=line + 5, text=output),) if output else ()
    return Chunk(
        index=index, line=line, end_line=line + 4, code_line=line + 1, language=language, code=code,
        output=blocks, **given,
    )  # fmt: skip


def left(text: str = "", error: str = "", line: int | None = None, seconds: float = 0.1) -> Evaluated:
    problem = CodeError(message=error, kind="Error", line=line) if error else None
    return Evaluated(text=text, messages="", error=problem, seconds=seconds)


def executed(
    document: Document, results: list[Evaluated], patched: dict[int, str] | None = None
) -> Execution:
    runs = tuple(
        ChunkRun(
            index=chunk.index,
            line=chunk.line,
            language=chunk.language,
            left=evaluated,
            patched=((patched or {})[chunk.index],) if chunk.index in (patched or {}) else (),
        )
        for chunk, evaluated in zip(document.chunks, results, strict=True)
    )
    return Execution(
        document=document, mode="prompt", chunks=runs, tracks=(), captured={}, sandbox="", seconds=1.0
    )


class Ran(DocumentRuns):
    """Runs that are over."""

    def __init__(
        self,
        chunks: list[Chunk],
        published: list[Evaluated],
        patched: list[Evaluated] | None = None,
        other_mode: list[Evaluated] | None = None,
        change: dict[int, str] | None = None,
        again: list[Evaluated] | None = None,
        kind: Literal["markdown", "notebook"] = "markdown",
    ) -> None:
        document = Document(path=Path("a.md"), kind=kind, title="A", chunks=tuple(chunks))
        patches = tuple(
            Patch(id=name, chunk=Place(index=index), find="x", replace="y", reason="known")
            for index, name in (change or {}).items()
        )
        super().__init__(
            document,
            registry=Registry({}, Path()),
            sandbox=Sandbox(kind="none"),
            plan=RunSettings(patches=patches),
        )
        self.__dict__["published"] = executed(document, published)
        self.__dict__["again"] = executed(document, again or published)
        self.__dict__["patched"] = (
            executed(document, patched, change) if patched is not None else self.__dict__["published"]
        )
        self.__dict__["other_mode"] = executed(document, other_mode or published)


def kinds(findings: Any) -> list[tuple[int, Kind, Severity]]:
    return [(finding.line, finding.kind, finding.severity) for finding in findings]


# ---- statements ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "sets", "reads", "inner"),
    [
        ("a, b = c, 1", {"a", "b"}, {"c"}, set()),
        ("a += b", {"a"}, {"a", "b"}, set()),
        ("a[i] = b", {"a"}, {"a", "i", "b"}, set()),
        ("a.w = b", {"a"}, {"a", "b"}, set()),
        ("import torch.nn as nn, os.path", {"nn", "os"}, set(), set()),
        ("x = [f(i) for i in y]", {"x"}, {"f", "y"}, set()),
        ("def f(x, y=z):\n    w = x + g\n    return w", {"f"}, {"z"}, {"g"}),
        ("f = lambda x: x + g", {"f"}, set(), {"g"}),
        (
            "class A(B):\n  def __init__(self, h):\n    self.h = h\n  def go(self, x):\n    return x * h",
            {"A"},
            {"B"},
            {"h"},
        ),
        ("def f():\n    return [g for g in range(n)]", {"f"}, set(), {"range", "n"}),
    ],
)
def test_names_of_a_statement(code: str, sets: set[str], reads: set[str], inner: set[str]) -> None:
    (statement,) = python_statements(0, code)
    assert statement.sets == sets
    assert statement.reads == reads
    assert statement.inner == inner


def test_a_removed_statement_leaves_the_other_lines_where_they_were() -> None:
    code = "a = 1\nb = (\n    2\n)\nc = 3"
    statements = list(python_statements(0, code))
    assert text_of(code, statements[1]) == "b = (\n    2\n)"
    assert without(code, [statements[1]]).split("\n") == ["a = 1", "", "", "", "c = 3"]


def test_a_quoted_text_is_the_text() -> None:
    text = 'a "b" \\ $x\n\t∂α 😀'
    for language in ("python", "r", "julia"):
        literal = quoted(text, language)
        assert literal.isascii()
        assert eval(literal.replace("\\$", "$")) == text
    assert "\\$x" in quoted(text, "julia")


# ---- numbers ---------------------------------------------------------------------------------------------


def test_difference_is_said_in_numbers() -> None:
    ones = np.ones((2, 3))
    assert difference(ones, ones.copy()) == ""
    assert difference(np.array([np.nan]), np.array([np.nan])) == ""
    assert difference(ones, np.ones((3, 2))) == "shape 2×3 and 3×2"
    moved = ones.copy()
    moved[1, 2] = 1.5
    assert difference(ones, moved) == "differs by up to 0.5, in 1 of 6 values"
    assert "not finite" in difference(ones, np.full((2, 3), np.nan))
    assert "differs by up to 1" in difference(np.array([True]), np.array([False]))


def test_gradients_are_compared_by_direction_and_length() -> None:
    exact = np.array([3.0, 4.0])
    assert _compare(exact, exact) == (1.0, 1.0)
    cosine, length = _compare(2 * exact, exact)
    assert (round(cosine, 12), length) == (1.0, 2.0)
    assert _compare(np.array([4.0, -3.0]), exact)[0] == pytest.approx(0.0)
    assert _compare(np.zeros(2), exact) == (0.0, 0.0)
    assert _compare(np.zeros(2), np.zeros(2)) == (1.0, 1.0)


def test_a_common_factor_is_named_only_where_there_is_one() -> None:
    stated = np.array([1.0, -2.0, 3.0])
    assert _ratio(stated / 2, stated) == "0.5 times the stated"
    assert _ratio(np.array([1.0, 2.0, 3.0]), stated) == ""
    assert _ratio(np.zeros(3), np.zeros(3)) == ""
    assert _ratio(np.array([np.nan, 1.0, np.inf]), stated) == ""


# ---- detectors that read runs ----------------------------------------------------------------------------


def test_a_failing_chunk_names_those_that_fail_because_of_it() -> None:
    runs = Ran(
        [
            chunk(0, "m = broken()", evaluated=True, executable=True),
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
    assert finding.follows == ("line 21: fails: NameError: name 'm' is not defined", "line 26: output")
    assert [block.answer for block in judged(runs).blocks] == [Answer.WRONG]


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
        ("ModuleNotFoundError: No module named 'scipy.misc'", "scipy is not installed"),
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
        ("print(id(3))", Answer.NOBODY),
        ("import numpy as np\nprint(np.empty(1)[0])", Answer.NOBODY),
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


SEEDED = "import numpy as np\ndef draw():\n    return np.random.rand()"


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


def test_a_chunk_that_fails_only_as_a_script() -> None:
    chunks = [chunk(0, "x = 1", "julia"), chunk(1, "for i in 1:2\n  x += i\nend", "julia")]
    failed = left(error="UndefVarError: x not defined", line=13)
    (finding,) = as_script(Ran(chunks, [left(), left()], other_mode=[left(), failed]))
    assert (finding.line, finding.kind) == (13, Kind.SCRIPT_FAILS)
    assert not list(as_script(Ran(chunks, [left(), failed], other_mode=[left(), failed])))


def test_output_differs_and_what_runs_on_after_a_failure() -> None:
    chunks = [chunk(0, "x"), chunk(1, "print(1.5)", output="1.5\n"), chunk(2, "print(2)", output="2\n")]
    runs = Ran(
        chunks,
        [left(error="Error: x"), left("0.0\n"), left("2\n")],
        [left(), left("1.5\n"), left("2\n")],
        change={0: "known_fault"},
    )
    blocks = judged(runs).blocks
    assert [block.verdict.kind for block in blocks] == [BlockKind.DIFFERS, BlockKind.REPRODUCED]
    assert blocks[0].patched is not None
    assert blocks[0].patched.kind is BlockKind.REPRODUCED
    (silent,) = silent_after_errors(runs)
    assert (silent.line, silent.kind) == (11, Kind.SILENT)
    assert "'0.0'" in silent.evidence
    assert "'1.5'" in silent.evidence


@pytest.mark.parametrize(
    ("text", "diverges"),
    [
        ("".join(f"loss: {value}\n" for value in (1.1, 1.0, 3.0, "NaN", "NaN", "NaN")), True),
        ("".join(f"loss: {value}\n" for value in (1.1, 1.0, 0.9, 0.8, 0.7, 0.6)), False),
        ("".join(f"loss: {value}\n" for value in ("NaN",) * 6), False),
        ("loss: 1.0\nloss: NaN\n", False),
    ],
)
def test_training_diverges_where_a_sequence_ends_in_nan(text: str, diverges: bool) -> None:
    findings = list(training_diverges(Ran([chunk(0, "for e in range(6):\n    pass")], [left(text)])))
    assert bool(findings) is diverges
    if diverges:
        assert "from line 4 of 6" in findings[0].evidence
        assert findings[0].line == 2


# ---- what is known of a document -------------------------------------------------------------------------


def test_probes_are_read_and_refused_with_their_line(tmp_path: Path) -> None:
    case = tmp_path / "a"
    case.mkdir()
    (case / FILE).write_text(
        'file = "a.md"\n[[stated]]\nid = "s"\nlanguage = "r"\nstates = "y"\nline = "x"\nsizes = [1]\n'
        'values = { y = { published = "f(x)", stated = "x" } }\n',
        encoding="utf-8",
    )
    (known,) = load_knowledge(tmp_path)
    assert known.stated[0].values["y"].published == "f(x)"
    (case / FILE).write_text("file = \n", encoding="utf-8")
    with pytest.raises(CaseError, match=r"probes\.toml:1: is not TOML"):
        load_knowledge(tmp_path)
    (case / FILE).write_text('file = "a.md"\nfolder = "b"\n', encoding="utf-8")
    with pytest.raises(CaseError, match=r"probes\.toml:2: unknown key 'folder'"):
        load_knowledge(tmp_path)


# ---- pages -----------------------------------------------------------------------------------------------


def finding(severity: Severity, line: int = 1, evidence: str = "it is <b>3</b>") -> Finding:
    return Finding(
        document="a.md", line=line, language="r", chunk=0, kind=Kind.CHUNK_FAILS, severity=severity,
        evidence=evidence, consequence="so it is", smallest="x = 1",
    )  # fmt: skip


GOOD = Examined(document="a.md", counts=(Count(language="r", total=2, run=2, sound=1),))


@pytest.mark.parametrize(
    ("documents", "code"),
    [
        ([GOOD], ExitCode.OK),
        (
            [Examined(document="a.md", findings=(finding(Severity.FRAGILE), finding(Severity.NOTE)))],
            ExitCode.OK,
        ),
        ([Examined(document="a.md", findings=(finding(Severity.WRONG),))], ExitCode.DIVERGENCE),
        ([Examined(document="a.md", failure="no")], ExitCode.WORKER_FAILED),
        ([Examined(document="a.md", problem="no"), Examined(document="b.md", failure="no")], ExitCode.USAGE),
    ],
)
def test_exit_codes(documents: list[Examined], code: ExitCode) -> None:
    assert exit_code(documents) is code
    assert as_object(documents)["exit_code"] == code


def test_pages_say_everything_and_escape_what_is_a_strangers(tmp_path: Path) -> None:
    examined = Examined(
        document="a.md",
        title="<script>alert(1)</script>",
        counts=(Count(language="r", total=2, run=2, sound=1),),
        findings=(finding(Severity.NOTE, 9), finding(Severity.WRONG, 5), finding(Severity.WRONG, 3)),
        stand_ins={"torch": "not the real one"},
        patches={"margin": "a known fault"},
        sandbox="in a box",
        unchecked=("gradients: no session",),
    )
    html, text = html_page(examined), text_page(examined)
    assert "<script>" not in html
    assert "it is &lt;b&gt;3&lt;/b&gt;" in html
    for page in (html, text):
        assert "not the real one" in page
        assert "a known fault" in page
        assert "in a box" in page
        assert "gradients: no session" in page
        assert "x = 1" in page
    assert text.index("Wrong (2)") < text.index("Notes (1)")
    pages = write_pages([examined, examined], tmp_path)
    assert len(set(pages)) == len(pages) == 4
    assert all(path.read_text(encoding="utf-8") for path in pages)


def test_an_unreadable_document_has_a_page_too() -> None:
    examined = Examined(document="a.md", problem="a.md:3: never closed")
    assert "never closed" in text_page(examined)
    assert "never closed" in html_page(examined)
    assert "cannot be read" in summary([examined, GOOD])


def test_the_summary_counts() -> None:
    given = as_object([GOOD, Examined(document="b.md", findings=(finding(Severity.WRONG),))])
    assert given["summary"]["chunks"] == 2
    assert given["summary"]["chunks_sound"] == 1
    assert given["summary"]["findings"] == {"wrong": 1}
    assert given["documents"][1]["findings"][0]["kind"] == "chunk fails"


def test_statements_of_a_syntax_error_are_none() -> None:
    assert list(python_statements(0, "def")) == []


# ---- prose -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "produced", "severity"),
    [("0.8735", "0.8734", Severity.WRONG), ("0.88", "0.87", Severity.FRAGILE), ("0.8735", "0.8731", None)],
)
def test_a_number_in_prose_is_compared_with_the_reproduced_one(
    written: str, produced: str, severity: Severity | None
) -> None:
    published = "0.87\n" if len(written) == 4 else "0.8734\n"
    runs = Ran([chunk(0, "print(x)", output=published)], [left(f"{produced}\n")])
    number = ProseNumber(
        line=9, text=written, quote=f"an accuracy of {written}", chunk=0, block=0, item=0, exact=False
    )
    runs.document = msgspec.structs.replace(runs.document, numbers=(number,))
    prose = [finding for finding in published_outputs(runs) if finding.kind is Kind.PROSE]
    assert [finding.severity for finding in prose] == ([severity] if severity is not None else [])
    assert all(finding.line == 9 for finding in prose)


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


def test_a_comment_behind_an_output_is_none_of_it() -> None:
    runs = Ran([chunk(0, "x", output="[1, 2]  # one\n[3, 4]  # two\n")], [left("[1, 2]\n[3, 4]\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.REPRODUCED]
    runs = Ran([chunk(0, "x", output="[1, 2]  # one\n")], [left("[1, 5]\n")])
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


def test_no_session_begins_when_the_time_for_experiments_is_up() -> None:
    runs = Ran([chunk(0, "x = 1")], [left()])
    runs.until = 0.001
    with pytest.raises(WorkerTimeout, match="--seconds"), runs.session("python"):
        pass


@pytest.mark.parametrize(
    ("published", "answer"), [("total: 4\n", Answer.WRONG), ("project/\n  main.py\n", Answer.UNCHECKED)]
)
def test_what_may_be_no_output_is_accused_only_of_a_number(published: str, answer: Answer) -> None:
    block = OutputBlock(line=6, text=published, certain=False)
    runs = Ran([msgspec.structs.replace(chunk(0, "print(x)"), output=(block,))], [left("total: 3\n")])
    assert [said.answer for said in judged(runs).blocks] == [answer]


def test_a_part_of_what_is_printed_is_no_accusation() -> None:
    runs = Ran([chunk(0, "print(1)\nprint(2)", output="## 2\n")], [left("1\n2\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.HERE]
    runs = Ran([chunk(0, "print(1)\nprint(2)", output="## 3\n")], [left("1\n2\n")])
    assert [said.answer for said in judged(runs).blocks] == [Answer.WRONG]
