# Lloyd's algorithm: labels and centroids.

distances <- function(points, start) {
  apply(start, 1, function(centre) rowSums(sweep(points, 2, centre)^2))
}

labels <- function(distances) apply(distances, 1, which.min) - 1L

centroids <- function(points, labels, start) {
  for (k in seq_len(nrow(start))) {
    own <- points[labels == k - 1, , drop = FALSE]
    if (nrow(own) > 0) start[k, ] <- colMeans(own)
  }
  start
}

inertia <- function(points, centroids, labels) sum((points - centroids[labels + 1, ])^2)

settled <- function(points, start) {
  before <- NULL
  repeat {
    now <- labels(distances(points, start))
    if (identical(now, before)) return(start)
    start <- centroids(points, now, start)
    before <- now
  }
}
