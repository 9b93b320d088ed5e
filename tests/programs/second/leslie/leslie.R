# voles: age-structured projection
birth <- c(0, 1.2, 2.1, 1.5, 0.3)
surv  <- c(0.42, 0.61, 0.55, 0.28)
start <- c(120, 45, 30, 12, 4)
nYears <- 25
h <- 0.08

A <- rbind(birth, cbind(diag(surv), 0))
dimnames(A) <- NULL
m <- nrow(A)

# power iteration instead of eigen()
power <- function(M, tol = 1e-14, maxit = 10000) {
  v <- rep(1 / nrow(M), nrow(M))
  value <- 0
  for (it in 1:maxit) {
    w <- as.vector(M %*% v)
    newValue <- sum(w)
    w <- w / newValue
    if (max(abs(w - v)) < tol) break
    v <- w
    value <- newValue
  }
  list(value = newValue, vector = w)
}

pop <- matrix(NA, m, nYears + 1)
pop[, 1] <- start
N <- sum(start)
for (t in 1:nYears) {
  nxt <- as.vector(A %*% pop[, t])
  kill <- if (t > 10) c(0, rep(h, m - 1)) else rep(0, m)
  nxt <- nxt - kill * nxt
  pop[, t + 1] <- nxt
  N <- c(N, sum(nxt))
}

rate <- N[-1] / N[-length(N)]
lateRate <- prod(tail(rate, 5))^(1 / 5)

right <- power(A)
left <- power(t(A))
lambda <- right$value
w <- right$vector
v <- left$vector / left$vector[1]
S <- v %o% w / sum(v * w)
E <- S * A / lambda

l <- numeric(m)
l[1] <- 1
for (i in 2:m) l[i] <- l[i - 1] * surv[i - 1]
netRepro <- sum(l * birth)
Tgen <- 0
for (i in 1:m) Tgen <- Tgen + i * l[i] * birth[i] / lambda^i

cat("lambda", format(lambda, digits = 15), "r", format(log(lambda), digits = 15), "\n")
cat("stable", round(w, 6), "\n")
cat("reproductive", round(v, 6), "\n")
cat("R0", netRepro, "T", format(Tgen, digits = 15), "\n")
cat("elasticity of survival", round(sum(E[-1, ]), 8), "\n")
cat("totals", format(N[c(1, 11, 26)], digits = 10), "\n")
cat("late growth", format(lateRate, digits = 15), "\n")
