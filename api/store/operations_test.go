package store_test

import (
	"testing"
	"time"

	"flashdex/migrations"
)

func TestWaitingCountsTheOutbox(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if n, since, err := s.Waiting(t.Context()); n != 0 || !since.IsZero() || err != nil {
		t.Errorf("an empty outbox: %d since %v, %v", n, since, err)
	}
	before := time.Now()
	for range 2 {
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted); err != nil {
			t.Fatal(err)
		}
	}
	n, since, err := s.Waiting(t.Context())
	if n != 2 || since.Before(before.Add(-time.Millisecond)) || since.After(time.Now()) || err != nil {
		t.Errorf("%d since %v, %v; want 2 since just now", n, since, err)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, _, err := s.Waiting(t.Context()); n != 0 || err != nil {
		t.Errorf("after a fold %d wait, %v", n, err)
	}
}

func TestSchemaVersionIsTheNewest(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if version, err := s.SchemaVersion(t.Context()); err != nil || version != migrations.Newest() || version == 0 {
		t.Errorf("%d, %v; want %d", version, err, migrations.Newest())
	}
}

func TestConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if busy, idle, most, _, _ := s.Connections(); busy != 0 || idle < 1 || most < idle {
		t.Errorf("%d busy, %d idle, at most %d", busy, idle, most)
	}
}
