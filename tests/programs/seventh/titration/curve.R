# titration of a triprotic acid
pKa <- c(3.13, 4.76, 6.40)
pKw <- 14
acid <- list(c = 0.05, V = 20)
cB <- 0.1
Vb <- seq(0, 40, by = 0.5)
Vtot <- acid$V + Vb

# cumulative constants; distribution as a matrix, one row for each pH
logb <- c(0, cumsum(pKa))
species <- function(pH) {
  n <- length(pKa)
  w <- sapply(0:n, function(i) 10^(i * pH - logb[i + 1]))
  w <- matrix(w, ncol = n + 1)
  w / rowSums(w)
}
nbar <- function(pH) as.vector(species(pH) %*% (0:length(pKa)))

proton.balance <- function(pH, vb) {
  vt <- acid$V + vb
  10^-pH - 10^(pH - pKw) + cB * vb / vt - acid$c * acid$V / vt * nbar(pH)
}
pH <- vapply(Vb, function(vb) uniroot(proton.balance, c(0, 14), vb = vb, tol = 1e-14)$root, 0)

titr <- data.frame(v = Vb, pH = pH, cA = acid$c * acid$V / Vtot)

### end point
d1 <- diff(titr$pH) / diff(titr$v)
xm <- titr$v[-1] - diff(titr$v) / 2
d2 <- diff(d1) / diff(xm)
imax <- which.max(d1)
frac <- d2[imax - 1] / (d2[imax - 1] - d2[imax])
Ve <- titr$v[imax] + frac * 0.5
found <- cB * Ve / (3 * acid$V)

### buffer
A <- species(titr$pH)
zz <- matrix(0:3, nrow(A), 4, byrow = TRUE)
var.z <- rowSums(A * zz^2) - nbar(titr$pH)^2
titr$cap <- log(10) * (10^-titr$pH + 10^(titr$pH - pKw) + titr$cA * var.z)
before <- subset(titr, v < Ve)
optimum <- before[which.max(before$cap), ]

### Gran
after <- titr[titr$v > Ve + 1, ]
after$G <- (acid$V + after$v) * 10^(after$pH - pKw)
line <- lm(G ~ v, data = after)
cf <- unname(coef(line))
Vg <- -cf[1] / cf[2]
dev <- (Vg - Ve) / Vg * 100

### phenolphthalein
pink <- 10^(titr$pH - 9.4)
pink <- pink / (1 + pink)
start <- approx(pink, titr$v, xout = 0.25)$y

cat("pH at 0, 10, 20, 30, 40 mL:", sprintf("%.8f", titr$pH[titr$v %% 10 == 0]), "\n")
cat(sprintf("end point %.6f mL, acid %.8f mol/L\n", Ve, found))
cat(sprintf("largest buffer capacity %.8f at %.1f mL, at the end %.8f\n", optimum$cap, optimum$v, tail(titr$cap, 1)))
cat(sprintf("Gran %.6f mL, slope %.8f, off by %.6f %%\n", Vg, cf[2], dev))
cat(sprintf("pink from %.6f mL\n", start))
