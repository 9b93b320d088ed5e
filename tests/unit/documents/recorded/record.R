# Writes r.txt: the same values printed by R at two widths and two precisions.
# Rscript record.R > r.txt
set.seed(1)
values <- list(
  matrix = matrix(rnorm(24), 2),
  vector = rnorm(20),
  named_vector = setNames(rnorm(12), letters[1:12]),
  named_matrix = matrix(rnorm(30), 2, dimnames = list(c("w1", "w2"), paste0("c", 1:15))),
  named_columns = matrix(rnorm(30), 2, dimnames = list(NULL, paste0("c", 1:15))),
  array = array(rnorm(12), c(2, 3, 2)),
  small = c(rnorm(6) * 1e-12, 1),
  frame = as.data.frame(matrix(rnorm(24), 2, dimnames = list(c("Mazda RX4", "Datsun"), NULL))),
  list = list(a = rnorm(3), b = matrix(rnorm(4), 2)),
  integers = 1:40,
  missing = c(1.5, NA, NaN, Inf, -Inf)
)
cat("%%", R.version.string, "\n")
for (name in names(values)) {
  for (width in c(60, 500)) {
    for (digits in c(7, 12)) {
      options(width = width, digits = digits)
      cat("%%", name, width, digits, "\n")
      print(values[[name]])
    }
  }
}
