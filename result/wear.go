package result

import "fmt"

// Wear is what was known of a module's wear before the run, if the user agreed to give it away. Many units share a
// tenth. WrittenGB may tell two units of a module apart, and what a unit was written between two runs.
type Wear struct {
	ToldBy     string `json:"told_by,omitempty"`     // one of WearDialects, or WearNotTold; empty: nobody asked the module
	LifeTenths int    `json:"life_tenths,omitempty"` // the tenth of its rated life in use, or 11: past all
	PreEOL     string `json:"pre_eol,omitempty"`     // of an eMMC's spare blocks: normal, warning or urgent
	WrittenGB  int64  `json:"written_gb,omitempty"`  // 10^9 bytes that were ever written, by WrittenGB(); 0: not known
	// WrittenBy is who counted WrittenGB: WrittenByModule, or the run's file system, ext4 or f2fs, since it was made.
	WrittenBy string `json:"written_by,omitempty"`
}

// WrittenByModule is the Wear.WrittenBy of a module that counts the bytes that hosts write to it.
const WrittenByModule = "module"

// mostWrittenGB is the largest count that we believe: a module of 4 TB, the largest, written 2,500 times over.
const mostWrittenGB = 10_000_000

// WrittenGB returns bytes in GB for Wear.WrittenGB: to two digits, and at least 1. It returns 0 for a count that can't
// be.
func WrittenGB(bytes int64) int64 {
	if bytes <= 0 || bytes > mostWrittenGB*1e9 {
		return 0
	}
	step := StepGB(bytes/1e9) * 1e9
	return max((bytes+step/2)/step*step/1e9, 1)
}

// StepGB returns how far apart two neighbours of this rounded figure are: 1 GB below 100 GB, 10 GB below 1,000 GB.
func StepGB(gb int64) int64 {
	step := int64(1)
	for gb/step >= 100 {
		step *= 10
	}
	return step
}

// WearNotTold is the Wear.ToldBy of a module that was asked and told nothing.
const WearNotTold = "none"

// WearPast is the Wear.LifeTenths of a module past its rated life.
const WearPast = 11

// WearDialects are the ways in which modules tell their wear, as package register/health names them.
var WearDialects = []string{"emmc", "sandisk", "two-step", "adata", "transcend", "swissbit", "micron", "ata-smart",
	"nvme-smart"}

// Words describes the wear as far as it is known.
func (w *Wear) Words() string {
	told, written := w.toldWords(), ""
	if w.WrittenGB > 0 {
		written = fmt.Sprintf("about %s GB written, by its own count", Number(float64(w.WrittenGB)))
		if w.WrittenBy != WrittenByModule {
			written = fmt.Sprintf("about %s GB written since %s was made on it", Number(float64(w.WrittenGB)), w.WrittenBy)
		}
	}
	if told != "" && written != "" {
		told += "; "
	}
	return told + written
}

// toldWords says what the module told. It returns "" if nobody asked it.
func (w *Wear) toldWords() string {
	said := "told, but not how much of its life is used"
	switch {
	case w.ToldBy == "":
		return ""
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

// check reports what contradicts itself, or the rest of the document.
func (w *Wear) check(d *Document, add report) {
	bus, told := d.Identity.Bus, w.ToldBy != "" && w.ToldBy != WearNotTold
	switch {
	case w.ToldBy == "" && w.WrittenGB == 0:
		add("/identity/wear", "nobody asked the module, and nobody counted what was written to it")
	case !told && (w.LifeTenths != 0 || w.PreEOL != ""):
		add("/identity/wear/told_by", "the module told nothing, and yet there is a wear")
	case w.PreEOL != "" && w.ToldBy != "emmc":
		add("/identity/wear/pre_eol", "only eMMC tells it, and the module told by %s", w.ToldBy)
	case (w.ToldBy == "emmc") != (bus == "mmc") && told:
		add("/identity/wear/told_by", "the bus is %s, and the module told by %s", bus, w.ToldBy)
	case w.ToldBy != "" && bus != "mmc" && bus != "sd" && bus != "ata" && bus != "nvme":
		add("/identity/wear", "a module on the bus %s is never asked", bus)
	}
	fault := ""
	switch {
	case (w.WrittenGB == 0) != (w.WrittenBy == ""):
		fault = "how much was written and who counted it go together"
	case w.WrittenGB%StepGB(w.WrittenGB) != 0:
		fault = "it isn't rounded to two digits"
	case w.WrittenBy == "":
	case w.WrittenBy == WrittenByModule && w.ToldBy != "nvme-smart":
		fault = "of the modules, only those that tell by nvme-smart count it"
	case w.WrittenBy == WrittenByModule: // the others are file systems
	case w.WrittenBy != d.Target.Filesystem || d.Target.Kind != "directory" || d.Stack != nil:
		fault = "the file system that counts it isn't that of a directory on one module, where the run was"
	}
	if fault != "" {
		add("/identity/wear/written_gb", "%s", fault)
	}
}
