package main

import (
	"os"
	"strings"
	"testing"

	"flashdex/client/qr"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

func TestRankOf(t *testing.T) {
	t.Parallel()
	const figure = "rand_write_iops"
	of := func(form string, above, modules int) *spool.Standing {
		return &spool.Standing{Figure: figure, Above: 24, Modules: 144,
			OfForm: &spool.FormStanding{Form: form, Above: above, Modules: modules}}
	}
	const ofAll = "4K random write: faster than 83 % of 144 measured modules (rank 25)"
	for _, c := range []struct {
		standing *spool.Standing
		want     string
		percent  int
	}{
		{nil, "", 0},
		{&spool.Standing{Figure: figure, Above: 24, Modules: 144}, ofAll, 83},
		{&spool.Standing{Figure: figure, Above: 0, Modules: 1},
			"4K random write: no measured module is faster (rank 1 of 1)", 0},
		{&spool.Standing{Figure: figure, Above: 144, Modules: 144},
			"4K random write: faster than 0 % of 144 measured modules (rank 145)", 0},
		{&spool.Standing{Figure: figure, Above: 9, Modules: 1000},
			"4K random write: faster than 99 % of 1,000 measured modules (rank 10)", 99},
		{of("microsd", 12, 42), "4K random write: faster than 71 % of 42 microSD cards (rank 13)", 71},
		{of("usb", 0, 10), "4K random write: none of 10 USB sticks is faster (rank 1)", 90},
		{of("microsd", 2, 9), ofAll, 83},
		{of("other", 2, 20), ofAll, 83},
		{of("\x1b", 2, 20), ofAll, 83},
		{&spool.Standing{Figure: "rand_write_\x1b", Modules: 1}, "", 0},
	} {
		if got, percent := rankOf(c.standing); got != c.want || percent != c.percent {
			t.Errorf("%+v is %q, %d %%, want %q, %d %%", c.standing, got, percent, c.want, c.percent)
		}
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		percent, columns int
		utf8             bool
		want             string
	}{
		{71, 10, true, "███████───"}, {71, 10, false, "#######---"}, {0, 3, false, "---"}, {100, 3, true, "███"},
		{50, 400, false, strings.Repeat("#", 25) + strings.Repeat("-", 25)},
	} {
		if got := share(c.percent, c.columns, c.utf8); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// uploadedOn uploads a result on a terminal of that many lines and columns and returns what it shows.
func uploadedOn(t *testing.T, lines, columns uint16, env ...string) string {
	t.Helper()
	site := sitetest.Start(t)
	doc := exampleResult(t)
	command, spoolDir := client(t, "upload", "--site", site.URL)
	if err := os.Mkdir(spoolDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (spool.Spool{Dir: spoolDir}).Save(doc); err != nil {
		t.Fatal(err)
	}
	command.Env = append(command.Env, env...)
	return shownOn(t, command, columns, lines)
}

// On a terminal, the rank has a bar, in characters that the terminal shows. The transcripts have no terminal, and so no
// bar.
func TestRankHasABarOnATerminal(t *testing.T) {
	t.Parallel()
	for env, bar := range map[string]string{
		"LC_ALL=C.UTF-8": strings.Repeat("█", 35) + strings.Repeat("─", 15),
		"LC_ALL=C":       strings.Repeat("#", 35) + strings.Repeat("-", 15),
	} {
		shown := uploadedOn(t, 24, 80, env)
		want := "  rank    4K random write: faster than 71 % of 143 microSD cards (rank 42)\n          " + bar + "\n"
		if !strings.Contains(shown, want) {
			t.Errorf("%s: %q isn't in:\n%s", env, want, shown)
		}
	}
}

// The address is drawn where it can be read, and nowhere else.
func TestAddressIsDrawnWhereItCanBeRead(t *testing.T) {
	t.Parallel()
	const address = "https://x.test/r/1" // on the test's site
	code, err := qr.Encode(address)
	if err != nil {
		t.Fatal(err)
	}
	width := uint16(code.Width())
	for _, c := range []struct {
		name           string
		lines, columns uint16
		locale, term   string
		drawn          bool
	}{
		{"usual", 24, 80, "C.UTF-8", "xterm", true}, {"just enough", width/2 + 2, width, "C.UTF-8", "xterm", true},
		{"too low", width/2 + 1, 80, "C.UTF-8", "xterm", false}, {"too narrow", 24, width - 1, "C.UTF-8", "xterm", false},
		{"no UTF-8", 24, 80, "C", "xterm", false}, {"dumb", 24, 80, "C.UTF-8", "dumb", false},
		{"a height that nobody knows", 0, 80, "C.UTF-8", "vt220", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			shown := uploadedOn(t, c.lines, c.columns, "LC_ALL="+c.locale, "TERM="+c.term)
			if !strings.Contains(shown, "  result  "+address+"\n") {
				t.Errorf("no address in:\n%s", shown)
			}
			if strings.HasSuffix(shown, "\n\n"+code.Blocks()) != c.drawn || strings.Contains(shown, "\x1b") != c.drawn {
				t.Errorf("drawn must be %v:\n%s", c.drawn, shown)
			}
		})
	}
}
