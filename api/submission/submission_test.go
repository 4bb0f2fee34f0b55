package submission_test

import (
	"strings"
	"testing"

	"flashdex/api/submission"
)

func TestKindLeavesOutTheNameOfTheActor(t *testing.T) {
	t.Parallel()
	for actor, want := range map[string]string{
		"server": "server", "contributor": "contributor", "rule bus-ceiling": "rule", "operator Carol Smith": "operator",
		"": "",
	} {
		if got := (submission.Event{Actor: actor}).Kind(); got != want {
			t.Errorf("%q: %q, want %q", actor, got, want)
		}
	}
}

func TestReasonsAreOneLineOfPrintableText(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{
		"The slot is overclocked, the photo shows it.", "Übertaktet: 104 → 208 MHz", strings.Repeat("é", 1000),
	} {
		if err := submission.CheckReason(reason); err != nil {
			t.Errorf("%.40q: %v", reason, err)
		}
	}
	for reason, want := range map[string]string{
		"":                        "needs a reason",
		" \t":                     "needs a reason",
		strings.Repeat("é", 1001): "at most 1000 characters",
		"caf\xe9":                 "UTF-8",
		"two\nlines":              "one line",
		"a\u202eb":                "printable characters",
		"a\u0000b":                "printable characters",
	} {
		if err := submission.CheckReason(reason); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", reason, err, want)
		}
	}
}
