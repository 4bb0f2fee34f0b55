-- +goose Up

-- Where and when a run was measured, as far as the server could see. See package submission, Origin.
alter table submission
    add column named_by text        not null default '', -- key of the evidence that named the module
    add column network  bytea       not null default '', -- label of the sender's network that day; empty: not known
    add column token    text        not null default '', -- valid, or its fault; empty: none
    add column begun_at timestamptz,                     -- when the token was given out; null: no token
    add column ended_at timestamptz;                     -- begun_at and the time that the samples of the run took

-- A contributor's results count once they are confirmed. Contributors who are there already are.
alter table contributor
    add column confirmed_at timestamptz default now(), -- null: on probation
    add column confirmed_by text not null default 'migration';
alter table contributor alter column confirmed_at drop default, alter column confirmed_by set default '';

-- Of the first run of a unit that counts, or of the first if none does: when it was received, and the label of its
-- network.
alter table unit
    add column first_at timestamptz, -- null: a server of the version before made it
    add column network  bytea not null default '';

-- Where the sample of a module's contributors begins, in the order of their ids. Nobody outside knows it, so nobody can
-- choose a secret that puts them into the sample.
alter table publication add column place bytea not null default sha256(gen_random_uuid()::text::bytea);

create index module_summary_groups on module_summary (module_slug) where summary ? 'groups';

-- +goose StatementBegin
-- confirm_contributor ends the probation of a result's contributor: decided, already, unknown, deleted. The next fold
-- carries it out.
create function confirm_contributor(actor text, result uuid, why text) returns text
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
    update contributor c set confirmed_by = actor
        where c.secret_sha256 = stored.contributor and c.confirmed_at is null and c.confirmed_by = '';
    if not found then
        return 'already';
    end if;
    perform add_event(result, stored.state, stored.state, why, actor, clock_timestamp());
    return 'decided';
end $$;

create function confirm_contributor(token bytea, result uuid, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else confirm_contributor('operator ' || operator_of(token), result, why) end
$$;
-- +goose StatementEnd

-- Keys that sign run tokens. The newest signs; the one before still counts. See package token.
create table token_key (
    key     bytea       not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    made_at timestamptz primary key default clock_timestamp()
);
insert into token_key default values;

-- +goose StatementBegin
-- token_keys returns the keys of run tokens, the newest first.
create function token_keys() returns setof bytea
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    return query select k.key from token_key k order by k.made_at desc;
end $$;

-- new_token_key makes a key of run tokens, and forgets all but the one before.
create function new_token_key() returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
    delete from token_key where made_at < (select max(made_at) from token_key);
    insert into token_key default values;
end $$;

-- crowded reports whether a contributor had four other runs with valid tokens at one moment of a run.
create function crowded(sender bytea, begun timestamptz, ended timestamptz) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    return coalesce((
        with beside as materialized (
            select s.begun_at, s.ended_at from submission s where s.contributor = sender and s.token = 'valid'
                and s.begun_at > begun - interval '7 days' and s.begun_at < ended and s.ended_at > begun)
        select max(running) >= 4 from (
            select sum(change) over (order by moment, change) as running from (
                select begun_at as moment, 1 as change from beside union all select ended_at, -1 from beside) changes
        ) counts), false);
end $$;
-- +goose StatementEnd

-- Hashes of the samples of tests that can't honestly come twice. The first result with them keeps them. See package
-- submission/copies.
create table sample (
    sha256        bytea primary key,
    submission_id uuid  not null
);
create index sample_submission on sample (submission_id);

-- Keys that results with similar samples share, once a fold has compared the result with those compared before.
create table sketch (
    key           bigint,
    submission_id uuid,
    primary key (key, submission_id)
);
create index sketch_submission on sketch (submission_id);

-- +goose StatementBegin
-- store_submission stores a result with its figures, its first event, its contributor, its module, its token and the
-- networks that it came from: all of it or nothing. It returns the outcome: new; crowded: new, but its token doesn't
-- count, see function crowded; again: the same contributor sent the same bytes before; taken: another result has the
-- id; deleted; retired: the secret was replaced; copy and an id: the result with that id has the same samples.
--
-- A module that is shown is locked against removal, in a way that other uploads of it need not wait for. Whoever
-- removes modules relies on that. A module that is hidden, or was just removed, is shown again.
--
-- Servers of the version before call add_submission.
create function store_submission(
    secret bytea, id uuid, received_at timestamptz, state text, state_reason text, state_rule text, method text,
    profile text, client text, host_board text, bus_mode text, unit_tag text, not_ranked text[], module_slug text,
    body_sha256 bytea, schema_version integer, document bytea, confirms boolean, facts_version smallint,
    figures float8[], errors float8[], host_class text, host_kind text, bus_mb_per_s float8, variant text,
    evidence text[], price_amount float8, price_currency text, price_on text, named_by text,
    networks bytea[], -- the smallest first; empty: not known
    network bytea, token text, begun_at timestamptz, ended_at timestamptz,
    samples bytea[], -- of table sample
    -- the module
    vendor text, product text, capacity_gb float8, form text, classes text[], known_from text, provisional boolean,
    -- a column of each test's figures
    test text[], block_bytes bigint[], queue_depth integer[], sync text[], mb_per_s float8[], iops float8[],
    iops_low float8[], iops_high float8[], p50_ns bigint[], p99_ns bigint[], p999_ns bigint[], max_ns bigint[],
    kib_per_op float8[], ended text[], cv_percent float8[], cliff_mb float8[], cliff_percent float8[],
    mb_per_s_low float8[], mb_per_s_high float8[], ops bigint[], duration_ns bigint[], stalls_100ms bigint[],
    stalls_100ms_low float8[], stalls_100ms_high float8[], stalls_1s bigint[], stalls_1s_low float8[],
    stalls_1s_high float8[], longest_1000_ns bigint[], longest_1000_low_ns bigint[], longest_1000_high_ns bigint[]
) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    sender record;
    stored record;
begin
    select c.* into sender from contributor_of(secret) c;
    if sender.retired then
        return 'retired';
    end if;
    if state = 'deleted' then
        raise exception 'an upload is not deleted' using errcode = 'check_violation';
    end if;
    -- One by one, so that the index is used whatever is known of the table: while it was empty, a plan was kept that reads
    -- all of it.
    select s.submission_id into stored from unnest(samples) as hash
        cross join lateral (select o.submission_id from sample o where o.sha256 = hash limit 1) s
        where s.submission_id <> id limit 1;
    if found then
        return 'copy ' || stored.submission_id;
    end if;
    if token = 'valid' and not exists (select 1 from submission s where s.id = store_submission.id) then
        insert into contributor (secret_sha256, first_seen) values (sender.id, received_at) on conflict do nothing;
        -- Of two uploads at once, one must see the other.
        perform from contributor c where c.secret_sha256 = sender.id for no key update;
        if crowded(sender.id, begun_at, ended_at) then
            token := 'crowded';
        end if;
    end if;
    insert into submission (contributor, id, received_at, state, state_reason, state_rule, method, profile, client,
            host_board, bus_mode, unit_tag, not_ranked, module_slug, body_sha256, schema_version, document, confirms,
            facts_version, figures, errors, host_class, host_kind, bus_mb_per_s, variant, evidence, price_amount,
            price_currency, price_on, named_by, network, token, begun_at, ended_at)
        values (sender.id, id, received_at, state, state_reason, state_rule, method, profile, client, host_board,
            bus_mode, unit_tag, not_ranked, module_slug, body_sha256, schema_version, document, confirms, facts_version,
            figures, errors, host_class, host_kind, bus_mb_per_s, variant, evidence, price_amount, price_currency,
            price_on, named_by, network, token, begun_at, ended_at)
        on conflict on constraint submission_pkey do nothing;
    if not found then
        select s.state, s.contributor = sender.id and s.body_sha256 = store_submission.body_sha256 as same into stored
            from submission s where s.id = store_submission.id;
        return case when stored.state = 'deleted' then 'deleted' when stored.same then 'again' else 'taken' end;
    end if;
    insert into contributor (secret_sha256, first_seen) values (sender.id, received_at) on conflict do nothing;
    perform from module m where m.slug = module_slug and m.orphaned_at is null for key share;
    if not found then
        insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            values (module_slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            on conflict on constraint module_pkey do update set orphaned_at = null where module.orphaned_at is not null;
    end if;
    insert into measurement (submission_id, test, block_bytes, queue_depth, sync, mb_per_s, iops, iops_low, iops_high,
            p50_ns, p99_ns, p999_ns, max_ns, kib_per_op, ended, cv_percent, cliff_mb, cliff_percent, mb_per_s_low,
            mb_per_s_high, ops, duration_ns, stalls_100ms, stalls_100ms_low, stalls_100ms_high, stalls_1s,
            stalls_1s_low, stalls_1s_high, longest_1000_ns, longest_1000_low_ns, longest_1000_high_ns)
        select id, t.* from unnest(test, block_bytes, queue_depth, sync, mb_per_s, iops, iops_low, iops_high, p50_ns,
            p99_ns, p999_ns, max_ns, kib_per_op, ended, cv_percent, cliff_mb, cliff_percent, mb_per_s_low,
            mb_per_s_high, ops, duration_ns, stalls_100ms, stalls_100ms_low, stalls_100ms_high, stalls_1s,
            stalls_1s_low, stalls_1s_high, longest_1000_ns, longest_1000_low_ns, longest_1000_high_ns) t;
    if networks <> '{}' then
        insert into submission_network (submission_id, at, networks) values (id, received_at, networks)
            on conflict do nothing;
    end if;
    with added as (
        insert into sample (sha256, submission_id) select s, id from unnest(samples) s on conflict do nothing returning 1)
        select count(*) as hashes into stored from added;
    if stored.hashes < cardinality(samples) then
        raise exception 'a result with the same samples was stored just now' using errcode = 'FDX01'; -- try again
    end if;
    perform add_event(id, null, state, state_reason,
        case state_rule when '' then 'server' else 'rule ' || state_rule end, received_at);
    return case token when 'crowded' then 'crowded' else 'new' end;
end $$;

-- clear empties a submission. Only its module and contributor stay, until a fold has taken the result out of the
-- module's figures.
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
        evidence = '{}', price_amount = 0, price_currency = '', price_on = ''
        where id = result;
    delete from measurement where submission_id = result;
    delete from submission_network where submission_id = result;
    perform add_event(result, was, 'deleted', why, who, moment);
end $$;
-- +goose StatementEnd
drop function store_submission, crowded, new_token_key, token_keys, confirm_contributor(bytea, uuid, text),
    confirm_contributor(text, uuid, text);
drop index module_summary_groups;
alter table publication drop column place;
alter table unit drop column first_at, drop column network;
drop table token_key, sample, sketch;
alter table contributor drop column confirmed_at, drop column confirmed_by;
alter table submission drop column named_by, drop column network, drop column token, drop column begun_at,
    drop column ended_at;
