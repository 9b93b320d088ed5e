"""Stages that are submodules of a torch module, seen by forward hooks, beside functions in NumPy and R."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import CaseError
from harness.model import Record, Verdict
from harness.store.fixture_writer import write_fixture

pytestmark = pytest.mark.torch

CASE = """
[case]
name = "net"
title = "a net of two layers"
origin = "here"
fixture = "net"

[inputs]
x = ["n", "d"]
W1 = ["h", "d"]
b1 = ["h"]
W2 = ["k", "h"]
b2 = ["k"]

[[stage]]
name = "hidden"
inputs = ["x", "W1", "b1"]
shape = ["n", "h"]

[[stage]]
name = "scores"
inputs = ["hidden", "W2", "b2"]
shape = ["n", "k"]

[[stage]]
name = "weights"
inputs = ["scores"]
shape = ["n", "k"]

[modules."torch*"]
module = "Net"
takes = ["x"]
parameters = { "first.weight" = "W1", "first.bias" = "b1", "head.out.weight" = "W2", "head.out.bias" = "b2" }
stages = { hidden = "first", scores = "head.out", weights = "head.soft" }
"""
NUMPY = """
import numpy as np

def hidden(x, W1, b1):
    return x @ W1.T + b1

def scores(hidden, W2, b2):
    return np.maximum(hidden, 0) @ W2.T + b2

def weights(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""
TORCH = """
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 2)
        self.soft = nn.Softmax(dim=1)

    def forward(self, hidden):
        return self.soft(self.out(torch.relu(hidden)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 5)
        self.drop = nn.Dropout(0.5)
        self.head = Head()

    def forward(self, x):
        return self.head(self.drop(self.first(x)))
"""
WRONG = {
    "between": ("torch.relu(hidden)", "torch.tanh(hidden)"),
    "softmax": ("Softmax(dim=1)", "Softmax(dim=0)"),
    "twice": ("self.out(torch.relu(hidden))", "self.out(torch.relu(hidden)) + 0 * self.out(hidden)"),
    "renamed": ("self.first", "self.begin"),
    "more": ("self.drop =", "self.extra = nn.Linear(2, 2)\n        self.drop ="),
    "lacking": ("nn.Linear(5, 2)", "nn.Linear(5, 2, bias=False)"),
}
COUNTED = TORCH.replace(
    "self.head = Head()", 'self.head = Head()\n        self.register_buffer("batches", torch.tensor(0))'
)


def suite_of(folder: Path, text: str = CASE) -> Path:
    case = folder / "net"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(text, encoding="utf-8")
    (case / "net.py").write_text(NUMPY, encoding="utf-8")
    (case / "net_torch.py").write_text(TORCH, encoding="utf-8")
    (case / "net.counted_torch.py").write_text(COUNTED, encoding="utf-8")
    for name, (old, new) in WRONG.items():
        assert old in TORCH
        (case / f"net.{name}_torch.py").write_text(TORCH.replace(old, new), encoding="utf-8")
    rng = np.random.default_rng(0)
    shapes = {"x": (4, 3), "W1": (5, 3), "b1": (5,), "W2": (2, 5), "b2": (2,)}
    arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    write_fixture(
        folder / "fixtures" / "net",
        version=1, title="net", origin="here", licence="MIT", generator=[{"kind": "by hand"}],
        arrays=arrays, origins=dict.fromkeys(arrays, "here"),
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return run(make_plan(suite_of(tmp_path_factory.mktemp("suite"))), out=None)


def off(record: Record, implementation: str, mode: str) -> dict[str, tuple[Verdict, str]]:
    return {
        cell.stage: (cell.verdict, cell.reason)
        for cell in record.cells
        if cell.implementation == implementation and cell.mode == mode and cell.verdict is not Verdict.PASS
    }


def test_submodules_agree_with_functions(record: Record) -> None:
    cells = [cell for cell in record.cells if cell.implementation == "torch"]
    assert {cell.stage for cell in cells} == {"hidden", "scores", "weights"}
    assert {cell.verdict for cell in cells} == {Verdict.PASS}


@pytest.mark.parametrize(("name", "stage"), [("between", "scores"), ("softmax", "weights")])
def test_a_fault_is_found_at_its_stage(record: Record, name: str, stage: str) -> None:
    assert list(off(record, f"torch.{name}", "isolated")) == [stage]
    assert set(off(record, f"torch.{name}", "chained")) == {stage, "weights"}


@pytest.mark.parametrize(
    ("name", "stage", "why"),
    [
        ("twice", "scores", "the submodule head.out was called 2 times in one forward pass, not once"),
        ("renamed", "hidden", "the module has no parameter first.weight, which parameters of [modules]"),
        ("lacking", "hidden", "the module has no parameter head.out.bias, which parameters of [modules]"),
        (
            "more",
            "hidden",
            "no input is named for the parameters extra.weight, extra.bias of the module: add",
        ),
    ],
)
def test_a_module_that_the_case_does_not_fit_accuses_nobody(
    record: Record, name: str, stage: str, why: str
) -> None:
    verdict, reason = off(record, f"torch.{name}", "isolated")[stage]
    assert verdict is Verdict.ERROR
    assert why in reason


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('takes = ["x"]', 'takes = ["y"]', "'y' is no input"),
        ('hidden = "first"', 'middle = "first"', "'middle' is no stage of one array"),
    ],
)
def test_a_wrong_section_is_refused(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(CaseError, match=why):
        make_plan(suite_of(tmp_path, CASE.replace(old, new)))


def test_a_buffer_that_is_not_named_is_the_module_s_own(record: Record) -> None:
    assert 'register_buffer("batches"' in COUNTED
    cells = [cell for cell in record.cells if cell.implementation == "torch.counted"]
    assert {cell.stage for cell in cells} == {"hidden", "scores", "weights"}
    assert {cell.verdict for cell in cells} == {Verdict.PASS}


def test_the_record_says_whose_buffers_are_used(record: Record) -> None:
    said = {"[modules] torch*": "buffers that it does not name are as Net makes them"}
    assert record.header.environments == {"net": said}
