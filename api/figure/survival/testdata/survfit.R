# Makes survfit.json, what R's package survival says of samples: Rscript survfit.R > survfit.json
library(survival)
set.seed(20261129)
samples <- list(
  # Freireich et al., The Effect of 6-Mercaptopurine on the Duration of Steroid-induced Remissions, Blood 21 (1963).
  list(at = c(6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35),
       failed = c(1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0)),
  list(at = c(1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23), failed = rep(1, 21)),
  list(at = 7, failed = 1), list(at = 7, failed = 0), list(at = c(0, 0, 12), failed = c(1, 0, 1)),
  list(at = c(1, 2, 3, 4), failed = c(1, 1, 1, 1)))
for (n in c(2, 3, 5, 8, 13, 27, 60, 200)) {
  life <- round(1500 * rexp(n)); watched <- round(2500 * runif(n))
  samples <- c(samples, list(list(at = pmin(life, watched), failed = as.numeric(life <= watched))))
}
number <- function(x) ifelse(is.na(x), "null", trimws(formatC(x, digits = 15, format = "g")))
list_of <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")
cases <- vapply(samples, function(s) {
  fit <- survfit(Surv(s$at, s$failed) ~ 1, conf.type = "log-log")
  half <- quantile(fit, 0.5)
  paste0('{"at": ', list_of(s$at), ', "failed": ', list_of(s$failed),
         ',\n  "times": ', list_of(fit$time), ', "at_risk": ', list_of(fit$n.risk), ', "events": ', list_of(fit$n.event),
         ',\n  "survival": ', list_of(fit$surv), ',\n  "low": ', list_of(fit$lower), ',\n  "high": ', list_of(fit$upper),
         ',\n  "median": ', list_of(c(half$quantile, half$lower, half$upper)), "}")
}, "")
cat('{"made_with": "R ', as.character(getRversion()), ", survival ", as.character(packageVersion("survival")),
    '", "samples": [\n', paste(cases, collapse = ",\n"), "]}\n", sep = "")
