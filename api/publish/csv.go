package publish

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"flashdex/api/index"
	"flashdex/api/ranking"
)

// dataFile describes one file of the data set to the data page.
type dataFile struct {
	File        string `json:"file"`
	Rows        int    `json:"rows"`
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`
	Description string `json:"description"`
}

// writeData writes the data set into dir and describes its files.
func (s *site) writeData(dir string) ([]dataFile, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	modules, err := writeCSV(dir, "modules.csv", moduleFields, s.moduleRecords)
	if err != nil {
		return nil, err
	}
	modules.Description = "One row for each module and method: the figures that the tables show."
	results, err := writeCSV(dir, "results.csv", resultFields, s.resultRecords)
	if err != nil {
		return nil, err
	}
	results.Description = "One row for each test of each uploaded result and for each published figure."
	files := []dataFile{results, modules}
	for name, text := range map[string]string{"README.md": dataReadme(s.snapshot, files), "LICENSE.txt": dataLicence} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("publish: %w", err)
		}
	}
	return files, nil
}

func writeCSV(dir, name string, fields []field, records func(write func(...string))) (dataFile, error) {
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return dataFile{}, fmt.Errorf("publish: %w", err)
	}
	defer file.Close()
	described := dataFile{File: name}
	hash := sha256.New()
	w := csv.NewWriter(io.MultiWriter(file, hash))
	w.UseCRLF = true // RFC 4180
	var header []string
	for _, f := range fields {
		header = append(header, f.name)
	}
	_ = w.Write(header) // w.Error reports what went wrong
	records(func(cells ...string) {
		if len(cells) != len(fields) {
			panic(fmt.Sprintf("publish: %s: %d cells, %d columns", name, len(cells), len(fields)))
		}
		described.Rows++
		_ = w.Write(cells)
	})
	w.Flush()
	if err := w.Error(); err != nil {
		return dataFile{}, fmt.Errorf("publish: %s: %w", name, err)
	}
	info, err := file.Stat()
	if err != nil {
		return dataFile{}, fmt.Errorf("publish: %w", err)
	}
	described.Bytes, described.SHA256 = info.Size(), hex.EncodeToString(hash.Sum(nil))
	return described, nil
}

func (s *site) moduleRecords(write func(...string)) {
	rows := map[string][]ranking.Row{}
	for _, m := range s.catalogue.Methods {
		for _, r := range s.rows[m.ID] {
			if r.Reference == "" {
				rows[r.Module.Slug] = append(rows[r.Module.Slug], r)
			}
		}
	}
	for _, m := range s.snapshot.Modules {
		of := rows[m.Slug]
		if len(of) == 0 {
			of = []ranking.Row{{}}
		}
		for _, r := range of {
			rw := r.Figures[index.RandWriteIOPS]
			write(m.Slug, text(m.Name()), text(m.Vendor), text(m.Product), number(m.CapacityGB), m.Form, text(strings.Join(m.Classes, " ")),
				strconv.FormatBool(m.Provisional), text(m.KnownFrom), r.Method,
				number(rw.Value), optional(rw.Low), optional(rw.High), number(r.Figures[index.RandReadIOPS].Value),
				number(r.Figures[index.SeqWriteMBPerS].Value), number(r.Figures[index.SeqReadMBPerS].Value),
				number(r.Figures[index.RandWriteP99MS].Value), number(r.Figures[index.RandWriteMaxMS].Value),
				count(r.Units), count(r.Results), text(r.Note))
		}
	}
	for _, d := range s.catalogue.ReferenceDevices {
		write("", text(d.Name), "", "", "", "reference", "", "false", text(d.Source), "",
			number(d.RandWriteIOPS), "", "", number(d.RandReadIOPS), number(d.SeqWriteMBPerS), "", "", "", "", "", "a line to compare with, not a module")
	}
}

func (s *site) resultRecords(write func(...string)) {
	names := map[string]string{}
	for _, m := range s.snapshot.Modules {
		names[m.Slug] = m.Name()
	}
	for _, sub := range s.snapshot.Submissions {
		for _, t := range sub.Tests {
			write("upload", sub.ID, "", "", sub.ModuleSlug, text(names[sub.ModuleSlug]), sub.Method, sub.Profile, t.Test,
				count(int(t.BlockBytes)), count(t.QueueDepth), t.Sync, number(t.MBPerS), optional(t.IOPS), optional(t.IOPSLow), optional(t.IOPSHigh),
				whole(t.P50NS), whole(t.P99NS), whole(t.P999NS), whole(t.MaxNS), optional(t.KiBPerOp), string(t.Ended),
				text(strings.Join(sub.NotRanked, "; ")), "", text(sub.Host), text(sub.Client), sub.ReceivedAt.UTC().Format(time.DateOnly), "")
		}
	}
	for _, p := range s.snapshot.Published {
		write("published", "", p.Source, count(p.Line), p.ModuleSlug, text(names[p.ModuleSlug]), p.Method, "", text(p.Test),
			count(int(p.BlockBytes)), count(p.QueueDepth), "", optional(p.MBPerS), optional(p.IOPS), "", "", "", "", "", "", "", "", "",
			text(strings.TrimSpace(p.ValueText+" "+p.Unit)), text(p.Host), text(p.Tool), text(p.Date), text(p.Note))
	}
}

// text is untrusted. A spreadsheet takes a cell that begins like these for a formula; an apostrophe makes it text.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// number prints a figure that is never zero: zero stands for unknown.
func number(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func whole(v *int64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatInt(*v, 10)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
