package dataset

import "strings"

// Tables lists all tables, each after the ones that it refers to.
var Tables = []*Table{
	&Modules.Table, &Units.Table, &Hosts.Table, &Results.Table, &Figures.Table, &Published.Table, &Rated.Table,
	&Samples.Table, &Columns.Table,
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
