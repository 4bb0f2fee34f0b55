-- +goose NO TRANSACTION
-- Of the contributors who sent a module from one network on one day, one counts. A fold compares the submissions with
-- one label, and an upload looks for the first of them that counts. Uploads go on while the index is made. An attempt
-- that broke off leaves an index that is not valid, hence the drop.
-- +goose Up
-- Another contributor sent a result of the module from this network on the same day before, and that one counts.
alter table submission add column if not exists second_of_network boolean not null default false;
drop index concurrently if exists submission_of_network;
create index concurrently submission_of_network on submission (network, received_at, id) where network <> '';

-- +goose StatementBegin
-- clear empties a submission. Only its module, contributor and network stay, until a fold has taken the result out of
-- the module's figures.
create or replace function clear(result uuid, was text, why text, who text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    moment timestamptz := clock_timestamp();
begin
    update submission set state = 'deleted', state_reason = why, state_rule = '',
        received_at = date_trunc('day', moment at time zone 'UTC') at time zone 'UTC', body_sha256 = '', method = '',
        profile = '', client = '', host_board = '', bus_mode = '', unit_tag = null, not_ranked = '{}', document = '',
        figures = null, errors = '{}', host_class = '', host_kind = '', bus_mb_per_s = 0, confirms = false, variant = '',
        evidence = '{}', price_amount = 0, price_currency = '', price_on = '', named_by = '', second_of_network = false,
        token = '', begun_at = null, ended_at = null
        where id = result;
    delete from measurement where submission_id = result;
    delete from submission_network where submission_id = result;
    delete from sample where submission_id = result;
    delete from sketch where submission_id = result;
    perform add_event(result, was, 'deleted', why, who, moment);
end $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
create or replace function clear(result uuid, was text, why text, who text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    moment timestamptz := clock_timestamp();
begin
    update submission set state = 'deleted', state_reason = why, state_rule = '',
        received_at = date_trunc('day', moment at time zone 'UTC') at time zone 'UTC', body_sha256 = '', method = '',
        profile = '', client = '', host_board = '', bus_mode = '', unit_tag = null, not_ranked = '{}', document = '',
        figures = null, errors = '{}', host_class = '', host_kind = '', bus_mb_per_s = 0, confirms = false, variant = '',
        evidence = '{}', price_amount = 0, price_currency = '', price_on = '', named_by = '', network = '', token = '',
        begun_at = null, ended_at = null
        where id = result;
    delete from measurement where submission_id = result;
    delete from submission_network where submission_id = result;
    delete from sample where submission_id = result;
    delete from sketch where submission_id = result;
    perform add_event(result, was, 'deleted', why, who, moment);
end $$;
-- +goose StatementEnd
drop index concurrently submission_of_network;
alter table submission drop column second_of_network;
