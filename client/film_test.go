package main

import (
	"os"
	"strings"
	"testing"
)

// The site shows a session. The report in it is the one that the client prints today.
func TestFilmHasTodaysReport(t *testing.T) {
	t.Parallel()
	film, err := os.ReadFile("../site/assets/code/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	var filmed strings.Builder
	for line := range strings.Lines(string(film)) {
		const times = "2:01  "
		filmed.WriteString(strings.TrimPrefix(line, line[:min(len(line)-1, len(times))]))
	}
	command, _ := client(t, "show", "testdata/film.json")
	command.Env = append(command.Env, "LC_ALL=C.UTF-8")
	report := strings.TrimSpace(shownOn(t, command, 80))
	if len(report) < 1000 || !strings.Contains(filmed.String(), report) {
		t.Errorf("record it again: go test ./e2e/guest -run TestFilm -film ../../site/assets/code/session.txt\n%s\n%s",
			report, filmed.String())
	}
}
