# A low-pass filter by the discrete Fourier transform.

spectrum <- function(signal) fft(signal)

power <- function(spectrum) Re(spectrum)^2 + Im(spectrum)^2

kept <- function(spectrum) {
  spectrum[6:(length(spectrum) - 4)] <- 0
  spectrum
}

filtered <- function(kept) Re(fft(kept, inverse = TRUE)) / length(kept)
