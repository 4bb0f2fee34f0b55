package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/schema"
)

// The list says of every kept result what it is and what became of it.
func TestList(t *testing.T) {
	t.Parallel()
	command, spoolDir := client(t, "list")
	if out, said, code := output(command); code != 0 || out != "" || !strings.Contains(said, "no results in "+spoolDir) {
		t.Errorf("an empty spool: exit code %d, %q, %q", code, out, said)
	}
	kept := spool.Spool{Dir: spoolDir}
	doc := exampleResult(t)
	for i, beside := range []string{"", ".receipt.json", ".refused.json", ".deleted.json"} {
		doc.ID = fmt.Sprintf("0198f2c4-7a3b-7c11-9d5e-%012d", i)
		path, _, err := kept.Save(doc)
		if err != nil {
			t.Fatal(err)
		}
		answer := `{"state":"quarantined\u001b[2J","status":422,"title":"Not valid","errors":[{"pointer":"/id","detail":"odd"}]}`
		if beside != "" {
			if err := os.WriteFile(strings.TrimSuffix(path, ".json")+beside, []byte(answer), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	command, _ = client(t, "list")
	command.Env = append(command.Env, "FLASHDEX_DIR="+spoolDir)
	out, said, code := output(command)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || said != "" || len(lines) != 5 {
		t.Fatalf("exit code %d, said %q, printed %q", code, said, out)
	}
	for i, want := range []string{"4K RANDOM WRITE", "waiting", "uploaded, quarantined[2J", "the site refused it (422): Not valid /id: odd", "deleted from the site"} {
		if !strings.HasSuffix(strings.TrimSpace(lines[i]), want) && !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, want %q in it", i, lines[i], want)
		}
		if i > 0 && (!strings.Contains(lines[i], "SanDisk Extreme") || !strings.Contains(lines[i], "100 IOPS") || !strings.Contains(lines[i], "2026-11-21")) {
			t.Errorf("line %d is %q", i, lines[i])
		}
	}

	broken, _ := client(t, "list")
	broken.Env = append(broken.Env, "FLASHDEX_DIR="+spoolDir)
	if err := os.WriteFile(filepath.Join(spoolDir, "half.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, said, code := output(broken); code == 0 || !strings.Contains(said, "half.json is not a result") || !strings.Contains(out, "waiting") {
		t.Errorf("with a broken file: exit code %d, %q, %q", code, out, said)
	}
}

// A quick run for a script: one JSON object on stdout, with what was kept and what the site answered, and all words on
// stderr.
func TestQuickRunAsJSON(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128<<20, "")
	server := sitetest.Start(t)
	command, _ := client(t, "--profile", "quick", "--json", "--yes", "--upload", "--site", server.URL, disk.Dir)
	out, said, code := output(command)
	if code != 0 {
		t.Fatalf("exit code %d, said %s", code, said)
	}
	mustBeEmpty(t, disk.Dir)
	var object struct {
		Result   json.RawMessage
		Receipt  spool.Receipt
		Standing spool.Standing
	}
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	doc, err := schema.Read(object.Result)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Profile != result.ProfileQuick || object.Receipt.ResultURL != "https://x.test/r/1" || object.Receipt.State != "accepted" || object.Standing.Modules != 144 {
		t.Errorf("profile %s, receipt %+v, %+v", doc.Profile, object.Receipt, object.Standing)
	}
	for _, want := range []string{"Takes   at most 60 seconds", "Writes  at most 128 MiB", "only the standard profile is ranked", "Uploaded: accepted\n", "faster than 83 % of 144 measured modules (rank 25)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't in %s", want, said)
		}
	}
	show, _ := client(t, "show", "--json", exampleFile)
	if out, said, code := output(show); code != 0 || said != "" || !strings.HasPrefix(out, `{"result":{"schema_version":1,`) || strings.Contains(out, "receipt") {
		t.Errorf("show --json: exit code %d, said %q, %.60q", code, said, out)
	}
	for _, what := range []string{"list", "upload", "delete", "rotate", "version"} {
		command, _ := client(t, "--json", what)
		if _, said, code := output(command); code != exitUsage || !strings.Contains(said, "--json goes with measuring") {
			t.Errorf("--json %s: exit code %d, said %q", what, code, said)
		}
	}
}
