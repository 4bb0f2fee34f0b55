-- +goose NO TRANSACTION
-- Most submissions are accepted, so the index is small.
-- +goose Up
drop index concurrently if exists submission_state;
create index concurrently submission_state on submission (state, id) where state in ('quarantined', 'rejected');

-- +goose Down
drop index concurrently submission_state;
