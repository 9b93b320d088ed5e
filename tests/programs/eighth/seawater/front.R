d <- read.csv("casts.csv")

horner <- function(x, ...) {
  out <- 0
  for (cf in rev(c(...))) out <- out * x + cf
  out
}

rho.surface <- function(S, T) {
  horner(T, 999.842594, 6.793952e-2, -9.09529e-3, 1.001685e-4, -1.120083e-6, 6.536332e-9) +
    S * horner(T, 0.824493, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9) +
    S * sqrt(S) * horner(T, -5.72466e-3, 1.0227e-4, -1.6546e-6) +
    S * S * 4.8314e-4
}

secant <- function(S, T, P) {
  S32 <- S * sqrt(S)
  Kw <- horner(T, 19652.21, 148.4206, -2.327105, 1.360477e-2, -5.155288e-5)
  Aw <- horner(T, 3.239908, 1.43713e-3, 1.16092e-4, -5.77905e-7)
  Bw <- horner(T, 8.50935e-5, -6.12293e-6, 5.2787e-8)
  K <- Kw + S * horner(T, 54.6746, -0.603459, 1.09987e-2, -6.1670e-5) + S32 * horner(T, 7.944e-2, 1.6483e-2, -5.3009e-4)
  A <- Aw + S * horner(T, 2.2838e-3, -1.0981e-5, -1.6078e-6) + 1.91075e-4 * S32
  B <- Bw + S * horner(T, -9.9348e-7, 2.0816e-8, 9.1697e-10)
  (B * P + A) * P + K
}

rho.insitu <- function(S, T, dbar) {
  P <- dbar / 10
  rho.surface(S, T) / (1 - P / secant(S, T, P))
}

# Bryden (1973)
atg <- function(S, T, P) {
  horner(T, 3.5803e-5, 8.5258e-6, -6.8360e-8, 6.6228e-10) +
    horner(T, 1.8932e-6, -4.2393e-8) * (S - 35) +
    (horner(T, 1.8741e-8, -6.7795e-10, 8.7330e-12, -5.4481e-14) + horner(T, -1.1351e-10, 2.7759e-12) * (S - 35)) * P +
    horner(T, -4.6206e-13, 1.8676e-14, -2.1687e-16) * P^2
}

ptmp <- function(S, T, P, Pr = 0) {
  dP <- Pr - P
  dth <- dP * atg(S, T, P)
  th <- T + 0.5 * dth
  q <- dth
  dth <- dP * atg(S, th, P + 0.5 * dP)
  th <- th + 0.29289322 * (dth - q)
  q <- 0.58578644 * dth + 0.121320344 * q
  dth <- dP * atg(S, th, P + 0.5 * dP)
  th <- th + 1.707106781 * (dth - q)
  q <- 3.414213562 * dth - 4.121320344 * q
  dth <- dP * atg(S, th, P + dP)
  th + (dth - 2 * q) / 6
}

cat(sprintf("check %.6f %.6f\n", rho.insitu(35, 5, 0), rho.insitu(35, 25, 10000)))

grav <- 9.7963
press <- unique(d$pres)
arrange <- function(column) sapply(split(d[[column]], d$station), identity)
S <- arrange("salt")
T <- arrange("temp")
P <- matrix(press, length(press), ncol(S))
pot <- ptmp(S, T, P)
sig <- rho.surface(S, pot) - 1000
svan <- 1 / rho.insitu(S, T, P) - 1 / rho.insitu(35, 0, P)

N2 <- grav^2 * diff(sig) / (diff(P) * 1e4)
where <- apply(N2, 2, which.max)
n <- length(press)
dyn <- matrix(0, n, 2, dimnames = list(NULL, colnames(S)))
for (k in (n - 1):1) {
  thick <- (press[k + 1] - press[k]) * 1e4
  dyn[k, ] <- dyn[k + 1, ] + thick * (svan[k, ] + svan[k + 1, ]) / 2
}
at10 <- sig[press == 10, ]
for (st in colnames(S)) {
  over <- press > 10 & sig[, st] > at10[st] + 0.125
  cat(sprintf("%s: theta %.6f, sigma %.6f\n", st, pot[n, st], sig[1, st]))
  cat(sprintf("   N2 %.6e at %g, MLD %g\n", N2[where[st], st], press[where[st]], press[over][1]))
  cat(sprintf("   D %.6f\n", dyn[1, st]))
}

coriolis <- 2 * 7.292115e-5 * sin(37.5 / 180 * pi)
L <- 84300
v <- (dyn[, "A"] - dyn[, "B"]) / (coriolis * L)
Q <- sum(diff(press) * (head(v, -1) + v[-1]) / 2) * L * 1e-6
cat(sprintf("v %.7f, v500 %.7f, Sv %.6f\n", v[1], v[press == 500], Q))
