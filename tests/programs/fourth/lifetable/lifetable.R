deaths <- read.csv("deaths.csv")
long <- rbind(
  data.frame(region = "north", age = deaths$age, n = deaths$width, N = deaths$pop_north, D = deaths$deaths_north),
  data.frame(region = "south", age = deaths$age, n = deaths$width, N = deaths$pop_south, D = deaths$deaths_south)
)
long$rate <- long$D / long$N

build <- function(tab) {
  k <- nrow(tab)
  frac <- c(0.1, rep(0.5, k - 1))
  tab$q <- with(tab, n * rate / (1 + (1 - frac) * n * rate))
  tab$q[k] <- 1
  tab$l <- 1e5 * c(1, cumprod(1 - tab$q[-k]))
  tab$d <- -diff(c(tab$l, 0))
  tab$L <- tab$n * (tab$l - tab$d) + frac * tab$n * tab$d
  tab$L[k] <- tab$l[k] / tab$rate[k]
  tab$T <- rev(cumsum(rev(tab$L)))
  tab$e <- tab$T / tab$l
  tab
}

north <- build(long[long$region == "north", ])
south <- build(long[long$region == "south", ])

med_n <- approx(north$l, north$age, xout = 50000)$y
med_s <- approx(south$l, south$age, xout = 50000)$y
diff_e <- south$e - north$e

sums <- aggregate(cbind(D, N) ~ region, data = long, FUN = sum)
cdr <- sums$D / sums$N * 1000

w <- deaths$standard / sum(deaths$standard)
dsr <- tapply(long$rate * rep(w, 2), long$region, sum) * 1000
rel <- dsr[["south"]] / dsr[["north"]]

E <- sum(south$N * north$rate)
O <- sum(south$D)
SMR <- O / E
ci <- SMR * exp(c(-1, 1) * 1.96 / sqrt(O))

p15_65 <- north$l[north$age == 65] / north$l[north$age == 15]
early <- 1 - p15_65

out <- function(...) cat(..., "\n")
out("e0", format(c(north$e[1], south$e[1]), digits = 12))
out("ex", format(north$e, digits = 12))
out("median", format(c(med_n, med_s), digits = 12))
out("gap", format(diff_e, digits = 12))
out("crude", format(cdr, digits = 12))
out("asr", format(c(dsr, rel), digits = 12))
out("smr", format(c(E, SMR, ci), digits = 12))
out("premature", format(early, digits = 12))
