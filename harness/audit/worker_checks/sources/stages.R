# What R's worker is checked with.
same <- function(x) x

corner <- function(x) x[1, ncol(x)]

two <- function(a, b) list(b, a)

constant <- function() 2.5

boom <- function(x) stop("it went wrong")

text <- function(x) "four"

void <- function(x) invisible(NULL)

noise <- function(x) {
  cat(rep("printed noise\n", 1000), sep = "")
  x
}

reads <- function(x) {
  readLines("stdin", n = 1)
  x
}

sleeps <- function(x) {
  Sys.sleep(0.2)
  x
}

hangs <- function(x) repeat Sys.sleep(0.1)

picky <- function(x) {
  if (any(x < 0)) stop("negative")
  2 * x
}

named <- function(x) list(second = x + 1, first = x)

defaulted <- function(x, y = 2) x * y
