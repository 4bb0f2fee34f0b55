package spool_test

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"testing"
	"time"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

// at is a site whose client tries again at once.
func at(s *sitetest.Site) spool.Site {
	return spool.Site{URL: s.URL, Wait: func(context.Context, time.Duration) error { return nil }}
}

// save keeps the example document under another id.
func save(t *testing.T, s spool.Spool, id string) (path string) {
	t.Helper()
	doc, _, err := spool.Read("../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	doc.ID = id
	path, _, err = s.Save(doc)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func mustUpload(t *testing.T, s spool.Spool, site *sitetest.Site, path string) {
	t.Helper()
	if _, err := s.Upload(t.Context(), at(site), path); err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, s spool.Spool, i int) spool.Kept {
	t.Helper()
	all, err := s.All()
	if err != nil || len(all) <= i {
		t.Fatalf("%+v, %v", all, err)
	}
	return all[i]
}

func refusedWith(err error) int {
	var refused *spool.RefusedError
	if errors.As(err, &refused) {
		return refused.Status
	}
	return 0
}

func TestDeleteKeepsTheFileAndSendsItNoMore(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	s, path := open(t)
	if err := s.Delete(t.Context(), at(site), exampleID, path); refusedWith(err) != http.StatusNotFound {
		t.Errorf("what was never uploaded: %v", err)
	}
	if pendingCount(t, s) != 1 {
		t.Error("what was never uploaded waits no more")
	}
	mustUpload(t, s, site, path)
	stranger := spool.Spool{Dir: t.TempDir()}
	if err := stranger.Delete(t.Context(), at(site), exampleID, ""); refusedWith(err) != http.StatusForbidden {
		t.Errorf("another contributor: %v", err)
	}
	for range 2 {
		if err := s.Delete(t.Context(), at(site), exampleID, s.Find(exampleID)); err != nil {
			t.Fatal(err)
		}
		if _, deleted := site.Body(exampleID); !deleted {
			t.Error("it is still there")
		}
		if k := kept(t, s, 0); !k.Deleted || k.Path != path || pendingCount(t, s) != 0 {
			t.Errorf("%+v; %d wait", k, pendingCount(t, s))
		}
	}
	if s.Find("0198f2c4-7a3b-7c11-9d5e-000000000000") != "" {
		t.Error("Find found what isn't there")
	}
}

// If the site says that a result is deleted, it isn't sent again, whoever deleted it, and from wherever.
func TestUploadOfADeletedResultNotesIt(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	s, path := open(t)
	mustUpload(t, s, site, path)
	if err := s.Delete(t.Context(), at(site), exampleID, ""); err != nil {
		t.Fatal(err)
	}
	if kept(t, s, 0).Deleted {
		t.Error("a file that was not named was noted")
	}
	if _, err := s.Upload(t.Context(), at(site), path); refusedWith(err) != http.StatusGone {
		t.Errorf("uploaded again: %v", err)
	}
	if k := kept(t, s, 0); !k.Deleted || k.Refused != nil || pendingCount(t, s) != 0 {
		t.Errorf("%+v", k)
	}
}

func TestDeleteAll(t *testing.T) {
	t.Parallel()
	const other, waiting = "0198f2c4-7a3b-7c11-9d5e-000000000001", "0198f2c4-7a3b-7c11-9d5e-000000000002"
	site, elsewhere := sitetest.Start(t), sitetest.Start(t)
	s, path := open(t)
	if err := s.DeleteAll(t.Context(), at(site)); refusedWith(err) != http.StatusUnauthorized {
		t.Errorf("of nobody: %v", err)
	}
	mustUpload(t, s, site, path)
	mustUpload(t, s, elsewhere, save(t, s, other))
	save(t, s, waiting)
	if err := s.DeleteAll(t.Context(), at(site)); err != nil {
		t.Error(err)
	}
	all, err := s.All()
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, k := range all {
		if k.Deleted != (k.Result.ID == exampleID) {
			t.Errorf("%s is deleted: %v", k.Result.ID, k.Deleted)
		}
	}
	if pendingCount(t, s) != 1 {
		t.Errorf("%d wait", pendingCount(t, s))
	}

	// A site that answers with nothing.
	s, path = open(t)
	a := &answers{list: []func(http.ResponseWriter){answer(http.StatusCreated, accepted), answer(http.StatusNoContent, ""),
		answer(http.StatusGone, "")}}
	url := serve(t, a)
	if _, err := s.Upload(t.Context(), spool.Site{URL: url}, path); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAll(t.Context(), spool.Site{URL: url}); err != nil || !kept(t, s, 0).Deleted {
		t.Errorf("%v; %+v", err, kept(t, s, 0))
	}
}

func secretOf(t *testing.T, s spool.Spool) string {
	t.Helper()
	secret, err := s.Secret()
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(secret)
}
