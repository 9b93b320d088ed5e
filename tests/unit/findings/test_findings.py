"""What findings are made of: statements, differences, blocks and pages; no runtime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.errors import CaseError, ExitCode, WorkerTimeout
from harness.findings.answers import judged
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
from harness.findings.track import difference
from harness.findings.training import training_diverges
from harness.model.article import BlockKind, Count, Examined, Finding, Kind, Severity
from harness.sessions.statements import python_statements, quoted, text_of, without
from tests.unit.findings.made_runs import Ran, chunk, left

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
        ("def f(x: A, *y: B, z: C = d, **k: E) -> F:\n    return x", {"f"}, set("ABCdEF"), set()),
        ("async def f(x: A = b):\n    return x + g", {"f"}, {"A", "b"}, {"g"}),
        ("f = lambda x: x + g", {"f"}, set(), {"g"}),
        (
            "class A(B):\n  def __init__(self, h):\n    self.h = h\n  def go(self, x):\n    return x * h",
            {"A"},
            {"B"},
            {"h"},
        ),
        ("class A(B, metaclass=M):\n  x = 1", {"A"}, {"B", "M"}, set()),
        ("f = lambda x=h: x + g", {"f"}, {"h"}, {"g"}),
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


def test_no_session_begins_when_the_time_for_experiments_is_up() -> None:
    runs = Ran([chunk(0, "x = 1")], [left()])
    runs.until = 0.001
    with pytest.raises(WorkerTimeout, match="--seconds"), runs.session("python"):
        pass
