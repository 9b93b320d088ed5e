# Compositions of functions, in the rows of files: Rscript functions_live.R FOLDER WIDTH JOB...
given <- commandArgs(trailingOnly = TRUE)
top <- function(x) apply(x, 1, max)
functions <- list(
  tanh_gelu = function(x) 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))),
  erf_gelu = function(x) 0.5 * x * (1 + (2 * pnorm(x / sqrt(2) * sqrt(2)) - 1)),
  softplus = function(x) pmax(x, 0) + log1p(exp(-abs(x))),
  layer_norm = function(x) {
    centred <- x - rowMeans(x)
    centred / sqrt(rowMeans(centred^2) + 0.1)
  },
  logsumexp = function(x) log(rowSums(exp(x - top(x)))) + top(x),
  softmax = function(x) exp(x) / rowSums(exp(x))
)
for (job in given[-(1:2)]) {
  path <- file.path(given[1], job)
  width <- as.integer(given[2])
  numbers <- readBin(paste0(path, ".x"), "double", file.size(paste0(path, ".x")) / 8)
  found <- functions[[sub("-.*", "", job)]](matrix(numbers, ncol = width, byrow = TRUE))
  writeBin(as.double(t(found)), paste0(path, ".r"))
}
