# A low-pass filter by the discrete Fourier transform.

spectrum <- function(signal) {
  transform <- fft(signal)
  list(Re(transform), Im(transform))
}

power <- function(real_part, imaginary_part) real_part^2 + imaginary_part^2

kept <- function(real_part, imaginary_part) {
  n <- length(real_part)
  real_part[6:(n - 4)] <- 0
  imaginary_part[6:(n - 4)] <- 0
  list(real_part, imaginary_part)
}

filtered <- function(kept_real, kept_imaginary) {
  transform <- complex(real = kept_real, imaginary = kept_imaginary)
  Re(fft(transform, inverse = TRUE)) / length(transform)
}
