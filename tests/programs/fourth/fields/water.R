# soil water of Hof and Aue, spring 2023
w <- read.csv("weather.csv", stringsAsFactors = FALSE)
w$date <- as.Date(w$date)
fieldCap <- 40
Tbase <- 10
Tmax <- 30

latitude <- c(Hof = 50.3, Aue = 47.6)
kc <- c(Hof = 0.9, Aue = 1.05)

Ra <- function(phi, J) {
  d <- 0.409 * sin(2 * pi * J / 365 - 1.39)
  ws <- acos(-tan(phi) * tan(d))
  sun <- 1 + 0.033 * cos(2 * pi * J / 365)
  24 * 60 / pi * 0.082 * sun * (ws * sin(phi) * sin(d) + cos(phi) * cos(d) * sin(ws))
}

one_station <- function(id) {
  s <- w[w$station == id, ]
  s <- s[order(s$date), ]
  J <- as.POSIXlt(s$date)$yday + 1
  phi <- latitude[[id]] * pi / 180
  s$rad <- Ra(phi, J)
  tm <- rowMeans(s[, c("tmin", "tmax")])
  s$pet <- 0.0023 * (s$rad * 0.408) * (tm + 17.8) * (s$tmax - s$tmin)^0.5
  s$use <- kc[[id]] * s$pet
  s$dd <- (pmin(pmax(s$tmax, Tbase), Tmax) + pmin(pmax(s$tmin, Tbase), Tmax)) / 2 - Tbase
  s$wk <- (seq_len(nrow(s)) - 1) %/% 7
  s
}

stations <- sort(unique(w$station))
days <- lapply(stations, one_station)
names(days) <- stations

total_rain <- sapply(days, function(s) sum(s$rain))
total_use <- sapply(days, function(s) sum(s$use))
total_dd <- sapply(days, function(s) sum(s$dd))
per_week <- sapply(days, function(s) tapply(s$pet, s$wk, mean))

final <- c()
driest <- c()
lost <- c()
stress <- c()
spell <- c()
for (id in stations) {
  s <- days[[id]]
  W <- numeric(nrow(s) + 1)
  W[1] <- 0.6 * fieldCap
  over <- 0
  under <- 0
  for (t in seq_len(nrow(s))) {
    raw <- W[t] + s$rain[t] - s$use[t]
    over <- over + max(0, raw - fieldCap)
    under <- under + max(0, -raw)
    W[t + 1] <- min(max(raw, 0), fieldCap)
  }
  final[id] <- W[nrow(s) + 1]
  driest[id] <- min(W[-1])
  lost[id] <- over
  stress[id] <- under
  r <- rle(s$rain < 1)
  spell[id] <- max(r$lengths[r$values])
}

show <- function(what, x) cat(what, format(round(x, 6), digits = 12), "\n")
show("rain", total_rain)
show("etc", total_use)
show("gdd", total_dd)
show("weekly", per_week)
show("end", final)
show("lowest", driest)
show("drained", lost)
show("short", stress)
cat("dry", spell, "\n")
