"""Programs print the same with recording as without; what is recorded is what they set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.errors import ProvisionError
from harness.programs.launch import Recorded, as_program, command_of, record
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Limits, find_sandbox

PYTHON = """\
import numpy as np

def centered(x, by=None):
    "Centre it."
    m = np.mean(x) if by is None else by
    return x - m

class Walk:
    def __init__(self, k):
        self.w = np.zeros(k)
    def step(self, g):
        self.w -= 0.1 * g
        return self.w.sum()

x = np.array([1.0, 2, 3, 4])
xc = centered(x)
total, out, history = 0.0, np.zeros(4), []
for i in range(4):
    total += xc[i] ** 2
    out[i] = total
    history.append(total / 2)
walk = Walk(4)
steps = [walk.step(xc) for _ in range(3)]
square = lambda z: z * z
if total > 1:
    v = square(total) / (len(x) - 1)
np.random.seed(1)
draws = np.random.normal(size=3)
print("v", v, f"{v:.3f}", steps, draws)
"""

R = """\
centered <- function(x, by = NULL, scale = 1) {
  m <- if (is.null(by)) mean(x) else by
  (x - m) / scale
}
x <- c(1, 2, 3, 4)
xc <- centered(x)
total <- 0
out <- numeric(4)
history <- c()
for (i in seq_along(x)) {
  total <- total + xc[i]^2
  out[i] <- total
  history <- c(history, total / 2)
}
quiet <- function(y) invisible(y * 2)
quiet(3)
square <- function(z) z * z
if (total > 1) {
  v <- square(total) / (length(x) - 1)
}
tab <- data.frame(x = x, y = x^2)
tab$z <- tab$x + 1
fit <- lm(y ~ x, data = tab)
fact <- function(n) { if (n < 2) return(1); n * fact(n - 1) }
set.seed(1)
draws <- rnorm(3)
fact(4)
coef(fit)
print(tab)
first <- function(a, b) if (missing(b)) substitute(a) else b
first(x + y)
cat("v", v, sprintf("%.3f", v), history, draws, "\\n")
"""

JULIA = """\
using Statistics, LinearAlgebra
"Centre it."
function centered(x; by = nothing)
    m = by === nothing ? mean(x) : by
    return x .- m
end
square(z) = z * z
function run(x)
    xc = centered(x)
    total = 0.0
    out = zeros(4)
    history = Float64[]
    for i in 1:4
        total += xc[i]^2
        out[i] = total
        push!(history, total / 2)
    end
    total, out, history
end
x = [1.0, 2, 3, 4]
total, out, history = run(x)
function reflected(w)
    for k in 1:2
        part = w[k:4]
        part[1] += 1.5
        w[k:4] -= 2part
    end
    w
end
turned = reflected(copy(x))
y = similar(x)
y .= x .* 2
s = 0.0
for k in 1:3
    global s += k
end
xc = centered(x)
if total > 1
    global v = square(total) / (length(x) - 1)
end
F = lu([1.0 2; 3 4])
println("v ", v, " ", round(v, digits = 3), " $(sqrt(v)) ", history, " ", s, " ", F.L)
"""

SANDBOX = find_sandbox(unsandboxed=True)


def run(folder: Path, name: str, text: str, *, bare: bool = False) -> Recorded:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    program = as_program(path)
    try:
        command_of(program.language)
    except ProvisionError as missing:
        pytest.skip(missing.message)
    return record(program, SANDBOX, limits=Limits(chunk_seconds=240), bare=bare)


def last(units: list[Unit], name: str, kind: str = "set") -> np.ndarray:
    return next(unit for unit in reversed(units) if unit.name == name and unit.kind == kind).values[-1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", PYTHON),
        pytest.param("a.R", R, marks=pytest.mark.r),
        pytest.param("a.jl", JULIA, marks=pytest.mark.julia),
    ],
)
def test_the_same_bits_with_and_without(tmp_path: Path, name: str, text: str) -> None:
    plain = run(tmp_path, name, text, bare=True)
    recorded = run(tmp_path, name, text)
    assert recorded.trouble == ""
    assert recorded.trace.complete
    assert "v " in plain.printed
    assert recorded.printed == plain.printed
    units = units_of(recorded.trace)
    np.testing.assert_array_equal(last(units, "xc"), [-1.5, -0.5, 0.5, 1.5])
    np.testing.assert_array_equal(last(units, "out", "container"), [2.25, 2.5, 2.75, 5.0])
    assert last(units, "v") == pytest.approx(25 / 3)
    in_loop = next(unit for unit in units if unit.name == "total" and len(unit.values) == 4)
    np.testing.assert_array_equal(np.stack(in_loop.values), [2.25, 2.5, 2.75, 5.0])
    returned = next(unit for unit in units if unit.kind == "return" and unit.name == "square")
    assert returned.values[0] == 25.0
    source = next(unit for unit in reversed(units) if unit.name == "v" and unit.kind == "set")
    assert returned.number in source.inputs
    assert text.split("\n")[source.site.line - 1].strip().removeprefix("global ").startswith("v ")


def test_what_goes_wrong_is_said_with_the_line(tmp_path: Path) -> None:
    recorded = run(tmp_path, "a.py", "x = 1.5\ny = x / 0\n")
    assert recorded.trouble == "it failed in line 2: ZeroDivisionError: float division by zero"
    assert [unit.name for unit in units_of(recorded.trace)] == ["x"]
    recorded = run(tmp_path, "b.py", "x = 1.5\nif x\n")
    assert recorded.trouble.startswith("it failed in line 2: SyntaxError")


def test_a_program_that_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 0\nwhile True:\n    x += 1\n", encoding="utf-8")
    recorded = record(as_program(path), SANDBOX, limits=Limits(chunk_seconds=6))
    assert recorded.trouble == "it did not end within 6 s"
    assert "x" in [unit.name for unit in units_of(recorded.trace)]


@pytest.mark.r
def test_r_says_where_it_fails(tmp_path: Path) -> None:
    recorded = run(tmp_path, "a.R", "x <- 1.5\ny <- log(nothing)\n")
    assert recorded.trouble == "it failed in line 2: object 'nothing' not found"


def test_data_beside_it_and_files_that_it_writes(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.txt").write_text("2.5")
    text = "x = float(open('sub/x.txt').read())\nopen('sub/y.txt', 'w').write('1')\nprint(x)\n"
    recorded = run(tmp_path, "a.py", text)
    assert (recorded.trouble, recorded.printed) == ("", "2.5\n")
    assert not (tmp_path / "sub" / "y.txt").exists()
