package publish

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/submission"
)

// moduleFiles are the endings of the files beside a module's page: its figures as a table, the figures with the newest
// runs, and the description of both.
var moduleFiles = [...]string{".csv", ".json", ".metadata.json"}

// moduleData is what the JSON file of a module holds.
type moduleData struct {
	Module    string            `json:"module"`
	Name      string            `json:"name"`
	AsOf      string            `json:"as_of"`   // the day
	Figures   []json.RawMessage `json:"figures"` // rows of dataset.Figures
	Rated     []json.RawMessage `json:"rated"`   // rows of dataset.Rated
	Runs      []runData         `json:"runs"`
	RunsTotal int               `json:"runs_total"`

	CommandQueue []figure.QueueCount `json:"command_queue,omitempty"` // units by whether it works with them
}

// runData is one run. Its names are the ones of the data set's table results.
type runData struct {
	Result    string     `json:"result"`
	Date      string     `json:"date"`
	Unit      string     `json:"unit,omitempty"`
	Method    string     `json:"method"`
	Profile   string     `json:"profile"`
	Host      string     `json:"host"`
	HostClass string     `json:"host_class,omitempty"`
	BusMode   string     `json:"bus_mode,omitempty"`
	Client    string     `json:"client"`
	NotRanked []string   `json:"not_ranked"`
	Figures   figure.Set `json:"figures"`
}

// writeModuleData writes the files that stand beside a module's page.
func (s *site) writeModuleData(m catalogue.Module, newest []submission.Submission) error {
	var cells, ratings []dataset.Value
	data := moduleData{Module: m.Slug, Name: m.Name(), AsOf: s.builtOn, Runs: []runData{},
		CommandQueue: s.queueCounts(m.Slug)}
	listed, _ := s.catalogue.Module(m.Slug) // has more than the database stores
	for _, p := range s.placed[m.Slug] {
		cells = dataset.Figures.Append(cells, &dataset.Figure{
			Row: *p.row, Place: p.Place, Would: p.Would, Calibration: p.row.Calibration(), Listed: listed,
		})
		data.RunsTotal += p.row.Results
	}
	for _, r := range s.rated(m) {
		ratings = dataset.Rated.Append(ratings, &r)
	}
	for _, sub := range newest {
		data.Runs = append(data.Runs, runData{
			Result: sub.ID, Date: sub.ReceivedAt.UTC().Format(time.DateOnly), Unit: sub.UnitTag, Method: sub.Method,
			Profile: sub.Profile, Host: sub.Host, HostClass: sub.HostClass, BusMode: sub.BusMode, Client: sub.Client,
			NotRanked: append([]string{}, sub.NotRanked...), Figures: figure.OfRun(sub.Tests),
		})
	}
	var table, figures, rated bytes.Buffer
	for _, of := range []struct {
		dataset.Writer
		cells []dataset.Value
	}{
		{dataset.NewCSV(&table, &dataset.Figures.Table), cells},
		{dataset.NewNDJSON(&figures, &dataset.Figures.Table), cells},
		{dataset.NewNDJSON(&rated, &dataset.Rated.Table), ratings},
	} {
		if err := of.Write(of.cells); err != nil {
			return err
		}
		if err := of.Close(); err != nil {
			return err
		}
	}
	data.Figures, data.Rated = rowsOf(&figures), rowsOf(&rated)
	text, err := json.Marshal(&data)
	described, descErr := json.Marshal(
		dataset.NewModulePackage(m.Slug, m.Name(), s.siteURL, s.builtOn, s.sourcesOf(m.Slug)))
	if err := cmp.Or(err, descErr); err != nil {
		return fmt.Errorf("publish: the data of %s: %w", m.Slug, err)
	}
	for i, text := range [...][]byte{table.Bytes(), text, described} {
		if err := writeText(filepath.Join(s.destination, "modules", m.Slug+moduleFiles[i]), text); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns the rows of a table, one per line.
func rowsOf(lines *bytes.Buffer) []json.RawMessage {
	rows := []json.RawMessage{}
	for line := range bytes.Lines(lines.Bytes()) {
		rows = append(rows, bytes.TrimSuffix(line, []byte("\n")))
	}
	return rows
}

// sourcesOf lists the sources of a module's published figures.
func (s *site) sourcesOf(slug string) (of []catalogue.Source) {
	seen := map[string]bool{}
	for _, p := range s.published[slug] {
		if source, ok := s.catalogue.Source(p.Source); ok && !seen[p.Source] {
			seen[p.Source] = true
			of = append(of, source)
		}
	}
	return of
}
