"""Every reason why no limit can be derived has one form, and names the operation, its line and its file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle import unknown
from harness.oracle.oracle_host import start

HEAD = "import math\nimport numpy as np\nfrom scipy import special\n\n\ndef f(x, A):\n    y = x / 3\n"
"""The line after it is line 8."""

FORM = re.compile(
    r"no limit can be derived for `(?P<what>.+?)` "
    r"\(line (?P<line>\d+) of lines\.py\)(: (?P<why>.+))?"
)

REASONS = {
    # Operations without an analysis.
    "return np.linalg.eig(A)[0]": ("numpy.linalg.eig", 8, None),
    "return special.zeta(y + 2)": ("scipy.special.zeta", 8, None),
    "z = y << 2\n    return z + 1": ("numpy.left_shift", 8, None),
    "z = y + 1\n    return z.nosuch()": ("z.nosuch", 9, None),
    "return np.sort(y, order='a')": ("numpy.sort(order=...)", 8, None),
    "return np.array([len({float(t) for t in y})])": (
        # Since Python 3.12 a comprehension is no function of its own.
        "float(t)" if sys.version_info >= (3, 12) else "{float(t) for t in y}",
        8,
        "it needs .*, in which rounding cannot .*",
    ),
    # Operations on what they do not take.
    "return np.cov(y, ddof=3)": (
        "np.cov(y, ddof=3)",
        8,
        "a covariance of 3 observations .*",
    ),
    "z = np.var(y, ddof=3)\n    return z": (
        "np.var(y, ddof=3)",
        8,
        "a variance of 3 elements .*",
    ),
    "z = np.linalg.inv(A)\n    return z": (
        "np.linalg.inv(A)",
        8,
        "the matrix of .* is singular, .*",
    ),
    "z = np.linalg.cholesky(-A)\n    return z": (
        "np.linalg.cholesky(-A)",
        8,
        ".* is not positive .*",
    ),
    # The user's own.
    "raise ValueError('too cold')": ("raise ValueError('too cold')", 8, "ValueError: too cold"),
    # What a stage returns, or its last line computes.
    "z = [y, y[:1]]\n    return z": ("f", 9, "its rows differ in length"),
    "return None": ("f", 8, "None is no array of real numbers"),
    "z = -y\n    return np.sqrt(z)": (
        "f",
        9,
        "its error has no bound, and it has no true value: .*",
    ),
    # A function next to the end of where it is defined.
    "p = 1 / (1 + np.exp(-40 * x))\n    q = np.log1p(-p)\n    return q * 2": (
        "np.log1p(-p)",
        9,
        unknown.NO_BOUND,
    ),
    # Twice as wrong at every step, in two returns: the function's first line.
    "for _ in range(70):\n        y = 4 * y * (1 - y)\n    if len(y) > 9:\n        return x\n    return y": (
        "f",
        6,
        "no limit is below the value itself",
    ),
}


def reason(folder: Path, body: str) -> str:
    path = folder / "lines.py"
    path.write_text(f"{HEAD}    {body}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x", "A"], "outputs": ["f"]}
    params = {
        "names": ["x", "A"],
        "stages": [stage],
        "wanted": ["f"],
        "feed": True,
        "bits": 53,
        "balls": False,
    }
    x, A = np.array([0.9, 1.5, 2.1]), np.array([[1.0, 2.0], [2.0, 4.0]])
    result, _ = host.truth(loaded, params, [x, A])
    return str({**result["problems"], **result["why"]}["f"])


@pytest.mark.parametrize("body", REASONS)
def test_a_reason_names_the_operation_its_line_and_its_file(tmp_path: Path, body: str) -> None:
    what, line, why = REASONS[body]
    said = FORM.fullmatch(reason(tmp_path, body))
    assert said is not None
    assert (said["what"], int(said["line"])) == (what, line)
    assert said["why"] is None if why is None else re.fullmatch(why, said["why"])
    assert not re.search(r"flint|arb\b|Rounded|Balls|harness|object has no", said[0])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return np.where(x == x[0] + (y - y), 1.0, 0.0)", "a tie in line 8 of lines.py"),
        ("return y * (-1 if y.sum() > x.sum() / 3 else 1)", "a comparison in line 8 of lines.py"),
    ],
)
def test_a_comparison_that_rounding_can_turn_names_its_line(tmp_path: Path, body: str, why: str) -> None:
    assert reason(tmp_path, body) == why


def test_the_sentence_is_written_in_one_place() -> None:
    folder = Path(unknown.__file__).parent
    writing = [path.name for path in folder.glob("*.py") if "no limit can be derived for" in path.read_text()]
    assert writing == ["unknown.py"]


def test_a_file_that_was_written_again_is_quoted_as_it_is_now(tmp_path: Path) -> None:
    for name in ("nosuch", "neither"):
        assert f"`z.{name}`" in reason(tmp_path, f"z = y + 1\n    return z.{name}()")
