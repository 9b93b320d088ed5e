## calibration of 14C dates (no package needed)
cc <- read.csv("curve.csv")
cc <- cc[order(cc$calbp), ]
yr <- seq(2000, 3000, by = 5)
by <- 5
cc.mu <- approx(cc$calbp, cc$c14, yr)$y
cc.er <- approx(cc$calbp, cc$sigma, yr)$y

caldist <- function(y, er) {
  d <- dnorm(cc.mu, y, sqrt(er^2 + cc.er^2))
  data.frame(yr = yr, prob = d / sum(d))
}

hdr <- function(dist, prob = 0.954) {
  o <- dist[order(dist$prob, decreasing = TRUE), ]
  o$cum <- cumsum(o$prob)
  keep <- o$yr[seq_len(which(o$cum >= prob)[1])]
  k <- sort(keep)
  brk <- which(diff(k) > by)
  cbind(from = k[c(1, brk + 1)], to = k[c(brk, length(k))])
}

med <- function(dist, p = 0.5) approx(cumsum(dist$prob), dist$yr, p, ties = "ordered")$y

dets <- read.csv("dates.csv", stringsAsFactors = FALSE)
dists <- Map(caldist, dets$age, dets$error)
names(dists) <- dets$lab
m <- sapply(dists, function(x) weighted.mean(x$yr, x$prob))
md <- sapply(dists, med)
s <- sqrt(sapply(dists, function(x) sum(x$yr^2 * x$prob)) - m^2)
hdrs <- lapply(dists, hdr)
width <- sapply(hdrs, function(h) sum(h[, "to"] - h[, "from"] + by))

probs <- sapply(dists, function(x) x$prob)
total <- rowMeans(probs) / by
run <- rep(1 / 11, 11)
sm <- as.vector(stats::filter(total, run))
top <- which.max(sm)

## pooled means, Ward and Wilson
pool <- function(g) {
  w <- g$error^-2
  A <- weighted.mean(g$age, w)
  Tstat <- sum((g$age - A)^2 / g$error^2)
  se <- 1 / sqrt(sum(w))
  list(A = A, T = Tstat, dist = caldist(A, se))
}
ev <- lapply(split(dets, dets$context), pool)
ev.med <- sapply(ev, function(e) med(e$dist))

joint <- outer(ev$hearth$dist$prob, ev$pit$dist$prob)
hearth.first <- sum(joint[lower.tri(joint)]) + sum(diag(joint)) / 2

for (n in dets$lab)
  cat(n, sprintf("%.6f %.6f %.6f", m[n], md[n], s[n]), t(hdrs[[n]]), "\n")
cat("widths", width, "\n")
cat("peak of the sum", yr[top], sprintf("%.10f\n", sm[top]))
for (n in names(ev)) cat(n, sprintf("%.6f chi2 %.6f median %.6f\n", ev[[n]]$A, ev[[n]]$T, ev.med[n]))
cat(sprintf("hearth before pit: %.10f\n", hearth.first))
