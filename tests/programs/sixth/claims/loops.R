# Reserves by chain ladder, with Mack's standard errors. Payments in thousands.
payments <- read.csv("payments.csv")
first <- min(payments$origin)
n <- max(payments$dev)

# increments into a triangle, and summed along the rows
increments <- matrix(NA, n, n)
for (r in 1:nrow(payments)) {
  increments[payments$origin[r] - first + 1, payments$dev[r]] <- payments$paid[r]
}
triangle <- increments
for (j in 2:n) {
  for (i in 1:(n + 1 - j)) {
    triangle[i, j] <- triangle[i, j - 1] + increments[i, j]
  }
}

# development factors
factors <- numeric(n - 1)
for (j in 1:(n - 1)) {
  above <- 0
  below <- 0
  for (i in 1:(n - j)) {
    above <- above + triangle[i, j + 1]
    below <- below + triangle[i, j]
  }
  factors[j] <- above / below
}

# fill the lower right
full <- triangle
for (i in 2:n) {
  for (j in (n + 2 - i):n) {
    full[i, j] <- full[i, j - 1] * factors[j - 1]
  }
}
ultimate <- full[, n]
latest <- numeric(n)
for (i in 1:n) latest[i] <- triangle[i, n + 1 - i]
reserve <- ultimate - latest

# Mack's variances of the factors
sigma2 <- numeric(n - 1)
for (j in 1:(n - 2)) {
  s <- 0
  for (i in 1:(n - j)) {
    s <- s + triangle[i, j] * (triangle[i, j + 1] / triangle[i, j] - factors[j])^2
  }
  sigma2[j] <- s / (n - j - 1)
}
sigma2[n - 1] <- min(sigma2[n - 2]^2 / sigma2[n - 3], sigma2[n - 3], sigma2[n - 2])

# mean square error of each year's reserve
mse <- numeric(n)
for (i in 2:n) {
  s <- 0
  for (j in (n + 1 - i):(n - 1)) {
    column <- sum(triangle[1:(n - j), j])
    s <- s + sigma2[j] / factors[j]^2 * (1 / full[i, j] + 1 / column)
  }
  mse[i] <- ultimate[i]^2 * s
}

# and of their sum
total.mse <- 0
for (i in 2:n) {
  shared <- 0
  for (j in (n + 1 - i):(n - 1)) {
    shared <- shared + 2 * sigma2[j] / factors[j]^2 / sum(triangle[1:(n - j), j])
  }
  later <- if (i < n) sum(ultimate[(i + 1):n]) else 0
  total.mse <- total.mse + mse[i] + ultimate[i] * later * shared
}
total <- sum(reserve)
cv <- sqrt(total.mse) / total

# what is still to be paid in each coming year
coming <- numeric(n - 1)
for (i in 2:n) {
  for (j in (n + 2 - i):n) {
    year <- i + j - n - 1
    coming[year] <- coming[year] + full[i, j] - full[i, j - 1]
  }
}
value <- 0
for (t in 1:(n - 1)) value <- value + coming[t] / 1.03^(t - 0.5)

# 99.5 %, lognormal
s2 <- log(1 + cv^2)
worst <- exp(log(total) - s2 / 2 + qnorm(0.995) * sqrt(s2))

cat("factors", sprintf("%.8f", factors), "\n")
cat("ultimate", sprintf("%.6f", ultimate), "\n")
cat("reserve", sprintf("%.6f", reserve), "total", sprintf("%.6f", total), "\n")
cat("se", sprintf("%.6f", sqrt(mse)), "total", sprintf("%.6f", sqrt(total.mse)), "\n")
cat("coming", sprintf("%.6f", coming), "value", sprintf("%.6f", value), "\n")
cat("worst", sprintf("%.6f", worst), "\n")
