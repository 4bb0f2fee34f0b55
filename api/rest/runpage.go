package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/sign"
)

// runPage shows one result as soon as it is stored, in the frame of the published site.
func (s *server) runPage(w http.ResponseWriter, r *http.Request) {
	sub, module, document, err := s.submission(r)
	client := "curl -fsSL " + s.baseURL(r) + "/run.sh | sh -s -- "
	if err != nil {
		p := problem.Of(err)
		if p.Kind == problem.NotFound {
			p = problem.Wrap(problem.NotFound, err, "There is no result with this id here. If it was measured but not uploaded "+
				"yet, upload it: flashdex upload sends what is waiting. This lists the addresses of your results: %slist. "+
				"And this takes one back: %[1]sdelete ID.", client)
		}
		s.message(w, r, p)
		return
	}
	var doc result.Document
	run := page.Run{
		Result: sub, Module: module, Document: &doc,
		Delete: client + "delete " + sub.ID, Name: client + "name " + sub.ID,
	}
	if err = json.Unmarshal(document, &doc); err == nil {
		run.Naming = submission.NamingOf(sub, module, s.Catalogue.Of(&doc, sub.Agreed), s.Catalogue)
		s.judge(&run)
		draw := s.draw
		if figure.Profiled(sub.Method) {
			draw = s.drawProfile
		}
		err = draw(r.Context(), &run)
	}
	if err == nil {
		run.Ageing, err = s.Store.Ageing(r.Context(), sub.ID)
	}
	if err == nil {
		var by submission.ContributorFacts
		if by, err = s.Store.ContributorOf(r.Context(), sub.ID); !by.Since.IsZero() {
			run.By = by.InWords()
		}
	}
	if err != nil {
		s.message(w, r, problem.Of(fmt.Errorf("rest: the page of %s: %w", sub.ID, err)))
		return
	}
	shown, err := page.RunPage(run)
	s.show(w, r, http.StatusOK, shown, err)
}

// draw adds the charts of a run.
func (s *server) draw(ctx context.Context, run *page.Run) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	sub, m := run.Result, run.Module
	summaries, err := s.Store.Summaries(ctx, m.Slug)
	if err != nil {
		return err
	}
	module, err := s.Store.ChartData(ctx, m.Slug)
	if err != nil {
		return err
	}
	for _, of := range module {
		if of.Method != sub.Method || run.Ambiguous() { // the other results may be of another module
			continue
		}
		run.Others = slices.DeleteFunc(of.Runs, func(o figure.SampledRun) bool { return o.ID == sub.ID })
		for i := range summaries {
			if sum := &summaries[i]; sum.Method == sub.Method && sum.Whole() {
				drawn := chart.Module{Classes: s.Catalogue.SpeedClasses, Printed: m.Classes, Summary: sum, Units: of.Units}
				run.Strips = drawn.Strips("units-", new(figure.OfRun(sub.Tests)))
			}
		}
	}
	run.Samples = chart.Samples("run-", "this run", run.Document.Tests, run.Others)
	return nil
}

// drawProfile shows a result by a method that is never ranked, in front of other runs of its module.
func (s *server) drawProfile(ctx context.Context, run *page.Run) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	sub, slug := run.Result, run.Module.Slug
	all, err := s.Store.Profiled(ctx, []string{slug}, figure.MaxProfiledRuns)
	if err != nil {
		return err
	}
	var runs []chart.Profiled
	label := "the module’s other runs"
	for _, other := range all[slug] {
		if other.Method == sub.Method && other.ID != sub.ID && !run.Ambiguous() {
			runs = append(runs, chart.Profiled{Label: label, Class: chart.Behind, Tests: other.Tests})
			label = ""
		}
	}
	runs = append(runs, chart.Profiled{
		Label: "this run", Class: chart.Main, Board: figure.BoardOf(run.Document.Host), Target: run.Document.Target,
		Queue: figure.QueueEvidenceOf(run.Document.Identity, run.Document.Host, run.Document.Spoilers),
		Tests: run.Document.Tests,
	})
	run.Profile = s.profile(sub.Method, chart.ProfileOf(sub.Method, "profile-", runs), nil)
	return nil
}

func (s *server) profile(method string, p chart.Profile, runs []page.ProfiledRun) *page.Profile {
	described, _ := s.Catalogue.Method(method)
	return &page.Profile{Label: described.Label, Description: described.Description, Runs: runs, Profile: p}
}

// judge compares a run with the classes printed on its module, and looks for signs of a counterfeit.
func (s *server) judge(run *page.Run) {
	sub, m, doc := run.Result, run.Module, run.Document
	facts := figure.FactsOf(doc, sub.Tests)
	switch {
	case sub.Method == result.MethodVerify1: // no rate that a class promises
	case sub.Method != result.MethodQueue1:
		run.Verdicts = speedclass.Of(s.Catalogue.SpeedClasses, m.Classes, figure.OfRun(sub.Tests), speedclass.Conditions{
			Method: sub.Method, NotRanked: notCounted(sub), BusMBPerS: facts.BusMBPerS,
			Reader: doc.Identity.USB != nil && m.Form != "usb",
		})
	case sub.State == submission.Accepted:
		run.Verdicts = speedclass.OfQueue(s.Catalogue.SpeedClasses, m, queuedRun(doc, facts), doc.Spoiled())
	default:
		run.Verdicts = speedclass.OfQueue(s.Catalogue.SpeedClasses, m, queuedRun(doc, facts), notCounted(sub))
	}
	evidence := catalogue.Evidence{Module: doc.Module, Identity: doc.Identity}
	run.Signs = s.Catalogue.SignsOf(evidence)
	run.Signs = append(run.Signs, sign.OfChecked(doc)...)
	run.Signs = append(run.Signs, speedclass.Signs(run.Verdicts)...)
	told := func(v speedclass.Verdict) bool { return v.State != speedclass.CantTell }
	run.Looked = sign.Looked(doc) || slices.ContainsFunc(run.Verdicts, told)
	run.HostClass, run.Variant = figure.HostClassLabel(facts.HostClass), figure.VariantOf(facts.Variant).Label()
}

// queuedRun turns a document of MethodQueue1 into a run that classes are judged by.
func queuedRun(doc *result.Document, facts figure.Facts) figure.ProfiledRun {
	run := figure.ProfiledRun{
		SampledRun: figure.SampledRun{Tests: doc.Tests}, Target: doc.Target, BusMBPerS: facts.BusMBPerS,
		Queue: figure.QueueEvidenceOf(doc.Identity, doc.Host, doc.Spoilers),
	}
	if usb := doc.Identity.USB; usb != nil {
		run.Reader = usb.VendorID + ":" + usb.ProductID
	}
	return run
}

// notCounted says why a result doesn't count in the figures of its module. Empty: it counts.
func notCounted(sub submission.Submission) []string {
	if sub.State != submission.Accepted {
		return []string{"it is " + page.StateWords[sub.State]}
	}
	return sub.NotRanked
}
