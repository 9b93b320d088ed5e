trees <- read.csv("trees.csv")
strata <- read.csv("strata.csv")
expansion <- 25   # plots of 400 square metres

# heights that were not measured
missing <- is.na(trees$height)
d <- trees$dbh
curve <- 1.3 + d^2 / (1.6 + 0.19 * d)^2
trees$height[missing] <- curve[missing]

coefs <- rbind(
  beech = c(3.91e-5, 1.93, 1.02),
  pine = c(6.02e-5, 1.83, 0.96),
  spruce = c(5.28e-5, 1.78, 1.08)
)
k <- coefs[as.character(trees$species), ]
trees$g <- pi / 40000 * d^2
trees$v <- exp(log(k[, 1]) + k[, 2] * log(d) + k[, 3] * log(trees$height))

# per plot
G <- tapply(trees$g, trees$plot, sum) * expansion
V <- tapply(trees$v, trees$plot, sum) * expansion
stems <- table(trees$plot)
dq <- sqrt(G / (stems * expansion) * 40000 / pi)
top.height <- function(df, stems.per.ha = 100) {
  n <- stems.per.ha / expansion
  df <- df[order(df$dbh, decreasing = TRUE), ]
  mean(df$height[1:n])
}
parts <- split(trees, trees$plot)
hL <- sapply(parts, function(df) weighted.mean(df$height, df$g))
hdom <- sapply(parts, top.height)

# strata
where <- tapply(as.character(trees$stratum), trees$plot, function(x) x[1])
strata$n <- as.vector(table(where)[as.character(strata$stratum)])
strata$mean <- as.vector(tapply(V, where, mean)[as.character(strata$stratum)])
strata$var <- as.vector(tapply(V, where, var)[as.character(strata$stratum)])
W <- strata$hectares / sum(strata$hectares)
N <- strata$hectares * expansion
stock <- sum(W * strata$mean)
se <- sqrt(sum(W^2 * (N - strata$n) / N * strata$var / strata$n))

# inequality among the stems
g <- sort(trees$g)
lorenz <- c(0, cumsum(g)) / sum(g)
area <- sum(lorenz[-1] + lorenz[-length(lorenz)]) / (2 * length(g))
gini <- 1 - 2 * area

print(cbind(G = G, V = V, dq = dq, hL = hL, hdom = hdom), digits = 9)
print(strata, digits = 9)
cat("stock", format(stock, nsmall = 5, digits = 10), "se", format(se, digits = 9), "\n")
cat("total m3", format(stock * sum(strata$hectares), digits = 10), "\n")
cat("gini", format(gini, digits = 8), "\n")
