lambda <- 0.8
mu <- 1
n <- 200

# Park and Miller's minimal standard generator
lehmer <- function(count, seed) {
  out <- numeric(count)
  x <- seed
  for (i in 1:count) {
    x <- (16807 * x) %% (2^31 - 1)
    out[i] <- x
  }
  out / (2^31 - 1)
}

u <- lehmer(2 * n, 20231)
gaps <- -log(1 - u[1:n]) / lambda
svc <- -log(1 - u[(n + 1):(2 * n)]) / mu
arr <- cumsum(gaps)

# Lindley's recursion for the waiting time
W <- numeric(n)
for (i in 2:n) {
  W[i] <- max(0, W[i - 1] + svc[i - 1] - gaps[i])
}
dep <- arr + W + svc
timeInSystem <- W + svc
Tend <- max(dep)

# Little: the area under the number in system is the sum of the stays
L <- sum(timeInSystem) / Tend
util <- sum(svc) / Tend
X <- n / Tend

atArrival <- sapply(seq_len(n), function(i) sum(dep[seq_len(i - 1)] > arr[i]))
maxInSystem <- max(atArrival) + 1

steady <- W[-(1:40)]
Wbar <- mean(steady)
pDelay <- mean(steady > 0)
bm <- colMeans(matrix(steady, nrow = 20))
se <- sd(bm) / sqrt(length(bm))

Wq <- lambda / (mu * (mu - lambda))

cat(sprintf("until %.8f throughput %.8f\n", Tend, X))
cat(sprintf("L %.8f max %d utilisation %.8f\n", L, as.integer(maxInSystem), util))
cat(sprintf("Wq %.8f se %.8f delayed %.4f theory %.4f\n", Wbar, se, pDelay, Wq))
cat(sprintf("W %.8f\n", mean(timeInSystem)))
