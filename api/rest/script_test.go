package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"flashdex/api/rest"
)

func TestScriptHoldsTheAddressItWasAskedFrom(t *testing.T) {
	t.Parallel()
	b := start(t)
	for host, want := range map[string]string{
		"flashdex.example:8080":     "http://flashdex.example:8080",
		"192.168.1.2":               "http://192.168.1.2",
		"[2001:db8::1]:80":          "http://[2001:db8::1]:80",
		"x';reboot;'":               "http://localhost",
		"$(reboot)":                 "http://localhost",
		"`reboot`":                  "http://localhost",
		"a b":                       "http://localhost",
		"user@host":                 "http://localhost",
		"host/path":                 "http://localhost",
		"":                          "http://localhost",
		"[::1];x]":                  "http://localhost",
		strings.Repeat("a", 300):    "http://localhost",
		"evil.example:99999999":     "http://localhost",
		"\u0435vil.example":         "http://localhost",
		"flashdex.example:80'; id'": "http://localhost",
	} {
		text := raw(t, b, fmt.Sprintf("GET /run.sh HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host))
		if strings.HasPrefix(text, "HTTP/1.1 400") { // net/http refused it before us
			continue
		}
		if !strings.HasPrefix(text, "HTTP/1.1 200") || !strings.Contains(text,
			"\r\n\r\n#!/bin/sh\n# The site: SITE='@SITE@'\nSITE='"+want+"'\necho \"$SITE\"\n") {
			t.Errorf("Host %q:\n%s", host, text)
		}
		if !strings.Contains(text, "Content-Type: text/x-shellscript") || !strings.Contains(text, "Cache-Control: no-store") {
			t.Errorf("headers:\n%s", text)
		}
	}
}

func TestPublicURLMustBeSafeInAScript(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://flashdex.example": true, "https://flashdex.example/": true, "http://[::1]:8080": true,
		"flashdex.example": false, "https://x';id;'": false, "https://a/b?c": false, "ftp://x": false, "https://x\n": false,
	} {
		if rest.ValidPublicURL(url) != want {
			t.Errorf("ValidPublicURL(%q) = %v", url, !want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New took a public URL with a quote in it")
		}
	}()
	rest.New(rest.Config{PublicURL: "https://x';id;'"})
}
