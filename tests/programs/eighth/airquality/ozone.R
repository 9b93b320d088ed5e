aq <- read.csv("ny1973.csv")
upper <- c(54, 70, 85, 105, 200)
lower <- c(0, 55, 71, 86, 106)
itop <- c(50, 100, 150, 200, 300)
ibot <- c(0, 51, 101, 151, 201)
labels <- c("good", "moderate", "sensitive", "unhealthy", "very")

bin <- findInterval(aq$Ozone, c(-Inf, upper[-5]), left.open = TRUE)
gradient <- (itop - ibot) / (upper - lower)
aq$AQI <- round(ibot[bin] + gradient[bin] * (aq$Ozone - lower[bin]))
aq$class <- factor(labels[bin], levels = labels)
day <- as.Date(sprintf("1973-%02d-%02d", aq$Month, aq$Day))
aq$C <- 5 / 9 * (aq$Temp - 32)
aq$Bft <- round((aq$Wind * 0.44704 / 0.836)^(2 / 3))

res <- NULL
for (m in 5:9) {
  oz <- aq$Ozone[aq$Month == m]
  ok <- oz[!is.na(oz)]
  res <- rbind(res, data.frame(
    month = m, avg = mean(ok), med = median(ok), q90 = unname(quantile(ok, 0.9)),
    gaps = sum(is.na(oz)), top = max(aq$AQI[aq$Month == m], na.rm = TRUE)
  ))
}
res$z <- as.vector(scale(res$avg))
per.class <- table(aq$class)

# moving week
n <- nrow(aq)
moving <- rep(NA_real_, n)
for (i in 1:n) {
  win <- aq$Ozone[max(1, i - 6):i]
  if (sum(!is.na(win)) >= 4) moving[i] <- mean(win, na.rm = TRUE)
}
hit <- which.max(moving)

carry <- aq$Ozone
age <- 0
for (i in 2:n) {
  if (is.na(carry[i])) {
    age <- age + 1
    if (age <= 2) carry[i] <- carry[i - 1]
  } else {
    age <- 0
  }
}
spell <- rle(!is.na(carry) & carry > 70)
long <- max(spell$lengths[spell$values])

# regression on the days with everything
cc <- aq[complete.cases(aq[, c("Ozone", "Solar.R")]), ]
cc$y <- cc$Ozone^(1 / 3)
model <- lm(y ~ C + Wind + I(Solar.R / 100), data = cc)
s <- summary(model)
e <- unname(resid(model))
k <- length(e)
autocor <- cor(e[-1], e[-k])
rho <- cor(cc$Ozone, cc$Temp, method = "spearman")

force.mean <- tapply(aq$Ozone, aq$Bft, mean, na.rm = TRUE)
low.wind <- mean(force.mean[as.numeric(names(force.mean)) <= 3])
sat.sun <- as.POSIXlt(day)$wday %in% c(0, 6)
ends <- mean(aq$Ozone[sat.sun], na.rm = TRUE)
workdays <- mean(aq$Ozone[!sat.sun], na.rm = TRUE)

for (i in 1:5) {
  cat(sprintf("%d %.5f %.1f %.2f %d %d %.5f\n", res$month[i], res$avg[i], res$med[i], res$q90[i], res$gaps[i], as.integer(res$top[i]), res$z[i]))
}
cat("days", per.class, "\n")
cat(sprintf("peak of the moving week: day %d, %.5f; run %d\n", as.POSIXlt(day[hit])$yday + 1L, moving[hit], long))
cat("lm", sprintf("%.7f", coef(model)), sprintf("%.6f", c(s$r.squared, s$adj.r.squared)), "\n")
cat(sprintf("r1 %.6f rs %.6f\n", autocor, rho))
cat(sprintf("light wind %.5f, weekend %.5f, workdays %.5f\n", low.wind, ends, workdays))
