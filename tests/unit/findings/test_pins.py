"""Versions that a file beside a document pins: what they lift, and what they leave in doubt."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import msgspec
import pytest

from harness.findings.answers import judged
from harness.findings.pins import pins_of
from harness.model.article import Answer, Block
from tests.unit.findings.made_runs import Ran, chunk, left

HERE = metadata.version("msgspec")


def pinned(folder: Path, text: str, file: str = "requirements.txt") -> dict[str, tuple[str, bool]]:
    (folder / file).write_text(text)
    return {name: (pin.version, pin.same) for name, pin in pins_of(folder / "a.md").items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"msgspec=={HERE}\n", {"msgspec": (HERE, True)}),
        (f"MsgSpec[yaml] == {HERE}  # for speed\n", {"msgspec": (HERE, True)}),
        (f'msgspec=={HERE}.0; python_version > "3"\n', {"msgspec": (f"{HERE}.0", True)}),
        ("msgspec==0.0.1\n", {"msgspec": ("0.0.1", False)}),
        ("scikit_learn==0.1\n", {"sklearn": ("0.1", False)}),
        ("not-there-at-all==1.0\n", {"not_there_at_all": ("1.0", False)}),
        (f"msgspec>={HERE}\nmsgspec\nmsgspec~={HERE}\n", {}),
        (f"msgspec=={HERE[:-1]}*\n", {}),
        (f"msgspec=={HERE}\nmsgspec==0.0.1\n", {}),
        ("-r other.txt\n--index-url https://example.org\n", {}),
    ],
)  # fmt: skip
def test_only_exact_versions_are_pinned(
    tmp_path: Path, text: str, found: dict[str, tuple[str, bool]]
) -> None:
    assert pinned(tmp_path, text) == found


def test_an_environment_of_conda(tmp_path: Path) -> None:
    text = f"dependencies:\n  - conda-forge::msgspec={HERE}=py311_0\n  - pip:\n    - attrs==0.1\n"
    found = pinned(tmp_path, text, "environment.yml")
    assert found == {"msgspec": (HERE, True), "attrs": ("0.1", False)}
    assert pinned(tmp_path, "msgspec==0.0.1") == {"attrs": ("0.1", False)}


def test_a_file_that_cannot_be_read_pins_nothing(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_bytes(b"\xff\xfe")
    assert pins_of(tmp_path / "a.md") == {}


def answer(folder: Path, pins: str, *, alike: int = 5) -> Block:
    """What is said of the first of several outputs, of a package that prints itself."""
    (folder / "requirements.txt").write_text(pins)
    others = [chunk(n + 2, f"msgspec.f({n})", output=f"{n}\n") for n in range(alike)]
    chunks = [
        chunk(0, "import msgspec"),
        chunk(1, "msgspec.g(7)", output="11 22 33 44 55 66 77 88\n"),
        *others,
    ]
    texts = [left(), left("11 22 33 44 55 66 71 88\n"), *(left(f"{n}\n") for n in range(alike))]
    runs = Ran(chunks, texts)
    runs.document = msgspec.structs.replace(runs.document, path=folder / "a.md")
    return judged(runs).blocks[0]


def test_a_pin_that_is_not_here_is_the_reason_that_is_given(tmp_path: Path) -> None:
    other = answer(tmp_path, "msgspec==0.0.1\n")
    assert other.answer is Answer.HERE
    assert f"requirements.txt pins msgspec 0.0.1, and {HERE} is here" in other.why
    assert "pins" not in answer(tmp_path, f"msgspec=={HERE}\n").why
    assert "pins" not in answer(tmp_path, "attrs==0.1\n").why


@pytest.mark.parametrize(
    ("pins", "alike", "lifted"),
    [
        (f"msgspec=={HERE}\n", 5, True),
        (f"msgspec=={HERE}\n", 2, False),
        ("msgspec==0.0.1\n", 5, False),
        ("", 5, False),
    ],
)  # fmt: skip
def test_a_pin_lifts_the_doubt_where_outputs_bear_it_out(
    tmp_path: Path, pins: str, alike: int, lifted: bool
) -> None:
    found = answer(tmp_path, pins, alike=alike).answer
    assert found is (Answer.WRONG if lifted else Answer.HERE)
