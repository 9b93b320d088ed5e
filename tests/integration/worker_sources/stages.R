identity <- function(x) x

shapes <- function(a, b) list(a, b)

none_in <- function() 2.5

noise <- function(x) {
  cat("printed noise\n")
  print("printed noise")
  message("a message")
  warning("a warning")
  writeLines("written noise", stdout())
  system("echo echoed noise")
  readline("a question? ")
  close(file("stdin"))
  x
}

boom <- function(x) {
  stop("it went\n  wrong")  # line of boom
}

deep <- function(x) deep(x)

text <- function(x) "four"

nothing <- function(x) invisible(NULL)

lonely <- function(x) list(x)

raised <- function(x) x + 1

overflow <- function(x) exp(x * 1000)

grandchild <- function(x) as.numeric(system("sleep 600 > /dev/null 2>&1 & echo $!", intern = TRUE))

hang <- function(x) repeat Sys.sleep(0.1)

quits <- function(x) {
  cat("last words\n")
  quit(status = 3)
}

killed <- function(x) {
  tools::pskill(Sys.getpid(), tools::SIGKILL)
  Sys.sleep(10)
}

wrong_arity <- function(x, y, z = 1) x

not_a_function <- 3

# R's own: missing values, silent conversions, and errors of what is built in.
missing_integer <- function(x) c(1L, NA, 3L)
missing_logical <- function(x) matrix(c(TRUE, NA), 1)
missing_real <- function(x) c(NA_real_, 1)
sequence <- function(x) 1:4
not_conformable <- function(x) {
  y <- x + 1
  y %*% matrix(1, 7, 7)  # line of not_conformable
}
a_factor <- function(x) factor(c("a", "b"))
a_frame <- function(x) data.frame(a = 1)
a_date <- function(x) Sys.Date()
with_dots <- function(x, ...) x
optional <- function(x, scale = 2) x * scale
