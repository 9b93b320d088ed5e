# project plan: PERT times, critical path, crew per day, crashing, earned value
p <- read.csv("activities.csv", stringsAsFactors = FALSE)
n <- nrow(p)

# expected time and variance
te <- c()
v <- c()
for (i in 1:n) {
  te[i] <- (p$low[i] + 4 * p$likely[i] + p$high[i]) / 6
  v[i] <- ((p$high[i] - p$low[i]) / 6)^2
}

pred <- list()
for (i in 1:n) {
  if (p$after[i] == "") {
    pred[[i]] <- integer(0)
  } else {
    pred[[i]] <- match(strsplit(p$after[i], " ")[[1]], p$task)
  }
}

# forward, backward
es <- rep(0, n)
ef <- rep(0, n)
for (i in 1:n) {
  for (j in pred[[i]]) {
    if (ef[j] > es[i]) es[i] <- ef[j]
  }
  ef[i] <- es[i] + te[i]
}
end <- max(ef)
lf <- rep(end, n)
ls <- rep(0, n)
for (i in n:1) {
  for (k in 1:n) {
    if (i %in% pred[[k]]) {
      if (ls[k] < lf[i]) lf[i] <- ls[k]
    }
  }
  ls[i] <- lf[i] - te[i]
}
slack <- ls - es
critical <- slack < 1e-9

free <- rep(0, n)
for (i in 1:n) {
  next.start <- end
  for (k in 1:n) {
    if (i %in% pred[[k]] && es[k] < next.start) next.start <- es[k]
  }
  free[i] <- next.start - ef[i]
}

var.path <- 0
for (i in 1:n) if (critical[i]) var.path <- var.path + v[i]
deadline <- 30
prob <- pnorm((deadline - end) / sqrt(var.path))
safe <- end + qnorm(0.95) * sqrt(var.path)

# crews on every day, all as early as they can
days <- ceiling(end)
load <- rep(0, days)
for (d in 1:days) {
  for (i in 1:n) {
    if (es[i] < d && ef[i] > d - 1) {
      part <- min(ef[i], d) - max(es[i], d - 1)
      load[d] <- load[d] + part * p$crew[i]
    }
  }
}

# shorten by days, always the cheapest critical one
dur <- p$likely
slope <- (p$crash_cost - p$cost) / (p$likely - p$crash_time)
finish <- function(dur) {
  f <- rep(0, n)
  for (i in 1:n) {
    s <- 0
    for (j in pred[[i]]) s <- max(s, f[j])
    f[i] <- s + dur[i]
  }
  max(f)
}
extra <- 0
steps <- c()
for (round in 1:4) {
  now <- finish(dur)
  best <- 0
  for (i in 1:n) {
    if (dur[i] > p$crash_time[i]) {
      try.dur <- dur
      try.dur[i] <- dur[i] - 1
      if (finish(try.dur) < now) {
        if (best == 0 || slope[i] < slope[best]) best <- i
      }
    }
  }
  if (best == 0) break
  dur[best] <- dur[best] - 1
  extra <- extra + slope[best]
  steps <- c(steps, p$task[best])
}

# earned value on day 14
today <- 14
planned <- 0
earned <- 0
for (i in 1:n) {
  share <- (today - es[i]) / te[i]
  if (share > 1) share <- 1
  if (share < 0) share <- 0
  planned <- planned + share * p$cost[i]
  earned <- earned + p$done[i] * p$cost[i]
}
actual <- sum(p$spent)
cpi <- earned / actual
spi <- earned / planned
eac <- actual + (sum(p$cost) - earned) / (cpi * spi)

for (i in 1:n) cat(p$task[i], round(c(es[i], ef[i], ls[i], lf[i], slack[i], free[i]), 5), "\n")
cat("end", round(end, 5), "variance", round(var.path, 6), "chance", round(prob, 6), "95 %", round(safe, 5), "\n")
cat("critical", p$task[critical], "\n")
cat("crews", round(max(load), 5), "on day", which.max(load), "mean", round(mean(load), 5), "\n")
cat("crash", steps, "durations", dur, "to", finish(dur), "for", round(extra, 4), "\n")
cat("planned", round(planned, 3), "earned", earned, "CPI", round(cpi, 6), "SPI", round(spi, 6), "EAC", round(eac, 3), "\n")
