//go:build !small

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"flashdex/result/register/health"
)

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// healthWords says in one sentence which facts of a module's wear are known and which are unknown.
func healthWords(h health.Health) string {
	var known, unknown []string
	say := func(what string, told bool, format string, arguments ...any) {
		if told {
			known = append(known, fmt.Sprintf(format, arguments...))
		} else if what != "" {
			unknown = append(unknown, what)
		}
	}
	say("", h.Alarm != "", "it says that it fails: %s", h.Alarm)
	say("life used", h.UsedPercent != nil, "%s", usedWords(h.UsedPercent))
	say("", h.PreEOL != "", "spare blocks: %s", preEOLWords[h.PreEOL])
	say("", h.SparePercent != nil, "%d %% of its spare blocks left", value(h.SparePercent))
	spare := "spare blocks left"
	if h.PreEOL != "" || h.SparePercent != nil {
		spare = ""
	}
	say(spare, h.SpareBlocks != nil, "%s left", count(h.SpareBlocks, "spare block"))
	say("blocks gone bad", h.NewBadBlocks != nil, "%s since it was made", count(h.NewBadBlocks, "bad block"))
	say("erases of a block", h.MeanErases != nil, "blocks erased %s on average", count(h.MeanErases, "time"))
	say("", h.MaxErases != nil, "%s at most", count(h.MaxErases, "time"))
	say("how often it was powered up", h.PowerCycles != nil, "powered up %s", count(h.PowerCycles, "time"))
	say("bytes written", h.WrittenBytes != nil, "%.1f GB written", float64(value(h.WrittenBytes))/1e9)
	unknown = append(unknown, "date of first use") // no answer has it
	return strings.Join(known, ", ") + "; unknown: " + strings.Join(unknown, ", ")
}

var preEOLWords = map[string]string{"normal": "normal", "warning": "80 % used", "urgent": "90 % used"}

func count(n *int64, what string) string {
	if value(n) == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", value(n), what)
}

// value returns a quantity, or 0 if it isn't told.
func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// usedWords says how much of the rated life is used.
func usedWords(r *health.Range) string {
	number := func(v float64) string { return strconv.FormatFloat(float64(int64(v*100+0.5))/100, 'f', -1, 64) }
	switch {
	case r == nil:
		return ""
	case r.AtMost == nil:
		return fmt.Sprintf("more than %s %% used", number(r.AtLeast))
	case r.AtLeast > 100:
		return fmt.Sprintf("%s %% used: past the life that it is rated for", number(r.AtLeast))
	case *r.AtMost == r.AtLeast:
		return fmt.Sprintf("%s %% used", number(r.AtLeast))
	}
	return fmt.Sprintf("%s to %s %% used", number(r.AtLeast), number(*r.AtMost))
}

// functionWords names an SD 6 function and what the card can do with it.
func functionWords(f function) string {
	name := map[int]string{1: "power management", 2: "performance enhancement"}[f.Code]
	if name == "" {
		return fmt.Sprintf("Function  %q of %q, whose registers aren't public", f.Name, f.Manufacturer)
	}
	var can []string
	for _, ability := range sortedKeys(f.Abilities) {
		switch value := f.Abilities[ability].(type) {
		case bool:
			if value {
				can = append(can, strings.ReplaceAll(ability, "_", " "))
			}
		case int64:
			if value > 0 {
				can = append(can, fmt.Sprintf("%s %d", strings.ReplaceAll(ability, "_", " "), value))
			}
		}
	}
	switch {
	case f.Abilities == nil:
		can = []string{"abilities unknown"}
	case len(can) == 0:
		can = []string{"none of its abilities"}
	}
	return fmt.Sprintf("Function  %s: %s", name, strings.Join(can, ", "))
}

// checkMetricsFile returns an error, before a module is asked, for a file that can't be written or that the collector
// wouldn't read.
func checkMetricsFile(path string) error {
	const writable = 2 // W_OK
	if path == "" {
		return nil
	}
	if !strings.HasSuffix(path, ".prom") {
		return usagef("the collector reads files whose names end in .prom, and %s doesn't; nothing was sent", path)
	}
	if err := syscall.Access(filepath.Dir(path)+"/.", writable); err != nil {
		return usagef("%s can't be written: %w; nothing was sent", path, err)
	}
	return nil
}

// writeMetrics writes the health for the textfile collector of Prometheus' node_exporter, which reads files at any
// time: it finds the old file or the new one, whole. It has no timestamps, which the collector refuses; the file has
// its own.
func writeMetrics(path string, a *answered) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".flashdex-health-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // does nothing after the rename
	_, err = temporary.WriteString(metrics(a))
	for _, step := range []func() error{
		func() error { return temporary.Chmod(0o644) }, // the collector runs as another user
		temporary.Sync,
	} {
		if err == nil {
			err = step()
		}
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	return err
}

// metrics returns the known facts in Prometheus' text format. An unknown fact has no line.
func metrics(a *answered) string {
	var b strings.Builder
	labels := fmt.Sprintf("device=%q", a.Device) // a name without control characters needs no more
	if a.unit != "" {
		labels += fmt.Sprintf(",module=%q", a.unit)
	}
	write := func(name, kind, help string, samples ...string) {
		if len(samples) > 0 {
			fmt.Fprintf(&b, "# HELP flashdex_health_%s %s\n# TYPE flashdex_health_%s %s\n", name, help, name, kind)
		}
		for _, sample := range samples {
			fmt.Fprintf(&b, "flashdex_health_%s%s\n", name, sample)
		}
	}
	one := func(n *int64) []string {
		if n == nil {
			return nil
		}
		return []string{fmt.Sprintf("{%s} %d", labels, *n)}
	}
	success := map[bool]int64{true: 1}[a.tells()]
	write("success", "gauge", "Whether the module told its health when it was last asked.", one(&success)...)
	if !a.tells() {
		return b.String()
	}
	h := *a.Health
	write("info", "gauge", "How the module tells its health.", fmt.Sprintf("{%s,dialect=%q} 1", labels, h.Dialect))
	if r := h.UsedPercent; r != nil {
		used := []string{fmt.Sprintf("{%s,bound=\"at_least\"} %g", labels, r.AtLeast/100)}
		if r.AtMost != nil {
			used = append(used, fmt.Sprintf("{%s,bound=\"at_most\"} %g", labels, *r.AtMost/100))
		}
		write("used_ratio", "gauge", "Share of the rated life that is used.", used...)
	}
	write("spare_blocks", "gauge", "Spare blocks that are left.", one(h.SpareBlocks)...)
	write("new_bad_blocks", "gauge", "Blocks that went bad since the module was made.", one(h.NewBadBlocks)...)
	write("mean_erases", "gauge", "How often a block was erased, on average.", one(h.MeanErases)...)
	write("max_erases", "gauge", "How often the block that was erased most was erased.", one(h.MaxErases)...)
	write("power_cycles_total", "counter", "How often the module was powered up.", one(h.PowerCycles)...)
	write("written_bytes_total", "counter", "Bytes written to the module.", one(h.WrittenBytes)...)
	if level := int64(slices.Index([]string{"", "normal", "warning", "urgent"}, h.PreEOL)); level > 0 {
		write("pre_eol", "gauge", "Spare blocks of an eMMC: 1 normal, 2 four fifths used, 3 nine tenths used.",
			one(&level)...)
	}
	if stage, known := h.Stage(); known {
		at := int64(stage)
		write("stage", "gauge", "What the wear asks for: 0 nothing, 1 get another module, 2 copy its data and change it.",
			one(&at)...)
	}
	return b.String()
}
