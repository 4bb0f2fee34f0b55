package rest

import (
	"strings"
	"testing"
)

func TestKeptTextsAreBounded(t *testing.T) {
	t.Parallel()
	kept := &keptTexts{texts: map[string]tableText{}}
	large := tableText{text: []byte(strings.Repeat("x", maxKeptBytes/2))}
	for _, address := range []string{"/first", "/first", "/second", "/third"} {
		kept.put(address, large)
	}
	kept.put("/small", tableText{text: []byte("y")})
	for address, want := range map[string]bool{"/first": true, "/second": false, "/third": false, "/small": true,
		"/never": false} {
		if _, got := kept.get(address); got != want {
			t.Errorf("%s kept: %v, want %v", address, got, want)
		}
	}
	if kept.bytes > maxKeptBytes {
		t.Errorf("%d bytes are kept", kept.bytes)
	}
}
