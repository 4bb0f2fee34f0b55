\set contributor random(1, 100)
with upload as materialized (
	select gen_random_uuid() as id, decode(lpad(to_hex(:contributor::int), 64, '0'), 'hex') as contributor, :document::bytea as document
), submitted as (
	insert into submission (id, contributor, received_at, body_sha256, schema_version, state, state_reason, method, profile, client,
		host_board, bus_mode, unit_tag, module_slug, not_ranked, document, facts_version, figures, host_class)
	select id, contributor, now(), sha256(document), 1, 'accepted', '', 'flashdex-1', 'standard', 'flashdex 0.1.0', 'x86_64', '', null,
		'acme-turbo-1gb-microsd', '{}', document, 1, array[6244.5, 7301.2, 25.1, 44.2, 0.393216, 9.437184, 1.048576, 12.5, 3.25, 'NaN', 100], 'other'
	from upload
	on conflict (id) do nothing
	returning id
), known as (
	insert into contributor (secret_sha256, first_seen) select contributor, now() from upload on conflict do nothing
), named as (
	insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
	values ('acme-turbo-1gb-microsd', 'Acme', 'Turbo', 1, 'microsd', '{}', 'typed', true) on conflict do nothing
), measured as (
	insert into measurement (submission_id, test, block_bytes, queue_depth, sync, ended, mb_per_s, iops, iops_low, iops_high, kib_per_op,
		p50_ns, p99_ns, p999_ns, max_ns, cv_percent)
	select id, test, 4096, 1, 'dsync', 'complete', 25.1, 6244.5, 6180.25, 6310.75, 4.01, 131072, 393216, 1048576, 9437184, 12.5
	from submitted, unnest(array['seq-write', 'seq-read', 'rand-write', 'rand-read']) test
), happened as (
	insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
	select id, gen_random_uuid(), now(), null, 'accepted', '', 'server' from submitted
)
insert into outbox (submission_id, id, created_at) select id, gen_random_uuid(), now() from submitted;
