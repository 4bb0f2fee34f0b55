package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Even if nobody has uploaded anything, each question has three answers, or says what would have to be known.
func TestAFreshStartAnswersEachQuestion(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for _, q := range s.questions {
		a := s.answer(q)
		t.Logf("%s: tied %q, needs %q, left out %d", q.Key, a.Tied, a.Needs, a.LeftOutPublished)
		for _, b := range a.Best {
			t.Logf("   %+v", b)
		}
		for _, sec := range a.Sections {
			t.Logf("   %3d rows: %s", len(sec.Rows), sec.Label)
		}
		// Two sources printed prices: one for a slow card with random figures, the other for cards without. One card is
		// no choice.
		want := map[string]int{"per-euro": 1, "retro": 1, "cheap": 0}
		if n, priced := want[q.Key]; priced != (q.Currency != "") || !priced && len(a.Best) != bestAnswers ||
			priced && (len(a.Best) > 0 || a.Few != n) || (len(a.Best) == 0) != (len(a.Needs) > 0) || a.Ranked != 0 {
			t.Errorf("%s: %d ranked, first %+v, needs %q", q.Key, a.Ranked, a.Best, a.Needs)
		}
		for _, b := range a.Best {
			sure := b.Interval != "" || strings.HasPrefix(b.Score, "≥") || strings.HasPrefix(b.Score, "≤")
			if b.Origin != ranking.Expected || b.Rank != 0 || !sure || q.Currency != "" && !strings.Contains(b.Unit, "USD") {
				t.Errorf("%s: %+v", q.Key, b)
			}
		}
	}
}

// Each answer and each figure on a question's page comes from a row that the data set and the rankings share.
func TestFiguresOfAnswersAreThoseOfRankings(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		compared := 0
		for _, q := range s.questions {
			a := s.answer(q)
			for _, sec := range a.Sections {
				for _, row := range sec.Rows {
					at := slices.IndexFunc(s.rows[sec.Method], func(r *ranking.Row) bool { return r.Module.Slug == row.Slug })
					if at < 0 {
						t.Fatalf("%s: %s has no row by %s", q.Key, row.Slug, sec.Method)
					}
					of := s.rows[sec.Method][at]
					if (of.Origin() == ranking.Measured) != (row.Origin == "") || row.Origin != "" && row.Origin != of.Origin() {
						t.Errorf("%s: %s is marked %q, and is %s", q.Key, row.Slug, row.Origin, of.Origin())
					}
					end := len(row.Cells) - len(a.Extra)
					for i, cell := range row.Cells[end-len(q.Figures) : end] {
						want := page.Cell{Class: "number"}
						if f, known := of.Figures.Find(q.Figures[i]); known {
							want = page.TintedCell(q.Figures[i], "", f)
							compared++
						}
						if cell != want {
							t.Errorf("%s: %s: %+v, want %+v", q.Key, row.Slug, cell, want)
						}
					}
				}
			}
			for i, b := range a.Best {
				has := func(row tableRow) bool {
					c := row.Cells[0]
					return row.Slug == b.Slug && strings.TrimSuffix(c.Value, " "+b.Unit) == b.Score &&
						strings.Replace(c.Interval, "–", " to ", 1) == b.Interval
				}
				if !slices.ContainsFunc(a.Sections, func(sec section[tableRow]) bool {
					return !strings.HasPrefix(sec.Label, otherForms) && slices.ContainsFunc(sec.Rows, has)
				}) {
					t.Errorf("%s: answer %d, %+v, is no row of its page", q.Key, i+1, b)
				}
			}
		}
		if compared < 200 {
			t.Errorf("%d figures compared", compared)
		}
	}
}

// A module's page answers like the question's page: by the module's first row there.
func TestAModuleAnswersAsItsQuestionsDo(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	origins := map[string]int{}
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		for _, q := range s.questions {
			rows, shown := map[string]tableRow{}, 0
			for _, sec := range s.answer(q).Sections {
				for _, row := range sec.Rows {
					shown++
					if _, known := rows[row.Slug]; !known && !strings.HasPrefix(sec.Label, otherForms) {
						rows[row.Slug] = row
					}
				}
			}
			for _, m := range s.snapshot.Modules {
				answers := s.answersOf(m)
				i := slices.IndexFunc(answers, func(a moduleAnswer) bool { return a.Path == "/for/"+q.Key+"/" })
				row, known := rows[m.Slug]
				if i < 0 || answers[i].LeftOut != "" || !known && shown == s.pageRows {
					continue // it has no answer, or no row on this page
				}
				a := answers[i]
				if !known || a.Score != strings.TrimSuffix(row.Cells[0].Value, " "+a.Unit) || a.Interval != row.Cells[0].Interval ||
					(a.Origin == ranking.Measured) != (row.Origin == "") || q.Currency == "" && a.Beside == nil && q.Key != "boot" &&
					q.Key != "games" {
					t.Errorf("%s: %s answers %+v, and the question's page has %+v", q.Key, m.Slug, a, row)
				}
				origins[a.Origin]++
			}
		}
	}
	if origins[ranking.Measured] < 50 || origins[ranking.Expected] < 50 || origins[ranking.Published] < 50 {
		t.Errorf("answers by origin: %v", origins)
	}
}

// A question about several forms has an answer for each form, worded for that form, with only modules of that form.
func TestAQuestionIsAnsweredForEachForm(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	if _, err := s.writeQuestions(); err != nil {
		t.Fatal(err)
	}
	for i, q := range s.questions {
		pages := s.index.Questions[i].Forms
		if (len(q.Forms) == 1) != (len(pages) == 0) && q.Currency == "" { // few modules have a price
			t.Errorf("%s: the forms %q have the pages %v", q.Key, q.Forms, pages)
		}
		for _, p := range pages {
			a := s.answerOfForm(q, p.Form)
			if cards[p.Form] == "" || !strings.Contains(a.Text, cards[p.Form]) {
				t.Errorf("%s: %q", p.Path, a.Text)
			}
			for _, sec := range a.Sections {
				for _, row := range sec.Rows {
					if form := s.modules[row.Slug].Form; form != p.Form {
						t.Errorf("%s: %s is %s", p.Path, row.Slug, form)
					}
				}
			}
			for _, b := range a.Best {
				if s.modules[b.Slug].Form != p.Form {
					t.Errorf("%s is answered by %s", p.Path, b.Slug)
				}
			}
		}
	}
}

// A module that doesn't fit the question's device never answers it, and stands below all modules that do.
func TestOtherFormsStandApart(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	fits, others := 0, 0
	for _, q := range s.questions {
		apart := false
		for _, sec := range s.answer(q).Sections {
			if now := strings.HasPrefix(sec.Label, otherForms); apart && !now {
				t.Errorf("%s: %s comes after other forms", q.Key, sec.Label)
			} else {
				apart = now
			}
			for _, row := range sec.Rows {
				m := s.modules[row.Slug]
				if slices.Contains(q.Forms, m.Form) == apart || m.Form == catalogue.FormStack {
					t.Errorf("%s: %s, %s, is in %q", q.Key, row.Slug, m.Form, sec.Label)
				}
				if apart {
					others++
				} else {
					fits++
				}
			}
		}
		for _, b := range s.answer(q).Best {
			if !slices.Contains(q.Forms, s.modules[b.Slug].Form) {
				t.Errorf("%s is answered by %s", q.Key, b.Slug)
			}
		}
	}
	if fits < 100 || others < 10 {
		t.Errorf("%d rows that fit, %d of other forms", fits, others)
	}
}

// Rows that are never ranked answer no question, and aren't listed as left out. Otherwise a card that is ranked above
// would be called left out once for each profile that somebody ran on it.
func TestWhatIsNeverRankedIsNotLeftOut(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	row := func(slug, method string) *ranking.Row {
		return &ranking.Row{Module: catalogue.Module{Slug: slug, Product: slug, Form: "sd"}, Method: method,
			Note: "not ranked: whatever the reason"}
	}
	for method, rows := range map[string][]*ranking.Row{result.MethodFlashdex1: {row("busy", result.MethodFlashdex1)},
		result.MethodSustained1: {row("shown", result.MethodSustained1)}, result.MethodDD1: {row("dd", result.MethodDD1)},
		"import-h2testw-1": {row("imported", "import-h2testw-1")}} {
		s.rows[method] = rows
	}
	a := s.answer(s.questions[slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == "camera" })])
	if len(a.LeftOut) != 1 || a.LeftOutTotal != 1 || a.LeftOut[0].Slug != "busy" {
		t.Errorf("%d are left out: %+v", a.LeftOutTotal, a.LeftOut)
	}
}

// Somebody wrote cards full over and over: two of this Lexar had an error in their first round, and one of the Bekit.
func TestWhatIsKnownToFailIsNoAnswer(t *testing.T) {
	t.Parallel()
	const lexar, bekit = "lexar-professional-1000x-64gb-microsd", "bekit-microsd-8gb-microsd"
	s := freshStart(t)
	a := s.answer(s.questions[slices.IndexFunc(s.questions, func(q question.Question) bool {
		return q.Key == "home-assistant"
	})])
	if len(a.LeftOut) != 1 || a.LeftOut[0].Slug != lexar || !strings.HasPrefix(a.LeftOut[0].Reason, "two units") {
		t.Errorf("left out: %+v", a.LeftOut)
	}
	rows := map[string]int{}
	for _, sec := range a.Sections {
		for _, row := range sec.Rows {
			rows[row.Slug]++
		}
	}
	if rows[lexar] > 0 || rows[bekit] == 0 {
		t.Errorf("%d rows of the Lexar, %d of the Bekit", rows[lexar], rows[bekit])
	}
	for slug, worn := range map[string]bool{lexar: true, bekit: false} {
		answers := s.answersOf(s.modules[slug])
		i := slices.IndexFunc(answers, func(of moduleAnswer) bool { return of.Path == "/for/home-assistant/" })
		if i < 0 || (answers[i].LeftOut != "") != worn || (answers[i].verdict.word == wearsOut) != worn {
			t.Errorf("%s: %+v", slug, answers)
		}
	}
}

// Contributors paid in euros and dollars, and a source paid in dollars. Each currency has a section of its own, no
// price is converted, and a module without a price is left out once.
func TestEachCurrencyIsRankedByItself(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	row := func(slug string, prices ...figure.PriceMedian) *ranking.Row {
		r := &ranking.Row{Module: catalogue.Module{Slug: slug, Product: slug, Form: "microsd"}, Method: "flashdex-1",
			Prices: prices}
		r.Figures.Put(figure.RandWriteIOPS, figure.Figure{Value: 800})
		return r
	}
	eur := func(amount float64) figure.PriceMedian {
		return figure.PriceMedian{Amount: amount, Currency: "EUR", N: 1}
	}
	usd := func(amount float64) figure.PriceMedian {
		return figure.PriceMedian{Amount: amount, Currency: "USD", N: 1}
	}
	slow := row("slow", eur(1), usd(1))
	slow.Figures.Put(figure.RandWriteIOPS, figure.Figure{Value: 5})
	s.rows["flashdex-1"] = []*ranking.Row{row("both", eur(8), usd(10)), row("euros", eur(4)), row("none"), slow}
	for key, want := range map[string]string{
		"cheap": "EUR: euros 4, both 8; USD: both 10 USD; left out: none, slow",
		"per-euro": "EUR: euros 200, both 100, slow 5; USD: both 80 IOPS per USD, slow 5 IOPS per USD, " +
			"micro-center-class-4-4gb-sd 0.25 IOPS per USD; left out: none",
	} {
		q := s.questions[slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == key })]
		a := s.answer(q)
		var got, left []string
		for _, sec := range a.Sections {
			var rows []string
			for _, r := range sec.Rows {
				rows = append(rows, r.Slug+" "+r.Cells[0].Value)
			}
			if at := len(got) - 1; at >= 0 && strings.HasPrefix(got[at], sec.Currency) {
				if sec.Method == catalogue.MethodExpected {
					got[at] += ", " + strings.Join(rows, ", ")
				}
			} else {
				got = append(got, sec.Currency+": "+strings.Join(rows, ", "))
			}
			if !strings.HasSuffix(sec.Label, ", prices in "+sec.Currency) {
				t.Errorf("%s: %s", key, sec.Label)
			}
		}
		for _, l := range a.LeftOut {
			left = append(left, l.Slug)
		}
		if got := strings.Join(append(got, "left out: "+strings.Join(left, ", ")), "; "); got != want {
			t.Errorf("%s:\n%s, want\n%s", key, got, want)
		}
	}
}

// Ranked uploads come before expected figures, and these before published ones. No module answers twice.
func TestUploadsAnswerBeforeWhatIsExpected(t *testing.T) {
	t.Parallel()
	row := func(slug, method string, first, last int) ranking.Answer {
		r := &ranking.Row{Module: catalogue.Module{Slug: slug, Product: slug}, Method: method}
		if method != "flashdex-1" {
			r.Sources = []string{"source"}
		}
		return ranking.Answer{Row: r, Place: ranking.Place{First: first, Last: last}}
	}
	sections := []section[ranking.Answer]{
		{Rows: []ranking.Answer{row("ranked", "flashdex-1", 1, 1)}},
		{Rows: []ranking.Answer{row("listed", "flashdex-1", 0, 0)}},
		{Rows: []ranking.Answer{
			row("ranked", catalogue.MethodExpected, 1, 2), row("expected", catalogue.MethodExpected, 1, 2),
		}},
		{Rows: []ranking.Answer{row("published", "iozone", 0, 0), row("more", "iozone", 0, 0)}},
	}
	var got []string
	var a answered
	a.addBest(sections)
	for _, b := range a.Best {
		got = append(got, b.Slug+" "+b.Origin)
	}
	if want := "ranked measured, expected expected, published published"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if a.Ranked != 1 || a.Tied != "" || a.Needs != nil {
		t.Errorf("%+v", a)
	}
	a = answered{}
	if a.addBest(sections[2:]); a.Ranked != 0 || a.Tied != "2" {
		t.Errorf("expected alone: %+v", a)
	}
}
