package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/alecthomas/kong"
)

// command runs the program's command line, and returns what it printed.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var c cli
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return "", err
	}
	parsed.BindTo(t.Context(), (*context.Context)(nil))
	printed, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	before := os.Stdout
	os.Stdout = printed
	err = parsed.Run()
	os.Stdout = before
	if _, err := printed.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, readErr := io.ReadAll(printed)
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(text), err
}

// Not parallel: it reads what goes to standard output.
func TestModerationAtTheTerminal(t *testing.T) {
	url := clustertest.New(t)
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text, err := os.ReadFile("../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.Host.Board = "\x1b[2J evil"
	for _, slug := range []string{"one", "two"} {
		doc.ID = result.NewID()
		module := catalogue.Module{Slug: slug, Product: "Card", Form: "sd", KnownFrom: catalogue.KnownFromTyped}
		verdict := submission.Decision{State: submission.Quarantined, Reason: "Faster than its bus.", Rule: "bus-ceiling"}
		if _, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte("alice")), &doc, []byte(doc.ID), module, verdict); err != nil {
			t.Fatal(err)
		}
	}
	id, database := doc.ID, "--database-url="+url
	run := func(want string, args ...string) {
		t.Helper()
		printed, err := command(t, append(args, database)...)
		if err != nil || !strings.Contains(printed, want) || strings.Contains(printed, "\x1b") {
			t.Errorf("%v: %v, %q; want %q in it", args, err, printed, want)
		}
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if _, err := command(t, append(args, database)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want an error with %q", args, err, want)
		}
	}
	run(id, "moderate", "list")
	run(`"\x1b[2J evil"`, "moderate", "show", id)
	run("accepted by operator carol: It is overclocked.", "moderate", "accept", id, "--as=carol", "--reason=It is overclocked.")
	run("rejected by operator carol: No.", "moderate", "reject", id, "--as=carol", "--reason=No.")
	run(id, "moderate", "list", "--state=rejected")
	run("", "moderate", "merge", "two", "one", "--as=carol", "--reason=The same.")
	refused("There is no result", "moderate", "erase", result.NewID(), "--as=carol", "--reason=Asked to.")
	for range 2 {
		run("is erased", "moderate", "erase", id, "--as=carol", "--reason=Asked to by its contributor, who lost the secret.")
	}
	refused("was deleted", "moderate", "show", id)
	refused("--as", "moderate", "accept", id, "--reason=?")
	refused("--reason", "moderate", "accept", id, "--as=carol")
	refused("--as", "moderate", "accept", id, "--as=Carol <b>", "--reason=?")
	refused("characters that print", "moderate", "accept", id, "--as=carol", "--reason=two\nlines")
	refused("not the id", "moderate", "show", "x")
	refused("itself", "moderate", "merge", "one", "one", "--as=carol", "--reason=?")

	token, err := command(t, "operator", "add", "dave", database)
	if err != nil || len(strings.TrimSpace(token)) != 64 {
		t.Errorf("the token is %q, %v", token, err)
	}
	run("dave", "operator", "list")
	run("", "operator", "revoke", "dave")
	run("revoked", "operator", "list")
	refused("no token in force", "operator", "revoke", "dave")
}
