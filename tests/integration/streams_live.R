# Writes the draws of live R as raw float64: one file a case, 20 seeds one after the other.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
count <- as.integer(arguments[2])
seeds <- as.numeric(strsplit(arguments[3], ",")[[1]])

cases <- list(
  runif = function() runif(count),
  runif_bounds = function() runif(count, -3.25, 7.5),
  rnorm = function() rnorm(count),
  rnorm_scaled = function() rnorm(count, 0.37, 2.3),
  rexp = function() rexp(count),
  rexp_rate = function() rexp(count, 3),
  sample_replace = function() sample(1000, count, TRUE),
  sample_power = function() sample(65536, count, TRUE),
  sample_large = function() sample(2^31 - 1, count, TRUE),
  sample_permutation = function() sample(count),
  sample_hashed = function() sample.int(20000000, count %/% 10),
  mixed = function() c(runif(3), rnorm(5), rexp(7), sample(9), rexp(101), runif(1), rnorm(2), sample(100, 3))
)
kinds <- c("Wichmann-Hill", "Marsaglia-Multicarry", "Knuth-TAOCP-2002", "L'Ecuyer-CMRG")

write_case <- function(name, draw, kind = "Mersenne-Twister", sample_kind = "Rejection") {
  file <- file(file.path(folder, name), "wb")
  for (seed in seeds) {
    suppressWarnings(set.seed(seed, kind, "Inversion", sample_kind))
    writeBin(as.double(draw()), file)
  }
  close(file)
}

for (name in names(cases)) write_case(name, cases[[name]])
for (name in grep("sample", names(cases), value = TRUE))
  write_case(paste0("rounding_", name), cases[[name]], sample_kind = "Rounding")
for (i in seq_along(kinds)) {
  write_case(paste0("kind", i, "_runif"), cases$runif, kinds[i])
  write_case(paste0("kind", i, "_mixed"), cases$mixed, kinds[i])
}
write_case("kind3_rounding_large", cases$sample_large, kinds[3], "Rounding")

p <- c(10^-(0:320), 1 - 10^-(1:16), seq(0, 1, length.out = 20001), 0.075, 0.925, exp(-25), 1 - exp(-25))
writeBin(c(p, qnorm(p)), file.path(folder, "qnorm"))
refused <- inherits(try(set.seed(2^32 - 1), silent = TRUE), "try-error")
writeBin(as.double(refused), file.path(folder, "refused"))
writeLines(paste(R.version$major, R.version$minor, sep = "."), file.path(folder, "version"))
