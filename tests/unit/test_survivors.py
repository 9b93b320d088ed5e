"""Every change that is listed as one that no test can notice is one of the code as it is."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTED = tomllib.loads((ROOT / "tests" / "mutation" / "survivors.toml").read_text("utf-8"))["survivor"]


def stale(survivor: dict[str, str], text: str) -> str:
    """What of a listed change is not in a module's text; empty if it is all there."""
    taken = [line[2:] for line in survivor["diff"].strip().splitlines() if line.startswith("- ")]
    segments = [_spaced(segment) for name, segment in _segments(text) if name == survivor["function"]]
    if not segments:
        return f"{survivor['file']} has no {survivor['function']}"
    lost = next((line for line in taken if not any(_spaced(line) in segment for segment in segments)), "")
    return f"{survivor['function']} of {survivor['file']} has no line {lost!r}" if lost else ""


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _segments(text: str) -> Iterator[tuple[str, str]]:
    """Functions, methods as ``Class.method``, and assignments of a module or class, with their source."""
    tree = ast.parse(text)
    scopes = [
        ("", tree.body),
        *((f"{node.name}.", node.body) for node in tree.body if isinstance(node, ast.ClassDef)),
    ]
    for prefix, body in scopes:
        for node in body:
            segment = ast.get_source_segment(text, node) or ""
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + node.name, segment
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    yield ast.unparse(target), segment
                    yield prefix + ast.unparse(target), segment


@pytest.mark.parametrize(
    "survivor", LISTED, ids=[f"{entry['function']}-{n}" for n, entry in enumerate(LISTED)]
)
def test_a_listed_change_is_one_of_the_code_as_it_is(survivor: dict[str, str]) -> None:
    path = ROOT / survivor["file"]
    assert path.is_file()
    assert not stale(survivor, path.read_text("utf-8"))


def test_what_is_stale_is_told() -> None:
    text = "LIMIT = 8\n\n\nclass Judge:\n    def of(self, x):\n        return x + 1\n"
    survivor = {"file": "judge.py", "function": "Judge.of", "diff": "- return x + 1\n+ return x + 2\n"}
    assert not stale(survivor, text)
    assert (
        stale({**survivor, "diff": "- return x + 3\n"}, text)
        == "Judge.of of judge.py has no line 'return x + 3'"
    )
    assert stale({**survivor, "function": "of"}, text) == "judge.py has no of"
    assert not stale({"file": "judge.py", "function": "LIMIT", "diff": "- LIMIT = 8\n+ LIMIT = 9\n"}, text)
