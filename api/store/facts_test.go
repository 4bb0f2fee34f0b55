package store_test

import (
	"database/sql"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/migrations"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib" // database/sql's driver pgx
	"github.com/pressly/goose/v3"
)

// rows reads a whole table as text, bypassing the store.
func rows(t testing.TB, url, table string) string {
	t.Helper()
	return value[string](t, url, "select string_agg(r::text, chr(10) order by r::text) from "+table+" r")
}

// Results that an older server stored have no facts, and may have figures by older rules.
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
	if len(want) != 2 || want[0].Figures.At(figure.SeqWriteCVPercent).N != 3 || want[1].HostClass != "pi-4" {
		t.Fatalf("summaries %+v", want)
	}
	if n := value[int](t, url, `select count(*)::int from submission s join unit u on u.tag = coalesce(s.unit_tag, '')
		where abs(s.errors[1] - u.errors[1]) < 1e-12 and u.host_class <> ''`); n != 3 {
		t.Fatalf("%d of 3 runs and their units have the error of their 4K random writes", n)
	}
	submissions, measurements := rows(t, url, "submission"), rows(t, url, "measurement")
	older := func(which string) {
		t.Helper()
		value[int](t, url, `with older as (
			update submission set facts_version = 0, figures = null, errors = '{}', not_ranked = '{older}', host_class = '',
				bus_mb_per_s = 0, variant = '', evidence = '{}' where `+which+` returning id
		), other as (
			update measurement set cv_percent = null, mb_per_s = 1, mb_per_s_low = null, ops = null, stalls_100ms = null
			where submission_id in (select id from older)
		) select count(*)::int from older`)
	}
	hold := func(how string) {
		t.Helper()
		if diff := cmp.Diff(want, snapshot(t, s).Summaries, figuresInside); diff != "" {
			t.Errorf("%s: summaries (-want +got):\n%s", how, diff)
		}
		if rows(t, url, "submission") != submissions || rows(t, url, "measurement") != measurements {
			t.Errorf("%s: what is stored of the submissions differs", how)
		}
	}
	// A result that waits for a fold is brought up to date by it.
	older("unit_tag is null")
	execute(t, url, "insert into outbox select id, id, now() from submission where unit_tag is null")
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 1 {
		t.Fatal(taken, err)
	}
	hold("one that waited")
	// A result that an older server has folded is brought up to date once a newer server notices that.
	older("unit_tag is null")
	execute(t, url, `update publication set folded = folded + 1; delete from module_summary;
		delete from unit where tag = ''`)
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 0 {
		t.Fatal(taken, err)
	}
	hold("one that an older server folded")
	// All are brought up to date when the rules change.
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

// A stored result follows today's rules: a ranked result leaves the figures if its rate was hardly known.
func TestRulesForRunsHoldForStoredResults(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, evo, "", 1)
	doc, _ := run(t, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1)
	write := doc.Test(result.RandWrite)
	write.Ended = result.Complete
	write.Batches[3].NS += 20 * write.Batches[3].NS
	write.DurationNS = result.SumBatches(write.Batches).NS
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddSubmission(t.Context(), bob, doc, body, evo, accepted, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	ranked := func() float64 { return float64(estimate(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS).N) }
	if n := ranked(); n != 1 {
		t.Fatalf("%v units count", n)
	}
	execute(t, url, `update submission set facts_version = facts_version - 1, not_ranked = '{}';
		update publication set facts_version = facts_version - 1, unit_version = 0`)
	fold(t, s)
	if n := ranked(); n != 1 {
		t.Errorf("after the rules changed, %v units count", n)
	}
	stored, _, _, err := s.Submission(t.Context(), doc.ID)
	if err != nil || len(stored.NotRanked) != 1 || !strings.Contains(stored.NotRanked[0], "did not settle") {
		t.Errorf("it isn't ranked because %q, %v", stored.NotRanked, err)
	}
}

// An older server stores by a function of its own. A fold derives what that function leaves out.
func TestAServerOfTheVersionBeforeUploads(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, evo, "", 1)
	outcome := value[string](t, url, `
		select upload(secret => 'somebody', id => gen_random_uuid(), received_at => s.received_at, state => s.state,
			state_reason => s.state_reason, state_rule => s.state_rule, method => s.method, profile => s.profile,
			client => s.client, host_board => s.host_board, bus_mode => s.bus_mode, unit_tag => s.unit_tag,
			not_ranked => s.not_ranked, module_slug => s.module_slug, body_sha256 => s.body_sha256,
			schema_version => s.schema_version, document => s.document, confirms => s.confirms,
			facts_version => (s.facts_version - 1)::smallint, figures => s.figures[1:11], host_class => s.host_class,
			bus_mb_per_s => s.bus_mb_per_s, variant => s.variant, evidence => s.evidence, price_amount => s.price_amount,
			price_currency => s.price_currency, price_on => s.price_on, vendor => '', product => '', capacity_gb => 0,
			form => '', classes => '{}', known_from => '', provisional => false,
			test => array(select m.test from measurement m), block_bytes => array(select m.block_bytes from measurement m),
			queue_depth => array(select m.queue_depth from measurement m), sync => array(select m.sync from measurement m),
			mb_per_s => array(select m.mb_per_s from measurement m), iops => array(select m.iops from measurement m),
			iops_low => '{}', iops_high => '{}', p50_ns => '{}', p99_ns => '{}', p999_ns => '{}', max_ns => '{}',
			kib_per_op => '{}', ended => array(select m.ended from measurement m), cv_percent => '{}', cliff_mb => '{}',
			cliff_percent => '{}')
		from submission s`)
	if outcome != "new" {
		t.Fatal(outcome)
	}
	fold(t, s)
	differ := value[int](t, url, `select count(distinct (facts_version, figures, errors, host_class, not_ranked))::int
		from submission`)
	tests := value[int](t, url, `select count(*)::int from (select to_jsonb(m) - 'submission_id' from measurement m
		group by 1 having count(*) = 2) as same`)
	if differ != 1 || tests != value[int](t, url, "select count(*)::int / 2 from measurement") {
		t.Errorf("%d kinds of facts and %d tests that are alike", differ, tests)
	}
}

// After a downgrade all results are still there. After the next upgrade all derived data are there again, to the last
// bit.
func TestTheSchemaGoesBackAndForth(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	measureInTwo(t, s, url, 3, 6)
	fold(t, s)
	s.Close()
	derived := func() map[string]string {
		t.Helper()
		return map[string]string{
			"submission": rows(t, url, "submission"), "measurement": rows(t, url, "measurement"),
			"unit":    rows(t, url, "unit"),
			"summary": rows(t, url, "(select module_slug, method, host_class, variant, summary::text, shares from module_summary)"),
		}
	}
	before := derived()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("../../migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.DownTo(t.Context(), 16); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	fold(t, again)
	if diff := cmp.Diff(before, derived()); diff != "" {
		t.Errorf("after going back and forth (-before +after):\n%s", diff)
	}
}

// The kind of host comes from the document, and reaches the unit. The run in the other kind counts in no figure.
func TestAUnitIsStoredWithItsKindOfHost(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i, queue := range []string{result.QueueOn, result.QueueOff, result.QueueOn} {
		doc, _ := run(t, "", []int64{1, 9, 2}[i])
		doc.Host.CommandQueue = queue
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if added, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted,
			submission.Origin{}); err != nil || !added.New {
			t.Fatalf("AddSubmission: %v, %v", added, err)
		}
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "pi-4/queue/Raspberry Pi 4 Model B, 2 of 3 runs"
	if got := value[string](t, url, `
		select string_agg(host_kind || ', ' || runs || ' of ' || results || ' runs', chr(10)) from unit`); got != want {
		t.Errorf("units: %s, want %s", got, want)
	}
	all := snapshot(t, s).Summaries
	for _, sum := range all {
		if f := sum.Figures.At(figure.RandWriteIOPS); sum.Variant == "" && (f.Runs != 2 || math.Abs(f.Value-150) > 0.01) {
			t.Errorf("in %q: %+v, want the median of 100 and 200", sum.HostClass, f)
		}
	}
}
