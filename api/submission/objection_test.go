package submission_test

import (
	"strings"
	"testing"

	"flashdex/api/submission"
)

func TestObjectionsAreTakenInEveryScript(t *testing.T) {
	t.Parallel()
	check := func(words string) error { return submission.Objection{Kind: "other", Words: words}.Check() }
	for what, words := range map[string]string{
		"Persian": "این کارت سریع\u200cتر نمی\u200cشود", "Hindi": "क्\u200dष", "an emoji of two": "👩\u200d🔧", "Hebrew": "לא נכון",
	} {
		if err := check(words); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for character, words := range map[string]string{
		"U+202E": "right to left: \u202e", "U+2066": "isolated: \u2066", "U+200B": "a space of no width: \u200b",
		"U+001B": "\x1b[2J", "U+FEFF": "\ufeff",
	} {
		if err := check(words); err == nil || !strings.Contains(err.Error(), character) {
			t.Errorf("%s: %v", character, err)
		}
	}
}
