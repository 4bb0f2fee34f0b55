-- +goose Up

-- Nothing here changes on one server; Citus goes by the names of a view's inner columns, and keeps no transaction in which a table that
-- others refer to changes after many nodes were asked something.

create or replace view module_name (slug, module_slug) as
    select m.slug as slug, m.slug as module_slug from module m where not exists (select 1 from module_alias a where a.from_slug = m.slug)
    union all
    select a.from_slug as slug, a.into_slug as module_slug from module_alias a;

alter table module_touched drop constraint module_touched_module_slug_fkey;

-- +goose Down
delete from module_touched where module_slug not in (select slug from module);
alter table module_touched add constraint module_touched_module_slug_fkey foreign key (module_slug) references module on delete cascade;
