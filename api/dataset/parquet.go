package dataset

import (
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// packing is shared, because it reuses its buffers.
var packing = &zstd.Codec{Level: zstd.SpeedFastest}

// A reader can skip whole row groups. The writer keeps the offsets of their columns in memory until the end, 70 kB for
// each group. So groups grow with the file: groups of constant size would need 1.6 MiB for each million rows of
// results.
const (
	firstGroupBytes = 16 << 20 // of text and numbers, before they are packed
	groupPart       = 32       // later groups are this part of what was written before
	heldGroupBytes  = 64 << 20 // the most for pages that wait in memory; packed, about 10 MiB
	firstGroupRows  = 200_000
)

// pageBytes is how much of a column is packed at once. Each page has an entry in the index at the end of the file,
// which also stays in memory.
const pageBytes = 256 << 10

type parquetWriter struct {
	to        *parquet.GenericWriter[any]
	fields    []Field
	values    []parquet.Value
	scratch   []byte
	group     extent // of the row group that is being written
	all       extent // of the groups before
	mostBytes int    // of a group
}

// extent counts rows and bytes before packing.
type extent struct{ rows, bytes int }

// NewParquet returns a writer of a table as a Parquet file. Each column is packed with zstd. The writer holds some
// megabytes of pages in memory, and less than 1 MiB of offsets for a million rows of results.
func NewParquet(to io.Writer, t *Table) Writer {
	return newParquet(to, t, heldGroupBytes)
}

// NewParquetFile is NewParquet for tables of any size. The pages of a row group wait in files in dir. The writer
// removes them when it is closed, but may leave them there after an error. For 100 million rows of results, it keeps
// 27 MiB in memory until the end.
func NewParquetFile(to io.Writer, t *Table, dir string) Writer {
	return newParquet(to, t, math.MaxInt, parquet.ColumnPageBuffers(parquet.NewFileBufferPool(dir, ".pages-*")))
}

func newParquet(to io.Writer, t *Table, mostBytes int, options ...parquet.WriterOption) Writer {
	options = append(options,
		parquetSchema(t),
		parquet.CreatedBy("flashdex", "1", ""), parquet.Compression(packing), parquet.PageBufferSize(pageBytes),
		parquet.DataPageStatistics(true), parquet.DictionaryMaxBytes(1<<20),
		parquet.KeyValueMetadata("description", t.Description), parquet.KeyValueMetadata("license", "CC0-1.0"),
	)
	for _, f := range t.Fields {
		if f.Type == JSON { // nobody needs the bounds, and all of them would be kept until the end
			options = append(options, parquet.SkipPageBounds(f.Name))
		}
	}
	return &parquetWriter{fields: t.Fields, to: parquet.NewGenericWriter[any](to, options...), mostBytes: mostBytes}
}

// parquetSchema makes the schema from a struct type, because only that keeps the order of the columns.
func parquetSchema(t *Table) *parquet.Schema {
	var members []reflect.StructField
	for i, f := range t.Fields {
		of, tag := reflect.TypeFor[string](), f.Name+",optional"
		switch f.Type {
		case Integer:
			of = reflect.TypeFor[int64]()
		case Number:
			of = reflect.TypeFor[float64]()
		case Boolean:
			of = reflect.TypeFor[bool]()
		case Date:
			of, tag = reflect.TypeFor[int32](), tag+",date"
		case Text, Key:
			if !t.identifies(f.Name) { // otherwise nearly all values differ
				tag += ",dict"
			}
		}
		members = append(members, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: of, Tag: reflect.StructTag(`parquet:"` + tag + `"`),
		})
	}
	return parquet.NewSchema(t.Name, parquet.SchemaOf(reflect.New(reflect.StructOf(members)).Interface()))
}

// identifies reports whether nearly all values of a column differ, as ids of runs and units do.
func (t *Table) identifies(column string) bool { return column == "result" || column == "unit" }

func (w *parquetWriter) Write(cells []Value) error {
	width := len(w.fields)
	rows := len(cells) / width
	for i, column := range w.to.ColumnWriters() {
		of := w.fields[i].Type
		w.values, w.scratch = w.values[:0], w.scratch[:0]
		for at := i; at < len(cells); at += width {
			v, value, level := &cells[at], parquet.Value{}, 0
			if v.known {
				level = 1
				switch of {
				case Integer:
					value = parquet.Int64Value(int64(v.bits))
				case Number:
					value = parquet.DoubleValue(v.float())
				case Boolean:
					value = parquet.BooleanValue(v.bits == 1)
				case Date:
					value = parquet.Int32Value(int32(v.bits))
				default:
					w.scratch = append(w.scratch, v.text...)
					value = parquet.ByteArrayValue(w.scratch[len(w.scratch)-len(v.text):])
				}
			}
			w.values = append(w.values, value.Level(0, level, i))
		}
		w.group.bytes += len(w.scratch) + 8*rows
		if _, err := column.WriteRowValues(w.values); err != nil {
			return fmt.Errorf("parquet: %s: %w", w.fields[i].Name, err)
		}
	}
	w.group.rows += rows
	enough := extent{
		rows:  max(firstGroupRows, w.all.rows/groupPart),
		bytes: min(max(firstGroupBytes, w.all.bytes/groupPart), w.mostBytes),
	}
	if w.group.rows < enough.rows && w.group.bytes < enough.bytes {
		return nil
	}
	w.all.rows, w.all.bytes, w.group = w.all.rows+w.group.rows, w.all.bytes+w.group.bytes, extent{}
	return w.to.Flush()
}

func (w *parquetWriter) Close() error { return w.to.Close() }
