"""Install an archive where nothing else is, and use it as a stranger does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

FILES = {
    "line.py": "def slope(x, y):\n    d = x - x.mean()\n    return d @ y / (d @ d)\n",
    "port.py": "import numpy as np\n\n\ndef slope(x, y):\n    return np.cov(x, y)[0, 1] / np.var(x)\n",
    "data.csv": "x,y\n58,115\n59,117\n60,120\n61,123\n62,126\n",
}
"""A line's slope, and a port that divides by n instead of n - 1."""
STEPS: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("--version",), 0, "version"),
    (("new", "case", "line", "--from", "line.py", "port.py", "--data", "data.csv"), 0, "next: harness run"),
    (("run", "--impl", "numpy"), 0, "AGREEMENT"),
    (("run", "--impl", "numpy*"), 1, "Look first at the stage slope"),
    (("report", "results"), 0, ""),
)
"""What is called, its exit code, and what it prints."""
PAGE = Path("results", "report.html")


def failures(archive: Path, folder: Path) -> list[str]:
    """What goes wrong with an archive that is installed in an environment of its own.

    Parameters
    ----------
    archive : Path
        An sdist or a wheel.
    folder : Path
        An empty folder, which gets the environment and the suite.
    """
    home, work = folder / "environment", folder / "work"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    install = [programs / "python", "-m", "pip", "install", "--quiet", archive.resolve()]
    subprocess.run(install, check=True, cwd=folder)
    work.mkdir()
    for name, text in FILES.items():
        (work / name).write_text(text, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    found = [problem for step in STEPS if (problem := _problem(programs / "harness", step, work, clean))]
    if not found and "line" not in (work / PAGE).read_text(encoding="utf-8"):
        found.append(f"{PAGE} does not name the case")
    return [f"{archive.name}: {problem}" for problem in found]


def _problem(
    program: Path, step: tuple[tuple[str, ...], int, str], work: Path, env: Mapping[str, str]
) -> str:
    words, code, due = step
    done = subprocess.run(
        [program, *words], cwd=work, env=env, check=False, text=True, capture_output=True, timeout=600
    )
    said = done.stdout + done.stderr
    if done.returncode != code:
        return f"harness {' '.join(words)} ended with {done.returncode} and not with {code}:\n{said}"
    return "" if due in said else f"harness {' '.join(words)} does not print {due!r}:\n{said}"
