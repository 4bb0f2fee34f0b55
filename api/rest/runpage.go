package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"flashdex/api/submission"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/problem"
	"flashdex/result"
)

var (
	testNames = map[string]string{
		result.SeqWrite: "Linear write", result.SeqRead: "Linear read", result.RandWrite: "Random write", result.RandRead: "Random read",
		result.SeqRewrite: "Linear rewrite", result.SeqReread: "Linear reread", result.Startup: "Start of a program",
	}
	endings = map[result.Ended]string{
		result.Complete: "after the whole test area", result.Converged: "when the interval was tight enough", result.TimeLimit: "at its time limit",
	}
	states = map[string]string{
		submission.Accepted: "accepted", submission.Quarantined: "held back until somebody has looked at it", submission.Rejected: "rejected",
	}
	verdictStates = map[string]string{speedclass.Reached: "reached", speedclass.NotReached: "not reached", speedclass.CantTell: "can’t tell"}
)

// run is what the page of a result shows.
type run struct {
	Result        submission.Submission
	Module        moduleSummary
	RandWriteIOPS float64 // 0: not measured
	Tests         testTable
	ReceivedOn    string
	Accepted      bool
	Delete        string // the command that takes it back
	Imported      *imported
	Stack         *result.Stack // nil: one module
	Mkfs          string        // how the client made the file system; empty: it didn't
	Resumed       int           // how often it was interrupted and gone on with
	judged
	drawn
	Profile *profile // of a method that is never ranked; nil: another
}

// imported is what the page says of a result that another tool measured.
type imported struct {
	*result.Imported
	Ways []string // how each test was done, in the order of the result's
}

// importedOf is nil for a result that Flashdex measured.
func importedOf(doc *result.Document, tests []result.Figures) *imported {
	if doc.Imported == nil {
		return nil
	}
	told := imported{Imported: doc.Imported}
	for _, f := range tests {
		for i := range doc.Tests {
			if t := &doc.Tests[i]; t.Name == f.Test && t.BlockBytes == f.BlockBytes {
				told.Ways = append(told.Ways, wayOf(t))
			}
		}
	}
	return &told
}

func wayOf(t *result.Test) string {
	way := "through the page cache"
	if t.Direct {
		way = "past the page cache"
	}
	if t.QueueDepth > 1 {
		way += fmt.Sprintf(", %d in flight", t.QueueDepth)
	}
	switch t.Sync {
	case "fsync":
		way += ", fsync at the end"
	case "dsync", "sync":
		way += ", each write on the module (" + t.Sync + ")"
	}
	return way
}

// drawn is what the page shows as charts.
type drawn struct {
	Strips  []chart.Chart // the module's units, and this run among them
	Samples []chart.Chart // before those of other runs
	Others  []figure.SampledRun
}

// runPage shows one result as soon as it is stored, in the frame of the published site.
func (s *server) runPage(w http.ResponseWriter, r *http.Request) {
	sub, module, document, err := s.submission(r)
	if err != nil {
		p := problem.Of(err)
		if p.Kind == problem.NotFound {
			p = problem.Wrap(problem.NotFound, err, "There is no result with this id here. If it was measured but not uploaded yet, upload it: flashdex upload sends what is waiting.")
		}
		s.message(w, r, p)
		return
	}
	judged, drawn := judged{}, drawn{}
	var ofProfile *profile
	var doc result.Document
	if err = json.Unmarshal(document, &doc); err == nil {
		judged = s.judge(sub, module, &doc)
		if ofProfile, err = s.profileOfRun(r.Context(), sub, module, &doc); err == nil && ofProfile == nil {
			drawn, err = s.draw(r.Context(), sub, module, doc.Tests)
		}
	}
	if err != nil {
		s.message(w, r, problem.Of(fmt.Errorf("rest: the page of %s: %w", sub.ID, err)))
		return
	}
	shown := run{
		judged: judged, drawn: drawn, Profile: ofProfile, Delete: "curl -fsSL " + s.baseURL(r) + "/run.sh | sh -s -- delete " + sub.ID,
		Result: sub, Tests: testTableOf(sub.Tests), Module: s.receipt(r, sub, module).Module, RandWriteIOPS: figure.OfRun(sub.Tests)[figure.RandWriteIOPS].Value,
		ReceivedOn: sub.ReceivedAt.Format(time.DateOnly), Accepted: sub.State == submission.Accepted, Imported: importedOf(&doc, sub.Tests),
		Stack: doc.Stack, Mkfs: doc.Target.Mkfs, Resumed: doc.Resumed,
	}
	if ofProfile != nil {
		shown.RandWriteIOPS = 0 // it is another figure than the one that modules are compared by
	}
	s.frame(w, r, http.StatusOK, content{title: shown.Module.Name, fragment: "run", data: shown})
}

// draw makes the charts of a result whose samples are tests.
func (s *server) draw(ctx context.Context, sub submission.Submission, m catalogue.Module, tests []result.Test) (d drawn, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	summaries, err := s.Store.Summaries(ctx, m.Slug)
	if err != nil {
		return d, err
	}
	module, err := s.Store.ChartData(ctx, m.Slug)
	if err != nil {
		return d, err
	}
	for _, of := range module {
		if of.Method != sub.Method {
			continue
		}
		d.Others = slices.DeleteFunc(of.Runs, func(o figure.SampledRun) bool { return o.ID == sub.ID })
		for i := range summaries {
			if sum := &summaries[i]; sum.Method == sub.Method && sum.Whole() {
				d.Strips = chart.Module{Classes: s.Catalogue.SpeedClasses, Printed: m.Classes, Summary: sum, Units: of.Units}.Strips("units-", figure.OfRun(sub.Tests))
			}
		}
	}
	d.Samples = chart.Samples("run-", "this run", tests, d.Others)
	return d, nil
}
