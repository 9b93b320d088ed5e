"""What Julia computes by itself: no package that is missing, no version and no small number excuses it."""

import msgspec
import pytest

from harness.documents.model import Chunk
from harness.findings.answers import judged
from harness.findings.apart import values_apart
from harness.findings.beyond_names import beyond_names
from harness.findings.julia_versions import is_of_no_version
from harness.findings.number_pairs import unwrapped
from harness.findings.open_orders import only_the_order
from harness.findings.rounding import wraps
from harness.findings.sources import calls_the_language_alone
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, UNCHECKED, HERE = Answer.WRONG, Answer.UNCHECKED, Answer.HERE
PRINTED = [left(f"{n + 1}\n") for n in range(3, 12)]


def shown(first: int) -> list[Chunk]:
    """Chunks that are reproduced, as `PRINTED` has it."""
    return [
        chunk(first + n, f"println({n + 3} + 1)", "julia", executable=True, output=f"{n + 4}\n")
        for n in range(9)
    ]


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("for x in 0:2\n    println(10x)\nend", WRONG),
        ("for x in 0:2\n    println(tenfold(x))\nend", UNCHECKED),
    ],
)
def test_a_name_that_is_missing_is_no_reason_of_what_julia_itself_gives(code: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "for v in iterable\nend", "julia", executable=True),
        chunk(1, "using Downloads", "julia", executable=True),
        chunk(2, code, "julia", executable=True, output="0\n10\n30\n"),
        *shown(3),
    ]
    missing = left(error="UndefVarError: iterable not defined", line=2)
    missing = msgspec.structs.replace(
        missing, error=msgspec.structs.replace(missing.error, kind="UndefVarError")
    )
    said = judged(Ran(chunks, [missing, left(), left("0\n10\n20\n"), *PRINTED]))
    assert said.blocks[0].answer is answer


def test_a_call_of_a_package_defines_no_method() -> None:
    assert not beyond_names('Pkg.add("BenchmarkTools")', "julia")
    assert beyond_names("Base.show(io::IO, x::Card) = print(io, 1)", "julia") == {"session"}
    assert beyond_names("function Plots.plot(x::Card)\nend", "julia") == {"session"}


def test_a_function_that_is_called_for_each_element_is_the_same_function() -> None:
    assert calls_the_language_alone("b = length.(a) .> 2", "a = [[1]]", "julia")
    assert not calls_the_language_alone("b = lengths.(a) .> 2", "a = [[1]]", "julia")


def test_what_kinds_of_numbers_become_together_is_the_languages_own() -> None:
    code = "typeof(promote(1.0, 1))"
    assert calls_the_language_alone(code, code, "julia")
    assert not calls_the_language_alone("typeof(promoted(1.0, 1))", code, "julia")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Array{Array{Int64,1},1}", "Vector{Vector{Int64}}"),
        ("Array{Array{Array{Int64,1},2},1}", "Vector{Matrix{Vector{Int64}}}"),
        ("Array{Union{Missing, Float64},1}", "Vector{Union{Missing, Float64}}"),
    ],
)
def test_arrays_of_arrays_have_newer_names_too(old: str, new: str) -> None:
    assert unwrapped(old) == unwrapped(new)


def test_whole_numbers_of_julia_wrap_around_alike_in_all_versions() -> None:
    assert not wraps("x = 0x0c\ny = UInt8(3)", "julia")
    assert not wraps("x = Float16(3)", "julia")  # which is asked for by itself
    assert wraps("x = np.uint8(3)", "python")


@pytest.mark.parametrize(("published", "answer"), [("Float32", WRONG), ("Int32", HERE)])
def test_a_plain_type_is_called_alike_in_all_versions(published: str, answer: Answer) -> None:
    code = "t = (1, 2.5)\nprintln(typeof(t[2]))" if answer is WRONG else "t = (1, 2)\nprintln(typeof(t[2]))"
    printed = "Float64\n" if answer is WRONG else "Int64\n"
    chunks = [chunk(0, code, "julia", executable=True, output=f"{published}\n"), *shown(1)]
    assert judged(Ran(chunks, [left(printed), *PRINTED])).blocks[0].answer is answer


@pytest.mark.parametrize(("drawn", "answer"), [("rand(2)", WRONG), ("[1, 2]", UNCHECKED)])
def test_what_is_drawn_does_not_tell_how_a_document_was_read(drawn: str, answer: Answer) -> None:
    def unsure(index: int, code: str, output: str) -> Chunk:
        made = chunk(index, code, "julia", output=output)
        return msgspec.structs.replace(
            made, output=tuple(msgspec.structs.replace(block, certain=False) for block in made.output)
        )

    right = [unsure(n, f"println({n} * 100)", f"{n * 100}\n") for n in range(9)]
    draws = [unsure(n, drawn, "[0.11, 0.12]\n") for n in range(9, 13)]
    chunks = [*right, *draws, unsure(13, "f = 3 + 1761\nprintln(f)", "1746\n")]
    results = [left(f"{n * 100}\n") for n in range(9)] + [left("[0.71, 0.62]\n")] * 4 + [left("1764\n")]
    assert judged(Ran(chunks, results)).blocks[-1].answer is answer


def test_what_has_no_name_is_counted_by_the_session() -> None:
    apart = values_apart('var"#5#6"', 'var"#1#2"')
    assert apart
    assert not is_of_no_version(apart, "typeof(x -> x)", "")


def test_the_head_of_a_vector_is_no_word_of_an_order() -> None:
    old, new = "2-element Vector{Int64}:\n -2\n  2\n", "2-element Array{Int64,1}:\n  2\n -2\n"
    assert only_the_order(old, new, "sort([2, -2], by=abs)", "julia")


@pytest.mark.parametrize(
    ("stand_in", "shown", "answer"),
    [
        ("Plots", "2x[1]", Answer.WRONG),
        ("Plots", "Plots.backend_name(x)", Answer.UNCHECKED),
        ("Plots", "plotted(x)", Answer.UNCHECKED),
        ("range(a, b)", "sum(range(x[1], 3))", Answer.WRONG),  # which gives what it gives since 1.7
    ],
)
def test_what_calls_julia_alone_is_not_computed_by_a_stand_in(
    stand_in: str, shown: str, answer: Answer
) -> None:
    above = chunk(0, "using Plots\nx = [2, 3]", "julia", output="2\n")
    others = [chunk(n, f"{n} + 1", "julia", output=f"{n}\n") for n in range(2, 10)]
    chunks = [above, chunk(1, shown, "julia", output="6\n"), *others]
    runs = Ran(chunks, [left("2\n"), left("4\n"), *(left(f"{n}\n") for n in range(2, 10))])
    replaced = runs.published.chunks[0], *runs.published.chunks[1:]
    used = msgspec.structs.replace(replaced[0], stand_ins=(stand_in,))
    run = msgspec.structs.replace(runs.published, chunks=(used, *replaced[1:]))
    runs.__dict__ |= dict.fromkeys(("published", "again", "elsewhere"), run)
    assert judged(runs).blocks[1].answer is answer
