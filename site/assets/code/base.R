figures <- read.csv("SITE/data/latest/figures.csv", na.strings = "")
ranked <- figures[figures$method == "flashdex-1" & is.na(figures$not_ranked), ]
head(ranked[order(-ranked$rand_write_iops), c("name", "rand_write_iops", "units")], 10)
