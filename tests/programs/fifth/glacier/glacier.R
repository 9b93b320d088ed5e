# degree-day model, all bands at once (rows: days, columns: bands)
nd <- 365
doy <- seq_len(nd) - 1
Tref <- 0.6 - 9 * sin(2 * pi * (doy - 20) / 365) + 2.5 * sin(1.7 * doy) * cos(0.31 * doy)
Pref <- ifelse((doy * 11) %% 7 < 3, 8 + 6 * sin(0.8 * doy)^2, 0)

hyps <- data.frame(
  z = seq(2250, by = 100, length.out = 10),
  A = c(0.35, 0.8, 1.4, 1.9, 2.3, 2.6, 2.2, 1.5, 0.9, 0.4)
)
nb <- nrow(hyps)
zref <- 1850
par <- list(lapse = -6.2e-3, pgrad = 4e-4, fs = 3.8, fi = 7.1, T0 = 0, T1 = 2)

dz <- hyps$z - zref
Tb <- outer(Tref, par$lapse * dz, "+")
Pb <- outer(Pref, 1 + par$pgrad * dz)
fr <- pmin(pmax((par$T1 - Tb) / (par$T1 - par$T0), 0), 1)
snow <- Pb * fr
rainfall <- Pb - snow
pdd <- pmax(Tb, 0)

S <- rep(0, nb)
Smax <- rep(0, nb)
Ms <- matrix(0, nd, nb)
Mi <- matrix(0, nd, nb)
for (i in 1:nd) {
  S <- S + snow[i, ]
  potential <- par$fs * pdd[i, ]
  Ms[i, ] <- pmin(S, potential)
  S <- S - Ms[i, ]
  Mi[i, ] <- (potential - Ms[i, ]) * par$fi / par$fs
  Smax <- pmax(Smax, S)
}

hyps$acc <- colSums(snow)
hyps$melt_s <- colSums(Ms)
hyps$melt_i <- colSums(Mi)
hyps$rain <- colSums(rainfall)
hyps$b <- hyps$acc - hyps$melt_s - hyps$melt_i

ELA <- approx(hyps$b, hyps$z, xout = 0)$y
Atot <- sum(hyps$A)
bn <- weighted.mean(hyps$b, hyps$A)
AAR <- with(hyps, sum(A[z >= ELA])) / Atot
dbdz <- coef(lm(b ~ z, data = hyps))[["z"]]
km2 <- 1e6
V <- bn / 1000 * Atot * km2

water <- hyps$rain + hyps$melt_s + hyps$melt_i
R <- weighted.mean(water, hyps$A)
Q <- R / 1000 * Atot * km2 / (nd * 24 * 3600)
from_ice <- weighted.mean(hyps$melt_i, hyps$A) / R
zmean <- sum(hyps$z * hyps$A) / Atot
Tsummer <- mean(Tref[doy >= 243 & doy < 335])

out <- function(what, x) cat(what, format(x, digits = 14), "\n")
out("accumulation", hyps$acc)
out("balance", hyps$b)
out("max snow", Smax)
out("ela aar gradient", c(ELA, AAR, dbdz))
out("specific, volume", c(bn, V))
out("runoff", c(R, Q, from_ice))
out("height, summer", c(zmean, Tsummer))
