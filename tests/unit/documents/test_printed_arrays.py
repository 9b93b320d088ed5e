"""Arrays as four printers print them: another layout is formatting, another digit is a difference."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.documents.compare_printed import compare_printed
from harness.model.article import BlockKind

RECORDED = Path(__file__).parent / "recorded"
_DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[ef][-+]?\d+)?(?![\w.])(?! \*)")
SAME_NUMBERS = (BlockKind.REPRODUCED, BlockKind.FORMATTING)

shapes = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
arrays = st.builds(
    lambda seed, shape, scale: np.random.default_rng(seed).normal(size=shape) * scale,
    st.integers(0, 2**32 - 1),
    shapes,
    st.sampled_from([1e-9, 1e-3, 1.0, 1e3, 1e9]),
)


def sections(name: str) -> dict[str, str]:
    """The parts of a recorded file, by what stands behind %% above them."""
    parts = re.split(r"^%% (.*?) *\n", (RECORDED / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def perturb(text: str, pick: int, digit: int, change: int) -> tuple[str, str, str]:
    """Change one digit of one number's mantissa: the new text, the number before and after."""
    numbers = list(_DECIMAL.finditer(text))
    number = numbers[pick % len(numbers)]
    mantissa = re.split("[ef]", number[0])[0]
    places = [at for at, char in enumerate(mantissa) if char.isdigit()]
    at = places[digit % len(places)]
    changed = number[0][:at] + str((int(number[0][at]) + change) % 10) + number[0][at + 1 :]
    return text[: number.start()] + changed + text[number.end() :], number[0], changed


perturbations = st.tuples(st.integers(0, 10**6), st.integers(0, 30), st.integers(1, 9))


def assert_told(published: str, change: tuple[int, int, int], language: str, produced: str = "") -> None:
    """The one number that was changed is the one that is told, and no other."""
    wrong, before, after = perturb(published, *change)
    verdict = compare_printed(wrong, produced or published, language)
    assert verdict.kind is BlockKind.DIFFERS
    assert verdict.first is not None
    assert (verdict.first.kind, verdict.first.published) == ("number", after)
    assert verdict.differing == 1
    if not produced:
        assert verdict.first.produced == before
        assert verdict.first.units is not None
        assert verdict.first.units > 0.999
    other = compare_printed(published, wrong, language)
    assert (other.kind, other.differing) == (BlockKind.DIFFERS, 1)


@given(arrays, perturbations)
@settings(deadline=None)
def test_numpy(
    array: np.ndarray[tuple[int, ...], np.dtype[np.float64]], change: tuple[int, int, int]
) -> None:
    narrow = np.array2string(array, max_line_width=30)
    wide = np.array2string(array, max_line_width=1000, separator=", ")
    verdict = compare_printed(narrow, wide, "python")
    assert verdict.kind in SAME_NUMBERS, verdict
    rounded = np.array2string(array, precision=4, floatmode="fixed")
    assert compare_printed(rounded, wide, "python").kind in SAME_NUMBERS
    assert compare_printed(wide, rounded, "python").kind in SAME_NUMBERS
    assert_told(wide, change, "python", narrow)
    assert_told(repr(array), change, "python")


@given(st.integers(0, 100), perturbations)
@settings(deadline=None, max_examples=50)
def test_numpy_summaries(seed: int, change: tuple[int, int, int]) -> None:
    array = np.random.default_rng(seed).random((9, 12))
    summary = np.array2string(array, threshold=10)
    whole = np.array2string(array, threshold=10**6)
    assert "..." in summary
    assert compare_printed(summary, whole, "python").kind is BlockKind.FORMATTING
    assert compare_printed(whole, summary, "python").unseen == 9 * 12 - 36
    wrong, _, after = perturb(summary, *change)
    verdict = compare_printed(wrong, whole, "python")
    assert verdict.first is not None
    assert (verdict.differing, verdict.first.published) == (1, after)


@pytest.mark.torch
@given(arrays, perturbations)
@settings(deadline=None)
def test_torch(
    array: np.ndarray[tuple[int, ...], np.dtype[np.float64]], change: tuple[int, int, int]
) -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(array, dtype=torch.float32, requires_grad=True)
    # each style as a user would set it; set_printoptions would outlive the test
    style = torch._tensor_str.PRINT_OPTS
    saved = dict(vars(style))
    texts = []
    try:
        for precision, width, sci in [(4, 80, None), (4, 30, None), (7, 80, True)]:
            torch.set_printoptions(precision=precision, linewidth=width, sci_mode=sci)
            texts.append(str(tensor))
    finally:
        vars(style).update(saved)
    usual, narrow, sci_mode = texts
    assert compare_printed(usual, narrow, "python").kind in SAME_NUMBERS
    verdict = compare_printed(usual, sci_mode, "python")
    assert verdict.kind is BlockKind.FORMATTING, verdict
    assert compare_printed(usual, str(tensor.detach()), "python").kind in SAME_NUMBERS
    if _DECIMAL.search(usual):
        assert_told(usual, change, "python", narrow)


R = sections("r.txt")
R_VALUES = sorted({name.split()[0] for name in R if name.count(" ") == 2})


@pytest.mark.parametrize("name", R_VALUES)
def test_r_at_other_widths_and_digits(name: str) -> None:
    styles = [f"{name} {width} {digits}" for width in (60, 500) for digits in (7, 12)]
    for published in styles:
        for produced in styles:
            verdict = compare_printed(R[published], R[produced], "r")
            assert verdict.kind in SAME_NUMBERS, (published, produced, verdict)
            if R[published].split() != R[produced].split():
                assert verdict.numbers > 0


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("matrix", 24),
        ("vector", 20),
        ("named_vector", 12),
        ("named_matrix", 30),
        ("named_columns", 30),
        ("frame", 24),
    ],
)
def test_r_every_number_is_compared(name: str, numbers: int) -> None:
    assert compare_printed(R[f"{name} 60 7"], R[f"{name} 500 12"], "r").numbers == numbers


@given(st.sampled_from([name for name in R_VALUES if name != "integers"]), perturbations)
@settings(deadline=None)
def test_r_one_digit(name: str, change: tuple[int, int, int]) -> None:
    assert_told(R[f"{name} 60 7"], change, "r")
    wrong, _, after = perturb(R[f"{name} 60 7"], *change)
    verdict = compare_printed(wrong, R[f"{name} 500 12"], "r")
    assert verdict.first is not None
    assert verdict.differing == 1
    assert verdict.first.published == after


JULIA = sections("julia.txt")
JULIA_VALUES = sorted({name.split()[0] for name in JULIA if name.split()[0] != "Julia"})


@pytest.mark.parametrize(
    ("name", "shown"),
    [("vector", 9), ("float32", 9), ("integers", 9), ("matrix", 45)],
)
def test_julia_elided(name: str, shown: int) -> None:
    short, whole = JULIA[f"{name} 14"], JULIA[f"{name} 1000"]
    assert "⋮" in short
    verdict = compare_printed(short, whole, "julia")
    assert (verdict.kind, verdict.numbers) == (BlockKind.FORMATTING, shown)
    newer = re.sub(r"Array\{(\w+),1\}", r"Vector{\1}", whole)
    newer = re.sub(r"Array\{(\w+),2\}", r"Matrix{\1}", newer)
    assert compare_printed(short, newer, "julia").kind is BlockKind.FORMATTING
    assert compare_printed(whole, short, "julia").kind is BlockKind.UNCHECKED
    if name != "matrix":  # in print, the dots are easily lost
        lost = short.replace(" ⋮\n", "  \n")
        assert lost != short
        assert compare_printed(lost, whole, "julia").kind is BlockKind.FORMATTING


@given(st.sampled_from([name for name in JULIA_VALUES if name not in ("integers", "words")]), perturbations)
@settings(deadline=None)
def test_julia_one_digit(name: str, change: tuple[int, int, int]) -> None:
    assert_told(JULIA[f"{name} 14"], change, "julia", JULIA[f"{name} 1000"])
    assert_told(JULIA[f"{name} 1000"], change, "julia")


LIBTORCH = sections("libtorch.txt")


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("cube", 24), ("cube narrow_scale", 24), ("matrix", 12), ("wide", 60), ("wide scaled", 60),
        ("wide cube", 120), ("vector", 4), ("sci", 4), ("integers", 3), ("scalar", 1), ("special", 4),
    ],
)  # fmt: skip
def test_libtorch_reads_every_number(name: str, numbers: int) -> None:
    text = LIBTORCH[name]
    verdict = compare_printed(text, text.replace("CPU", "CUDA"), "r")
    assert (verdict.kind, verdict.numbers) == (BlockKind.FORMATTING, numbers)


def test_libtorch_columns_in_parts_are_rows() -> None:
    rows: list[list[str]] = [[], []]
    for part in re.split(r"Columns \d+ to \d\d", LIBTORCH["wide"].split("[ CPU")[0])[1:]:
        for row, line in zip(rows, part.strip().split("\n"), strict=True):
            row += line.split()
    joined = "\n".join("  ".join(row) for row in rows) + "\n[ CPUFloatType{2,30} ]"
    verdict = compare_printed(LIBTORCH["wide"], joined, "r")
    assert (verdict.kind, verdict.numbers) == (BlockKind.FORMATTING, 60)


def test_libtorch_scale() -> None:
    cube, scaled = LIBTORCH["cube"], LIBTORCH["cube narrow_scale"]
    assert "0.0001 *" in scaled
    assert compare_printed(cube, scaled.replace("0.0001 *", "0.1 *"), "r").kind is BlockKind.FORMATTING
    assert compare_printed(cube, scaled, "r").differing == 24


@given(
    st.sampled_from(["cube", "cube narrow_scale", "wide", "wide scaled", "wide cube", "sci"]), perturbations
)
@settings(deadline=None)
def test_libtorch_one_digit(name: str, change: tuple[int, int, int]) -> None:
    text = re.sub(r"(Columns \d+ to \d\d)(1e)", r"\1 \2", LIBTORCH[name])
    assert_told(text, change, "r")
