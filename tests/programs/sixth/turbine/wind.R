wind <- read.csv("mast.csv")
z0 <- 10
zh <- 80
site.altitude <- 220
pc <- data.frame(u = 3:13, kW = c(0, 45, 150, 320, 560, 860, 1200, 1520, 1770, 1920, 2000))
Pr <- max(pc$kW)

## speed at the hub
u <- wind$speed * (zh / z0)^0.16
ubar <- mean(u)
us <- sd(u)

## Weibull parameters
k.mom <- (us / ubar)^(-1.086)
c.mom <- ubar / gamma(1 + 1 / k.mom)
weibull.mle <- function(u, k = 2, n.iter = 40) {
  lu <- log(u)
  for (i in seq_len(n.iter)) {
    uk <- u^k
    k <- 1 / (sum(uk * lu) / sum(uk) - mean(lu))
  }
  list(k = k, c = mean(u^k)^(1 / k))
}
ml <- weibull.mle(u)

## air
air.density <- function(temp, altitude) {
  p <- 101325 * (1 - 2.25577e-5 * altitude)^5.25588
  p / (287.05 * (temp + 273.15))
}
rho <- air.density(wind$temperature, site.altitude + zh)
wpd <- mean(rho * u^3 / 2)

## turbine
ueff <- u * (rho / 1.225)^(1 / 3)
P <- approx(pc$u, pc$kW, xout = ueff, yleft = 0, yright = Pr)$y
P <- ifelse(ueff > 25, 0, P)
E <- sum(P) / 1000
CF <- mean(P) / Pr
idle <- sum(P == 0) / length(P)
nfull <- sum(P >= 0.95 * Pr)

day <- wind$hour %/% 24 + 1
Eday <- tapply(P, day, sum) / 1000
P90 <- quantile(P, 0.1, names = FALSE)
diurnal <- aggregate(P, list(h = wind$hour %% 24), mean)
top <- diurnal$h[which.max(diurnal$x)]

## rose
lab <- c("N", "NE", "E", "SE", "S", "SW", "W", "NW")
sec <- factor(lab[floor((wind$direction + 22.5) / 45) %% 8 + 1], levels = lab)
freq <- prop.table(table(sec))
Esec <- tapply(P, sec, sum, default = 0) / 1000
theta <- wind$direction * pi / 180
U <- mean(wind$speed * sin(theta))
V <- mean(wind$speed * cos(theta))
main <- (atan2(U, V) * 180 / pi) %% 360

out <- function(...) cat(..., "\n")
n8 <- function(x) sprintf("%.8f", x)
out("mean", n8(ubar), "sd", n8(us))
out("Weibull", n8(ml$k), n8(ml$c), "moments", n8(k.mom), n8(c.mom))
out("density", n8(mean(rho)), "power", n8(wpd), "W/m2")
out("energy", n8(E), "MWh, capacity", n8(CF), "standing", n8(idle), "full", nfull, "h")
out("daily", n8(Eday), "best", which.max(Eday), top, "p90", n8(P90))
out("rose", n8(freq), n8(Esec), "prevailing", n8(main))
