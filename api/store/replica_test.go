package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/store/cluster"
	"flashdex/api/submission"
	"flashdex/migrations"
)

// quiet makes a cluster in a folder that goes when the test ends.
func quiet(t *testing.T) cluster.Config {
	dir := filepath.Join(t.TempDir(), "postgres")
	t.Cleanup(func() {
		if elsewhere, err := os.Readlink(dir); err == nil {
			_ = os.RemoveAll(elsewhere)
		}
	})
	return cluster.Config{Dir: dir, Log: func(string) {}}
}

// Large reads go to a replica that has what the primary has. They wait for a replica that is a little behind, and go to
// the primary if it stays behind or is away.
func TestReplicaIsReadUnlessItIsBehind(t *testing.T) {
	t.Parallel()
	ctx := context.WithoutCancel(t.Context())
	primary, err := cluster.Start(ctx, quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := primary.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := migrations.Up(ctx, primary.URL()); err != nil {
		t.Fatal(err)
	}
	following := quiet(t)
	following.Follows = primary
	replica, err := cluster.Start(ctx, following)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, primary.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.ReadFrom(ctx, replica.URL()); err != nil {
		t.Fatal(err)
	}
	const reading = "select count(*) from pg_stat_activity where state = 'idle in transaction'"
	var uploads int
	read := func(how string, away bool, wantReplica bool) {
		t.Helper()
		add(t, s, alice, evo, "", 1)
		uploads++
		if _, _, err := s.Fold(ctx); err != nil {
			t.Fatal(err)
		}
		generation, err := s.Generation(ctx)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, snapshot *figure.Overview) {
			if snapshot.Generation != generation || len(snapshot.Summaries) == 0 || snapshot.Summaries[0].Results != uploads {
				t.Errorf("%s, %s: generation %d and %+v, want generation %d and %d results", how, what, snapshot.Generation,
					snapshot.Summaries, generation, uploads)
			}
			if fromReplica := !away && value[int](t, replica.URL(), reading) == 1; fromReplica != wantReplica {
				t.Errorf("%s, %s: read from the replica: %v, want %v", how, what, fromReplica, wantReplica)
			}
		}
		if err := s.Snapshot(ctx, func(snapshot *figure.Overview, _ submission.Results) error {
			check("a publication", snapshot)
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := s.Dataset(ctx, func(snapshot *figure.Overview, _ figure.Records) error {
			check("an export", snapshot)
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	read("up to date", false, true)
	execute(t, replica.URL(), "select pg_wal_replay_pause()")
	read("behind", false, false)
	resumed := make(chan struct{})
	go func() {
		defer close(resumed)
		time.Sleep(200 * time.Millisecond)
		execute(t, replica.URL(), "select pg_wal_replay_resume()")
	}()
	read("a little behind", false, true)
	<-resumed
	if err := replica.Stop(); err != nil {
		t.Fatal(err)
	}
	read("away", true, false)
	if replica, primary := s.ReplicaReads(); replica != 4 || primary != 4 {
		t.Errorf("%d reads from the replica and %d from the primary are told, want 4 and 4", replica, primary)
	}
}
