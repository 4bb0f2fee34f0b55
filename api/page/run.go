package page

import (
	"fmt"
	"strconv"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/sign"
)

// Run is one result with everything that its page shows.
type Run struct {
	Result   submission.Submission
	Module   catalogue.Module
	Document *result.Document

	Verdicts  []speedclass.Verdict // on the classes printed on the module, under the conditions of this run
	Signs     []sign.Sign          // that this unit showed
	Looked    bool                 // something could have shown a sign
	HostClass string               // in words
	By        string               // the contributor: since when, and how much; empty: not known
	Variant   string               // in words; empty: not known
	Ageing    *ageing.Line         // of the unit, over years and per TB written; nil: its runs tell too little

	Strips  []chart.Chart       // the module's units, and this run among them
	Samples []chart.Chart       // of this run and others
	Others  []figure.SampledRun // the others in Samples
	Profile *Profile            // by a method that is never ranked; nil: the result is by another method
	Delete  string              // the command that deletes the result
	Naming  submission.Naming   // why it belongs to its module
	Name    string              // the command that names its module, without the module
}

// Profile shows runs by a method that is never ranked.
type Profile struct {
	Method      string        `json:"method,omitempty"` // id
	Label       string        `json:"label"`
	Description string        `json:"description"`
	Runs        []ProfiledRun `json:"runs,omitempty"` // the runs of a comparison
	chart.Profile
}

// ProfiledRun links to one of the runs of a comparison.
type ProfiledRun struct {
	Letter     string `json:"letter,omitempty"`
	Module     string `json:"module,omitempty"`
	Path       string `json:"path"`
	ReceivedOn string `json:"received_on"`
	Host       string `json:"host"`
	How        string `json:"how,omitempty"` // the configuration of a started program, or where others were measured, too
}

// StateWords are the states of a result in words.
var StateWords = map[string]string{
	submission.Accepted:    "accepted",
	submission.Quarantined: "held back until somebody has looked at it",
	submission.Rejected:    "rejected",
}

// NotListed says when a module will have a page; empty: it has one.
func NotListed(m catalogue.Module) string {
	switch {
	case !m.Unlisted:
		return ""
	case m.KnownFrom == catalogue.KnownFromAmbiguous:
		return "It counts in no figures until its contributor or an operator of this site says which module it is of."
	}
	return "The module is listed, and gets a page of its own, as soon as a second, independent contributor has measured " +
		"it or an operator of this site has confirmed it."
}

// NotListed says when the module will have a page; empty: it has one.
func (r Run) NotListed() string { return NotListed(r.Module) }

// Ambiguous reports whether the result may be of several modules.
func (r Run) Ambiguous() bool { return r.Module.KnownFrom == catalogue.KnownFromAmbiguous }

// State is the result's state in words.
func (r Run) State() string { return StateWords[r.Result.State] }

// Accepted reports whether the result is accepted.
func (r Run) Accepted() bool { return r.Result.State == submission.Accepted }

// Evidence sums up the signs in a sentence.
func (r Run) Evidence() string { return sign.Sentence(r.Signs, r.Looked) }

// Found is what a check of the capacity found, in a sentence; empty: the run is another.
func (r Run) Found() string {
	if r.Document.Method != result.MethodVerify1 {
		return ""
	}
	how := "filled the free space of its file system and read it back"
	if r.Document.Identity.Verified != nil {
		how = "wrote to places all over the device and read them back"
	}
	return "flashdex verify " + how + ": " + r.Document.Found() + "."
}

// Token is the state of the run token in words; empty for an imported result and a check, which never have one.
func (r Run) Token() string {
	switch {
	case r.Document.Imported != nil || r.Document.Method == result.MethodVerify1:
		return ""
	case r.Result.Token == submission.TokenValid:
		return "valid: this site gave it out before the run"
	case r.Result.Token == "":
		return "none: measured without the site, or by an older client"
	}
	return "not valid"
}

// RandWrite is the rate of 4K random writes. It is empty for a method that is never ranked, because its rate isn't the
// one that modules are compared by.
func (r Run) RandWrite() string {
	if iops := r.randWriteIOPS(); iops > 0 {
		return result.Number(iops)
	}
	return ""
}

func (r Run) randWriteIOPS() float64 {
	if r.Profile != nil {
		return 0
	}
	return figure.OfRun(r.Result.Tests).At(figure.RandWriteIOPS).Value
}

// RunPage shows one result. Its picture is the module's.
func RunPage(r Run) (Page, error) {
	p, err := render("run.html", resultFrame, r.Module.Name(), r)
	in := ", received on " + r.Result.ReceivedAt.UTC().Format(time.DateOnly)
	if r.Result.Host != "" {
		in += ", measured in " + r.Result.Host
	}
	p.Description = "What one run by the method " + r.Result.Method + " found of a flash module" + in + "."
	if writes := r.RandWrite(); writes != "" {
		p.Title = ModuleTitle(r.Module, writes+" IOPS", r.randWriteIOPS())
		p.Description = "One run: " + writes + " random writes of 4 KiB a second. Method: " + r.Result.Method + in + "."
	}
	if r.NotListed() == "" {
		p.Picture = "/modules/" + r.Module.Slug + "/share.png"
	}
	return p, err
}

var (
	testNames = map[string]string{
		result.SeqWrite: "Linear write", result.SeqRead: "Linear read",
		result.RandWrite: "Random write", result.RandRead: "Random read",
		result.SeqRewrite: "Linear rewrite", result.SeqReread: "Linear reread", result.Startup: "Start of a program",
		result.BufferedWrite: "Write through the page cache", result.BufferedRead: "Read through the page cache",
		result.Record4MBPerS: "Recording at 4 MB/s", result.Record10MBPerS: "Recording at 10 MB/s",
		result.Record30MBPerS: "Recording at 30 MB/s", result.StreamWrite: "Write of a stream",
		result.TurnWrite: "Write to places in turn", result.GapWrite: "Write on both sides of a gap",
		result.KeptWrite:   "Write beside places that are open",
		result.AcrossWrite: "Write across boundaries", result.PlaceWrite: "Write to the beginning and the middle",
		result.SameRead: "Read of one block", result.QueuedRead: "Queued random read",
		result.QueuedWrite: "Queued random write", result.CheckedRead: "Read beside discarded blocks",
		result.FillWrite: "Write of all of it", result.RoundWrite: "Random write in rounds",
		result.FullWrite: "Random write when it is full",
		result.Mixed:     "Mixed random read and write", result.RestedWrite: "Random write after a rest",
		result.EndureWrite: "Write of all of it, again and again", result.EndureRead: "Read of all of it, compared",
	}
	endings = map[result.Ended]string{
		result.Complete: "after the whole test area", result.TimeLimit: "at its time limit",
		result.Converged: "when it was steady",
		result.Dead:      "with its death", result.Gone: "when no host found it any more",
		result.Stopped: "when its owner stopped",
	}
	// completions are the ends of tests that are complete before or after they did every block of their area.
	completions = map[string]string{
		result.Startup: "after the last start", result.BufferedWrite: "after all files", result.BufferedRead: "after all files",
		result.Record4MBPerS: "after the whole recording", result.Record10MBPerS: "after the whole recording",
		result.Record30MBPerS: "after the whole recording", result.StreamWrite: "after the whole stream",
		result.TurnWrite: "when nothing more could be told", result.GapWrite: "when nothing more could be told",
		result.KeptWrite: "when nothing more could be told", result.AcrossWrite: "after all boundaries",
		result.PlaceWrite: "after both places",
		result.SameRead:   "after its last interval", result.QueuedRead: "after all depths",
		result.QueuedWrite: "after all depths", result.CheckedRead: "after all that was not discarded",
		result.RestedWrite: "after all rests",
	}
)

// endingOf says when a test ended. What is steady is so over its time alone.
func endingOf(f *result.Figures) string {
	switch {
	case f.Ended == result.Converged && f.DurationNS != nil:
		return "steady over " + result.Number(float64(*f.DurationNS)/1e9) + " s"
	case f.Ended == result.Complete && completions[f.Test] != "":
		return completions[f.Test]
	}
	return endings[f.Ended]
}

// shownUnits are the units in the heads of columns, by the unit of a column. Labels or cells show other units.
var shownUnits = map[string]string{"B": "KiB", "KiB": "KiB", "ns": "ms", "%": "%"}

// testColumn is a result.TestColumn that a page shows.
type testColumn struct {
	result.TestColumn
	Head  string // the unit in its head
	Class string // of its cells
}

// testColumns are the result.TestColumns that have a label.
var testColumns = func() (shown []testColumn) {
	for _, c := range result.TestColumns {
		class := "number"
		switch {
		case c.Label == "":
			continue
		case c.Key == "cliff_mb":
			class = "date"
		case len(c.Words) > 0:
			class = "medium"
		}
		shown = append(shown, testColumn{c, shownUnits[c.Unit], class})
	}
	return shown
}()

// Columns are the columns of the table of tests.
func (r Run) Columns() []testColumn { return testColumns }

type testRow struct {
	Name  string
	Cells []Cell
	Test  *result.Test // nil: the document lacks it
}

// Ages says how the unit changes over the years, judged by its runs that count; empty: they tell too little.
func (r Run) Ages() string { return agesWords(r.Ageing, "year") }

// AgesPerTB says the same per TB written.
func (r Run) AgesPerTB() string {
	if r.Ageing == nil {
		return ""
	}
	return agesWords(r.Ageing.PerTB, "TB")
}

func agesWords(line *ageing.Line, per string) string {
	if line == nil {
		return ""
	}
	return fmt.Sprintf("%s; by %s from %s to %s", line.Change().Words(per), Counted(line.Runs, "run"),
		line.First.UTC().Format(time.DateOnly), line.Last.UTC().Format(time.DateOnly))
}

// Tests returns the rows of the table of tests.
func (r Run) Tests() (rows []testRow) {
	for _, f := range r.Result.Tests {
		row := testRow{Name: testNames[f.Test]}
		for _, c := range testColumns[1:] { // the first has the name
			cell := testCellOf(c.TestColumn, &f)
			cell.Class = c.Class
			row.Cells = append(row.Cells, cell)
		}
		row.Test = r.Document.TestOf(f.Test, f.BlockBytes)
		if row.Test != nil && row.Test.Data != "" {
			row.Name += ", " + row.Test.Data
		}
		rows = append(rows, row)
	}
	return rows
}

func testCellOf(c result.TestColumn, f *result.Figures) (cell Cell) {
	switch c.Key {
	case "ended":
		return Cell{Value: endingOf(f)}
	case "block_bytes":
		return Cell{Value: result.Exact(float64(f.BlockBytes) / 1024)}
	case "iops":
		if f.IOPSLow != nil {
			cell.Interval = Interval(*f.IOPSLow, *f.IOPSHigh)
		}
	case "mb_per_s":
		if f.MBPerSLow != nil {
			cell.Interval = Interval(*f.MBPerSLow, *f.MBPerSHigh)
		}
	case "max_ns":
		if f.MaxNS != nil && f.Ops != nil && f.DurationNS != nil {
			cell.Interval = fmt.Sprintf("of %s in %s s", result.Count(int(*f.Ops)), result.Number(float64(*f.DurationNS)/1e9))
		}
	case "stalls_100ms":
		return stallsCell(f, f.Stalls100MS)
	case "stalls_1s":
		return stallsCell(f, f.Stalls1S)
	case "longest_1000_ns":
		switch low, high := f.Longest1000LowNS, f.Longest1000HighNS; {
		case low != nil && high != nil:
			cell.Interval = Interval(float64(*low)/1e6, float64(*high)/1e6)
		case low != nil:
			cell.Interval = "from " + result.Number(float64(*low)/1e6) + " on"
		}
	case "cliff_mb":
		switch {
		case f.CliffMB != nil && f.CliffPercent != nil:
			cell.Value = fmt.Sprintf("after %s MB, to %s %%", result.Number(*f.CliffMB), result.Number(*f.CliffPercent))
		case f.CliffMB != nil:
			cell.Value = fmt.Sprintf("after %s MB", result.Number(*f.CliffMB))
		case f.CliffPercent != nil:
			cell.Value = "none"
		}
		return cell
	}
	switch v := c.Value(f).(type) {
	case string:
		cell.Value = v
	case int:
		cell.Value = strconv.Itoa(v)
	case int64:
		cell.Value = result.Number(float64(v) / 1e6) // ns as ms
	case float64:
		cell.Value = result.Number(v)
	}
	return cell
}

// stallsCell shows how many operations took too long, and below it how many that is per 1,000 operations and per
// minute.
func stallsCell(f *result.Figures, stalls result.Stalls) (cell Cell) {
	if stalls.Count == nil || f.Ops == nil || f.DurationNS == nil {
		return cell
	}
	cell.Value = result.Count(int(*stalls.Count))
	if per1000, low, high := stalls.Times(1000 / float64(*f.Ops)); per1000 != nil {
		perMinute, _, _ := stalls.Times(60e9 / float64(*f.DurationNS))
		cell.Interval = fmt.Sprintf("%s (%s) per 1,000, %s per minute", result.Number(*per1000), Interval(*low, *high),
			result.Number(*perMinute))
	}
	return cell
}
