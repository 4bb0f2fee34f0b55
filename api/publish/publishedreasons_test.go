package publish

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// Two people published reads by one method, one of them in two sources. One also published reads by another method.
func TestReasonsOfWhatSeveralSourcesPublished(t *testing.T) {
	t.Parallel()
	fresh := freshStart(t)
	const slug = "samsung-evo-plus-32gb-microsd"
	m, _ := fresh.catalogue.Module(slug)
	snapshot := &figure.Overview{Modules: fresh.snapshot.Modules, Calibrations: new(figure.Calibrations)}
	add := func(source, method, test, unit, host, date, quality string, value float64) {
		p := catalogue.Published{
			Source: source, ModuleSlug: slug, Method: method, Test: test, OfUnit: unit, Host: host, Date: date,
			Kind: method + host, Quality: quality, BlockBytes: 4096, IOPS: &value,
		}
		if test == result.SeqRead {
			p.BlockBytes, p.IOPS, p.MBPerS = 1<<20, nil, &value
		}
		snapshot.Published = append(snapshot.Published, p)
	}
	add("geerling_2015_pi2", "fio-qd64", result.RandRead, "Jeff Geerling", "Raspberry Pi 2", "2015", "A", 1000)
	add("pidramble_wiki_pi4", "fio-qd64", result.RandRead, "Jeff Geerling, second", "Raspberry Pi 4", "2019-10", "A",
		3000)
	add("kobol_helios4_sd_2018", "fio-qd64", result.RandRead, "Kobol", "Helios4", "", "A", 4000)
	add("kobol_helios4_sd_2018", "fio-qd64", result.RandRead, "Kobol", "Helios4", "2018", "C", 9000) // weak: in no table
	add("kobol_helios4_sd_2018", "dd", result.RandRead, "Kobol", "Helios4", "2018", "A", 4500)
	add("geerling_2015_pi2", "hdparm", result.SeqRead, "Jeff Geerling", "Raspberry Pi 2", "2015", "A", 18.2)
	add("geerling_2015_pi2", "fio-qd64", result.RandWrite, "Jeff Geerling", "Raspberry Pi 2", "2015", "A", 300)
	s := newSite(t.TempDir(), snapshot, uploads{}, fresh.catalogue, fresh.questions)
	p := s.module(m, new(moduleResults))
	if len(p.WhyPublished) != 2 || p.WhyPublished[0].Figure != "4K random read, 1,000 to 4,500 IOPS" ||
		p.WhyPublished[1].Figure != "linear read, 18.2 MB/s" {
		t.Fatalf("reasons of %+v", p.WhyPublished)
	}
	for i, want := range []map[string]string{{
		"Published":         "4 figures from 3 sources: 1,000 to 4,500 IOPS",
		"fio, 64 in flight": "1,000 to 4,000 IOPS: Jeff Geerling 2015; Jeff Geerling; 1 more",
		"dd, written out":   "4,500 IOPS: Kobol (Aditya Prayoga, Gauthier Provost) 2018",
		"Authors":           "2 authors, 3 units", "Published in": "2015 to 2019-10",
		"Hosts":   "3 hosts named: least in Raspberry Pi 2, greatest in Helios4",
		"Dissent": "authors who used one method differ up to 2 times", // 2,000, the median of two, and 4,000
	}, {
		"Published": "1 figure from 1 source: 18.2 MB/s", "Sources": "Jeff Geerling 2015", "Authors": "1 author, 1 unit",
		"Hosts": "1 host named: Raspberry Pi 2", "Published in": "2015", "Dissent": "no two authors used one method",
	}} {
		if diff := gocmp.Diff(want, saidOf(p.WhyPublished[i].Reasons)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if dots := p.WhyPublished[0].Reasons[0].Dots; strings.Count(dots, "<circle") != 4 {
		t.Errorf("four figures are drawn as %s", dots)
	}
	if said := saidOf(p.Speed.Reasons); said["Published"] != "1 figure from 1 source: 300 IOPS" {
		t.Errorf("the head says %q", said)
	}
}

// The ends of the published range may come from hosts that nobody named.
func TestFurthestHosts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hosts []string // of rows from the least to the greatest
		want  string
	}{
		"none":               {[]string{"", ""}, ""},
		"one":                {[]string{"Pi 4"}, ": Pi 4"},
		"one, between":       {[]string{"", "Pi 4", ""}, ": Pi 4"},
		"two, an end unsaid": {[]string{"Pi 2", "Pi 4", ""}, ""},
		"two":                {[]string{"Pi 2", "", "Pi 4"}, ": least in Pi 2, greatest in Pi 4"},
		"one at both ends":   {[]string{"Pi 2", "Pi 4", "Pi 2"}, ": least and greatest in Pi 2"},
	} {
		var rows []*catalogue.Published
		var values []float64
		hosts := map[string]bool{}
		for i, host := range c.hosts {
			rows, values = append(rows, &catalogue.Published{Host: host}), append(values, float64(i+1))
			if host != "" {
				hosts[host] = true
			}
		}
		if got := furthest(figure.PrintedOf(rows, values), hosts); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
