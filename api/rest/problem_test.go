package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/problem"
	"flashdex/docs"

	"github.com/google/go-cmp/cmp"
)

// Every kind of problem in package problem has a status, which docs/api.md gives, and an explanation in the OpenAPI
// document.
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
	explained, types := described(t)
	kinds := regexp.MustCompile(`Kind = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) != len(answers) {
		t.Errorf("%d kinds, %d answers", len(kinds), len(answers))
	}
	var want []string
	for _, kind := range kinds {
		answer, mapped := answers[problem.Kind(kind[1])]
		if !mapped || http.StatusText(answer.status) == "" || answer.title == "" {
			t.Errorf("%s is answered with %+v", kind[1], answer)
		}
		if row := fmt.Sprintf("| `%s` | %d |", kind[1], answer.status); !strings.Contains(string(doc), row) {
			t.Errorf("docs/api.md lacks %q", row)
		}
		if !strings.Contains(explained, "- `"+kind[1]+"`: ") {
			t.Errorf("openapi.json doesn't explain %s", kind[1])
		}
		want = append(want, "urn:flashdex:problem:"+kind[1])
	}
	slices.Sort(want)
	slices.Sort(types)
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("(-answered +described):\n%s", diff)
	}
}

// described returns what the OpenAPI document says about the types of problems.
func described(t *testing.T) (explained string, types []string) {
	t.Helper()
	var document struct {
		Components struct {
			Schemas struct {
				Problem struct {
					Properties struct {
						Type struct {
							Description string
							Enum        []string
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(docs.OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	of := document.Components.Schemas.Problem.Properties.Type
	return of.Description, of.Enum
}
