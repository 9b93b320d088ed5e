! Scaled dot-product self-attention of four words, step by step.
! Arrays are in column order, as Fortran's are: words(n, d) has one word a row.

#ifndef HARNESS_REAL
#define HARNESS_REAL 8
#endif

subroutine Q(n, d, d_k, words, W_Q, out)
  implicit none
  integer, intent(in) :: n, d, d_k
  real(HARNESS_REAL), intent(in) :: words(n, d), W_Q(d, d_k)
  real(HARNESS_REAL), intent(out) :: out(n, d_k)
  out = matmul(words, W_Q)
end subroutine

subroutine K(n, d, d_k, words, W_K, out)
  implicit none
  integer, intent(in) :: n, d, d_k
  real(HARNESS_REAL), intent(in) :: words(n, d), W_K(d, d_k)
  real(HARNESS_REAL), intent(out) :: out(n, d_k)
  out = matmul(words, W_K)
end subroutine

subroutine V(n, d, d_v, words, W_V, out)
  implicit none
  integer, intent(in) :: n, d, d_v
  real(HARNESS_REAL), intent(in) :: words(n, d), W_V(d, d_v)
  real(HARNESS_REAL), intent(out) :: out(n, d_v)
  out = matmul(words, W_V)
end subroutine

subroutine scores(n, d_k, Q, K, out)
  implicit none
  integer, intent(in) :: n, d_k
  real(HARNESS_REAL), intent(in) :: Q(n, d_k), K(n, d_k)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  out = matmul(Q, transpose(K))
end subroutine

subroutine maxs(n, scores, out)
  implicit none
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: scores(n, n)
  real(HARNESS_REAL), intent(out) :: out(n, 1)
  out(:, 1) = maxval(scores, dim=2)
end subroutine

subroutine weights(n, d_k, scores, maxs, K, out)
  implicit none
  integer, intent(in) :: n, d_k
  real(HARNESS_REAL), intent(in) :: scores(n, n), maxs(n, 1), K(n, d_k)
  real(HARNESS_REAL), intent(out) :: out(n, n)
  out = exp((scores - spread(maxs(:, 1), 2, n)) / sqrt(real(d_k, HARNESS_REAL)))
  out = out / spread(sum(out, dim=2), 2, n)
end subroutine

subroutine attention(n, d_v, weights, V, out)
  implicit none
  integer, intent(in) :: n, d_v
  real(HARNESS_REAL), intent(in) :: weights(n, n), V(n, d_v)
  real(HARNESS_REAL), intent(out) :: out(n, d_v)
  out = matmul(weights, V)
end subroutine
