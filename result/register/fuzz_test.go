package register_test

import (
	"encoding/json"
	"strings"
	"testing"

	"flashdex/result/register"
)

// fuzz seeds a target with real registers. The parser must not panic, and must refuse exactly the texts that aren't hex
// of the right length. It must return a value that JSON can carry, and the same value for upper and lower case.
func fuzz(f *testing.F, digits int, parse func(string) (any, error), seeds ...string) {
	zeros, ones, long := strings.Repeat("0", digits), strings.Repeat("f", digits), strings.Repeat("5", digits+1)
	for _, seed := range append(seeds, "", "0", zeros, ones, long) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		valid := len(text) == digits && strings.Trim(strings.ToLower(text), "0123456789abcdef") == ""
		if !valid && err == nil {
			t.Fatalf("took %q", text)
		}
		if valid && err != nil {
			t.Fatalf("refused %q: %v", text, err)
		}
		if err != nil {
			if len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Fatalf("the error quotes the register: %v", err)
			}
			return
		}
		a, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		upper, err := parse(strings.ToUpper(text))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(upper); err != nil || string(a) != string(b) {
			t.Fatalf("upper case reads as %s, lower case as %s, %v", b, a, err)
		}
	})
}

func column(f *testing.F, file, name string) (values []string) {
	for _, row := range dumps(f, file) {
		values = append(values, row[name])
	}
	return values
}

func FuzzCID(f *testing.F) {
	fuzz(f, 32, func(s string) (any, error) { return register.ParseCID(s) }, column(f, "sd.csv", "cid")...)
}

func FuzzClasses(f *testing.F) {
	fuzz(f, 128, func(s string) (any, error) { return register.Classes(s) }, column(f, "sd.csv", "ssr")...)
}

func FuzzMMCCID(f *testing.F) {
	fuzz(f, 32, func(s string) (any, error) { return register.ParseMMCCID(s) }, column(f, "mmc.csv", "cid")...)
}

func FuzzMask(f *testing.F) {
	fuzz(f, 32, func(s string) (any, error) {
		_, a, err := register.Mask(s, register.SDSerial)
		_, b, _ := register.Mask(s, register.MMCSerial)
		return []register.Signs{a, b}, err
	}, column(f, "sd.csv", "cid")...)
}
