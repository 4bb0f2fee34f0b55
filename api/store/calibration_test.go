package store_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
)

// tomorrow makes the next Fold check whether another calibration is due.
func tomorrow(t testing.TB, url string) {
	t.Helper()
	execute(t, url, "update publication set calibrated_at = calibrated_at - interval '25 hours'")
}

// measureInTwo uploads results of modules that contributors measured in two classes of hosts, one of them slower.
func measureInTwo(t *testing.T, s *store.Store, url string, modules, contributors int) {
	t.Helper()
	for i := range modules {
		m := catalogue.Module{Slug: fmt.Sprintf("module-%d", i), Product: fmt.Sprintf("Module %d", i), CapacityGB: 32,
			Form: "microsd", KnownFrom: "source"}
		if i == 0 {
			m = evo
		}
		for c := range contributors {
			board, speed := "Raspberry Pi 4 Model B Rev 1.4", int64(10)
			if (c+i)%2 == 1 {
				board, speed = "Raspberry Pi 2 Model B Rev 1.1", 5
			}
			doc, body := runIn(t, "", speed, board, "sd high-speed")
			if _, err := s.AddSubmission(t.Context(), [32]byte{'c', byte(c), byte(i % 3)}, doc, body, m, accepted,
				submission.Origin{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Calibrations stay the same for a day, whatever is uploaded. Then the next one replaces them if it differs. All
// figures follow, to the last bit as if everything were rebuilt.
func TestCalibrationsChangeOnceADay(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	fold := func() int64 {
		t.Helper()
		_, generation, err := s.Fold(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return generation
	}
	fold() // there is nothing to learn from yet
	measureInTwo(t, s, url, 8, 6)
	fold()
	before := snapshot(t, s)
	if before.Calibrations.Version != 0 {
		t.Fatalf("calibration %d on the first day", before.Calibrations.Version)
	}
	tomorrow(t, url)
	generation := fold()
	after := snapshot(t, s)
	c := after.Calibrations.Of("flashdex-1", figure.RandWriteIOPS)
	effect := func(kind string) float64 { return c.Effects[figure.ClassOf(kind, c.Classes)] }
	ratio := effect("pi-4/-/Raspberry Pi 4 Model B") - effect("pi-2/-/Raspberry Pi 2 Model B")
	if after.Calibrations.Version != 1 || math.Abs(ratio-math.Ln2) > 0.15 || c.Modules != 8 {
		t.Errorf("calibration %d, of %d modules: Pi 4 against Pi 2 %.2f, want %.2f", after.Calibrations.Version, c.Modules,
			ratio, math.Ln2)
	}
	f, old := estimate(t, after, evo.Slug, figure.RandWriteIOPS), estimate(t, before, evo.Slug, figure.RandWriteIOPS)
	if f.Value == old.Value {
		t.Errorf("%v stays %v", old.Value, f.Value)
	}
	if now := after.Generation; now != generation {
		t.Errorf("generation %d after a fold that returned %d", now, generation)
	}
	tomorrow(t, url)
	if again := fold(); again != generation || snapshot(t, s).Calibrations.Version != 1 {
		t.Errorf("nothing came, and there is another calibration or generation %d after %d", again, generation)
	}
	execute(t, url, "update calibration set made_at = made_at - interval '32 days'")
	tomorrow(t, url)
	if fold(); snapshot(t, s).Calibrations.Version != 2 {
		t.Error("a calibration is in force for more than a month")
	}
	const all = "select md5(string_agg(summary::text, '' order by module_slug, method, host_class)) from module_summary"
	kept := value[string](t, url, all)
	execute(t, url, "update publication set summary_version = 0, calibrated_at = now()")
	fold()
	if anew := value[string](t, url, all); anew != kept {
		t.Error("summaries that are made anew differ from those that were brought up to date")
	}
	// A clock that was set back must not stop calibrations for good.
	execute(t, url, "update publication set calibrated_at = now() + interval '1 year'")
	fold()
	if at := value[time.Time](t, url, "select calibrated_at from publication"); time.Until(at) > time.Hour {
		t.Errorf("nobody looks for another calibration until %v", at)
	}
}

// Shares follow from the units, whether a module's summaries are updated or rebuilt.
func TestSharesFollowTheirUnits(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	measureInTwo(t, s, url, 1, 12) // more units than it takes for updates
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	shares := func() string {
		return value[string](t, url, `select string_agg(convert_from(s, 'UTF8'), ' ' order by i)
			from module_summary, unnest(shares) with ordinality as x (s, i) where host_class = '' and variant = ''`)
	}
	for i := range 3 {
		add(t, s, [32]byte{'d', byte(i)}, evo, "", int64(3+i))
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	updated := shares()
	execute(t, url, "update publication set summary_version = 0, calibrated_at = now()")
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if anew := shares(); anew != updated {
		t.Errorf("updated: %s\nanew:    %s", updated, anew)
	}
}

// BenchmarkFoldOfALargeModule folds one upload into a small module, and into a module with 400,000 results of as many
// contributors. The latter must take at most 50 ms.
func BenchmarkFoldOfALargeModule(b *testing.B) {
	s, url := open(b)
	store.TallyFrom(2_000)
	execute(b, url, fmt.Sprintf(`
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
			values ('%[1]s', '', 'x', 32, 'microsd', '{}', 'source', false) on conflict do nothing;
		insert into unit (module_slug, contributor, method, tag, host_class, host_kind, best, runs, figures, errors,
				bus_mb_per_s, boards, results, newest, newest_at, variant, evidence, price_amount, price_currency, price_on,
				first_at, network)
			select '%[1]s', sha256(i::text::bytea), 'flashdex-1', '', 'pi-4', 'pi-4/-/Raspberry Pi 4 Model B', true, 1,
				array[800 * exp(x), 2000 * exp(x), 40 * exp(x / 4), 80 * exp(x / 4), 9 * exp(x), 90 * exp(x), 20 * exp(x),
					10, 5, 'NaN', 100],
				array[0.01 + 0.02 * random(), 0.02, 0.01, 0.01, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN'], 50,
				'{Raspberry Pi 4 Model B}', 1, gen_random_uuid()::text, now() - interval '1 day', '', '{}', 0, '', '', 
				now() - make_interval(days => i %% 1000), ('key ' || i)::bytea
			from generate_series(1, 400000) i, lateral (select 0.3 * (random() + random() + random() + random() - 2)
				+ 0 * i as x) spread;
		update publication set unit_version = %[2]d, summary_version = 0, facts_version = %[3]d, fitted = folded,
			calibrated_at = now()`,
		evo.Slug, figure.UnitVersion, figure.FactsVersion))
	if _, _, err := s.Fold(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("shares: %d bytes, tally: %d", value[int](b, url, "select max(pg_column_size(shares)) from module_summary"),
		value[int](b, url, "select max(pg_column_size(tally_json)) from module_summary"))
	for _, m := range []catalogue.Module{evo, ultra} {
		var took []float64
		for i := range 21 {
			add(b, s, [32]byte{'f', byte(i)}, m, "", int64(5+i%3))
			start := time.Now()
			if taken, _, err := s.Fold(b.Context()); err != nil || taken != 1 {
				b.Fatal(taken, err)
			}
			took = append(took, time.Since(start).Seconds()*1e3)
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], map[bool]string{true: "ms-large", false: "ms-small"}[m.Slug == evo.Slug])
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRecalibration makes all calibrations and the figures of all modules again, for 10,000 modules and a million
// units of 250,000 contributors. From stored shares that must take at most 60 s.
func BenchmarkRecalibration(b *testing.B) {
	s, url := open(b)
	store.TallyFrom(2_000)
	execute(b, url, fmt.Sprintf(`
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
			select 'm-' || i, '', 'Product ' || i, 32, 'microsd', '{}', 'source', false from generate_series(1, 10000) i;
		select setseed(0.5);
		insert into unit (module_slug, contributor, method, tag, host_class, host_kind, best, runs, figures, errors,
				bus_mb_per_s, boards, results, newest, newest_at, variant, evidence, price_amount, price_currency, price_on)
			select 'm-' || m, sha256((i / 4)::text::bytea), 'flashdex-1', i::text, class, class || '/-/Board ' || class, true,
				1, array[800 * exp(x), 2000 * exp(x), 40 * exp(x / 4), 80 * exp(x / 4), 9 * exp(-x), 90 * exp(-x),
					20 * exp(-x), 10, 5, 'NaN', 100],
				array[0.01 + 0.02 * random(), 0.02, 0.01, 0.01, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN', 'NaN'], 50,
				'{}', 1, gen_random_uuid()::text, now() - interval '1 day', '', '{}', 0, '', ''
			from generate_series(1, 1000000) i, lateral (select floor(exp(ln(10001) * random()) + 0 * i)::int as m,
				(array['pi-5', 'pi-4', 'pi-3', 'slot', 'usb-3', 'usb-2'])[1 + (i / 4) %% 6] as class,
				0.3 * (random() + random() + random() + random() - 2) as card) drawn,
			lateral (select 0.1 * (m %% 17 - 8) + 0.1 * ((i / 4) %% 6) + card as x) rates;
		analyze;
		update publication set unit_version = %d, summary_version = 0, facts_version = %d, fitted = folded,
			calibrated_at = now()`,
		figure.UnitVersion, figure.FactsVersion))
	fold := func(what string) {
		start := time.Now()
		if _, _, err := s.Fold(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s-"+what)
	}
	fold("summaries") // from all units
	tomorrow(b, url)
	fold("recalibration") // from their shares
	if version := value[int](b, url, "select calibration from publication"); version != 1 {
		b.Errorf("calibration %d is in force", version)
	}
	b.ReportMetric(0, "ns/op")
}
