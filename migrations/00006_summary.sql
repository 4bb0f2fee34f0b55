-- +goose Up

-- What a document says beside the figures of its tests; derived, and replaceable from it.
alter table submission
    add column facts_version  smallint         not null default 0, -- of the rules they were derived by; 0: not yet
    add column figures        float8[],                            -- in the order of index.FigureKeys; NaN: not measured
    add column host_class     text             not null default '',
    add column bus_mb_per_s   double precision not null default 0, -- 10^6 bytes; 0: not known
    add column variant        text             not null default '',
    add column evidence       text[]           not null default '{}',
    add column price_amount   double precision not null default 0,
    add column price_currency text             not null default '', -- empty: no price
    add column price_on       text             not null default '';

alter table measurement
    add column cv_percent    double precision, -- coefficient of variation over time
    add column cliff_mb      double precision, -- 10^6 bytes
    add column cliff_percent double precision;

-- What single units show, of which modules' summaries are made: what a change of one submission takes does not grow with
-- the number of its module's runs. See index.Unit.
create table unit (
    module_slug    text             not null, -- as the module is called now
    contributor    bytea            not null,
    method         text             not null,
    tag            text             not null, -- empty: all of the contributor's that show no serial number
    host_class     text             not null, -- empty: several
    best           boolean          not null,
    runs           integer          not null,
    figures        float8[]         not null,
    bus_mb_per_s   double precision not null,
    boards         text[]           not null,
    results        integer          not null,
    newest         text             not null,
    newest_at      timestamptz      not null,
    variant        text             not null,
    evidence       text[]           not null,
    price_amount   double precision not null,
    price_currency text             not null,
    price_on       text             not null,
    primary key (module_slug, contributor, method, tag, host_class)
);

-- What modules show: all their units, those in one class of hosts, those of one variant. See index.Summary.
create table module_summary (
    module_slug  text    not null,
    method       text    not null,
    host_class   text    not null, -- empty: each unit where it is best
    variant      text    not null, -- empty: all
    contributors integer not null, -- whose units count
    summary      jsonb   not null,
    primary key (module_slug, method, host_class, variant)
);

alter table publication
    add column summed          bigint   not null default -1, -- generation that units and summaries are of
    add column unit_version    smallint not null default 0,  -- rules that the units were made by
    add column summary_version smallint not null default 0,  -- rules that the summaries were made by
    add column facts_version   smallint not null default 0,  -- rules that all submissions' facts were derived by
    add column facts_upto      uuid;                         -- how far the next rules have come

-- unit_figure, module_contributor, module_figure and module_method are of the version before, which goes on using them
-- until the last of its servers has gone; a later migration takes them.

-- +goose Down
alter table publication drop column summed, drop column unit_version, drop column summary_version, drop column facts_version, drop column facts_upto;
drop table unit, module_summary;
alter table measurement drop column cv_percent, drop column cliff_mb, drop column cliff_percent;
alter table submission drop column facts_version, drop column figures, drop column host_class, drop column bus_mb_per_s, drop column variant,
    drop column evidence, drop column price_amount, drop column price_currency, drop column price_on;
