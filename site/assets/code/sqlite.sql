select m.name, f.rand_write_iops, f.units
from figures f join modules m on m.module = f.module
where f.method = 'flashdex-1' and f.not_ranked is null
order by f.rand_write_iops desc
limit 10;
