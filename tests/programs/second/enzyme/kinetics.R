# Michaelis-Menten kinetics with and without a competitive inhibitor
assay <- read.csv("assay.csv")

lineweaverBurk <- function(d) {
  fit <- lm(I(1 / velocity) ~ I(1 / substrate), data = d)
  b <- coef(fit)
  c(Vmax = 1 / b[[1]], Km = b[[2]] / b[[1]])
}

rate <- function(S, par) par[["Vmax"]] * S / (par[["Km"]] + S)

# Gauss-Newton from the double reciprocal estimates
refine <- function(d, par, steps = 30) {
  for (i in 1:steps) {
    S <- d$substrate
    r <- d$velocity - rate(S, par)
    J <- cbind(S / (par[["Km"]] + S), -par[["Vmax"]] * S / (par[["Km"]] + S)^2)
    delta <- solve(crossprod(J), crossprod(J, r))
    par <- par + as.vector(delta)
  }
  par
}

free <- subset(assay, inhibitor == 0)
inhib <- subset(assay, inhibitor > 0)

lb0 <- lineweaverBurk(free)
lb1 <- lineweaverBurk(inhib)
nls0 <- refine(free, lb0)
nls1 <- refine(inhib, lb1)

res <- free$velocity - rate(free$substrate, nls0)
rss <- sum(res^2)
sigma <- sqrt(rss / (nrow(free) - 2))
R2 <- 1 - rss / sum((free$velocity - mean(free$velocity))^2)

I <- inhib$inhibitor[1]
Ki <- I / (nls1[["Km"]] / nls0[["Km"]] - 1)
kcat <- nls0[["Vmax"]] / 0.02
efficiency <- kcat / nls0[["Km"]]

# consumption of 20 mM substrate by Euler steps of 0.05 min
dt <- 0.05
S <- 20
P <- 0
course <- data.frame(t = 0, S = S, P = P)
for (k in 1:100) {
  v <- rate(S, nls0)
  S <- S - v * dt
  P <- P + v * dt
  course[k + 1, ] <- c(k * dt, S, P)
}
tHalf <- course$t[which(course$S <= 10)[1]]
meanRate <- (course$P[101] - course$P[1]) / 5

cat("double reciprocal", format(c(lb0, lb1), digits = 10), "\n")
cat("least squares", format(c(nls0, nls1), digits = 10), "\n")
cat("sigma", format(sigma, digits = 10), "R2", format(R2, digits = 10), "\n")
cat("Ki", format(Ki, digits = 10), "kcat", format(kcat, digits = 10),
    "efficiency", format(efficiency, digits = 10), "\n")
cat("half consumed at", tHalf, "left", format(S, digits = 10), "made", format(P, digits = 10),
    "mean rate", format(meanRate, digits = 10), "\n")
