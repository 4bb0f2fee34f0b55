-- How the rates of single units change over the years. See figure.Unit.
-- +goose Up
alter table unit add column ageing jsonb; -- null: its runs tell too little, or a server of the version before made it
create index unit_ageing on unit (module_slug, method) where ageing is not null;

-- +goose Down
alter table unit drop column ageing;
