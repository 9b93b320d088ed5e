! Scaled dot-product self-attention of a batch of sequences, step by step, with a mask, and as one head.
! Arrays are in column order, as Fortran's are: x(B, T, d) has token t of sequence b in x(b, t, :).

#ifndef HARNESS_REAL
#define HARNESS_REAL 8
#endif

! x times the transpose of Linear's weight, outputs by inputs.
subroutine linear(B, T, d, m, x, weight, out)
  implicit none
  integer, intent(in) :: B, T, d, m
  real(HARNESS_REAL), intent(in) :: x(B, T, d), weight(m, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, m)
  integer :: i
  do i = 1, B
    out(i, :, :) = matmul(x(i, :, :), transpose(weight))
  end do
end subroutine

! Every query against every key.
subroutine dots(B, T, d, Q, K, out)
  implicit none
  integer, intent(in) :: B, T, d
  real(HARNESS_REAL), intent(in) :: Q(B, T, d), K(B, T, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  integer :: i
  do i = 1, B
    out(i, :, :) = matmul(Q(i, :, :), transpose(K(i, :, :)))
  end do
end subroutine

! Softmax of a factor times the scores, row by row.
subroutine softmax(B, T, factor, scores, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: factor, scores(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  out = exp(factor * scores - factor * spread(maxval(scores, dim=3), 3, T))
  out = out / spread(sum(out, dim=3), 3, T)
end subroutine

subroutine weighted(B, T, d, weights, V, out)
  implicit none
  integer, intent(in) :: B, T, d
  real(HARNESS_REAL), intent(in) :: weights(B, T, T), V(B, T, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, d)
  integer :: i
  do i = 1, B
    out(i, :, :) = matmul(weights(i, :, :), V(i, :, :))
  end do
end subroutine

subroutine Q(B, T, d, head_size, x, query_weight, out)
  implicit none
  integer, intent(in) :: B, T, d, head_size
  real(HARNESS_REAL), intent(in) :: x(B, T, d), query_weight(head_size, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, head_size)
  call linear(B, T, d, head_size, x, query_weight, out)
end subroutine

subroutine K(B, T, d, head_size, x, key_weight, out)
  implicit none
  integer, intent(in) :: B, T, d, head_size
  real(HARNESS_REAL), intent(in) :: x(B, T, d), key_weight(head_size, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, head_size)
  call linear(B, T, d, head_size, x, key_weight, out)
end subroutine

subroutine V(B, T, d, head_size, x, value_weight, out)
  implicit none
  integer, intent(in) :: B, T, d, head_size
  real(HARNESS_REAL), intent(in) :: x(B, T, d), value_weight(head_size, d)
  real(HARNESS_REAL), intent(out) :: out(B, T, head_size)
  call linear(B, T, d, head_size, x, value_weight, out)
end subroutine

subroutine scores(B, T, head_size, Q, K, out)
  implicit none
  integer, intent(in) :: B, T, head_size
  real(HARNESS_REAL), intent(in) :: Q(B, T, head_size), K(B, T, head_size)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  call dots(B, T, head_size, Q, K, out)
end subroutine

subroutine scaled(B, T, head_size, scores, K, out)
  implicit none
  integer, intent(in) :: B, T, head_size
  real(HARNESS_REAL), intent(in) :: scores(B, T, T), K(B, T, head_size)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  out = scores / sqrt(real(head_size, HARNESS_REAL))
end subroutine

subroutine weights(B, T, scaled, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: scaled(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  call softmax(B, T, real(1, HARNESS_REAL), scaled, out)
end subroutine

subroutine row_sums(B, T, weights, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: weights(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T)
  out = sum(weights, dim=3)
end subroutine

subroutine sharpened(B, T, scaled, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: scaled(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  call softmax(B, T, real(12, HARNESS_REAL), scaled, out)
end subroutine

subroutine outputs(B, T, head_size, weights, V, out)
  implicit none
  integer, intent(in) :: B, T, head_size
  real(HARNESS_REAL), intent(in) :: weights(B, T, T), V(B, T, head_size)
  real(HARNESS_REAL), intent(out) :: out(B, T, head_size)
  call weighted(B, T, head_size, weights, V, out)
end subroutine

subroutine mask(B, T, scaled, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: scaled(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(T, T)
  integer :: i
  out = 0
  do i = 1, T
    out(i, :i) = 1
  end do
end subroutine

subroutine masked_scores(B, T, scaled, mask, out)
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: scaled(B, T, T), mask(T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  out = merge(ieee_value(scaled, ieee_negative_inf), scaled, spread(mask, 1, B) == 0)
end subroutine

subroutine masked_weights(B, T, masked_scores, out)
  implicit none
  integer, intent(in) :: B, T
  real(HARNESS_REAL), intent(in) :: masked_scores(B, T, T)
  real(HARNESS_REAL), intent(out) :: out(B, T, T)
  call softmax(B, T, real(1, HARNESS_REAL), masked_scores, out)
end subroutine

subroutine head_Q(head_B, head_T, embed_dim, head_dim, head_x, head_query_weight, out)
  implicit none
  integer, intent(in) :: head_B, head_T, embed_dim, head_dim
  real(HARNESS_REAL), intent(in) :: head_x(head_B, head_T, embed_dim), head_query_weight(head_dim, embed_dim)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_dim)
  call linear(head_B, head_T, embed_dim, head_dim, head_x, head_query_weight, out)
end subroutine

subroutine head_K(head_B, head_T, embed_dim, head_dim, head_x, head_key_weight, out)
  implicit none
  integer, intent(in) :: head_B, head_T, embed_dim, head_dim
  real(HARNESS_REAL), intent(in) :: head_x(head_B, head_T, embed_dim), head_key_weight(head_dim, embed_dim)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_dim)
  call linear(head_B, head_T, embed_dim, head_dim, head_x, head_key_weight, out)
end subroutine

subroutine head_V(head_B, head_T, embed_dim, head_dim, head_x, head_value_weight, out)
  implicit none
  integer, intent(in) :: head_B, head_T, embed_dim, head_dim
  real(HARNESS_REAL), intent(in) :: head_x(head_B, head_T, embed_dim), head_value_weight(head_dim, embed_dim)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_dim)
  call linear(head_B, head_T, embed_dim, head_dim, head_x, head_value_weight, out)
end subroutine

subroutine head_scores(head_B, head_T, head_dim, head_Q, head_K, out)
  implicit none
  integer, intent(in) :: head_B, head_T, head_dim
  real(HARNESS_REAL), intent(in) :: head_Q(head_B, head_T, head_dim), head_K(head_B, head_T, head_dim)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_T)
  call dots(head_B, head_T, head_dim, head_Q, head_K, out)
  out = out / sqrt(real(head_dim, HARNESS_REAL))
end subroutine

subroutine head_weights(head_B, head_T, head_scores, out)
  implicit none
  integer, intent(in) :: head_B, head_T
  real(HARNESS_REAL), intent(in) :: head_scores(head_B, head_T, head_T)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_T)
  call softmax(head_B, head_T, real(1, HARNESS_REAL), head_scores, out)
end subroutine

subroutine head_outputs(head_B, head_T, head_dim, head_weights, head_V, out)
  implicit none
  integer, intent(in) :: head_B, head_T, head_dim
  real(HARNESS_REAL), intent(in) :: head_weights(head_B, head_T, head_T), head_V(head_B, head_T, head_dim)
  real(HARNESS_REAL), intent(out) :: out(head_B, head_T, head_dim)
  call weighted(head_B, head_T, head_dim, head_weights, head_V, out)
end subroutine
