# fill volumes -> control charts, capability
nsamp <- 24
nper <- 5
target <- 500
spec <- c(lower = 492, upper = 508)
const <- list(A2 = 0.577, D3 = 0, D4 = 2.114, d2 = 2.326)

bottle <- expand.grid(pos = 0:(nper - 1), sample = 0:(nsamp - 1))
bottle$ml <- with(bottle, round(500.4 + 2.1 * sin(1.3 * sample * (pos + 1) + pos) +
  1.4 * cos(0.8 * sample^2 + 2 * pos) + 0.12 * pmax(0, sample - 14), 2))

stat <- aggregate(ml ~ sample, bottle, function(v) c(mean(v), max(v) - min(v)))
avg <- stat$ml[, 1]
R <- stat$ml[, 2]
CL <- mean(bottle$ml)
Rm <- mean(R)
UCL <- CL + const$A2 * Rm
LCL <- CL - const$A2 * Rm

s_st <- Rm / const$d2
s_lt <- sd(bottle$ml)
width <- spec[["upper"]] - spec[["lower"]]
Cp <- width / 6 / s_st
Cpu <- (spec[["upper"]] - CL) / (3 * s_st)
Cpl <- (CL - spec[["lower"]]) / (3 * s_st)
Cpk <- min(Cpu, Cpl)
Pp <- width / 6 / s_lt
Cpm <- Pp / sqrt(1 + ((CL - target) / s_lt)^2)

lambda <- 0.2
se_mean <- s_st / sqrt(nper)
z <- Reduce(function(prev, x) prev + lambda * (x - prev), avg, accumulate = TRUE, target)[-1]
k <- seq_len(nsamp)
bound <- 2.7 * se_mean * sqrt(lambda / (2 - lambda) * (1 - (1 - lambda)^(2 * k)))
out <- which(z > target + bound | z < target - bound)

cusum <- function(x, ref, allow) {
  Cplus <- numeric(length(x) + 1)
  Cminus <- numeric(length(x) + 1)
  for (i in seq_along(x)) {
    Cplus[i + 1] <- max(0, Cplus[i] + x[i] - ref - allow)
    Cminus[i + 1] <- max(0, Cminus[i] - x[i] + ref - allow)
  }
  data.frame(plus = Cplus[-1], minus = Cminus[-1])
}
cs <- cusum(avg, target, se_mean / 2)
h <- 5 * se_mean
when <- which(cs$plus > h)[1]

single <- bottle$ml[bottle$pos == 0]
MR <- abs(single[-1] - single[-nsamp])
s_mr <- mean(MR) / 1.128

runs <- rle(avg > CL)
long <- max(runs$lengths)

cat("centre", format(c(CL, Rm, LCL, UCL, const$D3 * Rm, const$D4 * Rm), digits = 12), "\n")
cat("capability", format(c(Cp, Cpk, Pp, Cpm), digits = 12), "\n")
cat("ewma", format(c(z[c(1, 6, 12, 24)], bound[c(1, 6, 24)]), digits = 12), "\n")
cat("alarms", length(out), out[1], "\n")
cat("cusum", format(c(cs$plus[nsamp], max(cs$minus), when), digits = 12), "\n")
cat("individuals", format(s_mr, digits = 12), "\n")
cat("run", long, "\n")
