-- +goose Up

-- What the statistics of modules need of a run: the relative standard errors of its figures, in their order (NaN: not
-- known; {}: not derived yet), and the finest kind of host that it shows.
alter table submission
    add column errors    float8[] not null default '{}',
    add column host_kind text     not null default '';
alter table unit
    add column errors    float8[] not null default '{}',
    add column host_kind text     not null default '';

-- The interval of a linear rate. For random tests, the operations that count and how long they took, how many took more
-- than 0.1 s and than 1 s, with the interval of their mean, and the longest of 1,000 operations with its interval.
alter table measurement
    add column mb_per_s_low         float8,
    add column mb_per_s_high        float8,
    add column ops                  bigint,
    add column duration_ns          bigint,
    add column stalls_100ms         bigint,
    add column stalls_100ms_low     float8,
    add column stalls_100ms_high    float8,
    add column stalls_1s            bigint,
    add column stalls_1s_low        float8,
    add column stalls_1s_high       float8,
    add column longest_1000_ns      bigint,
    add column longest_1000_low_ns  bigint,
    add column longest_1000_high_ns bigint;

-- What a published figure measured, who did (empty: no figure of Flashdex can be compared with it), and what its host
-- carries.
alter table published
    add column kind          text             not null default '',
    add column contributor   text             not null default '',
    add column host_mb_per_s double precision not null default 0; -- 0: not known

-- +goose StatementBegin
-- add_submission stores a result with its figures, its first event, its contributor, its module and the networks that it
-- came from: all of it or nothing. It returns what came of it: new; again: the same contributor sent the same bytes
-- before; taken: the id is that of another result; deleted; retired: the secret was replaced.
--
-- A module that is shown is locked against removal, in a way that other uploads of it need not wait for. Whoever
-- removes modules relies on that. A module that is hidden, or was just removed, is shown again.
--
-- Servers of the version before call upload, and note_networks after it.
create function add_submission(
    secret bytea, id uuid, received_at timestamptz, state text, state_reason text, state_rule text, method text,
    profile text, client text, host_board text, bus_mode text, unit_tag text, not_ranked text[], module_slug text,
    body_sha256 bytea, schema_version integer, document bytea, confirms boolean, facts_version smallint,
    figures float8[], errors float8[], host_class text, host_kind text, bus_mb_per_s float8, variant text,
    evidence text[], price_amount float8, price_currency text, price_on text,
    networks bytea[], -- the smallest first; empty: not known
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
    insert into submission (contributor, id, received_at, state, state_reason, state_rule, method, profile, client,
            host_board, bus_mode, unit_tag, not_ranked, module_slug, body_sha256, schema_version, document, confirms,
            facts_version, figures, errors, host_class, host_kind, bus_mb_per_s, variant, evidence, price_amount,
            price_currency, price_on)
        values (sender.id, id, received_at, state, state_reason, state_rule, method, profile, client, host_board,
            bus_mode, unit_tag, not_ranked, module_slug, body_sha256, schema_version, document, confirms, facts_version,
            figures, errors, host_class, host_kind, bus_mb_per_s, variant, evidence, price_amount, price_currency,
            price_on)
        on conflict on constraint submission_pkey do nothing;
    if not found then
        select s.state, s.contributor = sender.id and s.body_sha256 = add_submission.body_sha256 as same into stored
            from submission s where s.id = add_submission.id;
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
    perform add_event(id, null, state, state_reason,
        case state_rule when '' then 'server' else 'rule ' || state_rule end, received_at);
    return 'new';
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
        evidence = '{}', price_amount = 0, price_currency = '', price_on = ''
        where id = result;
    delete from measurement where submission_id = result;
    delete from submission_network where submission_id = result;
    perform add_event(result, was, 'deleted', why, who, moment);
end $$;
-- +goose StatementEnd

-- What modules share, and figures are made by: a row for each method and figure of each calibration. Rows never change,
-- so that every figure that was ever published can be computed again. See package api/figure/model.
create table calibration (
    version     integer     not null,
    method      text        not null,
    figure      text        not null,
    made_at     timestamptz not null,
    calibration json        not null,
    primary key (version, method, figure)
);

-- The generation that units and summaries are of. Servers of the version before have a column of their own for that. So
-- each makes them anew when the other has folded.
alter table publication
    add column fitted        bigint  not null default -1,
    add column calibration   integer not null default 0, -- version in force; 0: what is assumed beforehand
    add column calibrated_at timestamptz;                -- when it was last looked whether another is due; null: now

-- Shares of a whole module, as JSON, in the order of figure.FigureKeys. A server of the version before writes summaries
-- without them, and this one then makes all summaries anew.
alter table module_summary add column shares bytea[];
alter table module_summary alter column shares set storage external; -- numbers, which hardly compress

-- A merge raises the generation; it does so for servers of both versions.
-- +goose StatementBegin
create or replace function merge_modules(actor text, gone text, kept text, why text, out outcome text, out means text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    gone_means text;
begin
    perform from publication p where p.name = 'site' for update; -- two merges at once could make a chain
    select n.module_slug into gone_means from module_name n where n.slug = gone;
    select n.module_slug into means from module_name n where n.slug = kept;
    outcome := case
        when gone_means is null then 'unknown gone'
        when means is null then 'unknown kept'
        when means <> kept then 'merged kept'
        when gone_means = kept then 'already'
        when gone_means <> gone then 'merged gone'
        else 'decided' end;
    if outcome = 'merged gone' then
        means := gone_means;
    elsif outcome = 'decided' then
        perform merge_into(actor, gone, kept, why);
        -- The next publication shows it, also if there is nothing to fold. A fold that was behind stays so.
        update publication set summed = case summed when folded then folded + 1 else summed end,
            fitted = case fitted when folded then folded + 1 else fitted end, folded = folded + 1 where name = 'site';
    end if;
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
        figures = null, host_class = '', bus_mb_per_s = 0, confirms = false, variant = '', evidence = '{}',
        price_amount = 0, price_currency = '', price_on = ''
        where id = result;
    delete from measurement where submission_id = result;
    delete from submission_network where submission_id = result;
    perform add_event(result, was, 'deleted', why, who, moment);
end $$;
-- +goose StatementEnd
drop function add_submission;
alter table published drop column kind, drop column contributor, drop column host_mb_per_s;
alter table measurement
    drop column mb_per_s_low, drop column mb_per_s_high, drop column ops, drop column duration_ns,
    drop column stalls_100ms, drop column stalls_100ms_low, drop column stalls_100ms_high, drop column stalls_1s,
    drop column stalls_1s_low, drop column stalls_1s_high, drop column longest_1000_ns,
    drop column longest_1000_low_ns, drop column longest_1000_high_ns;
alter table unit drop column errors, drop column host_kind;
alter table submission drop column errors, drop column host_kind;
-- What is derived is the newer version's. The next fold, of either version, derives all of it again.
update submission set facts_version = 0;
update publication set facts_version = 0, facts_upto = null, unit_version = 0, summary_version = 0;

-- +goose StatementBegin
create or replace function merge_modules(actor text, gone text, kept text, why text, out outcome text, out means text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    gone_means text;
begin
    perform from publication p where p.name = 'site' for update; -- two merges at once could make a chain
    select n.module_slug into gone_means from module_name n where n.slug = gone;
    select n.module_slug into means from module_name n where n.slug = kept;
    outcome := case
        when gone_means is null then 'unknown gone'
        when means is null then 'unknown kept'
        when means <> kept then 'merged kept'
        when gone_means = kept then 'already'
        when gone_means <> gone then 'merged gone'
        else 'decided' end;
    if outcome = 'merged gone' then
        means := gone_means;
    elsif outcome = 'decided' then
        perform merge_into(actor, gone, kept, why);
        -- The next publication shows it, also if there is nothing to fold. A fold that was behind stays so.
        update publication set summed = case summed when folded then folded + 1 else summed end, folded = folded + 1
            where name = 'site';
    end if;
end $$;
-- +goose StatementEnd
alter table module_summary drop column shares;
alter table publication drop column fitted, drop column calibration, drop column calibrated_at;
drop table calibration;
