-- +goose Up

-- What operators merged. An alias alone doesn't tell which names came along with a module, and is gone once undone.
create table module_merge (
    id          uuid        primary key,
    at          timestamptz not null,
    actor       text        not null,
    reason      text        not null,
    gone        text        not null, -- slug of the module that became another name
    kept        text        not null, -- of that one
    along       text[]      not null, -- names of gone, which became names of kept
    undone_at   timestamptz,          -- null: in force
    undone_by   text        not null default '',
    undo_reason text        not null default ''
);
create index module_merge_at on module_merge (at);
create index module_merge_gone on module_merge (gone, at);
-- Which names came along in earlier ones is not known; each of these can be undone by itself.
insert into module_merge (id, at, actor, reason, gone, kept, along)
    select gen_random_uuid(), at, actor, reason, from_slug, into_slug, '{}' from module_alias
    where actor like 'operator %';

-- +goose StatementBegin
-- show_modules has the next publication show modules as they are now, also if there is nothing to fold. A fold that was
-- behind stays so.
create function show_modules(slugs text[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
    insert into module_touched (module_slug, at)
        select m.slug, clock_timestamp() from module m where m.slug = any(slugs)
        on conflict (module_slug) do update set at = excluded.at;
    update publication set summed = case summed when folded then folded + 1 else summed end,
        fitted = case fitted when folded then folded + 1 else fitted end, folded = folded + 1 where name = 'site';
end $$;

-- As before, and keeps what undo_merge needs.
create or replace function merge_modules(actor text, gone text, kept text, why text, out outcome text, out means text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
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
        insert into module_merge (id, at, actor, reason, gone, kept, along)
            values (gen_random_uuid(), clock_timestamp(), actor, why, gone, kept,
                array(select a.from_slug from module_alias a where a.into_slug = gone and a.actor <> 'rule names'));
        perform merge_into(actor, gone, kept, why);
        perform show_modules(array[gone, kept]);
    end if;
end $$;

-- undo_merge makes a module that an operator merged one of its own again, with the names that came along: undone,
-- already; not merged; catalogue, which merged it; removed, as it has no result left; merged on, into what means says.
-- Rules name its results anew, which they left alone since. Results that were named after kept meanwhile stay there.
create function undo_merge(actor text, named text, why text, out outcome text, out means text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
    led record;
    merged record;
begin
    perform from publication p where p.name = 'site' for update; -- as merges do
    select a.into_slug, a.actor into led from module_alias a where a.from_slug = named;
    select m.* into merged from module_merge m where m.gone = named order by m.at desc limit 1;
    means := merged.kept;
    outcome := case
        when led.into_slug is null or led.actor = 'rule names'
            then case when merged.undone_at is null then 'not merged' else 'already' end
        when led.actor not like 'operator %' then 'catalogue'
        when exists (select 1 from module_alias a where a.from_slug = merged.kept and a.actor like 'operator %')
            then 'merged on'
        when not exists (select 1 from module m where m.slug = named) then 'removed'
        else 'undone' end;
    if outcome <> 'undone' then
        return;
    end if;
    update module_merge set undone_at = clock_timestamp(), undone_by = actor, undo_reason = why where id = merged.id;
    delete from module_alias where from_slug = named;
    -- Beside the names that came along, the addresses that rules for names have since led on to one of these.
    with recursive back as (
        select unnest(merged.along || named) as slug
        union
        select m.slug from back b join module m on m.moved_to = b.slug join module_alias a on a.from_slug = m.slug
            where a.actor = 'rule names' and a.into_slug = led.into_slug)
    update module_alias set into_slug = named where into_slug = led.into_slug and from_slug in (select slug from back);
    -- A fold so makes the figures of both modules anew, and names each result by the rules of today.
    insert into outbox (submission_id, id, created_at, left_slug)
        select s.id, gen_random_uuid(), clock_timestamp(), led.into_slug from submission s
        where s.module_slug = any(array(select a.from_slug from module_alias a where a.into_slug = named) || named);
    if found then
        update module set orphaned_at = null where slug = named and orphaned_at is not null;
    end if;
    perform show_modules(array[named, led.into_slug]);
end $$;

create function undo_merge(token bytea, named text, why text, out outcome text, out means text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    who text := operator_of(token);
begin
    if who is null then
        outcome := 'no operator';
        return;
    end if;
    select u.outcome, u.means into outcome, means from undo_merge('operator ' || who, named, why) u;
end $$;
-- +goose StatementEnd

-- +goose Down
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
drop function undo_merge(bytea, text, text), undo_merge(text, text, text), show_modules(text[]);
drop table module_merge;
