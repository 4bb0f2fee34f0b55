package migrations

// Placed calls do for each table that Citus distributes or copies, with its distribution column or "".
func Placed(do func(table, column string)) {
	for _, p := range placement {
		do(p.table, p.column)
	}
}
