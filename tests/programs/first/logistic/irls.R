x <- c(1.69, 1.72, 1.76, 1.78, 1.81, 1.84, 1.86, 1.88)
total <- c(59, 60, 62, 56, 63, 59, 62, 60)
dead <- pmin(c(6, 13, 18, 28, 52, 53, 61, 60), total - 0.5)

xbar <- mean(x)
xc <- x - xbar
b <- c(0, 0)
repeat {
  lin <- b[1] + b[2] * xc
  prob <- plogis(lin)
  # score and information
  resid <- dead - total * prob
  score <- c(sum(resid), sum(resid * xc))
  wt <- total * prob * (1 - prob)
  I <- matrix(c(sum(wt), sum(wt * xc), sum(wt * xc), sum(wt * xc^2)), 2, 2)
  step <- solve(I, score)
  b <- b + step
  if (max(abs(step)) < 1e-10) break
}

V <- solve(I)
stderr <- sqrt(diag(V))
W <- (b / stderr)^2
p <- pchisq(W, 1, lower.tail = FALSE)

expected <- total * plogis(b[1] + b[2] * xc)
r <- (dead - expected) / sqrt(expected * (1 - expected / total))
X2 <- sum(r^2)
G2 <- 2 * sum(dead * log(dead / expected) + (total - dead) * log((total - dead) / (total - expected)))

LD50 <- xbar - b[1] / b[2]
g <- c(-1 / b[2], b[1] / b[2]^2)
s <- sqrt(drop(t(g) %*% V %*% g))
limits <- LD50 + c(-1, 1) * qnorm(0.975) * s

cat("beta", b, "se", stderr, "\n")
cat("wald", W, p, "\n")
cat("chi2", X2, "deviance", G2, "\n")
cat("LD50", LD50, limits, "\n")
