package spool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/e2e/calltest"

	"github.com/google/go-cmp/cmp"
)

// These environment variables make this test binary do one thing to a spool, as a process that can be killed.
const (
	doInstead = "FLASHDEX_TEST_DO"
	doAt      = "FLASHDEX_TEST_SITE"
	doneLine  = "done"
)

func TestMain(m *testing.M) {
	if what := os.Getenv(doInstead); what != "" {
		if err := errors.Join(calltest.Ask(), do(what)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(doneLine)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func do(what string) error {
	s, err := spool.Open()
	if err != nil {
		return err
	}
	ctx, site := context.Background(), spool.Site{URL: os.Getenv(doAt)}
	switch what {
	case "save":
		doc, _, err := spool.Read("../../result/testdata/valid/sd-card.json")
		if err != nil {
			return err
		}
		_, _, err = s.Save(doc)
		return err
	case "upload":
		_, err = s.Upload(ctx, site, s.Find(exampleID))
	case "delete":
		err = s.Delete(ctx, site, exampleID, s.Find(exampleID))
	case "delete --all":
		err = s.DeleteAll(ctx, site)
	case "rotate":
		err = s.Rotate(ctx, site)
	}
	return err
}

// killedAt does something to a spool in another process. SIGKILL ends that process instead of its nth system call that
// changes a file of the spool or sends something; 0: nothing kills it. killedAt returns what these calls were about to
// do, and reports whether the process ended by itself.
func killedAt(t *testing.T, n int, what string, s spool.Spool, site *sitetest.Site) (calls []string, ended bool) {
	t.Helper()
	var mu sync.Mutex
	worker := calltest.Start(t, []string{doInstead + "=" + what, doAt + "=" + site.URL, "FLASHDEX_DIR=" + s.Dir},
		func(c calltest.Call) calltest.Decision {
			mu.Lock()
			defer mu.Unlock()
			if on := c.On(s.Dir); c.Changes() && on != "" {
				calls = append(calls, reRandom.ReplaceAllString(on, "RANDOM"))
				return calltest.Decision{Kill: len(calls) == n}
			}
			return calltest.Decision{}
		})
	ended = worker.Out.Scan()
	if ended && worker.Out.Text() != doneLine {
		t.Fatalf("%s: %s", what, worker.Out.Text())
	}
	worker.Stop()
	return calls, ended
}

var reRandom = regexp.MustCompile(`[A-Z2-7]{26}`) // in the names of temporary files

// Wherever the client is killed, a kept result is pending or confirmed, a deleted result does not come back, and the
// spool holds the secret that the site knows. The next run finishes the work of the killed one.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what  string
		ready func(t *testing.T, s spool.Spool, site *sitetest.Site)
		check func(t *testing.T, s spool.Spool, site *sitetest.Site) // after the kill, and again when it was done to its end
	}{
		{"save", func(*testing.T, spool.Spool, *sitetest.Site) {}, func(t *testing.T, s spool.Spool, _ *sitetest.Site) {
			if path := s.Find(exampleID); path != "" {
				if _, _, err := spool.Read(path); err != nil || pendingCount(t, s) != 1 {
					t.Errorf("%v, and %d wait", err, pendingCount(t, s))
				}
			}
		}},
		{"upload", waiting, func(t *testing.T, s spool.Spool, site *sitetest.Site) {
			if body, _ := site.Body(exampleID); body == "" && pendingCount(t, s) != 1 {
				t.Error("it neither waits nor is uploaded")
			}
			if kept(t, s, 0).Receipt == nil && pendingCount(t, s) != 1 {
				t.Error("it neither waits nor is confirmed")
			}
		}},
		{"delete", confirmed, func(t *testing.T, s spool.Spool, site *sitetest.Site) {
			if _, deleted := site.Body(exampleID); pendingCount(t, s) != 0 || kept(t, s, 0).Deleted && !deleted {
				t.Errorf("it is deleted at the site: %v; %+v", deleted, kept(t, s, 0))
			}
		}},
		// The receipt was lost before, so the result still waits.
		{"delete", unconfirmed, func(t *testing.T, s spool.Spool, site *sitetest.Site) {
			_, deleted := site.Body(exampleID)
			if !deleted && pendingCount(t, s) != 1 {
				t.Error("it neither waits nor is deleted")
			}
			if deleted && pendingCount(t, s) == 1 {
				if _, err := s.Upload(t.Context(), at(site), s.Find(exampleID)); refusedWith(err) != 410 ||
					pendingCount(t, s) != 0 {
					t.Errorf("uploaded again: %v", err)
				}
			}
		}},
		{"delete --all", confirmed, func(t *testing.T, s spool.Spool, site *sitetest.Site) {
			if _, deleted := site.Body(exampleID); pendingCount(t, s) != 0 || kept(t, s, 0).Deleted && !deleted {
				t.Errorf("it is deleted at the site: %v; %+v", deleted, kept(t, s, 0))
			}
		}},
		{"rotate", confirmed, checkSecret},
		{"rotate", rotated, checkSecret},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s, site := spool.Spool{Dir: t.TempDir()}, sitetest.Start(t)
			c.ready(t, s, site)
			want, _ := killedAt(t, 0, c.what, s, site)
			var at []string // the calls that it was killed at
			for n, ended := 1, false; !ended && !t.Failed(); n++ {
				s, site := spool.Spool{Dir: t.TempDir()}, sitetest.Start(t)
				c.ready(t, s, site)
				var calls []string
				if calls, ended = killedAt(t, n, c.what, s, site); !ended {
					at = append(at, calls[n-1])
				}
				c.check(t, s, site)
				if _, ended := killedAt(t, 0, c.what, s, site); !ended {
					t.Error("the next run did not end")
				}
				c.check(t, s, site)
				if _, deleted := site.Body(exampleID); strings.HasPrefix(c.what, "delete") && (!deleted || !kept(t, s, 0).Deleted) {
					t.Error("it is not deleted after the next run")
				}
				if c.what == "upload" && pendingCount(t, s) != 0 {
					t.Error("it is not uploaded after the next run")
				}
				if c.what == "rotate" {
					mustBeValid(t, s, site)
				}
				if t.Failed() {
					t.Logf("killed in place of call %d: %s", n, calls[len(calls)-1])
				}
			}
			if diff := cmp.Diff(want, at); diff != "" && !t.Failed() {
				t.Errorf("it was not killed at every step:\n%s", diff)
			}
			t.Logf("killed in place of each of %q", at)
		})
	}
}

func waiting(t *testing.T, s spool.Spool, _ *sitetest.Site) { save(t, s, exampleID) }

func confirmed(t *testing.T, s spool.Spool, site *sitetest.Site) {
	mustUpload(t, s, site, save(t, s, exampleID))
}

func unconfirmed(t *testing.T, s spool.Spool, site *sitetest.Site) {
	confirmed(t, s, site)
	if err := os.Remove(strings.TrimSuffix(s.Find(exampleID), ".json") + ".receipt.json"); err != nil {
		t.Fatal(err)
	}
}

func rotated(t *testing.T, s spool.Spool, site *sitetest.Site) {
	confirmed(t, s, site)
	if err := s.Rotate(t.Context(), at(site)); err != nil {
		t.Fatal(err)
	}
}

// checkSecret uploads with whatever secret the killed client left.
func checkSecret(t *testing.T, s spool.Spool, site *sitetest.Site) {
	t.Helper()
	mustUpload(t, s, site, s.Find(exampleID))
	// The modules stay the same.
	_, first := site.Secrets()
	if key := fmt.Sprintf("%x", tagKey(t, s)); first != key {
		t.Errorf("the tag key is %s, and the first secret was %s", key, first)
	}
}
