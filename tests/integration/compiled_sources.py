# Sources of other languages, in lines of their own.
# ruff: noqa: E501
"""The same stages in C, C++ and Fortran."""

from __future__ import annotations

STAGES = """
[inputs]
x = ["n", "d"]
few = { shape = ["n"], dtype = "int" }
flags = { shape = ["n"], dtype = "bool" }
z = { shape = ["n"], dtype = "complex" }
factor = []

[[stage]]
name = "same"
inputs = ["x"]
shape = ["n", "d"]

[[stage]]
name = "scaled"
inputs = ["x", "factor"]
shape = ["n", "d"]

[[stage]]
name = "total"
inputs = ["x"]
shape = []

[[stage]]
name = "count"
inputs = ["x", "few"]
shape = []
dtype = "int"

[[stage]]
name = "turned"
inputs = ["z"]
shape = ["n"]
dtype = "complex"

[[stage]]
name = "index"
inputs = ["few", "flags"]
outputs = [
    { name = "places", shape = ["n"], dtype = "int" },
    { name = "marks", shape = ["n"], dtype = "bool" },
]
"""


CHOSEN = """
[[stage]]
name = "chosen"
inputs = ["x"]
shape = ["k", 2]
"""


C = r"""
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef HARNESS_REAL real;

void same(size_t n, size_t d, const real x[n][d], real out[n][d])
{
    printf("noise\n");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) out[i][j] = x[i][j];
}
void scaled(size_t n, size_t d, const real x[n][d], real factor, real out[n][d])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) out[i][j] = factor * x[i][j];
}
real total(size_t n, size_t d, const real x[n][d])
{
    real sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) sum += x[i][j];
    return sum;
}
int64_t count(size_t n, size_t d, const real x[n][d], const int64_t few[n]) { return 100 * n + 10 * d + few[0]; }
void turned(size_t n, const complex_real z[n], complex_real out[n])
{
    for (size_t i = 0; i < n; i++) out[i] = I * z[i];
}
/* index is a function of the C library as well. */
void index(size_t n, const int64_t few[n], const bool flags[n], int64_t places[n], bool marks[n])
{
    for (size_t i = 0; i < n; i++) { places[i] = -few[i]; marks[i] = !flags[i]; }
}
void chosen(size_t n, size_t d, const real x[n][d], size_t *k, real **out)
{
    *k = n + 1;
    *out = malloc(sizeof(real) * 2 * *k);
    for (size_t i = 0; i < 2 * *k; i++) (*out)[i] = i + x[0][0];
}
"""


CPP = r"""
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <numeric>

void same(size_t n, size_t d, const real *x, real *out)
{
    std::puts("noise");
    for (size_t i = 0; i < n * d; i++) out[i] = x[i];
}
void scaled(size_t n, size_t d, const real *x, real factor, real *out)
{
    for (size_t i = 0; i < n * d; i++) out[i] = factor * x[i];
}
real total(size_t n, size_t d, const real *x) { return std::accumulate(x, x + n * d, real(0)); }
int64_t count(size_t n, size_t d, const real *, const int64_t *few) { return 100 * n + 10 * d + few[0]; }
void turned(size_t n, const complex_real *z, complex_real *out)
{
    for (size_t i = 0; i < n; i++) out[i] = complex_real(0, 1) * z[i];
}
void index(size_t n, const int64_t *few, const bool *flags, int64_t *places, bool *marks)
{
    for (size_t i = 0; i < n; i++) { places[i] = -few[i]; marks[i] = !flags[i]; }
}
void chosen(size_t n, size_t, const real *x, size_t *k, real **out)
{
    *k = n + 1;
    *out = static_cast<real *>(std::malloc(sizeof(real) * 2 * *k));
    for (size_t i = 0; i < 2 * *k; i++) (*out)[i] = i + x[0];
}
"""


FORTRAN = """
subroutine same(n, d, x, out)
  integer, intent(in) :: n, d
  real(HARNESS_REAL), intent(in) :: x(n, d)
  real(HARNESS_REAL), intent(out) :: out(n, d)
  print *, "noise"
  out = x
end subroutine
subroutine scaled(n, d, x, factor, out)
  integer(8), intent(in) :: n, d
  real(HARNESS_REAL) :: x(n, d), factor, out(n, d)
  out = factor * x
end subroutine
real(HARNESS_REAL) function total(n, d, x)
  integer :: n, d
  real(HARNESS_REAL) :: x(n, d)
  integer :: i
  ! Row by row, as the others add.
  total = 0
  do i = 1, n
    total = total + sum(x(i, :))
  end do
end function
integer function count(n, d, x, few)
  integer :: n, d, few(n)
  real(HARNESS_REAL) :: x(n, d)
  count = 100 * n + 10 * d + few(1)
end function
subroutine turned(n, z, out)
  integer :: n
  complex(HARNESS_REAL) :: z(n), out(n)
  out = (0, 1) * z
end subroutine
subroutine index(n, few, flags, places, marks) bind(c)
  use, intrinsic :: iso_c_binding
  integer(c_size_t), value :: n
  integer(c_int64_t), intent(in) :: few(n)
  logical(c_bool), intent(in) :: flags(n)
  integer(c_int64_t), intent(out) :: places(n)
  logical(c_bool), intent(out) :: marks(n)
  places = -few
  marks = .not. flags
end subroutine
subroutine chosen(n, d, x, k, out)
  use, intrinsic :: iso_c_binding
  integer :: n, d, k, i, j
  real(HARNESS_REAL) :: x(n, d)
  type(c_ptr) :: out
  real(HARNESS_REAL), pointer :: numbers(:, :)
  interface
    type(c_ptr) function malloc(bytes) bind(c)
      import c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function
  end interface
  k = n + 1
  out = malloc(int(HARNESS_REAL, c_size_t) * 2 * k)
  call c_f_pointer(out, numbers, [k, 2])
  do i = 1, k
    numbers(i, :) = [(2 * (i - 1) + j + x(1, 1), j = 0, 1)]
  end do
end subroutine
"""
LANGUAGES = {"c": (".c", C), "cpp": (".cpp", CPP), "fortran": (".f90", FORTRAN)}
ARITY = {"same": 1, "scaled": 2, "total": 1, "count": 2, "turned": 1, "index": 2, "chosen": 1}
