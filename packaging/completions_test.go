package packaging

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var completions = []string{"completions/flashdex.bash", "completions/_flashdex", "completions/flashdex.fish"}

// Each shell completes everything that the help names: commands, flags, profiles, forms and topics.
func TestCompletionsKnowTheHelp(t *testing.T) {
	t.Parallel()
	text := help(t)
	_, profiles, _ := strings.Cut(text, "\n# profiles")
	profiles, _, _ = strings.Cut(profiles, "Results of standard are ranked")
	wanted := map[string]*regexp.Regexp{}
	for kind, of := range map[string]struct{ pattern, text string }{
		"command": {`flashdex ([a-z]{3,})(?: \[?[A-Z]|\n| {2,})`, text},
		"flag":    {`--([a-z-]+[a-z])\b`, text},
		"profile": {`(?m)^  ([a-z]+) `, profiles},
		"topic":   {`(?m)^# ([a-z]+):`, text},
		"form":    {`\b(sd|microsd|sdexpress|cf|usb|emmc|other)\b`, text},
	} {
		found := regexp.MustCompile(of.pattern).FindAllStringSubmatch(of.text, -1)
		if len(found) < 5 {
			t.Errorf("the help names only %d of kind %s", len(found), kind)
		}
		for _, match := range found {
			wanted[kind+" "+match[1]] = regexp.MustCompile(`(^|[^a-z-]|--|-l )` + regexp.QuoteMeta(match[1]) + `([^a-z-]|$)`)
		}
	}
	for _, file := range completions {
		completion := read(t, file)
		for what, pattern := range wanted {
			if !pattern.MatchString(completion) {
				t.Errorf("%s doesn't know the %s", file, what)
			}
		}
	}
}

// Each shell on this machine completes words of each kind.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("completions")
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	for _, name := range []string{"one.json", "two.txt"} {
		if err := os.WriteFile(filepath.Join(results, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shells := map[string][]string{
		"bash": {"--norc", "-c", `source "$1/flashdex.bash"; COMP_WORDS=($2); [[ $2 != *' ' ]] || COMP_WORDS+=('')
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _flashdex; printf '%s\n' "${COMPREPLY[@]}"`, "bash"},
		"fish": {"--no-config", "-c", `source $argv[1]/flashdex.fish; complete -C $argv[2]`},
		"zsh": {"-f", "-c", `zmodload zsh/zpty; zpty z "PS1= TERM=dumb COLUMNS=200 zsh -f -i"
			zpty -w z "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; echo REA''DY"
			zpty -r -m z said '*READY*'; zpty -w -n z "$2"$'\t\t'; zpty -r -m z said "$3"; print -r -- "$said"`, "zsh"},
	}
	for line, want := range map[string]string{
		"flashdex --form s":      "sd sdexpress",
		"flashdex --profile sta": "standard startup",
		"flashdex help e":        "exit",
		"flashdex sh":            "show",
		"flashdex show ":         "one.json",
		"flashdex import --di":   "--direct",
		"flashdex verify --no":   "--no-upload",
	} {
		for shell, arguments := range shells {
			t.Run(shell+" "+line, func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(shell); err != nil {
					t.Skipf("%v (make tools, as root on Debian)", err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				pattern := "*" + strings.ReplaceAll(want, " ", "*") + "*"
				command := exec.CommandContext(ctx, shell, append(arguments, dir, line, pattern)...)
				command.Dir = results
				said, err := command.CombinedOutput()
				words := map[string]bool{}
				for _, word := range strings.FieldsFunc(string(said), func(r rune) bool { return r <= ' ' || r == 0x1b }) {
					words[word] = true
				}
				for word := range strings.FieldsSeq(want) {
					if !words[word] {
						t.Errorf("%v; no %s in %q", err, word, said)
					}
				}
				if words["two.txt"] && shell != "fish" || words["microsd"] { // fish puts results first, and keeps the rest
					t.Errorf("too many words: %q", said)
				}
			})
		}
	}
}
