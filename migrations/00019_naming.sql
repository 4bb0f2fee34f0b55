-- +goose Up

-- The module that a result left when somebody named another one: its figures are made anew, too. Empty: none.
alter table outbox add column left_slug text not null default '';

-- +goose StatementBegin
-- move_result names the module of a result. The event has no state that the result was in before, because the state
-- stays, and rules may still change it: only an operator's decision on the state keeps them from that.
create function move_result(result uuid, slug text, namer text, why text, who text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    was record;
begin
    select s.state, s.module_slug into was from submission s where s.id = result;
    update submission s set module_slug = move_result.slug, named_by = namer,
        confirms = s.confirms and s.module_slug = move_result.slug -- the registers agreed with the name before
        where s.id = result;
    perform add_event(result, null, was.state, why, who, clock_timestamp());
    if was.module_slug <> slug then
        insert into outbox (submission_id, id, created_at, left_slug)
            values (result, gen_random_uuid(), clock_timestamp(), was.module_slug);
    end if;
end $$;

-- choose_module names the module of a contributor's result: named; already; decided, by an operator; unknown; deleted;
-- not yours; retired. The server asks for a module that the evidence allows. As in function store_submission, a module
-- that is shown is locked against removal, and another is shown again.
create function choose_module(
    secret bytea, result uuid, slug text, vendor text, product text, capacity_gb float8, form text, classes text[],
    known_from text, provisional boolean, why text
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
    select s.state, s.contributor, s.module_slug, s.named_by into stored from submission s where s.id = result
        for update;
    if not found then
        return 'unknown';
    elsif stored.state = 'deleted' then
        return 'deleted';
    elsif stored.contributor <> sender.id then
        return 'not yours';
    elsif stored.named_by = 'operator' or exists (
        select 1 from module_alias a join module m on m.slug = a.from_slug
        where a.from_slug = stored.module_slug and a.actor like 'operator %' and m.known_from = 'ambiguous') then
        return 'decided';
    elsif stored.named_by = 'contributor' and stored.module_slug = slug then
        return 'already';
    end if;
    perform from module m where m.slug = slug and m.orphaned_at is null for key share;
    if not found then
        insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            values (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
            on conflict on constraint module_pkey do update set orphaned_at = null where module.orphaned_at is not null;
    end if;
    perform move_result(result, slug, 'contributor', why, 'contributor');
    return 'named';
end $$;

-- name_result has an operator name the module of a result: named; already; unknown; deleted; of the module: unknown
-- module, unlisted, stack (one of both is a stack).
create function name_result(actor text, result uuid, named text, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    stored record;
    means text := (select n.module_slug from module_name n where n.slug = named);
begin
    select s.state, s.module_slug, s.named_by into stored from submission s where s.id = result for update;
    if not found then
        return 'unknown';
    elsif stored.state = 'deleted' then
        return 'deleted';
    elsif means is null then
        return 'unknown module';
    elsif means like 'stack-%' <> (stored.module_slug like 'stack-%') then
        return 'stack';
    elsif stored.named_by = 'operator' and stored.module_slug = means then
        return 'already';
    end if;
    perform from module m where m.slug = means and m.orphaned_at is null
        and (m.confirmed or m.known_from not in ('typed', 'kernel', 'ambiguous')) for key share;
    if not found then
        return 'unlisted';
    end if;
    perform move_result(result, means, 'operator', 'named ' || means || ': ' || why, actor);
    return 'named';
end $$;

create function name_result(token bytea, result uuid, named text, why text) returns text
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    select case when operator_of(token) is null then 'no operator'
        else name_result('operator ' || operator_of(token), result, named, why) end
$$;

-- confirm_module has somebody vouch for a module: decided; already; unknown; ambiguous, which nobody can vouch for. A
-- module of the catalogue needs nobody.
create or replace function confirm_module(actor text, named text, why text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    means text;
begin
    perform from publication p where p.name = 'site' for update;
    select n.module_slug into means from module_name n where n.slug = named;
    if not found then
        return 'unknown';
    elsif exists (select 1 from module m where m.slug = means and m.known_from = 'ambiguous') then
        return 'ambiguous';
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
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
create or replace function confirm_module(actor text, named text, why text) returns text
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
-- +goose StatementEnd
drop function name_result(bytea, uuid, text, text), name_result(text, uuid, text, text), choose_module,
    move_result(uuid, text, text, text, text);
alter table outbox drop column left_slug;
