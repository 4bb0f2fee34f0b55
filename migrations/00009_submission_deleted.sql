-- +goose NO TRANSACTION
-- The data set's older snapshots are searched for results that were deleted since.
-- +goose Up
drop index concurrently if exists submission_deleted;
create index concurrently submission_deleted on submission (received_at) where state = 'deleted';

-- +goose Down
drop index concurrently submission_deleted;
