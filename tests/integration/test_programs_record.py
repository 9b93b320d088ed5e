"""Programs print the same with recording as without; what is recorded is what they set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.errors import ProvisionError
from harness.programs.launch import Recorded, as_program, command_of, record
from harness.programs.units import Unit, ancestors, units_of, without_parts
from harness.sessions.sandbox import Limits, find_sandbox

pytestmark = pytest.mark.usefixtures("interpreted_programs")

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
ordered = sorted([3.0, -1.0], key=lambda one: abs(one))
if total > 1:
    v = square(total) / (len(x) - 1)
np.random.seed(1)
draws = np.random.normal(size=3)
class Odd(list):
    # Says when it is asked for anything.
    def __getattribute__(self, name):
        print("asked for", name)
        return list.__getattribute__(self, name)
    def __iter__(self):
        print("gone over")
        return list.__iter__(self)
odd = [Odd([1, 2]), {"of": Odd([3])}]
print("v", v, f"{v:.3f}", steps, draws)
"""

R = """\
length.odd <- function(x) { cat("asked\\n"); stop("it has none") }
odd <- list(structure(list(1, 2), class = "odd"), structure(c(a = 1), class = "odd"))
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
struct Odd <: AbstractVector{Float64} end
Base.size(::Odd) = (println("asked"); (1,))
Base.getindex(::Odd, k::Int) = error("there is none")
odd = (Odd(), [Odd()])
println("v ", v, " ", round(v, digits = 3), " $(sqrt(v)) ", history, " ", s, " ", F.L)
"""

# What looks at how an argument is written, what goes on in place, and what is evaluated only if it is needed.
PYTHON_PARTS = """\
import math
import numpy as np
x = np.array([0.1, 0.2, 0.7])
y = (x - x.mean()) / x.std() if x.sum() > 0 else None
first, *rest = sorted([v * 3 + 1 for v in x])
pairs = {k: (lambda a: a * x[k] + 1)(k) for k in range(3)}
safe = x.size > 5 and 1 / 0
total = sum(math.sqrt(v) * w for v, w in zip(x, y) if v > 0.15)
x[1:] += x[:-1] * 2
def walk(n):
    for k in range(n):
        yield k * 2 + 1
def fall(n):
    return 1 if n < 2 else n * fall(n - 1)
print(y, first, rest, pairs, safe, total, x[::-1] + 1, list(walk(3)), fall(5), f"{x.sum() * 2:.3f}")
print(", ".join(f"{v:.3f}" for v in x), [[round(a * b, 6) for a in x] for b in x])
"""
R_PARTS = """\
x <- c(0.1, 0.2, 0.7)
print(data.frame(x * 2, sqrt(x) + 1))
print(table(x > 0.15))
named <- function(a) deparse(substitute(a))
cat(named(x + 1), "\\n")
lazy <- function(a, b) if (a > 5) b else a
print(lazy(sum(x) * 2, stop("never")))
y <- (x - mean(x)) / sqrt(sum((x - mean(x))^2) / (length(x) - 1))
m <- cbind(x, twice = x * 2, x + 1)
print(m)
print(sapply(c(a = 1, b = 2), function(k) k * sum(x) + 1))
print(tryCatch(log(-1) + sqrt(x), warning = function(w) conditionMessage(w)))
fit <- lm(y ~ I(x^2))
print(fit$call)
print(t.test(x - 0.1)$data.name)
x[-1] <- x[-1] * 2 + x[-3]
fall <- function(n) if (n < 2) 1 else n * fall(n - 1)
print(c(fall(5) + 1, rev(cumsum(x))[1:2]))
cat(y, sprintf("%.3f", sum(x) * 2), "\\n")
"""
JULIA_PARTS = """\
using Statistics, LinearAlgebra, Printf
x = [0.1, 0.2, 0.7]
y = (x .- mean(x)) ./ std(x)
x[2:end] .+= x[1:end-1] .* 2
A = [x y; y x]
b = (A' * A)[1, :] .+ 1
safe = length(x) > 5 && error("never")
fall(n) = n < 2 ? 1 : n * fall(n - 1)
shift(v; by = 1.0, scale = 2) = (v .+ by) ./ scale
z = shift(x .* 3; by = sum(x) / 2)
s = sum(v * 2 + 1 for v in x)
w = map(v -> v^2 + sqrt(abs(v)), y)
x .= sqrt.(abs.(x) .+ 1)
mask = x .> 1.1
t = (1 < fall(3) - 2 <= 6) ? fall(5) + 1 : 0
@printf("%.4f %.4f\\n", sum(z) * 2, maximum(w) / 3)
println(x, y, b, safe, z, s, w, x[mask], t, " $(round(s * 2, digits = 3))", norm(x - y) + 1)
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
    # What an expression is made of: the call's result, before it is divided.
    called = next(unit for unit in units if unit.kind == "part" and unit.name == "square(total)")
    assert (called.values[0], len(called.values)) == (25.0, 1)
    squares = next(unit for unit in units if unit.kind == "part" and unit.name.startswith("xc[i]"))
    np.testing.assert_array_equal(np.stack(squares.values), [2.25, 0.25, 0.25, 2.25])
    assert called.number in next(unit for unit in units if unit.name == "v" and unit.kind == "set").inputs
    units = without_parts(units)
    returned = next(unit for unit in units if unit.kind == "return" and unit.name == "square")
    assert returned.values[0] == 25.0
    source = next(unit for unit in reversed(units) if unit.name == "v" and unit.kind == "set")
    assert returned.number in source.inputs
    assert text.split("\n")[source.site.line - 1].strip().removeprefix("global ").startswith("v ")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", PYTHON_PARTS),
        pytest.param("a.R", R_PARTS, marks=pytest.mark.r),
        pytest.param("a.jl", JULIA_PARTS, marks=pytest.mark.julia),
    ],
)
def test_what_expressions_are_made_of_is_recorded_and_changes_nothing(
    tmp_path: Path, name: str, text: str
) -> None:
    plain, recorded = run(tmp_path, name, text, bare=True), run(tmp_path, name, text)
    assert (plain.trouble, recorded.trouble) == ("", "")
    assert len(plain.printed) > 100
    assert recorded.printed == plain.printed
    assert sum(unit.kind == "part" for unit in units_of(recorded.trace)) > 10


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


ARGUMENTS = {
    "a.py": (
        "import numpy as np\n"
        "def say(label, *values, **more):\n    print(label, *[v * 1.0 for v in values])\n"
        "a, b, values = np.array([1.25, 2.5]), 3.75, 99.5\n"
        "say('both', a.mean(), b)\n"
    ),
    "a.R": (
        "say <- function(label, ...) cat(label, format(c(...)), '\\n')\n"
        "a <- c(1.25, 2.5)\nb <- 3.75\nvalues <- 99.5\n"
        "say('both', mean(a), b)\n"
    ),
    "b.R": (
        "say <- function(label, values) cat(label, format(values), '\\n')\n"
        "a <- c(1.25, 2.5)\nb <- 3.75\nvalues <- 99.5\n"
        "say('both', c(mean(a), b))\n"
    ),
    "a.jl": (
        'say(label, values...) = println(label, " ", join(vcat(values...), " "))\n'
        "a, b, values = [1.25, 2.5], 3.75, 99.5\n"
        'say("both", sum(a) / 2, b)\n'
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        "a.py",
        pytest.param("a.R", marks=pytest.mark.r),
        pytest.param("b.R", marks=pytest.mark.r),
        pytest.param("a.jl", marks=pytest.mark.julia),
    ],
)
def test_what_a_function_prints_comes_from_what_its_call_reads(tmp_path: Path, name: str) -> None:
    recorded = run(tmp_path, name, ARGUMENTS[name])
    assert recorded.trouble == ""
    assert recorded.printed.startswith("both")
    units = units_of(recorded.trace)
    shown = next(unit for unit in reversed(units) if unit.kind == "shown")
    names = {units[number].name for number in ancestors(units, shown.number) if units[number].kind == "set"}
    assert {"a", "b"} <= names
    # A variable of the caller with the name of a parameter is another one.
    assert "values" not in names


@pytest.mark.r
def test_a_call_that_is_a_value_stays_one(tmp_path: Path) -> None:
    text = (
        "quiet <- function(x) invisible(x * 2)\nf <- function(x) x + 0.5\n"
        "y <- if (TRUE) f(1) else f(2)\nz <- { f(2)\n f(3) }\nquiet(4)\nf(5)\ncat(y, z, '\\n')\n"
    )
    assert run(tmp_path, "a.R", text).printed == run(tmp_path, "a.R", text, bare=True).printed


@pytest.mark.parametrize("name", ["a.py", pytest.param("a.R", marks=pytest.mark.r)])
def test_of_a_trial_only_what_is_asked_for_is_recorded(tmp_path: Path, name: str) -> None:
    recorded = run(tmp_path, name, "x = 1.5\ny = x * 2\nz = y + 1\nprint(z)\n")
    sites = {site.name: site.number for site in recorded.trace.sites.values() if site.kind == "set"}
    plan = {sites["x"]: [np.array(4.0)]}
    for kept, due in ((frozenset[int](), ["x", "y", "z"]), (frozenset({sites["z"]}), ["z"])):
        again = record(
            recorded.program, SANDBOX, limits=Limits(chunk_seconds=60), plans=[plan], kept=kept
        ).trials[1]
        names = [again.sites[event.site].name for event in again.events if event.site in sites.values()]
        assert (again.complete, names) == (True, due)
        assert [event.parts[""] for event in again.events if event.site == sites["z"]] == [9.0]


COLUMNS = """\
tab <- data.frame(x = c(1.5, 2.5, 4.25), y = 0, z = 0)
for (i in 1:3) {
  tab$y[i] <- tab$x[i] * 2
  tab$z[i] <- tab$x[i] + 7
}
s <- sum(tab$y)
w <- sapply(tab, sum)
cat(s, w, "\\n")
"""


@pytest.mark.r
def test_columns_of_a_table_are_set_each_in_its_own_line(tmp_path: Path) -> None:
    recorded = run(tmp_path, "a.R", COLUMNS)
    units = units_of(recorded.trace)
    columns = {unit.name: unit for unit in units if unit.kind == "container"}
    assert {name: unit.site.line for name, unit in columns.items()} == {"tab$y": 3, "tab$z": 4}
    np.testing.assert_array_equal(columns["tab$y"].values[0], [3, 5, 8.5])
    read = {name: ancestors(units, next(u.number for u in units if u.name == name)) for name in ("s", "w")}
    assert columns["tab$y"].number in read["s"]
    assert columns["tab$z"].number not in read["s"]
    assert {columns["tab$y"].number, columns["tab$z"].number} <= read["w"]
    plan = {columns["tab$y"].site.number: [np.array([1.0, 2.0, 4.0])]}
    again = record(recorded.program, SANDBOX, limits=Limits(chunk_seconds=60), plans=[plan]).trials[1]
    sums = [float(one.values[0]) for one in units_of(again) if (one.name, one.kind) == ("s", "set")]
    assert sums == [7.0]


CELLS = """x <- c(0.25, 1.5, 2.75)
tab <- data.frame(row.names = c("u", "v", "w"))
m <- matrix(0, 3, 2, dimnames = list(NULL, c("p", "q")))
for (i in 1:3) {
  tab[i, "y"] <- x[i] * 2
  tab[["z"]][i] <- x[i] + 1
  m[i, "q"] <- x[i] / 3
}
s <- sum(tab$y)
print(tab)
print(m)
"""


@pytest.mark.r
def test_cells_of_a_table_are_set_in_the_column_that_they_name(tmp_path: Path) -> None:
    done = run(tmp_path, "cells.R", CELLS)
    assert done.printed == run(tmp_path, "cells.R", CELLS, bare=True).printed
    units = units_of(done.trace)
    columns = {unit.name: unit for unit in units if unit.kind == "container"}
    assert {name: unit.site.line for name, unit in columns.items()} == {"tab$y": 5, "tab$z": 6, "m$q": 7}
    np.testing.assert_array_equal(columns["tab$y"].values[0], [0.5, 3.0, 5.5])
    np.testing.assert_allclose(columns["m$q"].values[0], [0.25 / 3, 0.5, 2.75 / 3])
    (total,) = (unit for unit in units if unit.name == "s" and unit.kind == "set")
    assert columns["tab$y"].number in total.inputs
    assert columns["tab$z"].number not in total.inputs
    shown = [unit for unit in units if unit.kind == "shown" and unit.site.line == 10]
    assert all({columns["tab$y"].number, columns["tab$z"].number} & unit.inputs for unit in shown)


ROWS = """m <- matrix(0, 3, 2, dimnames = list(NULL, c("p", "q")))
dimnames(m) <- NULL
cube <- array(0, c(2, 3, 2))
for (k in 3:1) {
  m[k, ] <- k + c(0.25, 0.5)
  m[, 2] <- m[, 2] * 1.5
  cube[, k, ] <- m[k, 1]
}
print(sum(m))
print(sum(cube))
"""


@pytest.mark.r
def test_names_are_taken_off_and_rows_and_columns_without_an_index_are_set(tmp_path: Path) -> None:
    done = run(tmp_path, "rows.R", ROWS)
    assert not done.trouble
    assert done.printed == run(tmp_path, "rows.R", ROWS, bare=True).printed
    units = {unit.name: unit for unit in units_of(done.trace) if unit.kind == "container"}
    assert {"m", "cube"} <= units.keys()
    np.testing.assert_array_equal(units["m"].values[-1][:, 0], [1.25, 2.25, 3.25])


def test_of_a_long_loop_the_first_and_the_last_are_kept(tmp_path: Path) -> None:
    text = (
        "s, v = 0.0, []\nfor i in range(9000):\n    s = s + i\n    v.append(s)\n    n = len(v)\nprint(s, n)\n"
    )
    trace = run(tmp_path, "a.py", text).trace
    site = next(site for site in trace.sites.values() if site.name == "s" and site.line == 3)
    kept = [event for event in trace.events if event.site == site.number]
    assert trace.counts[site.number] == 9000
    assert [event.occurrence for event in kept] == [*range(1, 2001), 8960, 8961, 8962]
    assert [event.parts[""].item() for event in kept[-2:]] == [sum(range(8961)), sum(range(8962))]


def test_what_is_handed_on_with_a_star_is_recorded_once(tmp_path: Path) -> None:
    text = (
        "import numpy as np\nm = np.array([[2.5, 0.0], [0.0, 3.5]])\ns = 0.0\n"
        "for at in zip(*np.nonzero(m)):\n    s += m[at]\nprint(s, max(*np.abs(m).sum(axis=0)))\n"
    )
    plain, recorded = run(tmp_path, "a.py", text, bare=True), run(tmp_path, "a.py", text)
    assert (plain.trouble, recorded.trouble) == ("", "")
    assert recorded.printed == plain.printed
    parts = [unit.name for unit in units_of(recorded.trace) if unit.kind == "part"]
    assert parts.count("np.nonzero(m)") == 1


def test_what_a_loop_would_have_set_is_not_read_where_it_had_no_turn(tmp_path: Path) -> None:
    text = (
        "def parts(found):\n    for one in found:\n        own = []\n        own.append(one)\n"
        "    return found\n"
        "for at in []:\n    group = {}\n    group[at] = 1.5\nprint(parts([]), parts([2.5]))\n"
    )
    plain, recorded = run(tmp_path, "a.py", text, bare=True), run(tmp_path, "a.py", text)
    assert (plain.trouble, recorded.trouble) == ("", "")
    assert recorded.printed == plain.printed
    own = next(unit for unit in units_of(recorded.trace) if (unit.name, unit.kind) == ("own", "container"))
    np.testing.assert_array_equal(own.values[-1], 2.5)
