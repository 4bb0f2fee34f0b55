# Three questions to the data set, answered with base R. questions.ipynb answers the same ones in Python.
#   FLASHDEX_DATA=http://localhost:8080/data/latest Rscript questions.R
# FLASHDEX_DATA is the address of a snapshot, or a folder with its files.

data <- Sys.getenv("FLASHDEX_DATA", "http://localhost:8080/data/latest")
table <- function(name) read.csv(paste0(data, "/", name, ".csv"), na.strings = "")
say <- function(...) cat(sprintf(...), "\n", sep = "")

# One row for each module whose 4K random writes are known or expected: measured by flashdex-1 where it was, and else
# what published figures lead one to expect. Rows of other methods measure other things.
figures <- table("figures")
figures <- figures[figures$method %in% c("flashdex-1", "expected") & !is.na(figures$rand_write_iops), ]
figures <- figures[order(figures$module, figures$method == "expected"), ]
figures <- figures[!duplicated(figures$module), ]
modules <- table("modules")
modules <- modules[c("module", "vendor", "capacity_gb", "form", "classes")]
known <- merge(figures[c("module", "name", "rand_write_iops", "seq_read_mb_per_s")], modules)

# 1. Does a class on the package tell how fast random writes are?
classes <- ifelse(is.na(known$classes), "", known$classes)
printed <- ifelse(grepl("A2", classes), "A2", ifelse(grepl("A1", classes), "A1", "neither"))
for (class in c("A2", "A1", "neither")) {
  iops <- known$rand_write_iops[known$form == "microsd" & printed == class]
  say("microSD with %s: %d modules, median %.0f IOPS, from %.1f to %.0f; %.0f %% below a laptop disk",
      class, length(iops), median(iops), min(iops), max(iops), 100 * mean(iops < 90))
}

# 2. Does a high linear rate, which boxes print, come with quick random writes? By rank, over all forms.
both <- known[!is.na(known$seq_read_mb_per_s), ]
say("linear reads and random writes of %d modules: rank correlation %.2f",
    nrow(both), cor(rank(both$seq_read_mb_per_s), rank(both$rand_write_iops)))
fast <- both$rand_write_iops[both$seq_read_mb_per_s >= 80]
say("of %d modules that read 80 MB/s and more, the slowest does %.0f and the fastest %.0f random writes a second",
    length(fast), min(fast), max(fast))

# 3. How far do two people's figures of one module differ? Each person counts by the median of their figures.
published <- table("published")
published <- published[published$test == "rand-write" & !is.na(published$measured_by) & !is.na(published$iops) &
                         is.na(published$restates), ]
people <- aggregate(iops ~ module + measured_by, published, median)
ratio <- aggregate(iops ~ module, people, function(x) if (length(x) > 1) max(x) / min(x) else NA)
ratio <- ratio$iops[!is.na(ratio$iops)]
say("%d modules were measured by two people or more: half of them differ by a factor above %.1f, the most by %.0f",
    length(ratio), median(ratio), max(ratio))
