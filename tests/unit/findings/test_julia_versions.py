"""No version of Julia since 1.0 makes another value of a plain one: only what it changes is its reason."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.apart import values_apart
from harness.findings.julia_versions import OF_THE_MACHINE, are_rows_alike, is_of_no_version
from harness.findings.number_pairs import number_pairs
from harness.findings.one_place import in_one_place
from harness.findings.plain_slips import no_version_explains
from harness.findings.which_first import left_open
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left, said

HERE, NOBODY, WRONG = Answer.HERE, Answer.NOBODY, Answer.WRONG


@pytest.mark.parametrize(
    ("published", "printed", "code", "none"),
    [
        ("true", "false", "3 isa Union{Char, String}", True),
        ("true", "false", 'isa("abc", AbstractChar)', True),
        ("false", "true", "struct Cat <: Pet end\nCat <: Pet", True),
        ("true", "false", "const Pair2 = Tuple{Int64, Vararg{Bool}}\nx isa Pair2", False),
        ("true", "false", "const Two = Tuple{Bool, Vararg{Bool}}\nx isa Two", True),
        ("true", "false", "x isa AbstractArray", False),  # what that is changes
        ("true", "false", '"a" === "a"', False),
        ("true", "false", "isbits(x)", False),
        ("true", "false", "iseven(x)", True),
        ("the cat purrs", "the dog purrs", 'println("the $(cat ? "cat" : "dog") purrs")', True),
        ("a Vector here", "a Matrix here", "println(typeof(x))", True),
        ("a Vector here", "a SubArray here", "println(typeof(x))", False),
        ("Vector{Int64}", "Array{Int64,2}", "typeof(x)", True),
        ("Matrix{Int64} (alias for Array{Int64, 2})", "Array{Int64,1}", "typeof(x)", True),
        ("Float64, Int64", "Float32, Int64", "typeof(x), typeof(y)", True),
        ("Int32", "Int64", "typeof(x)", False),  # of the machine
        ("Nothing", "nothing", 'get(x, "nothing")', False),
        ("2 3", "4 5", "(x + 1, x + 2)", True),
        ("2.5 - 3.0518977991517997im", "2.5 - 3.0518977991518im", "cos(x)", False),  # the last digit
        ("3.60555127546398", "3.605551275463989", "x = [13.0]\nsqrt.(x)", True),
        ("2.35", "2.36", '@printf("%.2f", x)', False),  # rounds otherwise since 1.6
        ("2.35", "2.53", '@printf("%.2f", x)', True),
        ("Expr", "Symbol", "typeof(ex)", True),
        ("2 3", "4 5", "n = 4\nprintln(n, x[1:(n-3)], x[2]:(n))", True),
        ("2 3", "4 5", "ex = :(2 + 3)", False),
        ("2 3", "4 5", "dump(f(:(a + b)))", False),
        ("2 3", "4 5", "ex = quote\n 2\nend", False),
        ('"Economia"', '"Economiy"', 'replace("Economics", "cs" => "y")', True),
        ('"Economia"', '"Economiy"', 'replace(title(3), "cs" => "y")', False),
        ('"cat one"', '"catone"', 'a = "cat"\nb = "one"\na * b', True),
        ('"cat one"', '"catone"', 'a = "cat"\nb = "one"\n@info a * b', False),
        ('"cat one"', '"catone"', 'try\n error("cat" * "one")\ncatch e\n e.msg\nend', False),
        ('"cat one"', '"catone"', 'string(typeof(x), "one")', False),
        ("5", '"5"', "string(2 + 3)", True),
        ("cat not found", "dog not found", "try f() catch e\n showerror(cat, dog) end", False),
    ],
)
def test_what_versions_of_julia_do_not_change(published: str, printed: str, code: str, none: bool) -> None:
    apart = values_apart(published, printed)
    assert apart is not None
    assert is_of_no_version(apart, code, f"{code}\nabstract type Pet end\nstruct Cat <: Pet end") is none


@pytest.mark.parametrize(
    ("published", "printed", "alike"),
    [
        ("(1, 1)(1, 2)\n(2, 1)(2, 2)", "(1, 1)\n(2, 1)", True),
        ("3-element Vector{Int64}:\n 1\n 2\n 3", "2-element Array{Int64,1}:\n 1\n 2", True),
        ("3-element Vector{Int64}:\n 1\n 2\n 3", "3×1 Array{Int64,2}:\n 1\n 2\n 3", True),
        ("3×1 Array{Float64,2}:\n 1.0\n 2.0\n 3.0", "3-element Array{Float64,1}:\n 1.0\n 2.0\n 3.0", True),
        ("1×3 RowVector{Int64}:\n 1  2  3", "1×3 Adjoint{Int64}:\n 1  2  3", False),
        ("row 1\nrow 2\nrow 3", "row 1\nrow 2", True),
        ("row 1\nline 2", "row 1", False),
        ("Tuple{Int64, String}", "Tuple{Int64,String,Int64}", True),
        ("(1, 2.0)", '(1, 2.0, "3")', True),
        ("(true, 2.0)", "(1, 2.0)", False),
        ("[[1], [2]]", "Array{Int64,1}[[1], [2]]", False),  # as 1.6 has it
        ('Dict("a" => 1)', 'Dict{String,Int64}("a" => 1)', False),
        ("[(1, 2)]", "Tuple{Int64,Int64}[(1, 2)]", False),
        ("3-element BitVector:\n true\n false", "3-element BitVector:\n 1\n 0", False),
        ("Bool[true, false]", "Bool[1, 0]", False),
        ("2.0", "2//1", True),
        ("true", "1", True),
        ("cat one", '"cat one"', True),
        ("cat", '"cat  "', True),
        ("cat one", '"catone"', False),
        ('2-element Array{String,1}:\n "a"\n "b"', '2-element Array{SubString{String},1}:\n "a"\n "b"', True),
        ("1-element Array{Any,1}:\n 1", "1-element Array{Array{Int64,1},1}:\n 1", False),
        ("1-element Vector{Tuple{Int32}}:\n 1", "1-element Vector{Tuple{Int64,Int64}}:\n 1", True),
        ("1-element Vector{Pair{Cat}}:\n 1", "1-element Vector{Pair{Cat,Cat}}:\n 1", False),
        ("9-element Vector{Int64}:\n 1\n ⋮\n 9", "9-element Vector{Int64}:\n 1\n 2\n ⋮\n 9", False),
    ],
)
def test_no_version_says_the_same_of_more_values(published: str, printed: str, alike: bool) -> None:
    assert are_rows_alike(published, printed) is alike
    assert no_version_explains(published, printed, "show(x)", "julia", "x = 1", "1.8", "1.5.3") is alike


def test_a_square_that_was_taken_of_another_number_is_of_no_version() -> None:
    assert no_version_explains("3 + 4im", "-5 + 12im", "(2 + 3im)^2", "julia", "(2 + 3im)^2", "", "1.5.3")
    assert not no_version_explains("3 4", "5 12", "rand(1:9, 2)", "julia", "rand(1:9, 2)", "", "1.5.3")
    assert not no_version_explains("3 4", "5 12", "[x, y]", "julia", "x = 3; y = 4", "0.6.2", "1.5.3")
    code, rows = "A = [1 0 0; 0 1 0; 0 1 7]", " 1  0  0\n 0  1  0\n 0  1  7"
    turned = " 0  1  0\n 1  0  0\n 0  1  7"
    assert no_version_explains(turned, rows, code, "julia", code, "0.6.2", "1.5.3")
    assert not no_version_explains(turned, rows, "find(A)", "julia", code, "0.6.2", "1.5.3")
    halves = rows.replace("7", "7.5"), turned.replace("1  0  0", "1  0  0.5")
    assert not no_version_explains(*halves, code, "julia", code, "0.6.2", "1.5.3")


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("[5 * n for n in 1:3]", "3-element Vector{Int64}:\n 4\n 8\n 12\n",
         "3-element Array{Int64,1}:\n 5\n 10\n 15\n", WRONG),
        ('for c in ["red", "green"]\n    println(c, " is ", c == "red" ? "hot" : "cold")\nend',
         "green is cold\nred is hot\n", "red is hot\ngreen is cold\n", WRONG),
        ("3 isa Union{Char, String}", "true\n", "false\n", WRONG),
        ("sin.(x)", "9×2 Matrix{Float64}:\n 0.1  0.25\n ⋮    \n 0.3  0.41\n",
         "9×2 Array{Float64,2}:\n 0.1  0.24\n 0.2  0.3\n ⋮    \n 0.3  0.41\n", WRONG),
        ("ones(2)", "2-element Vector{Any}:\n 1.0\n 1.0\n",
         "2-element Array{Float64,1}:\n 1.0\n 1.0\n", WRONG),
        ("typeof(x)", "Vector{Int64} (alias for Array{Int64, 1})\n", "Array{Int64,1}\n", HERE),
        ("isinteractive()", "true\n", "false\n", HERE),
        ("@__LINE__", "12\n", "1\n", HERE),
        ("length(LOAD_PATH)", "4\n", "3\n", HERE),
        ("displaysize(stdout)", "(24, 80)\n", "(30, 80)\n", HERE),
        ("first(keys(Dict(4 => 1, 7 => 2)))", "4\n", "7\n", HERE),
        ("Dict(4 => 1, 7 => 2)", "Dict{Int64, Int64} with 2 entries:\n  4 => 1\n  7 => 3\n",
         "Dict{Int64,Int64} with 2 entries:\n  7 => 2\n  4 => 1\n", WRONG),
    ],
)  # fmt: skip
def test_a_document_of_another_version_of_julia(
    code: str, published: str, printed: str, answer: Answer
) -> None:
    rest = ("1 + 1", "2\n")
    assert said(code, published, printed, language="julia", rest=rest, stated="1.9.2") is answer


@pytest.mark.parametrize(
    ("published", "printed", "open_"),
    [
        ('Set(["a", "b"])', 'Set(["b", "a"])', True),
        ('Set(["a", "b"])', 'Set(["a", "c"])', False),
        ('Set(["a", …])', 'Set(["c", …])', True),  # a part of it
        ("Dict(1 => 2, 3 => 4)", "Dict(3 => 4, 1 => 5)", False),
        ("1", "3", True),
    ],
)
def test_which_items_a_whole_set_of_julia_holds_is_no_order(
    published: str, printed: str, open_: bool
) -> None:
    said = left_open(published, printed, None, "first(Set(x))", "julia", stated="1.8", same=False)
    assert bool(said) is open_


def test_unique_keeps_the_order_in_which_values_come() -> None:
    assert not left_open("3 4", "4 3", None, "unique(x)", "julia", stated="1.8", same=False)


def test_an_imaginary_part_is_a_number_of_which_the_last_digits_may_be_others() -> None:
    published, printed = "2.5 - 3.0518977991517997im", "2.5 - 3.0518977991518im"
    assert number_pairs(published, printed) == [("2.5", "2.5"), ("3.0518977991517997", "3.0518977991518")]
    complex_ = "2-element Vector{ComplexF64}:\n 1.0 + 0.0im"
    older = "2-element Array{Complex{Float64},1}:\n 3.0 + 0.0im"
    apart = values_apart(complex_, older)
    assert apart is not None
    assert [(pair.published, pair.produced) for pair in apart] == [("1.0", "3.0")]
    assert number_pairs("3 imports", "4 imports") == [("3", "4")]
    assert number_pairs("3x", "4x") is None


@pytest.mark.parametrize(
    ("published", "pairs"),
    [
        ("9×1 Matrix:\n 1\n ⋮\n 7\n 9", [("9", "9"), ("1", "1"), ("1", "1"), ("7", "8"), ("9", "9")]),
        ("9×1 Matrix:\n ⋮\n 9", [("9", "9"), ("1", "1"), ("9", "9")]),
        ("9×1 Matrix:\n 1\n 2\n 3\n ⋮\n 9", None),
        ("9×1 Matrix:\n 1\n 9", None),
    ],
)
def test_how_many_rows_of_a_matrix_are_shown_depends_on_the_screen(
    published: str, pairs: list[tuple[str, str]] | None
) -> None:
    assert number_pairs(published, "9×1 Matrix:\n 1\n 2\n ⋮\n 8\n 9") == pairs


@pytest.mark.parametrize("language", ["julia", "r"])
def test_what_a_draw_reaches_in_julia_and_r_is_nobodys(language: str) -> None:
    code = {"julia": "x = rand(1:9, 3)", "r": "x <- runif(3)"}[language]
    shown = {"julia": "maximum(x)", "r": "max(x)"}[language]
    chunks = [chunk(0, f"y = 4\n{code}", language), chunk(1, shown, language, output="4\n")]
    assert judged(Ran(chunks, [left(), left("7\n")])).blocks[0].answer is NOBODY


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("Ticket(UInt16(500))", "Ticket(0x01f3)", "Ticket(0x01f4)", WRONG),
        ("sizeof(Char)", "8", "4", WRONG),
        ("sizeof(Int)", "8", "4", HERE),
    ],
)
def test_small_whole_numbers_and_the_sizes_of_plain_types_are_the_same_everywhere(
    code: str, published: str, printed: str, answer: Answer
) -> None:
    others = [chunk(n, f"{n} + 1", "julia", output=f"{n}\n") for n in range(2, 9)]
    above = chunk(0, "struct Ticket\n    number::UInt16\nend", "julia")
    chunks = [above, chunk(1, code, "julia", output=f"{published}\n"), *others]
    results = [left(), left(f"{printed}\n"), *(left(f"{n}\n") for n in range(2, 9))]
    assert judged(Ran(chunks, results)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("b = Int32(10)\ntypeof(b)", "Int64", "Int32", WRONG),
        ("Int64 <: Union{Int64, Float64}", "false", "true", WRONG),
        ("typemax(x)", "9223372036854775087", "9223372036854775807", WRONG),
        ("x^62", "0", "4611686018427387904", WRONG),
        ("round(Int, x^41)", "36472996377170788", "36472996377170786", HERE),  # made of a fraction
        ("Float16(1.0)", "Float16(0.0)", "Float16(1.0)", HERE),  # as some builds had it
        ("Float16[1, 2, 3, 4, 5]", "1.0 2.0 3.0 4.0 6.0", "1.0 2.0 3.0 4.0 5.0", WRONG),
    ],
)
@pytest.mark.parametrize("shown", ["Int64", "Int"])
def test_where_other_outputs_show_integers_of_64_bits_the_machine_had_them(
    code: str, published: str, printed: str, answer: Answer, shown: str
) -> None:
    above = chunk(0, "f(x) = 2x\ng(x) = 2x\nx = 2", "julia", output="2\n")
    wide = chunk(1, "typeof(x)", "julia", output=f"{shown}\n")
    others = [chunk(n, f"{n} + 1", "julia", output=f"{n}\n") for n in range(3, 11)]
    chunks = [above, wide, chunk(2, code, "julia", output=f"{published}\n"), *others]
    results = [left("2\n"), left(f"{shown}\n"), left(f"{printed}\n"), *(left(f"{n}\n") for n in range(3, 11))]
    of_the_machine = shown == "Int" and {published, printed} & {*OF_THE_MACHINE, "0", "true"}
    found = judged(Ran(chunks, results)).blocks[2].answer
    assert found is (HERE if of_the_machine else answer)


@pytest.mark.parametrize(
    ("published", "printed", "language", "slip"),
    [
        ("(4, 4.0)", "(4, 4)", "julia", "value"),
        ("[4, 5]", "[4.0, 5]", "julia", "value"),
        ("(4, 4.0)", "(4, 4)", "python", ""),  # other printers leave the zero out
        ("1.0e6", "1000000.0", "julia", ""),
        ("[4, 5]", "[4.0, 5.0]", "julia", ""),
    ],
)
def test_julia_prints_no_whole_number_as_a_fraction(
    published: str, printed: str, language: str, slip: str
) -> None:
    assert in_one_place(published, printed, language) == slip


@pytest.mark.parametrize(
    ("code", "cell", "published", "answer"),
    [
        ('"cat" * " one"', 1, "cat one\n", WRONG),
        ('"cat" * " one"', 0, "cat one\n", HERE),  # an author may leave the marks out
        ('display("cat" * " one")', 1, "cat one\n", HERE),
        ("f = @sum_of x^2 + x\nf(3)", 1, "14\n", WRONG),
        ("f = @other_sum x^2 + x\nf(3)", 1, "14\n", HERE),
    ],
)
def test_what_a_notebook_of_julia_shows_without_a_package(
    code: str, cell: int, published: str, answer: Answer
) -> None:
    macro = "using Trees\nmacro sum_of(ex)\n    :(x -> $(esc(ex)))\nend"
    same = [chunk(n, f"{n} + 1", "julia", executable=True, output=f"{n + 1}\n", cell=cell) for n in range(8)]
    chunks = [
        *same,
        chunk(8, macro, "julia", executable=True, cell=cell),
        chunk(9, code, "julia", executable=True, output=published, cell=cell),
    ]
    printed = "12\n" if "f(3)" in code else '"cat one"\n'
    results = [*(left(f"{n + 1}\n") for n in range(8)), left(), left(printed)]
    assert judged(Ran(chunks, results)).blocks[8].answer is answer
