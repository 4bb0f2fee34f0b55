package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// SQLite is a database file that tables are written into.
type SQLite struct{ conn *sqlite.Conn }

// NewSQLite creates the file with all tables, still without rows.
func NewSQLite(path string, tables []*Table) (db *SQLite, err error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	// Nobody reads the file before it is complete, and an incomplete file is thrown away. Write checks the rules
	// itself: SQLite would build a table of the allowed words for each row, which takes twice as long as everything
	// else.
	statements := []string{
		"pragma page_size = 8192", "pragma journal_mode = off", "pragma synchronous = off", "pragma locking_mode = exclusive",
		"pragma cache_size = -16384", "pragma ignore_check_constraints = on",
	}
	for _, t := range tables {
		statements = append(statements, t.ddl())
	}
	db = &SQLite{conn}
	if err := db.execute(statements); err != nil {
		db.Discard()
		return nil, err
	}
	return db, nil
}

// execute executes statements one by one. sqlitex.ExecuteScript would panic after a disk error: it rolls back, which
// isn't possible without a journal.
func (db *SQLite) execute(statements []string) error {
	for _, statement := range statements {
		if err := sqlitex.ExecuteTransient(db.conn, statement, nil); err != nil {
			return fmt.Errorf("sqlite: %w", err)
		}
	}
	return nil
}

var sqliteTypes = map[Type]string{
	Text: "text", Key: "text", JSON: "text", Date: "text", Integer: "integer", Boolean: "integer", Number: "real",
}

// ddl returns the statement that creates the table. Its rows are stored in the order of its key, in which they come.
func (t *Table) ddl() string {
	var lines []string
	for _, f := range t.Fields {
		line := fmt.Sprintf("%q %s", f.Name, sqliteTypes[f.Type])
		if f.Required {
			line += " not null"
		}
		switch {
		case f.Type == Boolean:
			line += fmt.Sprintf(" check (%q in (0, 1))", f.Name)
		case len(f.Enum) > 0:
			line += fmt.Sprintf(" check (%q in ('%s'))", f.Name, strings.Join(f.Enum, "', '"))
		case f.Minimum != nil:
			line += fmt.Sprintf(" check (%q >= %v)", f.Name, *f.Minimum)
		}
		lines = append(lines, line)
	}
	lines = append(lines, "primary key ("+strings.Join(t.Key, ", ")+")")
	for _, r := range t.References {
		lines = append(lines, fmt.Sprintf("foreign key (%[1]s) references %[1]ss (%[1]s)", r))
	}
	return fmt.Sprintf("create table %s (\n\t%s\n) without rowid", t.Name, strings.Join(lines, ",\n\t"))
}

// Table returns a writer of one of the tables.
func (db *SQLite) Table(t *Table) (Writer, error) {
	parameters := strings.Repeat(", ?", len(t.Fields))[len(", "):]
	insert, err := db.conn.Prepare(fmt.Sprintf("insert into %s values (%s)", t.Name, parameters))
	if err == nil {
		err = sqlitex.Execute(db.conn, "begin", nil)
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: %w", t.Name, err)
	}
	return &sqliteWriter{db.conn, t, insert, Value{}, ""}, nil
}

// Close creates the indexes and statistics, and closes the file.
func (db *SQLite) Close(tables []*Table) error {
	var statements []string
	for _, t := range tables {
		for _, column := range t.Indexed {
			statements = append(statements, fmt.Sprintf("create index %[1]s_%[2]s on %[1]s (%[2]s)", t.Name, column))
		}
	}
	err := db.execute(append(statements, "pragma analysis_limit = 1000", "analyze"))
	return errors.Join(err, db.conn.Close())
}

// Discard closes a file that won't be completed.
func (db *SQLite) Discard() { _ = db.conn.Close() }

type sqliteWriter struct {
	conn   *sqlite.Conn
	table  *Table
	insert *sqlite.Stmt
	day    Value  // the last one that was written
	date   string // as text
}

func (w *sqliteWriter) Write(cells []Value) error {
	fields := w.table.Fields
	for ; len(cells) > 0; cells = cells[len(fields):] {
		for i := range fields {
			v := &cells[i]
			if !fields[i].allows(v) {
				value := cmp.Or(string(appendCell(nil, fields[i].Type, *v)), "unknown")
				return fmt.Errorf("sqlite: %s: %s can't be %s", w.table.Name, fields[i].Name, value)
			}
			switch {
			case !v.known:
				w.insert.BindNull(i + 1)
			case fields[i].Type == Integer || fields[i].Type == Boolean:
				w.insert.BindInt64(i+1, int64(v.bits))
			case fields[i].Type == Number:
				w.insert.BindFloat(i+1, v.float())
			case fields[i].Type == Date:
				if *v != w.day {
					w.day, w.date = *v, string(appendCell(nil, Date, *v))
				}
				w.insert.BindText(i+1, w.date)
			default:
				w.insert.BindText(i+1, v.text)
			}
		}
		_, err := w.insert.Step()
		if err = cmp.Or(err, w.insert.Reset()); err != nil {
			return fmt.Errorf("sqlite: %s: %w", w.table.Name, err)
		}
	}
	return nil
}

func (w *sqliteWriter) Close() error {
	return sqlitex.Execute(w.conn, "commit", nil)
}
