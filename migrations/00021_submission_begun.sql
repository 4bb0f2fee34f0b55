-- +goose NO TRANSACTION
-- Each upload with a run token looks for other runs of its contributor at the same time. Uploads go on while the index
-- is made. An attempt that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists submission_begun;
create index concurrently submission_begun on submission (contributor, begun_at) where token = 'valid';

-- +goose Down
drop index concurrently submission_begun;
