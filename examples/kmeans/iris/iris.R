# Groups by R's kmeans, which counts them from 1.

groups <- function(points) {
  n <- nrow(points)
  unname(kmeans(points, points[c(1, n %/% 2 + 1, n), ], algorithm = "Lloyd", iter.max = 100)$cluster)
}

centres <- function(points, groups) unname(as.matrix(aggregate(points, list(groups), mean)[, -1]))

within <- function(points, groups) sum(sapply(split(as.data.frame(points), groups), function(own) sum(scale(own, scale = FALSE)^2)))
