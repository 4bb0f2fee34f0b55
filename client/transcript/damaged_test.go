package transcript_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"flashdex/client/transcript"
	"flashdex/result"
	"flashdex/result/schema"
)

var allTold = map[string]string{
	"direct": "yes", "sync": "none", "test": result.SeqWrite, "unit": "kb", "block-size": "512",
}

// read reads a text, and again with the facts that it leaves open.
func read(content string) (transcript.Transcript, error) {
	got, err := transcript.Read(content, nil)
	facts := map[string]string{}
	for {
		missing, ok := errors.AsType[*transcript.MissingError](err)
		if !ok {
			return got, err
		}
		for _, fact := range missing.Facts {
			facts[fact] = allTold[fact]
		}
		got, err = transcript.Read(content, facts)
	}
}

// figures lists the rates of all runs that were read. An output may give the moved bytes only further on.
func figures(read transcript.Transcript) map[string][]float64 {
	all := map[string][]float64{}
	for _, out := range read.Outputs {
		for i := range out.Tests {
			t := &out.Tests[i]
			runs := t.Intervals
			if len(runs) == 0 || out.Tool == result.ToolImager {
				runs = []result.Interval{{Bytes: t.Bytes, NS: t.DurationNS}}
			}
			for _, v := range runs {
				test := fmt.Sprintf("%s: %s %d", out.Tool, t.Name, t.BlockBytes)
				all[test] = append(all[test], float64(v.Bytes)*1e3/float64(v.NS))
			}
		}
	}
	return all
}

// close reports whether two rates differ by no more than their rounding to ns.
func close(a, b float64) bool { return math.Abs(a/b-1) < 1e-4 }

// If a real output is cut off after any of its lines or in the middle of one, its figures are still figures of the
// whole output.
func TestACutOffOutputHasNoOtherFigures(t *testing.T) {
	t.Parallel()
	for _, file := range outputs(t) {
		name := filepath.Base(file)
		content := text(t, name)
		whole, err := read(content)
		want := figures(whole)
		if err != nil {
			want = nil
		}
		for at := range content {
			if content[at] != '\n' {
				continue
			}
			before := strings.LastIndexByte(content[:at], '\n') + 1
			for _, end := range []int{at, (before + at) / 2, at - 1} {
				if end <= 0 {
					continue
				}
				cut, err := read(content[:end])
				if err != nil {
					continue
				}
				for test, rates := range figures(cut) {
					for _, rate := range rates {
						if !slices.ContainsFunc(want[test], func(v float64) bool { return close(v, rate) }) {
							t.Errorf("%s, cut off in line %d: %s %g MB/s, want one of %g", name,
								strings.Count(content[:at], "\n")+1, test, rate, want[test])
						}
					}
				}
			}
		}
	}
}

// Three runs in a log of Raspberry Pi Diagnostics: the damaged one is left out alone.
func TestADamagedRunHoldsBackNoOther(t *testing.T) {
	t.Parallel()
	log := text(t, "agnostics-2020.txt")
	for name, c := range map[string]struct{ from, to, says string }{
		"a row cut off":   {"rand-4k-read;1150;287;0;0", "rand-4k-read;1150;28", "run 2: line 13: "},
		"a letter":        {"seq-write;0;0;20667;40", "seq-write;0;0;2o667;40", "run 2: line 11: "},
		"a row twice":     {"rand-4k-read;1150;287;0;0", "seq-write;0;0;20667;40", "run 2: line 13: "},
		"a row missing":   {"rand-4k-read;1150;287;0;0", "", "run 2: rand-4k-read is missing"},
		"the file's row":  {"prepare-file;0;0;20871;40", "prepare-file;0;0;20871", "run 2: line 10: "},
		"of the last run": {"rand-4k-read;1170;292;0;0", "rand-4k-read;1170;292;0", "run 3: line 21: "},
	} {
		read, err := transcript.Read(strings.Replace(log, c.from, c.to, 1), nil)
		said := strings.Join(shown(read, err), "\n")
		if strings.Count(said, " in 2 intervals") != 3 || !strings.Contains(said, c.says) {
			t.Errorf("%s: want 3 tests in 2 intervals, and %q; read:\n%s", name, c.says, said)
		}
	}
}

// Whatever replaces a number, the text is read as a document that the schema accepts, or not at all.
func TestADamagedNumberGivesAValidDocumentOrNone(t *testing.T) {
	t.Parallel()
	for _, file := range outputs(t) {
		content := text(t, filepath.Base(file))
		numbers := regexp.MustCompile(`\d+([.,]\d+)?`).FindAllStringIndex(content, -1)
		for _, at := range numbers[:min(len(numbers), 40)] {
			for _, other := range []string{"0", "-1", "999999999999999", "0.0000001"} {
				got, err := read(content[:at[0]] + other + content[at[1]:])
				if err != nil {
					continue
				}
				for i := range got.Outputs {
					doc := result.Document{
						SchemaVersion: result.SchemaVersion, ID: "01234567-0123-4123-8123-0123456789ab",
						StartedAt: "2026-11-25T10:00:00Z",
						Module:    result.Module{Vendor: "SanDisk", Product: "Ultra", CapacityGB: 32, Form: "microsd"},
						Spoilers:  []string{}, Client: result.Client{Name: "flashdex", Version: "1", Platform: "site/import"},
					}
					got.Outputs[i].Fill(&doc)
					body, err := json.Marshal(doc)
					if err == nil {
						_, err = schema.Read(body)
					}
					if err != nil {
						t.Errorf("%s, %s in line %d instead of %s: %v", file, other, strings.Count(content[:at[0]], "\n")+1,
							content[at[0]:at[1]], err)
					}
				}
			}
		}
	}
}

// wide writes UTF-16 with its mark.
func wide(content string, order binary.AppendByteOrder) string {
	var all []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + content)) {
		all = order.AppendUint16(all, unit)
	}
	return string(all)
}

// Quotes, indentation, CRLF, UTF-16 and surrounding text change no figure.
func TestHowAnOutputIsQuotedChangesNoFigure(t *testing.T) {
	t.Parallel()
	for _, file := range outputs(t) {
		name := filepath.Base(file)
		content := text(t, name)
		whole, err := read(content)
		if err != nil {
			continue
		}
		want := shown(whole, nil)
		each := func(change func(string) string) string {
			lines := strings.Split(content, "\n")
			for i, line := range lines {
				lines[i] = change(line)
			}
			return strings.Join(lines, "\n")
		}
		for how, changed := range map[string]string{
			"quoted":                    each(func(line string) string { return "> " + line }),
			"coloured":                  each(func(line string) string { return "\x1b[01;32m" + line + "\x1b[K\x1b(B\x1b[m" }),
			"with titles":               each(func(line string) string { return "\x1b]0;pi: ~\a" + line }),
			"CRLF":                      strings.ReplaceAll(content, "\n", "\r\n"),
			"with a mark":               "\ufeff" + content,
			"UTF-16":                    wide(content, binary.LittleEndian),
			"UTF-16 of the other order": wide(content, binary.BigEndian),
		} {
			if how == "CRLF" && strings.Contains(content, "\r") {
				continue
			}
			got, err := read(changed)
			if err != nil || !slices.Equal(shown(got, nil), want) {
				t.Errorf("%s, %s: %v\n%s\nwant\n%s", name, how, err, strings.Join(shown(got, nil), "\n"), strings.Join(want, "\n"))
			}
		}
		got, err := read("Hello,\n\n" + each(func(line string) string { return "    " + line }) + "\n\nbye\n")
		if err != nil || len(figures(got)) != len(figures(whole)) {
			t.Errorf("%s, indented: %v: %d figures, want %d", name, err, len(figures(got)), len(figures(whole)))
		}
	}
}

// rePlace finds the parts of outputs that show different modules.
var rePlace = regexp.MustCompile(`/dev/(loop\d|sd[ac])|/media/[^ ]*|/Volumes/[^ ]*|Card size: .*`)

// All real outputs in one text give the same results as one by one.
func TestOutputsInOneTextGiveWhatTheyGiveAlone(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	want := map[string][]float64{}
	for _, file := range outputs(t) {
		name := filepath.Base(file)
		content := text(t, name)
		if _, err := transcript.Read(content, nil); err != nil {
			continue // it leaves facts open, or is refused
		}
		whole, _ := read(content)
		for test, rates := range figures(whole) {
			want[test] = append(want[test], rates...)
		}
		all.WriteString(rePlace.ReplaceAllString(content, "/dev/loop0") + "\n\n") // as if of one module
	}
	got, err := transcript.Read(all.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	have := figures(got)
	for test := range have {
		slices.Sort(have[test])
		slices.Sort(want[test])
		if !slices.EqualFunc(have[test], want[test], close) {
			t.Errorf("%s: %g, want %g", test, have[test], want[test])
		}
		delete(want, test)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
