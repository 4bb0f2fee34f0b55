package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/client/transcript"
	"flashdex/result"
)

// largestImport is the most that a file to be imported may have. fio's JSON of a dozen jobs has some 100 kB.
const largestImport = 16 << 20

// importQuestions are what is asked where an output doesn't say it.
var importQuestions = map[string]string{
	transcript.FactTest:      "What did it do",
	transcript.FactBlockSize: "Size of a block, such as 4k or 1M",
	transcript.FactDirect:    "Past the page cache (direct I/O)",
	transcript.FactSync:      "How writes were flushed: not at all, by fsync once at the end and within the time, or each (O_DSYNC, O_SYNC)",
	transcript.FactUnit:      "What the table is in: kB a second, or operations a second (iozone -O)",
}

// importFile reads what another tool printed, asks for what that doesn't say, and keeps, shows and offers the result like one of our own.
func importFile(ctx context.Context, o options, path string) error {
	text, err := readImport(path)
	if err != nil {
		return usageError{err}
	}
	kept, err := spool.Open()
	if err != nil {
		return usageError{err}
	}
	if err := kept.CheckRoom(); err != nil {
		return usageError{err}
	}
	out, err := readTold(ctx, text, o.told)
	if err != nil {
		return importFailed(path, err)
	}
	if err := askModule(ctx, &o.module); err != nil {
		return importFailed(path, err)
	}
	doc := result.Document{
		SchemaVersion: result.SchemaVersion,
		ID:            spool.NewID(time.Now()),
		Client:        result.Client{Name: "flashdex", Version: version, Platform: platform()},
		Method:        result.MethodOfImport(out.Tool),
		Profile:       result.ProfileImported,
		StartedAt:     time.Now().UTC().Format("2006-01-02T15:04:05Z"),
		Module:        o.module,
		Tests:         out.Tests,
		Spoilers:      []string{},
		Imported:      &out.Imported,
	}
	for _, left := range out.LeftOut {
		fmt.Fprintln(os.Stderr, "Left out:", plain(left))
	}
	return keepAndOffer(ctx, o, kept, &doc, nil)
}

// importFailed says that nothing became of a file, and that nothing was lost.
func importFailed(path string, err error) error {
	var signalled stopped
	if errors.As(err, &signalled) {
		return fmt.Errorf("%w: nothing was imported, and %s is as it was", err, path)
	}
	return usagef("%s: %w. Nothing was imported, and the file is as it was", plain(path), err)
}

func readImport(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestImport+1))
	if err == nil && len(text) > largestImport {
		err = fmt.Errorf("%s has more than %d MiB, which no output has that can be imported", path, largestImport>>20)
	}
	return string(text), err
}

// readTold reads an output, and asks until everything is told.
func readTold(ctx context.Context, text string, flags map[string]string) (transcript.Output, error) {
	told := map[string]string{}
	maps.Copy(told, flags)
	for {
		out, err := transcript.Read(text, told)
		var missing *transcript.MissingError
		if !errors.As(err, &missing) {
			return out, err
		}
		for _, fact := range missing.Facts {
			question := importQuestions[fact]
			if values := transcript.Values[fact]; values != nil {
				question += " (" + strings.Join(values, ", ") + ")"
			}
			answer, err := typed(ctx, question+"? ")
			if errors.Is(err, errNoTerminal) {
				return out, fmt.Errorf("the output doesn't say everything, and there is no terminal to ask on: add --%s", strings.Join(missing.Facts, ", --"))
			}
			if err != nil {
				return out, err
			}
			if told[fact], err = checkFact(fact, answer); err != nil {
				return out, err
			}
		}
	}
}

// checkFact checks what the user says of a fact. Sizes become bytes.
func checkFact(fact, value string) (string, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	if fact == transcript.FactBlockSize {
		bytes, ok := transcript.Size(value)
		if !ok {
			return "", fmt.Errorf("--%s %q is no size, such as 512, 4k or 1M", fact, value)
		}
		return strconv.FormatInt(bytes, 10), nil
	}
	if values := transcript.Values[fact]; !slices.Contains(values, value) {
		return "", fmt.Errorf("--%s %q is none of %s", fact, value, strings.Join(values, ", "))
	}
	return value, nil
}

// askModule asks for what is printed on the module, which no output says.
func askModule(ctx context.Context, m *result.Module) error {
	o := options{module: *m}
	capacity := ""
	if m.CapacityGB > 0 {
		capacity = strconv.FormatFloat(m.CapacityGB, 'f', -1, 64)
	}
	fields := []struct {
		flag, question string
		text           *string
	}{
		{"vendor", "Vendor printed on the module, such as SanDisk", &o.module.Vendor}, {"product", "Product, such as Extreme A2", &o.module.Product},
		{"capacity", "Capacity as printed on it, such as 32GB", &capacity}, {"form", "Form (" + strings.Join(forms, ", ") + ")", &o.module.Form},
	}
	var missing []string
	for _, f := range fields {
		if *f.text == "" {
			missing = append(missing, f.flag)
		}
	}
	for _, f := range fields {
		if *f.text != "" {
			continue
		}
		answer, err := typed(ctx, f.question+": ")
		if errors.Is(err, errNoTerminal) {
			return fmt.Errorf("no output says which module it is of, and there is no terminal to ask on: add --%s", strings.Join(missing, ", --"))
		}
		if err != nil {
			return err
		}
		if *f.text = answer; answer == "" {
			return fmt.Errorf("it can't be imported without the module's %s", f.flag)
		}
	}
	if err := o.checkModule(capacity); err != nil {
		return err
	}
	*m = o.module
	return nil
}

// importedRows is the table of an imported result, with how each test was done, which differs from ours and between them.
func importedRows(doc *result.Document) [][]string {
	rows := [][]string{{"TEST", "BLOCK", "FIGURE", "IN FLIGHT", "PAGE CACHE", "SYNC", "p50", "p99", "MAX"}}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		cache := "through"
		if t.Direct {
			cache = "past"
		}
		cells := row(t)
		rows = append(rows, []string{t.Name, measure.Size(t.BlockBytes), cells[1], strconv.Itoa(t.QueueDepth), cache, t.Sync, cells[3], cells[4], cells[5]})
	}
	return rows
}

// importedBy says which tool measured, when, and how.
func importedBy(doc *result.Document) string {
	text := "imported, measured by " + strings.TrimSpace(doc.Imported.Tool+" "+doc.Imported.ToolVersion)
	if doc.Imported.MeasuredOn != "" {
		text += " on " + doc.Imported.MeasuredOn
	}
	if doc.Imported.Options != "" {
		text += ": " + doc.Imported.Options
	}
	return text
}
