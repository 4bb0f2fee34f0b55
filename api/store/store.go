// Package store keeps everything the server knows in Postgres: hand-written SQL, one file for each noun.
//
// An error is a problem (package problem) if the sender of a request can do something about it, for example when the
// database can't be reached. Any other error is a mistake of the server's.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"flashdex/api/problem"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is a pool of connections to the database. It is safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	replica *pgxpool.Pool // nil: there is none
	reads   replicaReads
	folder  string // that holds the publications; empty: any
	spread  bool   // the database is Citus
}

// timeouts limit how long one request can hold up others. The database URL may set others.
var timeouts = map[string]string{
	"statement_timeout": "10s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "30s",
}

// poolSize limits the connections unless the database URL does (pool_max_conns). Commits that wait for the disk
// together share one write. Measured on two processors, more than 16 connections only wait longer.
const poolSize = 16

// The database URL may name several servers. One that has vanished must leave time to try the next.
const (
	connectTimeout = 2 * time.Second // for each server, unless the database URL sets connect_timeout
	pingTimeout    = 2 * time.Second // of an idle connection, unless it sets pool_ping_timeout
)

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
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.PingTimeout == 0 {
		config.PingTimeout = pingTimeout
	}
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

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return wrap(s.pool.Ping(ctx)) }

// maxAttempts limits how often a transaction is tried that collides with others.
const maxAttempts = 5

// WithTx runs do in a transaction. If it collides with another transaction, it rolls back and runs do again.
func (s *Store) WithTx(ctx context.Context, options pgx.TxOptions, do func(pgx.Tx) error) error {
	return repeated(ctx, func() error { return pgx.BeginTxFunc(ctx, s.pool, options, do) })
}

// repeated runs a transaction again while it collides with others.
func repeated(ctx context.Context, transaction func() error) error {
	for attempt := 1; ; attempt++ {
		err := transaction()
		if err == nil || attempt == maxAttempts || !collided(err) {
			return wrap(err)
		}
		select {
		case <-ctx.Done():
			return wrap(ctx.Err())
		case <-time.After(rand.N(time.Duration(attempt) * 20 * time.Millisecond)):
		}
	}
}

// withLongTx is WithTx with longTimeouts.
func (s *Store) withLongTx(ctx context.Context, options pgx.TxOptions, do func(pgx.Tx) error) error {
	return s.WithTx(ctx, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, longTimeouts); err != nil {
			return err
		}
		return do(tx)
	})
}

// collided recognizes serialization_failure and deadlock_detected.
func collided(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// wrap makes a problem of a temporary error.
func wrap(err error) error {
	var p *problem.Problem
	switch {
	case err == nil || errors.As(err, &p):
		return err
	case temporary(err):
		return problem.Wrap(problem.Unavailable, err, "The database can't be reached at the moment. "+
			"Send the same request again later: a result keeps its id, so nothing is stored twice.")
	}
	return fmt.Errorf("store: %w", err)
}

// temporary recognizes a database that is away, stopping, starting, out of disk or memory, or too slow.
func temporary(err error) bool {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) { // whatever the reason, the request is not to blame
		return true
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch class := e.Code[:min(2, len(e.Code))]; class {
		case "08", "53", "57", "58": // connection, resources, operator intervention, system
			return true
		}
		// a lock that was held too long; a standby, which takes no writes
		return collided(err) || e.Code == "55P03" || e.Code == "25006"
	}
	var network net.Error
	return errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		strings.Contains(err.Error(), "closed pool")
}
