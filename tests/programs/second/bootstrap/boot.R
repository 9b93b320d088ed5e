# Bootstrap of the difference of medians and of the correlation, indices from a small generator
control <- c(4.1, 5.6, 3.9, 7.2, 6.4, 5.0, 4.8, 6.1, 5.9, 7.7, 3.3, 5.2)
treated <- c(6.3, 7.9, 5.8, 9.4, 6.9, 7.1, 8.8, 5.5, 7.4, 10.2)
dose <- c(10, 25, 8, 40, 18, 22, 33, 5, 20, 45)
B <- 300

indices <- function(n, B, seed) {
  x <- seed
  idx <- matrix(0L, B, n)
  for (b in 1:B) {
    for (i in 1:n) {
      x <- (1103515245 * (x %% 65536) + 12345 + 65536 * ((1103515245 * (x %/% 65536)) %% 32768)) %% 2147483648
      idx[b, i] <- as.integer(floor(x / 2147483648 * n)) + 1L
    }
  }
  idx
}

i1 <- indices(length(control), B, 42)
i2 <- indices(length(treated), B, 4711)

observed <- median(treated) - median(control)
med1 <- apply(i1, 1, function(i) median(control[i]))
med2 <- apply(i2, 1, function(i) median(treated[i]))
diffs <- med2 - med1

bias <- mean(diffs) - observed
se <- sd(diffs)
ci <- quantile(diffs, c(0.025, 0.975), names = FALSE)
basic <- 2 * observed - rev(ci)
normal <- observed - bias + c(-1, 1) * 1.959963984540054 * se
pvalue <- (1 + sum(diffs <= 0)) / (B + 1)

# correlation of dose and response
r <- cor(dose, treated)
rb <- numeric(B)
for (b in seq_len(B)) {
  rb[b] <- cor(dose[i2[b, ]], treated[i2[b, ]])
}
z <- atanh(r)
zb <- atanh(rb[abs(rb) < 1])
zSE <- sd(zb)
rCI <- tanh(z + c(-1, 1) * 1.96 * zSE)

# jackknife
n <- length(treated)
jack <- sapply(1:n, function(i) cor(dose[-i], treated[-i]))
pseudo <- n * r - (n - 1) * jack
jackEst <- mean(pseudo)
jackSE <- sqrt(var(pseudo) / n)
d <- mean(jack) - jack
accel <- sum(d^3) / (6 * sum(d^2)^1.5)

cat(sprintf("difference %.6f bias %.8f se %.8f p %.6f\n", observed, bias, se, pvalue))
cat(sprintf("percentile %.6f %.6f\n", ci[1], ci[2]))
cat(sprintf("basic %.6f %.6f normal %.8f %.8f\n", basic[1], basic[2], normal[1], normal[2]))
cat(sprintf("r %.8f interval %.8f %.8f\n", r, rCI[1], rCI[2]))
cat(sprintf("jackknife %.8f se %.8f acceleration %.8f\n", jackEst, jackSE, accel))
