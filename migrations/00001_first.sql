-- +goose Up

-- A contributor is whoever knows a secret. Only its hash is kept.
create table contributor (
    secret_sha256 bytea       primary key,
    first_seen    timestamptz not null
);

create table module (
    slug        text             primary key,
    vendor      text             not null,
    product     text             not null,
    capacity_gb double precision not null, -- 10^9 bytes; 0: not known
    form        text             not null,
    classes     text[]           not null,
    known_from  text             not null,
    provisional boolean          not null
);

create table submission (
    id             uuid        primary key,
    contributor    bytea       not null,
    received_at    timestamptz not null,
    body_sha256    bytea       not null, -- of document
    schema_version integer     not null,
    state          text        not null check (state in ('accepted', 'quarantined', 'rejected', 'deleted')),
    state_reason   text        not null,
    method         text        not null,
    profile        text        not null,
    client         text        not null, -- name and version
    host_board     text        not null,
    bus_mode       text        not null,
    unit_tag       text,                 -- null: the module shows no serial number
    module_slug    text        not null,
    not_ranked     text[]      not null, -- reasons, in words; empty: ranked
    document       bytea       not null  -- the exact bytes, decompressed
);
create index submission_module_slug on submission (module_slug);

-- Derived from the samples in submission.document, and replaceable from them. Null: the samples can't say.
create table measurement (
    submission_id uuid             not null,
    test          text             not null,
    block_bytes   bigint           not null,
    queue_depth   integer          not null,
    sync          text             not null,
    ended         text             not null,
    mb_per_s      double precision not null, -- 10^6 bytes
    iops          double precision,
    iops_low      double precision,          -- 95 % interval
    iops_high     double precision,
    kib_per_op    double precision,
    p50_ns        bigint,
    p99_ns        bigint,
    p999_ns       bigint,
    max_ns        bigint,
    primary key (submission_id, test)
);

-- Every change of a submission's state. Rows are added, never changed.
create table submission_event (
    submission_id uuid        not null,
    id            uuid        not null,
    at            timestamptz not null,
    from_state    text,                 -- null: it was not there before
    to_state      text        not null,
    reason        text        not null,
    actor         text        not null,
    primary key (submission_id, id)
);

-- Submissions that the aggregates and the site don't show yet as they are.
create table outbox (
    submission_id uuid        not null,
    id            uuid        not null,
    created_at    timestamptz not null,
    primary key (submission_id, id)
);

-- Figures that somebody published, one row for each line of a source's table.
create table published (
    source      text    not null,
    line        integer not null,
    module_slug text    not null, -- empty: it is of device_slug
    device_slug text    not null, -- reference device that is no flash module; else empty
    method      text    not null,
    test        text    not null,
    block_bytes bigint  not null, -- 0: not given
    queue_depth integer not null, -- 0: not known
    mb_per_s    double precision,
    iops        double precision,
    restates    integer not null, -- line with the same measurement in another unit; 0: none
    value_text  text    not null, -- as printed
    unit        text    not null,
    host        text    not null,
    tool        text    not null,
    date        text    not null,
    note        text    not null,
    primary key (source, line)
);

-- The aggregate of a module's ranked submissions: the median over each unit's runs, then over the units.
create table module_figure (
    module_slug  text             not null,
    method       text             not null,
    figure       text             not null,
    median       double precision not null,
    units        integer          not null,
    runs         integer          not null,
    contributors integer          not null,
    primary key (module_slug, method, figure)
);

-- Who may do what only one may do at a time.
create table lease (
    name       text        primary key,
    holder     text        not null,
    fence      bigint      not null, -- rises with each change of holder
    expires_at timestamptz not null
);

-- The generation of what a publication shows: it rises with each change.
create table publication (
    name   text   primary key,
    folded bigint not null
);
insert into publication (name, folded) values ('site', 0);

-- +goose Down
drop table publication, lease, module_figure, published, outbox, submission_event, measurement, submission, module, contributor;
