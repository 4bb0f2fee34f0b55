package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
)

// beTheServer makes this test binary run as the server.
const beTheServer = "FLASHDEX_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(beTheServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

type (
	statusKey struct{}
	testKey   struct{}
)

var update = flag.Bool("update", false, "write what the server prints now into the transcripts that compare it")

// TestTranscripts runs the transcripts in testdata/*.txt. $HUGO and $SITE name the program and the project to publish
// with. These commands are ours:
//
//	api ARGUMENTS         run the server
//	status N              the last api ended with this exit status
//	says TEXT             the last api printed nothing to stdout, and one line with TEXT to stderr
//	database              make a migrated database that the server uses from now on
//	sql STATEMENTS        run them in the database
//	quarantined NAME SLUG store a quarantined result of this module, by a board with a control character; $NAME is its id
//	tokens N              the last api printed N tokens
//	decision NAME         $NAME is the id by which the last api said that its decision is undone
//	empty DIR             there is nothing in this directory
func TestTranscripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                "testdata",
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Setup: func(env *testscript.Env) error {
			env.Values[testKey{}], env.Values[statusKey{}] = env.T(), new(int)
			env.Setenv(beTheServer, "1")
			env.Setenv("NOBODY", result.NewID())
			for name, path := range map[string]string{"HUGO": "../bin/hugo", "SITE": "../site"} {
				absolute, err := filepath.Abs(path)
				if err != nil {
					return err
				}
				env.Setenv(name, absolute)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"api": runServer, "status": checkStatus, "says": checkSays, "database": makeDatabase, "sql": runSQL,
			"quarantined": storeQuarantined, "tokens": countTokens, "empty": checkEmpty,
			"decision": keepDecision,
		},
	})
}

func runServer(ts *testscript.TestScript, fails bool, arguments []string) {
	status := ts.Value(statusKey{}).(*int)
	*status = 0
	program, err := os.Executable()
	ts.Check(err)
	var ended *exec.ExitError
	if err := ts.Exec(program, arguments...); errors.As(err, &ended) {
		*status = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if fails != (*status != 0) {
		ts.Fatalf("exit status %d", *status)
	}
}

func checkStatus(ts *testscript.TestScript, _ bool, arguments []string) {
	if got := *ts.Value(statusKey{}).(*int); len(arguments) != 1 || strconv.Itoa(got) != arguments[0] {
		ts.Fatalf("exit status %d, want %q", got, arguments)
	}
}

func checkSays(ts *testscript.TestScript, _ bool, arguments []string) {
	said := ts.ReadFile("stderr")
	one := strings.Count(said, "\n") == 1 && strings.HasPrefix(said, "flashdex: ")
	if len(arguments) != 1 || !one || !strings.Contains(said, arguments[0]) || ts.ReadFile("stdout") != "" {
		ts.Fatalf("want one line with %q on stderr, and nothing else", arguments)
	}
}

func makeDatabase(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Setenv("FLASHDEX_DATABASE_URL", clustertest.New(ts.Value(testKey{}).(testing.TB)))
}

func runSQL(ts *testscript.TestScript, _ bool, arguments []string) {
	ctx := ts.Value(testKey{}).(testing.TB).Context()
	conn, err := pgx.Connect(ctx, ts.Getenv("FLASHDEX_DATABASE_URL"))
	ts.Check(err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, strings.Join(arguments, " "))
	ts.Check(err)
}

func storeQuarantined(ts *testscript.TestScript, _ bool, arguments []string) {
	ctx := ts.Value(testKey{}).(testing.TB).Context()
	db, err := store.Open(ctx, ts.Getenv("FLASHDEX_DATABASE_URL"))
	ts.Check(err)
	defer db.Close()
	text, err := os.ReadFile(filepath.Join(ts.Getenv("SITE"), "../result/testdata/valid/sd-card.json"))
	ts.Check(err)
	var doc result.Document
	ts.Check(json.Unmarshal(text, &doc))
	doc.ID, doc.Host.Board = result.NewID(), "\x1b[2J evil"
	doc.StartedAt = copiestest.NextStart()
	module := catalogue.Module{Slug: arguments[1], Product: "Card", Form: "sd", KnownFrom: catalogue.KnownFromTyped}
	verdict := submission.Decision{State: submission.Quarantined, Reason: "Faster than its bus.", Rule: "bus-ceiling"}
	_, err = db.AddSubmission(ctx, sha256.Sum256([]byte("alice")), &doc, []byte(doc.ID), module, verdict,
		submission.Origin{})
	ts.Check(err)
	ts.Setenv(arguments[0], doc.ID)
}

func countTokens(ts *testscript.TestScript, _ bool, arguments []string) {
	tokens := strings.Fields(ts.ReadFile("stdout"))
	if strconv.Itoa(len(tokens)) != arguments[0] {
		ts.Fatalf("%d tokens, want %s", len(tokens), arguments[0])
	}
	for _, token := range tokens {
		if len(token) != 64 {
			ts.Fatalf("the token has %d characters, want 64", len(token))
		}
	}
}

func keepDecision(ts *testscript.TestScript, _ bool, arguments []string) {
	_, id, found := strings.Cut(ts.ReadFile("stdout"), "to undo: api moderate undo ")
	if !found {
		ts.Fatalf("the last api printed no decision")
	}
	ts.Setenv(arguments[0], strings.TrimSpace(id))
}

func checkEmpty(ts *testscript.TestScript, _ bool, arguments []string) {
	entries, err := os.ReadDir(ts.MkAbs(arguments[0]))
	if err != nil && !os.IsNotExist(err) || len(entries) > 0 {
		ts.Fatalf("%v, %v; want an empty directory", entries, err)
	}
}
