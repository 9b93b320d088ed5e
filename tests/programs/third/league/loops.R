# League table and Elo ratings, game by game
args <- commandArgs(FALSE)
script <- sub("^--file=", "", args[grep("^--file=", args)])
folder <- if (length(script)) dirname(script) else "."
games <- read.csv(file.path(folder, "results.csv"), stringsAsFactors = FALSE)
teams <- sort(unique(c(games$home, games$away)))

points <- setNames(rep(0, length(teams)), teams)
scored <- points
conceded <- points
wins <- points
elo <- setNames(rep(1500, length(teams)), teams)
K <- 24
advantage <- 60
surprise <- numeric(0)
trace <- matrix(NA, nrow(games), length(teams), dimnames = list(NULL, teams))

for (i in seq_len(nrow(games))) {
  h <- games$home[i]
  a <- games$away[i]
  diff <- games$hg[i] - games$ag[i]
  scored[h] <- scored[h] + games$hg[i]
  scored[a] <- scored[a] + games$ag[i]
  conceded[h] <- conceded[h] + games$ag[i]
  conceded[a] <- conceded[a] + games$hg[i]
  if (diff > 0) {
    points[h] <- points[h] + 3
    wins[h] <- wins[h] + 1
    result <- 1
  } else if (diff < 0) {
    points[a] <- points[a] + 3
    wins[a] <- wins[a] + 1
    result <- 0
  } else {
    points[h] <- points[h] + 1
    points[a] <- points[a] + 1
    result <- 0.5
  }
  expected <- 1 / (1 + 10^((elo[[a]] - elo[[h]] - advantage) / 400))
  margin <- log(1 + abs(diff)) + 1
  change <- K * margin * (result - expected)
  elo[h] <- elo[h] + change
  elo[a] <- elo[a] - change
  surprise[i] <- abs(result - expected)
  trace[i, ] <- elo
}

balance <- scored - conceded
place <- order(-points, -balance, -scored)
table <- data.frame(team = teams, points, balance, wins)[place, ]
volatility <- apply(trace, 2, sd)
shock <- which.max(surprise)
home_rate <- mean(games$hg > games$ag)

cat("table", table$team, table$points, table$balance, table$wins, "\n")
cat("elo", elo, "\n")
cat("volatility", volatility, "\n")
cat("shock", shock, surprise[shock], "\n")
cat("home", home_rate, "\n")
