package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestNetworkErrorsAreLoggedWithoutAddresses(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := newServer(nil, slog.New(slog.NewJSONHandler(&text, nil))).ErrorLog
	for _, line := range []string{
		"http: TLS handshake error from 203.0.113.7:51234: EOF", "http: panic serving [2001:db8::7]:443: x",
		"read tcp 192.0.2.1:80->198.51.100.9:1234: reset", "from [fe80::1%eth0]:1",
	} {
		log.Print(line)
	}
	for _, private := range []string{"203.0.113", "2001:db8", "192.0.2", "198.51", "fe80", "51234"} {
		if strings.Contains(text.String(), private) {
			t.Errorf("the log holds %s:\n%s", private, text.String())
		}
	}
	if !strings.Contains(text.String(), "TLS handshake error from (address): EOF") {
		t.Errorf("the log:\n%s", text.String())
	}
}
