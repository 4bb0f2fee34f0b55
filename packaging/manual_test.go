package packaging

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the man page anew")

// TestManualIsTheHelp compares the man page with the help, from which it is made.
func TestManualIsTheHelp(t *testing.T) {
	t.Parallel()
	const page = "flashdex.1"
	made := manual(help(t))
	if *update {
		if err := os.WriteFile(page, []byte(made), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if kept := read(t, page); kept != made {
		t.Error("the help has changed: go test ./packaging -run TestManual -update")
	}
	if said, err := exec.Command("mandoc", "-T", "lint", "-W", "error", page).CombinedOutput(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
		t.Errorf("%v: %s", err, said)
	}
}

func help(t *testing.T) string {
	t.Helper()
	return read(t, "../client/help.txt")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reItem matches a line with a term, such as a flag. Mostly the beginning of its meaning follows.
var reItem = regexp.MustCompile(`^  (\S.*?)(?: {2,}(\S.*))?$`)

// manual writes the help as a man page (man(7)): its topics become sections, its lists tagged paragraphs.
func manual(help string) string {
	var b strings.Builder
	first, topics, _ := strings.Cut(help, "\n# ")
	about, first, _ := strings.Cut(first, ".\n")
	b.WriteString(".\\\" Made from client/help.txt: go test ./packaging -run TestManual -update\n")
	b.WriteString(".TH FLASHDEX 1\n.SH NAME\nflashdex \\- " + escaped(strings.Replace(about, "flashdex measures", "measure", 1)) + "\n")
	b.WriteString(".SH DESCRIPTION\n")
	section(&b, first)
	for topic := range strings.SplitSeq(topics, "\n# ") {
		title, text, _ := strings.Cut(topic, "\n")
		name, about, _ := strings.Cut(title, ": ")
		fmt.Fprintf(&b, ".SH %s\n%s.\n", strings.ToUpper(escaped(name)), escaped(strings.ToUpper(about[:1])+about[1:]))
		section(&b, text)
	}
	return b.String()
}

func section(b *strings.Builder, text string) {
	between := true // paragraphs
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		item := reItem.FindStringSubmatch(line)
		switch {
		case line == "":
			between = true
			continue
		case item != nil:
			fmt.Fprintf(b, ".TP\n.B %s\n", escaped(item[1]))
			if item[2] != "" {
				b.WriteString(escaped(item[2]) + "\n")
			}
		case between && !strings.HasPrefix(line, " "):
			fmt.Fprintf(b, ".PP\n%s\n", escaped(line))
		default:
			b.WriteString(escaped(strings.TrimSpace(line)) + "\n")
		}
		between = false
	}
}

// escaped writes text so that roff shows it as it is.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
