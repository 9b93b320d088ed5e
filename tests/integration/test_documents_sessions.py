"""Sessions of R and Julia, live in their sandbox: what a prompt shows, where errors are, what stands in."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from harness.model import Absent
from harness.runtimes.registry import Registry
from harness.sessions.lasting_session import LastingSession, TimeLost
from harness.sessions.sandbox import Limits, find_sandbox
from harness.sessions.sandboxed_session import SandboxedSession, Setting
from harness.sessions.session import Evaluated

SANDBOX = find_sandbox(unsandboxed=True)
STAND_INS = Path(__file__).parents[2] / "harness" / "workers" / "stand_ins"
JULIA_STAND_INS = ("CSV", "DataFrames", "Embeddings", "Plots", "range(a, b)")


@contextmanager
def session(runtime: str, **given: object) -> Iterator[SandboxedSession]:
    launch = Registry.load(Path(__file__).parent).session(runtime)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    limits = Limits(chunk_seconds=120)
    with SandboxedSession(
        runtime, launch, Setting(sandbox=SANDBOX, limits=limits, **given)
    ) as sandboxed_session:  # type: ignore[arg-type]
        yield sandboxed_session


def ask(
    sandboxed_session: SandboxedSession, code: str, line: int = 1, *, keep_going: bool = False
) -> Evaluated:
    return sandboxed_session.eval(code, file="article.md", line=line, keep_going=keep_going)


def sound(left: Evaluated) -> str:
    assert left.error is None, left.error
    return left.text


@pytest.fixture(scope="module")
def r() -> Iterator[SandboxedSession]:
    with session("r") as sandboxed_session:
        yield sandboxed_session


@pytest.fixture(scope="module")
def julia(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxedSession]:
    folder = tmp_path_factory.mktemp("julia")
    (folder / "words.txt").write_text("red 0.5 -1.25\ngreen 1 2\nblue 3 4\n")
    (folder / "t.csv").write_text('kind,n,text\na,1,"one, two "\nb,2,three\n')
    with session(
        "julia", show="last", stand_ins=JULIA_STAND_INS, glove=folder / "words.txt",
        files={"t.csv": folder / "t.csv"},
    ) as sandboxed_session:  # fmt: skip
        yield sandboxed_session


@pytest.mark.r
class TestR:
    def test_the_prompt_shows_what_is_visible(self, r: SandboxedSession) -> None:
        assert sound(ask(r, "x <- 1:3\nx\ninvisible(4)\n(y <- 2)\nprint('a')\nNULL")) == (
            '[1] 1 2 3\n[1] 2\n[1] "a"\nNULL\n'
        )

    def test_methods_of_the_document_are_used_to_show(self, r: SandboxedSession) -> None:
        code = "print.mine <- function(x, ...) cat('mine!\\n')\nstructure(1, class = 'mine')"
        assert sound(ask(r, code)) == "mine!\n"

    def test_what_is_printed_comes_in_order(self, r: SandboxedSession) -> None:
        left = ask(r, "cat('1\\n')\nsystem('echo 2')\nprint(3)\nmessage('m')\nwarning('w')\nsqrt(-1)")
        assert sound(left) == "1\n2\n[1] 3\n[1] NaN\n"
        assert left.messages == "m\n"
        assert left.warnings == ("w", "NaNs produced")
        assert left.calls == ("", "sqrt(-1)")

    def test_a_value_that_is_too_large_is_not_taken(self, r: SandboxedSession) -> None:
        large, small = r.get(["numeric(3.4e7)", "c(1, 2)"])
        assert "it has 272000000 bytes, and 268435456 are taken at once" in str(large)
        assert list(small) == [1.0, 2.0]

    def test_an_error_has_the_innermost_line_of_the_document(self, r: SandboxedSession) -> None:
        left = ask(r, "f <- function(n) {\n  n + 1\n  stop('no ', n)\n}\n\nf(3)", line=10)
        assert left.error is not None
        assert (left.error.message, left.error.line) == ("no 3", 12)

    def test_a_syntax_error_has_its_line(self, r: SandboxedSession) -> None:
        left = ask(r, "x <- 1\nx <- )", line=5)
        assert left.error is not None
        assert (left.error.kind, left.error.line) == ("syntax", 6)

    def test_errors_may_be_tolerated(self, r: SandboxedSession) -> None:
        left = ask(r, "stop('no')\nprint('on')", keep_going=True)
        assert left.error is not None
        assert left.text == '[1] "on"\n'

    def test_values_come_with_their_layout(self, r: SandboxedSession) -> None:
        ask(r, "m <- matrix(c(1.5, 2, 3, 4, 5, 6), 2); a <- array(1:24, c(2, 3, 4))")
        m, a, text = r.get(["m", "a", "'text'"])
        np.testing.assert_array_equal(m, np.array([[1.5, 3, 5], [2, 4, 6]]))
        np.testing.assert_array_equal(a, np.arange(1, 25).reshape((2, 3, 4), order="F"))
        assert text == "its value is of class character, and an array is expected"

    def test_plots_are_counted(self, r: SandboxedSession) -> None:
        assert ask(r, "plot(1:3)\nplot(4:6)").plots == ("plot", "plot")

    def test_values_of_every_kind_of_number_come_with_their_bits(self, r: SandboxedSession) -> None:
        kinds = ("c(TRUE, FALSE)", "c(1L, NA)", "c(1+2i, -0)", "numeric()", "c(NA, 1.5)")
        truths, missing, complexes, nothing, real = r.get(kinds)
        assert (truths.dtype, truths.tolist()) == (np.dtype(bool), [True, False])
        assert missing[0] == 1.0
        assert real.view(np.uint64)[0] == missing.view(np.uint64)[1] == 0x7FF00000000007A2
        assert complexes.tolist() == [1 + 2j, 0]
        assert nothing.shape == (0,)

    def test_a_function_without_end_is_an_error_and_not_the_end(self, r: SandboxedSession) -> None:
        left = ask(r, "endless <- function(n) endless(n + 1)\nendless(1)")
        assert left.error is not None
        assert left.error.line == 2
        # What is exhausted first differs between versions of R.
        assert re.search("C stack usage|infinite recursion", left.error.message)
        assert sound(ask(r, "1")) == "[1] 1\n"

    def test_nobody_answers(self, r: SandboxedSession) -> None:
        assert sound(ask(r, "readline('name? ')")) == 'name? \n[1] ""\n'
        assert sound(ask(r, "readLines(stdin())\nscan(quiet = TRUE)")) == "character(0)\nnumeric(0)\n"
        left = ask(r, "file.choose()")
        assert left.error is not None
        assert left.error.message == "file choice cancelled"

    def test_r_has_the_folders_and_options_of_rscript(self, r: SandboxedSession) -> None:
        code = "cat(R.home('doc'), R.home('share'), R.home('include'), getOption('echo'), interactive())"
        done = subprocess.run(["Rscript", "-e", code], check=True, capture_output=True, text=True)
        assert sound(ask(r, code)) == done.stdout

    def test_a_help_page_is_printed_as_it_is(self, r: SandboxedSession) -> None:
        lines = sound(ask(r, "help('mean')")).splitlines()
        assert lines[0].startswith("mean  ")
        assert "     mean(x, ...)" in lines
        assert "File:" not in "".join(lines)

    def test_bytes_that_are_no_text_stop_nothing(self, r: SandboxedSession) -> None:
        left = ask(r, r"cat('a\xff', 'b\n')")
        assert (left.text, left.messages) == ("a\ufffd b\n", "")

    @pytest.mark.skipif(not SANDBOX.confines, reason=f"needs bubblewrap: {SANDBOX.statement}")
    def test_no_package_is_installed(self, r: SandboxedSession) -> None:
        left = ask(r, "install.packages('attention')")
        assert left.error is not None
        assert left.error.message == "unable to install packages"

    def test_source_shows_nothing(self) -> None:
        with session("r", mode="script") as sandboxed_session:
            assert sound(ask(sandboxed_session, "1 + 1\nprint(3)")) == "[1] 3\n"

    def test_the_stand_in_for_knitr(self, tmp_path: Path) -> None:
        installed = ["R", "CMD", "INSTALL", "--no-docs", "-l", str(tmp_path), str(STAND_INS / "r" / "knitr")]
        subprocess.run(installed, check=True, capture_output=True)
        code = "knitr::opts_chunk$set(comment = '#>', echo = FALSE); cat(knitr::opts_chunk$get('comment'))"
        done = subprocess.run(
            ["Rscript", "--vanilla", "-e", f"loadNamespace('knitr', '{tmp_path}'); {code}"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        assert done.stdout == "<environment: namespace:knitr>\n#>"

    @pytest.mark.torch
    @pytest.mark.slow
    def test_the_stand_in_for_torch(self) -> None:
        """PyTorch is imported twice, once of them in R."""
        with session("r", stand_ins=("torch",)) as sandboxed_session:
            if sound(ask(sandboxed_session, "cat(nzchar(system.file(package = 'reticulate')))")) != "TRUE":
                pytest.skip("R has no reticulate")
            if "torch" not in sandboxed_session.stand_ins:
                pytest.skip("R has torch itself")
            assert "stand-in" in sandboxed_session.stand_ins["torch"]
            sound(
                ask(sandboxed_session, "library(torch)\ntorch_manual_seed(89)\nx <- torch_randn(c(1, 3, 5))")
            )
            sound(
                ask(
                    sandboxed_session,
                    "layer <- nn_linear(in_features = 5, out_features = 2, bias = FALSE)\ny <- layer(x)",
                )
            )
            python = (
                "import torch; torch.manual_seed(89); x = torch.randn(1, 3, 5)\n"
                "layer = torch.nn.Linear(5, 2, bias=False); y = layer(x)"
            )
            with session("numpy") as other:
                sound(ask(other, python))
                for ours, theirs in zip(
                    sandboxed_session.get(["x", "y"]), other.get(["x", "y"]), strict=True
                ):
                    np.testing.assert_array_equal(ours, theirs)
            assert (
                sound(ask(sandboxed_session, "y$shape\nsum_all <- torch_sum(torch_ones(c(2, 3)), dim = 1)"))
                == "[1] 1 3 2\n"
            )
            np.testing.assert_array_equal(sandboxed_session.get(["sum_all"])[0], [2, 2, 2])
            left = ask(sandboxed_session, "x$nothing_of_the_kind()")
            assert left.error is not None
            assert "no tensor method nothing_of_the_kind" in left.error.message
            # R frees what it holds of Python's, whenever it likes.
            sound(ask(sandboxed_session, "for (i in 1:50) z <- x + i; invisible(gc())"))
            assert sandboxed_session.get(["z"])[0] is not None


@pytest.mark.julia
class TestJulia:
    def test_a_value_that_is_too_large_is_not_taken(self, julia: SandboxedSession) -> None:
        large, small = julia.get(["zeros(34_000_000)", "[1.0, 2.0]"])
        assert "it has 272000000 bytes, and 268435456 are taken at once" in str(large)
        assert list(small) == [1.0, 2.0]

    def test_the_prompt_shows_the_last_value(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, "x = 1\nx + 1")) == "2\n"
        assert sound(ask(julia, "x + 1;")) == ""
        assert sound(ask(julia, "nothing")) == ""

    def test_the_last_value_is_ans(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, "20 + 1;")) == ""
        assert sound(ask(julia, "2ans")) == "42\n"
        assert sound(ask(julia, "ans")) == "42\n"

    def test_loops_see_globals_as_at_the_prompt(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, "total = 0\nfor i in 1:4\n    total += i\nend\ntotal")) == "10\n"

    @pytest.mark.slow
    def test_in_a_file_they_do_not(self) -> None:
        """Julia compiles a session for this alone."""
        with session("julia", mode="script", show="last") as sandboxed_session:
            left = ask(sandboxed_session, "total = 0\nfor i in 1:4\n    total += i\nend", line=20)
        assert left.error is not None
        assert left.error.kind == "UndefVarError"
        # Older versions tell the line of the loop.
        assert left.error.line in (21, 22)

    def test_what_is_printed_comes_in_order(self, julia: SandboxedSession) -> None:
        code = 'println(1)\nrun(`echo 2`)\nccall(:puts, Cint, (Cstring,), "3")\nprintln(stderr, "e")\n4'
        left = ask(julia, code)
        assert sound(left) == "1\n2\n3\n4\n"
        assert left.messages == "e\n"

    def test_what_is_displayed_is_printed(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, 'display(2.5)\ndisplay("text/plain", 3)\n4')) == "2.5\n3\n4\n"

    def test_the_prompts_own_functions_are_there(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, "subtypes(Signed)[1]")) == "BigInt\n"

    def test_a_file_is_included_from_beside_the_document(self, julia: SandboxedSession) -> None:
        code = 'write("half.jl", "half(x) = x / 2\\n")\ninclude("half.jl")\nhalf(3)'
        assert sound(ask(julia, code)) == "1.5\n"

    def test_an_error_has_its_line(self, julia: SandboxedSession) -> None:
        left = ask(julia, 'function f(n)\n    n += 0\n    error("no ", n)\nend\nf(3)', line=10)
        assert left.error is not None
        assert (left.error.message, left.error.line) == ("ErrorException: no 3", 12)

    def test_part_of_a_program_is_a_syntax_error(self, julia: SandboxedSession) -> None:
        left = ask(julia, "function f(x)\n    x", line=7)
        assert left.error is not None
        assert left.error.kind == "syntax"
        assert left.error.line is not None

    def test_long_arrays_are_elided_as_on_a_terminal_of_30_lines(self, julia: SandboxedSession) -> None:
        lines = sound(ask(julia, "collect(1:50)")).splitlines()
        assert lines[14] == "  ⋮"
        assert len(lines) == 27

    def test_values_come_with_their_layout(self, julia: SandboxedSession) -> None:
        m, views, why = julia.get(["[1.0 2; 3 4]'", "[[1, 2], [3, 4]]", "println"])
        np.testing.assert_array_equal(m, [[1, 3], [2, 4]])
        np.testing.assert_array_equal(views, [[1, 3], [2, 4]])
        assert "an array is expected" in str(why)

    def test_stand_ins_read_what_they_are_given(self, julia: SandboxedSession) -> None:
        if "CSV" not in julia.stand_ins or "Embeddings" not in julia.stand_ins:
            pytest.skip("the packages themselves are installed")
        code = 'using CSV, DataFrames\nt = CSV.read("t.csv", DataFrame)\n(nrow(t), t[1, "text"], sum(t.n))'
        assert sound(ask(julia, code)) == '(2, "one, two ", 3)\n'
        code = "using Embeddings\ne = load_embeddings(GloVe{:en}, 1, max_vocab_size = 2)\ne.vocab"
        assert sound(ask(julia, code)).endswith('"red"\n "green"\n')
        np.testing.assert_array_equal(julia.get(["e.embeddings"])[0], np.array([[0.5, 1], [-1.25, 2]]))

    def test_what_would_be_plotted_is_kept(self, julia: SandboxedSession) -> None:
        if "Plots" not in julia.stand_ins:
            pytest.skip("Plots itself is installed")
        left = ask(julia, 'using Plots\nheatmap(["a", "b"], [1, 2], [1 2; 3 4], title = "T")')
        assert sound(left) == ""
        assert left.plots == ('heatmap "T" of 2, 2, 2×2',)

    def test_range_of_two(self, julia: SandboxedSession) -> None:
        assert sound(ask(julia, "collect(range(0, 2))")).endswith(" 0\n 1\n 2\n")
        assert (
            sound(
                ask(
                    julia,
                    "(range(1, 2, length = 3)[2], range(0, 6, step = 3)[end], range(1, 4, step = 3)[1])",
                )
            )
            == "(1.5, 6, 1)\n"
        )


@pytest.mark.r
@pytest.mark.parametrize("code", ["edit(data.frame(x = 1))", "x <- 1; vi(x)", "emacs()", "browseURL('a')"])
def test_an_editor_that_r_opens_fails_at_once(r: SandboxedSession, code: str) -> None:
    left = ask(r, f"before <- 4\n{code}")
    assert left.error is not None
    assert "it waits for a reader" in left.error.message
    assert left.seconds < 10
    assert "4" in sound(ask(r, "before"))


@pytest.mark.parametrize(
    ("language", "code", "left"),
    [("r", "y <- 5\nrepeat {\n}\nz <- 1", "[1] 5\n"), ("julia", "y = 5\nwhile true\nend\nz = 1", "5\n")],
)
def test_a_session_is_begun_anew_without_the_statement_that_does_not_end(
    language: str, code: str, left: str, tmp_path: Path
) -> None:
    runtime = Registry.load(tmp_path).session(language)
    if isinstance(runtime, Absent):
        pytest.skip(runtime.reason)
    setting = Setting(sandbox=SANDBOX, limits=Limits(chunk_seconds=20))
    with LastingSession(language, runtime, setting, lost={}, time_lost=TimeLost(10)) as lasting:
        asked = lasting.eval(code, file="article.md", line=7)
        assert asked.error is not None
        assert (asked.error.kind, asked.error.line, asked.error.end) == ("time", 8, 9)
        assert lasting.eval("y", file="article.md", line=20).text == left
        assert lasting.eval("z", file="article.md", line=21).error is not None
        assert not lasting.ended


@pytest.mark.r
def test_a_stand_in_that_cannot_be_installed_says_what_it_lacks(tmp_path: Path) -> None:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("there is no R")
    folder = tmp_path / "nostand"
    folder.mkdir()
    lines = ("Package: nostand", "Version: 0.1", "Title: T", "License: MIT", "Imports: nosuchpackage")
    (folder / "DESCRIPTION").write_text("\n".join(lines) + "\n")
    (folder / "NAMESPACE").write_text("")
    source = STAND_INS.with_name("session_r.R")
    code = f'source("{source}"); cat(getOption("harness.session")$open("{tmp_path}", "nostand", "")[[1]])'
    done = subprocess.run([rscript, "-e", code], capture_output=True, text=True, check=True)
    assert "the stand-in for nostand cannot be installed: depend" in done.stdout
    assert "nosuchpackage" in done.stdout
