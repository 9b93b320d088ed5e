"""A Dict and a Set of Julia: who looks things up in one shows no order of it."""

import pytest

from harness.findings.julia_order import goes_through_a_set, leaves_order_open, picks_one
from harness.findings.open_orders import only_the_order
from harness.findings.which_first import left_open

ASKS = [
    "d = Dict('a' => 1, 'b' => 2)\nprintln(d['a'])",
    "ranks = Dict('2' => 1)\nhaskey(ranks, '3') || error(\"none\")\nranks['2']",
    "d = Dict(1 => 2)\nget(d, 1, 0) + length(d)",
    'const D = Dict{String, Int}("a" => 1)\nif "a" in keys(D)\n    println(D["a"])\nend',
    "d = Dict(1 => 2)\nd[3] = 4\nprintln(sort(collect(keys(d))), sum(values(d)))",
    "s = Set([1, 2])\n3 in s",
    "Set([1, 2]) == Set([2, 1])",
    "length(Set([1, 2, 2]))",
    'd = Dict("a" => 1)\nprintln("it is $(d["a"])")',
    "f(d::Dict{Int, Int}) = d[1]\nx = Vector{Int}()",
    "s = Set([1])\npush!(s, 2)\nlength(s)",
]
SHOWS = [
    "d = Dict('a' => 1)\nprintln(d)",
    "d = Dict('a' => 1)\nfor (k, v) in d\n    println(k)\nend",
    "Dict(1 => 2)",
    "d = Dict(1 => 2)\n[k for k in keys(d)]",
    "d = Dict(1 => 2)\nsort(collect(d), by = last)",
    "const Hand = Set{Int}\nHand([1, 2])",
    "d = Dict(1 => 2)\nprintln(\"all: $d\")",
    "d = Dict(1 => 2)\nprintln(\"all: $(keys(d))\")",
    "s = Set([1])\npush!(s, 2)",
    "d = Dict(1 => 2)\nf(d)",
]  # fmt: skip


@pytest.mark.parametrize("code", ASKS)
def test_what_is_looked_up_has_no_order(code):
    assert not goes_through_a_set(code)


@pytest.mark.parametrize("code", SHOWS)
def test_what_is_gone_through_or_shown_has_one(code):
    assert goes_through_a_set(code)


def test_code_that_cannot_be_read_may_go_through_a_set_that_it_names():
    assert goes_through_a_set("d = Dict(1 => 2")
    assert not goes_through_a_set("d = [1, 2")


def test_a_sort_keeps_the_order_of_equals_unless_it_is_told_by_what_to_sort():
    assert not leaves_order_open("struct Card\n    rank::Int\nend\nsort([Card(2), Card(1)])")
    assert leaves_order_open("sort(v, by = abs)")


def test_braces_of_a_type_are_no_set():
    code = 'x = Pair{Int, String}[1 => "a", 2 => "b"]\nx'
    assert not only_the_order("a\nb\n", "b\na\n", code, "julia")
    assert only_the_order("a\nb\n", "b\na\n", f"{code}\nd = Dict(x)\nprintln(d)", "julia")


SUMS = 'd = Dict("a" => [1, 2], "b" => [3])\nr = 0\nfor k in keys(d)\n    global r += sum(d[k])\nend\nr'
PICKS = 'd = Dict("a" => 1, "b" => 2)\nfor k in keys(d)\n    println(d[k])\n    break\nend'


def said_of(published, produced, code):
    return left_open(published, produced, None, code, "julia", stated="1.7", same=False)


def test_what_is_gone_through_alike_has_the_same_values_in_any_order():
    assert not picks_one(SUMS)
    assert not said_of("17\n", "6\n", SUMS)
    assert picks_one(PICKS)
    assert said_of("2\n", "1\n", PICKS)


def test_another_order_of_the_same_is_still_left_open():
    shown = 'd = Dict("a" => 1, "b" => 2)\nfor k in keys(d)\n    print(k)\nend'
    assert said_of("ab\n", "ba\n", shown)
    assert not said_of("ac\n", "ba\n", shown)
