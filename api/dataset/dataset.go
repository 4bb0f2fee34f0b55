// Package dataset declares the tables that people cite and writes them in every format. Each table is declared once,
// as a list of columns. The head of its CSV, its Parquet schema, its SQLite table, its part of datapackage.json and
// its section of docs/data.md follow from that list.
package dataset

import (
	"math"
	"slices"
	"time"
)

// Type is the type of a column.
type Type string

// Types of columns.
const (
	Text    Type = "text" // what somebody typed or a device says: nobody has checked it
	Key     Type = "key"  // an id, or one of few words of ours
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
	Date    Type = "date" // a day, UTC
	JSON    Type = "json" // an array
)

// Field is one column. Columns are appended, never renamed.
type Field struct {
	Name        string
	Type        Type
	Unit        string // empty: it has none
	Description string
	Rules
}

// Rules constrain the values of a column.
type Rules struct {
	Required bool     `json:"required,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Minimum  *float64 `json:"minimum,omitempty"`
}

var (
	required    = Rules{Required: true}
	none        = Rules{}
	notNegative = Rules{Minimum: new(float64)}
)

func oneOf(words ...string) Rules { return Rules{Enum: words} }

// allows reports whether a value keeps the rules of the column.
func (f *Field) allows(v *Value) bool {
	switch {
	case !v.known:
		return !f.Required
	case len(f.Enum) > 0:
		return slices.Contains(f.Enum, v.text)
	case f.Minimum == nil:
		return true
	case f.Type == Number:
		return v.float() >= *f.Minimum
	}
	return float64(int64(v.bits)) >= *f.Minimum
}

// Table describes a table for all formats.
type Table struct {
	Name        string
	Description string
	Fields      []Field
	Key         []string // names of the columns that no two rows share
	References  []Reference
	Indexed     []string // columns that SQLite has an index of
}

// Reference declares a foreign key: the values of Column are keys, in column Of, of Table.
type Reference struct{ Column, Table, Of string }

// Column is a field and the function that reads its value from a row.
type Column[R any] struct {
	Field
	Get func(*R) Value
}

// Of is a table with rows of type R.
type Of[R any] struct {
	Table
	Columns []Column[R]
}

func table[R any](t Table, columns []Column[R]) *Of[R] {
	for _, c := range columns {
		t.Fields = append(t.Fields, c.Field)
	}
	return &Of[R]{t, columns}
}

// Append appends the cells of a row in the order of the columns.
func (t *Of[R]) Append(to []Value, row *R) []Value {
	for i := range t.Columns {
		v := t.Columns[i].Get(row)
		if t.Columns[i].Type == Text {
			v.text = printable(v.text)
			v.known = v.text != ""
		}
		to = append(to, v)
	}
	return to
}

// Value is one cell. The zero Value is unknown.
type Value struct {
	text  string
	bits  uint64 // a whole number, the bits of a float, days since 1970, 0 or 1
	known bool
}

func word(s string) Value { return Value{text: s, known: s != ""} }

func whole(n int64) Value { return Value{bits: uint64(n), known: true} }

// count is whole, where 0 or less means unknown.
func count[N int | int64](n N) Value {
	if n <= 0 {
		return Value{}
	}
	return whole(int64(n))
}

// number is unknown if v is not a number.
func number(v float64) Value {
	return Value{bits: math.Float64bits(v), known: !math.IsNaN(v) && !math.IsInf(v, 0)}
}

// positive is number, where 0 means unknown.
func positive(v float64) Value {
	if v == 0 {
		return Value{}
	}
	return number(v)
}

// optional is unknown if v is nil.
func optional[T any](v *T, value func(T) Value) Value {
	if v == nil {
		return Value{}
	}
	return value(*v)
}

func truth(b bool) Value {
	if b {
		return whole(1)
	}
	return whole(0)
}

func day(t time.Time) Value { return whole(t.Unix() / 86400) }

func (v Value) float() float64 { return math.Float64frombits(v.bits) }

func (v Value) day() time.Time { return time.Unix(int64(v.bits)*86400, 0).UTC() }
