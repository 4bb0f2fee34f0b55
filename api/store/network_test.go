package store_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// sent stores a result that a contributor sent today from a network.
func sent(t testing.TB, s *store.Store, contributor string, module catalogue.Module, network string, speed int64) string {
	t.Helper()
	doc, body := run(t, "", speed)
	origin := submission.Origin{}
	if network != "" {
		origin.Network = []byte("key1" + network)
	}
	added, err := s.AddSubmission(t.Context(), secretOf(contributor), doc, body, module, accepted, origin)
	if err != nil || !added.New {
		t.Fatalf("AddSubmission: %v, %v", added, err)
	}
	return doc.ID
}

func secretOf(contributor string) [sha256.Size]byte { return sha256.Sum256([]byte(contributor)) }

// seconds folds, and lists the results that don't count because another contributor of their network came first.
func seconds(t testing.TB, s *store.Store, ids ...string) string {
	t.Helper()
	fold(t, s)
	var which []string
	for i, id := range ids {
		sub, _, _, err := s.Submission(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(sub.NotRanked, submission.SecondOfNetwork) {
			which = append(which, fmt.Sprint(i))
		}
	}
	return strings.Join(which, " ")
}

// Ten secrets of one person in one network on one day move a figure only as much as one secret.
func TestTenSecretsOfOneNetworkMoveAFigureAsOneDoes(t *testing.T) {
	t.Parallel()
	figureWith := func(liars int, network func(i int) string) figure.Figure {
		s, _ := open(t)
		defer s.Close()
		for i := range 3 {
			sent(t, s, fmt.Sprint("honest ", i), evo, fmt.Sprint("of ", i), 10)
		}
		for i := range liars {
			sent(t, s, fmt.Sprint("secret ", i), evo, network(i), 30)
		}
		fold(t, s)
		return estimate(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS)
	}
	one := figureWith(1, func(int) string { return "liar" })
	ten := figureWith(10, func(int) string { return "liar" })
	if diff := cmp.Diff(one, ten); one.Contributors != 4 || diff != "" {
		t.Errorf("one secret makes it %+v, ten (-one +ten):\n%s", one, diff)
	}
	// From ten networks they move it more.
	if many := figureWith(10, func(i int) string { return fmt.Sprint("liar ", i) }); many.Contributors != 13 ||
		many.Value <= one.Value {
		t.Errorf("ten networks make it %+v, one %+v", many, one)
	}
}

func TestOfContributorsOfOneNetworkTheFirstOfEachModuleCounts(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	ids := []string{
		sent(t, s, "alice", evo, "a", 1), sent(t, s, "bob", evo, "a", 2), sent(t, s, "alice", evo, "a", 3),
		sent(t, s, "bob", ultra, "a", 1), // another module
		sent(t, s, "carol", evo, "c", 1), sent(t, s, "dave", evo, "", 1), sent(t, s, "erin", evo, "", 1),
		sent(t, s, "grace", evo, "c", 1),
	}
	hold := func(how, want string) {
		t.Helper()
		if got := seconds(t, s, ids...); got != want {
			t.Errorf("%s: %q don't count, want %q", how, got, want)
		}
		if n := value[int](t, url, `select count(*)::int from unit u where u.module_slug = $1 and u.runs <> (
			select count(*) from submission s join module_name n on n.slug = s.module_slug
			where s.contributor = u.contributor and n.module_slug = u.module_slug
				and s.state = 'accepted' and not s.second_of_network)`, evo.Slug); n > 0 {
			t.Errorf("%s: %d units have other runs than count", how, n)
		}
	}
	hold("at first", "1 7")
	if got, want := counted(t, s), "5 of 7 results, 4 contributors, 2 independent on 1 days"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// So does the data set.
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, m figure.Records) error {
		return m.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			if second := test.Result == ids[1] || test.Result == ids[7]; second != (test.NotRanked == submission.SecondOfNetwork) {
				t.Errorf("the data set says of result %d %q", slices.Index(ids, test.Result), test.NotRanked)
			}
			return nil
		})
	}); err != nil {
		t.Error(err)
	}
	// The answer to an upload says so, and the first contributor may continue.
	for contributor, want := range map[string][]string{"alice": {}, "frank": {submission.SecondOfNetwork}} {
		doc, body := run(t, "", 1)
		added, err := s.AddSubmission(t.Context(), secretOf(contributor), doc, body, evo, accepted,
			submission.Origin{Network: []byte("key1a")})
		if err != nil || !slices.Equal(added.Submission.NotRanked, want) {
			t.Errorf("the answer to %s: %q, %v", contributor, added.Submission.NotRanked, err)
		}
	}
	// After a deletion or a rejection, the next contributor counts.
	for contributor, id := range map[string]string{"alice": ids[0], "carol": ids[4]} {
		if err := s.DeleteSubmission(t.Context(), secretOf(contributor), id); err != nil {
			t.Fatal(err)
		}
	}
	ids = slices.Delete(slices.Delete(ids, 4, 5), 0, 1)
	hold("without the first", "1") // bob came before alice's other results
	decide := func(state string) {
		t.Helper()
		if err := s.Moderate(t.Context(), ids[0], submission.Decision{State: state, Reason: "Looked."},
			by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	decide(submission.Rejected)
	hold("without bob", "")
	decide(submission.Accepted)
	hold("with bob again", "1")
	// The same happens if the first result moves to another module.
	if err := s.NameResult(t.Context(), ids[0], ultra.Slug, "It is one.", by("carol")); err != nil {
		t.Fatal(err)
	}
	hold("named otherwise", "")
	if err := s.MergeModules(t.Context(), ultra.Slug, evo.Slug, "The same.", by("carol")); err != nil {
		t.Fatal(err)
	}
	hold("merged", "1")
}

func TestWhoIsFirstOfANetworkOnProbationKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	s, _ := strict(t)
	ids := []string{sent(t, s, "alice", evo, "a", 1), sent(t, s, "bob", evo, "a", 2)}
	confirm := func(id, want string) {
		t.Helper()
		if err := s.ConfirmContributor(t.Context(), id, "I know them.", by("carol")); err != nil {
			t.Fatal(err)
		}
		if got := seconds(t, s, ids...); got != want {
			t.Errorf("%q don't count, want %q", got, want)
		}
	}
	confirm(ids[1], "")
	confirm(ids[0], "1") // the first contributor takes their place back
}

// A result that rule deviates holds back keeps its place. Otherwise another one would count, which might release the
// first.
func TestWhatDeviatesStaysTheFirstOfItsNetwork(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i := range 8 {
		arriving(t, s, url, fmt.Sprint("honest ", i), i, "", int64(1+i%2))
	}
	first, second := arriving(t, s, url, "alice", 0, "a", 1000), arriving(t, s, url, "bob", 0, "a", 1)
	if got := states(t, s, first, second); got != "quarantined accepted" {
		t.Fatalf("they are %s", got)
	}
	third := arriving(t, s, url, "carol", 0, "a", 1)
	if got := seconds(t, s, first, second, third); got != "1 2" {
		t.Errorf("%q don't count, want the second and third", got)
	}
	if err := s.Moderate(t.Context(), first, submission.Decision{State: submission.Rejected, Reason: "A lie."},
		by("carol")); err != nil {
		t.Fatal(err)
	}
	if got := seconds(t, s, first, second, third); got != "2" {
		t.Errorf("once the first is rejected %q don't count, want the third", got)
	}
}

// An older server folds without comparing networks, and keeps the labels of deleted results.
func TestNetworksAreComparedAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	ids := []string{sent(t, s, "alice", evo, "a", 1), sent(t, s, "bob", evo, "a", 2)}
	gone := sent(t, s, "alice", evo, "a", 3)
	if err := s.DeleteSubmission(t.Context(), secretOf("alice"), gone); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	execute(t, url, fmt.Sprintf(`
		update submission set second_of_network = false;
		update submission set network = 'key1a' where id = '%s';
		update publication set unit_version = %d`, gone, figure.UnitVersion-1))
	if got := seconds(t, s, ids...); got != "1" {
		t.Errorf("%q don't count, want the second", got)
	}
	if got := counted(t, s); !strings.HasPrefix(got, "1 of 2 results") {
		t.Errorf("%s count", got)
	}
	if n := value[int](t, url, "select count(*)::int from submission where network <> ''"); n != 2 {
		t.Errorf("%d results have a label, want 2", n)
	}
}

func TestNetworksAreComparedByAnIndex(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	sent(t, s, "alice", evo, "a", 1)
	sent(t, s, "bob", evo, "", 1)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	execute(t, url, "analyze")
	// Citus passes settings on to its other nodes only within a transaction.
	if _, err := conn.Exec(t.Context(), `begin; set local citus.propagate_set_commands = local;
		set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`); err != nil {
		t.Fatal(err)
	}
	for query, args := range map[string][]any{
		store.SelectArrivals: {[][]byte{[]byte("key1a")}, []string{evo.Slug}},
		store.FirstOfNetwork: {[]byte("key1a"), evo.Slug},
	} {
		rows, err := conn.Query(t.Context(), "explain "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if plan := strings.Join(lines, "\n"); err != nil || !strings.Contains(plan, "submission_of_network") {
			t.Errorf("%v:\n%s", err, plan)
		}
	}
}

// BenchmarkNetworks measures two things among a million results of one module: what a fold reads to compare a result
// with others of its network, and what an upload asks.
func BenchmarkNetworks(b *testing.B) {
	s, url := open(b)
	sent(b, s, "alice", evo, "", 1)
	execute(b, url, `
		insert into submission select r.* from submission s, generate_series(1, 1000000) i,
			jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'document', '',
				'contributor', sha256(i::text::bytea), 'network', case when i <= 1 then 'key1a' when i <= 101 then 'key1b'
					when i <= 10101 then 'key1c' else sha256(i::text::bytea)::text end::bytea)) r;
		insert into contributor select distinct contributor, now() from submission on conflict do nothing;
		analyze submission, contributor`)
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	for label, results := range map[string]int{"key1a": 1, "key1b": 100, "key1c": 10_000} {
		for reader, query := range map[string]func() (pgx.Rows, error){
			"fold": func() (pgx.Rows, error) {
				return conn.Query(b.Context(), store.SelectArrivals, [][]byte{[]byte(label)}, []string{evo.Slug})
			},
			"upload": func() (pgx.Rows, error) {
				return conn.Query(b.Context(), store.FirstOfNetwork, []byte(label), evo.Slug)
			},
		} {
			b.Run(fmt.Sprintf("%s/of-its-network=%d", reader, results), func(b *testing.B) {
				for b.Loop() {
					rows, err := query()
					if err != nil {
						b.Fatal(err)
					}
					for read := true; read; {
						read = rows.Next()
					}
					if err := rows.Err(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
