package copies_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"flashdex/api/submission/copies"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"
)

func fixture(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := os.ReadFile("../../../result/testdata/valid/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

// coarse returns a run by a clock of 10 ms. Each test contains less chance than it takes to recognize a copy, but all
// tests together contain more.
func coarse(t *testing.T) *result.Document {
	t.Helper()
	doc, r := fixture(t, "sd-card"), rand.New(rand.NewPCG(1, 1))
	doc.Tests = []result.Test{doc.Tests[0], doc.Tests[0], doc.Tests[0], doc.Tests[0]}
	for i := range doc.Tests {
		test := &doc.Tests[i]
		test.Intervals, test.DurationNS = slices.Clone(test.Intervals), 0
		for k := range test.Intervals {
			test.Intervals[k].NS = 10_000_000 * (160 + r.Int64N(16))
			test.DurationNS += test.Intervals[k].NS
		}
	}
	return doc
}

// TestAWholeDocumentIsACopy changes parts of a document that don't make it another measurement, and parts that do.
func TestAWholeDocumentIsACopy(t *testing.T) {
	t.Parallel()
	second := func(d *result.Document, _ *rand.Rand) { d.StartedAt = "2026-11-21T09:30:01Z" }
	card := func(d *result.Document, _ *rand.Rand) {
		for _, device := range d.Devices() {
			device.SizeBytes++
		}
	}
	samples := func(d *result.Document, _ *rand.Rand) { d.Tests[0].Intervals[0].NS++ }
	type changes map[string]func(*result.Document, *rand.Rand)
	same := changes{
		"nothing": func(*result.Document, *rand.Rand) {},
		"what the contributor and the client say": func(d *result.Document, _ *rand.Rand) {
			d.Client.Version, d.Token, d.UnitTag = "0.2.0", "token", "ffeeddccbbaa99887766554433221100"
			d.Module = result.Module{Product: "Other"}
			d.Spoilers, d.Identity.Verified = []string{"throttled"}, &result.Verified{On: "2026-11-22"}
		},
		"the order of the tests": func(d *result.Document, _ *rand.Rand) { slices.Reverse(d.Tests) },
	}
	for name, c := range map[string]struct {
		doc         *result.Document
		same, other changes
	}{
		"a card":            {fixture(t, "sd-card"), same, changes{"second": second, "card": card, "samples": samples}},
		"a stack":           {fixture(t, "stack-raid0"), same, changes{"second": second, "card": card, "samples": samples}},
		"by a coarse clock": {coarse(t), same, changes{"samples": samples}},
		"enough together":   {coarse(t), changes{"second": second, "card": card}, nil},
		"many short tests":  {fixture(t, "files-1"), changes{"second": second, "card": card}, changes{"samples": samples}},
	} {
		first := copies.Exact(c.doc)
		if len(first) == 0 {
			t.Errorf("%s: no hash", name)
		}
		for change, do := range c.same {
			if got := copies.Exact(copiestest.Copy(c.doc, do, nil)); !reflect.DeepEqual(got, first) {
				t.Errorf("%s, changed %s: other hashes", name, change)
			}
		}
		for change, do := range c.other {
			if got := copies.Exact(copiestest.Copy(c.doc, do, nil)); reflect.DeepEqual(got, first) {
				t.Errorf("%s, changed %s: the same hashes", name, change)
			}
		}
	}
}

func TestAnOutputMayBeImportedTwice(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"imported-dd", "imported-fio", "imported-h2testw"} {
		if hashes := copies.Exact(fixture(t, name)); len(hashes) > 0 {
			t.Errorf("%s has %d hashes", name, len(hashes))
		}
	}
}

// Two people with like cards find the same, and may even begin in one second.
func TestAFindingWithoutSamplesIsNoCopy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"verify-1", "verify-2"} {
		doc := fixture(t, name)
		keys, probes := copies.SamplesOf(doc).Keys()
		if hashes := copies.Exact(doc); len(hashes)+len(keys)+len(probes) > 0 {
			t.Errorf("%s has %d hashes and %d keys", name, len(hashes), len(keys))
		}
	}
}

func TestLongSamplesNeedNoHashOfTheDocument(t *testing.T) {
	t.Parallel()
	doc := fixture(t, "reference")
	if hashes := copies.Exact(doc); len(hashes) == 0 || len(hashes) > len(doc.Tests) {
		t.Errorf("%d hashes of %d tests", len(hashes), len(doc.Tests))
	}
}
