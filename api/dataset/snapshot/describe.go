package snapshot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/page/atom"
)

const licenceText = `CC0 1.0 Universal (SPDX: CC0-1.0)

Everything that contributors uploaded, and this collection as a whole, is dedicated to the public domain:
https://creativecommons.org/publicdomain/zero/1.0/legalcode

What others published (tables "published", "devices", "endured", "prices" and "checks", and the rows of "figures" that
have no units) are facts taken from the sources that each row names. Please cite the source with them; its own licence
applies to its text and layout.
`

// describe writes the files that describe the data: their meaning, their citation, their changes, their checksums.
func (a *Archive) describe(w *writing, name string, before edition) error {
	described := dataset.NewPackage(&w.Snapshot, a.SiteURL+"/data/", a.Catalogue.Sources)
	descriptor, err := json.MarshalIndent(described, "", " ")
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text, description string }{
		{"datapackage.json", string(descriptor) + "\n",
			"The tables for programs: every column with unit, type, meaning and rules, keys and references (Data Package 2)."},
		{"README.md", a.readme(&w.Snapshot), "The tables for people."},
		{"CITATION.cff", a.citation(&w.Snapshot), "How to cite this snapshot, for programs."},
		{"CHANGES.md", a.changes(&w.Snapshot, name, before), "What is new since the dated snapshot before."},
		{"LICENSE", licenceText, "CC0, and what it does not cover."},
	} {
		if err := os.WriteFile(filepath.Join(w.dir, f.name), []byte(f.text), 0o644); err != nil {
			return err
		}
		if err := w.add(f.name, f.description); err != nil {
			return err
		}
	}
	var sums strings.Builder
	for _, f := range w.Files {
		fmt.Fprintf(&sums, "%s  %s\n", f.SHA256, f.Name)
	}
	return os.WriteFile(filepath.Join(w.dir, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

func (a *Archive) readme(s *dataset.Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Flashdex data set, %s

How SD, microSD, CF, USB and eMMC flash modules really perform. %d uploaded results and what others published,
all as of one moment, %s (generation %d of the site). %s/data/ has the newest.

CSV is UTF-8 by RFC 4180 (comma, CRLF, quoted where needed), '.' as decimal sign, no thousands separator,
empty for unknown, days as YYYY-MM-DD in UTC. MB is 10^6 bytes, MiB 2^20. Parquet and SQLite hold the same rows and the
same columns. No text holds control characters. Columns are appended, never renamed.

%s

Compare rows of the same method only. A published figure never enters a median with uploads.

Licence: LICENSE. How to cite: CITATION.cff. A snapshot that holds a result which its contributor
took back is withdrawn.
`, s.Date, s.Runs, s.AsOf.Format(time.RFC3339), s.Generation, a.SiteURL, dataset.Apostrophes)
	for _, t := range dataset.Tables {
		fmt.Fprintf(&b, "\n## %s\n\n%s Key: %s.", t.Name, t.Description, strings.Join(t.Key, ", "))
		for _, r := range t.References {
			fmt.Fprintf(&b, " %s is a key of %ss.", r, r)
		}
		b.WriteString("\n\n")
		for _, f := range s.Files {
			if f.Table == t.Name {
				fmt.Fprintf(&b, "- %s: %d rows, %d bytes\n", f.Name, f.Rows, f.Bytes)
			}
		}
		b.WriteString("\n" + t.Markdown())
	}
	return b.String()
}

// citation follows the Citation File Format 1.2.0.
func (a *Archive) citation(s *dataset.Snapshot) string {
	return fmt.Sprintf(`cff-version: 1.2.0
message: Please cite the data set by its date.
type: dataset
title: %q
authors:
  - name: Contributors of Flashdex
version: %q
date-released: %s
license: CC0-1.0
url: %q
`, dataset.Title, s.AsOf.Format(time.RFC3339), s.Date, a.SiteURL+"/data/"+s.Date+"/")
}

// changes lists the changes since the dated snapshot before.
func (a *Archive) changes(s *dataset.Snapshot, name string, e edition) string {
	head := fmt.Sprintf("# Changes in %s\n\n", s.Date)
	i := slices.IndexFunc(e.index.Dated, func(old dataset.Snapshot) bool { return old.Date < s.Date })
	if i < 0 {
		return head + "The first snapshot.\n"
	}
	before := e.index.Dated[i]
	if before.Withdrawn != "" {
		return head + fmt.Sprintf("The snapshot before, %s, was withdrawn on %s, because a result in it was deleted.\n",
			before.Date, before.Withdrawn)
	}
	b := strings.Builder{}
	fmt.Fprintf(&b, "%sSince %s: %s.\n\n| table | rows | before | new columns |\n|---|---|---|---|\n", head, before.Date,
		a.comeAndGone(e.folders[before.Date], name))
	for _, t := range dataset.Tables {
		var appended []string
		for _, f := range t.Fields[min(len(before.Columns[t.Name]), len(t.Fields)):] {
			appended = append(appended, f.Name)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", t.Name, s.Rows(t.Name), before.Rows(t.Name), strings.Join(appended, ", "))
	}
	if s.Calibration != before.Calibration {
		fmt.Fprintf(&b, "\nCalibration %d took the place of calibration %d: the figures of all modules were computed again, "+
			"without a new run of theirs. The table calibrations has what changed; %s keeps its own.\n",
			s.Calibration, before.Calibration, before.Date)
	}
	return b.String()
}

// comeAndGone counts the runs that only one of two snapshots has. A list that can't be read holds up nothing else.
func (a *Archive) comeAndGone(before, after string) string {
	added, gone, err := compareIDs(a.ids(before), a.ids(after))
	if err != nil {
		return "how many results came and went is not known, because a list of them could not be read"
	}
	return fmt.Sprintf("%d results came, %d went (refused or held back later; a snapshot with a deleted one is withdrawn)",
		added, gone)
}

// compareIDs counts the ids that only one of two sorted files has.
func compareIDs(before, after string) (added, gone int, err error) {
	var ids [2]*bufio.Scanner
	for i, path := range []string{before, after} {
		file, err := os.Open(path)
		if err != nil {
			return 0, 0, err
		}
		defer file.Close()
		ids[i] = bufio.NewScanner(file)
		ids[i].Split(func(data []byte, atEOF bool) (advance int, id []byte, err error) {
			if len(data) >= idBytes {
				return idBytes, data[:idBytes], nil
			} else if atEOF && len(data) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, nil, err
		})
	}
	old, hasOld, fresh, hasFresh := ids[0], ids[0].Scan(), ids[1], ids[1].Scan()
	for hasOld || hasFresh {
		switch c := bytes.Compare(old.Bytes(), fresh.Bytes()); {
		case hasOld && hasFresh && c == 0:
			hasOld, hasFresh = old.Scan(), fresh.Scan()
		case !hasOld || hasFresh && c > 0:
			added++
			hasFresh = fresh.Scan()
		default:
			gone++
			hasOld = old.Scan()
		}
	}
	return added, gone, errors.Join(old.Err(), fresh.Err())
}

// feed lists the dated snapshots.
func (a *Archive) feed(i dataset.Index) []byte {
	home := a.SiteURL + "/data/"
	f := atom.Feed{Title: "Flashdex data set", ID: home, Self: home + feedName, Page: home}
	for _, s := range i.Dated {
		e := atom.Entry{
			Title: "Snapshot of " + s.Date, ID: home + s.Date + "/", Page: home + s.Date + "/", Updated: s.AsOf,
			Summary: fmt.Sprintf("%d results.", s.Runs),
		}
		if s.Withdrawn != "" {
			e.Updated, _ = time.Parse(time.DateOnly, s.Withdrawn)
			e.Summary = "Withdrawn, because somebody whose result is in it has taken it back."
		}
		f.Entries = append(f.Entries, e)
	}
	return f.XML()
}
