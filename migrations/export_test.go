package migrations

// Placed calls do for each table that Citus spreads, with the column that it is distributed by, or none.
func Placed(do func(table, column string)) {
	for _, p := range placement {
		do(p.table, p.column)
	}
}
