# AdaBoost with decision stumps, written with loops
flowers <- read.csv("flowers.csv", stringsAsFactors = FALSE)
features <- c("length", "width", "spots")
n <- nrow(flowers)
target <- ifelse(flowers$kind == "alba", 1, -1)
train <- flowers$set == "train"

predict_stump <- function(stump, data) {
  result <- rep(0, nrow(data))
  for (i in 1:nrow(data)) {
    if (data[i, stump$feature] <= stump$cut) {
      result[i] <- stump$sign
    } else {
      result[i] <- -stump$sign
    }
  }
  result
}

find_stump <- function(data, y, w) {
  best <- NULL
  best_error <- Inf
  for (f in features) {
    values <- sort(unique(data[[f]]))
    for (v in seq_len(length(values) - 1)) {
      cut <- (values[v] + values[v + 1]) / 2
      for (s in c(1, -1)) {
        stump <- list(feature = f, cut = cut, sign = s)
        wrong <- predict_stump(stump, data) != y
        error <- sum(w[wrong])
        if (error < best_error - 1e-12) {
          best_error <- error
          best <- stump
        }
      }
    }
  }
  best$error <- best_error
  best
}

learn <- flowers[train, ]
y <- target[train]
w <- rep(1 / nrow(learn), nrow(learn))
rounds <- 6
cuts <- c()
errors <- c()
alphas <- c()
used <- c()
score <- rep(0, n)
train_errors <- c()
for (m in 1:rounds) {
  stump <- find_stump(learn, y, w)
  alpha <- 0.5 * log((1 - stump$error) / stump$error)
  p <- predict_stump(stump, learn)
  w <- w * exp(-alpha * y * p)
  w <- w / sum(w)
  score <- score + alpha * predict_stump(stump, flowers)
  train_errors <- c(train_errors, sum(sign(score[train]) != y) / length(y))
  cuts <- c(cuts, stump$cut)
  errors <- c(errors, stump$error)
  alphas <- c(alphas, alpha)
  used <- c(used, stump$feature)
}

test_score <- score[!train]
test_truth <- target[!train]
test_error <- mean(sign(test_score) != test_truth)
margins <- y * score[train] / sum(alphas)
min_margin <- min(margins)
prob <- 1 / (1 + exp(-2 * test_score))
importance <- sapply(features, function(f) sum(alphas[used == f]))
importance <- importance / sum(importance)

# area under the ROC curve from all pairs
wins <- 0
for (i in which(test_truth == 1)) {
  for (j in which(test_truth == -1)) {
    if (test_score[i] > test_score[j]) wins <- wins + 1
    if (test_score[i] == test_score[j]) wins <- wins + 0.5
  }
}
auc <- wins / (sum(test_truth == 1) * sum(test_truth == -1))

for (m in 1:rounds) {
  cat(used[m], cuts[m], sprintf("%.10f %.10f %.6f", errors[m], alphas[m], train_errors[m]), "\n")
}
cat("weights", sprintf("%.8f", w), "\n")
cat("importance", sprintf("%.8f", importance), "\n")
cat("test error", test_error, "auc", sprintf("%.8f", auc), "smallest margin", sprintf("%.8f", min_margin), "\n")
cat("probabilities", sprintf("%.8f", prob), "\n")
