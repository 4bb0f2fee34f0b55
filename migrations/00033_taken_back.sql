-- +goose Up

-- +goose StatementBegin
-- As before, and an event that left the state as it was, such as a name, is no decision.
create or replace function undo(actor text, decision uuid, result uuid, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    changed record;
    is_now text;
begin
    select r.* into changed from decision_result r where r.decision_id = decision and r.submission_id = result;
    if not found then
        return 'unknown';
    end if;
    select s.state into is_now from submission s where s.id = result for update;
    if changed.event_id is distinct from (select e.id from submission_event e
        where e.submission_id = result and e.from_state <> e.to_state order by e.at desc limit 1) then
        return 'since';
    end if;
    update submission set state = changed.was, state_reason = changed.was_reason, state_rule = changed.was_rule
        where id = result;
    perform add_event(result, is_now, changed.was, why, actor, clock_timestamp());
    update decision set undone_at = coalesce(undone_at, clock_timestamp()) where id = decision;
    return 'undone';
end $$;

-- unconfirm_contributor takes an operator's word for a result's contributor back: decided; already, as no operator
-- vouches; unknown, deleted. The next fold carries it out, and looks at what their results say.
create function unconfirm_contributor(actor text, result uuid, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    stored record;
begin
    select s.state, s.contributor into stored from submission s where s.id = result for update;
    if not found then
        return 'unknown';
    elsif stored.state = 'deleted' then
        return 'deleted';
    end if;
    update contributor c set confirmed_by = ''
        where c.secret_sha256 = stored.contributor and c.confirmed_by like 'operator %';
    if not found then
        return 'already';
    end if;
    perform add_event(result, stored.state, stored.state, why, actor, clock_timestamp());
    return 'decided';
end $$;

create function unconfirm_contributor(token bytea, result uuid, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else unconfirm_contributor('operator ' || operator_of(token), result, why) end
$$;

-- unconfirm_module takes an operator's word for a module back: decided; already, as no operator vouches; unknown. The
-- reason tells who did it.
create function unconfirm_module(actor text, named text, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    means text;
begin
    perform from publication p where p.name = 'site' for update;
    select n.module_slug into means from module_name n where n.slug = named;
    if not found then
        return 'unknown';
    end if;
    update module m set vouched_by = '', vouched_reason = 'taken back by ' || actor || ': ' || why
        where m.slug = means and m.vouched_by like 'operator %';
    if not found then
        return 'already';
    end if;
    insert into outbox (submission_id, id, created_at)
        select max(u.newest)::uuid, gen_random_uuid(), clock_timestamp() from unit u where u.module_slug = means
        having count(*) > 0;
    return 'decided';
end $$;

create function unconfirm_module(token bytea, named text, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else unconfirm_module('operator ' || operator_of(token), named, why) end
$$;
-- +goose StatementEnd

-- +goose Down
drop function unconfirm_module(bytea, text, text), unconfirm_module(text, text, text),
    unconfirm_contributor(bytea, uuid, text), unconfirm_contributor(text, uuid, text);
-- +goose StatementBegin
create or replace function undo(actor text, decision uuid, result uuid, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    changed record;
    is_now text;
begin
    select r.* into changed from decision_result r where r.decision_id = decision and r.submission_id = result;
    if not found then
        return 'unknown';
    end if;
    select s.state into is_now from submission s where s.id = result for update;
    if changed.event_id is distinct from
        (select e.id from submission_event e where e.submission_id = result order by e.at desc limit 1) then
        return 'since';
    end if;
    update submission set state = changed.was, state_reason = changed.was_reason, state_rule = changed.was_rule
        where id = result;
    perform add_event(result, is_now, changed.was, why, actor, clock_timestamp());
    update decision set undone_at = coalesce(undone_at, clock_timestamp()) where id = decision;
    return 'undone';
end $$;
-- +goose StatementEnd
