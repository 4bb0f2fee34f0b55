// Package dataset declares the tables that people cite and writes them in every format. Each table is declared once,
// as a list of columns. The head of its CSV, its Parquet schema, its SQLite table, its part of datapackage.json and
// its section of docs/data.md follow from that list.
package dataset

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"flashdex/result"
)

// Type is the type of a column.
type Type string

// Types of columns.
const (
	Text    Type = "text" // what somebody typed or a device says, unchecked
	Key     Type = "key"  // an id, or one of a few fixed words
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
	none        = Rules{}
	required    = Rules{Required: true}
	notNegative = Rules{Minimum: new(float64)}
	counted     = Rules{Required: true, Minimum: new(float64)}
)

// allows reports whether a value obeys the rules of the column.
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
	Key         []string // columns that together identify a row
	References  []string // columns that hold keys of other tables: module of modules, unit of units
	Indexed     []string // columns with an index in SQLite
}

// Column is a field and the function that reads its value from a row.
type Column[R any] struct {
	Field
	Get func(*R) any // returns what valueOf takes
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
		v := valueOf(t.Columns[i].Get(row))
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

// valueOf reads a cell out of a field. Empty text, nil, an int below 1 and a float64 that is no number are unknown.
func valueOf(field any) Value {
	switch v := field.(type) {
	case string:
		return Value{text: v, known: v != ""}
	case *string:
		return Value{text: *v, known: *v != ""}
	case *RawJSON:
		return Value{text: string(*v), known: *v != ""}
	case *result.Ended:
		return Value{text: string(*v), known: *v != ""}
	case *bool:
		if *v {
			return Value{bits: 1, known: true}
		}
		return Value{known: true}
	case *int:
		return Value{bits: uint64(*v), known: *v > 0}
	case *int64:
		if v != nil {
			return Value{bits: uint64(*v), known: true}
		}
	case **int64:
		return valueOf(*v)
	case *float64:
		if v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) {
			return Value{bits: math.Float64bits(*v), known: true}
		}
	case **float64:
		return valueOf(*v)
	case *time.Time:
		return Value{bits: uint64(v.Unix() / 86400), known: true}
	}
	return Value{}
}

// given returns nil for 0, which stands for unknown.
func given[N int64 | float64](v *N) *N {
	if *v == 0 {
		return nil
	}
	return v
}

func (v Value) float() float64 { return math.Float64frombits(v.bits) }

func (v Value) day() time.Time { return time.Unix(int64(v.bits)*86400, 0).UTC() }

// Tables lists all tables, each after the ones that it refers to.
var Tables = []*Table{
	&Modules.Table, &Units.Table, &Hosts.Table, &Results.Table, &Figures.Table, &Published.Table, &Rated.Table,
	&Devices.Table, &Endured.Table, &Prices.Table, &Checks.Table, &Samples.Table, &Calibrations.Table, &Columns.Table,
}

// Described is a row of Columns.
type Described struct {
	Table    string
	Position int
	Field
}

// Columns lists the columns of all tables.
var Columns = table(Table{
	Name: "columns", Description: "One row for each column of each table.", Key: []string{"table_name", "column_name"},
}, []Column[Described]{
	{Field{"table_name", Key, "", "The table", required}, func(d *Described) any { return &d.Table }},
	{Field{"position", Integer, "", "Where the column stands in it, from 1 on", required},
		func(d *Described) any { return &d.Position }},
	{Field{"column_name", Key, "", "Name of the column", required}, func(d *Described) any { return &d.Name }},
	{Field{"type", Key, "", "What it holds: text that nobody has checked, a key, a number, a day, a JSON array",
		Rules{true, []string{"text", "key", "integer", "number", "boolean", "date", "json"}, nil}},
		func(d *Described) any { return string(d.Type) }},
	{Field{"unit", Key, "", "Unit of a number; empty: it has none", none}, func(d *Described) any { return &d.Unit }},
	{Field{"description", Key, "", "What it says", required}, func(d *Described) any { return &d.Description }},
	{Field{"allowed", Key, "", "The words that it can be, separated by spaces; empty: any", none},
		func(d *Described) any { return strings.Join(d.Enum, " ") }},
})

// EachColumn calls do for each column of each table, in order.
func EachColumn(do func(*Described) error) error {
	for _, t := range Tables {
		for i, f := range t.Fields {
			if err := do(&Described{t.Name, i + 1, f}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Markdown describes the columns of the table for readers.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| column | type | unit | meaning |\n|---|---|---|---|\n")
	for _, f := range t.Fields {
		meaning := f.Description
		if len(f.Enum) > 0 {
			meaning += ": " + strings.Join(f.Enum, ", ")
		}
		b.WriteString("| `" + f.Name + "` | " + string(f.Type) + " | " + f.Unit + " | " + meaning + " |\n")
	}
	return b.String()
}

// batchCells is how many cells the writers get at once.
const batchCells = 6_000

// Stream writes the rows of a table to all writers, closes them, and returns the number of rows. All writers work on
// one batch while Stream reads the next one. After an error it closes no writer, so that an incomplete table never
// looks complete.
func Stream[R any](t *Of[R], each func(do func(*R) error) error, to ...Writer) (rows int64, err error) {
	var cells, other []Value
	var writing sync.WaitGroup
	errs := make([]error, len(to))
	wait := func() error {
		writing.Wait()
		return errors.Join(errs...)
	}
	flush := func() error {
		if err := wait(); err != nil {
			return err
		}
		batch := cells
		for i, w := range to {
			writing.Go(func() { errs[i] = w.Write(batch) })
		}
		cells, other = other[:0], cells
		return nil
	}
	err = each(func(row *R) error {
		rows++
		cells = t.Append(cells, row)
		if len(cells) < batchCells {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if waited := wait(); err == nil {
		err = waited
	}
	for _, w := range to {
		if err == nil {
			err = w.Close()
		}
	}
	return rows, err
}
