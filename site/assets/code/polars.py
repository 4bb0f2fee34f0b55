import polars as pl

figures = pl.read_parquet("SITE/data/latest/figures.parquet")
ranked = figures.filter(pl.col("method") == "flashdex-1", pl.col("not_ranked").is_null())
best = ranked.sort("rand_write_iops", descending=True, nulls_last=True).head(10)
print(best.select("name", "rand_write_iops", "units"))
