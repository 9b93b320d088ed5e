## Perch: growth, mortality, yield per recruit
perch <- read.csv("perch.csv")
perch <- transform(perch, len = length / 10, logL = log10(length / 10), logW = log10(weight))
Temp <- 11.5

## --- growth
L <- tapply(perch$len, perch$age, mean)
years <- as.numeric(names(L))
k <- length(L)
walford <- lm(L[2:k] ~ L[1:(k - 1)])
b1 <- unname(coef(walford)[2])
K <- -log(b1)
Linf <- unname(coef(walford)[1]) / (1 - b1)
t0 <- mean(years + log(1 - L / Linf) / K)

## --- length and weight
lw <- lm(logW ~ logL, data = perch)
lw.a <- 10^coef(lw)[[1]]
lw.b <- coef(lw)[[2]]
Winf <- lw.a * Linf^lw.b
fulton <- with(perch, 100 * weight / len^3)

## --- mortality
N <- as.vector(table(perch$age))
full <- which.max(N)
desc <- data.frame(age = years[full:k], n = N[full:k])
desc$x <- desc$age - min(desc$age)
Zcc <- -coef(lm(log(n) ~ age, data = desc))[[2]]

chapman.robson <- function(x, n) {
  nn <- sum(n)
  TT <- sum(x * n)
  S <- TT / (nn + TT - 1)
  varS <- S * (S - (TT - 1) / (nn + TT - 2))
  Z <- -log(S) - (nn - 1) * (nn - 2) / (nn * (TT + 1) * (nn + TT - 1))
  c(S = S, se = sqrt(varS), Z = Z)
}
cr <- chapman.robson(desc$x, desc$n)

pauly <- function(Linf, K, Temp) {
  logM <- -0.0066 - 0.279 * log10(Linf) + 0.6543 * log10(K) + 0.4634 * log10(Temp)
  10^logM
}
M <- pauly(Linf, K, Temp)
Fcur <- cr[["Z"]] - M
E <- Fcur / cr[["Z"]]

## --- Beverton and Holt, year by year
ypr <- function(Fmort, tc = 3, tmax = 12) {
  age <- 1:tmax
  Fa <- ifelse(age >= tc, Fmort, 0)
  Z <- M + Fa
  Na <- exp(-c(0, cumsum(Z)[-tmax]))
  Wa <- Winf * (1 - exp(-K * (age + 0.5 - t0)))^lw.b
  sum(Fa / Z * Na * (1 - exp(-Z)) * Wa)
}
Fs <- seq(0, 2, by = 0.1)
Y <- sapply(Fs, ypr)
Fmax <- Fs[which.max(Y)]
slopes <- diff(Y) / diff(Fs)
F01 <- Fs[which(slopes < 0.1 * slopes[1])[1]]
loss <- 1 - ypr(Fcur) / max(Y)

cat(sprintf("Linf %.8f K %.8f t0 %.8f\n", Linf, K, t0))
cat(sprintf("weight: a %.8f b %.8f winf %.6f\n", lw.a, lw.b, Winf))
cat(sprintf("condition: %.8f, sd %.8f\n", mean(fulton), sd(fulton)))
cat(sprintf("Z: %.8f (curve), %.8f (Chapman and Robson)\n", Zcc, cr["Z"]))
cat(sprintf("S: %.8f, se %.8f\n", cr["S"], cr["se"]))
cat(sprintf("M: %.8f F: %.8f E: %.8f\n", M, Fcur, E))
cat("yield:", sprintf("%.6f", Y[seq(1, 21, by = 5)]), sprintf("Fmax %.1f F0.1 %.1f lost %.8f\n", Fmax, F01, loss))
