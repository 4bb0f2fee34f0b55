package store

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/figure"

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

func names(columns []column) (names []string) {
	for _, c := range columns {
		names = append(names, c.sql)
	}
	return names
}

func values(columns []column) (values []any) {
	for _, c := range columns {
		values = append(values, c.value)
	}
	return values
}

// list names columns, each after a prefix such as "s." or "@".
func list(columns []column, prefix string) string {
	return prefix + strings.Join(names(columns), ", "+prefix)
}

func (c columns[T]) list(prefix string) string { return list(c(new(T)), prefix) }

// updates has an insert replace the row that it conflicts with.
func (c columns[T]) updates() string { return c.format("%[1]s = excluded.%[1]s") }

func (c columns[T]) format(each string) string {
	names := names(c(new(T)))
	for i := range names {
		names[i] = fmt.Sprintf(each, names[i])
	}
	return strings.Join(names, ", ")
}

// scan reads one row; it is a pgx.RowToFunc.
func (c columns[T]) scan(from pgx.CollectableRow) (row T, err error) {
	return row, from.Scan(values(c(&row))...)
}

// each calls do for every row. It looks up the fields once, so that millions of rows are as quick as with a Scan by
// hand.
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
func (c columns[T]) copyTo(ctx context.Context, tx pgx.Tx, table string, rows iter.Seq[T]) error {
	next, stop := iter.Pull(rows)
	defer stop()
	var row T
	fields := values(c(&row))
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, names(c(new(T))), pgx.CopyFromFunc(func() ([]any, error) {
		var more bool
		if row, more = next(); !more {
			return nil, nil
		}
		return fields, nil
	}))
	return err
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

// A statement has named parameters, which it numbers once. pgx would do that anew each time.
type statement struct {
	sql   string
	names []string // in the order of their numbers
}

var reName = regexp.MustCompile(`@[a-z0-9_]+`)

func prepare(query string) (s statement) {
	s.sql = reName.ReplaceAllStringFunc(query, func(name string) string {
		n := slices.Index(s.names, name[1:])
		if n < 0 {
			n = len(s.names)
			s.names = append(s.names, name[1:])
		}
		return "$" + strconv.Itoa(n+1)
	})
	return s
}

// with puts values in the order of the parameters. It panics if one is missing, which would else be stored as null.
func (s statement) with(values ...column) []any {
	args := make([]any, len(s.names))
	for i, name := range s.names {
		at := slices.IndexFunc(values, func(c column) bool { return c.sql == name })
		if at < 0 {
			panic("store: the statement has no value for @" + name)
		}
		args[i] = values[at].value
	}
	return args
}

// variantColumn stores a variant as its key.
type variantColumn figure.Variant

// ScanText implements pgtype.TextScanner.
func (v *variantColumn) ScanText(key pgtype.Text) error {
	*v = variantColumn(figure.VariantOf(key.String))
	return nil
}

// TextValue implements pgtype.TextValuer.
func (v variantColumn) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: figure.Variant(v).Key(), Valid: true}, nil
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
