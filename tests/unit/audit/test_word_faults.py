"""Faults in the words of C, C++, Fortran, JavaScript, Octave and Julia: where they are put, and where not."""

from __future__ import annotations

import pytest

from harness.audit.types import InjectedFault
from harness.audit.word_faults import changes, uses

C = """\
/* exp(x - maxs) / 2 */
#define N 3
static double root(size_t d)
{
    return sqrt((double)d); // 4 + 5
}

void weights(size_t n, const double scores[n], double maxs, double out[n])
{
    for (size_t i = 0; i < n; i++)
        out[i] = exp((scores[i] - maxs) / root(n));
    out[0] += 0.5;
    puts("7 - 8");
}
"""
FORTRAN = """\
subroutine weights(n, scores, maxs, out)
  integer, intent(in) :: n
  real(8), intent(in) :: scores(n, 2), maxs(n)
  real(8), intent(out) :: out(n, 2)
  out = exp(scores - spread(maxs, 2, n)) ! 1 + 2
  out = out / spread(sum(out, dim=2), 2, n) + transpose(scores)
end subroutine
"""
NODE = """\
import { rows } from './rows2.mjs';
const half = ({ data }) => data.map((x) => x - 1 / 2);
export function weights(scores, maxs) {
  return scores.data.map((x, i) => Math.exp((x - maxs.data[i]) / Math.sqrt(3)) + `4 - ${5}`.length);
}
"""
OCTAVE = """\
function y = weights(scores, K)  % 1 - 2
  y = exp(scores - max(scores, [], 2)) * K' / sqrt(size(K, 2));
  printf('3 - 4');
end
"""

JULIA = """\
# exp(x .- maxs) / 2
const shift = 1
#= f(x) = 3 =#
scores(Q, K) = Q * K'

largest(x::Matrix{Float64}) = maximum(x, dims = 2) .+ 0.5

function weights(scores, maxs, K) where {T}
    println("4 - 5")
    α = sqrt.(size(K, 2))
    e = exp.((scores .- maxs) ./ α) - permutedims(K)
    e == 7 ? e : sum(e, dims=1)
end
"""


def made(text: str, language: str) -> set[tuple[str, str, int, str, str]]:
    return {(c.fault.name, c.definition, c.line, c.was, c.now) for c in changes(text, language)}


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_c(language: str) -> None:
    assert made(C, language) == {
        ("SCALE", "root", 5, "sqrt((double)d)", "((double)d)"),
        ("CONSTANT", "weights", 10, "0", "1"),
        ("SINGLE_INSIDE", "weights", 11, "(scores[i] - maxs) / root(n)",
         "((double)(float)((scores[i] - maxs) / root(n)))"),
        ("MAXIMUM", "weights", 11, "- maxs", "nothing"),
        ("CONSTANT", "weights", 12, "0", "1"),
        ("SIGN", "weights", 12, "+", "-"),
        ("CONSTANT", "weights", 12, "0.5", "1.5"),
    }  # fmt: skip
    assert {"root"} <= uses(C, language)["weights"]
    assert not {"scores", "maxs", "out", "n"} & uses(C, language)["weights"]
    (scale,) = (c for c in changes(C, language) if c.fault is InjectedFault.SCALE)
    assert scale.text == C.replace("sqrt((double)d)", "((double)d)")


def test_fortran() -> None:
    assert made(FORTRAN, "fortran") == {
        ("SINGLE_INSIDE", "weights", 5, "scores - spread(maxs, 2, n)",
         "real(real(scores - spread(maxs, 2, n), 4), 8)"),
        ("MAXIMUM", "weights", 5, "- spread(maxs, 2, n)", "nothing"),
        ("CONSTANT", "weights", 5, "2", "3"),
        ("AXIS", "weights", 6, "2", "1"),
        ("CONSTANT", "weights", 6, "2", "3"),
        ("SIGN", "weights", 6, "+", "-"),
        ("TRANSPOSE_REMOVED", "weights", 6, "transpose(scores)", "scores"),
    }  # fmt: skip


def test_javascript() -> None:
    assert made(NODE, "node") == {
        ("SIGN", "half", 2, "-", "+"),
        ("CONSTANT", "half", 2, "1", "2"),
        ("CONSTANT", "half", 2, "2", "3"),
        ("SINGLE_INSIDE", "weights", 4, "(x - maxs.data[i]) / Math.sqrt(3)",
         "Math.fround((x - maxs.data[i]) / Math.sqrt(3))"),
        ("MAXIMUM", "weights", 4, "- maxs.data[i]", "nothing"),
        ("SCALE", "weights", 4, "Math.sqrt(3)", "(3)"),
        ("CONSTANT", "weights", 4, "3", "4"),
    }  # fmt: skip


def test_octave() -> None:
    assert made(OCTAVE, "octave") == {
        ("SINGLE_INSIDE", "weights", 2, "scores - max(scores, [], 2)",
         "double(single(scores - max(scores, [], 2)))"),
        ("MAXIMUM", "weights", 2, "- max(scores, [], 2)", "nothing"),
        ("AXIS", "weights", 2, "2", "1"),
        ("TRANSPOSE_REMOVED", "weights", 2, "'", "nothing"),
        ("SCALE", "weights", 2, "sqrt(size(K, 2))", "(size(K, 2))"),
    }  # fmt: skip


def test_julia() -> None:
    assert made(JULIA, "julia") == {
        ("TRANSPOSE_REMOVED", "scores", 4, "'", "nothing"),
        ("AXIS", "largest", 6, "2", "1"),
        ("SIGN", "largest", 6, "+", "-"),
        ("CONSTANT", "largest", 6, "0.5", "1.5"),
        ("SCALE", "weights", 10, "sqrt.(size(K, 2))", "(size(K, 2))"),
        ("AXIS", "weights", 10, "2", "1"),
        (
            "SINGLE_INSIDE",
            "weights",
            11,
            "(scores .- maxs) ./ α",
            "Float64.(Float32.((scores .- maxs) ./ α))",
        ),
        ("MAXIMUM", "weights", 11, ".- maxs", "nothing"),
        ("SIGN", "weights", 11, "-", "+"),
        ("TRANSPOSE_REMOVED", "weights", 11, "permutedims(K)", "K"),
        ("CONSTANT", "weights", 12, "7", "8"),
        ("AXIS", "weights", 12, "1", "2"),
    }
    assert {"α", "size"} <= uses(JULIA, "julia")["weights"]
    assert set(uses(JULIA, "julia")) == {"scores", "largest", "weights"}
