-- +goose NO TRANSACTION
-- The index of 00028 with five more methods. A server of the version before asks for six of the eleven, which this index
-- answers too. Uploads go on while the index is made. An attempt that broke off leaves an index that is not valid,
-- hence the first drop.
-- +goose Up
drop index concurrently if exists submission_profiled_inside;
create index concurrently submission_profiled_inside on submission (module_slug, method, received_at, id)
    where state = 'accepted' and cardinality(not_ranked) = 1
        and method in ('sustained-1', 'sweep-1', 'iozone-50m', 'startup-1', 'files-1', 'recording-1', 'recorder-1',
            'structure-1', 'queue-1', 'saturate-1', 'mixed-1');
drop index concurrently if exists submission_profiled_recording;

-- +goose Down
drop index concurrently if exists submission_profiled_recording;
create index concurrently submission_profiled_recording on submission (module_slug, method, received_at, id)
    where state = 'accepted' and cardinality(not_ranked) = 1
        and method in ('sustained-1', 'sweep-1', 'iozone-50m', 'startup-1', 'files-1', 'recording-1');
drop index concurrently submission_profiled_inside;
