package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAClassOfHostsNamesItsModels(t *testing.T) {
	t.Parallel()
	spoiled := ran("6", "f", "pi-4", "Raspberry Pi 4 Model B Rev 1.4", 50, 7)
	spoiled.Ranked = false
	all := SummariesOf("a-module", shares(
		[]Run{ran("1", "a", "pi-4", "Raspberry Pi 4 Model B Rev 1.2", 50, 100),
			ran("2", "a", "pi-4", "Raspberry Pi 4 Model B Rev 1.4", 50, 300)},
		[]Run{ran("3", "c", "pi-4", "Raspberry Pi 4 Model B", 50, 400), spoiled},
		[]Run{ran("4", "d", "pi-4", "Raspberry Pi 400 Rev 1.0", 50, 900)},
	), false)
	s := in(t, all, "pi-4", "")
	if diff := cmp.Diff([]BoardUnits{{"Raspberry Pi 4 Model B", 2}, {"Raspberry Pi 400", 1}}, s.ByBoard); diff != "" ||
		s.Boards != 2 {
		t.Errorf("of %d models (-want +got):\n%s", s.Boards, diff)
	}
	if whole := in(t, all, "", ""); whole.ByBoard != nil {
		t.Errorf("the whole tells boards apart: %+v", whole.ByBoard)
	}
}
