package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"flashdex/api/dataset"
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

// writeData writes the data set and describes its files.
func (s *site) writeData(ctx context.Context) ([]dataFile, error) {
	dir := filepath.Join(s.files, "latest")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	modules, err := writeCSV(dir, "modules.csv", dataset.ModuleFields, func(w *dataset.Writer) error {
		s.writeModules(w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	modules.Description = "One row for each module and method: the figures that the tables show."
	results, err := writeCSV(dir, "results.csv", dataset.ResultFields, func(w *dataset.Writer) error { return s.writeResults(ctx, w) })
	if err != nil {
		return nil, err
	}
	results.Description = "One row for each test of each uploaded result and for each published figure."
	files := []dataFile{results, modules}
	for name, text := range map[string]string{"README.md": s.dataReadme(files), "LICENSE.txt": dataLicence} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("publish: %w", err)
		}
	}
	return files, nil
}

func writeCSV(dir, name string, head []dataset.Field, rows func(*dataset.Writer) error) (dataFile, error) {
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return dataFile{}, fmt.Errorf("publish: %w", err)
	}
	defer file.Close()
	hash := sha256.New()
	w := dataset.NewWriter(io.MultiWriter(file, hash), head)
	if err := rows(w); err != nil {
		return dataFile{}, err
	}
	if err := w.Flush(); err != nil {
		return dataFile{}, fmt.Errorf("publish: %s: %w", name, err)
	}
	info, err := file.Stat()
	if err != nil {
		return dataFile{}, fmt.Errorf("publish: %w", err)
	}
	return dataFile{File: name, Rows: w.Rows(), Bytes: info.Size(), SHA256: hex.EncodeToString(hash.Sum(nil))}, nil
}

func (s *site) writeModules(w *dataset.Writer) {
	type placed struct {
		ranking.Row
		place ranking.Place
	}
	rows := map[string][]placed{}
	for _, m := range s.catalogue.Methods {
		places := ranking.Ranks(s.rows[m.ID], index.RandWriteIOPS)
		for i, r := range s.rows[m.ID] {
			if r.Reference == "" {
				rows[r.Module.Slug] = append(rows[r.Module.Slug], placed{r, places[i]})
			}
		}
	}
	for _, m := range s.snapshot.Modules {
		of := rows[m.Slug]
		if len(of) == 0 {
			of = []placed{{}}
		}
		for _, r := range of {
			w.Module(m, r.Row, r.place)
		}
	}
	for _, d := range s.catalogue.ReferenceDevices {
		w.Reference(d)
	}
}

func (s *site) writeResults(ctx context.Context, w *dataset.Writer) error {
	names := map[string]string{}
	for _, m := range s.snapshot.Modules {
		names[m.Slug] = m.Name()
	}
	for _, p := range s.snapshot.Published {
		w.Published(p, names[p.ModuleSlug])
	}
	return s.results.Each(ctx, func(sub index.Submission) error {
		w.Upload(sub, names[sub.ModuleSlug])
		return nil
	})
}
