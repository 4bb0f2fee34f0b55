package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestQuestionsAreAnsweredByPagesThatAreThere finds the data of each page that docs/questions.md names.
func TestQuestionsAreAnsweredByPagesThatAreThere(t *testing.T) {
	t.Parallel()
	facts, questions := read(t, "../data/device_facts.csv"), read(t, "../data/presets.json")
	pages := regexp.MustCompile("`/([a-z]+)/([a-z0-9-]+)/`").FindAllStringSubmatch(read(t, "questions.md"), -1)
	if len(pages) < 30 {
		t.Errorf("only %d pages", len(pages))
	}
	for _, page := range pages {
		there := false
		switch page[1] {
		case "device":
			there = strings.Contains(facts, "\n"+page[2]+",slot,") // else its page, if it has one, assumes the slot
		case "for":
			there = strings.Contains(questions, `"key": "`+page[2]+`"`)
		case "sources":
			_, err := os.Stat("../site/content/sources/" + page[2] + ".md")
			there = err == nil
		}
		if !there {
			t.Errorf("there is no page %s", page[0])
		}
	}
}
