package rest

import (
	"context"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/submission"
	"flashdex/result"
)

func (s *server) profile(method string, p chart.Profile, runs []page.ProfiledRun) *page.Profile {
	described, _ := s.Catalogue.Method(method)
	return &page.Profile{Label: described.Label, Description: described.Description, Runs: runs, Profile: p}
}

// profileOfRun shows a result by a method that is never ranked, in front of other runs of its module. nil: another
// method.
func (s *server) profileOfRun(
	ctx context.Context, sub submission.Submission, m catalogue.Module, doc *result.Document,
) (*page.Profile, error) {
	if !figure.Profiled(sub.Method) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	all, err := s.Store.Profiled(ctx, []string{m.Slug}, figure.MaxProfiledRuns)
	if err != nil {
		return nil, err
	}
	var runs []chart.Profiled
	label := "the module’s other runs"
	for _, other := range all[m.Slug] {
		if other.Method == sub.Method && other.ID != sub.ID {
			runs = append(runs, chart.Profiled{Label: label, Class: chart.Behind, Tests: other.Tests})
			label = ""
		}
	}
	runs = append(runs, chart.Profiled{
		Label: "this run", Class: chart.Main, Host: sub.Host, Program: doc.Target.Program, Tests: doc.Tests,
	})
	return s.profile(sub.Method, chart.ProfileOf(sub.Method, "profile-", runs), nil), nil
}

// compareProfiles adds the newest run of each module by each method that is never ranked and that two modules have.
func (s *server) compareProfiles(ctx context.Context, c *page.Comparison) {
	var slugs []string
	for _, m := range c.Modules {
		slugs = append(slugs, m.Slug)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	all, err := s.Store.Profiled(ctx, slugs, figure.MaxProfiledRuns)
	if err != nil {
		s.Log.Warn("modules are compared without their runs by methods that are never ranked", "error", err)
		c.NotDrawn = true
		return
	}
	for _, method := range figure.ProfiledMethods {
		of := make([][]figure.ProfiledRun, len(slugs))
		for i, slug := range slugs {
			of[i] = slices.DeleteFunc(slices.Clone(all[slug]), func(r figure.ProfiledRun) bool { return r.Method != method })
		}
		if method == result.MethodStartup1 {
			of = sameStart(of)
		}
		var runs []chart.Profiled
		var listed []page.ProfiledRun
		base := 0
		for i, of := range of {
			if len(of) == 0 {
				continue
			}
			if i == c.Base {
				base = len(runs)
			}
			r, name := of[0], c.Modules[i].Name()
			runs = append(runs, chart.Profiled{
				Letter: chart.Letter(i), Label: name, Class: chart.Several(i), Host: r.Host, Program: r.Program, Tests: r.Tests,
			})
			listed = append(listed, page.ProfiledRun{
				Letter: chart.Letter(i), Module: name, Path: "/r/" + r.ID,
				ReceivedOn: r.ReceivedAt.UTC().Format(time.DateOnly), Host: r.Host,
			})
		}
		p := chart.ProfileOfModules(method, method+"-", runs, base)
		if p.IsEmpty() {
			continue
		}
		c.Profiles = append(c.Profiles, *s.profile(method, p, listed))
	}
}

// sameStart keeps the runs of the program and host that most of the modules have. Times of others don't compare.
func sameStart(of [][]figure.ProfiledRun) [][]figure.ProfiledRun {
	type start struct{ program, host string }
	var most start
	modules := map[start]int{}
	for _, runs := range of {
		seen := map[start]bool{}
		for _, r := range runs {
			key := start{r.Program, r.Host}
			if !seen[key] {
				seen[key] = true
				modules[key]++
			}
			if modules[key] > modules[most] {
				most = key
			}
		}
	}
	same := make([][]figure.ProfiledRun, len(of))
	for i, runs := range of {
		same[i] = slices.DeleteFunc(slices.Clone(runs), func(r figure.ProfiledRun) bool {
			return start{r.Program, r.Host} != most
		})
	}
	return same
}
