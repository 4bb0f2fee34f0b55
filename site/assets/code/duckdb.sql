select name, rand_write_iops, units
from 'SITE/data/latest/figures.parquet'
where method = 'flashdex-1' and not_ranked is null
order by rand_write_iops desc
limit 10;
