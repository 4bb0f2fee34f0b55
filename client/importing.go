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

	"flashdex/client/spool"
	"flashdex/client/transcript"
	"flashdex/result"
)

// largestImport is the most bytes that an imported file may have. fio's JSON of a dozen jobs has some 100 kB.
const largestImport = 16 << 20

// importQuestions are asked where the output doesn't contain the fact.
var importQuestions = map[string]string{
	transcript.FactTest:      "What did it do",
	transcript.FactBlockSize: "Size of a block, such as 4k or 1M",
	transcript.FactDirect:    "Past the page cache (direct I/O)",
	transcript.FactSync: "How were writes flushed: not at all, by fsync once at the end and within the time, " +
		"or each one (O_DSYNC, O_SYNC)",
	transcript.FactUnit: "What does the table show: kB a second, or operations a second (iozone -O)",
}

// importFile reads another tool's output, asks for the missing facts, and keeps, shows and offers the result.
func importFile(ctx context.Context, o options, files []string) error {
	path := files[0]
	text, err := readImport(path)
	if err != nil {
		return usageError(err)
	}
	kept, err := roomToKeep()
	if err != nil {
		return err
	}
	outcome := "nothing was imported, and " + path + " is unchanged"
	out, err := readAsking(ctx, text, outcome, o.facts)
	if err == nil {
		err = o.askModule(ctx, outcome)
	}
	if _, signalled := errors.AsType[stopped](err); signalled {
		return err
	} else if err != nil {
		return usagef("%s: %w. Nothing was imported, and the file is unchanged", spool.Clean(path), err)
	}
	doc := emptyDocument(o)
	doc.Method, doc.Profile = result.MethodOfImport(out.Tool), result.ProfileImported
	doc.Tests, doc.Imported = out.Tests, &out.Imported
	for _, left := range out.LeftOut {
		fmt.Fprintln(os.Stderr, "Left out:", spool.Clean(left))
	}
	return keepAndOffer(ctx, o, kept, &doc, nil)
}

func readImport(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestImport+1))
	if err == nil && len(text) > largestImport {
		err = fmt.Errorf("%s has more than %d MiB; no output that can be imported is so long", path, largestImport>>20)
	}
	return string(text), err
}

// readAsking reads an output and asks the user for the facts that it leaves open.
func readAsking(ctx context.Context, text, outcome string, given map[string]string) (transcript.Output, error) {
	facts := maps.Clone(given)
	for {
		out, err := transcript.Read(text, facts)
		missing, ok := errors.AsType[*transcript.MissingError](err)
		if !ok {
			return out, err
		}
		noTerminal := fmt.Errorf("the output doesn't contain everything, and there is no terminal to ask on: add --%s",
			strings.Join(missing.Facts, ", --"))
		for _, fact := range missing.Facts {
			question := importQuestions[fact]
			if values := transcript.Values[fact]; values != nil {
				question += " (" + strings.Join(values, ", ") + ")"
			}
			answer, err := typed(ctx, question+"? ", outcome, noTerminal)
			if err == nil {
				facts[fact], err = checkFact(fact, answer)
			}
			if err != nil {
				return out, err
			}
		}
	}
}

// checkFact checks the value that the user gave for a fact. It turns sizes into bytes.
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

// askModule asks for the words that are printed on the module, which no output contains.
func (o *options) askModule(ctx context.Context, outcome string) error {
	capacity := ""
	if gb := o.module.CapacityGB; gb > 0 {
		capacity = strconv.FormatFloat(gb, 'f', -1, 64)
	}
	type field struct {
		flag, question string
		text           *string
	}
	open := slices.DeleteFunc([]field{
		{"vendor", "Vendor printed on the module, such as SanDisk", &o.module.Vendor},
		{"product", "Product, such as Extreme A2", &o.module.Product},
		{"capacity", "Capacity printed on it, such as 32GB", &capacity},
		{"form", "Form (" + strings.Join(forms, ", ") + ")", &o.module.Form},
	}, func(f field) bool { return *f.text != "" })
	flags := ""
	for _, f := range open {
		flags += ", --" + f.flag
	}
	noTerminal := fmt.Errorf("no output names its module, and there is no terminal to ask on: add%s",
		strings.TrimPrefix(flags, ","))
	for _, f := range open {
		var err error
		if *f.text, err = typed(ctx, f.question+": ", outcome, noTerminal); err != nil {
			return err
		} else if *f.text == "" {
			return fmt.Errorf("it can't be imported without the module's %s", f.flag)
		}
	}
	return o.checkModule(capacity)
}
