package transcript_test

import (
	"strings"
	"testing"

	"flashdex/client/transcript"
)

// f3probe's finding goes to F3's rates in the same text that nothing checked, and to no other rates there.
func TestWhatF3probeFoundGoesToTheRatesBesideIt(t *testing.T) {
	t.Parallel()
	write, read, probe := text(t, "f3write.txt"), text(t, "f3read.txt"), text(t, "f3probe.txt")
	// F3's documentation shows such an answer, about a card that is smaller than it claims.
	fake := strings.NewReplacer("Good news: The device `/dev/loop0' is the real thing",
		"Bad news: The device `/dev/loop0' is a counterfeit of type limbo", "220.00 MB (450560 blocks)\n\t        Announced",
		"8.00 MB (16384 blocks)\n\t        Announced").Replace(probe)
	found := "right: 8388608 of 230686720 bytes"
	for name, c := range map[string]struct {
		text    string
		results int
		says    string
	}{
		"alone":          {probe, 0, "f3: f3probe found that all of 0.231 GB is usable. That is no result"},
		"a fake":         {write + fake, 1, found},
		"before":         {fake + write, 1, found},
		"marked":         {write + fake, 1, "f3 8.0 checked=f3probe"},
		"beside f3read":  {read + fake, 1, "f3probe found that only 0.00839 of 0.231 GB is usable. That is no"},
		"beside another": {text(t, "hdparm-direct.txt") + fake, 1, "f3probe found that only"},
		"twice":          {write + fake + probe, 1, "f3probe found that all of"},
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

// A few bits that changed are no lost data, and a part of a volume isn't the whole.
func TestWhatIsSlightlyChangedAndWhatWasNotTestedIsKept(t *testing.T) {
	t.Parallel()
	lost := strings.NewReplacer("LOST: 512.00 Byte (1 sectors)", "LOST: 10.00 MB (20480 sectors)",
		"changed: 0.00 Byte (0 sectors)", "changed: 8.00 MB (16384 sectors)").Replace(text(t, "f3read-lost.txt"))
	h2testw := strings.Replace(text(t, "h2testw-lost.txt"), "8 bit/sector, 0 sectors", "8 bit/sector, 2048 sectors", 1)
	const part = "bytes, 1048576 slightly changed, of a volume of 67092086784"
	for content, want := range map[string]string{
		lost:    "right: 194510336 of 204996096 bytes, 8388608 slightly changed",
		h2testw: part,
		strings.ReplaceAll(h2testw, "\nDetails", " Details"): part,
		text(t, "h2testw-de.txt"):                            "of 125062610944 bytes, of a volume of 125063659520",
		strings.Replace(lost, "(16384 ", "(x ", 1):           "is damaged",
	} {
		if said := strings.Join(shown(transcript.Read(content, nil)), "\n"); !strings.Contains(said, want) {
			t.Errorf("want %q; read:\n%s", want, said)
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

// f3probe's finding goes to F3's rates in another file, too, unless the files disagree about it or show several places.
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
		says    []string // a part of each file's message
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

// armbianmonitor -c prints the output of F3 and iozone, and then repeats their figures.
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
