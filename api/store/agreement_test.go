package store_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/api/submission"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const agreedOn = "select coalesce((select module_slug from agreement where registers = 'sd 0x03/SD SL16G 16gb'), '')"

// agreeing makes three independent contributors, 0 to 2, say on two days that cards with these registers are ultraA1.
func agreeing(t testing.TB, s *store.Store, url string) (ids []string) {
	t.Helper()
	for i := range 3 {
		ids = append(ids, card{typed: ultraA1Typed, registers: sameCards, from: i}.upload(t, s, today()))
		confirm(t, url, i)
	}
	aDayOlder(t, url, 0)
	return ids
}

func TestWhatSeveralContributorsSayDecidesWhatOneLeftOpen(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	if err := s.ImportCatalogue(t.Context(), today().Modules, nil); err != nil {
		t.Fatal(err)
	}
	of := func(from int, typed, registers string) string {
		return card{typed: typed, registers: registers, from: from}.upload(t, s, today())
	}
	open, nothing := of(3, "SanDisk Ultra", sameCards), of(4, "", sameCards)
	reader, others := of(5, "", ""), of(6, "", "SL16H")
	dissenter := of(7, "SanDisk Extreme 60MB/s", sameCards)
	settle(t, s, url)
	was := names(t, url)
	voters := agreeing(t, s, url)
	settle(t, s, url)
	isNamed(t, url, "an ambiguous name", open, byOthers)
	isNamed(t, url, "a card that nobody named", nothing, byOthers)
	for what, id := range map[string]string{"a card behind a reader": reader, "a card with other registers": others} {
		isNamed(t, url, what, id, was[id])
	}
	isNamed(t, url, "one of those who agree", voters[0], byName)
	if name := names(t, url)[dissenter]; name[:10] != "ambiguous-" {
		t.Errorf("whoever typed another module has %s", name)
	}
	late := of(8, "", sameCards)
	settle(t, s, url)
	isNamed(t, url, "one that came later", late, byOthers)

	// The dissenter learns what the others say, and may still choose.
	sub, module, _, err := s.Submission(t.Context(), dissenter)
	if err != nil || sub.Agreed != ultraA1 || !module.Unlisted {
		t.Errorf("the dissenter's: agreed %q, %+v, %v", sub.Agreed, module, err)
	}
	plain, _ := today().Module("sandisk-ultra-16gb-microsd")
	if err := s.ChooseModule(t.Context(), contributor(3), open, plain); err != nil {
		t.Fatal(err)
	}
	settle(t, s, url)
	isNamed(t, url, "what its contributor chose", open, plain.Slug+" by "+submission.NamedByContributor)

	// An operator rejects the result of one of them. Two are left, and everything is as before.
	if err := s.Moderate(t.Context(), voters[0], submission.Decision{State: submission.Rejected, Reason: "No."},
		by("carol")); err != nil {
		t.Fatal(err)
	}
	settle(t, s, url)
	for what, id := range map[string]string{"a card that nobody named": nothing, "the dissenter's": dissenter} {
		isNamed(t, url, what+", afterwards", id, was[id])
	}
	if got := value[string](t, url, agreedOn); got != "" {
		t.Errorf("they still agree on %s", got)
	}
}

// However many results somebody sends, they are one voice, and don't hide what the others say.
func TestManyResultsOfOneContributorHideNobody(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	from := 10 // whoever's id comes before those of the others
	for slices.ContainsFunc([]int{0, 1, 2}, func(i int) bool { return bytes.Compare(idOf(i), idOf(from)) < 0 }) {
		from++
	}
	loud := card{typed: ultraA1Typed, registers: sameCards, from: from}.upload(t, s, today())
	confirm(t, url, from)
	settle(t, s, url)
	execute(t, url, storedAgain(loud, 20)+fmt.Sprintf(`; update publication set place = '\x%x'`, idOf(from)))
	agreeing(t, s, url)
	nothing := card{registers: sameCards, from: 9}.upload(t, s, today())
	settle(t, s, url)
	isNamed(t, url, "a card that nobody named", nothing, byOthers)
}

// Each of these says the same by three results, and names nobody else's.
func TestALiarDoesNotNameOthersResults(t *testing.T) {
	t.Parallel()
	for what, lie := range map[string]func(t *testing.T, s *store.Store, url string){
		"one contributor with three results": func(t *testing.T, s *store.Store, url string) {
			for range 3 {
				card{typed: ultraA1Typed, registers: sameCards}.upload(t, s, today())
			}
			confirm(t, url, 0)
			execute(t, url, "update submission set received_at = now() - random() * interval '9 days'")
		},
		"three secrets in one network": func(t *testing.T, s *store.Store, url string) {
			for i := range 3 {
				card{typed: ultraA1Typed, registers: sameCards, from: i, network: "a"}.upload(t, s, today())
				confirm(t, url, i)
			}
			aDayOlder(t, url, 0)
		},
		"three networks on one day": func(t *testing.T, s *store.Store, url string) {
			agreeing(t, s, url)
			execute(t, url, "update submission set received_at = now()")
		},
		"new contributors": func(t *testing.T, s *store.Store, url string) {
			agreeing(t, s, url)
			execute(t, url, "update contributor set confirmed_at = null, confirmed_by = ''")
		},
		"results that are held back": func(t *testing.T, s *store.Store, url string) {
			agreeing(t, s, url)
			execute(t, url, "update submission set state = 'quarantined', state_rule = 'near-copy'")
		},
		"results with a token that is not valid": func(t *testing.T, s *store.Store, url string) {
			agreeing(t, s, url)
			execute(t, url, "update submission set token = 'used'")
		},
		"registers that nobody saw": func(t *testing.T, s *store.Store, url string) {
			for i := range 3 {
				card{typed: ultraA1Typed, from: i}.upload(t, s, today())
				confirm(t, url, i)
			}
			aDayOlder(t, url, 0)
		},
		"registers of another maker": func(t *testing.T, s *store.Store, url string) {
			for i := range 3 {
				card{typed: "Samsung EVO", registers: sameCards, from: i}.upload(t, s, today())
				confirm(t, url, i)
			}
			aDayOlder(t, url, 0)
		},
		"too few against those who know": func(t *testing.T, s *store.Store, url string) {
			agreeing(t, s, url)
			for i := range 2 {
				card{typed: "SanDisk Extreme 60MB/s", registers: sameCards, from: 5 + i}.upload(t, s, today())
				confirm(t, url, 5+i)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, url := open(t)
			s.NameBy(today())
			lie(t, s, url)
			victim := card{registers: sameCards, from: 9, speed: 3}.upload(t, s, today())
			settle(t, s, url)
			isNamed(t, url, "another's result", victim, unnamed)
		})
	}
}

// When a contributor's probation ends, all their earlier results say what they are of.
func TestContributorsAgreeOnceTheLastIsConfirmed(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	agreeing(t, s, url)
	execute(t, url, fmt.Sprintf(`
		update contributor set confirmed_at = null, confirmed_by = '' where secret_sha256 = '\x%x'`, idOf(2)))
	nothing := card{registers: sameCards, from: 9}.upload(t, s, today())
	settle(t, s, url)
	isNamed(t, url, "a card that nobody named", nothing, unnamed)
	aDayOlder(t, url, 2)
	card{from: 2}.upload(t, s, today()) // on another day, of another card
	settle(t, s, url)
	isNamed(t, url, "a card that nobody named", nothing, byOthers)
}

// What rule deviates decides by the new names must not change who agrees, or the two could undo each other for ever.
func TestADeviatingResultStillSaysWhatItIsOf(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	agreeing(t, s, url)
	victim := card{registers: sameCards, from: 9}.upload(t, s, today())
	settle(t, s, url)
	for i := range 16 { // enough that the ones who agree aren't a second group
		card{typed: ultraA1Typed, from: 20 + i, speed: int64(90_000 + i)}.upload(t, s, today())
		confirm(t, url, 20+i)
	}
	settle(t, s, url)
	if n := value[int](t, url, "select count(*)::int from submission where state_rule = 'deviates'"); n == 0 {
		t.Fatal("nothing deviates, so this test shows nothing")
	}
	another := card{registers: sameCards, from: 10}.upload(t, s, today()) // makes a fold look at what they say again
	settle(t, s, url)
	isNamed(t, url, "the card that nobody named", victim, byOthers)
	isNamed(t, url, "another one", another, byOthers)
}

// Results come, are chosen, deleted and judged in any order. Their names are always what a comparison of all of them
// gives.
func TestAnyOrderOfEventsLeavesTheNamesRight(t *testing.T) {
	t.Parallel()
	typed := []string{"", ultraA1Typed, ultraA1Typed, "SanDisk Ultra", "SanDisk Extreme 60MB/s"}
	choices := []string{"sandisk-ultra-16gb-microsd", ultraA1}
	rapid.Check(t, func(rt *rapid.T) {
		s, url := open(t)
		defer s.Close()
		s.NameBy(today())
		if err := s.ImportCatalogue(t.Context(), today().Modules, nil); err != nil {
			rt.Fatal(err)
		}
		from, byOthers := map[string]int{}, 0
		some := func(rt *rapid.T) string {
			if len(from) == 0 {
				rt.Skip("nothing was uploaded yet")
			}
			return rapid.SampledFrom(slices.Sorted(maps.Keys(from))).Draw(rt, "result")
		}
		add := func(of card) {
			server := today()
			if rapid.IntRange(0, 3).Draw(rt, "older server") == 0 {
				server = before()
			}
			from[of.upload(t, s, server)] = of.from
		}
		upload := func(rt *rapid.T) {
			add(card{
				typed: rapid.SampledFrom(typed).Draw(rt, "typed"), from: rapid.IntRange(0, 6).Draw(rt, "contributor"),
				registers: rapid.SampledFrom([]string{sameCards, sameCards, "SL16H", ""}).Draw(rt, "registers"),
			})
		}
		for i := range 4 {
			add(card{typed: ultraA1Typed, registers: sameCards, from: i})
			confirm(t, url, i)
		}
		rt.Repeat(map[string]func(*rapid.T){
			"upload": upload, "upload 2": upload,
			"confirm": func(rt *rapid.T) { confirm(t, url, rapid.IntRange(0, 6).Draw(rt, "contributor")) },
			"age": func(rt *rapid.T) {
				id := some(rt)
				execute(t, url, fmt.Sprintf(`
					update submission set received_at = received_at - interval '1 day'
						where id = '%[1]s' and state <> 'deleted';
					insert into outbox values ('%[1]s', gen_random_uuid(), now())`, id))
			},
			"delete": func(rt *rapid.T) {
				id := some(rt)
				if err := s.DeleteSubmission(t.Context(), contributor(from[id]), id); err != nil {
					rt.Fatal(err)
				}
				delete(from, id)
			},
			"reject": func(rt *rapid.T) {
				state := rapid.SampledFrom([]string{submission.Rejected, submission.Accepted}).Draw(rt, "verdict")
				verdict := submission.Decision{State: state, Reason: "so"}
				if err := s.Moderate(t.Context(), some(rt), verdict, by("carol")); err != nil {
					rt.Fatal(err)
				}
			},
			"choose": func(rt *rapid.T) {
				id := some(rt)
				m, _ := today().Module(rapid.SampledFrom(choices).Draw(rt, "choice"))
				if err := s.ChooseModule(t.Context(), contributor(from[id]), id, m); err != nil {
					rt.Fatal(err)
				}
			},
			"other tables": func(rt *rapid.T) {
				s.NameBy(before())
				fold(t, s)
				s.NameBy(today())
			},
			"fold": func(rt *rapid.T) { fold(t, s) },
		})
		settle(t, s, url)
		stepByStep, agreed := names(t, url), value[string](t, url, agreedOn)
		for id := range stepByStep {
			if strings.HasSuffix(stepByStep[id], " by "+catalogue.NamedByContributors) {
				byOthers++
			}
		}
		rt.Logf("%d of %d results are named by others, agreed on %q", byOthers, len(stepByStep), agreed)
		execute(t, url, "delete from agreement; insert into outbox select id, gen_random_uuid(), now() from submission")
		settle(t, s, url)
		if diff := cmp.Diff(names(t, url), stepByStep); diff != "" {
			rt.Errorf("names (-all at once +step by step):\n%s", diff)
		}
		if anew := value[string](t, url, agreedOn); anew != agreed {
			rt.Errorf("agreed on %q step by step, on %q anew", agreed, anew)
		}
		const differ = `select count(*)::int from
			(select module_slug, sum(results)::int as n from unit group by 1) as units full join
			(select module_slug, count(*)::int as n from submission where state = 'accepted' group by 1) as results
			using (module_slug) where units.n is distinct from results.n`
		if n := value[int](t, url, differ); n > 0 {
			rt.Errorf("the units of %d modules are of other results", n)
		}
	})
}
