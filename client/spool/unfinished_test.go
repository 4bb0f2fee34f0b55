package spool

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A journal keeps its entries over several clients, one of them killed while it wrote.
func TestJournal(t *testing.T) {
	t.Parallel()
	s := Spool{t.TempDir()}
	j, err := s.Begin("a", map[string]string{"run": "first"})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append([]int{1, 2}); err != nil || j.Entries != 1 {
		t.Fatalf("%v, %d entries", err, j.Entries)
	}
	if _, err := s.Begin("a", nil); err == nil {
		t.Error("a journal was begun twice")
	}
	read := func() (*Journal, []string) {
		t.Helper()
		var head map[string]string
		j, entries, err := Continue[json.RawMessage](filepath.Join(s.Dir, "a.unfinished"), &head)
		var lines []string
		for _, entry := range entries {
			lines = append(lines, string(entry))
		}
		if err != nil || head["run"] != "first" {
			t.Fatalf("%v, %v", err, head)
		}
		return j, lines
	}
	if _, _, err := Continue[any](j.Path, &struct{}{}); err == nil || !strings.Contains(err.Error(), "another flashdex") {
		t.Errorf("two clients at one run: %v", err)
	}
	j.Close()
	torn, err := os.OpenFile(j.Path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := torn.WriteString("[3,"); err != nil {
		t.Fatal(err)
	}
	torn.Close()
	j, lines := read()
	if diff := cmp.Diff([]string{"[1,2]"}, lines); diff != "" {
		t.Error(diff)
	}
	if err := j.Append("four"); err != nil || j.Entries != 2 {
		t.Errorf("%v, %d entries", err, j.Entries)
	}
	j.Close()
	j, lines = read()
	if diff := cmp.Diff([]string{"[1,2]", `"four"`}, lines); diff != "" {
		t.Error(diff)
	}
	if paths, err := s.Unfinished(); err != nil || len(paths) != 1 {
		t.Errorf("%v, %v", paths, err)
	}
	if kept, err := s.All(); err != nil || len(kept) != 0 {
		t.Errorf("a journal was taken for a result: %v, %v", kept, err)
	}
	j.Remove()
	if paths, err := s.Unfinished(); err != nil || len(paths) != 0 {
		t.Errorf("%v, %v", paths, err)
	}
	if err := os.WriteFile(j.Path, []byte("no journal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Continue[any](j.Path, &struct{}{}); err == nil ||
		!strings.Contains(err.Error(), "is not the journal of a run") {
		t.Errorf("garbage: %v", err)
	}
}

// An entry for which the disk has no room leaves nothing behind, so the next one that fits is whole.
func TestJournalOnAFullDisk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a tmpfs")
	}
	s := Spool{t.TempDir()}
	said, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16k", "flashdex-test", s.Dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", s.Dir).Run() })
	j, err := s.Begin("a", "the head")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(strings.Repeat("long", 8<<10)); !errors.Is(err, syscall.ENOSPC) || j.Entries != 0 {
		t.Errorf("on a full disk: %v, %d entries", err, j.Entries)
	}
	if err := j.Append("short"); err != nil || j.Entries != 1 {
		t.Errorf("when there is room: %v, %d entries", err, j.Entries)
	}
	j.Close()
	var head string
	j, entries, err := Continue[string](j.Path, &head)
	if err != nil || len(entries) != 1 || entries[0] != "short" {
		t.Fatalf("%q, %v", entries, err)
	}
	j.Close()
}
