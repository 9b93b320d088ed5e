"""Published output against produced output, as printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.documents.compare_printed import MAX_CHARACTERS, compare_printed, read_output
from harness.documents.tokens import canonical_type
from harness.model.article import BlockKind, BlockVerdict

ARTICLES = Path(__file__).parents[4] / "shared" / "articles"
SAME, FORMATTING, DIFFERS, UNCHECKED = (
    BlockKind.REPRODUCED,
    BlockKind.FORMATTING,
    BlockKind.DIFFERS,
    BlockKind.UNCHECKED,
)


@pytest.mark.parametrize(
    ("published", "produced", "language", "kind"),
    [
        # trailing blanks are nothing
        ("[1] 1  \n", "\n[1] 1", "r", SAME),
        # digits: the one rounds to the other
        ("[1] 0.9852202", "[1] 0.985220219", "r", FORMATTING),
        ("[1] 0.9852202", "[1] 0.985220264912", "r", DIFFERS),
        ("[1] 0.9852202", "[1] 0.9852201", "r", DIFFERS),
        ("[1] 0.9852202", "[1] 0.98522", "r", FORMATTING),
        ("[1] 0.9852202", "[1] 0.98523", "r", DIFFERS),
        ("[1] 1e-03", "[1] 0.001", "r", FORMATTING),
        ("[1] -0.5", "[1] 0.5", "r", DIFFERS),
        # Python and Julia leave out no digit of a short number
        ("0.12", "0.125", "python", FORMATTING),
        ("0.13", "0.125", "python", FORMATTING),
        ("0.14", "0.125", "python", DIFFERS),
        ("0.125", "0.12", "python", DIFFERS),
        ("64.28", "64.3", "julia", DIFFERS),
        ("[1.25 2.5]", "[1.3 2.5]", "python", DIFFERS),
        ("[1] 64.28", "[1] 64.3", "r", FORMATTING),
        ("64.299999999999997", "64.3", "python", FORMATTING),
        ("0.10000000149011612", "0.1", "python", FORMATTING),
        ("0.1234567", "0.123457", "python", FORMATTING),
        ("tensor([0.12345])", "tensor([0.1235])", "python", FORMATTING),
        # whole numbers have all digits, whatever stands beside them
        ("0.5 12", "0.5 7", "python", DIFFERS),
        ("x 0.5 n 12", "x 0.5 n 7.2", "julia", DIFFERS),
        ("(0.0, 120.)", "(0.0, 12.0)", "python", DIFFERS),
        # numbers of another type
        ("5", "5.0", "python", DIFFERS),
        ("(3.0, 3)", "(3, 3.0)", "julia", DIFFERS),
        ("6.0f0", "6.0", "julia", DIFFERS),
        ("[1] 5", "[1] 5.0", "r", FORMATTING),
        ("1.", "1.0", "python", FORMATTING),
        ("0.10000000010000001", "0.1", "python", DIFFERS),
        ("[1] 5f0", "[1] 5", "r", DIFFERS),
        ("[1] 0.", "[1] 0.3333333", "r", DIFFERS),
        ("1 535.", "1 535.0725", "r", FORMATTING),
        # R prints as many decimals of all values of a vector
        ("[1] 3.51 1.0 2.0", "[1] 3.5 1.0 2.0", "r", DIFFERS),
        ("[1] 3.5 1 2", "[1] 3.5 1.0 2.0", "r", DIFFERS),
        ("[1] 3.50 1.00 2.00", "[1] 3.5 1.0 2.0", "r", FORMATTING),
        ("[1] 3.5 NA 2", "[1] 3.5 NA 2.0", "r", FORMATTING),
        ("[1] 1.1 2\nLevels: 1.1 2", " [1] 1.1 2\nLevels: 1.1 2", "r", FORMATTING),
        # zeros in front
        ("2020-01-2", "2020-01-02", "python", DIFFERS),
        ("12:5", "12:05", "r", DIFFERS),
        # zeros that the printer dropped count
        ("[1] 0.5 0.9852202", "[1] 0.50003 0.98522", "r", DIFFERS),
        (
            "2-element Vector{Float64}:\n 0.5\n 0.12345",
            "2-element Vector{Float64}:\n 0.50001\n 0.12345",
            "julia",
            DIFFERS,
        ),
        ("[0.5    0.1234]", "[0.5003 0.1234]", "python", DIFFERS),
        ("tensor([0.5000, 0.1234])", "tensor([0.50003, 0.12340])", "python", FORMATTING),
        # whole numbers are exact
        ("[1] 8", "[1] 8.4", "r", DIFFERS),
        ("[1] 8", "[1] 8.0000000001", "r", FORMATTING),
        ("tensor([8., 2.])", "tensor([8.4, 2.0])", "python", DIFFERS),
        ("tensor([8., 2.])", "tensor([8.0000, 2.0000])", "python", FORMATTING),
        ("epoch 8", "epoch 9", "python", DIFFERS),
        # special values
        ("tensor([nan, inf, -inf])", "tensor([    nan,     inf,    -inf])", "python", FORMATTING),
        ("tensor([inf])", "tensor([-inf])", "python", DIFFERS),
        ("[1] NA", "[1] NaN", "r", DIFFERS),
        ("[1] NaN", "[1] 1.5", "r", DIFFERS),
        ("tensor([-0.])", "tensor([0.])", "python", FORMATTING),
        ("[1] 1+2i", "[1] 1+2.0i", "r", FORMATTING),
        ("[1] 1+2i", "[1] 1+2", "r", DIFFERS),
        # count, shape and structure
        ("[1] 1 2 3", "[1] 1 2", "r", DIFFERS),
        ("[1] 1 2", "[1] 1 2 3", "r", DIFFERS),
        ("torch.Size([1, 3, 8])", "torch.Size([1, 3, 9])", "python", DIFFERS),
        ("torch.Size([1, 3, 8])", "torch.Size([1,3,8])", "python", FORMATTING),
        ("[[1, 2], [3, 4]]", "[1, 2, 3, 4]", "python", DIFFERS),
        ("[[1, 2],\n [3, 4]]", "[[1 2]\n [3 4]]", "python", FORMATTING),
        ("     [,1] [,2]\n[1,]    1    2", "     [,1]\n[1,]    1\n[2,]    2", "r", DIFFERS),
        # what is formatting
        ("#> [1] 1", "[1] 1", "r", FORMATTING),
        ("## [1] 1", "[1] 2", "r", DIFFERS),
        (
            "tensor([1.], grad_fn=<SoftmaxBackward>)",
            "tensor([1.], grad_fn=<SoftmaxBackward0>)",
            "python",
            FORMATTING,
        ),
        ("tensor([1.], device='cuda:0')", "tensor([1.])", "python", FORMATTING),
        ("tensor([1.], dtype=torch.float64)", "tensor([1.])", "python", DIFFERS),
        ("1.5", "np.float64(1.5)", "python", FORMATTING),
        ("<A object at 0x7f00>", "<A object at 0x7fffff>", "python", FORMATTING),
        ("Ptr{Nothing} @0x00007f10", "Ptr{Nothing} @0x00007f20", "julia", FORMATTING),
        ("<environment: 0x5581>", "<environment: 0x5591>", "r", FORMATTING),
        ("'0x7f36e4c39598'", "'0x7f36e4c00000'", "python", FORMATTING),
        ("Ticket(0x01f4)", "Ticket(0x01e0)", "julia", DIFFERS),
        ("RefValue{UInt64}(0x00000000000001f4)", "RefValue{UInt64}(0x00000000000001e0)", "julia", DIFFERS),
        ("'0xff'", "'0xfe'", "python", DIFFERS),
        # Julia's types
        ("1-element Vector{Float32}:\n 1.5", "1-element Array{Float32,1}:\n 1.5", "julia", FORMATTING),
        ("1-element Vector{Float32}:\n 1.5", "1-element Array{Float64,1}:\n 1.5", "julia", DIFFERS),
        (
            "1×2 adjoint(::Vector{Int64}) with eltype Int64:\n 1  2",
            "1×2 LinearAlgebra.Adjoint{Int64,Array{Int64,1}}:\n 1  2",
            "julia",
            FORMATTING,
        ),
        (
            "1-element Vector{ComplexF64}:\n 1.0 + 2.0im",
            "1-element Array{Complex{Float64},1}:\n 1.0 + 2.0im",
            "julia",
            FORMATTING,
        ),
        (
            'Dict{String, Int64} with 1 entry:\n  "a" => 1',
            'Dict{String,Int64} with 1 entry:\n  "a" => 1',
            "julia",
            FORMATTING,
        ),
        ("2×1 Matrix{Int64}:\n 1\n 2", "1×2 Matrix{Int64}:\n 1  2", "julia", DIFFERS),
        # a point that stands for decimals, in R's tibbles
        ("  interval   mean\n1     835 206.1698", "  interval  mean\n1     835  206.", "r", FORMATTING),
        ("  interval   mean\n1     835 207.1698", "  interval  mean\n1     835  206.", "r", DIFFERS),
        ("[206.1698]", "[206.]", "python", DIFFERS),
        # words
        ("loss: 0.5", "cost: 0.5", "python", DIFFERS),
        ('[1] "a" "b"', '[1] "a"\n[2] "b"', "r", FORMATTING),
        ('[1] "a" "b"', '[1] "a" "c"', "r", DIFFERS),
        # elision
        ("[1, 2, ..., 9]", "[1, 2, 3, 4, 9]", "python", FORMATTING),
        ("[1, 2, ..., 9]", "[1, 2, 3, 4, 8]", "python", DIFFERS),
        ("[1, 2, ..., 9]", "[1, 9]", "python", DIFFERS),
        ("[1, 2, 3]", "[1, ..., 3]", "python", UNCHECKED),
        ("[1, 2, ..., 9]", "[1, ..., 8, 9]", "python", UNCHECKED),
        ("[[1, ..., 2],\n ...,\n [3, ..., 4]]", "[[1, 5, 2], [6, 6, 6], [3, 5, 4]]", "python", FORMATTING),
        ("epoch 1\n...\nepoch 9", "epoch 1\nepoch 2\nepoch 9", "python", FORMATTING),
        ("a ... b", "a x b", "python", DIFFERS),
        (
            "4-element Vector{Int64}:\n 1\n  \n 4",
            "4-element Vector{Int64}:\n 1\n 2\n 3\n 4",
            "julia",
            FORMATTING,
        ),
        # no row alone is left out, and never the first
        ("3-element Vector{Int64}:\n 1\n  \n 3", "3-element Vector{Int64}:\n 1\n 2\n 3", "julia", DIFFERS),
        ("4-element Vector{Int64}:\n \n 3\n 4", "4-element Vector{Int64}:\n 1\n 2\n 3\n 4", "julia", DIFFERS),
        (
            "6-element Vector{Int64}:\n 1\n \n 3\n ⋮\n 6",
            "6-element Vector{Int64}:\n 1\n 2\n 3\n ⋮\n 6",
            "julia",
            DIFFERS,
        ),
        # slices and stored entries are counted
        (
            "1×1×2 Array{Int64,3}:\n[:, :, 1] =\n 5\n\n[:, :, 1] =\n 6",
            "1×1×2 Array{Int64,3}:\n[:, :, 1] =\n 5\n\n[:, :, 2] =\n 6",
            "julia",
            DIFFERS,
        ),
        (
            "3-element SparseVector{Int64,Int64} with 2 stored entries:\n  [1]  =  1",
            "3-element SparseVector{Int64, Int64} with 1 stored entry:\n  [1]  =  1",
            "julia",
            DIFFERS,
        ),
        (
            "3-element SparseVector{Int64,Int64} with 1 stored entry:\n  [1]  =  1",
            "3-element SparseVector{Int64, Int64} with 1 stored entry:\n  [1]  =  1",
            "julia",
            FORMATTING,
        ),
        # commas set items apart
        ("[0, 1 2]", "[0, 1, 2]", "python", DIFFERS),
        ("(3)", "(3,)", "python", DIFFERS),
        ("(1, 2,)", "(1, 2)", "python", FORMATTING),
        ("['a,' 'b']", "['a', 'b']", "python", DIFFERS),
        ("[[1, 2]\n [3, 4]]", "[[1, 2],\n [3, 4]]", "python", DIFFERS),
        ("[[1 2],\n [3, 4]]", "[[1, 2],\n [3, 4]]", "python", DIFFERS),
        ("['x' 'y']", "['x', 'y']", "python", DIFFERS),
        ("[True False]", "[True, False]", "python", FORMATTING),
        ("(1+2i)", "(1+2j)", "python", DIFFERS),
        ("1.5 + 2.5i", "1.5 + 2.5im", "julia", DIFFERS),
        ("{2, 1 3}", "{1, 2, 3}", "python", DIFFERS),
        ("[0 1 2]", "[0, 1, 2]", "python", FORMATTING),
        ("[0 1 2]", "[0, 1, 2]", "julia", DIFFERS),
        ("[0,1,2]", "[0, 1, 2]", "julia", FORMATTING),
        ("[0, 1, ..., 8 9]", "[0, 1, 2, 8, 9]", "python", FORMATTING),
        (
            "     [,1]\n[1,]  1.5\n...\n[3,]  3.5",
            "     [,1]\n[1,]  1.5\n[2,]  2.5\n[3,]  3.5",
            "r",
            FORMATTING,
        ),
        # what is never checked
        ("", "[1] 1", "r", UNCHECKED),
        ("...", "[1] 1", "r", UNCHECKED),
        ("[...]", "[1, 2]", "python", UNCHECKED),
        ("1", "2", "ojs", UNCHECKED),
        ("1", "2" * (MAX_CHARACTERS + 1), "r", UNCHECKED),
        ("[1] 1", "", "r", DIFFERS),
    ],
)
def test_verdicts(published: str, produced: str, language: str, kind: BlockKind) -> None:
    verdict = compare_printed(published, produced, language)
    assert verdict.kind is kind, verdict
    assert (verdict.first is not None) is (kind is DIFFERS)
    assert (verdict.reason == "") is (kind is SAME)


def test_the_first_difference_is_told() -> None:
    published = "     [,1] [,2]\n[1,]  1.5 0.25\n[2,]  2.5 0.50"
    produced = "     [,1] [,2]\n[1,]  1.5 0.25\n[2,]  2.5 0.75"
    verdict = compare_printed(published, produced, "r")
    assert verdict.first is not None
    assert (verdict.numbers, verdict.differing) == (4, 1)
    assert (verdict.first.published, verdict.first.produced) == ("0.50", "0.75")
    assert (verdict.first.published_line, verdict.first.units) == (3, 25)
    assert verdict.reason == "line 3 of the output: 0.50 is published, and the code prints 0.75"


def test_brackets_that_differ_are_named() -> None:
    verdict = compare_printed("Args: [1, 2]", "Args: (1, 2)", "python")
    assert verdict.first is not None
    assert (verdict.first.published, verdict.first.produced) == ("a group of 2 in []", "a group of 2 in ()")


def test_reproduced_numbers_are_counted() -> None:
    assert (
        compare_printed("     [,1] [,2]\n[1,]    5    6", "     [,1] [,2]\n[1,]    5    6  ", "r").numbers
        == 2
    )


def test_fewer_digits_are_told() -> None:
    verdict = compare_printed("0.9852202 1.741741", "0.98522 1.74174", "r")
    assert (verdict.kind, verdict.coarser) == (FORMATTING, 2)
    assert "fewer digits than published" in verdict.formatting


def test_missing_and_extra_numbers_are_counted() -> None:
    short = compare_printed("[1, 2, 3, 4]", "[1, 2]", "python")
    assert (short.numbers, short.differing) == (4, 2)
    assert short.reason == "line 1 of the output: 3 is published, and the code prints nothing there"
    long = compare_printed("[1, 2]", "[1, 2, 3]", "python")
    assert long.reason == "the code prints 3, which is not published"


def test_labels_are_no_numbers() -> None:
    for text, numbers in [
        ("     [,1] [,2]\n[1,]    5    6", ["5", "6"]),
        (" [1] 7 8\n [3] 9", ["7", "8", "9"]),
        (", , 1\n\n     [,1]\n[1,]    4\n", ["4"]),
        ("[[1]]\n[1] 3\n", ["3"]),
    ]:
        assert _numbers(text, "r") == numbers


def test_scale_above_a_tensor() -> None:
    published = "torch_tensor\n0.001 *\n 1.5000  2.0000\n 0.1000  3.0000\n[ CPUFloatType{2,2} ]"
    produced = "torch_tensor\n 0.0015  0.0020\n 0.0001  0.0030\n[ CPUFloatType{2,2} ]"
    assert compare_printed(published, produced, "r").kind is FORMATTING
    assert compare_printed(published, produced.replace("0.0030", "0.0031"), "r").kind is DIFFERS
    assert compare_printed(published, produced.replace("{2,2}", "{4,1}"), "r").kind is DIFFERS


def test_autograd_of_r_torch_is_formatting() -> None:
    published = " 1.5000\n[ CPUFloatType{1} ][ grad_fn = <SoftmaxBackward0> ]"
    assert compare_printed(published, " 1.5000\n[ CPUFloatType{1} ]", "r").formatting == (
        "autograd or device annotations",
    )


def test_a_huge_exponent_is_no_trap() -> None:
    assert compare_printed("1e9999", "1e-9999", "python").kind is DIFFERS
    assert compare_printed("1e99999999999", "1", "python").kind is DIFFERS


@pytest.mark.parametrize(
    ("published", "produced", "kind"),
    [
        ("3-element Array{Int64,1}: [1, 2, 4]", "3-element Array{Int64,1}: [1, 2, 3]", DIFFERS),
        ("3-element Array{Int64,1}: [1, 2, 3]", "3-element Vector{Int64}: [1, 2, 3]", FORMATTING),
        ("2×5 Fill{Float64}: entries equal to 2.0", "2×5 Fill{Float64}: entries equal to 3.0", DIFFERS),
        ("3-element list, 45.5 in all", "3-element list, 45.6 in all", DIFFERS),
        ("2-element A with indices 0:1:\n 4\n 5", "2-element A with indices 0:1:\n 4\n 6", DIFFERS),
        ("2-element view(::A, :) with eltype Int64:\n 4\n 5", "2-element Vector{Int64}:\n 4\n 5", FORMATTING),
    ],
)  # fmt: skip
def test_what_stands_behind_a_header_in_its_line_is_compared(
    published: str, produced: str, kind: BlockKind
) -> None:
    assert compare_printed(published, produced, "julia").kind is kind


@pytest.mark.parametrize("text", [str(2**200), f"-{3**60}", f"0.{7**60}", f"[1, {2**120}]"])
def test_no_digit_of_a_long_number_is_lost(text: str) -> None:
    for at in (place for place, letter in enumerate(text) if letter.isdigit() and place > len(text) - 20):
        other = f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"
        assert compare_printed(other, text, "python").kind is DIFFERS
        assert compare_printed(text, other, "julia").kind is DIFFERS


def test_deep_brackets_are_no_trap() -> None:
    assert compare_printed("[" * 50_000 + "1", "[" * 50_000 + "2", "python").kind is DIFFERS


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [
        ("Array{Float32,1}", "Vector{Float32}"),
        ("Array{Array{Int64,1},2}", "Matrix{Vector{Int64}}"),
        ("Array{Union{Missing, Int64},1}", "Vector{Union{Missing,Int64}}"),
        ("LinearAlgebra.Adjoint{Float64,Array{Float64,2}}", "Adjoint{Float64,Matrix{Float64}}"),
        ("Array{Float64, 3}", "Array{Float64,3}"),
        ("BitArray{1}", "BitVector"),
        ("Vector{ComplexF32}", "Vector{Complex{Float32}}"),
    ],
)
def test_canonical_type(spelled: str, canonical: str) -> None:
    assert canonical_type(spelled) == canonical


@given(
    st.text(alphabet="01.-e[](){},:×x \n#>⋮…%AVector{}=NaIinf*", max_size=60),
    st.text(max_size=30),
    st.sampled_from(["r", "python", "julia"]),
)
@settings(max_examples=400, deadline=None)
def test_any_two_texts_have_a_verdict(left: str, right: str, language: str) -> None:
    for published, produced in [(left, right), (right, left), (left, left)]:
        verdict = compare_printed(published, produced, language)
        assert isinstance(verdict, BlockVerdict)
        assert (verdict.first is not None) is (verdict.kind is DIFFERS)
    assert compare_printed(left, left, language).kind is SAME
    assert compare_printed(left, left.replace("\n", "  \n"), language).kind is SAME


@pytest.mark.skipif(not ARTICLES.is_dir(), reason="the articles are not beside this checkout")
def test_the_julia_articles_listing_as_an_older_julia_prints_it() -> None:
    lines = (ARTICLES / "attention-from-scratch-julia.md").read_text(encoding="utf-8").split("\n")[36:63]
    published = "\n".join(lines)
    older = published.replace("Vector{Float32}", "Array{Float32,1}").replace("\n  \n", "\n ⋮\n")
    verdict = compare_printed(published, older, "julia")
    assert (verdict.kind, verdict.numbers, verdict.formatting) == (FORMATTING, 25, ("type names",))
    wrong = compare_printed(published, older.replace("-0.73835", "-0.73836"), "julia")
    assert wrong.reason == "line 27 of the output: -0.73835 is published, and the code prints -0.73836"


def _numbers(text: str, language: str) -> list[str]:
    numbers: list[str] = []
    waiting = list(read_output(text, language))[::-1]
    while waiting:
        item = waiting.pop()
        if hasattr(item, "items"):
            waiting.extend(reversed(item.items))
        elif hasattr(item, "value"):
            numbers.append(item.text)
    return numbers


@pytest.mark.parametrize(
    ("published", "produced", "kind"),
    [
        ("(1+0j)", "np.complex128(1+0j)", "reproduced up to formatting"),
        ("[(1+0j), (2-1j)]", "[np.complex128(1+0j), np.complex128(2-1j)]", "reproduced up to formatting"),
        ("(1+0j)", "np.complex128(1+2j)", "differs"),
        ("'Doug'", "np.str_('Doug')", "reproduced up to formatting"),
        ("'Doug'", "np.str_('Dog')", "differs"),
        ("b'x'", "np.bytes_(b'x')", "reproduced up to formatting"),
        ("b'x'", "np.bytes_(b'y')", "differs"),
    ],
)
def test_scalars_of_numpy_2_that_are_no_real_number(published: str, produced: str, kind: str) -> None:
    assert compare_printed(published, produced, "python").kind == kind


def test_rows_that_have_lost_the_blanks_before_them_are_the_same_rows() -> None:
    printed = "2-element Array{Int64,1}:\n 1\n 2\n"
    assert compare_printed("2-element Array{Int64,1}:\n1\n2", printed, "julia").kind is BlockKind.FORMATTING
    assert compare_printed("2-element Array{Int64,1}:\n1\n3", printed, "julia").kind is BlockKind.DIFFERS
    square = "2×2 Array{Int64,2}:\n 1  2\n 3  4\n"
    assert compare_printed("2×2 Array{Int64,2}:\n1 2\n3 4", square, "julia").kind is BlockKind.FORMATTING
    assert compare_printed("2×2 Array{Int64,2}:\n1 2 3\n4", square, "julia").kind is BlockKind.DIFFERS
