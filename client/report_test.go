package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"flashdex/client/spool"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

const exampleFile = "../result/testdata/valid/sd-card.json"

func exampleResult(t *testing.T) *result.Document {
	t.Helper()
	doc, _, err := spool.Read(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestReportSaysWhetherItIsClean(t *testing.T) {
	t.Parallel()
	const clean = "\n\nVerdict: clean, nothing was seen that spoils the figures.\n"
	const spoiled = "\n\nVerdict: not clean, and so shown but not ranked:\n  - the computer's supply voltage was too low\n"
	for _, c := range []struct {
		profile  string
		spoilers []string
		ends     string
	}{
		{result.ProfileStandard, nil, clean},
		{result.ProfileStandard, []string{result.Undervoltage}, spoiled},
		{result.ProfileQuick, nil, clean + "Shown, but not ranked:\n  - only the standard profile is ranked\n"},
		{result.ProfileQuick, []string{result.Undervoltage}, spoiled +
			"It would not be ranked anyway:\n  - only the standard profile is ranked\n"},
	} {
		doc := exampleResult(t)
		doc.Profile, doc.Spoilers = c.profile, c.spoilers
		if text := report(doc, textColumns); !strings.HasSuffix(text, c.ends) {
			t.Errorf("%s %v: %s", c.profile, c.spoilers, text)
		}
		var printed strings.Builder
		if err := printJSON(&printed, "none", doc, []byte("{}"), nil); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(`"clean":%v,`, c.spoilers == nil); !strings.Contains(printed.String(), want) {
			t.Errorf("%s, want %s", printed.String(), want)
		}
	}
}

func TestReportTellsOfTheCommandQueue(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	for queue, want := range map[string]string{
		"": "in Raspberry Pi 4 Model B Rev 1.4, 2026-", result.QueueOn: "in Raspberry Pi 4 Model B Rev 1.4, command queue on, 2026-",
		result.QueueOff: "in Raspberry Pi 4 Model B Rev 1.4, command queue off, 2026-",
	} {
		doc.Host.CommandQueue = queue
		if text := report(doc, textColumns); !strings.Contains(text, want) {
			t.Errorf("%q isn't in %s", want, text)
		}
	}
}

// With the method of 2012's sync, the file system adds writes of its own. The report tells how much.
func TestReportOfTheReferenceTellsWhatWasWritten(t *testing.T) {
	t.Parallel()
	doc, _, err := spool.Read("../result/testdata/valid/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	doc.Test(result.RandWrite).DeviceBytes = 2 * doc.Test(result.RandWrite).Bytes
	text := strings.Join(strings.Fields(report(doc, textColumns)), " ")
	for _, want := range []string{"rand-write: the device wrote 8 KiB for each operation of 4 KiB.", "was resumed: 1.",
		"made for the test: mke2fs 1.47.0 -t ext4"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in %s", want, text)
		}
	}
}

// Both of the article's linear tests are beside ours, and iozone's write and rewrite come before its random tests.
func TestReportOfTheReferenceHasEveryPrintedTest(t *testing.T) {
	t.Parallel()
	doc, _, err := spool.Read("../result/testdata/valid/reference-2.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range rowsOf(doc)[1:] {
		names = append(names, row[0])
		if row[0] == "seq-write 512 B zeros" && (row[1] != "0.562 MB/s" || row[6] != "time limit") {
			t.Errorf("%q", row)
		}
	}
	want := []string{"seq-write", "seq-read", "seq-read 512 B", "seq-rewrite zeros", "seq-write 512 B zeros",
		"seq-write 4 KiB", "seq-rewrite 4 KiB", "rand-read", "rand-write"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	text := strings.Join(strings.Fields(report(doc, textColumns)), " ")
	for _, said := range []string{doc.Treatment(), "seq-write: the time limit came after 128 of 512 MiB."} {
		if said == "" || !strings.Contains(text, said) {
			t.Errorf("%q isn't in:\n%s", said, text)
		}
	}
}

// A module that did next to nothing within the limit has its figure, but no interval, and isn't called settled.
func TestReportOfAVerySlowModule(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	doc.Spoilers = nil
	sampler := result.NewSampler(result.StandardRule(65536))
	for sampler.Add(12_500_000_000) == "" {
	}
	write := doc.Test(result.RandWrite)
	write.Ended, write.Batches, write.Latency = result.TimeLimit, sampler.Batches(),
		[]result.Bucket{{12_482_248_704, sampler.Ops()}}
	write.Ops, write.DurationNS = sampler.Ops(), sampler.Ops()*12_500_000_000
	write.WarmupOps, write.WarmupNS = sampler.Warmup()
	write.Bytes, write.DeviceBytes = write.Ops*4096, (write.Ops+write.WarmupOps)*4096
	write.Intervals = []result.Interval{{Ops: write.Ops + write.WarmupOps, Bytes: write.DeviceBytes, NS: write.DurationNS +
		write.WarmupNS, MaxNS: 12_500_000_000}}
	write.OverheadNS = 0
	if problems := doc.Check(); len(problems) > 0 {
		t.Fatal(problems)
	}
	text := strings.Join(strings.Fields(report(doc, textColumns)), " ")
	for _, want := range []string{"rand-write 0.08 IOPS - 12", "s time limit", "does 0.08 a second",
		"Shown, but not ranked: - random writes did not settle within the time limit"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "steady") {
		t.Errorf("it says how steady the rate was:\n%s", text)
	}
}

// A rate is called steady for some time, and a module quick up to some size. If a test used every block, a longer one
// finds no other.
func TestReportSaysWhatItCannotHaveSeen(t *testing.T) {
	t.Parallel()
	const steady = "The rate was steady over the 1 s of this test. A module that stops less often than that is slower " +
		"than it looks here. Measure it again another day"
	const cached = "All that this test wrote, 269 MB, may have fitted into a cache of the module, which would be slower " +
		"with more. --profile sustained shows that."
	for name, c := range map[string]struct {
		ended result.Ended
		left  int64
		want  string
	}{
		"minutes are left": {result.Converged, 13_000, steady + ", or for longer with --time 40m. " + cached},
		"a minute is left": {result.Converged, 6_000, steady + ". " + cached},
		"nothing is left":  {result.Complete, 0, steady + ". " + cached},
		"no time is left":  {result.TimeLimit, 13_000, cached},
	} {
		doc := exampleResult(t)
		write := doc.Test(result.RandWrite)
		write.Ended, write.AreaBytes = c.ended, (write.Ops+write.WarmupOps+c.left)*write.BlockBytes
		if got := unseen(doc, write); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if doc.Profile = result.ProfileQuick; unseen(doc, write) != "" {
			t.Errorf("a quick look: %q", unseen(doc, write))
		}
	}
}

func TestReportTellsItsCaveats(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	if all := caveats(doc); len(all) > 0 {
		t.Errorf("the example has caveats: %q", all)
	}
	write, linear := doc.Test(result.RandWrite), doc.Test(result.SeqWrite)
	write.OverheadNS = (write.DurationNS + write.WarmupNS) / 19 // a twentieth
	write.TimeLimitNS = 600e9
	linear.SourceBytes, linear.SourceNS = linear.Bytes, 2*linear.DurationNS
	linear.OverheadNS += linear.SourceNS
	all := caveats(doc)
	if len(all) != 3 {
		t.Fatalf("%q", all)
	}
	for i, want := range []string{
		"seq-write: this computer makes random data at 10 MB/s, slower than the module writes them. The data were made " +
			"in advance, so that did not slow the test. But in these pauses, 26.8 s in all, a cache in the module may have drained",
		"rand-write: the client itself took 5 % of the time",
		"rand-write: the limit was raised from 240 to 600 s",
	} {
		if !strings.Contains(all[i], want) {
			t.Errorf("%q, want %q", all[i], want)
		}
	}
}

// The report shows the longest write beside the number and time of all writes, and beside figures that don't depend on
// these.
func TestReportTellsOfStallsAtEqualExposure(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	write := doc.Test(result.RandWrite)
	write.Latency = []result.Bucket{{10_000_000, 5990}, {200_000_000, 6}, {300_000_000, 4}}
	write.Ops, write.DurationNS = 6000, 62_300_000_000
	text := strings.Join(strings.Fields(report(doc, textColumns)), " ")
	for _, want := range []string{
		"The longest of 6,000 4K random writes in 62.3 s took 10.4 ms. The longest of 1,000 takes more than 200 ms in half " +
			"of all cases (200 ms to 300 ms).",
		"Of 1,000, 1.67 (0.799 to 3.07) take over 0.1 s and 0 (0 to 0.615) over 1 s.", "seq-write 20 MB/s 19.9 to 20.1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in:\n%s", want, text)
		}
	}
	write.Latency = nil
	if text := report(doc, textColumns); strings.Contains(text, "The longest of") {
		t.Errorf("without latencies:\n%s", text)
	}
}

// A result from elsewhere can't control the terminal.
func TestReportIsPlainText(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	doc.Module.Product, doc.Host.Board, doc.Spoilers = "\x1b[2J\u202eevil", "\x07bell", []string{"\x1b]0;x"}
	if text := spool.Clean(report(doc, textColumns), '\n'); strings.ContainsAny(text, "\x1b\x07\u202e") ||
		!strings.Contains(text, "evil") {
		t.Errorf("%q", text)
	}
}

// This is a real narrow terminal. Either it knows its width, or the environment does. No line is longer than that,
// nothing is lost, and there is no colour to switch off.
func TestShowOnANarrowTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		columns uint16
		env     string
	}{
		{"the terminal knows", 40, "COLUMNS=200"},
		{"the environment knows", 0, "COLUMNS=40"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			master, slave := terminal(t)
			resize(t, slave, c.columns)
			command := exec.Command(binary(t), "show", exampleFile)
			command.Env = append(os.Environ(), c.env, "NO_COLOR=1", "TERM=xterm")
			command.Stdout = slave
			if err := command.Run(); err != nil {
				t.Fatal(err)
			}
			// The terminal returns the text in pieces. The last read fails, since nobody has the terminal open any
			// more.
			if err := slave.Close(); err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(master)
			if err != nil && !errors.Is(err, syscall.EIO) {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(said), "\r\n", "\n")
			for line := range strings.Lines(text) {
				if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 40 {
					t.Errorf("%q is longer than 40 columns", line)
				}
			}
			for _, want := range []string{"\nrand-write 100 IOPS\n", "\n  95 % INTERVAL: 100 to 100\n", "\n  MAX: 10.4 ms\n",
				"\n  - the system runs from the module\n"} {
				if !strings.Contains(text, want) {
					t.Errorf("%q isn't in:\n%s", want, text)
				}
			}
			if strings.ContainsRune(text, '\x1b') {
				t.Errorf("escapes in %q", text)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, indent, want string }{
		{"one two three", "", "one two\nthree\n"},
		{"  - one two three", "    ", "  - one\n    two\n    three\n"},
		{"incomprehensibilities are long", "", "incomprehensibilities\nare long\n"},
		{"", "", "\n"},
	} {
		if got := wrap(c.text, 9, c.indent); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}

// The widest rows of the standard and quick profiles fit a terminal of 80 columns as a table.
func TestTableFits80Columns(t *testing.T) {
	t.Parallel()
	head := []string{"TEST", "FIGURE", intervalHead, "p50", "p99", "MAX", "ENDED"}
	for _, c := range []struct {
		name string
		rows [][]string
		want string
	}{
		{"as of the film", [][]string{
			head, {"seq-write", "6.19 MB/s", "5.41 to 7.06", "-", "-", "-", "all 256 MiB"},
			{"rand-read", "421 IOPS", "381 to 461", "1.82 ms", "13.4 ms", "256 ms", "settled"},
		}, `TEST       FIGURE     95 % INTERVAL  p50      p99      MAX     ENDED
seq-write  6.19 MB/s  5.41 to 7.06   -        -        -       all 256 MiB
rand-read  421 IOPS   381 to 461     1.82 ms  13.4 ms  256 ms  settled
`},
		{"the widest", [][]string{
			head, {"seq-write", "1,230 MB/s", "1,010 to 1,450", "-", "-", "-", "all 256 MiB"},
			{"rand-write", "123,000 IOPS", "101,000 to 145,000", "0.0545 ms", "0.0826 ms", "12,500 ms", "time limit"},
		}, `TEST        FIGURE        95 % INTERVAL    p50 ms  p99 ms  MAX ms  ENDED
seq-write   1,230 MB/s    1,010-1,450      -       -       -       all 256 MiB
rand-write  123,000 IOPS  101,000-145,000  0.0545  0.0826  12,500  time limit
`},
	} {
		if diff := cmp.Diff(c.want, table(c.rows, 80)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A fast module whose linear write was cut short fits, too.
func TestReportOfAFastModuleFits80Columns(t *testing.T) {
	t.Parallel()
	doc := exampleResult(t)
	write, linear := doc.Test(result.RandWrite), doc.Test(result.SeqWrite)
	linear.Ended, linear.Bytes = result.TimeLimit, 128<<20
	for i := range write.Batches {
		write.Batches[i].NS = write.Batches[i].Ops * 8123
	}
	write.Latency = []result.Bucket{{54_500, 5000}, {262_000, 100}}
	text := report(doc, 80)
	for _, want := range []string{
		"\nrand-write  123,000 IOPS  123,000-123,000  0.0545  0.262 ", "  time limit\n",
		"\nseq-write: the time limit came after 128 of 256 MiB.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in:\n%s", want, text)
		}
	}
}
