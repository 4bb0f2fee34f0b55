package store_test

import "testing"

// When all results of a module have moved to one other module, its old address leads there, until a result belongs to
// it again.
func TestAnOldAddressLeadsToWhereAllResultsMoved(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(before())
	for i := range 5 { // more than a batch
		card{typed: ultraA1Typed, from: i}.upload(t, s, before())
		confirm(t, url, i)
	}
	settle(t, s, url)
	old := value[string](t, url, "select module_slug from submission limit 1")
	if !listed(t, s, old) {
		t.Fatal("the old module has no page, so nothing leads to it")
	}
	leadsTo := func(when, want string) {
		t.Helper()
		settle(t, s, url)
		if got := value[string](t, url, "select coalesce((select into_slug from module_alias where from_slug = $1), '')",
			old); got != want {
			t.Errorf("%s, the old address leads to %q, want %q", when, got, want)
		}
		const same = `select count(*)::int from (select module_slug, sum(results) as n from unit group by 1) as units
			full join (select module_slug, count(*) as n from submission group by 1) as results using (module_slug)
			where units.n is distinct from results.n`
		if n := value[int](t, url, same); n > 0 {
			t.Errorf("%s, the units of %d modules are of other results", when, n)
		}
	}
	s.NameBy(today())
	fold(t, s)
	if n := value[int](t, url, "select count(*)::int from module_alias"); n > 0 {
		t.Error("it leads on before all have moved")
	}
	leadsTo("after the tables changed", ultraA1)
	s.NameBy(before())
	card{typed: ultraA1Typed, from: 6}.upload(t, s, before())
	leadsTo("when one is of it again", "")
	s.NameBy(today())
	leadsTo("after another change", ultraA1)

	// If results went to several modules, the old address leads to none of them.
	s.NameBy(before())
	leadsTo("once more", "")
	execute(t, url, "update module set moved_to = 'something' where moved_to = '' and slug = '"+old+"'")
	s.NameBy(today())
	leadsTo("when some had moved elsewhere", "")
}
