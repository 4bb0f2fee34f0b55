package transcript_test

import (
	"math"
	"strings"
	"testing"

	"flashdex/client/transcript"
)

// These outputs have other units, another language or damage. Each line is what a text must give; "" is no test at all.
func TestUnitsAndLanguagesOfAnOutput(t *testing.T) {
	t.Parallel()
	hdparm := " Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec\n"
	f3 := text(t, "f3read.txt")
	h2testw := text(t, "h2testw-ok.txt")
	diskMark := text(t, "crystaldiskmark-8.txt")
	sdFat := text(t, "sdfat-pico-sdio.txt")
	px4 := text(t, "px4-2022.txt")
	many := strings.Repeat("454.422,70708,933,1126\n", 4000)
	for name, c := range map[string]struct{ text, want string }{
		"hdparm":                         {hdparm, "seq-read 2097152 qd1 none cached time-limit: 22.7 MB/s"},
		"hdparm with decimal commas":     {strings.ReplaceAll(hdparm, ".", ","), "time-limit: 22.7 MB/s"},
		"hdparm of a slow card":          {text(t, "hdparm-slow.txt"), "time-limit: 0.4 MB/s"},
		"hdparm whose rate is another":   {strings.Replace(hdparm, "21.61", "12.61", 1), ""},
		"hdparm in a unit that it lacks": {strings.Replace(hdparm, "MB/sec", "Mbit/s", 1), ""},
		"f3 in GB":                       {strings.Replace(f3, " MB/s", " GB/s", 1), "MB/s"},
		"f3 in bits":                     {strings.Replace(f3, " MB/s", " Mbit/s", 1), ""},
		"f3 in Mb":                       {strings.Replace(f3, " MB/s", " Mb/s", 1), ""},
		"f3 in no unit":                  {strings.Replace(f3, " MB/s", " xB/s", 1), ""},
		"f3 in MiB":                      {strings.Replace(f3, " MB/s", " MiB/s", 1), "21.1 MB/s"},
		"H2testw, lines joined": {strings.Replace(text(t, "h2testw-lost.txt"), "sectors)\n", "sectors) ", 1),
			"right: 687865856 of 41546678272 bytes"},
		"dd in blocks of 10^6 bytes, of which the last is not whole": {
			"$ dd if=/dev/zero of=x bs=1MB\n2+1 records in\n2+1 records out\n2000512 bytes copied, 1 s, 2.0 MB/s\n",
			"seq-write 1000000 qd1"},
		"SdFat with a huge file": {strings.Replace(sdFat, "FILE_SIZE_MB = 5", "FILE_SIZE_MB = 9223372036854", 1),
			"seq-write 512 qd1 fsync direct complete: 0.5 MB/s in 2 intervals"},
		"SdFat of too many passes": {strings.Replace(sdFat, "454.422", many+"454.422", 1),
			"seq-write in 4002 passes: a result holds 4000"},
		"H2testw with a decimal comma":       {strings.ReplaceAll(h2testw, "17.7", "17,7"), "18.6 MB/s"},
		"H2testw in KByte":                   {strings.ReplaceAll(h2testw, "MByte/s", "KByte/s"), "0.0 MB/s"},
		"CrystalDiskMark, decimal commas":    {strings.ReplaceAll(diskMark, "84.503", "84,503"), "20631 IOPS"},
		"CrystalDiskMark, 1,000,000 wrong":   {strings.ReplaceAll(diskMark, "84.503", "94.503"), "don't fit together"},
		"SdFat whose times are milliseconds": {strings.ReplaceAll(sdFat, "1126", "1"), "don't fit together"},
		"SdFat with other columns":           {strings.ReplaceAll(sdFat, "KB/Sec,usec", "MB/Sec,usec"), ""},
		"sbc-bench alone":                    {strings.Split(text(t, "sbc-bench.txt"), "iozone")[0], ""},
		"PiBenchmarks, where MB may be GB": {strings.Replace(text(t, "pibenchmarks-2021.txt"), "12.3 MB/s", "1.1 MB/s", 1),
			"DD Disk Write: the script drops the unit"},
		"sd_bench in bits": {strings.ReplaceAll(px4, " KB/s, max", " Kbit/s, max"), ""},
	} {
		got := shown(transcript.Read(c.text, nil))
		said := strings.Join(got, "\n")
		if c.want != "" && !strings.Contains(said, c.want) || c.want == "" && !strings.HasPrefix(said, "error: ") {
			t.Errorf("%s: want %q, got:\n%s", name, c.want, said)
		}
	}
}

// A figure counts once if both PiBenchmarks' own line and its last table show it. It also counts if only one of them
// does.
func TestFiguresOfPiBenchmarksCountOnce(t *testing.T) {
	t.Parallel()
	log, table := text(t, "pibenchmarks-log.txt"), text(t, "pibenchmarks-2021.txt")
	same := strings.NewReplacer("2380 IOPS (9523 KB/s)", "7543 IOPS (30173 KB/s)", "204 IOPS (818 KB/s)",
		"2684 IOPS (10736 KB/s)").Replace(table)
	for name, c := range map[string]struct {
		text  string
		deep  int // tests with 64 in flight
		leave string
	}{
		"line alone":             {log, 2, ""},
		"table alone":            {table, 2, ""},
		"line and table":         {log + same, 2, "FIO 4k random read, which stands in the script's own line above"},
		"of another run":         {log + table, 4, ""},
		"line, table, and table": {log + same + same, 4, ""},
		"cut off":                {log[:strings.Index(log, " IOPS (30173")], 0, "damaged"},
		"no figure":              {strings.Replace(log, "7543 IOPS", "0 IOPS", 1), 1, "without a figure"},
	} {
		read, err := transcript.Read(c.text, nil)
		said := strings.Join(shown(read, err), "\n")
		if n := strings.Count(said, " qd64 "); n != c.deep || !strings.Contains(said, c.leave) {
			t.Errorf("%s: %d tests with 64 in flight, want %d and %q of:\n%s", name, n, c.deep, c.leave, said)
		}
	}
}

// This is AmorphousDiskMark's whole text in its own format (AppDelegate.m at 73a6972). What it copies goes past the
// cache of macOS and is flushed.
func TestAmorphousDiskMark(t *testing.T) {
	t.Parallel()
	read, err := transcript.Read(`---------------------------------------------------------------------
AmorphousDiskMark 4.0.1 (C) 2016-2023 Katsura Shareware
                    Katsura Shareware : https://katsurashareware.com/
---------------------------------------------------------------------
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
* KB = 1,000 bytes, KiB = 1,024 bytes
* MB = 1,000,000 bytes, MiB = 1,048,576 bytes

  Sequential Read 1MiB (QD=   8) :     90.18 MB/s [     86.0 IOPS]
     Random Write 4KiB (QD=  64) :      3.21 MB/s [    783.7 IOPS]
        Random Write 4KiB (QD=1) :      2.05 MB/s [    500.5 IOPS]

    Test : 1 GiB (x5) [Interval=5 sec]
  Volume : alice's card: 3% used (1/32 GiB)
  Device : secret
    Date : 2026-10-15T04:09:09Z
      OS : macOS 15.1 24B83
`, nil)
	got := strings.Join(shown(read, err), "\n")
	want := `amorphousdiskmark 4.0.1 2026-10-15 size=1GiB passes=5
  seq-read 1048576 qd8 none direct complete: 90.2 MB/s
  rand-write 4096 qd64 fsync direct complete: 784 IOPS
amorphousdiskmark 4.0.1 2026-10-15 size=1GiB passes=5
  rand-write 4096 qd1 fsync direct complete: 500 IOPS`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// These texts show how the versions of these programs differ, and what people cut off or write into them.
func TestTextsOfDiskMarksAsPeopleHaveThem(t *testing.T) {
	t.Parallel()
	mark8, kMark, old := text(t, "crystaldiskmark-8.txt"), text(t, "kdiskmark-3.2.txt"), text(t, "kdiskmark-1.5.txt")
	for name, c := range map[string]struct{ text, want string }{
		"zeros, from version 8 on": {strings.Replace(mark8, "[Admin]", "[Admin] <0Fill>", 1), "passes=5 data=zeros"},
		"zeros, before": {strings.Replace(text(t, "crystaldiskmark-6.txt"), "(x5)", "(x5) <0Fill>", 1),
			"passes=5 data=zeros"},
		"a comment with a rate": {mark8 + "\nComment: it promised 90 MB/s: see the photo\n",
			"crystaldiskmark: 4 figures of reads and writes mixed$"},
		"a remark behind it": {mark8 + "\nMy old card did 90 MB/s: slow.\n",
			"mixed\n  left out: line 33: a rate that belongs to no output"},
		"KDiskMark's figures alone": {kMark[strings.Index(kMark, "[Read]"):strings.Index(kMark, "Profile")],
			"asks for direct, sync"},
		"CrystalDiskMark's figures alone": {mark8[strings.Index(mark8, "[Read]"):strings.Index(mark8, "Profile")],
			"rand-write 4096 qd1 none direct complete: 70195 IOPS"},
		"one line alone": {"SEQ 1MiB (Q= 1, T= 1): 90.000 MB/s < 10.00 us>\n", "no test that Flashdex knows"},
		"disk-mark-me": {"disk-mark-me v1.2.0 - fio v3.40\n----\n* MB/s = 1,000,000 bytes/s\n\n[Read]\n" +
			"  SEQ   1MiB (Q= 8, T=1) : 5913.200 MB/s [ 5638.8 IOPS]\n", "error: it contains no test"},
		"MB of 2^20 bytes in 1.5":  {old, "rand-read 4096 qd1 none direct complete: 10731 IOPS"},
		"one of 16 threads in 1.5": {old, `t=16) read": before 1.6`},
	} {
		if got := strings.Join(shown(transcript.Read(c.text, nil)), "\n") + "$"; !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in:\n%s", name, c.want, got)
		}
	}
}

// A command over several lines, as guides print it, tells facts that the text doesn't show.
func TestACommandOverSeveralLinesIsReadWhole(t *testing.T) {
	t.Parallel()
	session := text(t, "session.txt")
	at := strings.Index(session, "$ fio --name=flat --rw=randwrite")
	output := strings.Replace(session[at:], " --direct=1 --sync=1 ",
		" \\\n    --sync=1 \\\n    --direct=1 \\\n    --end_fsync \\\n    ", 1)
	read, err := transcript.Read(output, nil)
	if err != nil {
		t.Fatal(err)
	}
	if test := read.Outputs[0].Tests[0]; !test.Direct || test.Sync != "sync" {
		t.Errorf("direct %v, sync %s", test.Direct, test.Sync)
	}
}

// Options have other names, turn the job into another test, or flush now and then.
func TestWhatOptionsOfFioMean(t *testing.T) {
	t.Parallel()
	session := text(t, "session.txt")
	output := session[strings.Index(session, "$ fio --name=flat"):strings.Index(session, "$ fio --name=flat --output")]
	const command = "--rw=randwrite --bs=4k --direct=1 --sync=1 --size=4m"
	if !strings.HasPrefix(output, "$ fio --name=flat "+command+"\n") {
		t.Fatal(output[:100])
	}
	plus := text(t, "fio-plus.json")
	for name, c := range map[string]struct{ text, want string }{
		"as it is": {output, "rand-write 4096 qd1 sync direct"},
		"the longer names": {strings.Replace(output, command,
			"--readwrite=randwrite --blocksize=4k --buffered=0 --fsync=1", 1),
			"rand-write 4096 qd1 sync direct"},
		"flushed each 32": {strings.Replace(output, "--sync=1", "--fsync=32", 1), "rand-write 4096 qd1 fsync direct"},
		"eight in a line": {strings.Replace(output, "randwrite ", "randwrite:8 ", 1), "rw=randwrite:8 is no test"},
		"a rate":          {strings.Replace(output, "--size", "--rate_iops=100 --size", 1), "with rate_iops it measures"},
		"no rate":         {strings.Replace(output, "--size", "--rate_iops=0 --size", 1), "rand-write 4096 qd1 sync direct"},
		"in JSON, pauses": {strings.Replace(plus, `"rw" : "randread"`, `"rw" : "randread", "thinktime" : "10ms"`, 1),
			"with thinktime it measures"},
		"in JSON, gaps": {strings.Replace(plus, `"rw" : "randread"`, `"rw" : "read:8k"`, 1), "rw=read:8k is no test"},
		"in JSON, a crowd": {`{"fio version": "fio-3.33", "jobs": [{}` + strings.Repeat(",{}", 1000) + "]}",
			"1001 jobs in one output"},
	} {
		read, err := transcript.Read(c.text, nil)
		if got := strings.Join(shown(read, err), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in:\n%s", name, c.want, got)
		}
	}
}

// If nobody knows a fact of one output, only that output is left out. Outputs that show the fact stay as they are.
func TestWhatNobodyKnowsHoldsBackNoOther(t *testing.T) {
	t.Parallel()
	whole, bare, mark := text(t, "iozone-a.txt"), text(t, "dd-bare.txt"), text(t, "kdiskmark-3.2.txt")
	for name, c := range map[string]struct {
		text    string
		facts   map[string]string
		results int
		says    string
	}{
		"a test": {whole + bare, map[string]string{"test": "unknown", "direct": "no"}, 1,
			"dd: nobody knows this of it: test"},
		"direct": {whole + mark, map[string]string{"direct": "unknown"}, 1, "kdiskmark: nobody knows this of it: direct"},
		"direct, of a dd": {whole + bare, map[string]string{"test": "seq-read", "direct": "unknown"}, 1,
			"dd: nobody knows this of it: direct"},
		"all of it": {bare, map[string]string{"test": "unknown", "direct": "unknown"}, 0, "this of it: test, direct"},
		"one of two": {mark + bare, map[string]string{"direct": "yes", "test": "unknown"}, 2,
			"dd: nobody knows this of it: test"},
		"no other question": {bare, map[string]string{"test": "unknown"}, 0, "this of it: test"},
		"what is shown":     {whole, map[string]string{"direct": "unknown"}, 1, "rand-write 4096 qd1 fsync direct"},
	} {
		read, err := transcript.Read(c.text, c.facts)
		said := strings.Join(shown(read, err), "\n")
		if len(read.Outputs) != c.results || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d results, want %d and %q; read:\n%s", name, len(read.Outputs), c.results, c.says, said)
		}
	}
	for fact := range transcript.Questions {
		if value, err := transcript.CheckFact(fact, "Unknown"); err != nil || value != "unknown" {
			t.Errorf("%s: %q, %v", fact, value, err)
		}
	}
}

// At rates so low that both kinds of MB agree with the operations beside them, KDiskMark's MB still have 1,024,000
// bytes.
func TestTheMBOfKDiskMark(t *testing.T) {
	t.Parallel()
	slow := strings.Replace(text(t, "kdiskmark-3.2.txt"), "0.960 MB/s [    240.0 IOPS]", "0.040 MB/s [     10.0 IOPS]", 1)
	read, err := transcript.Read(slow, map[string]string{"direct": "yes"})
	if err != nil {
		t.Fatal(err)
	}
	last := read.Outputs[1].Tests[3]
	if got := last.Figures().MBPerS; got < 0.0409 || got > 0.041 {
		t.Errorf("%s: %g MB/s, want 0.04096", last.Name, got)
	}
}

// json+'s histogram has the percentiles that fio prints beside it, to within the width of its bins. A histogram that
// doesn't count each operation is left out, and the percentiles are read instead.
func TestTheHistogramOfFio(t *testing.T) {
	t.Parallel()
	plus := text(t, "fio-plus.json")
	for name, c := range map[string]struct {
		text string
		ops  int64
		left string
	}{
		"as it is":           {plus, 2048, ""},
		"one operation less": {strings.Replace(plus, `"17280" : 2,`, `"17280" : 1,`, 1), 0, "doesn't count all its 2048 operations"},
		"one more":           {strings.Replace(plus, `"17280" : 2,`, `"17280" : 3,`, 1), 0, "doesn't count all its 2048 operations"},
		"no latency":         {strings.Replace(plus, `"17280" : 2,`, `"soon" : 2,`, 1), 0, "doesn't count all its 2048 operations"},
	} {
		read, err := transcript.Read(c.text, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		test := read.Outputs[0].Tests[0]
		var ops int64
		for _, bucket := range test.Latency {
			ops += bucket.Count()
		}
		if left := strings.Join(shown(read, nil), "\n"); ops != c.ops || !strings.Contains(left, c.left) {
			t.Errorf("%s: %d operations, want %d, and %q in:\n%s", name, ops, c.ops, c.left, left)
		}
		figures := test.Figures()
		for want, got := range map[int64]*int64{45824: figures.P50NS, 9371648: figures.P99NS} {
			if got == nil || math.Abs(float64(*got-want)) > 0.02*float64(want) {
				t.Errorf("%s: %v ns, fio printed %d", name, got, want)
			}
		}
	}
}
