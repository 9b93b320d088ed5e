# Natural cubic spline through tide gauge readings
tide <- read.csv("tide.csv")
t <- tide$hour
h <- tide$level
n <- length(t)

# second derivatives at the knots from the full linear system
step <- diff(t)
A <- diag(n)
rhs <- numeric(n)
for (i in 2:(n - 1)) {
  A[i, i - 1] <- step[i - 1]
  A[i, i] <- 2 * (step[i - 1] + step[i])
  A[i, i + 1] <- step[i]
  rhs[i] <- 6 * ((h[i + 1] - h[i]) / step[i] - (h[i] - h[i - 1]) / step[i - 1])
}
M <- solve(A, rhs)

spline_at <- function(x) {
  i <- findInterval(x, t, rightmost.closed = TRUE)
  a <- (t[i + 1] - x) / step[i]
  b <- 1 - a
  a * h[i] + b * h[i + 1] + ((a^3 - a) * M[i] + (b^3 - b) * M[i + 1]) * step[i]^2 / 6
}

slope_at <- function(x) {
  i <- findInterval(x, t, rightmost.closed = TRUE)
  a <- (t[i + 1] - x) / step[i]
  b <- 1 - a
  (h[i + 1] - h[i]) / step[i] + step[i] / 6 * ((3 * b^2 - 1) * M[i + 1] - (3 * a^2 - 1) * M[i])
}

grid <- seq(t[1], t[n], by = 0.25)
level <- spline_at(grid)
speed <- slope_at(grid)

# high water between 2 and 5 hours: bisection on the slope
lo <- 2
hi <- 5
while (hi - lo > 1e-13) {
  mid <- (lo + hi) / 2
  if (slope_at(mid) > 0) lo <- mid else hi <- mid
}
highTime <- (lo + hi) / 2
highLevel <- spline_at(highTime)

area <- sum(step * (head(h, -1) + tail(h, -1)) / 2 - step^3 / 24 * (head(M, -1) + tail(M, -1)))
meanLevel <- area / (t[n] - t[1])
tidalRange <- max(level) - min(level)
above <- mean(level > 3)
bending <- sum(step / 3 * (M[-n]^2 + M[-n] * M[-1] + M[-1]^2))

cat("curvature", round(M, 8), "\n")
cat("at 7.5 h", sprintf("%.10f", spline_at(7.5)), "slope", sprintf("%.10f", slope_at(7.5)), "\n")
cat("high water", sprintf("%.8f h %.10f m", highTime, highLevel), "\n")
cat("mean", sprintf("%.10f", meanLevel), "range", sprintf("%.10f", tidalRange), "\n")
cat("above 3 m", round(above, 6), "steepest", sprintf("%.10f", max(abs(speed))), "\n")
cat("bending", sprintf("%.10f", bending), "\n")
