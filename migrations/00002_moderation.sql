-- +goose Up

-- Secrets of contributors who changed theirs. A contributor goes by the hash of their first secret for good; a secret
-- that is not listed here stands for itself.
create table contributor_secret (
    secret_sha256 bytea       primary key,
    contributor   bytea       not null, -- contributor.secret_sha256
    since         timestamptz not null,
    retired_at    timestamptz           -- null: in use
);

-- Who may moderate.
create table operator (
    token_sha256 bytea       primary key,
    name         text        not null,
    since        timestamptz not null,
    revoked_at   timestamptz           -- null: in force
);

-- Modules that turned out to be another one. into_slug is never a from_slug: there are no chains.
create table module_alias (
    from_slug text        primary key,
    into_slug text        not null,
    at        timestamptz not null,
    actor     text        not null,
    reason    text        not null
);
create index module_alias_into_slug on module_alias (into_slug);

-- Every slug that results and figures were stored under, and the module that it means.
create view module_name (slug, module_slug) as
    select m.slug, m.slug from module m where not exists (select from module_alias a where a.from_slug = m.slug)
    union all
    select from_slug, into_slug from module_alias;

-- What is there of a module by one method, ranked or not.
create table module_method (
    module_slug text    not null,
    method      text    not null,
    results     integer not null, -- accepted submissions
    newest      uuid    not null, -- of them
    primary key (module_slug, method)
);
insert into module_method
    select module_slug, method, count(*), (array_agg(id order by received_at desc, id desc))[1]
    from submission where state = 'accepted' group by module_slug, method;

-- A tombstone keeps nothing of who made it, and when.
update submission set contributor = '', received_at = date_trunc('day', received_at at time zone 'UTC') at time zone 'UTC' where state = 'deleted';

-- These need the tables for themselves until the end of the migration, so they come last.

-- When the last result of a module was deleted that only contributors know of. Such a module is not shown.
alter table module add column orphaned_at timestamptz;
create index module_orphaned_at on module (orphaned_at) where orphaned_at is not null;

-- The name of the rule that put a submission into its state; empty: no rule did.
alter table submission add column state_rule text not null default '';

-- +goose Down
drop view module_name;
drop table module_method, module_alias, operator, contributor_secret;
alter table module drop column orphaned_at;
alter table submission drop column state_rule;
