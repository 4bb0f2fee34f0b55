package transcript_test

import (
	"strings"
	"testing"

	"flashdex/client/transcript"
)

// The table of `iozone -i 0 -i 1 -i 2`, as people copy it.
const iozoneTable = `
        random    random
    kB  reclen    write  rewrite    read    reread    read     write
102400       4     3877     5004     5184     5193     4553     4943

`

// People cut off the lines that iozone prints about its options, but leave their command.
func TestACommandOfIozoneTellsHowItMeasured(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"iozone -e -I -a -s 100M -r 4k":                        "-e -I -a -s 100M -r 4k; fsync direct",
		"iozone -RaeI -i 0 -i1 -i 2 -y4k -q 1M -s50m -f/mnt/x": "-R -a -e -I -i 0 -i 1 -i 2 -y 4k -q 1M -s 50m; fsync direct",
		"./iozone -i 0 -i 1 -i 2 -Io -O -s 512m":               "-i 0 -i 1 -i 2 -I -o -O -s 512m; sync direct",
		"iozone -a -+D -f /mnt/card/64":                        "-a -+D; dsync cached",
		"iozone -a -+r -I":                                     "-a -+r -I; sync direct",
		"iozone -a | tee -I log":                               "-a; none cached",
		"iozone -a -e -I -f /Volumes/card/x":                   "-a -e -I; fsync cached", // F_NOCACHE of macOS
		"iozone -a -N":                                         "times of single operations",
		"iozone -Iat 4":                                        "several processes at once",
		"iozone -a -H 8":                                       "asynchronous I/O",
	} {
		read, err := transcript.Read("$ "+command+iozoneTable, nil)
		got := strings.Join(shown(read, err), "\n")
		if err == nil {
			fields := strings.Fields(line(&read.Outputs[0].Tests[0]))
			got = read.Outputs[0].Options + "; " + fields[3] + " " + fields[4]
		}
		if got != want && !strings.Contains(got, "error: ") || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

// Three passes under one head are three results. None of them is lost.
func TestARowOfTheSameSizeIsOneMoreResult(t *testing.T) {
	t.Parallel()
	row := "102400       4     3877     5004     5184     5193     4553     4943\n"
	more := strings.Replace(row, "3877", "3900", 1) + strings.Replace(row, "102400", " 51200", 1)
	again := strings.Replace(iozoneTable, row, row+more, 1)
	read, err := transcript.Read("$ iozone -aeI"+again, nil)
	if err != nil || len(read.Outputs) != 2 || len(read.LeftOut) != 1 ||
		!strings.Contains(read.LeftOut[0], "1 rows of smaller files") {
		t.Fatalf("%v: %s", err, strings.Join(shown(read, err), "\n"))
	}
	if a, b := read.Outputs[0].Tests[0], read.Outputs[1].Tests[0]; a.DurationNS <= b.DurationNS {
		t.Errorf("%+v, then %+v", a, b)
	}
}

// A table may end early because iozone still runs, or because somebody copied a part. Its whole rows count. Its last
// row counts if the table's end is shown. That is so with and without the text that iozone prints above the table.
func TestATableThatEndsEarlyGivesItsWholeRows(t *testing.T) {
	t.Parallel()
	facts := map[string]string{"unit": "kb", "direct": "yes", "sync": "fsync"}
	whole, _, _ := strings.Cut(text(t, "iozone-a.txt"), "iozone test complete")
	whole = strings.TrimSpace(whole) // it ends with the last figure of its last row
	const complete, cut = "\"iozone test complete.\", is missing", "the text ends with this row"
	for name, c := range map[string]struct {
		text  string
		tests int
		says  string
	}{
		"whole rows":            {whole + "\n", 12, ""},
		"no end of the line":    {whole, 6, cut},
		"a figure cut off":      {whole[:len(whole)-2], 6, cut},
		"a row cut off":         {whole[:len(whole)-12], 6, cut},
		"a row cut off, a line": {whole[:len(whole)-12] + "\n\n", 6, "not as many figures"},
		"stopped":               {whole[:len(whole)-12] + "\n$ ls\n", 6, "not as many figures"},
		"the first row cut off": {strings.Replace(whole, "     6392     5781", "", 1) + "\n", 0, ""},
		"one row":               {whole[:strings.Index(whole, "   51200     512")-20], 0, cut},
	} {
		head := strings.Index(c.text, "      random")
		for how, text := range map[string]string{"with the banner": c.text, "without": c.text[head:]} {
			read, err := transcript.Read(text, facts)
			if how == "with the banner" {
				read, err = transcript.Read(text, nil)
			}
			said, tests := strings.Join(shown(read, err), "\n"), 0
			for _, out := range read.Outputs {
				tests += len(out.Tests)
			}
			noEnd := how == "with the banner" && c.tests > 0
			if tests != c.tests || !strings.Contains(said, c.says) || noEnd != strings.Contains(said, complete) {
				t.Errorf("%s, %s: %d tests, want %d and %q; read:\n%s", name, how, tests, c.tests, c.says, said)
			}
		}
	}
}

// If the command is shown, it tells whether -+n left out a test.
func TestAZeroOfIozone(t *testing.T) {
	t.Parallel()
	const slow, both = "iozone prints 0 for less than 1 a second", "and for what -+n leaves out"
	zero := text(t, "iozone-510-zero.txt")
	for content, leaves := range map[string]bool{
		zero: false, strings.Replace(zero, "iozone -e", "iozone -+n -e", 1): true, text(t, "iozone-no-retest.txt"): true,
	} {
		said := strings.Join(shown(read(content)), "\n")
		if !strings.Contains(said, slow) || strings.Contains(said, both) != leaves {
			t.Errorf("want %t that -+n may leave it out: %s", leaves, said)
		}
	}
}

// Bars and tabs separate the columns of a table that people made, even if a cell is empty. A row that ends early was
// cut off.
func TestTheCellsOfATableMadeByHand(t *testing.T) {
	t.Parallel()
	facts := map[string]string{"unit": "kb", "direct": "yes", "sync": "fsync"}
	head := "| KB | reclen | random read | random write |\n|---|---|---|---|\n"
	for text, want := range map[string]string{
		head + "| 51200 | 4 | 6392 | 5781 |\n":                                  "rand-read 4096 qd1 none direct complete",
		head + "| 51200 | 4 | 6392 | 5781 |\n| 51200 | 8 | | 5781 |\n":          "rand-write 8192 qd1 fsync direct",
		head + "| 51200 | 4 | 6392 | 5781 |\n| 51200 | 8 | 6392 |\n":            "the output is not whole",
		"KB\treclen\trandom read\n51200\t4\t6392\n\n":                           "rand-read 4096 qd1 none direct complete",
		strings.Replace(head, "reclen", "reclen | other", 1) + "\n":             `"other"`,
		strings.Replace(head, "random write", "write", 1) + "| 8 | 4 |1|2|\n\n": "seq-write 4096 qd1 fsync direct",
	} {
		if got := strings.Join(shown(transcript.Read(text, facts)), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s in:\n%s", text, want, got)
		}
	}
}
