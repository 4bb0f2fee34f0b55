-- +goose NO TRANSACTION
-- A fold looks again at the results of a module that rule deviates holds back, which are few. Uploads go on while the
-- index is made. An attempt that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
drop index concurrently if exists submission_deviates;
create index concurrently submission_deviates on submission (module_slug, id)
    where state = 'quarantined' and state_rule = 'deviates';

-- +goose Down
drop index concurrently submission_deviates;
