"""Prints how many of the certified digits each language's coefficients have, as a table in Markdown."""

from pathlib import Path

import numpy as np

import harness

HERE = Path(__file__).parent
LANGUAGES = ("numpy", "r", "julia")


def certified() -> dict[str, np.ndarray]:
    """NIST's coefficients, by dataset."""
    lines = (HERE / "regression" / "coefficients.csv").read_text(encoding="utf-8").splitlines()
    rows = (line.split(",") for line in lines if not line.startswith("#"))
    return {name: np.array(numbers, dtype=float) for name, *numbers in rows}


def digits(actual: np.ndarray, expected: np.ndarray) -> float:
    """The significant digits that the worst coefficient has, at most 15: -log10 of its relative error."""
    return float(-np.log10(np.maximum(np.abs(actual - expected) / np.abs(expected), 1e-15).max()))


def table(results: harness.Results) -> str:
    """One line for each dataset."""
    lines = ["| dataset | NumPy | R | Julia |", "|---|---:|---:|---:|"]
    for name, expected in certified().items():
        values = (results.value("coefficients", language, sample=name) for language in LANGUAGES)
        numbers = " | ".join(f"{digits(value, expected):.1f}" for value in values)
        lines.append(f"| {name} | {numbers} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(harness.run(HERE)))
