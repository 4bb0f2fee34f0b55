// Package store keeps everything the server knows in Postgres: hand-written SQL, one file for each noun.
//
// An error is a problem (package problem) if the sender of a request can do something about it, for example when the
// database can't be reached. Any other error is a mistake of the server's.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is a pool of connections to the database. It is safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	replica *pgxpool.Pool // nil: there is none
	folder  string        // that must hold the publications; empty: any may
	spread  bool          // the database is Citus

	catalogue *catalogue.Catalogue // by which folds name results; nil: they don't

	replicaReads, primaryReads atomic.Int64 // large reads, if there is a replica

	calibrations atomic.Pointer[figure.Calibrations] // the last that were read
}

// timeouts limit how long one request can hold up others. The database URL may set others.
var timeouts = map[string]string{
	"statement_timeout": "10s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "30s",
}

// poolSize limits the connections unless the database URL does (pool_max_conns). Commits that wait for the disk
// together share one write. Measured on two processors, more than 16 connections only wait longer.
const poolSize = 16

// awayTimeout limits the wait for a connection to each server in the database URL (connect_timeout) and for the ping of
// an idle connection (pool_ping_timeout), unless the URL sets them. If a server has vanished, enough time must remain
// to try the next one.
const awayTimeout = 2 * time.Second

// changeTimeout limits how long a change by a contributor or an operator takes. If the primary is frozen or waits for a
// missing standby, the sender still has time to reach the promoted standby within ten seconds.
var changeTimeout = 6 * time.Second

// longTimeouts are for the publisher and for operators, whose transactions touch many rows.
const longTimeouts = `set local statement_timeout = '15min'; set local idle_in_transaction_session_timeout = '15min';
	set local lock_timeout = '1min'; set local work_mem = '64MB'`

// Open connects to the database, whose schema must be the newest (package migrations).
func Open(ctx context.Context, databaseURL string) (*Store, error) {
	pool, err := newPool(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	s := &Store{pool: pool}
	const isCitus = "select exists (select from pg_extension where extname = 'citus')"
	if err := pool.QueryRow(ctx, isCitus).Scan(&s.spread); err != nil {
		pool.Close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	return s, nil
}

// newPool prepares connections to a database, which need not answer yet.
func newPool(ctx context.Context, databaseURL string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("the database URL can't be used: %w", err)
	}
	for name, value := range timeouts {
		if _, chosen := config.ConnConfig.RuntimeParams[name]; !chosen {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if !strings.Contains(databaseURL, "pool_max_conns") {
		config.MaxConns = poolSize
	}
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, awayTimeout)
	config.PingTimeout = cmp.Or(config.PingTimeout, awayTimeout)
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		codec := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
		conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: codec})
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("the database can't be used: %w", err)
	}
	return pool, nil
}

// Close waits for statements under way and closes all connections.
func (s *Store) Close() {
	s.pool.Close()
	if s.replica != nil {
		s.replica.Close()
	}
}

// maxAttempts limits how often a transaction that collides with others is tried.
const maxAttempts = 5

// WithTx runs do in a transaction. If it collides with another transaction, it rolls back and runs do again. Unless the
// transaction is read-only, it is settled, even if do changed nothing.
func (s *Store) WithTx(ctx context.Context, options pgx.TxOptions, do func(pgx.Tx) error) error {
	return repeated(ctx, func() error {
		return pgx.BeginTxFunc(ctx, s.pool, options, func(tx pgx.Tx) error {
			if err := do(tx); err != nil || options.AccessMode == pgx.ReadOnly {
				return err
			}
			return settle(ctx, tx)
		})
	})
}

// settle makes a transaction's commit wait until a synchronous standby has everything committed before. Each answer
// that there is nothing left to do needs this. The request may be a retry whose first attempt was committed while the
// standby was away, and that commit would be lost with the primary. A read waits for no standby, so settle writes to
// the log.
func settle(ctx context.Context, in querier) error {
	_, err := in.Exec(ctx, "select pg_logical_emit_message(true, 'flashdex', '')")
	return wrap(err)
}

// repeated runs a transaction again while it collides with others.
func repeated(ctx context.Context, transaction func() error) error {
	for attempt := 1; ; attempt++ {
		err := transaction()
		if err == nil || attempt == maxAttempts || !collided(err) {
			return wrap(err)
		}
		time.Sleep(rand.N(time.Duration(attempt) * 20 * time.Millisecond))
	}
}

// changing bounds a change by changeTimeout. It goes on when its sender disconnects.
func changing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), changeTimeout)
}

// withLongTx is WithTx with longTimeouts.
func (s *Store) withLongTx(ctx context.Context, do func(pgx.Tx) error) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, longTimeouts); err != nil {
			return err
		}
		return do(tx)
	})
}

// sqlState returns the code of an error of Postgres; empty: it is another error.
func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// collided recognizes serialization_failure, deadlock_detected, and the code of function store_result for samples
// that another upload stored meanwhile.
func collided(err error) bool {
	return slices.Contains([]string{"40001", "40P01", "FDX01"}, sqlState(err))
}

// wrap makes a problem of a temporary error.
func wrap(err error) error {
	_, known := errors.AsType[*problem.Problem](err)
	switch {
	case err == nil || known:
		return err
	case temporary(err):
		return problem.Wrap(problem.Unavailable, err, "The database can't be reached at the moment. "+
			"Send the same request again later: a result keeps its id, so nothing is stored twice.")
	}
	return fmt.Errorf("store: %w", err)
}

// temporary recognizes a database that is away, stopping, starting, out of disk or memory, or too slow.
func temporary(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok { // whatever the reason, the request is not to blame
		return true
	}
	if code := sqlState(err); len(code) == 5 {
		switch code[:2] {
		case "08", "53", "57", "58": // connection, resources, operator intervention, system
			return true
		}
		// a lock that was held too long; a standby, which takes no writes
		return collided(err) || code == "55P03" || code == "25006"
	}
	_, network := errors.AsType[net.Error](err)
	return network || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		strings.Contains(err.Error(), "closed pool")
}

// SchemaVersion returns the number of the newest migration that the database has; 0: it has none.
func (s *Store) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = s.pool.QueryRow(ctx, "select max(version_id) from goose_db_version where is_applied").Scan(&version)
	if sqlState(err) == "42P01" { // undefined_table
		return 0, nil
	}
	return version, wrap(err)
}

// Unrestricted reports whether the database role of this store may change results without a secret or a token.
func (s *Store) Unrestricted(ctx context.Context) (is bool, err error) {
	const may = "select coalesce(has_table_privilege(to_regclass('submission'), 'update'), false)"
	err = s.pool.QueryRow(ctx, may).Scan(&is)
	return is, wrap(err)
}

// Waiting returns how many submissions the outbox holds, and since when the first of them waits (zero: none does).
func (s *Store) Waiting(ctx context.Context) (submissions int, since time.Time, err error) {
	const waiting = "select count(*), min(created_at) from outbox"
	err = s.pool.QueryRow(ctx, waiting).Scan(&submissions, (*zeronull.Timestamptz)(&since))
	return submissions, since, wrap(err)
}

// Connections returns how many connections of the pool are busy, idle and allowed at most, and how often and how long
// requests have waited for one since the start.
func (s *Store) Connections() (busy, idle, most int, waits int64, waited time.Duration) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.IdleConns()), int(stat.MaxConns()),
		stat.EmptyAcquireCount(), stat.EmptyAcquireWaitTime()
}
