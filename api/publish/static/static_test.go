package static

import "testing"

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		contentType string
		forever     bool
	}{
		"modules/a/index.html":                          {"text/html; charset=utf-8", false},
		"css/main.0123456789abcdef0123456789abcdef.css": {"text/css; charset=utf-8", true},
		"css/main.css":                                  {"text/css; charset=utf-8", false},
		"css/main.0123abc.css":                          {"text/css; charset=utf-8", false},
		"client/SHA256SUMS":                             {"text/plain; charset=utf-8", false},
		"client/flashdex":                               {"application/octet-stream", false},
	} {
		if got := ContentType(name); got != want.contentType || Fingerprinted(name) != want.forever {
			t.Errorf("%s is %s, for ever: %v; want %+v", name, got, Fingerprinted(name), want)
		}
	}
}
