-- +goose Up

-- A summary's tally, which column tally holds in a form of its own, as JSON like the summary itself. Servers of the version before and
-- of this one may fold in turns: each finds no tally in the summaries that the other wrote, and then reads all units. A later migration
-- removes column tally.
alter table module_summary add column tally_json json;
alter table module_summary alter column tally_json set storage external; -- numbers, which hardly compress

-- +goose Down
alter table module_summary drop column tally_json;
