package result

import "fmt"

// Wear is what a module told of its wear before the run, if the user agreed to give it away. It is so coarse that it
// can't tell one unit from another.
type Wear struct {
	ToldBy     string `json:"told_by"`               // one of WearDialects, or WearNotTold
	LifeTenths int    `json:"life_tenths,omitempty"` // of its rated life: the tenth that is being used up, or 11: it is past all
	PreEOL     string `json:"pre_eol,omitempty"`     // of an eMMC's spare blocks: normal, warning or urgent
}

// WearNotTold is the Wear.ToldBy of a module that was asked and told nothing.
const WearNotTold = "none"

// WearPast is the Wear.LifeTenths of a module past its rated life.
const WearPast = 11

// WearDialects are the ways in which modules tell their wear, as package register/health names them.
var WearDialects = []string{"emmc", "sandisk", "two-step", "adata", "transcend", "swissbit", "micron", "ata-smart",
	"nvme-smart"}

// Words says what the module told.
func (w *Wear) Words() string {
	said := "told, but not how much of its life is used"
	switch {
	case w.ToldBy == WearNotTold:
		return "asked, and not told"
	case w.LifeTenths >= WearPast:
		said = "past its rated life"
	case w.LifeTenths > 0:
		said = fmt.Sprintf("%d to %d %% of its rated life used", 10*(w.LifeTenths-1), 10*w.LifeTenths)
	}
	switch w.PreEOL {
	case "warning":
		said += ", 80 % of its spare blocks used"
	case "urgent":
		said += ", 90 % of its spare blocks used"
	}
	return said + ", by its own word"
}

// check reports what contradicts itself.
func (w *Wear) check(bus string, add report) {
	told := w.ToldBy != WearNotTold
	switch {
	case !told && (w.LifeTenths != 0 || w.PreEOL != ""):
		add("/identity/wear/told_by", "the module told nothing, and yet there is a wear")
	case w.PreEOL != "" && w.ToldBy != "emmc":
		add("/identity/wear/pre_eol", "only eMMC tells it, and the module told by %s", w.ToldBy)
	case (w.ToldBy == "emmc") != (bus == "mmc") && told:
		add("/identity/wear/told_by", "the bus is %s, and the module told by %s", bus, w.ToldBy)
	case w.ToldBy != "" && bus != "mmc" && bus != "sd" && bus != "ata" && bus != "nvme":
		add("/identity/wear", "a module on the bus %s is never asked", bus)
	}
}
