"""Two programs: what agrees, where they part, and what is not said without proof."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main

A = """\
import numpy as np

x = np.array([4.1, 2.2, 7.9, 5.5, 3.3])


def scaled(v):
    m = v.mean()
    return (v - m) / v.std(ddof=1)


z = scaled(x)
weights = np.exp(z) / np.exp(z).sum()
entropy = -np.sum(weights * np.log(weights))
total = 0.0
for w in weights:
    total += w * w
effective = 1 / total
print(entropy, effective)
"""

B = """\
values = [4.1, 2.2, 7.9, 5.5, 3.3]
from math import exp, log, sqrt


def mean(v):
    return sum(v) / len(v)


def sd(v):
    centre = mean(v)
    return sqrt(sum((a - centre) ** 2 for a in v) / (len(v) - 1))


standard = [(v - mean(values)) / sd(values) for v in values]
raised = [exp(s) for s in standard]
shares = [e / sum(raised) for e in raised]
H = -sum(p * log(p) for p in shares)
n_eff = 1 / sum(p ** 2 for p in shares)
print("entropy", H)
print("effective", n_eff)
"""


def aligned(folder: Path, a: str, b: str, *options: str) -> tuple[int, dict]:
    (folder / "a.py").write_text(a, encoding="utf-8")
    (folder / "b.py").write_text(b, encoding="utf-8")
    done = CliRunner().invoke(
        main, ["align", str(folder / "a.py"), str(folder / "b.py"), "--json", "--seconds", "120", *options]
    )
    assert done.stdout, done.stderr
    return done.exit_code, json.loads(done.stdout)


def test_programs_that_agree(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, A, B)
    assert (code, said["outcome"], said["divergences"]) == (0, "AGREEMENT", [])
    pairs = {(match["a"]["name"], match["b"]["name"]) for match in said["matches"] if match["agrees"]}
    assert {
        ("x", "values"),
        ("z", "standard"),
        ("weights", "shares"),
        ("entropy", "H"),
        ("effective", "n_eff"),
    } <= pairs


@pytest.mark.parametrize(
    ("line", "text", "relation"),
    [
        (11, "    return sqrt(sum((a - centre) ** 2 for a in v) / len(v))", "n/(n - 1)"),
        (16, "shares = [e / max(raised) for e in raised]", "factor"),
        (17, "H = -sum(p * log(p) / log(2) for p in shares)", "log base"),
        (18, "n_eff = 1 / sum(p ** 3 for p in shares)", ""),
    ],
)
def test_the_line_of_a_planted_fault_is_named(tmp_path: Path, line: int, text: str, relation: str) -> None:
    lines = B.split("\n")
    lines[line - 1] = text
    code, said = aligned(tmp_path, A, "\n".join(lines))
    assert (code, said["outcome"]) == (1, "DIVERGENCE")
    own = [one for one in said["divergences"] if one["kind"] != "inherited"]
    assert line in [one["b"]["line"] for one in own[:3]]
    first = own[0]
    if first["kind"] == "local":
        assert first["b"]["line"] == line
        assert relation in first["relation"]


def test_what_is_known_when_the_time_is_over_is_said_and_that_not_all_was_tried(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, A, B.replace("p * log(p)", "p * log(p) * 2"), "--seconds", "0")
    assert (code, said["outcome"], said["seconds"]["runs"]) == (1, "DIVERGENCE", 0.0)
    assert {one["kind"] for one in said["divergences"]} - {"inherited"} == {"unproved"}
    assert said["notes"] == ["not all was tried: the search ended after 0 s of processor time (--seconds)"]


def test_one_program_of_two_fails(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, A, B.replace("raised]", "nothing]", 1))
    assert (code, said["outcome"], said["divergences"]) == (4, "FAULT", [])
    assert said["notes"] == ["b.py: it failed in line 16: NameError: name 'nothing' is not defined"]
    assert {"x", "z"} <= {match["a"]["name"] for match in said["matches"]}


def test_nothing_in_common_is_no_agreement(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, A, "words = 'a b c'.split()\nprint(words)\n")
    assert (code, said["outcome"]) == (5, "INCOMPLETE")


def test_results_without_a_counterpart_on_both_sides_are_no_agreement(tmp_path: Path) -> None:
    more_a = A + "print(np.array([x.min() * 1.2345, x.max() * 2.3456, 0.77123]))\n"
    more_b = B + "print(sum(v * v for v in values) / 7.1234)\n"
    code, said = aligned(tmp_path, more_a, more_b)
    assert (code, said["outcome"], said["divergences"]) == (5, "INCOMPLETE", [])
    assert "each program prints numbers that the other does not" in said["sentence"]


def test_results_between_the_same_others_are_compared_whatever_they_are_called(tmp_path: Path) -> None:
    more_a = A + "spread = np.sqrt(x.sum()) * 1.7123\nprint(spread)\nprint(x.max() * 3.7182)\n"
    more_b = B + "q = sum(values) ** 0.51 * 1.7123 + 0.1\nprint(q)\nprint(max(values) * 3.7182)\n"
    code, said = aligned(tmp_path, more_a, more_b)
    assert (code, said["outcome"]) == (1, "DIVERGENCE")
    first = said["divergences"][0]
    assert (first["a"]["line"], first["b"]["line"]) == (19, 21)


def test_one_column_of_a_table_that_differs_is_no_agreement(tmp_path: Path) -> None:
    more_a = A + "print({'low': x - 1.25, 'high': np.sqrt(x) * 3.0771})\n"
    more_b = B + "print({'l': [v - 1.25 for v in values], 'h': [v ** 0.51 * 3.0771 for v in values]})\n"
    code, said = aligned(tmp_path, more_a, more_b)
    assert said["outcome"] in ("INCOMPLETE", "DIVERGENCE")
    assert code in (1, 5)


def test_names_are_given_and_left_out(tmp_path: Path) -> None:
    _, said = aligned(tmp_path, A, B, "--map", "entropy=n_eff", "--ignore", "z")
    pairs = {(match["a"]["name"], match["b"]["name"]): match["agrees"] for match in said["matches"]}
    assert pairs["entropy", "n_eff"] is False
    assert "z" not in {name for name, _ in pairs}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.py", "none.py"], "no such file"),
        (["a.py", "a.txt"], "its suffix .txt names no language"),
        (["a.py", "a.py", "--map", "x"], "--map x: two names are due"),
        (["a.py", "a.py", "--map", "nothing=x"], "the first program sets no nothing"),
    ],
)
def test_mistakes_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("x = 1.5\nprint(x)\n", encoding="utf-8")
    Path("a.txt").write_text("", encoding="utf-8")
    done = CliRunner().invoke(main, ["align", *arguments])
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize("text", ["", "print(6.0)\n", "def f(x):\n    return x\n"])
def test_a_program_without_a_result_is_not_compared(tmp_path: Path, text: str) -> None:
    code, said = aligned(tmp_path, A, text)
    assert (code, said["outcome"], said["matches"]) == (5, "INCOMPLETE", [])


def test_a_program_that_fails_at_once(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, "raise ValueError('no')\n", A)
    assert (code, said["outcome"]) == (4, "FAULT")


@pytest.mark.r
def test_variables_of_the_names_that_the_recorder_calls(tmp_path: Path) -> None:
    names = ("c", "t", "list", "length", "unlist", "rbind", "missing", "eval", "charToRaw", "T")
    pairs = "".join(f"{name} <- x * {at}.5\n" for at, name in enumerate(names, 2))
    others = "".join(f"{name}_ = x * {at}.5\n" for at, name in enumerate(names, 2))
    bounds = "ci <- cbind(lower = x / 7, upper = x / 3)\n", "low, high = x / 7, x / 3\n"
    (tmp_path / "a.R").write_text(f"x <- seq(1.25, 4.25)\n{pairs}{bounds[0]}print(c + t)\n", encoding="utf-8")
    (tmp_path / "b.py").write_text(
        f"import numpy as np\nx = np.arange(1.25, 5.0)\n{others}{bounds[1]}print(c_ + t_)\n", encoding="utf-8"
    )
    done = CliRunner().invoke(main, ["align", str(tmp_path / "a.R"), str(tmp_path / "b.py"), "--json"])
    said = json.loads(done.stdout)
    if "no R" in str(said) or done.exit_code == 3:
        pytest.skip("there is no R")
    assert (done.exit_code, said["outcome"]) == (0, "AGREEMENT")
    agreeing = {match["a"]["name"] for match in said["matches"] if match["agrees"]}
    assert {"x", *names} <= agreeing
    pairs_of = {(match["a"]["name"], match["b"]["name"]) for match in said["matches"]}
    assert {('ci[, "lower"]', "low"), ('ci[, "upper"]', "high")} <= pairs_of


def test_more_than_two_are_compared_with_the_first(tmp_path: Path) -> None:
    wrong = B.replace("(len(v) - 1)", "len(v)")
    assert wrong != B
    for name, text in (("a", A), ("b", B), ("c", wrong)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    words = ["align", *(str(tmp_path / f"{name}.py") for name in "abc")]
    done = CliRunner().invoke(main, [*words, "--json"])
    said = json.loads(done.stdout)
    assert (done.exit_code, said["outcome"]) == (1, "DIVERGENCE")
    assert [(Path(pair["b"]).name, pair["outcome"]) for pair in said["pairs"]] == [
        ("b.py", "AGREEMENT"), ("c.py", "DIVERGENCE"),
    ]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert f"{tmp_path / 'a.py'} and {tmp_path / 'c.py'}\n\nDIVERGENCE" in done.stdout
    done = CliRunner().invoke(main, [*words, "--html", str(tmp_path / "page.html")])
    assert (done.exit_code, "a page shows two programs" in done.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.r
def test_what_a_loop_arrives_at_is_not_made_in_one_statement(tmp_path: Path) -> None:
    """A root is bisected in one program, and found at once in the other; the function has the wrong line."""
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    folder = Path(__file__).parents[1] / "programs" / "seventh" / "titration"
    pair = tomllib.loads((folder / "pair.toml").read_text(encoding="utf-8"))
    fault = pair["fault"][0]
    paths = {side: tmp_path / pair[side] for side in ("a", "b")}
    for path in paths.values():
        shutil.copy(folder / path.name, path)
    lines = paths[fault["side"]].read_text(encoding="utf-8").split("\n")
    lines[fault["line"] - 1] = fault["text"]
    paths[fault["side"]].write_text("\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(main, ["align", *map(str, paths.values()), "--json"])
    assert result.exit_code == 1, result.output
    said = json.loads(result.stdout)["divergences"]
    assert said[0]["kind"] == "unproved"
