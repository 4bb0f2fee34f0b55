package deliver

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const stylesheet = "css/main.0123456789abcdef0123456789abcdef.css"

// watched is a place that records the order of files, and may fail.
type watched struct {
	Place
	sent   []string
	breaks string // the file at which it fails
}

func (w *watched) Put(ctx context.Context, folder string, names []string) error {
	if slices.Contains(names, w.breaks) {
		return errors.New("the line broke")
	}
	w.sent = append(w.sent, names...)
	return w.Place.Put(ctx, folder, names)
}

func publication(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// holds compares some files of the place; an empty text means that the file must not exist.
func holds(t *testing.T, place Place, files map[string]string) {
	t.Helper()
	for name, want := range files {
		text, err := place.Read(t.Context(), name)
		if want == "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || string(text) != want {
			t.Errorf("%s holds %q (%v), want %q", name, text, err, want)
		}
	}
}

// delivers checks the rules that every place follows.
func delivers(t *testing.T, place Place) {
	start := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	w := &watched{Place: place}
	step := func(name string, files map[string]string, later time.Duration, want Report, sent []string) {
		t.Helper()
		w.sent = nil
		got, err := Deliver(t.Context(), w, publication(t, files), start.Add(later))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(sent, w.sent); diff != "" {
			t.Errorf("%s sent (-want +got):\n%s", name, diff)
		}
		holds(t, place, files)
	}
	first := map[string]string{"index.html": "home 1", "modules/a/index.html": "a 1", "modules/a.json": "{}",
		stylesheet: "p{}", "odd name/ü'$.txt": "odd"}
	step("the first", first, 0, Report{Sent: 5},
		[]string{manifestName, stylesheet, "modules/a.json", "odd name/ü'$.txt", "index.html", "modules/a/index.html",
			manifestName})
	step("the same again", first, time.Minute, Report{Same: 5}, []string{manifestName})

	second := map[string]string{"index.html": "home 2", "modules/b/index.html": "b 1", "modules/a.json": "{}",
		stylesheet: "p{}", "odd name/ü'$.txt": "odd"}
	step("a change", second, time.Hour, Report{Sent: 2, Same: 3},
		[]string{manifestName, "index.html", "modules/b/index.html", manifestName})
	holds(t, place, map[string]string{"modules/a/index.html": "a 1"}) // for visitors with an old page

	third := map[string]string{"index.html": "home 3", "modules/b/index.html": "b 1", "modules/a.json": "{1}",
		stylesheet: "p{}"}
	w.breaks = "index.html"
	if _, err := Deliver(t.Context(), w, publication(t, third), start.Add(2*time.Hour)); err == nil ||
		!strings.Contains(err.Error(), "next delivery sends the rest") {
		t.Fatalf("a line that breaks gives %v", err)
	}
	holds(t, place, map[string]string{"index.html": "home 2", "modules/a.json": "{1}"})
	w.breaks = ""
	// An interrupted delivery may have changed a file, so it is sent again, even if it shall stay as it was.
	step("the one before again", second, 3*time.Hour, Report{Sent: 2, Same: 3},
		[]string{manifestName, "modules/a.json", "index.html", manifestName})
	step("what broke off", third, 4*time.Hour, Report{Sent: 2, Same: 2},
		[]string{manifestName, "modules/a.json", "index.html", manifestName})

	step("a day after the change", third, 26*time.Hour, Report{Same: 4, Removed: 1}, []string{manifestName})
	holds(t, place, map[string]string{"modules/a/index.html": "", "odd name/ü'$.txt": "odd"})
	step("a day after that", third, 29*time.Hour, Report{Same: 4, Removed: 1}, []string{manifestName})
	holds(t, place, map[string]string{"odd name/ü'$.txt": ""})
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	place, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	delivers(t, place)
	if _, err := os.Stat(filepath.Join(dir, "odd name")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder stays: %v", err)
	}
}

// The other machine is this one, behind a program that acts like ssh.
func TestMachine(t *testing.T) {
	if _, err := exec.LookPath("rsync"); err != nil {
		t.Skip("needs rsync")
	}
	shell := filepath.Join(t.TempDir(), "shell")
	if err := os.WriteFile(shell, []byte("#!/bin/sh\nshift\nexec sh -c \"$*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RSYNC_RSH", shell)
	place, err := Open("somewhere:"+t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	delivers(t, place)
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	place, err := Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Deliver(t.Context(), place, t.TempDir(), time.Now()); err == nil ||
		!strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("an empty publication gives %v", err)
	}
	one := publication(t, map[string]string{"index.html": "home"})
	for _, text := range []string{"{", `{"files":{"../../etc/passwd":"0"}}`,
		`{"gone":{"/etc/passwd":"2020-01-01T00:00:00Z"}}`} {
		if err := place.Put(t.Context(), publication(t, map[string]string{manifestName: text}),
			[]string{manifestName}); err != nil {
			t.Fatal(err)
		}
		if _, err := Deliver(t.Context(), place, one, time.Now()); err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("a manifest %s gives %v", text, err)
		}
	}
	for _, to := range []string{""} {
		if _, err := Open(to, nil); err == nil {
			t.Errorf("%q is a place", to)
		}
	}
}
