import pandas as pd

figures = pd.read_csv("SITE/data/latest/figures.csv")
ranked = figures[(figures.method == "flashdex-1") & figures.not_ranked.isna()]
print(ranked.nlargest(10, "rand_write_iops")[["name", "rand_write_iops", "units"]])
