-- +goose Up

-- What it takes to bring a summary up to date when a few of its module's many units change. See index.Tally. A server of the
-- version before writes summaries without it, and thereby says that all units have to be read.
alter table module_summary add column tally bytea;
alter table module_summary alter column tally set storage external; -- numbers, which don't compress

-- +goose Down
alter table module_summary drop column tally;
