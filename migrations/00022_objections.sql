-- +goose Up

-- What an operator decided about one result or many, and what each of them was before, so that it can be undone.
create table decision (
    id        uuid        primary key,
    at        timestamptz not null,
    actor     text        not null,
    verdict   text        not null,
    reason    text        not null,
    undone_at timestamptz           -- null: in force
);
create index decision_at on decision (at);

create table decision_result (
    decision_id   uuid not null,
    submission_id uuid not null,
    event_id      uuid not null, -- of submission_event: the last one, unless somebody decided on the result since
    was           text not null,
    was_reason    text not null,
    was_rule      text not null,
    primary key (decision_id, submission_id)
);

-- A visit of an operator's page: a token that is in force for two hours, or until its operator's is revoked.
create table operator_session (
    token_sha256    bytea       primary key,
    operator_sha256 bytea       not null, -- operator.token_sha256
    until           timestamptz not null
);

-- What somebody said against a result or a module. Only operators see it. It goes with its result or module, and half a
-- year after it was closed.
create table objection (
    id            uuid        primary key,
    submission_id uuid,                 -- null: it is about a module
    module_slug   text,                 -- null: it is about a result
    at            timestamptz not null, -- only its day
    kind          text        not null,
    should_be     text        not null, -- the module it should be under; empty: not said
    words         text        not null,
    closed_at     timestamptz,          -- null: open
    closed_by     text        not null default '',
    reason        text        not null default '',
    check (num_nonnulls(submission_id, module_slug) = 1)
);
create index objection_submission on objection (submission_id) where submission_id is not null;
create index objection_module on objection (module_slug) where module_slug is not null;
create index objection_open on objection (id) where closed_at is null;

-- +goose StatementBegin
-- operator_of returns the name of the operator whose token, or whose session's, this is; null: it is nobody's.
create or replace function operator_of(token bytea) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select o.name from operator o where o.revoked_at is null and o.token_sha256 = coalesce(
        (select s.operator_sha256 from operator_session s
            where s.token_sha256 = sha256(token) and s.until > clock_timestamp()), sha256(token))
$$;

-- sign_in begins a session, and returns the name of the operator whose token this is; null: it is nobody's, or a
-- session's, which can't be made longer.
create function sign_in(token bytea, session bytea) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    who text := (select o.name from operator o where o.token_sha256 = sha256(token) and o.revoked_at is null);
begin
    if who is not null then
        delete from operator_session where until < clock_timestamp();
        insert into operator_session (token_sha256, operator_sha256, until)
            values (sha256(session), sha256(token), clock_timestamp() + interval '2 hours');
    end if;
    return who;
end $$;

create function sign_out(session bytea) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    delete from operator_session where token_sha256 = sha256(session)
$$;

-- decide accepts or rejects a result as part of a decision: decided, already, unknown, deleted. Servers of the version
-- before call moderate, whose decisions can't be undone.
create function decide(actor text, decision uuid, result uuid, verdict text, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    before record;
    outcome text;
begin
    select s.state, s.state_reason, s.state_rule into before from submission s where s.id = result for update;
    outcome := moderate(actor, result, verdict, why, '');
    if outcome = 'decided' then
        insert into decision (id, at, actor, verdict, reason)
            values (decision, clock_timestamp(), actor, verdict, why)
            on conflict on constraint decision_pkey do nothing;
        if not exists (select from decision d
            where d.id = decision and d.actor = actor and d.verdict = verdict and d.undone_at is null) then
            raise exception 'the decision is another one' using errcode = 'check_violation';
        end if;
        insert into decision_result (decision_id, submission_id, event_id, was, was_reason, was_rule)
            select decision, result, e.id, before.state, before.state_reason, before.state_rule
            from submission_event e where e.submission_id = result order by e.at desc limit 1
            on conflict on constraint decision_result_pkey do nothing;
    end if;
    return outcome;
end $$;

create function decide(token bytea, decision uuid, result uuid, verdict text, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else decide('operator ' || operator_of(token), decision, result, verdict, why) end
$$;

-- undo gives a result back the state that it had before a decision: undone; since (decided on, or deleted); unknown.
create function undo(actor text, decision uuid, result uuid, why text) returns text
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

create function undo(token bytea, decision uuid, result uuid, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else undo('operator ' || operator_of(token), decision, result, why) end
$$;

-- object stores an objection to a result or to a module: stored, unknown, full (so many are open).
create function object(objection uuid, result uuid, module text, kind text, should_be text, words text, most integer)
returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
begin
    -- The lock has a deletion wait, whose fold then finds the objection.
    perform from submission s where s.id = result and s.state <> 'deleted' for update;
    if not found and not exists (select 1 from module m where m.slug = module) then
        return 'unknown';
    elsif (select count(*) from objection o
        where o.closed_at is null and (o.submission_id = result or o.module_slug = module)) >= most then
        return 'full';
    end if;
    insert into objection (id, submission_id, module_slug, at, kind, should_be, words)
        values (objection, result, module, date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC',
            kind, should_be, words);
    return 'stored';
end $$;

-- close_objection closes an objection with a reason for other operators: closed, already, unknown.
create function close_objection(actor text, objection uuid, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
begin
    update objection set closed_at = clock_timestamp(), closed_by = actor, reason = why
        where id = objection and closed_at is null;
    return case when found then 'closed' when exists (select 1 from objection o where o.id = objection) then 'already'
        else 'unknown' end;
end $$;

create function close_objection(token bytea, objection uuid, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else close_objection('operator ' || operator_of(token), objection, why) end
$$;
-- +goose StatementEnd

-- +goose Down
drop function close_objection(bytea, uuid, text), close_objection(text, uuid, text),
    object(uuid, uuid, text, text, text, text, integer),
    undo(bytea, uuid, uuid, text), undo(text, uuid, uuid, text), decide(bytea, uuid, uuid, text, text),
    decide(text, uuid, uuid, text, text), sign_out(bytea), sign_in(bytea, bytea);
-- +goose StatementBegin
create or replace function operator_of(token bytea) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select o.name from operator o where o.token_sha256 = sha256(token) and o.revoked_at is null
$$;
-- +goose StatementEnd
drop table objection, operator_session, decision_result, decision;
