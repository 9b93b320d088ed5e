# Non-compartmental analysis and average bioequivalence, subject by subject
plasma <- read.csv("plasma.csv", stringsAsFactors = FALSE)
DOSE <- 500     # mg
LLOQ <- 0.25    # mg/L

auc.linlog <- function(t, c) {
  area <- 0
  for (i in 2:length(t)) {
    dt <- t[i] - t[i - 1]
    if (c[i] < c[i - 1] && c[i] > 0) {
      area <- area + dt * (c[i - 1] - c[i]) / log(c[i - 1] / c[i])
    } else {
      area <- area + dt * (c[i - 1] + c[i]) / 2
    }
  }
  area
}

aumc <- function(t, c) {
  m <- t * c
  s <- 0
  for (i in 2:length(t)) s <- s + (t[i] - t[i - 1]) * (m[i - 1] + m[i]) / 2
  s
}

# terminal slope: the number of points with the best adjusted r squared
terminal <- function(t, c) {
  peak <- which.max(c)
  best <- -1
  last <- length(t)
  for (n in 3:(last - peak)) {
    use <- (last - n + 1):last
    x <- t[use]
    y <- log(c[use])
    sxx <- sum((x - mean(x))^2)
    sxy <- sum((x - mean(x)) * (y - mean(y)))
    slope <- sxy / sxx
    r2 <- sxy^2 / (sxx * sum((y - mean(y))^2))
    adj <- 1 - (1 - r2) * (n - 1) / (n - 2)
    if (adj > best + 1e-4) {
      best <- adj
      lz <- -slope
      icpt <- mean(y) - slope * mean(x)
    }
  }
  c(lz = lz, icpt = icpt, adj = best)
}

results <- NULL
for (s in unique(plasma$subject)) {
  for (p in 1:2) {
    one <- plasma[plasma$subject == s & plasma$period == p, ]
    treat <- substr(one$sequence[1], p, p)
    ok <- one$time == 0 | one$conc >= LLOQ
    t <- one$time[ok]
    c <- one$conc[ok]
    end <- terminal(t, c)
    tlast <- t[length(t)]
    clast <- exp(end["icpt"] - end["lz"] * tlast)
    auct <- auc.linlog(t, c)
    aucinf <- auct + clast / end["lz"]
    aumcinf <- aumc(t, c) + tlast * clast / end["lz"] + clast / end["lz"]^2
    results <- rbind(results, data.frame(
      subject = s, period = p, treat = treat, cmax = max(c), tmax = t[which.max(c)],
      lz = end["lz"], half = log(2) / end["lz"], auct = auct, aucinf = aucinf,
      mrt = aumcinf / aucinf, cl = DOSE / aucinf, extra = 100 * (1 - auct / aucinf), row.names = NULL
    ))
  }
}
results$vz <- results$cl / results$lz

# crossover: periods within sequences
be <- function(what) {
  y <- log(results[[what]])
  ids <- unique(results$subject)
  d <- numeric(0)
  dir <- numeric(0)
  for (s in ids) {
    first <- y[results$subject == s & results$period == 1]
    second <- y[results$subject == s & results$period == 2]
    d <- c(d, (first - second) / 2)
    dir <- c(dir, ifelse(results$treat[results$subject == s & results$period == 1] == "T", 1, -1))
  }
  n1 <- sum(dir == 1)
  n2 <- sum(dir == -1)
  effect <- mean(d[dir == 1]) - mean(d[dir == -1])
  ss <- sum((d[dir == 1] - mean(d[dir == 1]))^2) + sum((d[dir == -1] - mean(d[dir == -1]))^2)
  mse <- 2 * ss / (n1 + n2 - 2)
  se <- sqrt(mse / 2 * (1 / n1 + 1 / n2))
  ci <- effect + c(-1, 1) * qt(0.95, n1 + n2 - 2) * se
  c(ratio = 100 * exp(effect), low = 100 * exp(ci[1]), high = 100 * exp(ci[2]), cv = 100 * sqrt(exp(mse) - 1))
}
be.auc <- be("aucinf")
be.cmax <- be("cmax")

for (k in 1:nrow(results)) {
  r <- results[k, ]
  cat(sprintf("%d %s cmax %.3f tmax %.1f half %.6f auc %.6f mrt %.6f vz %.5f extra %.5f\n",
              r$subject, r$treat, r$cmax, r$tmax, r$half, r$aucinf, r$mrt, r$vz, r$extra))
}
cat(sprintf("AUC %.6f (%.6f to %.6f), cv %.6f\n", be.auc[1], be.auc[2], be.auc[3], be.auc[4]))
cat(sprintf("Cmax %.6f (%.6f to %.6f), cv %.6f\n", be.cmax[1], be.cmax[2], be.cmax[3], be.cmax[4]))
