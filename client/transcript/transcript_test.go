package transcript_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/client/transcript"
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

// line writes a test in short: its name, how it was done, and its figure in the unit of the tool.
func line(t *result.Test) string {
	direct := "cached"
	if t.Direct {
		direct = "direct"
	}
	figure := fmt.Sprintf("%.1f MB/s", t.Figures().MBPerS)
	if iops := t.Figures().IOPS; iops != nil {
		figure = fmt.Sprintf("%.0f IOPS", *iops)
	}
	return fmt.Sprintf("%s %d qd%d %s %s %s: %s", t.Name, t.BlockBytes, t.QueueDepth, t.Sync, direct, t.Ended, figure)
}

// The figures are those that one reads in the files; of iozone 7,871 kB/s of 1,024 bytes are 8.1 MB/s.
func TestReal(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"iozone-a.txt": {
			"iozone 3.489 2026-11-22 -e -I -a -s 50M -r 4k -r 512k -i 0 -i 1 -i 2",
			"seq-write 4096 qd1 fsync direct complete: 8.1 MB/s", "seq-rewrite 4096 qd1 fsync direct complete: 8.2 MB/s",
			"seq-read 4096 qd1 none direct complete: 3.3 MB/s", "seq-reread 4096 qd1 none direct complete: 5.1 MB/s",
			"rand-read 4096 qd1 none direct complete: 1598 IOPS", "rand-write 4096 qd1 fsync direct complete: 1445 IOPS",
			"seq-write 524288 qd1 fsync direct complete: 19.8 MB/s", "seq-rewrite 524288 qd1 fsync direct complete: 21.6 MB/s",
			"seq-read 524288 qd1 none direct complete: 20.4 MB/s", "seq-reread 524288 qd1 none direct complete: 21.4 MB/s",
			"rand-read 524288 qd1 none direct complete: 41 IOPS", "rand-write 524288 qd1 fsync direct complete: 41 IOPS",
		},
		"iozone-ops.txt": {
			"iozone 3.489 2026-11-22 -e -I -O -s 8M -r 4k -i 0 -i 2 -+D",
			"seq-write 4096 qd1 dsync direct complete: 2.0 MB/s", "seq-rewrite 4096 qd1 dsync direct complete: 3.7 MB/s",
			"rand-read 4096 qd1 none direct complete: 991 IOPS", "rand-write 4096 qd1 dsync direct complete: 987 IOPS",
		},
		"iozone-sync.txt": {
			"iozone 3.489 2026-11-22 -I -o -s 8M -r 4k -i 0 -i 2",
			"seq-write 4096 qd1 sync direct complete: 2.4 MB/s", "seq-rewrite 4096 qd1 sync direct complete: 4.3 MB/s",
			"rand-read 4096 qd1 none direct complete: 1627 IOPS", "rand-write 4096 qd1 sync direct complete: 287 IOPS",
		},
		"fio-qd32.json": {
			"fio 3.33 2026-11-22 rw=randwrite bs=4k size=64m ioengine=libaio iodepth=32 direct=1 runtime=5",
			"rand-write 4096 qd32 none direct time-limit: 2006 IOPS",
		},
		"fio-group.json": {
			"fio 3.33 2026-11-22 rw=randwrite bs=4k size=8m numjobs=4 direct=1 runtime=3",
			"rand-write 4096 qd4 none direct time-limit: 1921 IOPS",
		},
		"fio.json": {
			"fio 3.33 2026-11-22 rw=write bs=1M size=64m ioengine=psync direct=1 end_fsync=1 runtime=10; rw=read bs=1M " +
				"size=64m ioengine=psync direct=1 runtime=10; rw=randwrite bs=4k size=64m ioengine=psync direct=1 sync=dsync " +
				"runtime=10; rw=randread bs=4k size=64m ioengine=psync direct=1 runtime=10",
			"seq-write 1048576 qd1 fsync direct complete: 21.1 MB/s", "seq-read 1048576 qd1 none direct complete: 21.3 MB/s",
			"rand-write 4096 qd1 dsync direct time-limit: 587 IOPS", "rand-read 4096 qd1 none direct complete: 1720 IOPS",
		},
		"dd-gnu.txt": {
			"dd GNU  bs=1M count=64 oflag=direct conv=fsync; bs=1M iflag=direct",
			"seq-write 1048576 qd1 fsync direct complete: 21.2 MB/s", "seq-read 1048576 qd1 none direct complete: 21.2 MB/s",
		},
		"dd-gnu-de.txt": {
			"dd GNU  bs=4M count=8 conv=fsync; bs=4M iflag=direct",
			"seq-write 4194304 qd1 fsync cached complete: 16.6 MB/s", "seq-read 4194304 qd1 none direct complete: 22.0 MB/s",
		},
		"dd-gnu-fr.txt": {"dd GNU  bs=1M count=32 oflag=direct", "seq-write 1048576 qd1 none direct complete: 22.2 MB/s"},
		"dd-gnu-zh.txt": {"dd GNU  bs=1M count=32 oflag=dsync", "seq-write 1048576 qd1 dsync cached complete: 17.0 MB/s"},
		"dd-gnu-progress.txt": {
			"dd GNU  bs=1M count=64 oflag=direct; bs=1M count=64 oflag=direct; bs=1000000 count=20 oflag=dsync",
			"seq-write 1048576 qd1 none direct complete: 21.4 MB/s", "seq-write 1000000 qd1 dsync cached complete: 16.1 MB/s",
		},
		"dd-busybox.txt": {
			"dd BusyBox  bs=1M count=64 conv=fsync; bs=1M iflag=direct",
			"seq-write 1048576 qd1 fsync cached complete: 19.6 MB/s", "seq-read 1048576 qd1 none direct complete: 21.3 MB/s",
		},
		"agnostics.txt": {
			"agnostics   ioengine=libaio iodepth=32 size=256m direct=1 end_fsync=1 bs=4096k,4k runtime=10",
			"seq-write 4194304 qd32 fsync direct complete: 21.1 MB/s", "rand-write 4096 qd32 fsync direct time-limit: 2001 IOPS",
			"rand-read 4096 qd32 none direct time-limit: 2002 IOPS", "seq-read 4194304 qd32 none direct complete: 21.0 MB/s",
		},
		"agnostics-2020.txt": {
			"agnostics   ioengine=libaio iodepth=4 size=64m direct=1 end_fsync=1 bs=512k,4k runtime=10",
			"seq-write 524288 qd4 fsync direct complete: 21.2 MB/s", "rand-write 4096 qd4 fsync direct time-limit: 299 IOPS",
			"rand-read 4096 qd4 none direct time-limit: 293 IOPS",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := transcript.Read(text(t, name), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{strings.TrimSpace(strings.Join([]string{out.Tool, out.ToolVersion, out.MeasuredOn, out.Options},
				" "))}
			for i := range out.Tests {
				got = append(got, line(&out.Tests[i]))
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if out.Told != nil {
				t.Errorf("told: %v, though nothing was", out.Told)
			}
		})
	}
}

// A buffered iozone -a of all record sizes: each with the six tests that a result knows.
func TestLeavesOut(t *testing.T) {
	t.Parallel()
	out, err := transcript.Read(text(t, "iozone-all.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Tests) != 66 || len(out.LeftOut) != 1 || out.Tests[0].Direct || out.Tests[0].Sync != "none" {
		t.Errorf("%d tests, left out %q, the first %s", len(out.Tests), out.LeftOut, line(&out.Tests[0]))
	}
	// The same rows for a file of half the size count for nothing.
	smaller := strings.ReplaceAll(text(t, "iozone-all.txt"), "            4096 ", "            2048 ")
	smaller = smaller[strings.Index(smaller, "            2048 "):]
	smaller = strings.Join(strings.Split(smaller, "\n")[:3], "\n")
	both := strings.Replace(text(t, "iozone-all.txt"), "            4096 ", smaller+"\n            4096 ", 1)
	again, err := transcript.Read(both, nil)
	if err != nil || len(again.LeftOut) != 2 || gocmp.Diff(out.Tests, again.Tests) != "" {
		t.Errorf("with smaller files: %v, left out %q\n%s", err, again.LeftOut, gocmp.Diff(out.Tests, again.Tests))
	}
}

// What the output doesn't say has to be told, and nothing else may be.
func TestTold(t *testing.T) {
	t.Parallel()
	table := text(t, "iozone-a.txt")
	table = table[strings.Index(table, "      random"):]
	table = strings.ReplaceAll(table[:strings.Index(table, "iozone test")], "        51200",
		"51200") // as it is copied from a forum
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
			out, err := transcript.Read(c.text, c.told)
			if err != nil || len(out.Told) != len(c.told) || !out.Tests[0].Direct || out.Tests[0].Sync != c.told["sync"] {
				t.Fatalf("%v: told %q, %+v", err, out.Told, out.Tests)
			}
			// It is told by the file now, so that another answer is a mistake.
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
	for i := range whole.Tests {
		whole.Tests[i].EngineVersion = "" // which stands above the table
	}
	if diff := gocmp.Diff(whole.Tests, copied.Tests); diff != "" {
		t.Errorf("the table alone (-whole +copied):\n%s", diff)
	}
}

// Each case is a damaged real output, or one that can't be read. The error must name the fault.
func TestRefused(t *testing.T) {
	t.Parallel()
	iozone, fio, dd := text(t, "iozone-a.txt"), text(t, "fio.json"), text(t, "dd-gnu.txt")
	for name, c := range map[string]struct{ text, says string }{
		"empty": {"", "none of the outputs"},
		"another tool's": {" Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec\n",
			"none of the outputs"},
		"iozone that is still running": {iozone[:strings.Index(iozone, "51200     512")], "ends early"},
		"iozone's row cut off":         {strings.Replace(iozone, "    20748    20737", "", 1), "not as many figures"},
		"iozone's columns run together": {strings.Replace(iozone, "     7871     7966", " 7871 7966", 1),
			"don't stand below each other"},
		"a letter in iozone's table": {strings.Replace(iozone, "7871", "78x1", 1), "no figure"},
		"two iozone":                 {iozone + iozone, "2 runs"},
		"iozone -t": {strings.Replace(iozone, "Auto Mode", "Throughput test with 2 processes", 1),
			"several processes"},
		"iozone -N": {strings.Replace(iozone, "Output is in kBytes/sec",
			"Microseconds/op Mode. Output is in microseconds per operation.", 1), "times of single"},
		"half of fio's": {fio[:len(fio)/2], "not whole"},
		"fio 2":         {strings.Replace(fio, "fio-3.33", "fio-2.16", 1), "version 3"},
		"fio's bytes changed": {strings.Replace(fio, `"io_bytes" : 24043520`, `"io_bytes" : 34043520`, 1),
			"rate"},
		"jobs at once":                   {text(t, "fio-at-once.json"), "at the same time"},
		"reads and writes mixed":         {text(t, "fio-mixed.json"), "at the same time, which tells neither"},
		"dd that ends early":             {dd[:strings.LastIndex(dd, "67108864")], "without its last line"},
		"dd without its last line":       {strings.Replace(dd, "67108864 bytes", "", 1), "without its last line"},
		"dd's bytes changed":             {strings.Replace(dd, "67108864", "67108865", 1), "contradicts itself"},
		"dd from a pipe":                 {strings.Replace(dd, "64+0", "32+512", 2), "not whole"},
		"dd between nothing and nothing": {strings.Replace(dd, "of=test", "of=/dev/null", 1), "touches no module"},
		"dd that failed": {"$ dd if=/dev/zero of=test\ndd: error writing 'test': No space left on " +
			"device\n3+0 records in\n2+0 records out\n1024 bytes copied, 0.1 s, 10 kB/s\n", "failed"},
		"dd in blocks of 4 GiB": {"$ dd if=/dev/zero of=test bs=4G count=1\n1+0 records in\n1+0 records " +
			"out\n4294967296 bytes copied, 100 s, 43 MB/s\n", "1 GiB"},
		"two dd without commands": {text(t, "dd-bare.txt") + text(t, "dd-bare.txt"), "nobody knows"},
		"one dd in two ways": {text(t, "dd-gnu-fr.txt") +
			strings.ReplaceAll(text(t, "dd-gnu-fr.txt"), "oflag=direct", "oflag=dsync"), "two ways"},
		"Raspberry Pi Diagnostics, early": {text(t, "agnostics.txt")[:80], "not whole"},
		"its figures changed": {strings.Replace(text(t, "agnostics.txt"), "8003;2000", "8003;200", 1),
			"don't fit"},
		"its row cut off": {strings.Replace(text(t, "agnostics.txt"), ";2000", "", 1), "no row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := transcript.Read(c.text, nil)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q; read %d tests", err, c.says, len(out.Tests))
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
		if out.Options == "" || strings.Contains(out.Options, "secret") || strings.Contains(out.Options, "alice") {
			t.Errorf("options: %q", out.Options)
		}
	}
}
