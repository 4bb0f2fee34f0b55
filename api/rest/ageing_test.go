package rest_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"flashdex/result/ageing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What a module's summary says of ageing is what the contract describes.
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
}
