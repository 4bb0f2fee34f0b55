package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// placement lists the tables that Citus distributes by a column, or copies to every node if there is no column. All
// other tables stay on the coordinator: they are small, and no query joins them with distributed tables.
var placement = []struct{ table, column, with string }{
	{"contributor", "", ""},
	{"contributor_secret", "", ""},
	{"module", "", ""},
	{"module_alias", "", ""},
	{"module_touched", "", ""},
	{"agreement", "", ""},
	{"submission", "id", "none"},
	{"measurement", "submission_id", "submission"},
	{"submission_event", "submission_id", "submission"},
	{"outbox", "submission_id", "submission"},
	{"sample", "sha256", "none"},
	{"sketch", "submission_id", "submission"},
	{"unit", "module_slug", "none"},
	{"module_summary", "module_slug", "unit"},
}

// Distribute tells Citus to distribute the tables of the database at databaseURL over its nodes. It skips tables that
// are already distributed. Call it while nobody uses the database, because it locks each table while its rows move.
func Distribute(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var citus bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_extension where extname = 'citus')").Scan(
		&citus); err != nil {
		return fmt.Errorf("migrations: %w", err)
	} else if !citus {
		return errors.New("this database has no extension citus: " +
			"its superuser must run \"create extension citus\" there and add the nodes")
	}
	// A node with both tables and shards needs this setting.
	if _, err := conn.Exec(ctx, "set citus.enable_local_execution = on"); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	for _, p := range placement {
		statement, args := "select create_reference_table($1::text::regclass)", []any{p.table}
		if p.column != "" {
			statement = "select create_distributed_table($1::text::regclass, $2, colocate_with => $3)"
			args = []any{p.table, p.column, p.with}
		}
		var distributed bool
		const ask = "select exists (select from citus_tables where table_name = $1::text::regclass)"
		if err := conn.QueryRow(ctx, ask, p.table).Scan(&distributed); err != nil {
			return fmt.Errorf("migrations: %w", err)
		} else if distributed {
			continue
		}
		if _, err := conn.Exec(ctx, statement, args...); err != nil {
			return fmt.Errorf("the table %s could not be distributed; the tables before it are done: %w", p.table, err)
		}
	}
	return nil
}
