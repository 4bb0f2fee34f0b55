-- +goose Up

-- A provisional module, which only contributors know of, has no page before it is confirmed: by a second contributor, by the registers
-- of a unit, or by an operator who vouches for it. Folds work that out. Modules that are there already keep their pages.
alter table module
    add column confirmed      boolean not null default true,
    add column vouched_by     text    not null default 'migration', -- empty: nobody does
    add column vouched_reason text    not null default '';
alter table module alter column confirmed set default false, alter column vouched_by set default '';

-- The registers of the unit agree with the name of its module.
alter table submission add column confirms boolean not null default false;

-- From which networks results came, the smallest first, as hashes under a key of a day that only the memory of the server that took them
-- holds. Rows are removed after three days. The table is unlogged, so that it is in no log, no standby and no base backup.
create unlogged table submission_network (
    submission_id uuid        primary key,
    at            timestamptz not null,
    networks      bytea[]     not null
);
create index submission_network_at on submission_network (at);

-- +goose Down
drop table submission_network;
alter table submission drop column confirms;
alter table module drop column confirmed, drop column vouched_by, drop column vouched_reason;
