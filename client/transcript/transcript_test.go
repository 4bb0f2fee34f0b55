package transcript_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/client/transcript"
	"flashdex/data"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

func text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// line writes a test in short: its name, how it was done, and its figure in the tool's unit.
func line(t *result.Test) string {
	direct := "cached"
	if t.Direct {
		direct = "direct"
	}
	figure := fmt.Sprintf("%.1f MB/s", t.Figures().MBPerS)
	if iops := t.Figures().IOPS; iops != nil {
		figure = fmt.Sprintf("%.0f IOPS", *iops)
	}
	more := ""
	if n := len(t.Intervals); n > 1 {
		more = fmt.Sprintf(" in %d intervals", n)
	}
	if f := t.Figures(); f.MaxNS != nil {
		more += fmt.Sprintf(", at most %g ms", float64(*f.MaxNS)/1e6)
	}
	return fmt.Sprintf("%s %d qd%d %s %s %s: %s%s", t.Name, t.BlockBytes, t.QueueDepth, t.Sync, direct, t.Ended, figure,
		more)
}

// shown writes all that was read from a text: one line for each result, each test and each part that was left out.
func shown(read transcript.Transcript, err error) []string {
	var all []string
	if missing, ok := errors.AsType[*transcript.MissingError](err); ok {
		return []string{"asks for " + strings.Join(missing.Facts, ", ")}
	} else if err != nil {
		return []string{"error: " + err.Error()}
	}
	for _, out := range read.Outputs {
		all = append(all, strings.Join(strings.Fields(strings.Join([]string{out.Tool, out.ToolVersion, out.MeasuredOn,
			out.Options}, " ")), " "))
		if c := out.Checked; c != nil {
			right := fmt.Sprintf("  right: %d of %d bytes", c.OKBytes, c.Bytes)
			if c.ChangedBytes > 0 {
				right += fmt.Sprintf(", %d slightly changed", c.ChangedBytes)
			}
			if c.OfBytes > 0 {
				right += fmt.Sprintf(", of a volume of %d", c.OfBytes)
			}
			all = append(all, right)
		}
		for _, fact := range out.Told {
			all = append(all, "  told "+fact)
		}
		for i := range out.Tests {
			all = append(all, "  "+line(&out.Tests[i]))
		}
	}
	for _, left := range read.LeftOut {
		all = append(all, "  left out: "+left)
	}
	return all
}

var update = flag.Bool("update", false, "write what is read now into testdata/read.golden")

const golden = "testdata/read.golden"

// outputs are the files in testdata, each an output as its tool printed it.
func outputs(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(file string) bool {
		return strings.HasSuffix(file, ".md") || file == golden || filepath.Base(file) == "fuzz"
	})
}

// The figures are the ones in the files; iozone's 7,871 kB/s, of 1,024 bytes each, are 8.1 MB/s. If a text leaves facts
// open, it is read once without them and once with them.
func TestReal(t *testing.T) {
	t.Parallel()
	told := map[string]string{"direct": "yes", "sync": "none", "test": result.SeqWrite, "unit": "kb", "block-size": "512"}
	var got []string
	methods := importMethods(t)
	for _, file := range outputs(t) {
		content := text(t, filepath.Base(file))
		read, err := transcript.Read(content, nil)
		got = append(append(got, "== "+filepath.Base(file)), shown(read, err)...)
		facts := map[string]string{}
		for missing, ok := errors.AsType[*transcript.MissingError](err); ok; {
			for _, fact := range missing.Facts {
				facts[fact] = told[fact]
			}
			read, err = transcript.Read(content, facts)
			got = append(got, shown(read, err)...)
			missing, ok = errors.AsType[*transcript.MissingError](err)
		}
		for i := range read.Outputs {
			agreesWithMethod(t, methods, &read.Outputs[i])
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Split(strings.TrimSuffix(text(t, "read.golden"), "\n"), "\n")
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// importMethod is a tool's method in data/methods.json.
type importMethod struct {
	ID         string
	QueueDepth int `json:"queue_depth"` // 0: not the same everywhere, or not known
	Direct     string
	Sync       string
}

func importMethods(t *testing.T) map[string]importMethod {
	t.Helper()
	content, err := data.FS.ReadFile("methods.json")
	var all []importMethod
	if err = errors.Join(err, json.Unmarshal(content, &all)); err != nil {
		t.Fatal(err)
	}
	methods := map[string]importMethod{}
	for _, m := range all {
		methods[m.ID] = m
	}
	return methods
}

// agreesWithMethod compares the tests of an output with its method. Where runs differ, the method says "unknown" or "as
// each run shows".
func agreesWithMethod(t *testing.T, methods map[string]importMethod, out *transcript.Output) {
	t.Helper()
	m := methods[result.MethodOfImport(out.Tool)]
	sync := map[string]string{"none": "none", "fsync at the end": "fsync"}[m.Sync]
	for i := range out.Tests {
		test := &out.Tests[i]
		direct := map[bool]string{true: "yes", false: "no"}[test.Direct]
		if m.QueueDepth > 0 && m.QueueDepth != test.QueueDepth || m.Direct != "unknown" && m.Direct != direct ||
			strings.HasSuffix(test.Name, "write") && m.Sync != "as each run shows" && sync != test.Sync {
			t.Errorf("%s, and the method is %+v", line(test), m)
		}
	}
}

// A buffered iozone -a of all record sizes has for each of them the six tests that a result knows.
func TestLeavesOut(t *testing.T) {
	t.Parallel()
	out, err := transcript.Read(text(t, "iozone-all.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := out.Outputs[0].Tests
	if len(tests) != 66 || len(out.LeftOut) != 1 || tests[0].Direct || tests[0].Sync != "none" {
		t.Errorf("%d tests, left out %q, the first %s", len(tests), out.LeftOut, line(&tests[0]))
	}
	// The same rows for a file of half the size don't count.
	smaller := strings.ReplaceAll(text(t, "iozone-all.txt"), "            4096 ", "            2048 ")
	smaller = smaller[strings.Index(smaller, "            2048 "):]
	smaller = strings.Join(strings.Split(smaller, "\n")[:3], "\n")
	both := strings.Replace(text(t, "iozone-all.txt"), "            4096 ", smaller+"\n            4096 ", 1)
	again, err := transcript.Read(both, nil)
	if err != nil || len(again.LeftOut) != 2 || gocmp.Diff(out.Outputs, again.Outputs) != "" {
		t.Errorf("with smaller files: %v, left out %q\n%s", err, again.LeftOut, gocmp.Diff(out.Outputs, again.Outputs))
	}
}

// The user must give the facts that the output leaves open, and may give no others.
func TestTold(t *testing.T) {
	t.Parallel()
	table := text(t, "iozone-a.txt")
	table = table[strings.Index(table, "      random"):]
	table = strings.ReplaceAll(table[:strings.Index(table, "iozone test")], "        51200",
		"51200") // as people copy it from a forum
	for name, c := range map[string]struct {
		text    string
		told    map[string]string
		missing []string
	}{
		"iozone's table alone": {table, map[string]string{"unit": "kb", "direct": "yes", "sync": "fsync"},
			[]string{"direct", "sync", "unit"}},
		"dd without command": {text(t, "dd-bare.txt"), map[string]string{"test": "seq-write", "direct": "yes",
			"sync": "none"}, []string{"direct", "test"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := transcript.Read(c.text, nil)
			var missing *transcript.MissingError
			if !errors.As(err, &missing) {
				t.Fatalf("%v, want *MissingError", err)
			}
			slices.Sort(missing.Facts)
			if !slices.Equal(missing.Facts, c.missing) {
				t.Errorf("missing: %q, want %q", missing.Facts, c.missing)
			}
			read, err := transcript.Read(c.text, c.told)
			if err != nil {
				t.Fatal(err)
			}
			out := read.Outputs[0]
			if len(out.Told) != len(c.told) || !out.Tests[0].Direct || out.Tests[0].Sync != c.told["sync"] {
				t.Fatalf("told %q, %+v", out.Told, out.Tests)
			}
			// The file shows this fact now, so another answer is a mistake.
			if _, err := transcript.Read(text(t, "dd-gnu.txt"), map[string]string{"direct": "no"}); err == nil ||
				errors.As(err, &missing) {
				t.Errorf("what contradicts the file: %v", err)
			}
		})
	}
	whole, err := transcript.Read(text(t, "iozone-a.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := transcript.Read(table, map[string]string{"unit": "kb", "direct": "yes", "sync": "fsync"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Outputs[0].Tests {
		whole.Outputs[0].Tests[i].EngineVersion = "" // the version is above the table
	}
	if diff := gocmp.Diff(whole.Outputs[0].Tests, copied.Outputs[0].Tests); diff != "" {
		t.Errorf("the table alone (-whole +copied):\n%s", diff)
	}
}

// A fact that one output leaves open is given for that output alone. The others stay as they are.
func TestToldForOneOfSeveral(t *testing.T) {
	t.Parallel()
	told := map[string]string{"test": result.SeqRead, "direct": "no", "sync": "none"}
	whole, err := transcript.Read(text(t, "iozone-a.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = transcript.Read(text(t, "iozone-a.txt")+text(t, "dd-bare.txt"), told)
	if err == nil || !strings.Contains(err.Error(), "--sync none was given") { // a read needs no sync
		t.Errorf("a fact that no output leaves open, and that one contradicts: %v", err)
	}
	delete(told, "sync")
	both, err := transcript.Read(text(t, "iozone-a.txt")+text(t, "dd-bare.txt"), told)
	if err != nil || len(both.Outputs) != 2 {
		t.Fatalf("%v", shown(both, err))
	}
	if diff := gocmp.Diff(whole.Outputs[0], both.Outputs[0]); diff != "" {
		t.Errorf("iozone's (-alone +with another):\n%s", diff)
	}
	if dd := both.Outputs[1].Tests[0]; dd.Name != result.SeqRead || dd.Direct {
		t.Errorf("dd's: %s", line(&dd))
	}
}

// Runs on several devices are not of one module, whichever devices these are. Partitions of one disk are of one module.
func TestSeveralDevicesAreNotOneModule(t *testing.T) {
	t.Parallel()
	twice, read := text(t, "hdparm-twice.txt"), "$ dd if=/dev/loop0 of=/dev/null bs=1M count=64\n64+0 records in\n"+
		"64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 3.2 s, 21.0 MB/s\n"
	for content, want := range map[string]int{
		strings.Replace(twice, "/dev/loop0", "/dev/sda", 1):     0,
		strings.Replace(twice, "/dev/loop0", "/dev/loop0p1", 1): 1,
		twice + read: 2, twice + strings.Replace(read, "loop0", "mmcblk0", 1): 0,
		text(t, "iozone-a.txt") + strings.Replace(twice, "/dev/loop0", "/dev/sda", 1): 1,
	} {
		got, err := transcript.Read(content, nil)
		said := strings.Join(shown(got, err), "\n")
		reason := strings.Contains(said, "2 devices (sda, loop0)")
		if len(got.Outputs) != want || reason != strings.Contains(content, "sda") {
			t.Errorf("%d results, want %d of:\n%s\n%s", len(got.Outputs), want, content, said)
		}
	}
}

// Runs in several volumes, or on several cards, are not of one module, either. A folder in a volume is in that volume,
// and the volume may be on the device beside it.
func TestSeveralVolumesOrCardsAreNotOneModule(t *testing.T) {
	t.Parallel()
	iozone, fio, dd, f3 := text(t, "iozone-a.txt"), text(t, "fio.json"), text(t, "dd-gnu.txt"), text(t, "f3-session.txt")
	sdFat := text(t, "sdfat-pico.txt")
	in := func(file string) string { return strings.ReplaceAll(dd, "=test", "="+file) }
	for name, c := range map[string]struct {
		text    string
		results int
		says    string
	}{
		"iozone": {strings.Replace(iozone, "iozone -e", "iozone -f /mnt/a/f -e", 1) +
			strings.Replace(iozone, "iozone -e", "iozone -f /mnt/b/f -e", 1), 0, "2 volumes (/mnt/a, /mnt/b)"},
		"iozone, one of them": {strings.Replace(iozone, "iozone -e", "iozone -f /mnt/a/f -e", 1) +
			strings.Replace(iozone, "iozone -e", "iozone -f /mnt/a/g -e", 1), 2, ""},
		"fio": {strings.Replace(fio, `"filename" : "test"`, `"filename" : "/media/alice/A/f:/media/alice/B/f"`, 1), 0,
			"2 volumes (/media/alice/A, /media/alice/B)"},
		"dd": {in("/run/media/alice/A/f") + in("/run/media/alice/B/f"), 0,
			"2 volumes (/run/media/alice/A, /run/media/alice/B)"},
		"a folder":   {in("/media/card/f") + in("/media/card/folder/f"), 1, ""},
		"no volume":  {in("/home/alice/f") + in("/tmp/f"), 1, ""},
		"its device": {in("/mnt/a/f") + text(t, "hdparm-twice.txt"), 2, ""},
		"F3": {strings.Replace(f3, "f3read /media/card", "f3read /media/other", 1), 0,
			"2 volumes (/media/card, /media/other)"},
		"SdFat": {sdFat + strings.Replace(sdFat, "2.00 GB", "15.92 GB", 1), 0, "2 cards (2.00 GB, 15.92 GB)"},
		"SdFat, of one size": {sdFat + strings.Replace(sdFat, "bytes)\n", "bytes)\nProduct: SL02G\n", 1), 0,
			"2 cards (2.00 GB, 2.00 GB SL02G)"},
		"SdFat, one card": {sdFat + sdFat, 2, ""},
	} {
		got, err := transcript.Read(c.text, nil)
		said := strings.Join(shown(got, err), "\n")
		if len(got.Outputs) != c.results || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d results, want %d and %q; read:\n%s", name, len(got.Outputs), c.results, c.says, said)
		}
	}
}

// Each case is a real output that was damaged, or an output that can't be read. The report must name what is wrong.
// Only the whole tests beside it are read.
func TestRefused(t *testing.T) {
	t.Parallel()
	iozone, fio, dd := text(t, "iozone-a.txt"), text(t, "fio.json"), text(t, "dd-gnu.txt")
	only := strings.Fields(strings.Split(text(t, "iozone-sync.txt"), "iozone test complete")[0])
	for name, c := range map[string]struct {
		text, says string
		tests      int
	}{
		"empty":               {"", "none of the outputs", 0},
		"another tool's":      {"Unixbench: 21.61 lps\n", "none of the outputs", 0},
		"another tool's rate": {"bonnie: 21.61 MB/s\n", "belongs to no output", 0},
		"a rate far behind in a line": {strings.Repeat("and so on, ", 50) + "21.61 MB/s\n",
			"belongs to no output that can be read: and so on", 0},
		"a rate behind a unit":   {"in MB/s: 21.61 MB/s\n", "belongs to no output", 0},
		"a rate behind its unit": {"Write speed (MB/s): 12.3\n", "belongs to no output", 0},
		"sysbench's rate":        {"    read, MiB/s:                  4.88\n", "belongs to no output", 0},
		"sysbench's operations":  {"    reads/s:                      312.43\n", "belongs to no output", 0},
		"operations a second":    {"random write: 312 ops/sec\n", "belongs to no output", 0},
		"a disk mark in a line": {strings.ReplaceAll(text(t, "amorphousdiskmark-cut.txt"), "\n", " "),
			"several rates", 0},
		"iozone that is still running": {iozone[:strings.Index(iozone, "51200     512")],
			"\"iozone test complete.\", is missing", 6},
		"iozone's row cut off": {strings.Replace(iozone, "    20748    20737", "", 1), "not as many figures", 0},
		"iozone's columns run together, and one is missing": {strings.Replace(iozone, "     7871     7966", " 7871", 1),
			"don't stand below each other", 0},
		"a letter in iozone's table": {strings.Replace(iozone, "7871", "78x1", 1), "no figure", 0},
		"iozone -t": {strings.Replace(iozone, "Auto Mode", "Throughput test with 2 processes", 1),
			"several processes", 0},
		"the end of iozone's only row cut off": {strings.Replace(text(t, "iozone-sync.txt"), only[len(only)-1], "", 1),
			"not as many figures as the options", 0},
		"iozone -N": {strings.Replace(iozone, "Output is in kBytes/sec",
			"Microseconds/op Mode. Output is in microseconds per operation.", 1), "times of single", 0},
		"half of fio's": {fio[:len(fio)/2], "not whole", 0},
		"fio 2":         {strings.Replace(fio, "fio-3.33", "fio-2.16", 1), "version 3", 0},
		"fio's bytes changed": {strings.Replace(fio, `"io_bytes" : 24043520`, `"io_bytes" : 34043520`, 1),
			"rate", 0},
		"jobs at once":                   {text(t, "fio-at-once.json"), "at the same time", 0},
		"reads and writes mixed":         {text(t, "fio-mixed.json"), "at the same time, which tells neither", 0},
		"dd that ends early":             {dd[:strings.LastIndex(dd, "67108864")], "without its last line", 1},
		"dd without its last line":       {strings.Replace(dd, "67108864 bytes", "", 1), "without its last line", 1},
		"dd's bytes changed":             {strings.Replace(dd, "67108864", "67108865", 1), "contradicts itself", 1},
		"dd's seconds changed":           {strings.Replace(dd, "3.1", "31.", 1), "doesn't fit its bytes", 1},
		"dd from a pipe":                 {strings.Replace(dd, "64+0", "32+512", 2), "not whole", 1},
		"dd between nothing and nothing": {strings.Replace(dd, "of=test", "of=/dev/null", 1), "touches no module", 1},
		"dd that failed": {"$ dd if=/dev/zero of=test\ndd: error writing 'test': No space left on " +
			"device\n3+0 records in\n2+0 records out\n1024 bytes copied, 0.1 s, 10 kB/s\n", "failed", 0},
		"dd in blocks of 4 GiB": {"$ dd if=/dev/zero of=test bs=4G count=1\n1+0 records in\n1+0 records " +
			"out\n4294967296 bytes copied, 100 s, 43 MB/s\n", "1 GiB", 0},
		"two dd without commands":         {text(t, "dd-bare.txt") + text(t, "dd-bare.txt"), "nobody knows", 0},
		"Raspberry Pi Diagnostics, early": {text(t, "agnostics.txt")[:80], "not whole", 0},
		"its figures changed": {strings.Replace(text(t, "agnostics.txt"), "8003;2000", "8003;200", 1),
			"don't fit", 0},
		"its row cut off": {strings.Replace(text(t, "agnostics.txt"), ";2000", "", 1), "no row", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, err := transcript.Read(c.text, nil)
			said, tests := strings.Join(shown(read, err), "\n"), 0
			for _, out := range read.Outputs {
				tests += len(out.Tests)
			}
			if !strings.Contains(said, c.says) || tests != c.tests {
				t.Errorf("%d tests, want %d and %q; read:\n%s", tests, c.tests, c.says, said)
			}
		})
	}
}

// Names of files and folders are nobody's business.
func TestOptionsHoldNoNames(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		strings.ReplaceAll(text(t, "iozone-a.txt"), "iozone -e", "/home/alice/iozone -f /home/alice/secret -f/mnt/secret "+
			"-fsecret -b secret.xls -e"),
		strings.ReplaceAll(text(t, "fio.json"), `"filename" : "test"`, `"filename" : "/home/alice/secret"`),
		strings.ReplaceAll(text(t, "fio.json"), `"linear write"`, `"secret of alice"`),
		strings.ReplaceAll(text(t, "dd-gnu.txt"), "test", "/home/alice/secret"),
	} {
		out, err := transcript.Read(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range out.Outputs {
			if one.Options == "" || strings.Contains(one.Options, "secret") || strings.Contains(one.Options, "alice") {
				t.Errorf("options: %q", one.Options)
			}
		}
	}
}
