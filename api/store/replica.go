package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// replicaPatience is how long a large read waits for a replica that lags behind.
const replicaPatience = 5 * time.Second

// ReplicaReads returns how often Snapshot and Dataset read from the replica, and how often they read from the primary
// because the replica was behind or unreachable.
func (s *Store) ReplicaReads() (replica, primary int64) {
	return s.replicaReads.Load(), s.primaryReads.Load()
}

// ReadFrom makes large reads (Snapshot, Dataset and exports) use a replica of the database whenever it answers and has
// the primary's generation. The replica need not answer yet.
func (s *Store) ReadFrom(ctx context.Context, replicaURL string) (err error) {
	if s.replica, err = newPool(ctx, replicaURL); err != nil {
		return fmt.Errorf("the replica: %w", err)
	}
	return nil
}

// readLarge runs do in a read-only transaction with the given settings, on the replica if possible. do sees one moment,
// whose generation is at least the given one; 0: the primary's current one.
func (s *Store) readLarge(ctx context.Context, settings string, generation int64, do func(pgx.Tx) error) (err error) {
	var tx pgx.Tx
	if s.replica != nil {
		if tx = s.beginOnReplica(ctx, generation); tx != nil {
			s.replicaReads.Add(1)
		} else {
			s.primaryReads.Add(1)
		}
	}
	if tx == nil {
		if tx, err = s.pool.BeginTx(ctx, readOnly); err != nil {
			return err
		}
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing was changed
	if _, err := tx.Exec(ctx, settings); err != nil {
		return err
	}
	return do(tx)
}

// beginOnReplica begins a transaction on the replica. It returns nil if the replica doesn't answer or stays behind.
func (s *Store) beginOnReplica(ctx context.Context, generation int64) pgx.Tx {
	if generation == 0 {
		var err error
		if generation, err = s.Generation(ctx); err != nil {
			return nil
		}
	}
	for start := time.Now(); ; {
		tx, err := s.replica.BeginTx(ctx, readOnly)
		if err != nil {
			return nil
		}
		var has int64
		if err = tx.QueryRow(ctx, selectGeneration).Scan(&has); err == nil && has >= generation {
			return tx
		}
		_ = tx.Rollback(ctx) // it has read nothing
		if err != nil || time.Since(start) > replicaPatience {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}
