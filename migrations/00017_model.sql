-- +goose Up

-- What a published figure measured, who did (empty: no figure of Flashdex can be compared with it), and what its host carries.
alter table published
    add column kind          text             not null default '',
    add column contributor   text             not null default '',
    add column host_mb_per_s double precision not null default 0; -- 0: not known

-- +goose Down
alter table published drop column kind, drop column contributor, drop column host_mb_per_s;
