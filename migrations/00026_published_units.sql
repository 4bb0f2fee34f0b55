-- +goose Up
-- Of a published figure: on whose unit it was measured, how good method and host are, and the time that it is.
alter table published
    add column of_unit text not null default '',
    add column quality text not null default '', -- A, B or C
    add column ms      double precision;         -- null: it is no time

-- +goose Down
alter table published drop column of_unit, drop column quality, drop column ms;
