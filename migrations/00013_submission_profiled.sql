-- +goose NO TRANSACTION
-- A module's page shows its runs by methods that are never ranked; most modules have few of them among many. Uploads go on while the index is made. An
-- attempt that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists submission_profiled;
create index concurrently submission_profiled on submission (module_slug, method, received_at, id)
    where state = 'accepted' and cardinality(not_ranked) = 1 and method in ('sustained-1', 'sweep-1', 'iozone-50m', 'startup-1');

-- +goose Down
drop index concurrently submission_profiled;
