package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/sign"
)

// list prints the kept results, their state and where the site shows them. Then it says how to delete one from the
// site.
func list(_ context.Context, o options, _ []string) error {
	kept, err := spool.Open()
	if err != nil {
		return usageError(err)
	}
	all, err := kept.All()
	if len(all) == 0 && err == nil {
		fmt.Fprintln(stderr, "There are no results in", kept.Dir)
		return nil
	}
	// A program that reads from a pipe wants one line for each result.
	width := cmp.Or(terminalColumns(os.Stdout), math.MaxInt)
	rows := [][]string{{"ID", "DATE", "MODULE", "4K RANDOM WRITE", "FAKE", "ADDRESS", "STATE"}}
	shown := false
	for _, one := range all {
		date, _, _ := strings.Cut(one.Result.StartedAt, "T")
		write, address := "-", "-"
		if t := one.Result.Test(result.RandWrite); t != nil {
			write = figure(t)
		}
		if one.Receipt != nil && one.Receipt.ResultURL != "" && !one.Deleted {
			shown, address = true, one.Receipt.ResultURL
			site, _, _ := strings.Cut(address, "/r/")
			o.site = cmp.Or(o.site, site)
		}
		fake := cmp.Or(string(sign.Weigh(sign.OfDocument(one.Result))), "-")
		rows = append(rows, []string{one.Result.ID, date, describe(one.Result), write, fake, address, stateOf(one)})
	}
	fmt.Print(spool.Clean(table(rows, width), '\n'))
	if shown {
		fmt.Fprintf(stderr, "To delete one from the site:\n    %s\n", spool.Clean(siteCommand(o, "delete", "ID")))
	}
	return err
}

func stateOf(one spool.Kept) string {
	switch {
	case one.Deleted:
		return "deleted from the site"
	case one.Receipt != nil && one.Receipt.Reason != "":
		return "uploaded, " + one.Receipt.State + ": " + one.Receipt.Reason
	case one.Receipt != nil:
		return "uploaded, " + one.Receipt.State
	case one.Refused != nil:
		return strings.Join(strings.Fields(one.Refused.Error()), " ")
	}
	return "waiting"
}
