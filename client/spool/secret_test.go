package spool_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/client/spool"

	"github.com/google/go-cmp/cmp"
)

func tagKey(t *testing.T, s spool.Spool) string {
	t.Helper()
	key, err := s.TagKey()
	if err != nil {
		t.Fatal(err)
	}
	return string(key)
}

// mustBeValid checks that the site knows only the spool's secret, and that no change of it is under way.
func mustBeValid(t *testing.T, s spool.Spool, site *sitetest.Site) {
	t.Helper()
	valid, _ := site.Secrets()
	if diff := cmp.Diff([]string{secretOf(t, s)}, valid); diff != "" {
		t.Error(diff)
	}
	if left, err := filepath.Glob(filepath.Join(s.Dir, "secret?*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The contributor keeps the results, and the modules stay the same, however often the secret changes.
func TestRotate(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	s, path := open(t)
	key := tagKey(t, s)
	if err := s.Rotate(t.Context(), at(site)); refusedWith(err) != http.StatusUnauthorized ||
		!strings.Contains(err.Error(), "not changed") {
		t.Errorf("before anything was uploaded: %v", err)
	}
	mustUpload(t, s, site, path)
	seen := map[string]bool{secretOf(t, s): true}
	for range 2 {
		if err := s.Rotate(t.Context(), at(site)); err != nil {
			t.Fatal(err)
		}
		mustBeValid(t, s, site)
		if seen[secretOf(t, s)] || tagKey(t, s) != key {
			t.Error("the secret is an old one, or the tag key a new one")
		}
		seen[secretOf(t, s)] = true
	}
	for _, name := range []string{"secret", "tag-key"} {
		if m := mode(t, filepath.Join(s.Dir, name)); m != 0o600 {
			t.Errorf("%s has mode %o", name, m)
		}
	}
	if err := s.Delete(t.Context(), at(site), exampleID, path); err != nil {
		t.Error(err)
	}
}

// The site took the new secret, but its answers are lost: once, or from then on.
func TestRotateWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]int{"once": 1, "for longer than it is tried": 100} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := sitetest.Start(t)
			s, path := open(t)
			mustUpload(t, s, site, path)
			old := secretOf(t, s)
			var begun bool
			var left atomic.Int64 // a cut answer orders nothing between the site and the test
			left.Store(int64(lost))
			site.Cut = func(r *http.Request) bool {
				begun = begun || r.URL.Path == "/v1/contributor/secret"
				return begun && left.Add(-1) >= 0
			}
			err := s.Rotate(t.Context(), at(site))
			if left.Load() > 0 {
				if err == nil || !strings.Contains(err.Error(), "both are kept") || secretOf(t, s) != old {
					t.Errorf("%v", err)
				}
				left.Store(0)
				// The next request finds out, whatever it is.
				if err := s.Delete(t.Context(), at(site), exampleID, path); err != nil {
					t.Error(err)
				}
			} else if err != nil {
				t.Error(err)
			}
			if secretOf(t, s) == old {
				t.Error("the secret is the old one")
			}
			mustBeValid(t, s, site)
		})
	}
}

// If a change broke off before the site heard of it, the old secret stays in force, and the next change continues it. A
// site that knows neither secret decides nothing.
func TestRotateThatBrokeOff(t *testing.T) {
	t.Parallel()
	site, wrong := sitetest.Start(t), sitetest.Start(t)
	s, path := open(t)
	mustUpload(t, s, site, path)
	old, fresh := secretOf(t, s), strings.Repeat("a", 64)
	next := filepath.Join(s.Dir, "secret.next")
	if err := os.WriteFile(next, []byte(fresh+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Rotate(t.Context(), at(wrong)); err == nil || !strings.Contains(err.Error(), "knows neither") {
		t.Errorf("at the wrong site: %v", err)
	}
	if err := s.Delete(t.Context(), at(wrong), exampleID, path); refusedWith(err) != http.StatusNotFound {
		t.Errorf("at the wrong site: %v", err)
	}
	mustUpload(t, s, site, path)
	if _, err := os.Stat(next); err != nil || secretOf(t, s) != old {
		t.Errorf("the secret is %s; %v", secretOf(t, s), err)
	}
	if err := s.Rotate(t.Context(), at(site)); err != nil || secretOf(t, s) != fresh {
		t.Errorf("%v, and the secret is %s", err, secretOf(t, s))
	}
	mustBeValid(t, s, site)
}

// The request for a change arrives after its sender has given up and has asked which secret is in force. Whatever the
// sender did since, the results stay theirs.
func TestRotateThatArrivesLate(t *testing.T) {
	t.Parallel()
	for what, since := range map[string]func(t *testing.T, s spool.Spool, site *sitetest.Site, path string){
		"nothing": func(*testing.T, spool.Spool, *sitetest.Site, string) {},
		"upload": func(t *testing.T, s spool.Spool, site *sitetest.Site, path string) {
			mustUpload(t, s, site, path)
		},
		"rotate": func(t *testing.T, s spool.Spool, site *sitetest.Site, _ string) {
			if err := s.Rotate(t.Context(), at(site)); err != nil {
				t.Error(err)
			}
		},
		"rotate twice": func(t *testing.T, s spool.Spool, site *sitetest.Site, _ string) {
			if err := errors.Join(s.Rotate(t.Context(), at(site)), s.Rotate(t.Context(), at(site))); err != nil {
				t.Error(err)
			}
		},
		"a refusal": func(t *testing.T, s spool.Spool, site *sitetest.Site, _ string) {
			site.Lock()
			site.Status = http.StatusForbidden // of a captive portal
			site.Unlock()
			if err := s.Rotate(t.Context(), at(site)); refusedWith(err) != http.StatusForbidden {
				t.Error(err)
			}
			site.Lock()
			site.Status = 0
			site.Unlock()
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			site := sitetest.Start(t)
			s, path := open(t)
			mustUpload(t, s, site, path)
			site.Delay = func(r *http.Request) bool { return r.URL.Path == "/v1/contributor/secret" }
			if err := s.Rotate(t.Context(), at(site)); err == nil || !strings.Contains(err.Error(), "both are kept") {
				t.Errorf("%v", err)
			}
			site.Lock()
			site.Delay = nil
			site.Unlock()
			since(t, s, site, path)
			site.Arrive()
			mustUpload(t, s, site, path)
			if err := s.Delete(t.Context(), at(site), exampleID, path); err != nil {
				t.Error(err)
			}
			mustBeValid(t, s, site)
		})
	}
}

// A new secret that somebody else has is refused for good, so the next change takes another secret.
func TestRotateToASecretInUse(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	s, path := open(t)
	other, _ := open(t)
	mustUpload(t, s, site, path)
	mustUpload(t, other, site, save(t, other, "0198f2c4-7a3b-7c11-9d5e-000000000009"))
	old, used := secretOf(t, s), secretOf(t, other)
	if err := other.Rotate(t.Context(), at(site)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "secret.next"), []byte(used+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Rotate(t.Context(), at(site)); refusedWith(err) != http.StatusConflict || secretOf(t, s) != old {
		t.Errorf("%v, and the secret is %s", err, secretOf(t, s))
	}
	if err := s.Rotate(t.Context(), at(site)); err != nil || secretOf(t, s) == old {
		t.Errorf("%v, and the secret is %s", err, secretOf(t, s))
	}
}

// While another client uses the secret it isn't changed, and while it is changed it isn't used.
func TestRotateAloneUsesTheSecret(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	s, path := open(t)
	mustUpload(t, s, site, path)
	dir, err := os.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for how, do := range map[int]func() error{
		syscall.LOCK_SH: func() error { return s.Rotate(t.Context(), at(site)) },
		syscall.LOCK_EX: func() error { return s.Delete(t.Context(), at(site), exampleID, path) },
	} {
		if err := syscall.Flock(int(dir.Fd()), how); err != nil {
			t.Fatal(err)
		}
		var refused *spool.RefusedError
		if err := do(); err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), "another flashdex is") {
			t.Errorf("%v", err)
		}
	}
	mustBeValid(t, s, site)
}
