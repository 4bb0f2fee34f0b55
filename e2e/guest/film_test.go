package guest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var film = flag.String("film", "", "record a session at a terminal into this file, and its result into film.json")

// TestFilm records what a user sees at a terminal of 80 columns while a card is measured.
func TestFilm(t *testing.T) {
	if *film == "" {
		t.Skip("records what is on the site: " +
			"go test ./e2e/guest -run TestFilm -film ../../site/assets/code/session.txt")
	}
	card := cardModel{Open: 2, Hit: 4 * time.Millisecond, Merge: 30 * time.Millisecond, GCEvery: 200,
		GC: 300 * time.Millisecond, ReadLatency: time.Millisecond, WriteMBPerS: 20, ReadMBPerS: 40}
	files, _ := trial{bus: sd, filesystem: "ext4", model: card, programs: []string{"script"}}.run(t, `
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
export HOME=/home/pi SHELL=/bin/sh LANG=C.UTF-8
script --quiet --log-out /out/shown --log-timing /out/timing --command 'stty cols 80; /flashdex --no-upload /mnt' || exit
cp /home/pi/.local/share/flashdex/*.json /out/result.json`)
	succeeded(t, files)
	_, shown, _ := bytes.Cut(files["shown"], []byte("\n")) // the first line is of script
	played := "      $ flashdex /mnt\n" + played(t, string(shown), string(files["timing"]))
	if err := os.WriteFile(*film, []byte(played), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../../client/testdata/film.json", files["result.json"], 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + played)
}

// played returns the lines that a terminal showed in the end. Each has the time when it was whole, unless the line
// before has the same. timing has the seconds between pieces of the output, and the bytes in each piece.
func played(t *testing.T, shown, timing string) string {
	t.Helper()
	var lines strings.Builder
	var line, before string
	var seconds float64
	for row := range strings.Lines(timing) {
		var pause float64
		var n int
		if _, err := fmt.Sscan(row, &pause, &n); err != nil {
			t.Fatalf("%v in %q", err, row)
		}
		seconds += pause
		line += shown[:n]
		shown = shown[n:]
		for {
			whole, rest, ended := strings.Cut(line, "\r\n")
			if !ended {
				break
			}
			line = rest
			at := fmt.Sprintf("%d:%02d", int(seconds)/60, int(seconds)%60)
			if at == before {
				at = ""
			} else {
				before = at
			}
			last := whole[strings.LastIndex(whole, "\r")+1:]
			last = strings.ReplaceAll(last, "\x1b[K", "")
			fmt.Fprintln(&lines, strings.TrimRight(fmt.Sprintf("%4s  %s", at, last), " "))
		}
	}
	return lines.String()
}
