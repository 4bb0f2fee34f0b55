package rest

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/problem"
)

// Every kind of problem in package problem has a status, and docs/api.md gives it.
func TestEveryKindOfProblemIsMappedAndDocumented(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../problem/problem.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Kind = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) != len(answers) {
		t.Errorf("%d kinds, %d answers", len(kinds), len(answers))
	}
	for _, kind := range kinds {
		answer, mapped := answers[problem.Kind(kind[1])]
		if !mapped || http.StatusText(answer.status) == "" || answer.title == "" {
			t.Errorf("%s is answered with %+v", kind[1], answer)
		}
		if row := fmt.Sprintf("| `%s` | %d |", kind[1], answer.status); !strings.Contains(string(doc), row) {
			t.Errorf("docs/api.md lacks %q", row)
		}
	}
}
