# One sum in eight shapes.

total <- function(x) Reduce(`+`, x)

axis_by_axis <- function(x) sum(colSums(x))

strided <- function(x) {
  flat <- as.vector(t(x))
  sum(sapply(1:4, function(start) sum(flat[seq(start, length(flat), by = 4)])))
}

accumulators <- function(x) sum(rowSums(matrix(t(x), nrow = 8)))

running <- function(x) cumsum(as.vector(t(x)))

alternating <- function(x) sum(as.vector(t(x)) * c(1, -1))

ordered <- function(x) sum(sort(x))

inner <- function(x, y) drop(crossprod(as.vector(x), as.vector(y)))
