package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/migrations"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// openAs returns a store and a connection for a role of a database.
func openAs(t *testing.T, url, role string) (*store.Store, *pgx.Conn) {
	t.Helper()
	as := clustertest.As(t, url, role)
	s, err := store.Open(t.Context(), as)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	conn, err := pgx.Connect(t.Context(), as)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return s, conn
}

// openRoles opens a database with its owner, on a Postgres that lets everybody in under any name.
func openRoles(t *testing.T) (*store.Store, string) {
	t.Helper()
	if throughPooler() || os.Getenv(clustertest.ServerFromEnv) != "" {
		t.Skip("the test needs a Postgres that knows the roles")
	}
	s, url := open(t)
	if err := migrations.Up(t.Context(), url); err != nil { // a copy of a database doesn't have the database's own rights
		t.Fatal(err)
	}
	return s, url
}

// contents is everything that a database holds.
func contents(t *testing.T, url string) (all map[string]string) {
	t.Helper()
	all = map[string]string{}
	for _, table := range migrations.Tables {
		if !strings.HasPrefix(table.Name, "goose") {
			all[table.Name] = value[string](t, url, "select coalesce(string_agg(r::text, e'\\n' order by r::text), '') from "+
				table.Name+" r")
		}
	}
	return all
}

// Somebody who takes over the public process, or makes it send their statements, can't change stored data.
func TestTheServersRoleIsRefused(t *testing.T) {
	t.Parallel()
	s, url := openRoles(t)
	id := add(t, s, alice, ultra, "", 1)
	fold(t, s)
	if err := s.AddOperator(t.Context(), "carol", bob); err != nil {
		t.Fatal(err)
	}
	_, conn := openAs(t, url, migrations.ServerRole)
	before := contents(t, url)
	pid := value[int](t, url, `
		select pid from pg_stat_activity where usename = current_user and pid <> pg_backend_pid() limit 1`)
	const refused = "42501" // insufficient_privilege
	for _, statement := range []string{
		// the schema
		"create table more ()", "create temporary table operator (token_sha256 bytea, name text, revoked_at text)",
		"create view more as select 1", "create schema more", "create extension pg_trgm", "create sequence more",
		"create function public.sha256(bytea) returns bytea language sql as 'select $1'",
		"create function pg_temp.sha256(bytea) returns bytea language sql as 'select $1'",
		"create or replace function operator_of(token bytea) returns text language sql as $$ select 'carol' $$",
		"alter function operator_of(bytea) reset search_path", "alter function erase(text, uuid, text) security definer",
		"drop function operator_of(bytea)", "alter table submission add more int", "alter table submission set unlogged",
		"drop table submission", "truncate submission", "create index on submission (state)",
		"create rule more as on update to submission do instead nothing", "comment on table submission is 'more'",
		"create trigger more before insert on submission for each row execute function suppress_redundant_updates_trigger()",
		"create policy more on submission", "begin; lock table submission in exclusive mode", "create publication more",
		"alter table submission owner to flashdex_server",
		// results, and figures made of them
		"insert into submission (id) values (gen_random_uuid())", "update submission set state = 'accepted'",
		"update submission set document = ''", "delete from submission", "select from submission for update",
		"insert into measurement select * from measurement", "update measurement set mb_per_s = 1000",
		"delete from measurement",
		"insert into unit select * from unit", "delete from module_summary", "update publication set folded = 0",
		"insert into outbox select * from outbox", "update lease set holder = 'me'", "delete from lease",
		"insert into published select * from published", "select analyze_figures()",
		"insert into submission_network values (gen_random_uuid(), now(), '{}')", "delete from submission_network",
		// decisions
		"insert into submission_event select * from submission_event", "delete from submission_event",
		"select add_event('" + id + "', 'accepted', 'rejected', 'why', 'operator carol', now())",
		"select moderate('operator carol'::text, '" + id + "', 'rejected', 'why', '')",
		"select erase('operator carol', '" + id + "', 'why')", "select clear('" + id + "', 'accepted', 'why', 'contributor')",
		"select confirm_module('operator carol'::text, 'sandisk-ultra-16gb-sd', 'why')",
		"select unconfirm_module('operator carol'::text, 'sandisk-ultra-16gb-sd', 'why')",
		"select unconfirm_contributor('operator carol'::text, '" + id + "', 'why')",
		"select merge_modules('operator carol'::text, 'a', 'b', 'why')",
		"select merge_into('operator carol', 'a', 'b', 'why')", "select undo_merge('operator carol'::text, 'a', 'why')",
		"select show_modules('{a}')", "delete from module_merge",
		"update module set vouched_by = 'me'", "insert into module_alias values ('a', 'b', now(), 'me', 'why')",
		"insert into module select * from module", "delete from module",
		// secrets and tokens
		"select from contributor_secret", "insert into contributor_secret values ('', '', now())",
		"update contributor set first_seen = now()", "insert into contributor values ('', now())",
		"select name from operator",
		"select token_sha256 from operator", "insert into operator values ('', 'me', now())", "copy operator to stdout",
		// other roles, files and programs
		"set role flashdex", "set role flashdex_worker", "set session authorization flashdex", "create role more",
		"alter role flashdex_server superuser", "alter role flashdex_server bypassrls", "grant flashdex to flashdex_server",
		"alter role flashdex set search_path = more", "alter database " + conn.Config().Database + " set search_path = more",
		"alter default privileges for role flashdex grant all on tables to flashdex_server",
		"alter system set fsync = off", "copy submission to program 'true'", "copy (select 1) to '/tmp/flashdex-more'",
		"select pg_read_file('postmaster.pid')", "select lo_import('/etc/passwd')",
		fmt.Sprintf("select pg_terminate_backend(%d)", pid), "select pg_reload_conf()", "select * from pg_authid",
	} {
		_, err := conn.Exec(t.Context(), statement)
		if code(err) != refused {
			t.Errorf("%s: %v", statement, err)
		}
		if _, err := conn.Exec(t.Context(), "rollback"); err != nil {
			t.Fatal(err)
		}
	}
	// A grant of what one doesn't have is no error.
	if _, err := conn.Exec(t.Context(), "grant select on operator to flashdex_server"); err == nil {
		t.Error("it grants itself a right")
	}
	if diff := gocmp.Diff(before, contents(t, url)); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
}

// code returns the code of an error of Postgres.
func code(err error) string {
	type coded interface {
		error
		SQLState() string
	}
	if of, ok := errors.AsType[coded](err); ok {
		return of.SQLState()
	}
	return ""
}

// The functions ask for the secret or the token. The hash in the tables isn't enough.
func TestFunctionsAskForTheSecret(t *testing.T) {
	t.Parallel()
	s, url := openRoles(t)
	id := add(t, s, alice, ultra, "", 1)
	fold(t, s)
	if err := s.AddOperator(t.Context(), "carol", bob); err != nil {
		t.Fatal(err)
	}
	if err := s.AddOperator(t.Context(), "revoked", alice); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokeOperator(t.Context(), "revoked"); err != nil {
		t.Fatal(err)
	}
	server, conn := openAs(t, url, migrations.ServerRole)
	before := contents(t, url)
	rejected := submission.Decision{State: submission.Rejected, Reason: "why"}
	for name, wrong := range map[string][sha256.Size]byte{
		"the hash of the contributor's secret": sha256.Sum256(alice[:]),
		"the hash of the operator's token":     sha256.Sum256(bob[:]),
		"a token that was revoked":             alice, "nothing": {},
	} {
		by := submission.Authority{Token: wrong}
		for what, err := range map[string]error{
			"accept or reject": server.Moderate(t.Context(), id, rejected, by),
			"merge":            server.MergeModules(t.Context(), ultra.Slug, evo.Slug, "why", by),
			"confirm":          server.ConfirmModule(t.Context(), ultra.Slug, "why", by),
			"unconfirm":        server.UnconfirmModule(t.Context(), ultra.Slug, "why", by),
			"name":             server.NameResult(t.Context(), id, evo.Slug, "why", by),

			"unconfirm a contributor": server.UnconfirmContributor(t.Context(), id, "why", by),
		} {
			if kind(err) != problem.NotOperator {
				t.Errorf("%s with %s: %v", what, name, err)
			}
		}
		if _, err := server.Operator(t.Context(), wrong); kind(err) != problem.NotOperator {
			t.Errorf("an operator by %s: %v", name, err)
		}
		if wrong == alice {
			continue
		}
		if err := server.DeleteSubmission(t.Context(), wrong, id); kind(err) != problem.NotYours {
			t.Errorf("deletion with %s: %v", name, err)
		}
		if err := server.ChooseModule(t.Context(), wrong, id, evo); kind(err) != problem.NotYours {
			t.Errorf("a name with %s: %v", name, err)
		}
		if _, err := server.DeleteContributor(t.Context(), wrong); kind(err) != problem.UnknownContributor {
			t.Errorf("deletion of everything with %s: %v", name, err)
		}
		err := server.RotateSecret(t.Context(), wrong, sha256.Sum256([]byte("mine")))
		if kind(err) != problem.UnknownContributor {
			t.Errorf("a change of the secret with %s: %v", name, err)
		}
		// Servers of the version before call it.
		if _, err := conn.Exec(t.Context(), "select note_networks($1, $2, '{a}')", wrong[:], id); err != nil {
			t.Error(err)
		}
	}
	// A decision accepts or rejects, and no other state is allowed, for an upload either.
	token := `'\x` + hex.EncodeToString(bob[:]) + "'::bytea"
	for _, state := range []string{"deleted", "quarantined", "''"} {
		_, err := conn.Exec(t.Context(), "select moderate("+token+", '"+id+"', $1, 'why', '')", state)
		if code(err) != "23514" {
			t.Errorf("an operator decides %q: %v", state, err)
		}
	}
	doc, body := run(t, "", 1)
	if _, err := server.AddSubmission(t.Context(), alice, doc, body, ultra, submission.Decision{State: "deleted"},
		submission.Origin{}); code(
		err) != "23514" {
		t.Errorf("an upload that is deleted: %v", err)
	}
	if diff := gocmp.Diff(before, contents(t, url)); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
}

// Even with a schema of its own, or with temporary tables, the server's role can't make a function use its tables
// instead of the real ones.
func TestNothingShadowsWhatFunctionsMean(t *testing.T) {
	t.Parallel()
	s, url := openRoles(t)
	id := add(t, s, alice, ultra, "", 1)
	execute(t, url, "create schema mine authorization flashdex_server; grant temporary on database "+
		value[string](t, url, "select current_database()")+" to flashdex_server")
	server, conn := openAs(t, url, migrations.ServerRole)
	if _, err := conn.Exec(t.Context(), `
		create table mine.operator (token_sha256 bytea, name text, revoked_at timestamptz);
		create table mine.contributor_secret (secret_sha256 bytea, contributor bytea, retired_at timestamptz);
		create temporary table operator (token_sha256 bytea, name text, revoked_at timestamptz);
		create temporary table contributor_secret (secret_sha256 bytea, contributor bytea, retired_at timestamptz);
		create function mine.operator_of(bytea) returns text language sql as $$ select 'carol' $$;
		create function mine.sha256(bytea) returns bytea language sql as 'select $1';
		insert into operator values (sha256('me'), 'carol'); insert into mine.operator values (sha256('me'), 'carol');
		insert into contributor_secret select sha256('me'), contributor from submission;
		insert into mine.contributor_secret select sha256('me'), contributor from submission`); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"mine, pg_catalog, public", "pg_temp, public", "mine, pg_temp, pg_catalog, public", "public",
	} {
		if _, err := conn.Exec(t.Context(), "set search_path = "+path); err != nil {
			t.Fatal(err)
		}
		for statement, want := range map[string]string{
			"select public.moderate('me'::bytea, '" + id + "', 'rejected', 'why', '')":                "no operator",
			"select outcome from public.merge_modules('me'::bytea, '" + ultra.Slug + "', 'b', 'why')": "no operator",
			"select public.take_back('me', '" + id + "')":                                             "not yours",
			"select coalesce(public.operator_of('me'), 'nobody')":                                     "nobody",
			"select (id = pg_catalog.sha256('me'))::text from public.contributor_of('me')":            "true",
			"select public.rotate_secret('me', 'you')":                                                "unknown",
		} {
			var outcome string
			if err := conn.QueryRow(t.Context(), statement).Scan(&outcome); err != nil || outcome != want {
				t.Errorf("with the search path %s, %s: %q, %v", path, statement, outcome, err)
			}
		}
	}
	if sub, _, _, err := server.Submission(t.Context(), id); err != nil || sub.State != submission.Accepted {
		t.Errorf("the result is %+v, %v", sub, err)
	}
}

// The worker's role can fold, import, rebuild everything and hold leases. It can neither decide nor change the schema.
func TestTheWorkersRoleDoesItsWorkAndNoMore(t *testing.T) {
	t.Parallel()
	owner, url := openRoles(t)
	server, _ := openAs(t, url, migrations.ServerRole)
	worker, conn := openAs(t, url, migrations.WorkerRole)
	former := catalogue.Module{Slug: "former", Product: "Former", KnownFrom: catalogue.KnownFromTyped, Provisional: true}
	now := evo
	now.Formerly = []string{former.Slug}
	add(t, server, alice, former, "", 1)
	gone := add(t, server, bob, ultra, "", 1)
	if err := server.DeleteSubmission(t.Context(), bob, gone); err != nil {
		t.Fatal(err)
	}
	fold(t, worker)
	age(t, url)
	if err := worker.ImportCatalogue(t.Context(), []catalogue.Module{now}, []catalogue.Published{
		{Source: "a", Line: 1, ModuleSlug: evo.Slug, Method: "m", Test: "t"}}); err != nil {
		t.Fatal(err)
	}
	fold(t, worker)
	for _, again := range []string{"unit_version = 0", "summary_version = 0", "facts_version = 0"} {
		execute(t, url, "update publication set "+again)
		fold(t, worker)
	}
	if got := snapshot(t, worker); len(got.Modules) != 1 || len(got.Summaries) == 0 || got.Modules[0].Slug != evo.Slug {
		t.Errorf("the worker publishes %+v, %+v", got.Modules, got.Summaries)
	}
	if err := worker.ImportCatalogue(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := worker.KeepIn(t.Context(), result.NewID(), false); err != nil {
		t.Error(err)
	}
	if _, held, err := worker.Acquire(t.Context(), "publisher", "me", 1); err != nil || !held {
		t.Error(held, err)
	}
	if err := worker.Release(t.Context(), "publisher", "me"); err != nil {
		t.Error(err)
	}
	for _, statement := range []string{
		"create table more ()", "create temporary table more ()", "alter table unit add more int", "drop table unit",
		"select from operator", "insert into operator values ('', 'me', now())", "select from contributor_secret",
		"insert into submission (id) values (gen_random_uuid())", "delete from submission", "truncate submission",
		"update submission_event set actor = 'me'", "delete from submission_event", "set role flashdex",
		"select moderate('operator carol'::text, '" + gone + "', 'rejected', 'why', '')",
		"select take_back('', '" + gone + "')", "select erase('operator carol', '" + gone + "', 'why')",
	} {
		if _, err := conn.Exec(t.Context(), statement); code(err) != "42501" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	for name, is := range map[*store.Store]bool{owner: true, worker: true, server: false} {
		if got, err := name.Unrestricted(t.Context()); err != nil || got != is {
			t.Errorf("unrestricted: %v, want %v (%v)", got, is, err)
		}
	}
}
