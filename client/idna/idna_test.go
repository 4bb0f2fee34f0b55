package idna_test

import (
	"testing"

	"flashdex/client/idna"
)

func TestNamesAreASCII(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"flashdex.org": true, "xn--mller-kva.de": true, "": true, "müller.de": false, "flashdex。org": false,
	} {
		ascii, err := idna.Lookup.ToASCII(name)
		if (err == nil) != ok || ok && ascii != name {
			t.Errorf("%q: %q, %v", name, ascii, err)
		}
	}
}
