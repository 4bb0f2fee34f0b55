-- +goose NO TRANSACTION
-- Checks of the capacity, which are few among all submissions: a publication counts the units that somebody checked.
-- Uploads go on while the index is made. An attempt that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists submission_capacity;
create index concurrently submission_capacity on submission (module_slug, contributor, unit_tag, received_at, id)
    where state = 'accepted' and 'capacity-checked' = any (evidence);

-- +goose Down
drop index concurrently submission_capacity;
