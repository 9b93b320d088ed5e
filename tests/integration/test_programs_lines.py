"""Of statements over several lines the line is named that does it; defaults of parameters are values."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ProvisionError
from harness.programs.launch import Recorded, as_program, command_of, record
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Limits, find_sandbox

PYTHON = """\
import numpy as np


def scaled(x, ddof=0,
           power=2.0 * 1):
    return x.std(ddof=ddof) ** power


x = np.array([1.0, 2, 4, 8, 16])
out = np.clip(
    x,
    np.mean(x) - 3.0,
    12.5,
)
total = (
    x[0]
    + x[1] * 2
    - x[2] * 3
)
chain = (
    x.clip(2)
    .cumsum()
    .max()
)
table = {
    "mean": x.mean(),
    "low": -0.5,
}
kept = [
    v
    for v in x
    if v > 3
]
print(scaled(x), scaled(x, 1),
      scaled(x, power=1.0))
match len(kept):
    case n if n > 2:
        print(n, f"{out.sum():.2f}")
"""

R = """\
scaled <- function(x, ddof = 0,
                   power = 2 * 1, w = rep(1, length(x)), ...) {
  if (missing(w)) sqrt(sum(w * (x - mean(x))^2) / (length(x) - ddof))^power else 0
}
x <- c(1, 2, 4, 8, 16)
out <- pmin(
  pmax(x,
    mean(x) - 3.0),
  12.5
)
total <- x[1] +
  x[2] * 2 -
  x[3] * 3
chain <- x |>
  pmax(2) |>
  cumsum() |>
  max()
table <- list(
  mean = mean(x),
  mean2 = mean(x)
)
cat(scaled(x), scaled(x, 1),
    scaled(x, power = 1), "\\n")
kind <- function(type = c("one", "two")) { type <- match.arg(type); type }
kind()
D(body(function(x) x^3), "x")
cube <- function(x, k = 3) x^k
cube
D(body(cube), "x")
"""

JULIA = """\
using Statistics
function scaled(x, ddof = 0; power = 2.0 * 1, w = ones(length(x)))
    return sqrt(sum(w .* (x .- mean(x)) .^ 2) / (length(x) - ddof))^power
end
least(x::T, y::T = zero(T)) where {T<:Real} = min(x, y)
x = [1.0, 2, 4, 8, 16]
println(scaled(x), " ", scaled(x, 1), " ", scaled(x; power = 1.0), " ", least(3), least(3, -1))
"""


def run(tmp_path: Path, name: str, text: str) -> Recorded:
    path = tmp_path / name
    path.write_text(text)
    program = as_program(path)
    try:
        command_of(program.language)
    except ProvisionError as missing:
        pytest.skip(missing.message)
    sandbox, limits = find_sandbox(unsandboxed=True), Limits(chunk_seconds=240)
    plain = record(program, sandbox, limits=limits, bare=True)
    recorded = record(program, sandbox, limits=limits)
    assert not plain.trouble
    assert not recorded.trouble, recorded.messages
    assert recorded.printed == plain.printed
    return recorded


def lines(units: list[Unit], kind: str) -> dict[str, int]:
    return {unit.name: unit.site.line for unit in units if unit.kind == kind}


def defaults(units: list[Unit]) -> dict[str, list[float]]:
    return {unit.name: unit.values[0].ravel().tolist() for unit in units if unit.kind == "default"}


def test_lines_of_python(tmp_path: Path) -> None:
    units = units_of(run(tmp_path, "a.py", PYTHON).trace)
    parts = lines(units, "part")
    assert parts["np.mean(x) - 3.0"] == 12
    assert parts["12.5"] == 13
    assert (parts["x[0] + x[1] * 2"], parts["x[2] * 3"]) == (17, 18)
    assert (parts["x.clip(2)"], parts["x.clip(2).cumsum()"]) == (21, 22)
    assert (parts["x.mean()"], parts["-0.5"], parts["v > 3"]) == (26, 27, 32)
    sets = lines(units, "set")
    assert (sets["out"], sets["total"], sets["chain"]) == (10, 18, 23)
    assert lines(units, "default") == {"ddof": 4, "power": 5}
    assert lines(units, "param") == {"x": 4, "ddof": 4, "power": 5}
    assert [unit.site.line for unit in units if unit.kind == "shown"][:3] == [34, 34, 35]


@pytest.mark.r
def test_lines_of_r(tmp_path: Path) -> None:
    units = units_of(run(tmp_path, "a.R", R).trace)
    parts = lines(units, "part")
    assert (parts["pmax(x, mean(x) - 3)"], parts["mean(x) - 3"]) == (7, 8)
    assert (parts["x[1] + x[2] * 2"], parts["x[3] * 3"]) == (11, 13)
    assert (parts["pmax(x, 2)"], parts["cumsum(pmax(x, 2))"]) == (15, 16)
    assert {unit.site.line for unit in units if unit.name == "mean(x)"} >= {19, 20}
    sets = lines(units, "set")
    assert (sets["out"], sets["total"], sets["chain"]) == (6, 12, 17)
    assert lines(units, "default")["power"] == 2
    assert [unit.site.line for unit in units if unit.kind == "shown"][:3] == [22, 22, 23]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", PYTHON),
        pytest.param("a.R", R, marks=pytest.mark.r),
        pytest.param("a.jl", JULIA, marks=pytest.mark.julia),
    ],
)
def test_what_parameters_are_by_default_is_where_they_come_from(tmp_path: Path, name: str, text: str) -> None:
    units = units_of(run(tmp_path, name, text).trace)
    known = defaults(units)
    assert (known["ddof"], known["power"]) == ([0.0], [2.0])
    if name != "a.py":
        assert known["w"] == [1.0] * 5
    ddof = next(unit for unit in units if unit.kind == "param" and unit.name == "ddof")
    default = next(unit.number for unit in units if unit.kind == "default" and unit.name == "ddof")
    assert [value.item() for value in ddof.values] == [0, 1, 0]
    assert ddof.inputs >= {default}
    given = ddof.sources[1]
    assert not given & {*units[default].places}
