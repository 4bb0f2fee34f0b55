package migrations

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// placement is how Citus keeps the tables: by a column, or a copy at every node if there is none. What isn't named here stays on the
// coordinator: the lease, the generation, operators and published figures, which are few and read together with nothing distributed.
var placement = []struct{ table, column, with string }{
	{"contributor", "", ""},
	{"contributor_secret", "", ""},
	{"module", "", ""},
	{"module_alias", "", ""},
	{"module_touched", "", ""},
	{"submission", "id", "none"},
	{"measurement", "submission_id", "submission"},
	{"submission_event", "submission_id", "submission"},
	{"outbox", "submission_id", "submission"},
	{"unit", "module_slug", "none"},
	{"module_summary", "module_slug", "unit"},
}

// Distribute has Citus, which the database at databaseURL must have as an extension, spread the tables over its nodes. Tables that are
// spread already stay as they are. It is for a database that is not in use: each table is locked while its rows move.
func Distribute(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var citus bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_extension where extname = 'citus')").Scan(&citus); err != nil {
		return fmt.Errorf("migrations: %w", err)
	} else if !citus {
		return fmt.Errorf("this database has no extension citus: have its superuser run \"create extension citus\" there, and add the nodes")
	}
	// It has to be on for a node that holds both tables and shards.
	if _, err := conn.Exec(ctx, "set citus.enable_local_execution = on"); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	for _, p := range placement {
		statement, args := "select create_reference_table($1::text::regclass)", []any{p.table}
		if p.column != "" {
			statement, args = "select create_distributed_table($1::text::regclass, $2, colocate_with => $3)", []any{p.table, p.column, p.with}
		}
		var there bool
		if err := conn.QueryRow(ctx, "select exists (select from citus_tables where table_name = $1::text::regclass)", p.table).Scan(&there); err != nil {
			return fmt.Errorf("migrations: %w", err)
		} else if there {
			continue
		}
		if _, err := conn.Exec(ctx, statement, args...); err != nil {
			return fmt.Errorf("the table %s could not be distributed; those before it are: %w", p.table, err)
		}
	}
	return nil
}
