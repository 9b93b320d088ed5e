! What the worker of Fortran is checked with. A procedure that ends with an error ends the process.

#ifndef HARNESS_REAL
#define HARNESS_REAL 8
#endif

subroutine same(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  out = x
end subroutine

subroutine same_of_x0(x0, out)
  implicit none
  real(HARNESS_REAL), intent(in) :: x0
  real(HARNESS_REAL), intent(out) :: out
  out = x0
end subroutine

subroutine same_of_x2(n, m, x2, out)
  implicit none
  integer(8), intent(in) :: n, m
  real(HARNESS_REAL), intent(in) :: x2(n, m)
  real(HARNESS_REAL), intent(out) :: out(n, m)
  out = x2
end subroutine

subroutine same_of_x3(n, m, p, x3, out)
  implicit none
  integer(8), intent(in) :: n, m, p
  real(HARNESS_REAL), intent(in) :: x3(n, m, p)
  real(HARNESS_REAL), intent(out) :: out(n, m, p)
  out = x3
end subroutine

subroutine same_of_x4(n, m, p, q, x4, out)
  implicit none
  integer(8), intent(in) :: n, m, p, q
  real(HARNESS_REAL), intent(in) :: x4(n, m, p, q)
  real(HARNESS_REAL), intent(out) :: out(n, m, p, q)
  out = x4
end subroutine

subroutine same_of_x5(n, m, p, q, r, x5, out)
  implicit none
  integer(8), intent(in) :: n, m, p, q, r
  real(HARNESS_REAL), intent(in) :: x5(n, m, p, q, r)
  real(HARNESS_REAL), intent(out) :: out(n, m, p, q, r)
  out = x5
end subroutine

subroutine same_of_i1(n, i1, out)
  implicit none
  integer(8), intent(in) :: n
  integer(8), intent(in) :: i1(n)
  integer(8), intent(out) :: out(n)
  out = i1
end subroutine

subroutine same_of_i2(n, m, i2, out)
  implicit none
  integer(8), intent(in) :: n, m
  integer(8), intent(in) :: i2(n, m)
  integer(8), intent(out) :: out(n, m)
  out = i2
end subroutine

subroutine same_of_b2(n, m, b2, out)
  implicit none
  integer(8), intent(in) :: n, m
  logical, intent(in) :: b2(n, m)
  logical, intent(out) :: out(n, m)
  out = b2
end subroutine

subroutine same_of_c2(n, m, c2, out)
  implicit none
  integer(8), intent(in) :: n, m
  complex(HARNESS_REAL), intent(in) :: c2(n, m)
  complex(HARNESS_REAL), intent(out) :: out(n, m)
  out = c2
end subroutine

subroutine corner(n, m, x2, out)
  implicit none
  integer(8), intent(in) :: n, m
  real(HARNESS_REAL), intent(in) :: x2(n, m)
  real(HARNESS_REAL), intent(out) :: out
  out = x2(1, m)
end subroutine

subroutine corner_of_i2(n, m, i2, out)
  implicit none
  integer(8), intent(in) :: n, m
  integer(8), intent(in) :: i2(n, m)
  integer(8), intent(out) :: out
  out = i2(1, m)
end subroutine

subroutine corner_of_b2(n, m, b2, out)
  implicit none
  integer(8), intent(in) :: n, m
  logical, intent(in) :: b2(n, m)
  logical, intent(out) :: out
  out = b2(1, m)
end subroutine

subroutine corner_of_c2(n, m, c2, out)
  implicit none
  integer(8), intent(in) :: n, m
  complex(HARNESS_REAL), intent(in) :: c2(n, m)
  complex(HARNESS_REAL), intent(out) :: out
  out = c2(1, m)
end subroutine

subroutine two(n, m, k, x2, y, b, a)
  implicit none
  integer(8), intent(in) :: n, m, k
  real(HARNESS_REAL), intent(in) :: x2(n, m), y(k)
  real(HARNESS_REAL), intent(out) :: b(k), a(n, m)
  b = y
  a = x2
end subroutine

subroutine two_of_x(n, k, x, y, b, a)
  implicit none
  integer(8), intent(in) :: n, k
  real(HARNESS_REAL), intent(in) :: x(n), y(k)
  real(HARNESS_REAL), intent(out) :: b(k), a(n)
  b = y
  a = x
end subroutine

function constant()
  implicit none
  real(HARNESS_REAL) :: constant
  constant = 2.5
end function

subroutine noise(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  integer :: i
  do i = 1, 1000
    print *, 'printed noise'
  end do
  out = x
end subroutine

subroutine reads(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  integer :: status
  read (*, *, iostat=status)
  out = x
end subroutine

subroutine sleeps(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  integer(8) :: begun, now, rate
  call system_clock(begun, rate)
  do
    call system_clock(now)
    if (5 * (now - begun) >= rate) exit
  end do
  out = x
end subroutine

subroutine hangs(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  do
    call sleep(1)
  end do
end subroutine

! In place of an error: a number is written behind the end of the array, which the worker notices.
subroutine picky(n, x, out)
  implicit none
  integer(8), intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: out(n)
  integer(8) :: beyond
  out = 2 * x
  beyond = n + count(x < 0)
  if (beyond > n) out(beyond) = -1
end subroutine

subroutine picky_of_i1(n, i1, out)
  implicit none
  integer(8), intent(in) :: n, i1(n)
  integer(8), intent(out) :: out(n)
  integer(8) :: beyond
  out = 2 * i1
  beyond = n + count(i1 < 0)
  if (beyond > n) out(beyond) = -1
end subroutine
