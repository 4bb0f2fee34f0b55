-- +goose Up

-- When the results of a module, or what was made of them, changed last: a publication makes the pages of those anew that changed since
-- the one before. A time and no generation, since a database that was restored counts the same generations again.
create table module_touched (
    module_slug text        primary key references module on delete cascade,
    at          timestamptz not null
);

-- +goose Down
drop table module_touched;
