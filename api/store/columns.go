package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// A column is a column of a table and the field that holds its value. Where rows are only read, sql may be any
// expression.
type column struct {
	sql   string
	value any // a pointer, to scan into and to store from
}

// columns declares the columns of a T once, for every statement that selects, inserts or copies such rows.
type columns[T any] func(row *T) []column

func values(columns []column) (values []any) {
	for _, c := range columns {
		values = append(values, c.value)
	}
	return values
}

// join writes each column by a format, with commas between them.
func join(format string, columns []column) string {
	var all []string
	for _, c := range columns {
		all = append(all, fmt.Sprintf(format, c.sql))
	}
	return strings.Join(all, ", ")
}

func (c columns[T]) format(format string) string { return join(format, c(new(T))) }

// list names columns, each after a prefix such as "s." or "@".
func (c columns[T]) list(prefix string) string { return c.format(prefix + "%s") }

// scan reads one row; it is a pgx.RowToFunc.
func (c columns[T]) scan(from pgx.CollectableRow) (row T, err error) {
	return row, from.Scan(values(c(&row))...)
}

// each calls do for every row. It looks up the fields only once, so reading millions of rows is as fast as a
// hand-written Scan.
func (c columns[T]) each(rows pgx.Rows, do func(row T) error) error {
	var row, zero T
	_, err := pgx.ForEachRow(rows, values(c(&row)), func() error {
		err := do(row)
		row = zero // nothing of this row stays in the next one
		return err
	})
	return err
}

// copyTo adds rows to a table.
func (c columns[T]) copyTo(ctx context.Context, tx pgx.Tx, table string, rows []T) error {
	var row T
	fields := values(c(&row))
	source := pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		row = rows[i]
		return fields, nil
	})
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, strings.Split(c.list(""), ", "), source)
	return err
}

// groups collects consecutive values with the same key, and hands them over together.
type groups[K comparable, V any] struct {
	key  K
	of   []V // the key
	done func(K, []V) error
}

func (g *groups[K, V]) add(key K, value V) error {
	if key != g.key {
		if err := g.finish(nil); err != nil {
			return err
		}
	}
	g.key, g.of = key, append(g.of, value)
	return nil
}

// finish hands over the values of the last key, unless adding has failed.
func (g *groups[K, V]) finish(err error) error {
	of := g.of
	if g.of = nil; err != nil || len(of) == 0 {
		return err
	}
	return g.done(g.key, of)
}

// byKey reads rows that consist of a key and a T, and groups the Ts by key.
func (c columns[T]) byKey(rows pgx.Rows) (map[string][]T, error) {
	of := map[string][]T{}
	var key string
	var row, zero T
	_, err := pgx.ForEachRow(rows, append([]any{&key}, values(c(&row))...), func() error {
		of[key] = append(of[key], row)
		row = zero // nothing of this row stays in the next one
		return nil
	})
	return of, err
}

// mapOf reads rows that consist of a unique key and a value.
func mapOf[K comparable, V any](ctx context.Context, q querier, sql string, args ...any) (map[K]V, error) {
	rows, _ := q.Query(ctx, sql, args...)
	of := map[K]V{}
	var key K
	var value V
	_, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
		of[key] = value
		return nil
	})
	return of, err
}

// arrays holds rows as one array for each column, as unnest takes them.
func (c columns[T]) arrays(rows []T) []column {
	lists := c(new(T))
	for i := range lists {
		lists[i].value = make(pgtype.FlatArray[any], len(rows))
	}
	for at := range rows {
		for i, column := range c(&rows[at]) {
			lists[i].value.(pgtype.FlatArray[any])[at] = column.value
		}
	}
	return lists
}

// unnest turns the arrays back into rows. The fields' types determine the columns' types.
func (c columns[T]) unnest() string {
	var lists []string
	for _, column := range c(new(T)) {
		sqlType := "text"
		switch column.value.(type) {
		case *int:
			sqlType = "integer"
		case *int64, **int64:
			sqlType = "bigint"
		case *float64, **float64:
			sqlType = "float8"
		case *contributorID:
			sqlType = "bytea"
		}
		lists = append(lists, "@"+column.sql+"::"+sqlType+"[]")
	}
	return "unnest(" + strings.Join(lists, ", ") + ")"
}

// A statement has named parameters. It numbers them once, where pgx would do so for each call.
type statement struct {
	sql   string
	names []string // in the order of their numbers
}

var reName = regexp.MustCompile(`@[a-z0-9_]+`)

func prepare(query string) (s statement) {
	s.sql = reName.ReplaceAllStringFunc(query, func(name string) string {
		if !slices.Contains(s.names, name[1:]) {
			s.names = append(s.names, name[1:])
		}
		return "$" + strconv.Itoa(1+slices.Index(s.names, name[1:]))
	})
	return s
}

// with puts values in the order of the parameters. It panics if one is missing, because Postgres would store null.
func (s statement) with(values ...column) (args []any) {
	for _, name := range s.names {
		at := slices.IndexFunc(values, func(c column) bool { return c.sql == name })
		if at < 0 {
			panic("store: the statement has no value for @" + name)
		}
		args = append(args, values[at].value)
	}
	return args
}

// contributorID is a contributor's id, the hash of their first secret, as a string of its bytes.
type contributorID string

// ScanBytes implements pgtype.BytesScanner.
func (id *contributorID) ScanBytes(hash []byte) error {
	*id = contributorID(hash)
	return nil
}

// BytesValue implements pgtype.BytesValuer.
func (id contributorID) BytesValue() ([]byte, error) { return []byte(id), nil }

// label is a hash that only its equals can be compared with, as a string of its bytes; see submission.Origin.
type label string

// ScanBytes implements pgtype.BytesScanner.
func (l *label) ScanBytes(hash []byte) error {
	*l = label(hash)
	return nil
}

// BytesValue implements pgtype.BytesValuer.
func (l label) BytesValue() ([]byte, error) { return []byte(l), nil }
