### NCA, vectorised; bioequivalence with lm
d <- within(read.csv("plasma.csv"), {
  trt <- substring(sequence, period, period)
  id <- paste(subject, period)
})
dose <- 500
d <- subset(d, time == 0 | conc >= 0.25)
d <- d[order(d$subject, d$period, d$time), ]
profiles <- split(d, factor(d$id, levels = unique(d$id)))

trapz <- function(x, y) sum(diff(x) * (head(y, -1) + tail(y, -1)) / 2)
logtrap <- function(x, y) {
  lin <- diff(x) * (head(y, -1) + tail(y, -1)) / 2
  down <- diff(y) < 0 & tail(y, -1) > 0
  lg <- -diff(x) * diff(y) / log(head(y, -1) / tail(y, -1))
  sum(ifelse(down, lg, lin))
}

lambda.z <- function(x, y) {
  np <- 3:(length(x) - which.max(y))
  fits <- lapply(np, function(k) lm(log(tail(y, k)) ~ tail(x, k)))
  ars <- sapply(fits, function(f) summary(f)$adj.r.squared)
  pick <- 1
  for (j in seq_along(ars)) if (ars[j] > ars[pick] + 1e-4) pick <- j
  b <- unname(coef(fits[[pick]]))
  list(b0 = b[1], k = -b[2], n = np[pick])
}

nca <- function(p) {
  z <- lambda.z(p$time, p$conc)
  Tl <- max(p$time)
  Cl <- exp(z$b0 - z$k * Tl)
  AUCt <- logtrap(p$time, p$conc)
  AUCtail <- Cl / z$k
  AUMC <- trapz(p$time, p$time * p$conc) + AUCtail * (Tl + 1 / z$k)
  AUC <- AUCt + AUCtail
  data.frame(subject = p$subject[1], seq = p$sequence[1], per = p$period[1], trt = p$trt[1],
             Cmax = max(p$conc), Tmax = p$time[which.max(p$conc)], ke = z$k, AUCt = AUCt, AUC = AUC,
             MRT = AUMC / AUC, pct = 100 * AUCtail / AUC)
}
tab <- do.call(rbind, lapply(profiles, nca))
tab$thalf <- log(2) / tab$ke
tab$CL <- dose / tab$AUC
tab$Vz <- tab$CL / tab$ke

tab$trt <- factor(tab$trt, levels = c("R", "T"))
crossover <- function(response) {
  fit <- lm(log(response) ~ factor(subject) + factor(per) + trt, data = tab)
  est <- unname(coef(fit)["trtT"])
  ci <- unname(confint(fit, "trtT", level = 0.9)[1, ])
  s2 <- sum(resid(fit)^2) / fit$df.residual
  c(exp(c(est, ci)), sqrt(exp(s2) - 1)) * 100
}
equiv <- sapply(list(AUC = tab$AUC, Cmax = tab$Cmax), crossover)

cat(sprintf("%d %s cmax %.3f tmax %.1f half %.6f auc %.6f mrt %.6f vz %.5f extra %.5f\n", tab$subject, tab$trt,
            tab$Cmax, tab$Tmax, tab$thalf, tab$AUC, tab$MRT, tab$Vz, tab$pct), sep = "")
for (v in colnames(equiv)) {
  e <- equiv[, v]
  cat(sprintf("%s %.6f (%.6f to %.6f), cv %.6f\n", v, e[1], e[2], e[3], e[4]))
}
