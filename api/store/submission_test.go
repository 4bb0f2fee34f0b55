package store_test

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// eachWay runs a test of uploads twice: stored as on one server, and as on Citus.
func eachWay(t *testing.T, test func(*testing.T, *store.Store, string)) {
	for _, name := range []string{"one server", "Citus"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, url := open(t)
			if name == "Citus" {
				s.Spread()
			}
			test(t, s, url)
		})
	}
}

func TestSubmissionComesBackAsItWas(t *testing.T) { eachWay(t, comesBackAsItWas) }

func comesBackAsItWas(t *testing.T, s *store.Store, url string) {
	doc, body := run(t, "00112233445566778899aabbccddeeff", 1)
	if added, err := s.AddSubmission(t.Context(), alice, doc, body, ultra, accepted,
		submission.Origin{}); err != nil || !added.New {
		t.Fatal(added, err)
	}
	got, module, document, err := s.Submission(t.Context(), doc.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(document, body) {
		t.Error("the document's bytes changed")
	}
	wantModule := ultra
	wantModule.Confirmed = false // that says something of the result
	if diff := cmp.Diff(wantModule, module, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(ultra)); diff != "" {
		t.Errorf("module (-want +got):\n%s", diff)
	}
	want := submission.Submission{
		ID: doc.ID, State: submission.Accepted, Method: "flashdex-1", Profile: "standard", Client: "flashdex 0.1.0",
		Host: "Raspberry Pi 4 Model B Rev 1.4", BusMode: "sd uhs DDR50", HostClass: "pi-4", BusMBPerS: 50,
		Variant: figure.Variant{Bus: "sd", Manfid: "0x000003", OEMID: "0x5344", Name: "SC32G",
			Revision: "0x8 0x0"}.Key(), UnitTag: doc.UnitTag, ModuleSlug: ultra.Slug,
		History: []submission.Event{{To: submission.Accepted, Actor: "server"}},
	}
	for i := range doc.Tests {
		want.Tests = append(want.Tests, doc.Tests[i].Figures())
	}
	anyOrder := cmpopts.SortSlices(func(a, b result.Figures) bool { return a.Test < b.Test })
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), anyOrder,
		cmpopts.IgnoreFields(submission.Submission{}, "ReceivedAt"), cmpopts.IgnoreFields(submission.Event{},
			"At"), cmpopts.IgnoreFields(submission.Event{}, "At"),
		cmpopts.IgnoreFields(result.Figures{}, "Trend", "LastFifthIOPS", "OverheadShare", "WorstMBPerS",
			"P99LowNS", "P99HighNS", "P999LowNS", "P999HighNS")); diff != "" {
		t.Errorf("submission (-want +got):\n%s", diff)
	}
	if n := value[int](t, url, `select count(*) from submission_event
		where from_state is null and to_state = 'accepted' and actor = 'server'`); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

func TestOneUploadSentFiftyTimesAtOnce(t *testing.T) { eachWay(t, sentFiftyTimesAtOnce) }

func sentFiftyTimesAtOnce(t *testing.T, s *store.Store, url string) {
	doc, body := run(t, "", 1)
	var senders sync.WaitGroup
	var added atomic.Int64
	for range 50 {
		senders.Go(func() {
			got, err := s.AddSubmission(t.Context(), alice, doc, body, ultra, accepted, submission.Origin{})
			if err != nil {
				t.Error(err)
			}
			if got.New {
				added.Add(1)
			}
		})
	}
	senders.Wait()
	if added.Load() != 1 {
		t.Errorf("%d senders were told that theirs is new, want 1", added.Load())
	}
	for table, want := range map[string]int{
		"submission": 1, "measurement": len(doc.Tests), "outbox": 1, "submission_event": 1, "contributor": 1, "module": 1,
	} {
		if n := value[int](t, url, "select count(*) from "+table); n != want {
			t.Errorf("%d rows in %s, want %d", n, table, want)
		}
	}
}

func TestATakenIDIsAConflict(t *testing.T) { eachWay(t, takenID) }

func takenID(t *testing.T, s *store.Store, url string) {
	doc, body := run(t, "", 1)
	if _, err := s.AddSubmission(t.Context(), alice, doc, body, ultra, accepted, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	if added, err := s.AddSubmission(t.Context(), alice, doc, append(body, ' '), ultra, accepted,
		submission.Origin{}); added.New ||
		kind(err) != problem.Conflict {
		t.Errorf("other bytes: %v, %v; want a conflict", added, err)
	}
	if added, err := s.AddSubmission(t.Context(), bob, doc, body, evo, accepted, submission.Origin{}); added.New ||
		kind(err) != problem.Conflict {
		t.Errorf("another contributor: %v, %v; want a conflict", added, err)
	}
	if n := value[int](t, url, `select (select count(*) from contributor) + (select count(*) from module) +
		(select count(*) from outbox)`); n != 3 {
		t.Errorf("the refused uploads left traces: %d rows, want 3", n)
	}
	value[string](t, url, "update submission set state = 'deleted' returning state")
	if _, err := s.AddSubmission(t.Context(), alice, doc, body, ultra, accepted,
		submission.Origin{}); kind(err) != problem.Deleted {
		t.Errorf("uploading what was taken back: %v", err)
	}
	if _, _, _, err := s.Submission(t.Context(), doc.ID); kind(err) != problem.Deleted {
		t.Errorf("reading what was taken back: %v", err)
	}
	if _, _, _, err := s.Submission(t.Context(), result.NewID()); kind(err) != problem.NotFound {
		t.Errorf("reading what is not there: %v", err)
	}
}

func TestASenderWhoHangsUpStoresNoLess(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	doc, body := run(t, "", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if added, err := s.AddSubmission(ctx, alice, doc, body, ultra, accepted,
		submission.Origin{}); err != nil || !added.New {
		t.Errorf("AddSubmission: %v, %v", added, err)
	}
}

func TestAFailedUploadLeavesNothing(t *testing.T) { eachWay(t, failedUpload) }

func failedUpload(t *testing.T, s *store.Store, url string) {
	doc, body := run(t, "", 1)
	broken := ultra
	broken.Product = "a\x00b" // which Postgres refuses, after the submission's row was inserted
	if added, err := s.AddSubmission(t.Context(), alice, doc, body, broken, accepted, submission.Origin{}); added.New ||
		kind(err) != problem.Internal {
		t.Errorf("AddSubmission: %v, %v; want an internal error", added, err)
	}
	if n := value[int](t, url, "select count(*) from submission"); n != 0 {
		t.Error("half an upload was stored")
	}
}
