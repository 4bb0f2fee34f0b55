-- +goose NO TRANSACTION
-- What names a result, beside its document: the tables and rules of the server, and what several contributors say of
-- units with the same registers. Uploads go on while the index is made. An attempt that broke off leaves an index that
-- is not valid, hence the drop.
-- +goose Up
alter table submission
    add column if not exists registers text not null default '', -- see catalogue.RegistersOf; empty: not known
    add column if not exists said      text not null default ''; -- slug of the module that its contributor says it is
alter table publication
    add column if not exists names_version text not null default '', -- of the tables and rules
    add column if not exists names_upto    uuid;                     -- the last result looked at; null: all were
alter table module
    add column if not exists moved_to text not null default ''; -- where rules for names moved results; -: to several
-- Which module units with the same registers are, as several independent contributors say.
create table if not exists agreement (
    registers   text primary key,
    module_slug text not null
);
drop index concurrently if exists submission_registers;
create index concurrently submission_registers on submission (registers, contributor, id) where registers <> '';

-- +goose Down
drop index concurrently submission_registers;
drop table agreement;
alter table publication drop column names_version, drop column names_upto;
delete from module_alias where actor = 'rule names';
alter table module drop column moved_to;
alter table submission drop column registers, drop column said;
