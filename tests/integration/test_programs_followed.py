"""What a program prints is followed to the lines that made it, through whatever people write in between."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from harness.programs.launch import as_program, record
from harness.programs.units import ancestors, units_of
from harness.sessions.sandbox import Limits, find_sandbox

pytestmark = pytest.mark.usefixtures("interpreted_programs")

PYTHON = """\
from datetime import date, timedelta
from fractions import Fraction

def steps(values):
    total = 0.0
    for v in values:
        total += v * 0.9  # makes 1
        yield total

def smoothed(items):
    yield from (i - 0.3 for i in items)  # makes 1

print(list(steps([1.3, 2.7])))  # shows 1
for m in smoothed(steps([4.1, 5.9])):
    print(m)  # shows 1

class Model:
    decay = 0.83  # makes 2

    def __init__(self, start):
        self.level = start * self.decay

print(Model(10.0).level)  # shows 2

groups = {}
for k, x in enumerate([1.3, 2.7, 4.1]):
    groups.setdefault(k % 2, []).append(x * 1.5)  # makes 3
print(sum(groups[0]))  # shows 3

def maker(k):
    base = k * 2.2  # makes 4
    def inner(v):
        return (v + base) ** 2  # makes 4
    return inner

square = maker(1.4)
print(square(2.0))  # shows 4

total = 0.0
def add(v):
    global total
    total += v * 1.9  # makes 5
add(2.5)
print(total)  # shows 5

def counter():
    c = 0.5
    def up(v):
        nonlocal c
        c += v * 1.3  # makes 6
    up(3.5)
    return c * 2
print(counter())  # shows 6

def halve(rows):
    for k in range(len(rows)):
        rows[k] = rows[k] / 2.0  # makes 7
rows = [1.25, 3.5]
halve(rows)
print(rows[1])  # shows 7

due = date(2021, 3, 1) + timedelta(days=17)  # makes 8
print((date(2021, 12, 24) - due).days)  # shows 8
part = Fraction(3, 7) + Fraction(1, 3)  # makes 9
print(float(part))  # shows 9
scaled = [1.1 * 2.3, 4.7]  # makes 10
both = zip(scaled, scaled)
print(sum(a * b for a, b in both))  # shows 10

def ends_of(values):
    least = min(values) * 1.3  # makes 11
    most = max(values) * 1.7  # makes 11
    return least, most
low, high = ends_of(scaled)  # makes 11
print(high)  # shows 11
held = [0.0, 0.0]
held[0], held[1] = ends_of(scaled)  # makes 11
print(held[1])  # shows 11
"""

R = """\
df <- data.frame(g = c("a", "b", "a"), x = c(1.2, 3.4, 2.2), n = c(3, 1, 2))
wide <- within(df, {
  y <- x * 2.1 # makes 1
  z <- y + n # makes 1
})
wide <- transform(wide, q = z * 0.5 + x) # makes 1
print(sum(wide$q)) # shows 1
print(with(df, { # shows 2
  w <- x * n # makes 2
  sum(w) / sum(n)
}))
ag <- aggregate(x ~ g, data = df, FUN = function(v) {
  lowest <- min(v) # makes 3
  max(v) - 0.9 * lowest
})
print(ag$x) # shows 3

maker <- function(k) {
  base <- k * 2.2 # makes 4
  function(v) (v + base)^2 # makes 4
}
square <- maker(1.4)
total <- 0
add <- function(v) total <<- total + v * 1.9 # makes 4
for (x in df$x) add(x)
cat(square(2), total, "\\n") # shows 4

account <- new.env()
account$balance <- 100
grow <- function(e) {
  e$balance <- e$balance * 1.03 # makes 5
}
grow(account)
cat(account$balance, "\\n") # shows 5

Account <- setRefClass("Account", fields = list(held = "numeric", rate = "numeric"), methods = list(
  grow = function() {
    gain <- held * rate # makes 6
    held <<- held + gain # makes 6
  }
))
own <- Account$new(held = 1000, rate = 0.037)
own$grow()
cat(own$held, "\\n") # shows 6

`half<-` <- function(x, value) {
  x$x <- value / 2 # makes 7
  x
}
half(df) <- df$n * 3.3 # makes 7
cat(sum(df$x), "\\n") # shows 7
print.res <- function(x, ...) cat("res", x$val, "\\n") # shows 8
st <- structure(list(val = sum(df$n) * 0.3), class = "res") # makes 8
print(st)
knots <- c(1.5, 2.5) * 1.1 # makes 9
between <- approxfun(knots, c(3.1, 4.7))
cat(between(2.1), "\\n") # shows 9
"""

JULIA = """\
xs = [1.3, 2.7, 4.1]
ys = [2.1, 2.9, 4.4]
K = [exp(-abs(a - b) / 3) for a in xs, b in ys] # makes 1
L = Float64[k > 0.5 ? k : 2k for k in K] # makes 1
println(sum(L)) # shows 1
weight(v) = exp(-v / 2.5) # makes 2
println(sum(weight(x) for x in xs)) # shows 2

Base.@kwdef struct Settings
    decay::Float64 = 0.83 # makes 3
end
settings = Settings()
println(10 * settings.decay) # shows 3

val = try
    q = log(xs[3]) * 3.3 # makes 4
    q + 1
catch
    0.0
end
println(val) # shows 4

m = [1.5 2.5; 3.5 4.5]
@views m[:, 1] .+= 2.0 # makes 5
function scale!(a, k)
    a .*= k # makes 5
    return nothing
end
scale!(m, 1.1)
println(m) # shows 5

maker(k) = begin
    base = k * 2.2 # makes 6
    v -> (v + base)^2 # makes 6
end
square = maker(1.4)
println(let z = 2.5 # makes 6 # shows 6
    z * square(z)
end)

function main()
    s = 0.5
    add(v) = (s += v * 1.9; nothing) # makes 7
    foreach(add, xs)
    s > 2 && (s -= 0.4) # makes 7
    println(s) # shows 7
end
main()
@. ys = ys - 0.1 # makes 8
println(sum(ys)) # shows 8

function yearly(mean)
    below(v) = 1 - exp(-(v / mean)^2)
    total = 0.0
    for v in xs
        total += below(v) * 1.7 # makes 9
    end
    return total
end
println(sum(yearly.([1.5, 2.5]))) # shows 9
scaled = [1.1, 4.7] .* 2.3 # makes 10
both = zip(scaled, scaled)
println(sum(a * b for (a, b) in both)) # shows 10

function ends_of(values)
    least = minimum(values) * 1.3 # makes 11
    most = maximum(values) * 1.7 # makes 11
    return least, most
end
low, high = ends_of(scaled) # makes 11
println(high) # shows 11
held, count = zeros(2, 2), zeros(2)
for k in 1:2
    held[1, k], count[k] = ends_of(scaled .* k) # makes 11
end
println(sum(held)) # shows 11
println(count[1]) # shows 11
pairs_of = [ends_of([a, b]) for a in scaled, b in scaled] # makes 12
lows, highs = (getindex.(pairs_of, k) for k in 1:2) # makes 12
println(sum(highs)) # shows 12
"""


def marked(text: str) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """By their number, the lines that make something and those that show it."""
    made: dict[int, list[int]] = defaultdict(list)
    shown: dict[int, list[int]] = defaultdict(list)
    for line, words in enumerate(text.splitlines(), 1):
        for what, number in re.findall(r"# (makes|shows) (\d+)", words):
            (made if what == "makes" else shown)[int(number)].append(line)
    return made, shown


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", PYTHON),
        pytest.param("a.R", R, marks=pytest.mark.r),
        pytest.param("a.jl", JULIA, marks=pytest.mark.julia),
    ],
)
def test_what_is_shown_is_followed_to_the_lines_that_make_it(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    sandbox = find_sandbox(unsandboxed=True)
    limits = Limits(chunk_seconds=120.0)
    recorded = record(as_program(tmp_path / name), sandbox, limits=limits)
    bare = record(as_program(tmp_path / name), sandbox, limits=limits, bare=True)
    assert (recorded.trouble, recorded.printed) == ("", bare.printed)
    units = units_of(recorded.trace)
    made, shown = marked(text)
    lost = []
    for number, lines in made.items():
        ends = [unit.number for unit in units if unit.kind == "shown" and unit.site.line in shown[number]]
        above = {found for end in ends for found in (end, *ancestors(units, end))}
        reached = {units[found].site.line for found in above}
        lost += [f"{line}: {text.splitlines()[line - 1].strip()}" for line in lines if line not in reached]
    assert lost == []


NAMED = {
    "a.py": ("rest = {}\nrest['joule'] = 1.25\nprint(rest['joule'])\n", "rest['joule']"),
    "a.R": ("acc <- c(u = 0, v = 0)\nacc['u'] <- 1.25\nprint(acc)\n", 'acc["u"]'),
    "a.jl": ('d = Dict{String,Float64}()\nd["a"] = 1.25\nprintln(d["a"])\n', 'd["a"]'),
}


@pytest.mark.parametrize(
    "name",
    ["a.py", pytest.param("a.R", marks=pytest.mark.r), pytest.param("a.jl", marks=pytest.mark.julia)],
)
def test_an_element_is_called_as_its_language_writes_it(tmp_path: Path, name: str) -> None:
    text, called = NAMED[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    recorded = record(
        as_program(tmp_path / name), find_sandbox(unsandboxed=True), limits=Limits(chunk_seconds=120.0)
    )
    assert recorded.trouble == ""
    assert called in [unit.name for unit in units_of(recorded.trace) if unit.kind == "element"]
