package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"

	"flashdex/result"
)

// measureStartup measures how long the command that the user named takes to start from the module that its program lies on.
func measureStartup(ctx context.Context, o options) error {
	switch {
	case o.device != "" || o.erase:
		return usagef("startup writes nothing: leave out --device and --erase")
	case len(o.arguments) == 0:
		return usagef("name the command to start, such as: flashdex --profile startup -- java -version")
	}
	path, err := exec.LookPath(o.arguments[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		var why *exec.Error
		if errors.As(err, &why) {
			err = why.Err
		}
		return usagef("%q can't be started (%w); name a command whose program lies on the module, such as: flashdex --profile startup -- /mnt/card/program", o.arguments[0], err)
	}
	o.start = append([]string{path}, o.arguments[1:]...)
	return measureModule(ctx, o, "")
}

// startupRows shows the starts of a program: the mean, the standard deviation between them, and what the module had to read.
func startupRows(doc *result.Document) [][]string {
	rows := [][]string{{"PROGRAM", "STARTS", "MEAN", "SPREAD", "FASTEST", "SLOWEST", "READ EACH"}}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		n := float64(len(t.Intervals))
		mean, squares := float64(t.DurationNS)/n, 0.0
		least, most := t.DurationNS, int64(0)
		for _, run := range t.Intervals {
			squares += (float64(run.NS) - mean) * (float64(run.NS) - mean)
			least, most = min(least, run.NS), max(most, run.NS)
		}
		spread := "-"
		if n > 1 {
			v := int64(math.Sqrt(squares / (n - 1)))
			spread = ms(&v)
		}
		middle := int64(mean)
		rows = append(rows, []string{
			doc.Target.Program, fmt.Sprint(len(t.Intervals)), ms(&middle), spread, ms(&least), ms(&most), fmt.Sprintf("%.2f MB", float64(t.Bytes)/n/1e6),
		})
	}
	return rows
}
