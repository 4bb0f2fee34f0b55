package dataset

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// packing is shared, for it keeps what it needs to pack.
var packing = &zstd.Codec{Level: zstd.SpeedFastest}

// groupBytes and groupRows bound a row group, which is held in memory, and which a reader can pass over.
const (
	groupBytes = 16 << 20 // of text and numbers, before they are packed
	groupRows  = 200_000
)

type parquetWriter struct {
	to      *parquet.GenericWriter[any]
	fields  []Field
	values  []parquet.Value
	scratch []byte
	bytes   int
	rows    int
}

// NewParquet returns a writer of a table as a Parquet file, each column packed with zstd.
func NewParquet(to io.Writer, t *Table) Writer {
	options := []parquet.WriterOption{
		parquetSchema(t),
		parquet.CreatedBy("flashdex", "1", ""), parquet.Compression(packing), parquet.PageBufferSize(64 << 10), parquet.DataPageStatistics(true),
		parquet.DictionaryMaxBytes(1 << 20), parquet.KeyValueMetadata("description", t.Description), parquet.KeyValueMetadata("license", "CC0-1.0"),
	}
	for _, f := range t.Fields {
		if f.Type == JSON { // nobody looks for the least of them, and all would be kept to the end
			options = append(options, parquet.SkipPageBounds(f.Name))
		}
	}
	return &parquetWriter{fields: t.Fields, to: parquet.NewGenericWriter[any](to, options...)}
}

// parquetSchema keeps the columns in their order, as only that of a struct does.
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
			if !t.identifies(f.Name) { // else nearly every value is another
				tag += ",dict"
			}
		}
		members = append(members, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: of, Tag: reflect.StructTag(`parquet:"` + tag + `"`)})
	}
	return parquet.NewSchema(t.Name, parquet.SchemaOf(reflect.New(reflect.StructOf(members)).Interface()))
}

// identifies reports whether a column holds ids of which there are as many as runs or units.
func (t *Table) identifies(column string) bool { return column == "result" || column == "unit" }

func (w *parquetWriter) Write(cells []Value) error {
	width := len(w.fields)
	rows := len(cells) / width
	for i, column := range w.to.ColumnWriters() {
		of := w.fields[i].Type
		w.values, w.scratch = w.values[:0], w.scratch[:0]
		for at := i; at < len(cells); at += width {
			w.scratch = append(w.scratch, cells[at].text...)
		}
		rest := w.scratch
		w.bytes += len(rest) + 8*rows
		for at := i; at < len(cells); at += width {
			v := &cells[at]
			value, level := parquet.Value{}, 0
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
					value = parquet.ByteArrayValue(rest[:len(v.text)])
				}
			}
			rest = rest[len(v.text):]
			w.values = append(w.values, value.Level(0, level, i))
		}
		if _, err := column.WriteRowValues(w.values); err != nil {
			return fmt.Errorf("parquet: %s: %w", w.fields[i].Name, err)
		}
	}
	if w.rows += rows; w.rows >= groupRows || w.bytes >= groupBytes {
		w.rows, w.bytes = 0, 0
		return w.to.Flush()
	}
	return nil
}

func (w *parquetWriter) Close() error { return w.to.Close() }
