package page

import (
	"math"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/ageing"
)

// runPage returns the page of an accepted result with this module and naming.
func runPage(t *testing.T, m catalogue.Module, naming submission.Naming) string {
	t.Helper()
	p, err := RunPage(Run{
		Result: submission.Submission{ID: "1", State: submission.Accepted}, Module: m, Document: &result.Document{},
		Naming: naming, Name: "flashdex name 1",
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(p.Body)
}

func TestAResultsPageSaysWhyItIsHereAndAsksWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	evo := catalogue.Module{Slug: "evo", Vendor: "Samsung", Product: "EVO", Form: "sd"}
	evil := catalogue.Module{Slug: "evil", Product: hostile, Form: "sd"}
	either := catalogue.Module{Slug: "either", Product: "E", KnownFrom: catalogue.KnownFromAmbiguous, Unlisted: true}
	for _, of := range []struct {
		what         string
		module       catalogue.Module
		naming       submission.Naming
		shows, hides []string
	}{
		{"a known module", evo, submission.Naming{Why: "The registers say it.", Inside: "SanDisk"},
			[]string{"<dt>Why it is here</dt><dd>The registers say it.</dd>", "<dt>Maker of the inside</dt><dd><bdi>SanDisk</bdi>",
				"This result counts."}, []string{"Which module", "Did you mean"}},
		{"a misspelt name", evo, submission.Naming{Offered: &evil},
			[]string{`Did you mean <a href="/modules/evil/">`, "<code>flashdex name 1 evil</code>", "&lt;script&gt;"},
			[]string{"Why it is here", "<script>", "Maker of the inside"}},
		{"an ambiguous one", either, submission.Naming{Why: "It fits two.", Choices: []catalogue.Module{evo, evil}},
			[]string{"Which module is this?</strong> It fits two. It counts in no figures", `<a href="/modules/evo/">`,
				"&lt;script&gt;", "Then say which", "<code>flashdex name 1 MODULE</code>"},
			[]string{"<script>", "This result counts.", "Why it is here", "/modules/either/"}},
		{"one that one module fits", either, submission.Naming{Why: "It may be one.", Choices: []catalogue.Module{evo}},
			[]string{"</strong> It may be one.", "Then say so", "the last word of this line"}, []string{"Then say which"}},
		{"an ambiguous one without choices", either, submission.Naming{}, []string{"Which module is this?"},
			[]string{"<code>flashdex name"}},
	} {
		body := runPage(t, of.module, of.naming)
		for _, text := range of.shows {
			if !strings.Contains(body, text) {
				t.Errorf("%s: the page lacks %q:\n%s", of.what, text, body)
			}
		}
		for _, text := range of.hides {
			if strings.Contains(body, text) {
				t.Errorf("%s: the page has %q", of.what, text)
			}
		}
	}
}

func TestAResultsPageSaysHowItsUnitAges(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	line := ageing.Line{Runs: 12, Points: 10, First: at, Last: at.AddDate(1, 0, 0), Slope: math.Log(0.9), Spread: 1,
		Noise: 0.01}
	perTB := line
	perTB.Slope, perTB.Runs, line.PerTB = math.Log(0.95), 9, &perTB
	for ages, of := range map[string]*ageing.Line{
		"4K random write: gets slower: 10 % per year (7.9 to 12); by 12 runs from 2026-01-01 to 2027-01-01": &line, "": nil,
	} {
		p, err := RunPage(Run{Result: submission.Submission{ID: "1", State: submission.Accepted}, Document: &result.Document{},
			Ageing: of})
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(string(p.Body), "Over the years"); shown != (of != nil) ||
			!strings.Contains(string(p.Body), ages) {
			t.Errorf("the page lacks %q:\n%s", ages, p.Body)
		}
		written := "For each TB written</dt><dd>This unit’s 4K random write: gets slower: 5 % per TB (2.8 to 7.2); by 9 runs from"
		if shown := strings.Contains(string(p.Body), written); shown != (of != nil) {
			t.Errorf("%q on the page: %v\n%s", written, shown, p.Body)
		}
	}
}

// Each test says in its own words when it ended.
func TestEveryTestSaysWhenItEnded(t *testing.T) {
	t.Parallel()
	ns := int64(62e9)
	for _, c := range []struct {
		test  string
		ended result.Ended
		ns    *int64
		want  string
	}{
		{result.RandWrite, result.Converged, &ns, "steady over 62 s"},
		{result.RoundWrite, result.Converged, nil, "when it was steady"},
		{result.SeqWrite, result.Complete, nil, "after the whole test area"},
		{result.FillWrite, result.Complete, nil, "after the whole test area"},
		{result.TurnWrite, result.Complete, nil, "when nothing more could be told"},
		{result.QueuedRead, result.Complete, nil, "after all depths"},
		{result.RestedWrite, result.Complete, nil, "after all rests"},
		{result.StreamWrite, result.Complete, nil, "after the whole stream"},
		{result.StreamWrite, result.TimeLimit, nil, "at its time limit"},
	} {
		f := result.Figures{Test: c.test, Ended: c.ended, DurationNS: c.ns}
		if got := endingOf(&f); got != c.want {
			t.Errorf("%s, %s: it ended %q, want %q", c.test, c.ended, got, c.want)
		}
	}
	for _, name := range result.TestNames {
		own := result.MethodOfTest(name)
		whole := own == result.MethodSaturate1 || own == result.MethodEndure1 || name == result.Mixed
		if own != "" && !whole && completions[name] == "" {
			t.Errorf("%s doesn't say when it is complete", name)
		}
	}
}
