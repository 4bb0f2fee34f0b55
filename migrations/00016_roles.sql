-- +goose Up

-- Whatever changes what is stored, for whoever isn't the worker. The role of the server on the internet can write to no
-- table. It may only call those functions that ask for a secret or a token themselves. The tables hold its hash, from
-- which nobody gets it back. roles.go grants who may call what.
--
-- A function that asks runs with the rights of the tables' owner (security definer), so it names the schemas that it
-- means: nobody can put an operator or a function of their own before these.

-- +goose StatementBegin
-- contributor_of returns whose secret this is, and whether it was replaced. A contributor's id is the hash of their
-- first secret.
create function contributor_of(secret bytea, out id bytea, out retired boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    select coalesce(s.contributor, sha256(secret)), s.retired_at is not null into id, retired
        from (values (1)) as one left join contributor_secret s on s.secret_sha256 = sha256(secret);
end $$;

-- known_contributor waits for a change of the secret that is under way, and locks the contributor, which is a write, so
-- that its commit waits for the standby. Without an upload, since is null.
create function known_contributor(secret bytea, out id bytea, out retired boolean, out since timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    select c.id into id from contributor_of(secret) c;
    select c.first_seen into since from contributor c where c.secret_sha256 = id for share;
    select c.retired into retired from contributor_of(secret) c; -- the change may have replaced it
end $$;

-- operator_of returns the name of the operator whose token this is; null: it is nobody's.
create function operator_of(token bytea) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select o.name from operator o where o.token_sha256 = sha256(token) and o.revoked_at is null
$$;

-- add_event appends to the log of a submission's states, whose rows nothing ever changes or removes, and adds the
-- submission to the outbox, from which a fold takes it. Whatever the clocks say, an event comes after those before.
create function add_event(result uuid, was text, becomes text, why text, who text, since timestamptz) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    moment timestamptz := greatest(since,
        (select max(e.at) + interval '1 microsecond' from submission_event e where e.submission_id = result));
begin
    insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
        values (result, gen_random_uuid(), moment, was, becomes, why, who);
    insert into outbox (submission_id, id, created_at) values (result, gen_random_uuid(), moment);
end $$;

-- upload stores a result with its figures, its first event, its contributor and its module: all of it or nothing. It
-- returns what came of it: new; again: the same contributor sent the same bytes before; taken: the id is that of
-- another result; deleted; retired: the secret was replaced.
--
-- A module that is shown is locked against removal, in a way that other uploads of it need not wait for. Whoever
-- removes modules relies on that. A module that is hidden, or was just removed, is shown again.
create function upload(
    secret bytea, id uuid, received_at timestamptz, state text, state_reason text, state_rule text, method text,
    profile text, client text, host_board text, bus_mode text, unit_tag text, not_ranked text[], module_slug text,
    body_sha256 bytea, schema_version integer, document bytea, confirms boolean, facts_version smallint,
    figures float8[], host_class text, bus_mb_per_s float8, variant text, evidence text[], price_amount float8,
    price_currency text, price_on text,
    -- the module
    vendor text, product text, capacity_gb float8, form text, classes text[], known_from text, provisional boolean,
    -- a column of each test's figures
    test text[], block_bytes bigint[], queue_depth integer[], sync text[], mb_per_s float8[], iops float8[],
    iops_low float8[], iops_high float8[], p50_ns bigint[], p99_ns bigint[], p999_ns bigint[], max_ns bigint[],
    kib_per_op float8[], ended text[], cv_percent float8[], cliff_mb float8[], cliff_percent float8[]
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
            facts_version, figures, host_class, bus_mb_per_s, variant, evidence, price_amount, price_currency, price_on)
        values (sender.id, id, received_at, state, state_reason, state_rule, method, profile, client, host_board,
            bus_mode, unit_tag, not_ranked, module_slug, body_sha256, schema_version, document, confirms, facts_version,
            figures, host_class, bus_mb_per_s, variant, evidence, price_amount, price_currency, price_on)
        on conflict on constraint submission_pkey do nothing;
    if not found then
        select s.state, s.contributor = sender.id and s.body_sha256 = upload.body_sha256 as same into stored
            from submission s where s.id = upload.id;
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
            p50_ns, p99_ns, p999_ns, max_ns, kib_per_op, ended, cv_percent, cliff_mb, cliff_percent)
        select id, t.* from unnest(test, block_bytes, queue_depth, sync, mb_per_s, iops, iops_low, iops_high, p50_ns,
            p99_ns, p999_ns, max_ns, kib_per_op, ended, cv_percent, cliff_mb, cliff_percent) t;
    perform add_event(id, null, state, state_reason,
        case state_rule when '' then 'server' else 'rule ' || state_rule end, received_at);
    return 'new';
end $$;

-- note_networks remembers from which networks a result of the secret's contributor came.
create function note_networks(secret bytea, result uuid, networks bytea[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    insert into submission_network (submission_id, at, networks)
        select s.id, clock_timestamp(), note_networks.networks from submission s
            where s.id = result and s.contributor = (select c.id from contributor_of(secret) c where not c.retired)
        on conflict do nothing;
end $$;

-- clear empties a submission. Only its module and contributor stay, until a fold has taken the result out of the
-- module's figures.
create function clear(result uuid, was text, why text, who text) returns void
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

-- take_back deletes a contributor's result: deleted, already (deleted), unknown, not yours, retired.
create function take_back(secret bytea, result uuid) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    sender record;
    stored record;
begin
    select c.* into sender from contributor_of(secret) c;
    if sender.retired then
        return 'retired';
    end if;
    select s.state, s.contributor into stored from submission s where s.id = result for update;
    if not found then
        return 'unknown';
    elsif stored.state = 'deleted' then -- whose it was is erased too
        return 'already';
    elsif stored.contributor <> sender.id then
        return 'not yours';
    end if;
    perform clear(result, stored.state, 'taken back by its contributor', 'contributor');
    return 'deleted';
end $$;

-- take_back_some deletes at most so many of a contributor's results. It returns how many it found. Another call may
-- have deleted some of them. Without an upload, results is null.
create function take_back_some(
    secret bytea, most integer, out retired boolean, out results integer, out deleted integer)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    sender record;
    one uuid;
    was text;
begin
    select c.* into sender from contributor_of(secret) c;
    retired := sender.retired;
    if retired or not exists (select 1 from contributor c where c.secret_sha256 = sender.id) then
        return;
    end if;
    results := 0;
    deleted := 0;
    for one in
        select s.id from submission s where s.contributor = sender.id and s.state <> 'deleted' order by s.id limit most
    loop
        results := results + 1;
        select s.state into was from submission s where s.id = one for update;
        if was <> 'deleted' then
            perform clear(one, was, 'taken back by its contributor', 'contributor');
            deleted := deleted + 1;
        end if;
    end loop;
end $$;

-- rotate_secret replaces a contributor's secret: changed, already, unknown, retired, taken (by somebody else).
create function rotate_secret(old bytea, fresh bytea) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    me bytea := (select c.id from contributor_of(old) c);
    first timestamptz;
begin
    -- Two changes at once take turns at this lock. The second then finds its secret retired.
    select c.first_seen into first from contributor c where c.secret_sha256 = me for update;
    if not found then
        return 'unknown';
    elsif (select c.retired from contributor_of(old) c) then
        return case when exists (select 1 from contributor_secret s
            where s.secret_sha256 = sha256(fresh) and s.contributor = me and s.retired_at is null)
            then 'already' else 'retired' end;
    elsif exists (select 1 from contributor c where c.secret_sha256 = sha256(fresh)) then
        return 'taken';
    end if;
    insert into contributor_secret (secret_sha256, contributor, since) values (sha256(fresh), me, clock_timestamp())
        on conflict do nothing;
    if not found then
        return 'taken';
    end if;
    insert into contributor_secret (secret_sha256, contributor, since, retired_at)
        values (sha256(old), me, first, clock_timestamp())
        on conflict (secret_sha256) do update set retired_at = excluded.retired_at;
    return 'changed';
end $$;

-- Decisions exist twice: for an actor, whom the owner of the tables names, and for a token, which names its operator.

-- erase deletes a result: deleted, already, unknown.
create function erase(actor text, result uuid, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    was text;
begin
    select s.state into was from submission s where s.id = result for update;
    if not found then
        return 'unknown';
    elsif was = 'deleted' then
        return 'already';
    end if;
    perform clear(result, was, why, actor);
    return 'deleted';
end $$;

-- moderate accepts or rejects a result: decided, already, unknown, deleted.
create function moderate(actor text, result uuid, verdict text, why text, rule text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    was text;
begin
    if verdict not in ('accepted', 'rejected') then
        raise exception 'a verdict is accepted or rejected' using errcode = 'check_violation';
    end if;
    select s.state into was from submission s where s.id = result for update;
    if not found then
        return 'unknown';
    elsif was = verdict then
        return 'already';
    elsif was = 'deleted' then
        return 'deleted';
    end if;
    update submission set state = verdict, state_reason = why, state_rule = rule where id = result;
    perform add_event(result, was, verdict, why, actor, clock_timestamp());
    return 'decided';
end $$;

create function moderate(token bytea, result uuid, verdict text, why text, rule text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    who text := operator_of(token);
begin
    if who is null then
        return 'no operator';
    end if;
    return moderate('operator ' || who, result, verdict, why, rule);
end $$;

-- Decisions about modules take turns with folds, at the row of the generation. The next fold carries them out: it looks
-- at the contributors and modules of the results in the outbox.

-- confirm_module has somebody vouch for a module: decided, already, unknown. A module of the catalogue needs nobody.
create function confirm_module(actor text, named text, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    means text;
begin
    perform from publication p where p.name = 'site' for update;
    select n.module_slug into means from module_name n where n.slug = named;
    if not found then
        return 'unknown';
    end if;
    update module m set vouched_by = actor, vouched_reason = why
        where m.slug = means and m.vouched_by = '' and m.known_from in ('typed', 'kernel');
    if not found then
        return 'already';
    end if;
    insert into outbox (submission_id, id, created_at)
        select max(u.newest)::uuid, gen_random_uuid(), clock_timestamp() from unit u where u.module_slug = means
        having count(*) > 0;
    return 'decided';
end $$;

create function confirm_module(token bytea, named text, why text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    who text := operator_of(token);
begin
    if who is null then
        return 'no operator';
    end if;
    return confirm_module('operator ' || who, named, why);
end $$;

-- merge_into makes from gone another name of kept, for all past and future results. Neither is another name already.
create function merge_into(actor text, gone text, kept text, why text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
    -- Other names of gone become names of kept, so that there are no chains.
    update module_alias set into_slug = kept where into_slug = gone;
    insert into module_alias (from_slug, into_slug, at, actor, reason)
        values (gone, kept, clock_timestamp(), actor, why);
    insert into outbox (submission_id, id, created_at) -- one result of each contributor stands for all of theirs
        select max(u.newest)::uuid, gen_random_uuid(), clock_timestamp() from unit u where u.module_slug = gone
        group by u.contributor;
    delete from unit where module_slug = gone;
    delete from module_summary where module_slug = gone;
    insert into module_touched (module_slug, at)
        select m.slug, clock_timestamp() from module m where m.slug in (gone, kept)
        on conflict (module_slug) do update set at = excluded.at;
end $$;

-- merge_modules is merge_into for whom it may be a mistake: decided, already; unknown gone, unknown kept; merged gone,
-- merged kept, into what means says.
create function merge_modules(actor text, gone text, kept text, why text, out outcome text, out means text)
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

create function merge_modules(token bytea, gone text, kept text, why text, out outcome text, out means text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    who text := operator_of(token);
begin
    if who is null then
        outcome := 'no operator';
        return;
    end if;
    select m.outcome, m.means into outcome, means from merge_modules('operator ' || who, gone, kept, why) m;
end $$;

-- analyze_figures gives Postgres statistics of new rows, which only the owner of tables may.
create function analyze_figures() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    analyze unit, module_summary;
end $$;
-- +goose StatementEnd

-- +goose Down
drop function analyze_figures(), merge_modules(bytea, text, text, text), merge_modules(text, text, text, text),
    merge_into(text, text, text, text), confirm_module(bytea, text, text), confirm_module(text, text, text),
    moderate(bytea, uuid, text, text, text), moderate(text, uuid, text, text, text), erase(text, uuid, text),
    rotate_secret(bytea, bytea), take_back_some(bytea, integer), take_back(bytea, uuid), clear(uuid, text, text, text),
    note_networks(bytea, uuid, bytea[]), upload, add_event(uuid, text, text, text, text, timestamptz),
    operator_of(bytea), known_contributor(bytea), contributor_of(bytea);
