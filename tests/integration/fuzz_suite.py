"""A suite of one case to search: sound sources, planted faults, and what a search of it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from click.testing import CliRunner, Result

from harness.cli import main
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "toy"
title = "Toy"
origin = "here"
fixture = "toy"

[inputs]
x = { shape = ["n"] }
W = { shape = ["n", "d"] }

[[stage]]
name = "centred"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "peak"
inputs = ["x"]
shape = []

[[stage]]
name = "mixed"
inputs = ["centred", "W"]
shape = ["d"]
"""


SOUND = """
import numpy as np


def centred(x):
    return x - x.mean()


def peak(x):
    return x.max()


def mixed(centred, W):
    return centred @ W
"""


OTHER = """
import math

import numpy as np


def centred(x):
    return x - math.fsum(x) / len(x)


def peak(x):
    return np.sort(x)[-1]


def mixed(centred, W):
    return (centred[:, None] * W).sum(axis=0)
"""


FAULTS = {
    "tie": ("return np.sort(x)[-1]", "return x.max() - 0.5 * (np.sum(x == x.max()) > 1)"),
    "zero": ("return np.sort(x)[-1]", "return x.max() + np.any(np.signbit(x) & (x == 0.0))"),
    "one": ("return x - math.fsum(x) / len(x)", "return x - math.fsum(x) / max(len(x) - (len(x) == 1), 0.5)"),
    "raises": ("return np.sort(x)[-1]", "assert len(x) != 3\n    return x.max()"),
    "shape": ("return np.sort(x)[-1]", "return x.max() if len(x) > 1 else x"),
}


def suite(folder: Path, labels: Mapping[str, str], *, more: str = "") -> Path:
    case = folder / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE + more, encoding="utf-8")
    (case / "toy.py").write_text(SOUND, encoding="utf-8")
    for label, source in labels.items():
        (case / f"toy.{label}.py").write_text(source, encoding="utf-8")
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=4), "W": rng.normal(size=(4, 2))}
    write_fixture(
        folder / "fixtures" / "toy",
        version=1,
        title="numbers",
        origin="here",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "here"),
    )
    return folder


def faulty(label: str) -> str:
    old, new = FAULTS[label]
    assert OTHER.count(old) == 1
    return OTHER.replace(old, new)


def fuzz(folder: Path, *options: str) -> Result:
    out = folder / "out"
    command = ["fuzz", "toy", "--suite", str(folder), "--out", str(out), *options]
    return CliRunner().invoke(main, command)


def files(folder: Path) -> dict[str, bytes]:
    """The suite's, without the folder of results."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "out" not in path.relative_to(folder).parts and path.suffix != ".pyc"
    }


def found(output: str) -> dict[str, str]:
    """By label, all lines of its finding."""
    parts = re.split(r"^\d+\. numpy", output, flags=re.MULTILINE)[1:]
    texts = {part.split(",")[0].lstrip("."): part for part in parts}
    assert len(texts) == len(parts), output
    return texts


KEPT_SOME = """
[case]
name = "toy"
title = "Toy"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]
W = ["n", "d"]

[[stage]]
name = "some"
inputs = ["x"]
shape = ["m"]
"""


def kept_some(folder: Path, reference: str, other: str, *, more: str = "") -> Result:
    """A search of a stage whose number of elements is its own."""
    of_some(folder, reference, other, more=more)
    return fuzz(folder, "--inputs", "2000")


def of_some(folder: Path, reference: str, other: str, *, more: str = "") -> None:
    suite(folder, {})
    (folder / "toy" / "case.toml").write_text(KEPT_SOME + more, encoding="utf-8")
    for name, body in (("toy.py", reference), ("toy.other.py", other)):
        source = f"import numpy as np\n\n\ndef some(x):\n    return {body}\n"
        (folder / "toy" / name).write_text(source, encoding="utf-8")
