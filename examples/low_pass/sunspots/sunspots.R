# A low-pass filter by R's fft, which does not divide by n on the way back.

years <- 8

spectrum <- function(number) fft(number)

power <- function(spectrum) Mod(spectrum[2:(length(spectrum) %/% 2 + 1)])^2

period <- function(power) 2 * length(power) / which.max(power)

passed <- function(spectrum) {
  n <- length(spectrum)
  frequency <- pmin(0:(n - 1), n - 0:(n - 1))
  ifelse(frequency > n %/% years, 0 + 0i, spectrum)
}

smooth <- function(passed) Re(fft(passed, inverse = TRUE)) / length(passed)
