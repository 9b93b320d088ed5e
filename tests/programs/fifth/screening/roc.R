# diagnostic accuracy of a marker
id <- 0:79
dis <- as.integer((id * 7) %% 20 < 7)
value <- round(3.1 + 1.9 * dis + 1.6 * sin(2.3 * id) + 0.7 * cos(0.9 * id^2), 1)
df <- data.frame(id, dis, value)

cases <- df$value[df$dis == 1]
ctrls <- df$value[df$dis == 0]
n1 <- length(cases)
n0 <- length(ctrls)

# Mann-Whitney
r <- rank(c(cases, ctrls))
U <- sum(r[1:n1]) - n1 * (n1 + 1) / 2
A <- U / (n1 * n0)
Q1 <- A / (2 - A)
Q2 <- 2 * A^2 / (1 + A)
seA <- sqrt((A * (1 - A) + (n1 - 1) * (Q1 - A^2) + (n0 - 1) * (Q2 - A^2)) / (n1 * n0))

thr <- sort(unique(df$value), decreasing = TRUE)
se_all <- sapply(thr, function(t) mean(cases >= t))
sp_all <- sapply(thr, function(t) mean(ctrls < t))
J <- se_all + sp_all - 1
opt <- which.max(J)
cutoff <- thr[opt]
Se <- se_all[opt]
Sp <- sp_all[opt]
tab <- table(test = df$value >= cutoff, truth = df$dis == 1)
TP <- tab["TRUE", "TRUE"]
FP <- tab["TRUE", "FALSE"]
FN <- tab["FALSE", "TRUE"]
TN <- tab["FALSE", "FALSE"]

ci <- prop.test(TP, TP + FN, correct = FALSE)$conf.int

LRp <- Se / (1 - Sp)
LRn <- (1 - Se) / Sp
prev <- 0.04
odds <- prev / (1 - prev)
post_pos <- odds * LRp / (1 + odds * LRp)
post_neg <- odds * LRn / (1 + odds * LRn)
NPV <- 1 - post_neg

reader1 <- df$value >= cutoff
reader2 <- df$value + 0.4 * sin(df$id) >= cutoff
both <- table(reader1, reader2) / nrow(df)
po <- sum(diag(both))
pe <- sum(rowSums(both) * colSums(both))
K <- (po - pe) / (1 - pe)

df$prob <- plogis(1.2 * df$value - 5.4)
BS <- mean((df$prob - df$dis)^2)
BSS <- 1 - BS / (mean(df$dis) * (1 - mean(df$dis)))
q <- quantile(df$prob, c(.25, .5, .75))
df$bin <- findInterval(df$prob, q, left.open = TRUE)
cal <- aggregate(cbind(prob, dis) ~ bin, data = df, FUN = mean)
ECE <- mean(abs(cal$prob - cal$dis))

f <- function(...) format(c(...), digits = 13)
cat("AUC:", f(A, seA), "\n")
cat("cutoff:", f(cutoff), TP, FP, FN, TN, "\n")
cat("Se, Sp:", f(Se, Sp), "; interval:", f(ci), "\n")
cat("LR:", f(LRp, LRn), "\n")
cat("PV:", f(post_pos, NPV), "\n")
cat("agreement:", f(po, K), "\n")
cat("Brier:", f(BS, BSS), "\n")
cat("calibration:", f(cal$prob, cal$dis, ECE), "\n")
