// Package clustertest gives each test a fresh, migrated database on a real Postgres, started once per test program.
package clustertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"flashdex/api/cluster"
	"flashdex/migrations"

	"github.com/jackc/pgx/v5"
)

const template = "migrated"

var (
	shared = sync.OnceValues(startShared)
	count  atomic.Int64
	// Postgres allows one copy of a template at a time.
	copying sync.Mutex
)

// startShared starts the one cluster of this test program. Nothing stops it: it goes down with the program that started
// it, and its directory is removed by the next test program that finds it orphaned.
func startShared() (*cluster.Cluster, error) {
	removeOrphans()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("flashdex-cluster-%d", os.Getpid()))
	ctx := context.Background()
	c, err := cluster.Start(ctx, cluster.Config{Dir: dir, Log: func(string) {}})
	if err != nil {
		return nil, err
	}
	if err := execute(ctx, c, "create database "+template); err != nil {
		return nil, err
	}
	return c, migrations.Up(ctx, c.DatabaseURL(template))
}

func removeOrphans() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "flashdex-cluster-*"))
	for _, dir := range dirs {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), "flashdex-cluster-%d", &pid); err != nil {
			continue
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); os.IsNotExist(err) {
			_ = os.RemoveAll(dir)
		}
	}
}

// New returns the URL of an empty, migrated database, which is dropped when the test ends.
func New(t testing.TB) string {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatalf("the tests need a Postgres: %v", err)
	}
	ctx := context.Background()
	name := fmt.Sprintf("test_%d", count.Add(1))
	copying.Lock()
	err = execute(ctx, c, "create database "+name+" template "+template)
	copying.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := execute(ctx, c, "drop database "+name+" with (force)"); err != nil {
			t.Error(err)
		}
	})
	return c.DatabaseURL(name)
}

func execute(ctx context.Context, c *cluster.Cluster, statement string) error {
	conn, err := pgx.Connect(ctx, c.DatabaseURL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
