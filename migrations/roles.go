package migrations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The owner of the tables migrates and decides. These roles may do what their processes need, and nothing else.
const (
	ServerRole = "flashdex_server" // answers requests from the internet
	WorkerRole = "flashdex_worker" // folds, imports data/ and publishes
)

// Tables lists every table and view, and what the two roles may do with it. Nobody but the owner may do anything with a
// table that lists nothing.
var Tables = []struct{ Name, Server, Worker string }{
	{"submission", "select", "select, update"},
	{"measurement", "select", "select, insert, delete"},
	{"submission_event", "select", "select, insert"},
	{"outbox", "select", "select, insert, delete"},
	{"submission_network", "select", "select, delete"},
	{"token_key", "", ""},
	{"sample", "", "select, insert, delete"},
	{"sketch", "", "select, insert, delete"},
	{"contributor", "select", "select, update"},
	{"contributor_secret", "", ""},
	{"operator", "", ""},
	{"operator_session", "", ""},
	{"decision", "select", ""},
	{"decision_result", "select", ""},
	{"module_merge", "select", ""},
	{"objection", "select", "select, delete"},
	{"module", "select", "select, insert, update, delete"},
	{"module_alias", "select", "select, insert, update, delete"},
	{"agreement", "select", "select, insert, update, delete"},
	{"module_name", "select", "select"},
	{"module_touched", "select", "select, insert, update, delete"},
	{"published", "select", "select, insert, update, delete"},
	{"unit", "select", "select, insert, delete, truncate"},
	{"module_summary", "select", "select, insert, update, delete"},
	{"calibration", "select", "select, insert"},
	{"publication", "select", "select, update"},
	{"lease", "select", "select, insert, update"},
	{"goose_db_version", "select", "select"},
	{"goose_lock", "", ""},
	// Only older versions, which connect as the owner, know these.
	{"module_figure", "", ""}, {"module_method", "", ""}, {"module_contributor", "", ""}, {"unit_figure", "", ""},
}

// Functions lists every function, and the role besides the owner that may call it. What the server calls changes
// something only for who has the secret or the token.
var Functions = []struct{ Signature, Role string }{
	{"contributor_of(bytea)", ServerRole},
	{"known_contributor(bytea)", ServerRole},
	{"store_result", ServerRole},
	{"store_submission", ServerRole}, // for servers of the version before, like the next
	{"token_keys()", ServerRole},
	{"crowded(bytea, timestamptz, timestamptz)", ServerRole},
	{"new_token_key()", ""},
	{"add_submission", ServerRole}, // for servers of versions before that, like the next
	{"upload", ServerRole},
	{"note_networks(bytea, uuid, bytea[])", ServerRole},
	{"take_back(bytea, uuid)", ServerRole},
	{"take_back_some(bytea, integer)", ServerRole},
	{"rotate_secret(bytea, bytea)", ServerRole},
	{"operator_of(bytea)", ServerRole},
	{"moderate(bytea, uuid, text, text, text)", ServerRole}, // for servers of the version before
	{"sign_in(bytea, bytea)", ServerRole},
	{"sign_out(bytea)", ServerRole},
	{"decide(bytea, uuid, uuid, text, text)", ServerRole},
	{"undo(bytea, uuid, uuid, text)", ServerRole},
	{"object(uuid, uuid, text, text, text, text, integer)", ServerRole}, // by anybody; it adds and changes nothing else
	{"close_objection(bytea, uuid, text)", ServerRole},
	{"confirm_module(bytea, text, text)", ServerRole},
	{"unconfirm_module(bytea, text, text)", ServerRole},
	{"confirm_contributor(bytea, uuid, text)", ServerRole},
	{"unconfirm_contributor(bytea, uuid, text)", ServerRole},
	{"merge_modules(bytea, text, text, text)", ServerRole},
	{"undo_merge(bytea, text, text)", ServerRole},
	{"choose_module", ServerRole},
	{"name_result(bytea, uuid, text, text)", ServerRole},
	{"merge_into(text, text, text, text)", WorkerRole}, // for data/
	{"analyze_figures()", WorkerRole},
	{"add_event(uuid, text, text, text, text, timestamptz)", ""},
	{"clear(uuid, text, text, text)", ""},
	{"erase(text, uuid, text)", ""},
	{"moderate(text, uuid, text, text, text)", ""},
	{"decide(text, uuid, uuid, text, text)", ""},
	{"undo(text, uuid, uuid, text)", ""},
	{"confirm_module(text, text, text)", ""},
	{"unconfirm_module(text, text, text)", ""},
	{"confirm_contributor(text, uuid, text)", ""},
	{"unconfirm_contributor(text, uuid, text)", ""},
	{"merge_modules(text, text, text, text)", ""},
	{"undo_merge(text, text, text)", ""},
	{"show_modules(text[])", ""},
	{"close_objection(text, uuid, text)", ""},
	{"name_result(text, uuid, text, text)", ""},
	{"move_result(uuid, text, text, text, text)", ""},
}

// grant makes the roles, if it may, and gives each that is there its rights, and no others.
func grant(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	roles, err := makeRoles(ctx, conn)
	if err != nil {
		return err
	}
	// Two programs that grant at once would hinder each other.
	statements := []string{"begin", "lock table goose_db_version in share update exclusive mode"}
	add := func(format string, args ...any) { statements = append(statements, fmt.Sprintf(format, args...)) }
	add("revoke create on schema public from public")
	add("revoke temporary on database %s from public", pgx.Identifier{config.Database}.Sanitize())
	for _, f := range Functions {
		add("revoke all on function %s from public", f.Signature)
	}
	for _, role := range roles {
		add("grant usage on schema public to %s", role)
		for _, t := range Tables {
			add("revoke all on %s from %s", t.Name, role)
			rights := t.Server
			if role == WorkerRole {
				rights = t.Worker
			}
			if rights != "" {
				add("grant %s on %s to %s", rights, t.Name, role)
			}
		}
		for _, f := range Functions {
			add("revoke all on function %s from %s", f.Signature, role)
			if f.Role == role {
				add("grant execute on function %s to %s", f.Signature, role)
			}
		}
	}
	_, err = conn.Exec(ctx, strings.Join(append(statements, "commit"), "; "))
	return err
}

// makeRoles returns which of the roles there are.
func makeRoles(ctx context.Context, conn *pgx.Conn) (roles []string, err error) {
	for _, role := range []string{ServerRole, WorkerRole} {
		var there, may bool
		const ask = `select exists (select from pg_roles where rolname = $1), rolsuper or rolcreaterole
			from pg_roles where rolname = current_user`
		if err := conn.QueryRow(ctx, ask, role).Scan(&there, &may); err != nil {
			return nil, err
		}
		if !there && may {
			_, err = conn.Exec(ctx, "create role "+role+" login")
			// A program that migrates another database of this Postgres may have been first.
			if there = err == nil || slices.Contains([]string{"42710", "23505"}, sqlState(err)); !there {
				return nil, err
			}
		}
		if there {
			roles = append(roles, role)
		}
	}
	return roles, nil
}
