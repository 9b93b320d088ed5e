# Inequality and poverty of 40 households (a survey with weights)
hh <- read.csv("households.csv", stringsAsFactors = FALSE)
n <- nrow(hh)

equiv <- rep(0, n)
for (i in 1:n) {
  equiv[i] <- 1 + 0.5 * (hh$adults[i] - 1) + 0.3 * hh$children[i]
}
eq_income <- hh$income / equiv
persons <- hh$adults + hh$children
w <- hh$weight * persons

weighted_median <- function(x, w) {
  o <- order(x)
  x <- x[o]
  w <- w[o]
  acc <- 0
  for (i in seq_along(x)) {
    acc <- acc + w[i]
    if (acc >= sum(w) / 2) {
      return(x[i])
    }
  }
}

average <- weighted.mean(eq_income, w)
med <- weighted_median(eq_income, w)
line <- 0.6 * med

# Lorenz curve and Gini by trapezoids
o <- order(eq_income)
y <- eq_income[o]
wt <- w[o]
p <- 0
L <- 0
area <- 0
lorenz_p <- 0
lorenz_l <- 0
for (i in 1:n) {
  p_new <- p + wt[i] / sum(wt)
  L_new <- L + wt[i] * y[i] / sum(wt * y)
  area <- area + (p_new - p) * (L + L_new) / 2
  p <- p_new
  L <- L_new
  lorenz_p <- c(lorenz_p, p)
  lorenz_l <- c(lorenz_l, L)
}
gini <- 1 - 2 * area

share_below <- function(q) {
  k <- max(which(lorenz_p <= q))
  slope <- (lorenz_l[k + 1] - lorenz_l[k]) / (lorenz_p[k + 1] - lorenz_p[k])
  lorenz_l[k] + slope * (q - lorenz_p[k])
}
bottom40 <- share_below(0.4)
top10 <- 1 - share_below(0.9)
palma <- top10 / bottom40

# poverty: head count, gap, severity
fgt <- c(0, 0, 0)
for (i in 1:n) {
  if (eq_income[i] < line) {
    gap <- (line - eq_income[i]) / line
    for (a in 0:2) {
      fgt[a + 1] <- fgt[a + 1] + w[i] * gap^a
    }
  }
}
fgt <- fgt / sum(w)

# Theil, between and within the regions
positive <- eq_income > 0
theil <- 0
for (i in which(positive)) {
  r <- eq_income[i] / average
  theil <- theil + w[i] * r * log(r)
}
theil <- theil / sum(w)
between <- 0
regions <- sort(unique(hh$region))
region_mean <- numeric(length(regions))
for (g in seq_along(regions)) {
  rows <- hh$region == regions[g]
  region_mean[g] <- sum(w[rows] * eq_income[rows]) / sum(w[rows])
  s <- sum(w[rows]) / sum(w)
  between <- between + s * region_mean[g] / average * log(region_mean[g] / average)
}
within <- theil - between

cat("mean", format(c(average, med, line), digits = 12), "\n")
cat("gini", format(c(gini, bottom40, top10, palma), digits = 12), "\n")
cat("poverty", format(fgt, digits = 12), "\n")
cat("theil", format(c(theil, between, within), digits = 12), "\n")
cat("regions", format(region_mean, digits = 12), "\n")
