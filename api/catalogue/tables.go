package catalogue

import (
	"io/fs"
	"strings"

	"flashdex/result"
)

// CapacityCheck is a module's capacity as somebody found it by writing and reading all of it.
type CapacityCheck struct {
	ModuleSlug string
	PrintedGB  float64
	Real       string // as printed by the source
	Verdict    string
	Date       string
	Source     string // key of a Source
	How        string // with which programs
	Note       string
}

// Verdicts of a CapacityCheck.
const (
	CapacityFake   = "fake"
	CapacityFull   = "full capacity"
	CapacitySlower = "full capacity, slower than rated"
)

// PublishedPrice is a published price that somebody paid for one module. If a source doesn't state the price, it is how
// many times as much a GB cost as elsewhere.
type PublishedPrice struct {
	ModuleSlug     string
	Amount         string // as printed; empty: not told
	Price          float64
	Currency, Date string
	Source         string // key of a Source
	Shop           string
	TimesPerGB     float64 // 0: not told
	ComparedWith   string  // in words: "SLC SD cards"
}

// Endurance is how often cards of one group had been written over when they failed, as of a day.
type Endurance struct {
	AsOf, Threshold, Group string
	N                      int
	Mean, Median, Min, Max int    // cycles
	Source                 string // key of a Source
}

// Endured is how many times one card was written over until its first error, and until it was dead.
type Endured struct {
	ModuleSlug, Unit   string
	FirstError, Failed int    // cycles; -1: not told, or not yet
	Watched            int    // cycles that a living card had lasted when the page was read; -1: it is dead, or not told
	Source, Address    string // key of a Source, and the page that tells
}

// CardRegisters holds the registers of a card whose label is known.
type CardRegisters struct {
	ModuleSlug, Label string
	Card              result.Register
	CapacityBytes     int64
}

// HealthAnswer is what somebody saw when a card was asked for its health by CMD56.
type HealthAnswer struct {
	Module                  string // as the report names it
	CapacityGB              float64
	Form                    string
	Manufacturer, OEM, Name string // of its registers, as the kernel prints them; "" where the report doesn't tell
	Answers                 string // HealthTold, HealthSilent or HealthHarmful
	Dialect                 string // of result/register/health; "" unless the card told its health
	Date                    string
	Source, Address         string // key of a Source, and the report
	Note                    string
}

// What became of a card that was asked for its health.
const (
	HealthTold    = "yes"
	HealthSilent  = "no"
	HealthHarmful = "harmful" // the card vanished from its computer
)

// Correction is a change of published rows: what they said at first, what they say now, and why.
type Correction struct {
	Sources                        []string // keys of Sources
	What, Rows, From, To, Evidence string
}

func (c *Catalogue) loadTables(fsys fs.FS) error {
	if err := eachRow(fsys, "capacity_checks.csv", func(r *row) error {
		c.CapacityChecks = append(c.CapacityChecks, CapacityCheck{
			ModuleSlug: r.get("module"), PrintedGB: r.number("printed_capacity_gb"), Real: r.get("real_capacity"),
			Verdict: r.get("verdict"), Date: r.get("date"), Source: r.get("source"), How: r.get("how"), Note: r.get("note"),
		})
		return nil
	}); err != nil {
		return err
	}
	if err := eachRow(fsys, "prices.csv", func(r *row) error {
		c.PublishedPrices = append(c.PublishedPrices, PublishedPrice{
			ModuleSlug: r.get("module"), Amount: r.get("price"), Price: r.number("price"), Currency: r.get("currency"),
			Date: r.get("date"), Source: r.get("source"), Shop: r.get("shop"), TimesPerGB: r.number("times_per_gb"),
			ComparedWith: r.get("compared_with"),
		})
		return nil
	}); err != nil {
		return err
	}
	if err := eachRow(fsys, "endurance_cards.csv", func(r *row) error {
		cycles := func(column string) int {
			if r.get(column) == "" {
				return -1
			}
			return int(r.number(column))
		}
		c.Endured = append(c.Endured, Endured{
			ModuleSlug: r.get("module"), Unit: r.get("unit"), FirstError: cycles("first_error_cycles"),
			Failed: cycles("failure_cycles"), Watched: cycles("watched_cycles"), Source: r.get("source"),
			Address: r.get("address"),
		})
		return nil
	}); err != nil {
		return err
	}
	if err := eachRow(fsys, "endurance_survey.csv", func(r *row) error {
		cycles := func(column string) int { return int(r.number(column + "_cycles")) }
		c.Endurance = append(c.Endurance, Endurance{
			AsOf: r.get("as_of"), Threshold: r.get("threshold"), Group: r.get("group"), N: int(r.number("n")),
			Mean: cycles("mean"), Median: cycles("median"), Min: cycles("min"), Max: cycles("max"), Source: r.get("source"),
		})
		return nil
	}); err != nil {
		return err
	}
	if err := eachRow(fsys, "card_registers.csv", func(r *row) error {
		year, month, _ := strings.Cut(r.get("mdt"), "-")
		c.CardRegisters = append(c.CardRegisters, CardRegisters{
			ModuleSlug: r.get("module"), Label: r.get("label"), CapacityBytes: int64(r.number("capacity_bytes_from_csd")),
			Card: result.Register{
				Manfid: r.get("manfid"), OEMID: r.get("oemid"), Name: r.get("pnm"), HWRev: r.get("prv"), Date: month + "/" + year,
			},
		})
		return nil
	}); err != nil {
		return err
	}
	if err := eachRow(fsys, "health.csv", func(r *row) error {
		c.HealthAnswers = append(c.HealthAnswers, HealthAnswer{
			Module: r.get("module"), CapacityGB: r.number("capacity_gb"), Form: r.get("form_factor"),
			Manufacturer: r.get("manufacturer"), OEM: r.get("oem"), Name: r.get("name"), Answers: r.get("answers"),
			Dialect: r.get("dialect"), Date: r.get("date"), Source: r.get("source"), Address: r.get("address"),
			Note: r.get("note"),
		})
		return nil
	}); err != nil {
		return err
	}
	return eachRow(fsys, "corrections.csv", func(r *row) error {
		c.Corrections = append(c.Corrections, Correction{
			Sources: strings.Fields(r.get("source_key")), What: r.get("what"), Rows: r.get("rows"), From: r.get("from"),
			To: r.get("to"), Evidence: r.get("evidence"),
		})
		return nil
	})
}
