"""Exported vectors of texts, dates, what is missing, dictionaries and lists, read in R and Julia."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from tests.integration import test_coded_values as coded
from tests.integration.test_export import LANGUAGES, READER, SUFFIX, said

RunScript = Callable[[str, Path], "subprocess.CompletedProcess[str]"]

STAGES = {
    "shout": ("shout", "word"),
    "regroup": ("regroup", "group"),
    "next_day": ("next_day", "day"),
    "later": ("later", "at"),
    "gaps": ("gaps", "x"),
    "known": ("known", "count"),
    "step.W": ("step", "model layers"),
    "step.b": ("step", "model layers"),
    "apply": ("apply", "step shift"),
    "kept": ("kept", "word"),
}
"""The outputs, with the function and its inputs."""

EXPECTED = {
    "r": {
        "shout": "1 of 4 elements differ, first at [3]: 'NA', and NA is expected",
        "regroup": "regroup.levels of kinds, sample with, isolated: the shape is (2), and (3) is expected",
        "next_day": "3 of 4 elements are beyond their limit; largest error 30 at [1]",
        "later": "4 of 4 elements are beyond their limit; largest error 8.1e+07 at [1]",
        "gaps": "1 of 4 elements are beyond their limit; largest error Inf at [2]",
        "known": "1 of 4 elements are beyond their limit; largest error Inf at [2]",
    },
    "julia": {
        "shout": '3 of 4 elements differ; the worst at [1]: "AÉ", and "Aé" is expected',
        "regroup": "elements differ; the worst at",
        "next_day": "3 of 4 elements differ; the worst at [2]",
        "later": "4 of 4 elements differ; the worst at [1]: ",
        "gaps": "1 of 4 elements differ; the worst at [2]: NaN, and missing is expected",
        "known": "1 of 4 elements differ; the worst at [2]: 0, and missing is expected",
        "step.b": "elements are beyond their limit",
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where ``vectors`` are, and right and wrong sources."""
    folder = tmp_path_factory.mktemp("export")
    coded.write(folder / "suite", coded.SOURCES)
    words = ["export", "kinds", "--suite", str(folder / "suite"), "--out", str(folder / "vectors")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    for ending in SUFFIX.values():
        (folder / f"right.{ending}").write_text(coded.SOURCES[f"kinds.{ending}"], encoding="utf-8")
        (folder / f"wrong.{ending}").write_text(coded.faulty(ending), encoding="utf-8")
    return folder


def calls(language: str) -> list[str]:
    made = []
    mark = "," if language == "r" else ";"
    options = f'{mark} sample = "with", mode = "isolated"'
    for output, (function, inputs) in STAGES.items():
        asked = f'conforms_inputs("kinds", "{output}"{options})'
        taken = [
            f"({asked})${name}" if language == "r" else f'({asked})["{name}"]' for name in inputs.split()
        ]
        part = output.partition(".")[2]
        picked = f"{function}({', '.join(taken)})" + (
            "" if not part else f"${part}" if language == "r" else f".{part}"
        )
        made.append(f'conforms({picked}, "kinds", "{output}"{options})')
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_right_source_conforms_and_a_wrong_one_does_not(
    folder: Path, run_by_itself: RunScript, language: str
) -> None:
    include = {"r": 'source("{}")\n', "julia": 'include("{}")\n'}[language]
    start = READER[language] + include.replace("{}", f"right.{SUFFIX[language]}")
    right = said(language, run_by_itself, folder, start, calls(language))
    assert right[:-1] == [""] * (len(STAGES) - 1)
    assert "no element can be judged" in right[-1]
    start = READER[language] + include.replace("{}", f"wrong.{SUFFIX[language]}")
    found = dict(zip(STAGES, said(language, run_by_itself, folder, start, calls(language)), strict=True))
    for output, words in EXPECTED[language].items():
        assert words in found[output], (output, found[output])


def test_the_document_says_what_arrays_stand_for(folder: Path) -> None:
    document = json.loads((folder / "vectors" / "kinds" / "vectors.json").read_text(encoding="utf-8"))
    forms = {vector["output"]: vector["form"] for vector in document["vectors"]}
    assert forms == {
        "shout": "text", "regroup": "category", "regroup.levels": "text", "next_day": "date", "later": "time",
        "gaps": "missing:float", "known": "missing:int", "step.W": "", "step.b": "", "apply": "", "fold": "",
        "kept": "text",
    }  # fmt: skip
    (regroup,) = (
        vector
        for vector in document["vectors"]
        if (vector["output"], vector["mode"], vector["sample"]) == ("regroup", "isolated", "with")
    )
    assert regroup["input_forms"] == {"group": "category", "group.levels": "text"}
