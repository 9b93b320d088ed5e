# apportionment of council seats
v <- read.csv("votes.csv")
di <- read.csv("districts.csv")
old <- read.csv("last.csv")

M <- xtabs(votes ~ party + district, v)
M <- matrix(M, nrow(M), dimnames = dimnames(M))
city <- rowSums(M)
valid <- sum(city)
pv <- city / valid
min_share <- 5 / 100
keep <- pv >= min_share

# all quotients in a table, the s largest win a seat
allocate <- function(x, s, div) {
  q <- outer(x, div, "/")
  top <- order(q, decreasing = TRUE)[seq_len(s)]
  tabulate(row(q)[top], nbins = length(x))
}
size <- di$seats[match(colnames(M), di$district)]
seatmat <- M * 0
for (j in seq_along(size)) {
  x <- ifelse(keep, M[, j], 0)
  seatmat[, j] <- allocate(x, size[j], seq_len(size[j]))
}
won <- rowSums(seatmat)
total <- sum(won)
ps <- won / total

webster <- allocate(ifelse(keep, city, 0), total, seq(1, by = 2, length.out = total))
names(webster) <- names(city)
shifted <- sum(pmax(won - webster, 0))

diffs <- (ps - pv) * 100
lsq <- sqrt(0.5 * sum(diffs^2))
lh <- 0.5 * sum(abs(diffs))
Nv <- 1 / sum(pv^2)
Ns <- 1 / sum(ps^2)
lost <- sum(pv[won == 0])

el <- di$electorate[match(colnames(M), di$district)]
part <- colSums(M) / el
part_all <- sum(M) / sum(el)
burden <- (el / size) / (sum(el) / sum(size))

cmp <- merge(data.frame(party = names(city), new = city), setNames(old, c("party", "old")), all = TRUE)
cmp[is.na(cmp)] <- 0
cmp <- cmp[order(cmp$party), ]
sw <- 100 * (cmp$new / sum(cmp$new) - cmp$old / sum(cmp$old))
pedersen <- sum(abs(sw)) / 2

big <- sort(won, decreasing = TRUE)
need <- total %/% 2 + 1
npart <- which(cumsum(big) >= need)[1]
margin <- sum(big[1:npart]) - need

p <- function(label, x) cat(label, format(unname(x), digits = 14), "\n")
p("share", pv)
p("seats", c(won, total))
p("webster", c(webster, shifted))
p("indices", c(lsq, lh, Nv, Ns, lost))
p("turnout", c(part, part_all))
p("burden", burden)
p("swing", c(sw, pedersen))
p("coalition", c(npart, margin))
