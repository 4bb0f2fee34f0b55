package transcript_test

import (
	"math"
	"strings"
	"testing"

	"flashdex/client/transcript"
)

// Other units, another language and damage: each line is what a text must give, or "" for no test at all.
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

// What PiBenchmarks' own line and its last table both show counts once, and what one of them shows counts, too.
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

// What f3probe found goes to F3's rates in the same text that nobody checked, and to no others there.
func TestWhatF3probeFoundGoesToTheRatesBesideIt(t *testing.T) {
	t.Parallel()
	write, read, probe := text(t, "f3write.txt"), text(t, "f3read.txt"), text(t, "f3probe.txt")
	// F3's documentation shows such an answer about a card that is smaller than it says.
	fake := strings.NewReplacer("Good news: The device `/dev/loop0' is the real thing",
		"Bad news: The device `/dev/loop0' is a counterfeit of type limbo", "220.00 MB (450560 blocks)\n\t        Announced",
		"8.00 MB (16384 blocks)\n\t        Announced").Replace(probe)
	found := "right: 8388608 of 230686720 bytes"
	for name, c := range map[string]struct {
		text    string
		results int
		says    string
	}{
		"alone":          {probe, 0, "f3probe found no fake: all of 0.231 GB is usable. That is no result"},
		"a fake":         {write + fake, 1, found},
		"before":         {fake + write, 1, found},
		"marked":         {write + fake, 1, "f3 8.0 checked=f3probe"},
		"beside f3read":  {read + fake, 1, "f3probe found a fake: only 0.00839 of 0.231 GB is usable. That is no"},
		"beside another": {text(t, "hdparm-direct.txt") + fake, 1, "f3probe found a fake"},
		"twice":          {write + fake + probe, 1, "f3probe found no fake"},
		"of another device": {text(t, "hdparm-direct.txt") + strings.Replace(probe, "loop0", "sdb", 1), 0,
			"2 devices (loop0, sdb)"},
		"beside a card that failed": {text(t, "f3-session.txt"), 2, "2 volumes (/media/card, /media/other)"},
		"cut off":                   {write + probe[:strings.Index(probe, "Physical")], 1, "not whole"},
		"larger than announced":     {write + strings.Replace(probe, "(450560", "(950560", 1), 1, "contradict each other"},
		"in huge blocks":            {write + strings.Replace(probe, "(2^9 ", "(2^40 ", 1), 1, "contradict each other"},
		"damaged":                   {write + strings.Replace(probe, "(450560", "(45x560", 1), 1, "is damaged"},
	} {
		got, err := transcript.Read(c.text, nil)
		said := strings.Join(shown(got, err), "\n")
		if len(got.Outputs) != c.results || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d results, want %d and %q; read:\n%s", name, len(got.Outputs), c.results, c.says, said)
		}
	}
}

// No German text about errors was found, so it is left out beside the rates, and nothing is guessed of it.
func TestH2testwInGerman(t *testing.T) {
	t.Parallel()
	whole := text(t, "h2testw-de.txt")
	_, rates, _ := strings.Cut(whole, "überprüfen.\n")
	first, _, _ := strings.Cut(whole, "\n")
	const write, read = "seq-write 1048576 qd1 none cached complete: 43.4 MB/s",
		"seq-read 1048576 qd1 none cached complete: 66.0 MB/s"
	for name, c := range map[string]struct {
		text string
		says []string
		not  string
	}{
		"whole":          {whole, []string{"h2testw 1.4\n  right: 125062610944 of 125062610944", write, read}, "left out"},
		"with errors":    {first + "\n3,8 GByte OK (7 ?)\n" + rates, []string{write, read, "choose English"}, "is damaged"},
		"errors, whole":  {"3,8 GByte OK (7 ?)\n" + rates, []string{write, read, "choose English"}, "right"},
		"verified alone": {strings.Replace(whole, "Schreibrate: 41,4 MByte/s\n", "", 1), []string{"right", read}, write},
		"rates of another program": {strings.Replace(rates, "H2testw v1.4", "", 1),
			[]string{"a rate that belongs to no output that can be read: Schreibrate: 41,4"}, "seq-"},
		"behind F3 that broke off": {text(t, "f3write.txt")[:100] + "\n" + whole,
			[]string{"h2testw 1.4\n  right", write, read, "f3: no rate; the output is not whole"}, "f3 8.0"},
		"damaged": {strings.Replace(whole, "41,4", "4l,4", 1), []string{"is damaged"}, "seq-write"},
		"three":   {whole + text(t, "h2testw-ok.txt") + whole, []string{write, "right: 31569477632"}, "left out"},
	} {
		said := strings.Join(shown(transcript.Read(c.text, nil)), "\n")
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: want %q; read:\n%s", name, want, said)
			}
		}
		if strings.Contains(said, c.not) {
			t.Errorf("%s: %q isn't in the text; read:\n%s", name, c.not, said)
		}
	}
}

// What f3probe found goes to F3's rates in another file, too, unless files differ in it or show several places.
func TestWhatF3probeFoundGoesToTheRatesInAnotherFile(t *testing.T) {
	t.Parallel()
	write, read, probe := text(t, "f3write.txt"), text(t, "f3read.txt"), text(t, "f3probe.txt")
	sdb := strings.Replace(probe, "loop0", "sdb", 1)
	smaller := strings.Replace(probe, "220.00 MB (450560", "8.00 MB (16384", 1)
	failed := "$ f3write /media/other\n" + write[:strings.Index(write, "Free")] + "\n$ f3write /media/card\n"
	const alone, found = "it measures no rate", "\n  right: 230686720 of 230686720 bytes"
	for name, c := range map[string]struct {
		texts   []string
		results int
		says    []string // of each file, a part
	}{
		"behind":                  {[]string{write, probe}, 1, []string{"checked=f3probe" + found, ""}},
		"before":                  {[]string{probe, write}, 1, []string{"", "checked=f3probe" + found}},
		"of two rates":            {[]string{write, probe, write}, 2, []string{found, "", found}},
		"found twice":             {[]string{probe, probe, write}, 1, []string{"", "", found}},
		"found otherwise":         {[]string{probe, smaller, write}, 1, []string{alone, alone, "f3 8.0\n  seq"}},
		"otherwise beside a rate": {[]string{write + probe, smaller, write}, 2, []string{found, alone, "f3 8.0\n  seq"}},
		"beside f3read":           {[]string{read, probe}, 1, []string{"f3 8.0\n  right: 194510848", alone}},
		"beside another tool":     {[]string{text(t, "dd-busybox.txt"), probe}, 1, []string{"dd BusyBox", alone}},
		"of another device": {[]string{write + text(t, "hdparm-direct.txt"), sdb}, 1,
			[]string{"f3 8.0\n  seq", "2 devices"}},
		"beside a card that failed": {[]string{failed + write, probe}, 1, []string{"f3 8.0\n  seq", "2 volumes"}},
		"of several cards": {[]string{"$ f3write /media/a\n" + write, "$ f3write /media/b\n" + write, probe}, 0,
			[]string{"2 volumes", "2 volumes", "2 volumes"}},
	} {
		var beside []transcript.Transcript
		for _, content := range c.texts {
			got, _ := transcript.Read(content, nil)
			beside = append(beside, got)
		}
		results := 0
		for i, content := range c.texts {
			got, err := transcript.Read(content, nil, beside...)
			results += len(got.Outputs)
			said := strings.Join(shown(got, err), "\n")
			if !strings.Contains(said, c.says[i]) || c.says[i] == "" && said != "" {
				t.Errorf("%s, file %d: want %q; read:\n%s", name, i, c.says[i], said)
			}
		}
		if results != c.results {
			t.Errorf("%s: %d results, want %d", name, results, c.results)
		}
	}
}

// AmorphousDiskMark's whole text by its own format (AppDelegate.m at 73a6972); what it copies goes past the cache of
// macOS and is flushed.
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

// What differs between the versions of these programs, and what people cut off or write into them.
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

// A command over several lines, as guides print it, tells what the text doesn't show.
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

// Other names of options, options that make another test of it, and those that flush now and then.
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

// What nobody knows of one output leaves it out alone. Outputs that show it stay as they are.
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

// At rates so low that the operations beside them fit to both, KDiskMark's MB still have 1,024,000 bytes.
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

// What armbianmonitor -c prints: F3 and iozone, and then their figures once more.
func TestASummaryCountsNothingTwice(t *testing.T) {
	t.Parallel()
	body := func(name string) string {
		whole := text(t, name)
		return whole[strings.Index(whole, "\n\n")+2:]
	}
	const summary = `
The results from testing /dev/mmcblk0p1 (ext4):
  Data OK: 185.50 MB (379904 sectors)
Data LOST: 0.00 Byte (0 sectors)
Average writing speed: 22.40 MB/s
Average reading speed: 20.17 MB/s
                                            random    random
reclen    write  rewrite    read    reread    read     write
    4     7871     7966     3197     5010     6392     5781
  512    19321    21099    19912    20906    20748    20737

Health summary: OK

Performance summary:
Sequential reading speed: 20.17 MB/s
 4K random reading speed: 6392 KB/s
Sequential writing speed: 22.40 MB/s
 4K random writing speed: 5781 KB/s
`
	above := "Starting to fill /dev/mmcblk0p1 with test patterns\n" + body("f3write.txt") +
		"\nNow verifying the written data:\n" + body("f3read.txt") + "\nStarting iozone tests.\n" + text(t, "iozone-a.txt")
	want, err := transcript.Read(above, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcript.Read(above+summary+"\nWriting: 5 MB/s\n", nil)
	said := strings.Join(shown(got, err), "\n")
	if !strings.HasPrefix(said, strings.Join(shown(want, nil), "\n")) || len(got.Outputs) != 3 || len(got.LeftOut) != 2 ||
		!strings.Contains(said, "a summary of figures that stand above") || !strings.Contains(said, "5 MB/s") {
		t.Errorf("with its summary:\n%s", said)
	}
	alone, err := transcript.Read(summary, nil)
	said = strings.Join(shown(alone, err), "\n")
	if len(alone.Outputs) != 1 || len(alone.Outputs[0].Tests) != 2 || alone.Outputs[0].Checked == nil ||
		!strings.Contains(said, "lacks the sizes of the files") {
		t.Errorf("the summary alone:\n%s", said)
	}
}

// The histogram of json+ has the percentiles that fio prints beside it, to within the width of its bins. One that
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
