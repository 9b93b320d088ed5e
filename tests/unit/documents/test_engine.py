import itertools
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from harness.documents.engine import RunSettings, execute_document, session_setting
from harness.documents.model import Chunk, DataBlock, Document, DocumentKind
from harness.documents.patch import Capture, Patch, Place
from harness.documents.results import Execution, counts
from harness.errors import CaseError, UsageError
from harness.runtimes.registry import Registry
from harness.sessions import lasting_session, scratch
from harness.sessions.sandbox import Limits, find_sandbox

SANDBOX = find_sandbox(unsandboxed=True)
HERE = Path(__file__).parent


def document(
    *codes: str | Chunk, kind: DocumentKind = "markdown", folder: Path = HERE, engine: str = ""
) -> Document:
    chunks = []
    line = 3
    for index, code in enumerate(codes):
        if isinstance(code, str):
            lines = code.count("\n") + 1
            chunk = Chunk(
                index=index,
                line=line,
                end_line=line + lines + 1,
                code_line=line + 1,
                language="python",
                code=code,
            )
        else:
            chunk = code
        chunks.append(chunk)
        line = chunk.end_line + 2
    return Document(path=folder / "a.md", kind=kind, title="", engine=engine, chunks=tuple(chunks))


def execute(what: Document, **plan: object) -> Execution:
    return execute_document(
        what,
        registry=Registry.load(HERE),
        sandbox=SANDBOX,
        trust=True,
        plan=RunSettings(**plan),  # type: ignore[arg-type]
    )


def texts(execution: Execution) -> list[str | None]:
    return [run.left.text if run.left is not None else None for run in execution.chunks]


def test_nothing_runs_without_trust() -> None:
    with pytest.raises(UsageError, match="stranger"):
        execute_document(document("1"), registry=Registry.load(HERE), sandbox=SANDBOX, trust=False)


class TestPrompt:
    def test_chunks_share_a_session_in_document_order(self) -> None:
        execution = execute(document("x = 2", "x = x * 21", "x"))
        assert texts(execution) == ["", "", "42\n"]

    def test_a_plain_prompt_shows_every_value(self) -> None:
        assert texts(execute(document("1\nNone\n'a'\nx = 3\nprint(4)\nx"))) == ["1\n'a'\n4\n3\n"]

    def test_a_notebook_shows_the_last_one(self) -> None:
        assert texts(execute(document("1\nprint(2)\n3", kind="notebook"))) == ["2\n3\n"]
        assert texts(execute(document("1\nx = 2", kind="notebook"))) == [""]

    @pytest.mark.parametrize(
        ("code", "shown"),
        [
            ("print(2)\n3;", "2\n"),
            ("print('\u00e9'); '\u00e9' ;  # quiet", "\u00e9\n"),
            ("(3,\n 4);", ""),
            ("3;\n4", "4\n"),
            ("print(1); 2", "1\n2\n"),
            ("'a;'", "'a;'\n"),
        ],
    )
    def test_a_semicolon_at_its_end_silences_a_cell_of_a_notebook(self, code: str, shown: str) -> None:
        assert texts(execute(document(code, kind="notebook"))) == [shown]

    def test_quarto_asks_its_engine(self) -> None:
        assert texts(execute(document("1\n2", kind="quarto"))) == ["2\n"]
        assert texts(execute(document("1\n2", kind="quarto", engine="knitr"))) == ["1\n2\n"]
        assert texts(execute(document("1\n2", engine="jupyter"))) == ["2\n"]

    @pytest.mark.parametrize(("beside", "show"), [("r", "each"), ("python", "last")])
    def test_a_notebook_of_r_shows_every_value(self, tmp_path: Path, beside: str, show: str) -> None:
        cells = (
            Chunk(index=0, line=1, end_line=2, code_line=2, language=each, code="1") for each in ("r", beside)
        )
        what = document(*cells, kind="notebook", folder=tmp_path)
        assert session_setting(what, "r", RunSettings(), SANDBOX, tmp_path).show == show

    def test_a_script_shows_nothing(self) -> None:
        assert texts(execute(document("1\nprint(2)\n3"), mode="script")) == ["2\n"]

    def test_a_script_beside_the_document_shows_nothing_and_shares_nothing(self) -> None:
        code = "'doc'\nprint(__name__, 'x' in globals())"
        script = Chunk(
            index=1,
            line=9,
            end_line=9,
            code_line=1,
            language="python",
            code=code,
            track="b.py",
            source="b.py",
        )
        assert texts(execute(document("x = 1", script, "x"))) == ["", "__main__ False\n", "1\n"]

    def test_what_c_and_other_programs_print_comes_in_order(self) -> None:
        code = (
            "import ctypes, os\nprint(1)\nn = ctypes.CDLL(None).puts(b'2')\nn = os.system('echo 3')\nprint(4)"
        )
        assert texts(execute(document(code))) == ["1\n2\n3\n4\n"]

    def test_standard_error_and_warnings_are_apart(self) -> None:
        code = "import sys, warnings\nprint('e', file=sys.stderr)\nwarnings.warn('w')\nprint('o')"
        left = execute(document(code)).chunks[0].left
        assert left is not None
        assert left.text == "o\n"
        assert "e\n" in left.messages
        assert left.warnings == ("UserWarning: w",)


class TestErrors:
    def test_an_error_has_its_line_of_the_document_and_the_others_go_on(self) -> None:
        execution = execute(document("def f(n):\n    return 1 / n", "x = 1\nf(0)\nx = 2", "x"))
        failed = execution.chunks[1]
        assert failed.error is not None
        assert failed.error.message == "ZeroDivisionError: division by zero"
        assert failed.error.line == 5
        assert texts(execution)[2] == "1\n"

    def test_a_chunk_that_tolerates_errors_goes_on_itself(self) -> None:
        chunk = Chunk(
            index=0,
            line=1,
            end_line=4,
            code_line=2,
            language="python",
            code="print(1)\n1 / 0\nprint(2)",
            error=True,
        )
        run = execute(document(chunk)).chunks[0]
        assert run.left is not None
        assert run.left.text == "1\n2\n"
        assert run.error is not None

    def test_part_of_a_program_is_incomplete(self) -> None:
        run = execute(document("    x = 1")).chunks[0]
        assert run.incomplete
        assert run.error is not None
        assert run.error.line == 4
        assert not execute(document("1 / 0")).chunks[0].incomplete

    def test_leaving_is_an_error_and_not_the_end(self) -> None:
        execution = execute(document("import sys; sys.exit(3)", "1"))
        assert execution.chunks[0].error is not None
        assert execution.chunks[0].error.kind == "SystemExit"
        assert texts(execution)[1] == "1\n"

    def test_a_session_that_ends_is_begun_anew_without_the_statement(self) -> None:
        execution = execute(document("x = 1", "y = 2\nimport os; os._exit(7)\ny = 3", "x, y"))
        error = execution.chunks[1].error
        assert error is not None
        assert "exit code 7" in error.message
        assert (error.kind, error.line) == ("ended", 9)
        assert texts(execution)[2] == "(1, 2)\n"
        assert not execution.tracks[0].ended
        assert [(c.total, c.run, c.sound) for c in counts(execution)] == [(3, 3, 2)]

    def test_another_run_leaves_out_what_did_not_end(self) -> None:
        what = document("x = 1", "print('begins')\nwhile x:\n    pass", "x")
        first = execute(what, limits=Limits(chunk_seconds=3))
        again = execute(what, limits=Limits(chunk_seconds=3), lost=first.lost)
        assert texts(first) == texts(again) == ["", "begins\n", "1\n"]
        errors = [run.chunks[1].error for run in (first, again)]
        assert errors[0] == errors[1] is not None
        assert again.seconds < first.seconds - 2

    def test_what_ends_a_session_again_and_again_has_a_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lasting_session, "_LEAST", 0.0)
        # Whatever else the machine has to do, each start and each evaluation takes 2.2 s by this clock.
        clock = SimpleNamespace(monotonic=itertools.count(0, 2.2).__next__)
        monkeypatch.setattr(lasting_session, "time", clock)
        endless = "while True: pass"
        execution = execute(document(endless, endless, "1"), limits=Limits(chunk_seconds=2))
        first, second = (run.error.message for run in execution.chunks[:2] if run.error is not None)
        assert "begun anew without it" in first
        assert "not begun anew: that would take more than 4 s" in second
        assert "not begun anew" in execution.chunks[2].skipped
        assert execution.tracks[0].ended

    def test_running_again_has_time_of_its_own(self) -> None:
        lost = lasting_session.TimeLost(100)
        lost.spent = lost.again = 120.0
        assert lost.allows(80)
        assert not lost.allows(81)
        lost.spent = 201.0
        assert not lost.allows(1)

    def test_a_long_document_is_run_to_its_end(self) -> None:
        chunks = [f"x{n} = {n}\nx{n}" for n in range(120)]
        chunks[40] = chunks[80] = "while True:\n    pass"
        chunks[60] = "import os\nos.abort()"
        execution = execute(document(*chunks), limits=Limits(chunk_seconds=3))
        failed = [run.index for run in execution.chunks if run.error is not None]
        assert failed == [40, 60, 80]
        assert all(run.ran for run in execution.chunks)
        assert texts(execution)[119] == "119\n"

    def test_lines_behind_it_run_where_an_error_stops_nothing(self) -> None:
        chunk = Chunk(
            index=0, line=1, end_line=5, code_line=2, language="python", error=True,
            code="x = 1\nimport os\nos._exit(3)\nx + 1",
        )  # fmt: skip
        run = execute(document(chunk)).chunks[0]
        assert run.left is not None
        assert run.left.text == "2\n"
        assert run.error is not None
        assert run.error.line == 4

    def test_what_is_not_kept_is_counted(self) -> None:
        run = execute(document("print('x' * 5000)"), limits=Limits(text_bytes=1000)).chunks[0]
        assert run.left is not None
        assert len(run.left.text) == 1000
        assert run.left.cut == 4001


class TestWhatRuns:
    def chunk(self, **given: object) -> Chunk:
        return Chunk(
            **{
                "index": 0,
                "line": 1,
                "end_line": 3,
                "code_line": 2,
                "language": "python",
                "code": "1",
                **given,
            }  # type: ignore[arg-type]
        )

    def test_eval_false_needs_a_word(self) -> None:
        what = document(self.chunk(evaluated=False))
        assert "eval is false" in execute(what).chunks[0].skipped
        assert texts(execute(what, run_unevaluated=True)) == ["1\n"]

    def test_a_language_that_nobody_speaks(self) -> None:
        run = execute(document(self.chunk(language="fortran", supported=False))).chunks[0]
        assert run.skipped == "no engine runs fortran"

    def test_tabs_of_one_language_are_tracks_of_their_own(self) -> None:
        def of(index: int, code: str, track: str) -> Chunk:
            return self.chunk(index=index, code=code, track=track)

        what = document(of(0, "x = 1", ""), of(1, "x += 1; x", "first"), of(2, "x += 10; x", "second"))
        execution = execute(what)
        assert [(run.track, run.left.text) for run in execution.chunks if run.left and run.left.text] == [
            ("first", "2\n"),
            ("second", "11\n"),
        ]
        assert len(execution.tracks) == 2

    def test_files_beside_it_may_be_changed_and_stay_as_they_are(self, tmp_path: Path) -> None:
        for name in ("a.csv", "b.csv", "c.csv"):
            (tmp_path / name).write_text(name)
            (tmp_path / name).chmod(0o444)
        codes = (
            "n = open('a.csv', 'a').write('+'); open('a.csv').read()",
            "import os; n = open('new', 'w').write('n'); os.replace('new', 'b.csv'); open('b.csv').read()",
            "os.remove('c.csv'); os.path.exists('c.csv')",
        )
        execution = execute(document(*codes, folder=tmp_path))
        assert texts(execution) == ["'a.csv+'\n", "'n'\n", "False\n"]
        assert [(tmp_path / name).read_text() for name in ("a.csv", "b.csv", "c.csv")] == [
            "a.csv", "b.csv", "c.csv",
        ]  # fmt: skip
        assert texts(execute(document(codes[0], folder=tmp_path))) == ["'a.csv+'\n"]

    def test_what_is_large_is_read_only(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(scratch, "_LARGEST", 3)
        (tmp_path / "a.csv").write_text("1,2,3")
        execution = execute(document("open('a.csv').read()", "open('a.csv', 'w')", folder=tmp_path))
        assert texts(execution)[0] == "'1,2,3'\n"
        error = execution.chunks[1].error
        assert error is not None
        assert "Read-only file system" in error.message or "Permission denied" in error.message

    def test_files_beside_it_and_inside_it_are_there(self, tmp_path: Path) -> None:
        (tmp_path / "beside.csv").write_text("1,2")
        (tmp_path / "secret.txt").write_text("hush")
        what = document(
            "open('beside.csv').read(), open('inside.csv').read()",
            "import os; os.listdir('.')",
            folder=tmp_path,
        )
        block = DataBlock(line=9, text="3,4", info="csv", file="inside.csv")
        execution = execute(
            Document(path=what.path, kind="markdown", title="", chunks=what.chunks, data=(block,))
        )
        assert texts(execution)[0] == "('1,2', '3,4')\n"
        assert "secret" not in str(texts(execution)[1])

    def test_files_of_its_repository_are_where_its_code_looks_for_them(self, tmp_path: Path) -> None:
        folder = tmp_path / "repository" / "book" / "part"
        folder.mkdir(parents=True)
        for path, text in (("data/x.csv", "7"), ("data/other.csv", "8"), ("../secret.csv", "hush")):
            (tmp_path / "repository" / path).parent.mkdir(exist_ok=True)
            (tmp_path / "repository" / path).write_text(text)
        (tmp_path / "repository" / ".git").mkdir()
        (folder / "beside.csv").write_text("9")
        what = document(
            "open('../../data/x.csv').read(), open('beside.csv').read()",
            "import os; os.path.exists('../../../secret.csv'), os.listdir('..' + '/../data')",
            "_ = open('made.txt', 'w').write('mine'); open('made.txt').read()",
            folder=folder,
        )
        assert texts(execute(what)) == ["('7', '9')\n", "(False, ['x.csv'])\n", "'mine'\n"]


class TestPatchesAndCaptures:
    def test_a_patch_changes_what_runs_and_not_the_document(self) -> None:
        what = document("x = 1 / 0", "x")
        patch = Patch(id="zero", chunk=Place(index=0), find="/ 0", replace="/ 4", reason="nobody can")
        execution = execute(what, patches=(patch,))
        assert texts(execution) == ["", "0.25\n"]
        assert execution.chunks[0].patched == ("zero",)
        assert execution.patched
        assert what.chunks[0].code == "x = 1 / 0"
        assert not execute(what).patched

    def test_captures_are_taken_after_their_chunk(self) -> None:
        what = document("x = [1.0, 2.0]", "x = [3.0]")
        captures = (
            Capture(id="early", language="python", values={"a": "x"}, after=Place(index=0)),
            Capture(id="late", language="python", values={"a": "x", "b": "y", "c": "print"}),
        )
        captured = execute(what, captures=captures).captured
        np.testing.assert_array_equal(captured["early"]["default", "a"], [1.0, 2.0])
        np.testing.assert_array_equal(captured["late"]["default", "a"], [3.0])
        assert "'y' is not defined" in str(captured["late"]["default", "b"])
        assert "an array is expected" in str(captured["late"]["default", "c"])

    def test_samples_and_a_setup(self) -> None:
        capture = Capture(
            id="c", language="python", values={"a": "twice({sample})"}, samples={"one": "1", "two": "x"},
            setup="def twice(n): return 2 * n",
        )  # fmt: skip
        values = execute(document("x = 21"), captures=(capture,)).captured["c"]
        assert {key: int(value) for key, value in values.items()} == {("one", "a"): 2, ("two", "a"): 42}

    def test_a_capture_of_a_dead_session_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lasting_session.TimeLost, "allows", lambda self, seconds: False)
        capture = Capture(id="c", language="python", values={"a": "x"})
        values = execute(document("import os; os._exit(0)"), captures=(capture,)).captured["c"]
        assert "the session ended" in str(values["default", "a"])

    def test_a_place_that_is_not_there(self) -> None:
        capture = Capture(id="c", language="python", values={"a": "x"}, after=Place(label="nowhere"))
        with pytest.raises(CaseError, match="no chunk with label = 'nowhere'"):
            execute(document("x = 1"), captures=(capture,))


def test_plots_without_their_package_keep_nothing_from_running() -> None:
    code = "import no_such_package as sns\nsns.set(\n    style='dark',\n)\nprint(3)\nx = sns.load()\nprint(4)"
    (run,) = execute(document(code)).chunks
    assert run.left is not None
    assert run.left.text == "3\n"
    assert [error.line for error in run.lacking] == [4, 5]
    assert run.error is not None
    assert run.error.line == 9
