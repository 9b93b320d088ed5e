# Which items carry the shop, and when to order again
args <- commandArgs(FALSE)
script <- sub("^--file=", "", args[grep("^--file=", args)])
folder <- if (length(script)) dirname(script) else "."
d <- read.csv(file.path(folder, "sales.csv"), stringsAsFactors = FALSE)

service_z <- 1.645
lead <- 2
fixed <- 4
hold <- 0.02

turnover <- d$units * d$price
profit <- turnover - d$units * d$cost

items <- unique(d$item)
total <- numeric(0)
demand <- numeric(0)
spread <- numeric(0)
unit_cost <- numeric(0)
for (it in items) {
  rows <- which(d$item == it)
  total[it] <- sum(turnover[rows])
  demand[it] <- mean(d$units[rows])
  spread[it] <- sd(d$units[rows])
  unit_cost[it] <- d$cost[rows[length(rows)]]
}
ord <- order(-total)
total <- total[ord]
demand <- demand[ord]
spread <- spread[ord]
unit_cost <- unit_cost[ord]

part <- total / sum(total)
cum_part <- cumsum(part)
class <- ifelse(cum_part <= 0.5, "A", ifelse(cum_part <= 0.85, "B", "C"))

buffer <- service_z * sqrt(lead) * spread
point <- lead * demand + buffer
eoq <- sqrt(2 * demand * fixed / (hold * unit_cost))

profit_group <- tapply(profit, d$group, sum)
rate <- profit_group / tapply(turnover, d$group, sum)
per_week <- tapply(turnover, d$week, sum)
change <- per_week[[length(per_week)]] / per_week[[1]] - 1

cat("items", names(total), "\n")
cat("running", round(unname(cum_part), 6), "\n")
cat("abc", paste(class, collapse = ""), "\n")
cat("reorder", round(unname(point), 6), "\n")
cat("lot", round(unname(eoq), 6), "\n")
cat("group rate", round(rate, 6), "\n")
cat("growth", round(change, 6), "\n")
