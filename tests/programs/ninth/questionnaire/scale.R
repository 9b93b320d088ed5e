dat <- read.csv("answers.csv", stringsAsFactors = TRUE)
dat <- na.omit(dat)
qs <- grep("^q[0-9]+$", names(dat), value = TRUE)
for (q in c("q4", "q7")) dat[[q]] <- 5 + 1 - dat[[q]]

cronbach <- function(df) {
  m <- length(df)
  item.var <- 0
  for (col in names(df)) item.var <- item.var + var(df[[col]])
  score <- Reduce(`+`, df)
  m / (m - 1) * (1 - item.var / var(score))
}

standardised <- function(df) {
  z <- as.data.frame(lapply(df, function(x) (x - mean(x)) / sd(x)))
  cronbach(z)
}

guttman2 <- function(df) {
  m <- length(df)
  c1 <- c2 <- 0
  for (i in 1:(m - 1)) {
    for (j in (i + 1):m) {
      cv <- cov(df[[i]], df[[j]])
      c1 <- c1 + 2 * cv
      c2 <- c2 + 2 * cv^2
    }
  }
  (c1 + sqrt(m / (m - 1) * c2)) / var(Reduce(`+`, df))
}

a <- cronbach(dat[qs])
a.z <- standardised(dat[qs])
item.table <- NULL
for (q in qs) {
  rest <- setdiff(qs, q)
  rest.score <- rowSums(dat[rest])
  item.table <- rbind(item.table, c(avg = mean(dat[[q]]), r = cor(dat[[q]], rest.score), a = cronbach(dat[rest])))
}
rownames(item.table) <- qs

l2 <- guttman2(dat[qs])
first <- qs[c(TRUE, FALSE)]
second <- qs[c(FALSE, TRUE)]
h1 <- rowSums(dat[first])
h2 <- rowSums(dat[second])
r12 <- cor(h1, h2)
sb <- 2 / (1 + 1 / r12)
dat$score <- rowSums(dat[qs])
error <- sqrt(var(dat$score) * (1 - a))

# long format for the analysis of variance
long <- data.frame(
  y = unlist(dat[qs], use.names = FALSE),
  person = factor(rep(dat$person, times = length(qs))),
  item = factor(rep(qs, each = nrow(dat)))
)
tab <- anova(lm(y ~ person + item, data = long))
MS <- setNames(tab[["Mean Sq"]], rownames(tab))
np <- nlevels(long$person)
ni <- nlevels(long$item)
icc21 <- (MS[["person"]] - MS[["Residuals"]]) /
  (MS[["person"]] + (ni - 1) * MS[["Residuals"]] + ni / np * (MS[["item"]] - MS[["Residuals"]]))

tt <- t.test(score ~ group, data = dat, var.equal = TRUE)
sizes <- table(dat$group)
cohen <- -tt$statistic[["t"]] * sqrt(sum(1 / sizes))

cat(sprintf("persons %d\ncronbach %.9f\nfrom z scores %.9f\n", nrow(dat), a, a.z))
for (q in qs) cat(sprintf("%s  mean %.6f  item-rest r %.8f  alpha if dropped %.8f\n",
                          q, item.table[q, "avg"], item.table[q, "r"], item.table[q, "a"]))
cat(sprintf("guttman %.9f\nodd-even %.9f\nerror of measurement %.9f\n", l2, sb, error))
cat(sprintf("agreement %.9f\neffect size %.9f\n", icc21, cohen))
