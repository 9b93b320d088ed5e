# The same after the rewrite: long table first, then ratings by Reduce
file_arg <- grep("^--file=", commandArgs(FALSE), value = TRUE)
base <- if (length(file_arg)) dirname(sub("^--file=", "", file_arg)) else "."
res <- read.csv(file.path(base, "results.csv"), stringsAsFactors = FALSE)

long <- rbind(
  data.frame(team = res$home, gf = res$hg, ga = res$ag),
  data.frame(team = res$away, gf = res$ag, ga = res$hg)
)
long$pts <- ifelse(long$gf > long$ga, 3, ifelse(long$gf == long$ga, 1, 0))
long$won <- as.integer(long$gf > long$ga)
standing <- aggregate(cbind(pts, gf, ga, won) ~ team, data = long, FUN = sum)
standing$gd <- standing$gf - standing$ga
ranking <- standing[order(standing$pts, standing$gd, standing$gf, decreasing = TRUE), ]

clubs <- standing$team
outcome <- (sign(res$hg - res$ag) + 1) / 2
weight <- 24 * (1 + log1p(abs(res$hg - res$ag)))

expectation <- function(r, i) {
  gap <- r[res$home[i]] + 60 - r[res$away[i]]
  unname(1 / (1 + 10^(-gap / 400)))
}

play <- function(r, i) {
  move <- weight[i] * (outcome[i] - expectation(r, i))
  r[res$home[i]] <- r[res$home[i]] + move
  r[res$away[i]] <- r[res$away[i]] - move
  r
}

start <- setNames(rep(1500, length(clubs)), clubs)
states <- Reduce(play, seq_len(nrow(res)), start, accumulate = TRUE)
ratings <- states[[length(states)]]
hist <- do.call(rbind, states[-1])
wobble <- sqrt(colSums(scale(hist, scale = FALSE)^2) / (nrow(hist) - 1))
before <- states[-length(states)]
unexpected <- sapply(seq_along(before), function(i) abs(outcome[i] - expectation(before[[i]], i)))
upset <- which(unexpected == max(unexpected))
share_home <- sum(outcome == 1) / nrow(res)

cat("table", ranking$team, ranking$pts, ranking$gd, ranking$won, "\n")
cat("elo", ratings, "\n")
cat("volatility", wobble, "\n")
cat("shock", upset, unexpected[upset], "\n")
cat("home", share_home, "\n")
