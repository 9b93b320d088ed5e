"""Probes in six languages: what they write, and which of them differs first."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.runtimes.provision.julia import find_julia

pytest.importorskip("scipy")

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "probe.md"
VALUES = "4.1, 2.2, 7.9, 5.5, 3.3, 0.4"
MAIN = {
    "c": """
int main(void) {{
    double x[] = {{{values}}}, product = 1;
    for (int i = 0; i < 6; i++) product *= x[i];
    probe("x", x, 2, (long[]){{2, 3}});
    probe("product", &product, 0, NULL);
    return 0;
}}
""",
    "fortran": """
program main
  use probes
  real(8) :: x(2, 3) = transpose(reshape([{doubles}], [3, 2]))
  call probe("x", x, [2, 3])
  call probe("product", [product(x)], [1])
end program
""",
    "octave": """
x = reshape([{values}], 3, 2)';
probe('x', x);
probe('product', prod(x(:)));
""",
}


def listing(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def harness(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, [*map(str, words)])
    return done.exit_code, done.stdout + done.stderr


def run(command: list[str], folder: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "PROBE_TRACE"}
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left out" not in done.stderr


def found(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"there is no {name}")
    return path


def python_trace(folder: Path, code: str) -> Path:
    if not (folder / "probe.py").exists():
        assert harness("new", "probe", "python", folder / "probe.py")[0] == 0
    (folder / "analysis.py").write_text(code, encoding="utf-8")
    run([sys.executable, "analysis.py"], folder)
    return folder / "python.trace"


@pytest.mark.parametrize("language", ["r", "julia"])
def test_the_guide_s_programs(tmp_path: Path, language: str) -> None:
    if language == "r":
        command = [found("Rscript"), "--vanilla"]
    else:
        julia = find_julia().executable
        if julia is None:
            pytest.skip("there is no Julia")
        command = [julia, "--startup-file=no"]
    first = python_trace(tmp_path, listing("python"))
    name = {"r": "probe.R", "julia": "probe.jl"}[language]
    assert harness("new", "probe", language, tmp_path / name)[0] == 0
    (tmp_path / "other").write_text(listing(language), encoding="utf-8")
    run([*command, "other"], tmp_path)
    second = tmp_path / f"{language}.trace"
    code, said = harness("align", first, second)
    assert code == 1
    if language == "r":
        shown = [line.strip() for line in listing("text").splitlines() if line.strip()]
        assert [line for line in shown if line not in [one.strip() for one in said.splitlines()]] == []
    right = listing("python").replace("/ len(x)) ** 0.5", "/ (len(x) - 1)) ** 0.5")
    code, said = harness("align", python_trace(tmp_path, right), second, "--json")
    assert (code, json.loads(said)["outcome"]) == (0, "AGREEMENT")


@pytest.mark.parametrize("language", ["c", "fortran", "octave"])
@pytest.mark.parametrize("fault", [False, True])
def test_the_guide_s_listings(tmp_path: Path, language: str, fault: bool) -> None:
    doubles = VALUES.replace(",", "d0,") + "d0"
    program = MAIN[language].format(values=VALUES, doubles=doubles)
    if language == "octave":
        (tmp_path / "probe.m").write_text(listing(language), encoding="utf-8")
        (tmp_path / "main.m").write_text(program, encoding="utf-8")
        run([found("octave"), "--norc", "--quiet", "main.m"], tmp_path)
    else:
        compiler, suffix = {"c": ("gcc", ".c"), "fortran": ("gfortran", ".f90")}[language]
        (tmp_path / f"main{suffix}").write_text(listing(language) + program, encoding="utf-8")
        run([found(compiler), f"main{suffix}", "-o", "main"], tmp_path)
        run([str(tmp_path / "main")], tmp_path)
    other = tmp_path / f"{'matlab' if language == 'octave' else language}.trace"
    code = f"""from math import prod
from probe import probe
x = probe("x", [[{VALUES[:13]}], [{VALUES[15:]}]])
probe("product", {2 if fault else 1} * prod(x[0]) * prod(x[1]))
"""
    exit_code, said = harness("align", python_trace(tmp_path, code), other, "--json")
    told = json.loads(said)
    assert (exit_code, told["outcome"]) == ((1, "DIVERGENCE") if fault else (0, "AGREEMENT"))
    assert {match["a"]["name"]: match["layout"] for match in told["matches"]} == {
        "x": "same",
        "product": "same",
    }
    assert [one["a"]["name"] for one in told["divergences"]] == ["product"] * fault


LOOP = """from probe import probe
for step in range(5):
    probe("state", [0.71 * step + 0.13, 2.39 if step < 3 else EXTRA])
probe("count", 5)
probe("flag", [True, False])
probe("z", 1.25 + 2.5j)
probe("text", 1.0 if "OTHER" == "no" else 3.75)
"""


def test_a_probe_in_a_loop(tmp_path: Path) -> None:
    traces = []
    for name, extra in (("a", "7.77"), ("b", "8.88")):
        (tmp_path / name).mkdir()
        traces.append(python_trace(tmp_path / name, LOOP.replace("EXTRA", extra)))
    page = tmp_path / "page.html"
    code, said = harness("align", *traces, "--json", "--html", page)
    told = json.loads(said)
    assert code == 1
    assert [(one["a"]["name"], one["occurrence"], one["kind"]) for one in told["divergences"]] == [
        ("state", 4, "unproved")
    ]
    assert "state  (analysis.py:3)" in page.read_text(encoding="utf-8")


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    good = python_trace(tmp_path, "from probe import probe\nprobe('x', 1.5)\n")
    bad = tmp_path / "bad.trace"
    bad.mkdir()
    code, said = harness("align", good, bad)
    assert (code, "holds no trace.jsonl" in said) == (2, True)
    for line, why in (
        ("{", "line 1 is no entry"),
        ('{"name": "x", "file": "../1.npy"}', "is not in its folder"),
        ('{"name": "x", "file": "1.npy"}', "1.npy"),
        ("", "without an entry"),
    ):
        (bad / "trace.jsonl").write_text(line, encoding="utf-8")
        code, said = harness("align", good, bad)
        assert code == 2, said
        assert why in said.replace("\n", " ")
    code, said = harness("align", good, tmp_path / "probe.py")
    assert (code, "one is a trace, and the other is not" in said) == (2, True)
    code, said = harness("new", "probe", "python", tmp_path / "probe.py")
    assert (code, "is there already" in said) == (2, True)


def test_what_is_no_number_is_left_out(tmp_path: Path) -> None:
    code = "from probe import probe\nprobe('x', 1.5)\nprobe('name', 'text')\nprobe('rows', [[1], [1, 2]])\n"
    (tmp_path / "analysis.py").write_text(code, encoding="utf-8")
    assert harness("new", "probe", "python", tmp_path / "probe.py")[0] == 0
    done = subprocess.run(
        [sys.executable, "analysis.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines() == [
        "probe: name is left out: it holds str, not numbers",
        "probe: rows is left out: its rows are not of one length",
    ]
    assert len((tmp_path / "python.trace" / "trace.jsonl").read_text(encoding="utf-8").splitlines()) == 1


KINDS = {
    "r": """source("probe.R")
probe("table", data.frame(a = c(1, 2.5), b = c(TRUE, NA)))
probe("m", matrix(1:6, 2)); probe("z", 1 + 2i); probe("l", c(TRUE, FALSE)); probe("text", "x")
""",
    "julia": """include("probe.jl")
probe("rows", [[1, 2], [3, 4]]); probe("gap", [1.0, missing]); probe("named", (a = 1, b = true))
probe("m", [1 3 5; 2 4 6]); probe("third", 1 // 3); probe("z", 1 + 2im); probe("text", "x")
""",
}
WRITTEN = {
    "r": {
        "table$a": [1, 2.5], "table$b": [1, np.nan], "m": [[1, 3, 5], [2, 4, 6]], "z": 1 + 2j,
        "l": [True, False],
    },
    "julia": {
        "rows": [[1, 2], [3, 4]], "gap": [1, np.nan], "named.a": 1, "named.b": True,
        "m": [[1, 3, 5], [2, 4, 6]], "third": 1 / 3, "z": 1 + 2j,
    },
}  # fmt: skip


@pytest.mark.parametrize("language", ["r", "julia"])
def test_values_of_every_kind(tmp_path: Path, language: str) -> None:
    executable = find_julia().executable if language == "julia" else shutil.which("Rscript")
    if executable is None:
        pytest.skip(f"there is no {language}")
    assert (
        harness("new", "probe", language, tmp_path / f"probe.{'jl' if language == 'julia' else 'R'}")[0] == 0
    )
    (tmp_path / "main").write_text(KINDS[language], encoding="utf-8")
    done = subprocess.run(
        [executable, "main"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "probe: text is left out" in done.stderr
    folder = tmp_path / f"{language}.trace"
    lines = (folder / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    entries = {entry["name"]: np.load(folder / entry["file"]) for entry in map(json.loads, lines)}
    assert [*entries] == [*WRITTEN[language]]
    for name, value in WRITTEN[language].items():
        np.testing.assert_array_equal(entries[name], value)
