//go:build !small

package main

import (
	"context"
	"errors"
	"flag"
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

// addFacts adds the flags for facts that an output may not contain.
func (o *options) addFacts(flags *flag.FlagSet) {
	for fact := range transcript.Questions {
		flags.Func(fact, "", func(value string) (err error) {
			o.facts[fact], err = transcript.CheckFact(fact, value)
			return err
		})
	}
}

// importedText is the text of a file, with the facts that the user added.
type importedText struct {
	name, text string
	facts      map[string]string // that the user gave
}

// importFiles reads other tools' outputs, asks for the missing facts, and keeps, shows and offers each result. If a
// file can't be read, the others are still imported. All files are of one module, so importFiles reads all of them
// before it keeps any result.
func importFiles(ctx context.Context, o options, files []string) error {
	var kept spool.Spool
	var err error
	if !o.dryRun {
		if kept, err = roomToKeep(); err != nil {
			return err
		}
	}
	var texts []importedText
	var read []transcript.Transcript
	var failed []error
	for _, path := range files {
		text, one, err := o.readText(ctx, path)
		if _, signalled := errors.AsType[stopped](err); signalled {
			return errors.Join(append(failed, err)...)
		}
		read = append(read, one)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		texts = append(texts, text)
	}
	for i := range texts {
		err := o.importText(ctx, &texts[i], read, kept)
		if _, signalled := errors.AsType[stopped](err); signalled {
			return errors.Join(append(failed, err)...)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// readText reads a file, "-" for stdin, and asks for the facts that it doesn't contain.
func (o *options) readText(ctx context.Context, path string) (
	text importedText, read transcript.Transcript, err error,
) {
	if text.name = spool.Clean(path); path == "-" {
		text.name = "stdin"
	}
	if text.text, err = readImport(path); err != nil {
		return text, read, usageError(err)
	}
	outcome := "nothing was imported, and " + text.name + " is unchanged"
	text.facts = maps.Clone(o.facts)
	read, err = text.readAsking(ctx, outcome)
	if read.OnlyProbed() { // another file may have its rates; importText reads it again beside that
		return text, read, nil
	}
	if err == nil && !o.dryRun {
		err = o.askModule(ctx, outcome)
	}
	return text, read, text.refused(err)
}

// refused says what became of a file that can't be imported.
func (t *importedText) refused(err error) error {
	if _, signalled := errors.AsType[stopped](err); signalled || err == nil {
		return err
	}
	return usagef("%s: %w. Nothing of it was imported, and the file is unchanged", t.name, err)
}

// importText imports a file's outputs. It reads them beside the other files of the same call.
func (o *options) importText(
	ctx context.Context, text *importedText, beside []transcript.Transcript, kept spool.Spool,
) error {
	read, err := transcript.Read(text.text, text.facts, beside...)
	if err != nil {
		return text.refused(err)
	}
	for _, left := range read.LeftOut {
		fmt.Fprintf(stderr, "Left out of %s, %s\n", text.name, spool.Clean(left))
	}
	var failed []error
	for i := range read.Outputs {
		out := &read.Outputs[i]
		doc := emptyDocument(*o)
		out.Fill(&doc)
		if o.dryRun {
			printResult(os.Stdout, &doc)
			continue
		}
		failed = append(failed, keepAndOffer(ctx, *o, kept, &doc, nil))
	}
	if o.dryRun {
		results := fmt.Sprint(len(read.Outputs), " results")
		if len(read.Outputs) == 1 {
			results = "1 result"
		}
		fmt.Printf("\n%s holds %s. Nothing was kept or sent; without --dry-run everything is.\n", text.name, results)
	}
	return errors.Join(failed...)
}

func readImport(path string) (string, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return "", err
		}
		defer file.Close()
	}
	text, err := io.ReadAll(io.LimitReader(file, largestImport+1))
	if err == nil && len(text) > largestImport {
		err = fmt.Errorf("%s has more than %d MiB; no output that can be imported is so long", path, largestImport>>20)
	}
	return string(text), err
}

// readAsking reads a text and asks the user for the facts that it doesn't contain.
func (t *importedText) readAsking(ctx context.Context, outcome string) (transcript.Transcript, error) {
	for {
		out, err := transcript.Read(t.text, t.facts)
		missing, ok := errors.AsType[*transcript.MissingError](err)
		if !ok {
			return out, err
		}
		noTerminal := fmt.Errorf("the output doesn't contain everything, and there is no terminal to ask on: add --%s",
			strings.Join(missing.Facts, ", --"))
		for _, fact := range missing.Facts {
			question := transcript.Questions[fact]
			if values := transcript.Values[fact]; values != nil {
				question += " (" + strings.Join(values, ", ") + ")"
			}
			answer, err := typed(ctx, question+"? ", outcome, noTerminal)
			if err == nil {
				t.facts[fact], err = transcript.CheckFact(fact, answer)
			}
			if err != nil {
				return out, err
			}
		}
	}
}

// askModule asks for the words that are printed on the module. Outputs of tools never contain them.
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
		{"form", "Form (" + strings.Join(result.Forms, ", ") + ")", &o.module.Form},
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
