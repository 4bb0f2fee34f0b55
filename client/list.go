package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"flashdex/client/spool"
	"flashdex/result"
)

// list prints the kept results and what became of them.
func list(w io.Writer) error {
	kept, err := spool.Open()
	if err != nil {
		return usageError{err}
	}
	all, err := kept.All()
	if len(all) == 0 && err == nil {
		fmt.Fprintln(os.Stderr, "There are no results in", kept.Dir)
		return nil
	}
	width := int(^uint(0) >> 1) // whoever reads it from a pipe wants lines
	if file, ok := w.(*os.File); ok {
		if columns := terminalColumns(file); columns > 0 {
			width = columns
		}
	}
	rows := [][]string{{"ID", "DATE", "MODULE", "4K RANDOM WRITE", "STATE"}}
	for _, one := range all {
		rows = append(rows, listed(one))
	}
	fmt.Fprint(w, plain(table(rows, width)))
	return err
}

func listed(one spool.Kept) []string {
	figure := "-"
	if t := one.Result.Test(result.RandWrite); t != nil {
		figure = row(t)[1]
	}
	state := "waiting"
	switch {
	case one.Deleted:
		state = "deleted from the site"
	case one.Receipt != nil:
		state = "uploaded, " + one.Receipt.State
		if one.Receipt.Reason != "" {
			state += ": " + one.Receipt.Reason
		}
	case one.Refused != nil:
		state = strings.Join(strings.Fields(one.Refused.Error()), " ")
	}
	date, _, _ := strings.Cut(one.Result.StartedAt, "T")
	return []string{one.Result.ID, date, describe(one.Result), figure, state}
}
