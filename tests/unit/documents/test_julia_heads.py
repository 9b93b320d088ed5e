"""The heads of Julia's listings: what versions write otherwise, and what none writes."""

from __future__ import annotations

import pytest

from harness.documents.compare_printed import compare_printed
from harness.documents.compare_value import compare_value
from harness.documents.julia_heads import type_of_head
from harness.model.article import BlockKind


@pytest.mark.parametrize(
    ("published", "printed", "same"),
    [
        ("2-element Vector{Int64}", "2-element Array{Int64,1}", True),
        ("2-element Vectro{Int64}", "2-element Vector{Int64}", False),
        ("2-element Vectro{Int64}", "2-element Array{Int64,1}", False),
        ("2-element Arary{Int64,1}", "2-element Array{Int64,1}", False),
        ("2-element Array{Int64,6}", "2-element Array{Int64,1}", False),
        ("2-element Vector{Int32}", "2-element Vector{Int64}", False),
        ("2-element Vector{Int64}", "2-element MyVector{Int64}", False),
        ("2-element Vector", "2-element Array{Int64,1}", True),  # its author leaves out the rest
        ("2-element Any", "2-element Array{Int64,1}", False),
        ("2-element SubArray{Int64,1,Array{Int64,1},Tuple{UnitRange{Int64}},true}",
         "2-element view(::Vector{Int64}, 2:3) with eltype Int64", True),
        ("2-element SubArray{Int64,1,Array{Int64,1},Tuple{UnitRange{Int64}},true}",
         "2-element SubArray{Int64,1,Array{Int64,1},Tuple{Base.OneTo{Int64}},true}", True),
        ("2-element SubArray{Int64,1,Arary{Int64,1},Tuple{UnitRange{Int64}},true}",
         "2-element SubArray{Int64,1,Array{Int64,1},Tuple{UnitRange{Int64}},true}", False),
        ("2-element SubArray{Int64,1,Arrey{Int64,1},Tuple{UnitRange{Int64}},true}",
         "2-element view(::Vector{Int64}, 2:3) with eltype Int64", False),
        ("2-element view(::Vector{Int64}, 1:2)", "2-element view(::Array{Int64,1}, 2:3)", False),
        ("2-element view(::Vector{Int64}, 2:3)", "2-element view(::Array{Int64,1}, 2:3)", True),
        ("2-element reshape(Base.OneTo(2), 2)", "2-element reshape(1:2, 2)", True),
        ("2-element Number{Int64,1}", "2-element LinearAlgebra.Adjoint{Int64,Array{Int64,1}}", False),
        ("2-element SVector{2,Int64", "2-element SVector{2,Int64}", False),
        ("2-element Array{Int64,(1}", "2-element Array{Int64,1}", False),
        ("2-element SparseVector{Int64,Int64} with 2 stord entries",
         "2-element SparseVector{Int64,Int64} with 2 stored entries", False),
        ("2-element Array{Int64,1}", "2-element LinearAlgebra.Adjoint{Int64,Array{Int64,1}}", True),
        ("2-element UnitRange{Int64}", "2-element Base.OneTo{Int64}", True),
        ("2-element UnitRange{Int64}", "2-element Vector{Int64}", False),
        ("2-element LinSpace{Int64}", "2-element StepRangeLen{Int64,Base.TwicePrecision{Int64}}", True),
        ("2-element Named Array{Int64,1}", "2-element Named Vector{Int64}", True),
        ("2-element SVector{2, Int64} with indices SOneTo(2)",
         "2-element StaticArrays.SVector{2,Int64} with indices SOneTo(2)", True),
    ],
)  # fmt: skip
def test_heads_of_the_same_values(published: str, printed: str, same: bool) -> None:
    shown, given = (f"{head}:\n 4\n 5" for head in (published, printed))
    kind = BlockKind.FORMATTING if same else BlockKind.DIFFERS
    assert compare_printed(shown, given, "julia").kind is kind
    # In a comment the head is compared as well, if it is there.
    assert compare_value("# " + shown.replace("\n", "\n# "), given, "julia").kind is kind
    assert compare_value("# [4, 5]", given, "julia").kind is BlockKind.FORMATTING


def test_what_shows_a_call_names_no_type() -> None:
    assert type_of_head("view(::Vector{Int64}, 2:3)") == ""
    assert type_of_head("SMatrix{2, 2, Int64, 4} with indices SOneTo(2)×SOneTo(2)") == "SMatrix{2,2,Int64,4}"
