package store_test

import (
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// rows reads all of a table as text, past the store.
func rows(t testing.TB, url, table string) string {
	t.Helper()
	return value[string](t, url, "select string_agg(r::text, chr(10) order by r::text) from "+table+" r")
}

// What a server of the version before took in has no facts, and may have figures by older rules.
func TestFactsAreDerivedAnewFromTheDocuments(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i, unit := range []string{"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"} {
		add(t, s, alice, evo, unit, int64(i+1))
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := snapshot(t, s).Summaries
	if len(want) != 2 || want[0].Figures[figure.SeqWriteCVPercent].N != 3 || want[1].HostClass != "pi-4" {
		t.Fatalf("summaries %+v", want)
	}
	submissions, measurements := rows(t, url, "submission"), rows(t, url, "measurement")
	older := func(which string) {
		t.Helper()
		value[int](t, url, `with older as (
			update submission set facts_version = 0, figures = null, host_class = '', bus_mb_per_s = 0, variant = '',
				evidence = '{}' where `+which+` returning id
		), other as (
			update measurement set cv_percent = null, mb_per_s = 1 where submission_id in (select id from older)
		) select count(*)::int from older`)
	}
	hold := func(how string) {
		t.Helper()
		if diff := cmp.Diff(want, snapshot(t, s).Summaries); diff != "" {
			t.Errorf("%s: summaries (-want +got):\n%s", how, diff)
		}
		if rows(t, url, "submission") != submissions || rows(t, url, "measurement") != measurements {
			t.Errorf("%s: what is stored of the submissions differs", how)
		}
	}
	// One that waits is brought up to date when it is folded.
	older("unit_tag is null")
	execute(t, url, "insert into outbox select id, id, now() from submission where unit_tag is null")
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 1 {
		t.Fatal(taken, err)
	}
	hold("one that waited")
	// One that a server of the version before has folded already is, when that is noticed.
	older("unit_tag is null")
	execute(t, url, `update publication set folded = folded + 1; delete from module_summary;
		delete from unit where tag = ''`)
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 0 {
		t.Fatal(taken, err)
	}
	hold("one that an older server folded")
	// All are, once the rules are newer than those that all were derived by.
	older("true")
	value[int](t, url, "update publication set facts_version = 0 returning 1")
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 0 {
		t.Fatal(taken, err)
	}
	hold("all")
	_, generation, err := s.Fold(t.Context())
	if _, again, err2 := s.Fold(t.Context()); err != nil || err2 != nil || again != generation {
		t.Errorf("generations %d and %d, %v, %v: it goes on without end", generation, again, err, err2)
	}
}
