package question_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/figure/question"
	"flashdex/data"
)

// What a page shows of the presets. It is made from the counts in data/presets.json, so it changes with them.
func TestFormulasAreMadeFromTheData(t *testing.T) {
	t.Parallel()
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	var got [][4]string
	for _, p := range presets {
		got = append(got, [4]string{p.Key, p.Formula, p.Unit, p.Direction})
	}
	want := [][4]string{
		{"boot", "seconds = 6,000 / 4K random read in IOPS + 200 / 4K random write in IOPS + 100 MB / linear read in MB/s + 5 MB / linear write in MB/s", "s", "lower"},
		{"database", "seconds = 4,000 / 4K random write in IOPS + 1,000 / 4K random read in IOPS; only where the longest of 1,000 4K random writes took at most 1,000 ms", "s", "lower"},
		{"camera", "linear write in MB/s, at the lower end of its interval (or its value, if it has none)", "MB/s", "higher"},
		{"home-assistant", "seconds = 69,120 / 4K random write in IOPS; only where the longest of 1,000 4K random writes took at most 1,000 ms; not where two units had their first error within 1,095 days of such writes", "s", "lower"},
		{"games", "seconds = 1,000 MB / linear read in MB/s + 10,000 / 4K random read in IOPS", "s", "lower"},
		{"phone", "seconds = 4,000 / 4K random read in IOPS + 2,000 / 4K random write in IOPS", "s", "lower"},
		{"updates", "seconds = 10,000 / 4K random write in IOPS + 500 MB / linear write in MB/s", "s", "lower"},
		{"per-euro", "4K random write in IOPS / price in EUR", "IOPS per EUR", "higher"},
		{"retro", "4K random read in IOPS / price in EUR", "IOPS per EUR", "higher"},
		{"cheap", "price in EUR; only where the 4K random write is surely at least 500 IOPS", "EUR", "lower"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Load trusts the file, because it is part of the program. These mistakes must not get into it.
func TestTheQuestionsAreWellFormed(t *testing.T) {
	t.Parallel()
	if err := question.Check(data.FS); err != nil {
		t.Error(err)
	}
	text, err := fs.ReadFile(data.FS, "presets.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, old, new, want string }{
		{"not JSON", `"key": "boot",`, `"key": boot,`, "presets.json:"},
		{"unknown field", `"key": "boot",`, `"kee": "boot",`, `unknown field "kee"`},
		{"unknown field of a model", `"amount": 6000,`, `"amount": 6000, "times": 2,`, `unknown field "times"`},
		{"computed field", `"key": "boot",`, `"key": "boot", "formula": "1 / 1",`, "follow from the model"},
		{"unsafe key", `"key": "boot"`, `"key": "../boot"`, `preset 1, "../boot": the key is not`},
		{"key taken", `"key": "camera"`, `"key": "boot"`, `preset 3, "boot": the key is taken`},
		{"no question", `"question": "Which card boots a Raspberry Pi quickly?"`, `"question": " "`,
			"the question, its use, its summary or its explanation is empty"},
		{"no use", `"use": "a camera"`, `"use": ""`, "its use, its summary"},
		{"no form", `"forms": ["sd", "microsd", "cf"]`, `"forms": []`, "it is about no form"},
		{"unknown form", `"forms": ["sd", "microsd", "cf"]`, `"forms": ["minisd"]`, `form "minisd"`},
		{"form twice", `"forms": ["sd", "microsd", "cf"]`, `"forms": ["sd", "sd"]`, `form "sd" is there twice`},
		{"no model", `"sure": {"figure": "seq_write_mb_per_s"},`, ``,
			`preset 3, "camera": it has 0 of time, sure, per_price and cheapest`},
		{"two models", `"sure": {"figure": "seq_write_mb_per_s"},`,
			`"sure": {"figure": "seq_write_mb_per_s"}, "per_price": {"figure": "seq_write_mb_per_s", "currency": "EUR"},`,
			"it has 2 of"},
		{"unknown figure", `"figure": "seq_read_mb_per_s"`, `"figure": "linear_read"`, `"linear_read" is no rate`},
		{"work over a time", `"figure": "seq_read_mb_per_s"`, `"figure": "rand_write_p99_ms"`,
			`"rand_write_p99_ms" is no rate`},
		{"work twice", `"figure": "seq_read_mb_per_s"`, `"figure": "rand_read_iops"`, "rand_read_iops is there twice"},
		{"no work", `{"amount": 4000, "figure": "rand_write_iops"},
        {"amount": 1000, "figure": "rand_read_iops"}`, ``, "there is no work"},
		{"negative work", `"amount": 6000`, `"amount": -6000`, "the amount -6000"},
		{"work that a formula would round", `"amount": 6000`, `"amount": 6000.25`, "the amount 6000.25"},
		{"limit of a rate", `"figure": "rand_write_longest_1000_ms"`, `"figure": "rand_write_iops"`, "is no limit of a time"},
		{"limit of nothing", `"at_most": 1000`, `"at_most": 0`, "is no limit of a time"},
		{"days that a formula would round", `"days": 1095`, `"days": 1095.5`, "days: 1095.5"},
		{"days without writes", `"work": [
        {
          "amount": 1000,`, `"days": 2, "work": [
        {
          "amount": 1000,`, "days: 2 of no random writes"},
		{"sure time", `"sure": {"figure": "seq_write_mb_per_s"}`, `"sure": {"figure": "rand_write_max_ms"}`, "is no rate"},
		{"no currency", `"currency": "EUR"`, `"currency": "€"`, `currency "€"`},
		{"steps from above 0", `{"at_least": 0, "means": "too slow for video"},`, ``, "step 1: the steps must begin with 0"},
		{"steps that fall", `"at_least": 30`, `"at_least": 3`, "step 5: the steps must"},
		{"step without a meaning", `"means": "4K"`, `"means": ""`, "step 5 means nothing"},
		{"steps of a time", `"sources": ["https://github`,
			`"steps": [{"at_least": 0, "means": "slow"}], "sources": ["https://github`, "more is better"},
		{"source that is no address", `"https://www.home-assistant.io`, `"javascript://www.home-assistant.io`,
			"is no address on the web"},
		{"something behind", "\n]", "\n] []", "behind the list"},
	} {
		if !strings.Contains(string(text), tc.old) {
			t.Errorf("%s: presets.json does not hold %q", tc.name, tc.old)
			continue
		}
		changed := strings.Replace(string(text), tc.old, tc.new, 1)
		err := question.Check(fstest.MapFS{"presets.json": {Data: []byte(changed)}})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q in it", tc.name, err, tc.want)
		}
	}
}
