"""Computed numbers written as text, and read again: decided where rounding cannot turn a digit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.balls import precision
from harness.oracle.oracle_host import start
from harness.oracle.registry import arithmetic, balls
from harness.oracle.texts import UndecidedText, written
from harness.oracle.unknown import Undecided

X = np.array([1.5, 3.0])


def truth(folder: Path, result: str, bits: int = 53) -> tuple[list[np.ndarray], str]:
    """High, low, radius, worst and limit of a stage ``f(x)``; and why some elements are undecided."""
    path = folder / "lines.py"
    path.write_text(f"import numpy as np\ndef f(x):\n    return {result}\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": bits, "balls": False}
    result, parts = host.truth(loaded, params, [X])
    if "f" in result["problems"]:
        return [], result["problems"]["f"]
    return [np.atleast_1d(part) for part in parts], result["why"].get("f", "")


@pytest.mark.parametrize(
    "text",
    [
        *("f'{t * 0.1:.1f}'", "'%.1f' % (t * 0.1)", "'%.*f' % (1, t * 0.1)", "'{:.1f}'.format(t * 0.1)"),
        *("format(t * 0.1, '.1f')", "round(t * 0.1, 1)", "np.round(t * 0.1, 1)"),
    ],
)
def test_a_tie_between_two_digits_is_undecided(text: str, tmp_path: Path) -> None:
    (high, *_, limit), why = truth(tmp_path, f"np.array([float({text}) for t in x])")
    # 1.5 * 0.1 is 0.15 but for its rounding, t / 10 is just below it: 0.2 here, 0.1 there.
    assert np.isnan(limit).tolist() == [True, False]
    assert why in ("a number as text in line 3 of lines.py", "a rounding to digits in line 3 of lines.py")
    assert abs(high[1] - 0.3) < 1e-16
    assert limit[1] < 1e-16


@pytest.mark.parametrize("text", ["str(t * 0.1)", "f'{t * 0.1}'", "'%.17g' % (t * 0.1)", "'%r' % (t * 0.1)"])
def test_all_digits_of_a_rounded_number_are_undecided(text: str, tmp_path: Path) -> None:
    (*_, limit), why = truth(tmp_path, f"np.array([float({text}) for t in x])")
    assert np.isnan(limit).all()
    assert why == "a number as text in line 3 of lines.py"


@pytest.mark.parametrize(
    "result",
    [
        *("np.array([len(str(t * 0.1)) for t in x])", "np.array([int(f'{t * 0.1:.0e}'[0]) for t in x])"),
        *("np.array([1.0 if f'{t * 0.1:.1f}' == '0.2' else 2.0 for t in x])",),
        *("np.array([{'0.2': 1.0}.get(f'{t * 0.1:.1f}', 2.0) for t in x])",),
        *("np.array([float('%.1f' % (t * 0.1) in ('0.2', '0.3')) for t in x])",),
    ],
)
def test_what_is_asked_of_an_undecided_text_is_undecided(result: str, tmp_path: Path) -> None:
    (*_, limit), why = truth(tmp_path, result)
    assert np.isnan(limit).all()
    assert why == "a number as text in line 3 of lines.py"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("np.array([float(f'{t}') for t in x])", [1.5, 3.0]),
        ("np.array([float(str(t * 2)) for t in x])", [3.0, 6.0]),
        ("np.array([float(f'{t * 0.3:.1f}') for t in x[1:]])", [0.9]),
        ("np.array([len(f'{t / 7:.3f}') for t in x])", [5, 5]),
        ("np.array([float('%.2f' % (t / 7)) for t in x])", [0.21, 0.43]),
        ("np.array([float(str(t - np.inf) == '-inf') for t in x])", [1.0, 1.0]),
    ],
)
def test_digits_that_rounding_cannot_turn_are_what_they_are(
    result: str, expected: list[float], tmp_path: Path
) -> None:
    (high, *_, limit), why = truth(tmp_path, result)
    assert (why, high.tolist()) == ("", expected)
    assert (limit < 1e-15).all()


def test_a_short_format_writes_its_own_digits(tmp_path: Path) -> None:
    (high, *_), why = truth(tmp_path, "np.array([len(str(t)) + len(f'{t}') for t in x])", bits=24)
    assert (why, high.tolist()) == ("", [6.0, 6.0])
    rounded = arithmetic(24)
    tenth = rounded.given(np.float64(np.float32(0.1)))
    assert (str(tenth), f"{tenth:.3f}") == ("0.1", "0.100")


def test_other_ways_to_read_an_undecided_text_are_refused(tmp_path: Path) -> None:
    parts, why = truth(tmp_path, "np.array([np.float64('x'.join(['%.1f' % (t * 0.1)])) for t in x[:1]])")
    assert not parts
    assert why.startswith("no limit can be derived for `")
    assert "line 3 of lines.py" in why


def test_a_printed_number_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (high, *_, limit), why = truth(tmp_path, "(print(x[0] * 0.1, f'{x[0] * 0.1}', '%g' % x[1]), x * 0.1)[1]")
    assert why == ""
    assert np.isfinite(limit).all()
    assert "~0.15000000000000002 ~0.15000000000000002 3" in capsys.readouterr().out
    assert np.allclose(high, [0.15, 0.3])


def test_balls_decide_what_numbers_with_errors_do_not() -> None:
    rounded = arithmetic(53)
    half = rounded.gather(1.5) * 0.1
    text = written(lambda number: f"{number:.1f}", half)
    assert isinstance(text, UndecidedText)
    for asked in (float, int, len, hash, list, lambda value: value == "0.2", lambda value: value.strip()):
        with pytest.raises(Undecided, match="a number as text"):
            asked(text)
    with precision(256):
        true = balls(53)
        assert f"{true.gather(1.5) * true.gather(0.2):.1f}" == "0.3"
        assert isinstance(str(true.gather(1.0) / true.gather(3.0)), UndecidedText)
