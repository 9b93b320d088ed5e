# Thresholds, rounding, order and loops that end by a condition.

above <- function(x, threshold) ifelse(x > threshold, x, 0)

signs <- function(x) sign(x)

floors <- function(x) floor(x)

nearest <- function(x) round(x)

remainder <- function(x) x %% 3

largest <- function(x) which.max(x) - 1L

ordered <- function(x) sort(x)

bins <- function(x, edges) findInterval(x, edges, left.open = TRUE)

huber <- function(x, threshold) {
  loss <- numeric(length(x))
  for (i in seq_along(x)) {
    if (abs(x[i]) <= threshold) loss[i] <- x[i]^2 / 2
    else loss[i] <- threshold * (abs(x[i]) - threshold / 2)
  }
  loss
}

limited <- function(x, threshold) pmax(pmin(x, threshold), -threshold)

centre <- function(sizes) mean(sizes)

sides <- function(sizes, centre) as.numeric(sizes > centre)

roots <- function(positive) {
  sapply(positive, function(number) {
    root <- max(number, 1)
    step <- root
    while (abs(step) > 0.3 * root) {
      step <- (root - number / root) / 2
      root <- root - step
    }
    root - (root - number / root) / 2
  })
}
