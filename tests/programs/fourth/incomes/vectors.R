h <- read.csv("households.csv", stringsAsFactors = FALSE)

h <- transform(h, size = adults + children, scale = 0.5 + 0.5 * adults + 0.3 * children)
h <- transform(h, x = income / scale, people = weight * size)
h <- h[order(h$x), ]
total_people <- sum(h$people)
f <- h$people / total_people
cf <- cumsum(f)

mu <- sum(f * h$x)
m50 <- h$x[which(cf >= 0.5)[1]]
threshold <- m50 * 0.6

# Gini from the covariance with the mid rank
rank_mid <- cf - f / 2
G <- 2 * sum(f * (h$x - mu) * rank_mid) / mu

pp <- c(0, cf)
ll <- c(0, cumsum(f * h$x) / mu)
S <- approxfun(pp, ll)
poorest <- S(0.4)
richest <- 1 - S(0.9)
ratio <- richest / poorest

short <- pmax(0, 1 - h$x / threshold)
headcount <- sum(f * (h$x < threshold))
depth <- sum(f * short)
severity <- sum(f * short^2)

rel <- h$x / mu
T_all <- sum(f * ifelse(rel > 0, rel * log(rel), 0))

by_region <- sapply(split(data.frame(f = f, x = h$x), h$region), function(d) {
  c(part = sum(d$f), mean = weighted.mean(d$x, d$f))
})
e <- by_region["mean", ] / mu
T_between <- sum(by_region["part", ] * e * log(e))
T_within <- T_all - T_between

report <- list(
  mean = c(mu, m50, threshold),
  gini = c(G, poorest, richest, ratio),
  poverty = c(headcount, depth, severity),
  theil = c(T_all, T_between, T_within),
  regions = unname(by_region["mean", ])
)
for (what in names(report)) {
  cat(what, format(report[[what]], digits = 12), "\n")
}
