-- +goose NO TRANSACTION
-- A module's page shows its newest submissions.
-- +goose Up
drop index concurrently if exists submission_module;
create index concurrently submission_module on submission (module_slug, received_at, id);
drop index concurrently if exists submission_module_slug;

-- +goose Down
drop index concurrently if exists submission_module_slug;
create index concurrently submission_module_slug on submission (module_slug);
drop index concurrently if exists submission_module;
