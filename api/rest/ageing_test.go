package rest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"flashdex/result/ageing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The contract describes what a module's summary says about ageing, per year and per TB.
func TestAgeingIsDescribed(t *testing.T) {
	t.Parallel()
	for _, says := range []string{ageing.Slower, ageing.Faster, ageing.Steady, ageing.Unknown, "dead"} {
		text, err := json.Marshal(ageing.Change{Units: 3, Contributors: 2, Runs: 19, Percent: -8, Low: -14, High: -3, Says: says})
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := agreed().validate(value, "components", "schemas", "Ageing"); (err == nil) == (says == "dead") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, schema := range []string{"ModuleStanding", "RankedModule"} {
		for _, per := range []string{"ageing_per_year", "ageing_per_tb"} {
			_, place := agreed().at("components", "schemas", schema, "properties", per)
			if got := strings.Join(place, "/"); got != "components/schemas/Ageing" {
				t.Errorf("%s has %s as %q", schema, per, got)
			}
		}
	}
}
