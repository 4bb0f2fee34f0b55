-- +goose NO TRANSACTION
-- A run may do a test with several block sizes. Uploads go on while the index is made. An attempt that broke off leaves an index that
-- is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists measurement_block;
create unique index concurrently measurement_block on measurement (submission_id, test, block_bytes);
alter table measurement drop constraint measurement_pkey, add constraint measurement_pkey primary key using index measurement_block;

-- +goose Down
drop index concurrently if exists measurement_test;
create unique index concurrently measurement_test on measurement (submission_id, test);
alter table measurement drop constraint measurement_pkey, add constraint measurement_pkey primary key using index measurement_test;
