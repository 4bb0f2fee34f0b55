package migrations_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// granted returns a migrated database whose rights were granted anew.
func granted(t *testing.T) (url string, conn *pgx.Conn) {
	t.Helper()
	url = clustertest.New(t)
	if err := migrations.Up(t.Context(), url); err != nil { // a copy of a database doesn't have the database's own rights
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return url, conn
}

// pairs reads rows of two texts.
func pairs(t *testing.T, conn *pgx.Conn, query string, args ...any) map[string]string {
	t.Helper()
	rows, _ := conn.Query(t.Context(), query, args...)
	found := map[string]string{}
	var key, value string
	if _, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
		found[key] = value
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// Whoever adds a table or a function says in roles.go who may use it.
func TestRolesHaveTheRightsThatAreListedAndNoOthers(t *testing.T) {
	t.Parallel()
	_, conn := granted(t)
	for _, role := range []string{migrations.ServerRole, migrations.WorkerRole} {
		want := map[string]string{}
		for _, table := range migrations.Tables {
			rights := table.Server
			if role == migrations.WorkerRole {
				rights = table.Worker
			}
			each := strings.Split(rights, ", ")
			slices.Sort(each)
			want[table.Name] = strings.Join(each, ", ")
		}
		// A right on a column counts like one on its table.
		got := pairs(t, conn, `
			select c.relname::text, coalesce(string_agg(r, ', ' order by r) filter (where has_table_privilege($1, c.oid, r)
				or r in ('select', 'insert', 'update', 'references') and has_any_column_privilege($1, c.oid, r)), '')
			from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) r
			where c.relnamespace = 'public'::regnamespace and c.relkind not in ('i', 'I', 'S', 't') group by c.oid, c.relname`,
			role)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what %s may do with tables and views (-listed +is):\n%s", role, diff)
		}
		may := map[string]string{}
		for _, f := range migrations.Functions {
			may[signature(t, conn, f.Signature)] = map[bool]string{true: "may", false: "may not"}[f.Role == role]
		}
		got = pairs(t, conn, `
			select p.oid::regprocedure::text,
				case when has_function_privilege($1, p.oid, 'execute') then 'may' else 'may not' end
			from pg_proc p where p.pronamespace = 'public'::regnamespace`, role)
		if diff := cmp.Diff(may, got); diff != "" {
			t.Errorf("what %s may call (-listed +is):\n%s", role, diff)
		}
		other := pairs(t, conn, `
			select 'rights of the role', concat_ws(', ', rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls)
				from pg_roles where rolname = $1
			union all select 'other roles', (select count(*) from pg_auth_members where member = r.oid)::text
				from pg_roles r where rolname = $1
			union all select 'schemas to create in', (select count(*) from pg_namespace n
				where has_schema_privilege($1, n.oid, 'create'))::text
			union all select 'creates in the database',
				has_database_privilege($1, current_database(), 'create, temporary')::text
			union all select 'sequences', (select count(*) from pg_class c where case relkind
				when 'S' then has_sequence_privilege($1, c.oid, 'usage, select, update') else false end)::text
			union all select 'own objects', (select count(*) from pg_shdepend where deptype = 'o' and refobjid = r.oid)::text
				from pg_roles r where rolname = $1`, role)
		if diff := cmp.Diff(map[string]string{
			"rights of the role": "f, f, f, f, f", "other roles": "0", "schemas to create in": "0",
			"creates in the database": "false", "sequences": "0", "own objects": "0",
		}, other); diff != "" {
			t.Errorf("%s otherwise (-want +is):\n%s", role, diff)
		}
	}
}

// signature returns a function's signature as Postgres writes it.
func signature(t *testing.T, conn *pgx.Conn, of string) (text string) {
	t.Helper()
	ask := "select $1::regprocedure::text"
	if !strings.Contains(of, "(") {
		ask = "select $1::regproc::oid::regprocedure::text"
	}
	if err := conn.QueryRow(t.Context(), ask, of).Scan(&text); err != nil {
		t.Fatalf("%s: %v", of, err)
	}
	return text
}

// A function that runs with the rights of the owner means the tables and functions of the owner, whatever search path
// its caller has. What a role may call runs so, or the role needs rights of its own.
func TestFunctionsNameTheSchemasTheyMean(t *testing.T) {
	t.Parallel()
	_, conn := granted(t)
	asOwner := pairs(t, conn, `
		select p.oid::regprocedure::text, p.prosecdef::text from pg_proc p where p.pronamespace = 'public'::regnamespace`)
	for name, path := range pairs(t, conn, `
		select p.oid::regprocedure::text, coalesce(array_to_string(p.proconfig, '; '), '')
		from pg_proc p where p.pronamespace = 'public'::regnamespace`) {
		if path != "search_path=pg_catalog, public, pg_temp" {
			t.Errorf("%s has the settings %q", name, path)
		}
	}
	byServer := map[string]bool{}
	for _, f := range migrations.Functions {
		if f.Role == migrations.ServerRole {
			byServer[signature(t, conn, f.Signature)] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asOwner)) {
		if is := asOwner[name] == "true"; is != (byServer[name] || name == "analyze_figures()") {
			t.Errorf("%s runs with the rights of the owner: %v", name, is)
		}
	}
}

// Rights are granted anew by each migration: what somebody granted or revoked by hand is undone.
func TestRightsAreGrantedAnew(t *testing.T) {
	t.Parallel()
	url, conn := granted(t)
	execute(t, conn, `grant update on submission to flashdex_server; grant select on operator to flashdex_worker;
		grant select (token_sha256) on operator to flashdex_server; revoke select on submission from flashdex_server;
		grant execute on function erase to flashdex_server; grant execute on function erase to public;
		grant temporary on database `+conn.Config().Database+` to public; grant create on schema public to public`)
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	got := pairs(t, conn, `
		select 'update', has_table_privilege('flashdex_server', 'submission', 'update')::text
		union all select 'operators', (has_table_privilege('flashdex_worker', 'operator', 'select')
			or has_any_column_privilege('flashdex_server', 'operator', 'select'))::text
		union all select 'select', has_table_privilege('flashdex_server', 'submission', 'select')::text
		union all select 'erase', has_function_privilege('flashdex_server', 'erase(text, uuid, text)', 'execute')::text
		union all select 'temporary', has_database_privilege('flashdex_server', current_database(), 'temporary')::text
		union all select 'create', has_schema_privilege('flashdex_server', 'public', 'create')::text`)
	if diff := cmp.Diff(map[string]string{"update": "false", "operators": "false", "select": "true", "erase": "false",
		"temporary": "false", "create": "false"}, got); diff != "" {
		t.Errorf("after another migration (-want +is):\n%s", diff)
	}
}

// Where somebody else makes the roles, as in a managed Postgres, the schema is migrated without them.
func TestAnOwnerWhoMayMakeNoRolesMigrates(t *testing.T) {
	t.Parallel()
	url, conn := empty(t)
	owner := "owner_of_" + conn.Config().Database
	execute(t, conn, "create role "+owner+" login; grant all on schema public to "+owner+"; grant all on database "+
		conn.Config().Database+" to "+owner)
	t.Cleanup(func() {
		ctx := context.Background() // the test's has ended
		if other, err := pgx.Connect(ctx, url); err == nil {
			_, err = other.Exec(ctx, "reassign owned by "+owner+" to current_user; drop owned by "+owner+"; drop role "+owner)
			if err = errors.Join(err, other.Close(ctx)); err != nil {
				t.Error(err)
			}
		}
	})
	if err := migrations.Up(t.Context(), clustertest.As(t, url, owner)); err != nil {
		t.Fatal(err)
	}
	applied(t, conn)
	if is := pairs(t, conn, `select 'update', has_table_privilege('flashdex_server', 'submission', 'update')::text
		union all select 'select', has_table_privilege('flashdex_server', 'submission', 'select')::text`); is["update"] !=
		"false" || is["select"] != "true" {
		t.Errorf("roles that are there have %v", is)
	}
}
