-- +goose Up

-- The figures of single units, of which those of modules are made: what a change of one submission takes does not grow
-- with the number of its module's runs. A unit is one contributor's module with one tag.
create table unit_figure (
    module_slug text             not null, -- as the module is called now
    contributor bytea            not null,
    method      text             not null,
    figure      text             not null,
    unit        text             not null, -- tag; empty: all of the contributor's that show no serial number
    value       double precision not null, -- median over the unit's ranked runs
    weight      double precision not null, -- all units of one contributor with this figure together weigh one
    runs        integer          not null,
    primary key (module_slug, contributor, method, figure, unit)
);
create index unit_figure_value on unit_figure (module_slug, method, figure, value) include (weight, runs);

-- What each contributor has of a module that is shown, ranked or not.
create table module_contributor (
    module_slug text        not null,
    contributor bytea       not null,
    method      text        not null,
    results     integer     not null,
    newest      uuid        not null,
    newest_at   timestamptz not null,
    primary key (module_slug, contributor, method)
);

-- The generation that these two are of. If it isn't the one that is folded, a server of the version before has folded
-- since, which does not know them, and they are made anew.
alter table publication add column units_folded bigint not null default 0;

-- +goose Down
alter table publication drop column units_folded;
drop table module_contributor, unit_figure;
