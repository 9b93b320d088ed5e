! From the words of a sentence to its sentiment: attention, a linear layer, mean pooling, softmax.
! Words are columns. Fortran has one name for q and Q: parameters that differ from a stage in case alone are called W_Q.

#ifndef HARNESS_REAL
#define HARNESS_REAL 8
#endif

subroutine softmax_rows(n, m, scores, out)
  implicit none
  integer, intent(in) :: n, m
  real(HARNESS_REAL), intent(in) :: scores(n, m)
  real(HARNESS_REAL), intent(out) :: out(n, m)
  out = exp(scores - spread(maxval(scores, dim=2), 2, m))
  out = out / spread(sum(out, dim=2), 2, m)
end subroutine

subroutine linear(m, d, n, x, weights, bias, out)
  implicit none
  integer, intent(in) :: m, d, n
  real(HARNESS_REAL), intent(in) :: x(d, n), weights(m, d), bias(m, 1)
  real(HARNESS_REAL), intent(out) :: out(m, n)
  out = matmul(weights, x) + spread(bias(:, 1), 2, n)
end subroutine

subroutine embeddings(words, n, table, tokens, out)
  implicit none
  integer, intent(in) :: words, n
  real(HARNESS_REAL), intent(in) :: table(words, 50)
  integer(8), intent(in) :: tokens(n)
  real(HARNESS_REAL), intent(out) :: out(50, n)
  out = transpose(table(tokens + 1, :))
end subroutine

! No input has the size d: it is set here, and what malloc gives is freed by the caller.
subroutine x(n, embeddings, d, out)
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr, c_size_t
  implicit none
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: embeddings(50, n)
  integer, intent(out) :: d
  type(c_ptr), intent(out) :: out
  real(HARNESS_REAL), pointer :: numbers(:, :)
  integer :: j
  interface
    type(c_ptr) function malloc(bytes) bind(c)
      import c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function
  end interface
  d = 51
  out = malloc(int(HARNESS_REAL, c_size_t) * d * n)
  call c_f_pointer(out, numbers, [d, n])
  numbers(:50, :) = embeddings
  numbers(51, :) = [(real(j, HARNESS_REAL), j = 0, n - 1)]
end subroutine

subroutine q(d, n, x, W_Q, Qb, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: x(d, n), W_Q(d, d), Qb(d, 1)
  real(HARNESS_REAL), intent(out) :: out(d, n)
  call linear(d, d, n, x, W_Q, Qb, out)
end subroutine

subroutine k(d, n, x, W_K, Kb, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: x(d, n), W_K(d, d), Kb(d, 1)
  real(HARNESS_REAL), intent(out) :: out(d, n)
  call linear(d, d, n, x, W_K, Kb, out)
end subroutine

subroutine v(d, n, x, W_V, Vb, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: x(d, n), W_V(d, d), Vb(d, 1)
  real(HARNESS_REAL), intent(out) :: out(d, n)
  call linear(d, d, n, x, W_V, Vb, out)
end subroutine

subroutine e(d, n, q, k, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: q(d, n), k(d, n)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  out = matmul(transpose(q), k) / sqrt(real(d * n, HARNESS_REAL))
end subroutine

subroutine alpha(n, e, out)
  implicit none
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: e(n, n)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  call softmax_rows(n, n, e, out)
end subroutine

subroutine z(d, n, v, alpha, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: v(d, n), alpha(n, n)
  real(HARNESS_REAL), intent(out) :: out(d, n)
  out = matmul(v, transpose(alpha))
end subroutine

subroutine f(d, n, z, W, b, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: z(d, n), W(3, d), b(3, 1)
  real(HARNESS_REAL), intent(out) :: out(3, n)
  call linear(3, d, n, z, W, b, out)
end subroutine

subroutine pooled(n, f, out)
  implicit none
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: f(3, n)
  real(HARNESS_REAL), intent(out) :: out(3, 1)
  out(:, 1) = sum(f, dim=2) / n
end subroutine

subroutine p(pooled, out)
  implicit none
  real(HARNESS_REAL), intent(in) :: pooled(3, 1)
  real(HARNESS_REAL), intent(out) :: out(3, 1)
  out = exp(pooled - maxval(pooled))
  out = out / sum(out)
end subroutine

subroutine e_exact(d, n, q, k, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: q(d, n), k(d, n)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  out = matmul(transpose(q), k) / sqrt(real(d, HARNESS_REAL))
end subroutine

subroutine alpha_exact(n, e_exact, out)
  implicit none
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: e_exact(n, n)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  call softmax_rows(n, n, e_exact, out)
end subroutine

subroutine z_exact(d, n, v, alpha_exact, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: v(d, n), alpha_exact(n, n)
  real(HARNESS_REAL), intent(out) :: out(d, n)
  out = matmul(v, transpose(alpha_exact))
end subroutine

subroutine p_exact(d, n, z_exact, W, b, out)
  implicit none
  integer, intent(in) :: d, n
  real(HARNESS_REAL), intent(in) :: z_exact(d, n), W(3, d), b(3, 1)
  real(HARNESS_REAL), intent(out) :: out(3, 1)
  real(HARNESS_REAL) :: scores(3, n), mean(3, 1)
  call f(d, n, z_exact, W, b, scores)
  call pooled(n, scores, mean)
  call p(mean, out)
end subroutine
