package page

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
)

// A title has the figure, and as much of the name and the comparison as search engines show.
func TestAModulesTitleHasItsFigure(t *testing.T) {
	t.Parallel()
	evo := catalogue.Module{Vendor: "Samsung", Product: "EVO Plus", CapacityGB: 32, Form: "microsd"}
	long, longer := evo, evo
	long.Product = strings.Repeat("EVO ", 5) + "Plus"
	longer.Product = strings.Repeat("EVO ", 9) + "Plus"
	for _, of := range []struct {
		m      catalogue.Module
		figure string
		iops   float64
		want   string
	}{
		{evo, "768 IOPS", 768, "Samsung EVO Plus 32 GB: 768 IOPS, 8.5 times a laptop disk"},
		{evo, "9 IOPS", 9, "Samsung EVO Plus 32 GB: 9 IOPS, 0.1 times a laptop disk"},
		{evo, "161 to 986 IOPS", 0, "Samsung EVO Plus 32 GB microSD: 161 to 986 IOPS"},
		{evo, "", 0, "Samsung EVO Plus 32 GB microSD"},
		{catalogue.Module{Vendor: "A", Product: "B", CapacityGB: 4, Form: "sd"}, "90 IOPS", 90,
			"A B 4 GB SD: 90 IOPS, 1 times a laptop disk"},
		{long, "768 IOPS", 768, long.Name() + ": 768 IOPS"},
		{longer, "768 IOPS", 768, longer.Name()},
	} {
		if got := ModuleTitle(of.m, of.figure, of.iops); got != of.want {
			t.Errorf("got  %s\nwant %s", got, of.want)
		}
	}
}
