package submission_test

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/data"
)

const evo = "samsung-evo-32gb-microsd"

func TestAContributorIsAskedWhatTheEvidenceLeavesOpen(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	known, ok := c.Module(evo)
	if !ok {
		t.Fatal("the catalogue has another module by now: name one that it has")
	}
	other := ""
	for _, m := range c.Modules {
		if m.Slug != evo && m.Vendor == "Samsung" {
			other = m.Slug
		}
	}
	either := catalogue.Module{Slug: "samsung-32gb", KnownFrom: catalogue.KnownFromAmbiguous,
		Candidates: []string{evo, "no-such", other}}
	misspelt := catalogue.Module{Slug: "samsung-evp-32gb", KnownFrom: catalogue.KnownFromTyped, Offered: evo}
	for _, of := range []struct {
		what             string
		namedBy          string
		stored, resolved catalogue.Module
		choices, may     string // slugs
		offered          string
	}{
		{"an ambiguous result", "typed name", either, either, evo + " " + other, evo + " " + other, ""},
		{"the same, named", "contributor", known, either, "", evo + " " + other, ""},
		{"one that the catalogue knows by now", "typed name", either, known, evo, evo, ""},
		{"a misspelt name", "typed name", misspelt, misspelt, "", evo, evo},
		{"a misspelt name that an operator left", "operator", misspelt, misspelt, "", evo, ""},
		{"a misspelt name that was merged", "merged", known, misspelt, "", evo, ""},
		{"a known module", "registers", known, known, "", "", ""},
	} {
		sub := submission.Submission{ModuleSlug: of.stored.Slug, NamedBy: of.namedBy}
		naming := submission.NamingOf(sub, of.stored, of.resolved, c)
		offered := ""
		if naming.Offered != nil {
			offered = naming.Offered.Slug
		}
		may := slugs(submission.Nameable(of.stored, of.resolved, c))
		if got := slugs(naming.Choices); got != of.choices || offered != of.offered || may != of.may {
			t.Errorf("%s: choices %q, offered %q, may be %q", of.what, got, offered, may)
		}
		if naming.Why == "" {
			t.Errorf("%s: why is it here?", of.what)
		}
	}
}

func slugs(modules []catalogue.Module) string {
	var all []string
	for _, m := range modules {
		all = append(all, m.Slug)
	}
	return strings.Join(all, " ")
}

// A stick may be named by its ids, by its strings, or by a list's entry for its ids.
func TestWhatNamesAStickIsSaid(t *testing.T) {
	t.Parallel()
	for _, evidence := range []string{"ids", "strings", "list"} {
		if says := submission.EvidenceOf(catalogue.NamedByUSB).Sentence; !strings.Contains(says, evidence) {
			t.Errorf("%q doesn't say %s", says, evidence)
		}
	}
}

func TestEvidenceThatNobodyKnowsHasNoWords(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "<b>", "registers "} {
		if got := submission.EvidenceOf(key); got != (submission.NamedBy{}) {
			t.Errorf("%q: %+v", key, got)
		}
	}
	for _, e := range submission.Evidence {
		if e.Words == "" || len(strings.Fields(e.Words)) > 2 || !strings.HasSuffix(e.Sentence, ".") ||
			submission.EvidenceOf(e.Key) != e {
			t.Errorf("%+v", e)
		}
	}
}
