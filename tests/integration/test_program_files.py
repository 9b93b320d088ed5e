"""Executables as implementations: they read a folder of arrays and write another, in C and in plain R."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

import harness
from harness.model import Outcome, Verdict
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "softmax"
title = "softmax of rows, and the largest of each row"
origin = "here"
fixture = "softmax"
timeout = 60

[inputs]
x = ["n", "d"]

[[stage]]
name = "weights"
inputs = ["x"]
shape = ["n", "d"]

[[stage]]
name = "largest"
inputs = ["weights"]
outputs = [
    { name = "most", shape = ["n"] },
    { name = "where", shape = ["n"], dtype = "int", tolerance = { rule = "exact" } },
    { name = "sum", shape = [], tolerance = { rule = "absolute", value = 1e-12, reason = "a sum of rows" } },
]
"""
NUMPY = """
import numpy as np

def weights(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def largest(weights):
    return weights.max(axis=1), weights.argmax(axis=1), weights.sum()
"""
C = r"""
#include <math.h>
#include <stdio.h>
#include <string.h>

static double a[64][64];
static int n, d;

static FILE *in(const char *folder, const char *name, const char *mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    return fopen(path, mode);
}

static int read_matrix(FILE *file) {
    char line[8192];
    if (!file) return 1;
    for (n = 0; fgets(line, sizeof line, file); n++)
        for (d = 0;; d++) {
            static char *at;
            char *word = strtok_r(d ? NULL : line, ",\n", &at);
            if (!word || sscanf(word, "%lf", &a[n][d]) != 1) break;
        }
    return fclose(file);
}

int main(int argc, char **argv) {
    const char *stage = argv[1], *given = argv[2], *taken = argv[3];
    if (!strcmp(stage, "weights")) {
        if (read_matrix(in(given, "x", "r"))) { fprintf(stderr, "there is no x\n"); return 3; }
        FILE *out = in(taken, "weights", "w");
        for (int i = 0; i < n; i++) {
            double most = a[i][0], sum = 0;
            for (int j = 1; j < d; j++) most = fmax(most, a[i][j]);
            for (int j = 0; j < d; j++) sum += a[i][j] = exp(a[i][j] - most);
            for (int j = 0; j < d; j++) fprintf(out, j ? ",%.17g" : "%.17g", a[i][j] / sum);
            fprintf(out, "\n");
        }
        return fclose(out);
    }
    read_matrix(in(given, "weights", "r"));
    FILE *most = in(taken, "most", "w"), *where = in(taken, "where", "w"), *total = in(taken, "sum", "w");
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 0; j < d; j++) { sum += a[i][j]; if (a[i][j] > a[i][best]) best = j; }
        fprintf(most, "%.17g\n", a[i][best]);
        fprintf(where, "%d\n", best);
    }
    fprintf(total, "%.17g\n", sum);
    return fclose(most) | fclose(where) | fclose(total);
}
"""
R = """
args <- commandArgs(trailingOnly = TRUE)
put <- function(x, name) {
  write.table(format(x, digits = 17), file.path(args[3], paste0(name, ".csv")), sep = ",",
              row.names = FALSE, col.names = FALSE, quote = FALSE)
}
get <- function(name) as.matrix(read.csv(file.path(args[2], paste0(name, ".csv")), header = FALSE))
if (args[1] == "weights") {
  e <- t(apply(get("x"), 1, function(row) exp(row - max(row))))
  put(e / rowSums(e), "weights")
} else {
  w <- get("weights")
  put(apply(w, 1, max), "most")
  put(apply(w, 1, which.max) - 1L, "where")
  put(sum(w), "sum")
}
"""
COMMAND = 'command = ["./softmax", "{stage}", "{inputs}", "{outputs}"]\nformat = "csv"\n'
PYTHON = "import sys\nimport numpy as np\nfrom pathlib import Path\nstage, given, taken = sys.argv[1:]\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    case = folder / "softmax"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "softmax.py").write_text(NUMPY, encoding="utf-8")
    write_fixture(
        folder / "fixtures" / "softmax",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([[0.1, 2.0, -3.5], [1e-300, 0.5, 0.30000000000000004]])},
        origins={"x": "here"},
    )
    return folder


def in_python(suite: Path, body: str, form: str = "npy", name: str = "python") -> None:
    """A program in Python, as one of any language that the harness does not know."""
    case = suite / "softmax"
    (case / "program.src").write_text(PYTHON + body, encoding="utf-8")
    command = (
        f'command = ["python3", "program.src", "{{stage}}", "{{inputs}}", "{{outputs}}"]\nformat = "{form}"\n'
    )
    (case / f"softmax.{name}.program.toml").write_text(command, encoding="utf-8")


def reasons(results: harness.Results, verdict: Verdict) -> set[str]:
    return {
        cell.reason
        for cell in results.cells
        if cell.verdict is verdict and cell.implementation.startswith("program")
    }


def test_a_program_in_c(suite: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    # Not softmax.c: that would be an implementation in C, of functions.
    source = suite / "softmax" / "main.c"
    source.write_text(C, encoding="utf-8")
    program = suite / "softmax" / "softmax"
    subprocess.run([compiler, "-O1", "-o", program, source, "-lm"], check=True)
    (suite / "softmax" / "softmax.c.program.toml").write_text(COMMAND, encoding="utf-8")
    results = harness.run(suite)
    results.raise_for_divergence()
    assert {cell.implementation for cell in results.cells} == {"numpy", "program.c"}
    numpy, c = (results.value("weights", name) for name in ("numpy", "program.c"))
    assert np.abs(numpy - c).max() <= 2.0**-52
    # An error of the program is seen.
    source.write_text(C.replace("a[i][j] / sum", "a[i][j] / sum * (1 + 1e-13)"), encoding="utf-8")
    subprocess.run([compiler, "-O1", "-o", program, source, "-lm"], check=True)
    again = harness.run(suite)
    assert again.outcome is Outcome.DIVERGENCE
    own = [cell for cell in again.cells if cell.verdict is Verdict.FAIL and not cell.inherited]
    assert {cell.stage for cell in own} == {"weights"}


def test_plain_r_without_a_package(suite: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("no Rscript on the PATH")
    (suite / "softmax" / "fit.R").write_text(R, encoding="utf-8")
    command = (
        'command = ["Rscript", "--vanilla", "fit.R", "{stage}", "{inputs}", "{outputs}"]\nformat = "csv"\n'
    )
    (suite / "softmax" / "softmax.r.program.toml").write_text(command, encoding="utf-8")
    harness.run(suite).raise_for_divergence()


RIGHT = """
a = np.load(Path(given, "x.npy" if stage == "weights" else "weights.npy"))
if stage == "weights":
    e = np.exp(a - a.max(axis=1, keepdims=True))
    np.save(Path(taken, "weights.npy"), np.asfortranarray(e / e.sum(axis=1, keepdims=True)))
else:
    np.save(Path(taken, "most.npy"), a.max(axis=1))
    np.save(Path(taken, "where.npy"), a.argmax(axis=1))
    np.save(Path(taken, "sum.npy"), a.sum())
"""


def test_arrays_of_numpy_s_format(suite: Path) -> None:
    in_python(suite, RIGHT)
    harness.run(suite).raise_for_divergence()


@pytest.mark.parametrize(
    ("body", "form", "verdict", "why"),
    [
        ("print('starting')\nsys.exit('the file is damaged')", "npy", Verdict.ERROR,
         "the program ended with exit status 1; it last printed: the file is damaged"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "npy", Verdict.ERROR,
         "the program was ended by SIGSEGV, and printed nothing"),
        ("Path(taken, 'weigths.npy').touch()", "npy", Verdict.FAIL,
         "the program wrote no weights.npy; the folder of outputs holds weigths.npy"),
        (RIGHT.replace("np.asfortranarray(", "np.ravel("), "npy", Verdict.FAIL, "shape (6) where (n=2"),
        ("Path(taken, 'weights.npy').write_text('text')", "npy", Verdict.FAIL, "weights.npy: is no array"),
        ("Path(taken, 'weights.csv').write_text('1,2,3\\n4,none,6\\n')", "csv", Verdict.FAIL,
         "weights.csv: line 2 has 'none', which is no number"),
        ("Path(taken, 'weights.csv').write_text('1,2,3\\n4,5\\n')", "csv", Verdict.FAIL,
         "weights.csv: has lines of different lengths"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told(body: str, form: str, verdict: Verdict, why: str, suite: Path) -> None:
    in_python(suite, body, form)
    found = reasons(harness.run(suite), verdict)
    assert any(why in reason for reason in found), found


def test_a_program_that_hangs_is_ended(suite: Path) -> None:
    text = (suite / "softmax" / "case.toml").read_text(encoding="utf-8")
    (suite / "softmax" / "case.toml").write_text(
        text.replace("timeout = 60", "timeout = 1.5"), encoding="utf-8"
    )
    in_python(suite, "import time\ntime.sleep(600)")
    results = harness.run(suite)
    assert results.outcome is Outcome.FAULT
    assert any("did not answer within 1.5 s" in reason for reason in reasons(results, Verdict.TIMEOUT))
    time.sleep(0.5)
    left = [p for p in psutil.process_iter(["cmdline"]) if str(suite) in " ".join(p.info["cmdline"] or ())]
    assert not left
    assert not [p for p in psutil.process_iter(["cmdline"]) if "program.src" in (p.info["cmdline"] or ())]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('command = ["./nowhere", "{inputs}", "{outputs}"]', "the program ./nowhere is not there"),
        ('command = ["./case.toml", "{inputs}", "{outputs}"]', "cannot be run: it is not executable"),
        ('command = ["python3", "{inputs}"]', "has no {outputs}"),
        ('command = "python3"', 'needs command = ["PROGRAM"'),
        ('command = ["python3", "{inputs}", "{outputs}"]\nformat = "xls"', "format is one of npy and csv"),
        ('command = ["python3", "{inputs}", "{outputs}"]\nshell = true', "has 'shell'"),
        ("command = [", "cannot be read"),
    ],
)
def test_a_command_that_cannot_be_used(text: str, why: str, suite: Path) -> None:
    (suite / "softmax" / "softmax.program.toml").write_text(text, encoding="utf-8")
    results = harness.run(suite)
    assert results.outcome is Outcome.FAULT
    assert all(why in reason for reason in reasons(results, Verdict.ERROR))
    assert reasons(results, Verdict.ERROR)


@pytest.mark.parametrize("form", ["npy", "csv"])
def test_a_script_runs_the_program_without_the_harness(suite: Path, tmp_path: Path, form: str) -> None:
    if shutil.which("python3") is None:
        pytest.skip("no python3 on the PATH")
    save = (
        "np.savetxt(Path(taken, 'weights.csv'), w, '%.17g', ',')"
        if form == "csv"
        else ("np.save(Path(taken, 'weights.npy'), w)")
    )
    load = (
        "np.loadtxt(Path(given, 'x.csv'), delimiter=',')"
        if form == "csv"
        else ("np.load(Path(given, 'x.npy'))")
    )
    body = f"""
x = {load}
e = np.exp(x - x.max(axis=1, keepdims=True))
w = e / e.sum(axis=1, keepdims=True)
{save}
"""
    for wrong, text in ((0, body), (1, body.replace("w = e /", "w = 1.0000001 * e /"))):
        in_python(suite, text, form)
        out = tmp_path / f"script{wrong}"
        command = ["reproduce", "softmax", "weights", "program.python", "--suite", suite, "--out", out]
        subprocess.run([sys.executable, "-m", "harness", *command], check=True, capture_output=True)
        # The suite is not needed any more.
        script = out / "softmax_weights_program_python.py"
        assert sorted(path.name for path in out.iterdir()) == ["program.src", script.name]
        moved = suite.rename(tmp_path / "elsewhere")
        ran = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True)
        moved.rename(suite)
        assert (ran.returncode, ran.stderr) == (wrong, "")
        assert f"{6 if wrong else 0} of 6 elements are beyond their limit" in ran.stdout
