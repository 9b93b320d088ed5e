# Four steps without the fourth (no assignment yet)
z <- read.csv("zones.csv", stringsAsFactors = FALSE)
target <- 2.9
theta <- 0.55      # of the logit
vot <- 0.11        # per minute
const.car <- 0.4

## 1 generation
z$employed <- with(z, households * (0.8 + 0.25 * cars))
P <- z$employed * 0.92
fac <- sum(P) / sum(z$jobs)
Aj <- z$jobs * fac

## 2 impedance
xy <- as.matrix(z[, c("x", "y")])
C <- 1.25 * as.matrix(dist(xy))
diag(C) <- NA
nearest <- apply(C, 1, min, na.rm = TRUE)
diag(C) <- nearest / 2
dimnames(C) <- list(z$zone, z$zone)

balance <- function(fric) {
  b <- rep(1, length(Aj))
  repeat {
    a <- 1 / as.vector(fric %*% (b * Aj))
    b.new <- 1 / as.vector(t(fric) %*% (a * P))
    delta <- max(abs(b.new / b - 1))
    b <- b.new
    if (delta < 1e-12) break
  }
  outer(a * P, b * Aj) * fric
}
triplength <- function(m) sum(m * C) / sum(m)

## calibration
gap <- function(lambda) triplength(balance(exp(-lambda * C))) - target
lam0 <- 1 / target
g0 <- gap(lam0)
lam1 <- lam0 * (g0 + target) / target
for (it in 1:30) {
  g1 <- gap(lam1)
  if (abs(g1) <= 1e-10) break
  lam2 <- lam1 - g1 * (lam1 - lam0) / (g1 - g0)
  lam0 <- lam1
  g0 <- g1
  lam1 <- lam2
}
od <- balance(exp(-lam1 * C))
intrazonal <- sum(diag(od)) / sum(od)

## 3 modes
minutes.car <- C / 32 * 60
minutes.bus <- C / 18 * 60 + 8
gc <- list(car = 3 + vot * minutes.car + 0.14 * C, bus = 1.8 + vot * minutes.bus)
u.car <- exp(const.car - theta * gc$car)
u.bus <- exp(-theta * gc$bus)
p.car <- u.car / (u.car + u.bus)
by.car <- od * p.car
by.bus <- od * (1 - p.car)
z$net <- colSums(by.car) - rowSums(by.car)
vkm <- sum(by.car * C)
composite <- -log(u.car + u.bus) / theta
z$acc <- rowSums(od * composite) / rowSums(od)

cat(sprintf("trips %.4f, growth of jobs %.8f\n", sum(P), fac))
cat(sprintf("beta %.8f, mean length %.6f km, inside their zone %.8f\n", lam1, triplength(od), intrazonal))
cat(sprintf("%-12s %12.5f %10.6f\n", z$zone, z$net, z$acc), sep = "")
cat(sprintf("car %.8f, %.4f km, riders %.5f\n", sum(by.car) / sum(od), vkm, sum(by.bus)))
