# Functions of R in the points of files: Rscript in_r.R FOLDER JOB...; a job is FUNCTION-float64.
given <- commandArgs(trailingOnly = TRUE)
functions <- list(
  exp = exp, exp2 = function(x) 2^x, expm1 = expm1, log = log, log2 = log2, log10 = log10, log1p = log1p,
  sqrt = sqrt, sin = sin, cos = cos, tan = tan, arcsin = asin, arccos = acos, arctan = atan,
  sinh = sinh, cosh = cosh, tanh = tanh, arcsinh = asinh, arccosh = acosh, arctanh = atanh,
  reciprocal = function(x) 1 / x, gamma = gamma, gammaln = lgamma, gammaln_negative = lgamma,
  arctan2 = atan2, power = function(x, y) x^y
)
read <- function(path) readBin(path, "double", file.size(path) / 8)
for (job in given[-1]) {
  parts <- strsplit(job, "-", fixed = TRUE)[[1]]
  name <- sub("-float64$", "", job)
  base <- file.path(given[1], job)
  constant <- startsWith(name, "power_")
  f <- if (constant) functions$power else functions[[name]]
  if (is.null(f) || !endsWith(job, "-float64")) next
  x <- read(paste0(base, ".x"))
  y <- if (constant) as.numeric(sub("power_", "", name, fixed = TRUE)) else NULL
  if (file.exists(paste0(base, ".y"))) y <- read(paste0(base, ".y"))
  value <- suppressWarnings(if (is.null(y)) f(x) else f(x, y))
  writeBin(as.double(value), paste0(base, ".r"))
}
