-- Figures of the inside of a module, of its queue, and of the memory that a recorder needs.
-- +goose Up
alter table measurement
    add column open_units            bigint,
    add column allocation_unit_bytes bigint,
    add column page_bytes            bigint,
    add column ratio                 float8,
    add column ratio_low             float8,
    add column ratio_high            float8,
    add column buffer_bytes          bigint,
    add column under_way             float8,
    add column wrong_ops             bigint;

-- +goose StatementBegin
-- store_result stores a result with its figures, its first event, its contributor, its module, its token and the
-- networks that it came from: all of it or nothing. It returns the outcome: new; crowded: new, but its token doesn't
-- count, see function crowded; again: the same contributor sent the same bytes before; taken: another result has the
-- id; deleted; retired: the secret was replaced; copy and an id: the result with that id has the same samples.
--
-- A module that is shown is locked against removal, in a way that other uploads of it need not wait for. Whoever
-- removes modules relies on that. A module that is hidden, or was just removed, is shown again.
--
-- Servers of the version before call store_submission.
create function store_result(
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
    measurements jsonb -- an object for each test, with its known figures by the columns of table measurement
) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    sender record;
    stored record;
    one measurement;
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
    if token = 'valid' and not exists (select 1 from submission s where s.id = store_result.id) then
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
        select s.state, s.contributor = sender.id and s.body_sha256 = store_result.body_sha256 as same into stored
            from submission s where s.id = store_result.id;
        return case when stored.state = 'deleted' then 'deleted' when stored.same then 'again' else 'taken' end;
    end if;
    insert into contributor (secret_sha256, first_seen) values (sender.id, received_at) on conflict do nothing;
    perform from module m where m.slug = module_slug and m.orphaned_at is null for key share;
    if not found then
        insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            values (module_slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            on conflict on constraint module_pkey do update set orphaned_at = null where module.orphaned_at is not null;
    end if;
    one.submission_id := id;
    one.queue_depth := 0; -- not known
    -- So a column that is added later must be nullable.
    insert into measurement select m.* from jsonb_array_elements(measurements) of
        cross join lateral jsonb_populate_record(one, of.value - 'submission_id') m;
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
-- +goose StatementEnd

-- +goose Down
drop function store_result;
alter table measurement
    drop column open_units,
    drop column allocation_unit_bytes,
    drop column page_bytes,
    drop column ratio,
    drop column ratio_low,
    drop column ratio_high,
    drop column buffer_bytes,
    drop column under_way,
    drop column wrong_ops;
