# What a panel gets under a clear sky.  One reading after the other.
d2r <- pi / 180

fourier <- function(G, a0, a, b) {
  total <- a0
  for (k in seq_along(a)) total <- total + a[k] * cos(k * G) + b[k] * sin(k * G)
  total
}

sun.position <- function(lat, lon, tz, doy, clock) {
  G <- (doy - 1) * 360 / 365 * d2r
  delta <- fourier(G, 0.006918, c(-0.399912, -0.006758, -0.002697), c(0.070257, 0.000907, 0.00148))
  ET <- 229.18 * fourier(G, 0.000075, c(0.001868, -0.014615), c(-0.032077, -0.040849))
  tst <- clock + ET / 60 + (lon / 15 - tz)
  h <- (tst - 12) * 15 * d2r
  L <- lat * d2r
  sinalt <- sin(L) * sin(delta) + cos(L) * cos(delta) * cos(h)
  alt <- asin(sinalt)
  az <- acos((sin(delta) - sinalt * sin(L)) / (cos(alt) * cos(L)))
  if (h > 0) az <- 2 * pi - az
  x <- -tan(L) * tan(delta)
  rise <- 12 - acos(max(-1, min(1, x))) / (15 * d2r)
  list(alt = alt, az = az, rise = rise)
}

irradiance <- function(pos, doy, tilt, facing) {
  alt.deg <- pos$alt / d2r
  m <- 1 / (sin(pos$alt) + 0.50572 * (alt.deg + 6.07995)^(-1.6364))
  I0 <- 1361 * (1 + 0.033 * cos(360 * doy / 365 * d2r))
  beam <- I0 * 0.7^(m^0.678)
  diffuse <- beam / 10
  horizontal <- beam * sin(pos$alt) + diffuse
  s <- tilt * d2r
  view <- (1 + cos(s)) / 2
  costheta <- sin(pos$alt) * cos(s) + cos(pos$alt) * sin(s) * cos(pos$az - facing * d2r)
  if (costheta < 0) costheta <- 0
  refl <- 0.2 * horizontal * (1 - view)
  c(total = beam * costheta + diffuse * view + refl, refl = refl, m = m)
}

dat <- read.csv("readings.csv", stringsAsFactors = FALSE)
res <- NULL
for (i in seq_len(nrow(dat))) {
  row <- dat[i, ]
  p <- sun.position(row$lat, row$lon, row$tz, row$doy, row$hour)
  irr <- irradiance(p, row$doy, row$tilt, row$facing)
  res <- rbind(res, data.frame(
    site = row$site, clock = row$hour, alt = p$alt / d2r, az = p$az / d2r, rise = p$rise,
    G = irr[["total"]], refl = irr[["refl"]], m = irr[["m"]]
  ))
}

for (place in unique(res$site)) {
  one <- res[res$site == place, ]
  n <- nrow(one)
  width <- diff(one$clock)
  kwh <- sum(width * (one$G[-1] + one$G[-n]) / 2) / 1000
  top <- which.max(one$G)
  cat(sprintf("%s: %.6f kWh/m2 in all; most %.4f W/m2 at %.2f\n", place, kwh, one$G[top], one$clock[top]))
  cat(sprintf("   mean altitude %.5f  sunrise %.5f  azimuth at the end %.5f  air mass at the start %.6f\n",
              mean(one$alt), one$rise[1], one$az[n], one$m[1]))
}
cat(sprintf("sum of W/m2 %.4f; share from the ground %.7f\n", sum(res$G), mean(res$refl / res$G)))
