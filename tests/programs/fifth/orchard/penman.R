met <- read.csv("weather.csv")

site <- list(phi = 43.6 / 57.29577951308232, z = 118)
esat <- function(temp) 0.6108 * exp(17.27 * temp / (237.3 + temp))

met <- within(met, {
  Tm <- rowMeans(cbind(tmax, tmin))
  e_s <- rowMeans(cbind(esat(tmax), esat(tmin)))
  e_a <- 0.5 * (esat(tmin) * rhmax / 100 + esat(tmax) * rhmin / 100)
  deficit <- e_s - e_a
  delta <- 4098 * esat(Tm) / (Tm + 237.3)^2
})

# radiation, all days at once
J <- met$day
theta <- 2 * pi * J / 365
dist <- 1 + 0.033 * cos(theta)
solar <- 0.409 * sin(theta - 1.39)
omega <- acos(-tan(site$phi) * tan(solar))
Ra <- (1440 / pi) * 0.082 * dist *
  (omega * sin(site$phi) * sin(solar) + cos(site$phi) * cos(solar) * sin(omega))
N <- omega * 24 / pi
Rs <- Ra * (0.25 + 0.5 * met$sun / N)
Rso <- Ra * (0.75 + 2e-5 * site$z)
cloud <- 1.35 * pmin(1, Rs / Rso) - 0.35
emit <- 4.903e-9 * rowMeans((cbind(met$tmax, met$tmin) + 273.16)^4)
Rnl <- emit * (0.34 - 0.14 * sqrt(met$e_a)) * cloud
Rnet <- (1 - 0.23) * Rs - Rnl

press <- 101.3 * (1 - 0.0065 * site$z / 293)^5.26
psy <- 0.665e-3 * press
top <- 0.408 * met$delta * Rnet + psy * 900 / (met$Tm + 273) * met$wind * met$deficit
ETo <- top / (met$delta + psy * (1 + 0.34 * met$wind))

coef <- ifelse(J <= 158, 0.55, 0.55 + (0.9 - 0.55) * (J - 158) / (172 - 158))
ETc <- ETo * coef

fc <- 0.32
wp <- 0.15
TAW <- (fc - wp) * 900
RAW <- TAW * 0.3
useful <- ifelse(met$rain > 0.2 * ETo, 0.8 * met$rain, 0)

step <- function(state, k) {
  Ks <- min(1, (TAW - state$Dr) / (TAW - RAW))
  new <- state$Dr - useful[k] + Ks * ETc[k]
  dose <- 25 * (new > 1.1 * RAW)
  new <- new - dose
  list(Dr = max(new, 0), dose = dose, DP = max(-new, 0), Ks = Ks)
}
states <- Reduce(step, seq_along(J), list(Dr = 38), accumulate = TRUE)[-1]
Dr <- sapply(states, `[[`, "Dr")
irrigation <- sapply(states, `[[`, "dose")
DP <- sapply(states, `[[`, "DP")
Ksall <- sapply(states, `[[`, "Ks")

upper <- replace(met$tmax, met$tmax > 30, 30)
lower <- replace(met$tmin, met$tmin < 10, 10)
heat <- (upper + lower) / 2 - 10
GDD <- sum(heat[heat > 0])
week <- cut(J, c(151, 158, 165, 172), labels = FALSE)
ETweek <- as.vector(rowsum(ETc, week))

say <- function(...) cat(format(unname(c(...)), digits = 13), "\n")
say(press = press, gamma = psy)
say(ETo[c(1, 5, 10)], mean = mean(ETo), max = max(ETo))
say(mean(Rnet), sqrt(var(Rnet)))
say(quantile(met$deficit, c(0.1, 0.5, 0.9), names = FALSE))
say(ETweek)
say(TAW = TAW, RAW = RAW, Dr[c(4, 12, 20)])
say(sum(irrigation), which(irrigation > 0), sum(DP))
say(sum(Ksall < 1), GDD)
