-- +goose NO TRANSACTION
-- Uploads go on while the index is made. An attempt that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists submission_contributor;
create index concurrently submission_contributor on submission (contributor, id);

-- +goose Down
drop index concurrently submission_contributor;
