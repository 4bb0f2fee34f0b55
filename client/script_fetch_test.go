package main

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// secureSite serves handler by https. Its own certificate authority is in the file ca.
func secureSite(t *testing.T, handler http.Handler) (url, ca string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of programs that don't know the authority
	// Go accepts only this one of BusyBox's offers; the others have TLS 1.3.
	server.TLS = &tls.Config{CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}}
	server.StartTLS()
	t.Cleanup(server.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return server.URL, ca
}

func redirectTo(url string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, url+r.URL.Path, http.StatusFound)
	})
}

// Once reached by https, a site stays so: its certificate is checked, and no redirect leads out.
func TestScriptStaysWithHTTPS(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		plain := site(t, fakeClient, fakeClient, platforms)
		good, ca := secureSite(t, plain.Config.Handler)
		otherSite, otherCA := secureSite(t, plain.Config.Handler)
		out, outCA := secureSite(t, redirectTo(plain.URL))
		within, withinCA := secureSite(t, redirectTo(good))
		both := filepath.Join(t.TempDir(), "both.pem")
		for _, name := range []string{ca, withinCA} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.OpenFile(both, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Write(text); err != nil {
				t.Fatal(err)
			}
			file.Close()
		}
		const told = "FLASHDEX_UNVERIFIED_TLS=yes"
		for _, c := range []struct {
			what, fetcher, site, ca string
			runs                    bool
			says, more              string
		}{
			{"its own authority", "curl", good, ca, true, "", ""},
			{"its own authority", "wget", good, ca, true, "", ""},
			{"an unknown authority", "curl", good, "/dev/null", false, "can't be fetched", ""},
			{"an unknown authority", "wget", good, "/dev/null", false, "can't be fetched", ""},
			{"told to check nothing", "curl", otherSite, "/dev/null", false, "can't be fetched", told},
			{"told to check nothing", "wget", otherSite, otherCA, true, "", told},
			{"a redirect to http", "curl", out, outCA, false, "can't be fetched", ""},
			{"a redirect to http", "wget", out, outCA, false, "can't be fetched", ""},
			{"a redirect to https", "curl", within, both, true, "", ""},
			{"a redirect from http", "curl", plain.URL, "/dev/null", true, "", ""},
			{"BusyBox", "wget=busybox", good, ca, false, "FLASHDEX_UNVERIFIED_TLS=yes before sh", ""},
			{"BusyBox, told wrongly", "wget=busybox", good, ca, false, "nothing was fetched", "FLASHDEX_UNVERIFIED_TLS=no"},
			{"BusyBox, told", "wget=busybox", good, "/dev/null", true, "going on, because", told},
			{"BusyBox by http", "wget=busybox", plain.URL, "/dev/null", true, "", ""},
			{"no address", "curl", strings.TrimPrefix(good, "https://"), ca, false, "must begin with https://", ""},
			{"another protocol", "curl", "file:///etc", ca, false, "must begin with https://", ""},
			{"another spelling", "curl", "HTTPS" + good[5:], ca, false, "must begin with https://", ""},
		} {
			if shell == "busybox ash" && c.fetcher == "wget" {
				continue // its own wget comes first
			}
			config := filepath.Join(t.TempDir(), "wgetrc")
			if err := os.WriteFile(config, []byte("ca_certificate = "+c.ca+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			env := []string{path(t, c.fetcher, "sha256sum"), "FLASHDEX_SITE=" + c.site, "CURL_CA_BUNDLE=" + c.ca, "WGETRC=" + config, c.more}
			out, said, code := runShell(t, shell, script(t), env, "x")
			if runs := strings.Contains(out, "<x>") && code == 7; runs != c.runs || !strings.Contains(said, c.says) ||
				!c.runs && (out != "" || code != 1) {
				t.Errorf("%s by %s: exit code %d, output %q, said %q, want %q", c.what, c.fetcher, code, out, said, c.says)
			}
		}
	})
}

// A site that has just been started is still building clients. The script waits only for its own client.
func TestScriptWaitsForAClientToCome(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		built := site(t, fakeClient, fakeClient, platforms)
		var lists atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path != "/client/SHA256SUMS" || lists.Add(1) > 2:
				built.Config.Handler.ServeHTTP(w, r)
			default:
				for _, name := range platforms {
					fmt.Fprintf(w, "# to come flashdex-linux-%s\n", name)
				}
			}
		}))
		t.Cleanup(server.Close)
		out, said, code := runShell(t, shell, script(t), []string{"FLASHDEX_SITE=" + server.URL}, "x")
		if !strings.Contains(out, "<x>") || code != 7 || lists.Load() != 3 ||
			strings.Count(said, "still builds this client") != 1 {
			t.Errorf("%d lists, exit code %d, output %q, said %q", lists.Load(), code, out, said)
		}
	})
}
