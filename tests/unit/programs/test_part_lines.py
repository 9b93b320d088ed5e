"""In which line of a Julia statement over several lines each part of it stands."""

from __future__ import annotations

from harness.programs.part_lines import place_parts
from harness.programs.trace import Site, Trace

LINES = [
    "function f(x, n)",
    "    return (N=n, S=n / 2,",
    "            D=1 - sum(x .* (x .- 1)) / n^2,",
    "            E=n / 2)",
    "end",
]


def site(number: int, kind: str, name: str, file: str = "a.jl") -> Site:
    return Site(number, file, 2, kind, name, "f", (), (), ())


def test_a_part_stands_where_it_is_written() -> None:
    trace = Trace({}, {}, {}, [], {})
    trace.sites = {
        1: site(1, "part", "1-sum(x.*(x.-1))/n^2"), 2: site(2, "part", "n/2"), 3: site(3, "return", "f"),
        4: site(4, "part", "sum(y)"), 5: site(5, "part", "1-sum(x.*(x.-1))/n^2", "other.jl"),
    }  # fmt: skip
    place_parts(trace, "a.jl", LINES)
    assert [one.line for one in trace.sites.values()] == [3, 2, 2, 2, 2]
