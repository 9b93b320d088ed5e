w <- read.csv("weather.csv", stringsAsFactors = FALSE)
w$J <- as.POSIXlt(as.Date(w$date))$yday + 1
phi <- pi / 180 * 50.8
z <- 100

e0 <- function(temp) 0.6108 * exp(17.27 * temp / (temp + 237.3))

## vapour pressure
Tm <- rowMeans(w[, c("tmax", "tmin")])
slope <- 4098 * e0(Tm) / (Tm + 237.3)^2
psy <- 0.000665 * 101.3 * (1 - 0.0065 * z / 293)^5.26
emax <- e0(w$tmax)
emin <- e0(w$tmin)
vpd <- 0.5 * (emax + emin) - 0.5 * (emin * w$rhmax / 100 + emax * w$rhmin / 100)
avp <- 0.5 * (emax + emin) - vpd
wind2m <- w$wind * 4.87 / log(67.8 * 10 - 5.42)

## radiation
B <- 2 * pi / 365 * w$J
dec <- 0.409 * sin(B - 1.39)
omega <- acos(-tan(phi) * tan(dec))
Ra <- 37.586031360582005 * (1 + 0.033 * cos(B)) *
  (omega * sin(phi) * sin(dec) + cos(phi) * cos(dec) * sin(omega))
N <- omega * 24 / pi
Rs <- Ra * (0.25 + 0.50 * w$sun / N)
cloud <- pmin(Rs / (Ra * (0.75 + z * 2 / 1e5)), 1)
stefan <- 4.903e-9 * ((w$tmax + 273.16)^4 + (w$tmin + 273.16)^4) / 2
lw <- stefan * (0.34 - 0.14 * sqrt(avp)) * (1.35 * cloud - 0.35)
Rn <- 0.77 * Rs - lw

radiative <- 0.408 * slope * Rn
aero <- psy * 900 / (Tm + 273) * wind2m * vpd
w$ETo <- (radiative + aero) / (slope + psy * (1 + 0.34 * wind2m))

## crop, soil
n <- nrow(w)
TAW <- (0.29 - 0.14) * 0.45 * 1000
Kc <- approx(c(1, 5), c(0.85, 1.20), xout = 1:n, rule = 2)$y
w$ETc <- Kc * w$ETo
RAW <- TAW * (0.55 + 0.04 * (5 - w$ETc))
Pe <- ifelse(w$rain < 0.2 * w$ETo, 0, w$rain)

Dr <- c(22, rep(NA, n))
w$Ks <- 1
w$irr <- 0
w$DP <- 0
for (i in seq_len(n)) {
  start <- Dr[i]
  if (start > RAW[i]) {
    w$irr[i] <- 30
    w$Ks[i] <- (TAW - start) / (TAW - RAW[i])
  }
  end <- start - Pe[i] - w$irr[i] + w$Ks[i] * w$ETc[i]
  if (end < 0) {
    w$DP[i] <- -end
    end <- 0
  }
  Dr[i + 1] <- min(end, TAW)
}

ETa <- sum(w$Ks * w$ETc)
loss <- 1.25 * (1 - ETa / sum(w$ETc))
cat("ET0: first", format(w$ETo[1], digits = 8), "total", format(sum(w$ETo), digits = 8), "\n")
cat("highest net radiation", format(max(Rn), digits = 8), "\n")
cat("irrigation", sum(w$irr), "events", sum(w$irr > 0), "deep percolation", format(sum(w$DP), digits = 8), "\n")
cat("ETa", format(ETa, digits = 8), "Ks", format(min(w$Ks), digits = 8), "loss", format(loss, digits = 8), "\n")
cat("end", format(Dr[n + 1], digits = 8), "TAW", TAW, "\n")
