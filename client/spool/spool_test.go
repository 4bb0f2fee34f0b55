package spool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"flashdex/client/spool"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// open makes a spool that holds the example document.
func open(t *testing.T) (s spool.Spool, path string) {
	t.Helper()
	s = spool.Spool{Dir: t.TempDir()}
	doc, _, err := spool.Read("../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	path, data, err := s.Save(doc)
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(onDisk)); diff != "" {
		t.Fatal(diff)
	}
	if _, err := schema.Read(onDisk); err != nil {
		t.Fatal(err)
	}
	return s, path
}

func TestOpenChoosesTheDirectory(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("FLASHDEX_DIR", "")
	for _, step := range []struct{ name, value, want string }{
		{"HOME", home, home + "/.local/share/flashdex"},
		{"XDG_DATA_HOME", home + "/data", home + "/data/flashdex"},
		{"FLASHDEX_DIR", home + "/own", home + "/own"},
	} {
		t.Setenv(step.name, step.value)
		s, err := spool.Open()
		if err != nil || s.Dir != step.want || mode(t, s.Dir) != 0o700 {
			t.Errorf("with %s: %q, %v", step.name, s.Dir, err)
		}
	}
	t.Setenv("FLASHDEX_DIR", "/proc/flashdex")
	if _, err := spool.Open(); err == nil {
		t.Error("a directory that can't be made was opened")
	}
}

func TestSecretIsPrivateAndOne(t *testing.T) {
	t.Parallel()
	s := spool.Spool{Dir: t.TempDir()}
	secrets := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			var err error
			if secrets[i], err = s.Secret(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, other := range secrets[1:] {
		if len(other) != 32 || string(other) != string(secrets[0]) {
			t.Errorf("two secrets: %x and %x", secrets[0], other)
		}
	}
	path := filepath.Join(s.Dir, "secret")
	if mode(t, path) != 0o600 {
		t.Errorf("the secret has mode %o", mode(t, path))
	}
	data, err := os.ReadFile(path)
	if err != nil || !regexp.MustCompile(`^[0-9a-f]{64}\n$`).Match(data) {
		t.Errorf("the secret's file holds %q, %v", data, err)
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the spool holds %v, %v", entries, err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Secret(); err == nil {
		t.Error("a damaged secret was used")
	}
}

func TestSavedResultsArePrivateAndPending(t *testing.T) {
	t.Parallel()
	s, path := open(t)
	if mode(t, path) != 0o600 {
		t.Errorf("the result has mode %o", mode(t, path))
	}
	pending, err := s.Pending()
	if diff := cmp.Diff([]string{path}, pending); err != nil || diff != "" {
		t.Errorf("pending: %v %s", err, diff)
	}
}

func TestReadRefusesWhatIsNoResult(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "[]", "{}", `{"schema_version": 2}`} {
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := spool.Read(path); err == nil {
			t.Errorf("Read took %q", text)
		}
	}
}

// An id tells the day in UTC, and no time within it.
func TestNewID(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	begins := fmt.Sprintf("%012x", day.UnixMilli())
	seen := map[string]bool{}
	for _, at := range []time.Time{day, day.Add(12*time.Hour + 34567*time.Millisecond),
		day.Add(24*time.Hour - 1).In(time.FixedZone("", 5*3600)), day} {
		id := spool.NewID(at)
		want := "^" + begins[:8] + "-" + begins[8:] + "-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
		if !regexp.MustCompile(want).MatchString(id) || seen[id] {
			t.Errorf("%v: %s", at, id)
		}
		seen[id] = true
	}
}
