pl <- read.csv("players.csv", stringsAsFactors = FALSE)
gm <- read.csv("games.csv", stringsAsFactors = FALSE)
n <- nrow(pl)
R <- setNames(pl$rating, pl$name)
played <- setNames(pl$games, pl$name)

win.prob <- function(Ra, Rb, edge = 35) {
  qa <- 10^((Ra + edge) / 400)
  qb <- 10^(Rb / 400)
  qa / (qa + qb)
}
kfactor <- function(r, g) ifelse(g < 30, 40, ifelse(r < 2400, 20, 10))

# cross table: X[i, j] is what i scored against j
X <- matrix(NA, n, n, dimnames = list(pl$name, pl$name))
E <- numeric(nrow(gm))
S <- c("1-0" = 1, "1/2" = 0.5, "0-1" = 0)[gm$result]
for (r in sort(unique(gm$round))) {
  now <- which(gm$round == r)
  w <- gm$white[now]
  b <- gm$black[now]
  E[now] <- win.prob(R[w], R[b])
  surplus <- S[now] - E[now]
  K <- kfactor(R, played)
  names(K) <- pl$name
  X[cbind(w, b)] <- S[now]
  X[cbind(b, w)] <- 1 - S[now]
  R[w] <- R[w] + K[w] * surplus
  R[b] <- R[b] - K[b] * surplus
  played[c(w, b)] <- played[c(w, b)] + 1
}

brier <- mean((S - E)^2)
logloss <- -mean(S * log(E) + (1 - S) * log(1 - E))

score <- rowSums(X, na.rm = TRUE)
scores.met <- ifelse(is.na(X), NA, matrix(score, n, n, byrow = TRUE))
cut1 <- apply(scores.met, 1, function(v) sum(v, na.rm = TRUE) - min(v, na.rm = TRUE))
SB <- rowSums(X * scores.met, na.rm = TRUE)
met <- !is.na(X)
Rc <- as.vector(met %*% pl$rating) / rowSums(met)
frac <- pmin(pmax(score / rowSums(met), 0.01), 0.99)
TPR <- Rc - 400 * log10(1 / frac - 1)
gain <- R - pl$rating

final <- data.frame(score, R, gain, cut1, SB, TPR)
final <- final[order(-final$score, -final$SB, rownames(final)), ]
for (who in rownames(final)) {
  f <- final[who, ]
  cat(sprintf("%-7s %4.1f  %10.5f (%+.5f)  %5.1f %6.2f  %10.5f\n", who, f$score, f$R, f$gain, f$cut1, f$SB, f$TPR))
}
cat(sprintf("Brier score %.8f\nlog loss %.8f\n", brier, logloss))
cat(sprintf("sd of the ratings %.6f\n", sd(R)))
cat(sprintf("rank correlation old and new %.6f\n", cor(rank(pl$rating), rank(R))))
