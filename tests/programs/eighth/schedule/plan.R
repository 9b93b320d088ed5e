# Project plan; rewritten with an adjacency matrix and functions

read.plan <- function(file) {
  plan <- read.csv(file, stringsAsFactors = FALSE, row.names = "task")
  follows <- sapply(rownames(plan), function(t) grepl(t, plan$after, fixed = TRUE))
  rownames(follows) <- rownames(plan)
  list(tasks = plan, follows = follows)  # follows[x, y]: x comes after y
}

beta.moments <- function(tasks) {
  spread <- with(tasks, (high - low) / 6)
  data.frame(mean = with(tasks, low / 6 + 2 * likely / 3 + high / 6), var = spread^2, row.names = rownames(tasks))
}

earliest <- function(duration, follows) {
  finish <- duration
  repeat {
    start <- apply(follows, 1, function(is.pred) max(0, finish[is.pred]))
    updated <- start + duration
    if (identical(updated, finish)) break
    finish <- updated
  }
  cbind(start = start, finish = finish)
}

# time backwards: the same network with its arrows turned round
latest <- function(duration, follows, horizon) {
  back <- earliest(duration, t(follows))
  cbind(start = horizon - back[, "finish"], finish = horizon - back[, "start"])
}

span <- function(duration, follows) max(earliest(duration, follows)[, "finish"])

compress <- function(tasks, follows, rounds) {
  duration <- setNames(tasks$likely, rownames(tasks))
  price <- setNames((tasks$crash_cost - tasks$cost) / (tasks$likely - tasks$crash_time), rownames(tasks))
  log <- character()
  for (r in seq_len(rounds)) {
    possible <- names(duration)[duration > tasks$crash_time]
    gain <- vapply(possible, function(t) {
      shorter <- replace(duration, t, duration[[t]] - 1)
      span(duration, follows) - span(shorter, follows)
    }, numeric(1))
    helpful <- possible[gain > 0]
    if (!length(helpful)) break
    pick <- helpful[which.min(price[helpful])]
    duration[pick] <- duration[[pick]] - 1
    log <- c(log, pick)
  }
  list(duration = duration, log = log, spent = sum(price[log]))
}

net <- read.plan("activities.csv")
tasks <- net$tasks
times <- beta.moments(tasks)
d <- setNames(times$mean, rownames(times))
early <- earliest(d, net$follows)
total <- max(early[, "finish"])
late <- latest(d, net$follows, total)
float <- late[, "start"] - early[, "start"]
on.path <- names(float)[abs(float) < 1e-9]
succ.start <- apply(net$follows, 2, function(s) min(total, early[s, "start"]))
free.float <- succ.start - early[, "finish"]

sigma <- sqrt(sum(times[on.path, "var"]))
chance <- pnorm(30, mean = total, sd = sigma)
upper <- qnorm(0.95, total, sigma)

edges <- 0:ceiling(total)
work <- sapply(edges, function(x) pmin(pmax(x - early[, "start"], 0), d))
crews <- as.vector(tasks$crew %*% t(diff(t(work))))

crashed <- compress(tasks, net$follows, 4)

progress <- pmin(pmax((14 - early[, "start"]) / d, 0), 1)
pv <- sum(progress * tasks$cost)
ev <- sum(tasks$done * tasks$cost)
ac <- sum(tasks$spent)
indices <- c(CPI = ev / ac, SPI = ev / pv)
forecast <- ac + (sum(tasks$cost) - ev) / prod(indices)

out <- cbind(early, late, float, free.float)
for (t in rownames(out)) cat(t, round(unname(out[t, ]), 5), "\n")
cat(sprintf("end %.5f variance %.6f chance %.6f 95%% %.5f\n", total, sigma^2, chance, upper))
cat("critical", on.path, "\n")
cat(sprintf("crews %.5f on day %d mean %.5f\n", max(crews), which.max(crews), mean(crews)))
cat("crash", crashed$log, "durations", crashed$duration, "to", span(crashed$duration, net$follows), "for", sprintf("%.4f", crashed$spent), "\n")
cat(sprintf("planned %.3f earned %g CPI %.6f SPI %.6f EAC %.3f\n", pv, ev, indices["CPI"], indices["SPI"], forecast))
