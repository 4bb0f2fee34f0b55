package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/client/release"
)

// key returns the same private key for the same n.
func key(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, ed25519.SeedSize))
}

// signedSite is a site whose clients are signed by key 1, as release 7. A test may change any of its files.
type signedSite struct {
	url, script string
	files       map[string]string
	cut         string // this file's download breaks off, although the server promised more
}

func newSignedSite(t *testing.T) *signedSite {
	t.Helper()
	// The client that stays is a script, but it passes "signed" on to the real client, which checks signatures.
	client := strings.Replace(fakeClient, "\n", "\n[ \"$1\" != signed ] || exec "+binary(t)+" \"$@\"\n", 1)
	s := &signedSite{files: map[string]string{}}
	for _, name := range platforms {
		s.files["flashdex-linux-"+name] = client
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _ := strings.CutPrefix(r.URL.Path, "/client/")
		text, ok := s.files[name]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if s.cut == name {
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			text = text[:len(text)/2]
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	s.sign(key(1), 7)
	s.carry(t, release.PublicKeyOf(key(1)))
	return s
}

func (s *signedSite) sign(by ed25519.PrivateKey, number int64) {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if strings.HasPrefix(name, "flashdex-linux-") {
			fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256([]byte(s.files[name])), name)
		}
	}
	text, signature := release.SignList(by, []byte(list.String()), number)
	s.files[release.List], s.files[release.List+release.Signature] = string(text), string(signature)
}

// carry fills in the script as the server does.
func (s *signedSite) carry(t *testing.T, key release.PublicKey) {
	t.Helper()
	s.script = strings.Replace(script(t), "'@SITE@'", "'"+s.url+"'", 1)
	s.script = strings.Replace(s.script, "'@KEY@'", "'"+string(key)+"'", 1)
}

// verifiers are the programs that can check a signature, and the names that systems give them.
var verifiers = []string{"minisign", "signify-openbsd", "signify=signify-openbsd", "openssl", "no verifier"}

// path returns a PATH with only the script's needs and the named programs: NAME or NAME=PROGRAM.
func path(t *testing.T, programs ...string) string {
	t.Helper()
	bin := t.TempDir()
	for _, program := range append(strings.Fields("sh uname dd mktemp chmod rm rmdir mv mkdir grep sed tail cat env "+
		"printf"), programs...) {
		name, program, renamed := strings.Cut(program, "=")
		if !renamed {
			program = name
		}
		found, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("needs %s", program)
		}
		if err := os.Symlink(found, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + bin
}

// withVerifiers runs a test in every shell, each time with one verifier.
func withVerifiers(t *testing.T, test func(*testing.T, func(*signedSite, string) (out, said string, code int))) {
	inShells(t, func(t *testing.T, shell string) {
		for _, verifier := range verifiers {
			t.Run(verifier, func(t *testing.T) {
				t.Parallel()
				programs := []string{"curl", "sha256sum"}
				if verifier != "no verifier" {
					programs = append(programs, verifier)
				}
				only := path(t, programs...)
				test(t, func(s *signedSite, kept string) (out, said string, code int) {
					t.Helper()
					return runShell(t, shell, s.script, []string{only, "FLASHDEX_DIR=" + kept}, "x")
				})
			})
		}
	})
}

func TestScriptRunsNoClientThatIsNotSigned(t *testing.T) {
	const list, signature = release.List, release.List + release.Signature
	const evil = "#!/bin/sh\necho evil\n"
	withVerifiers(t, func(t *testing.T, run func(*signedSite, string) (string, string, int)) {
		for name, c := range map[string]struct {
			spoil func(s *signedSite)
			says  string
		}{
			"changed list and client": {func(s *signedSite) {
				signed := s.files[signature]
				for _, name := range platforms {
					s.files["flashdex-linux-"+name] += "# changed\n"
				}
				s.sign(key(1), 7)
				s.files[signature] = signed
			}, "not signed by its key"},
			"changed client": {func(s *signedSite) {
				for _, name := range platforms {
					s.files["flashdex-linux-"+name] = evil
				}
			}, "it was not run"},
			"changed release": {func(s *signedSite) {
				s.files[list] = strings.Replace(s.files[list], "# release 7", "# release 8", 1)
			}, "not signed"},
			"changed signature": {func(s *signedSite) {
				s.files[signature] = strings.Replace(s.files[signature], s.files[signature][70:80], "AAAAAAAAAA", 1)
			}, "not signed"},
			"no signature in the file": {func(s *signedSite) {
				s.files[signature] = "untrusted comment: x\n\n"
			}, "not signed"},
			"half a list": {func(s *signedSite) {
				s.files[list] = s.files[list][:len(s.files[list])/2]
			}, "not signed"},
			"half a signature": {func(s *signedSite) {
				s.files[signature] = s.files[signature][:80]
			}, "not signed"},
			"list that goes on":           {func(s *signedSite) { s.files[list] += "\n" }, "not signed"},
			"empty signature":             {func(s *signedSite) { s.files[signature] = "" }, "not signed"},
			"another key's signature":     {func(s *signedSite) { s.sign(key(2), 7) }, "not signed by its key"},
			"no signature":                {func(s *signedSite) { delete(s.files, signature) }, "signature can't be fetched"},
			"no list":                     {func(s *signedSite) { delete(s.files, list) }, "list of clients can't be fetched"},
			"a list that breaks off":      {func(s *signedSite) { s.cut = list }, "list of clients can't be fetched"},
			"a signature that breaks off": {func(s *signedSite) { s.cut = signature }, "signature can't be fetched"},
		} {
			s, kept := newSignedSite(t), t.TempDir()
			c.spoil(s)
			if out, said, code := run(s, kept); out != "" || code != 1 || !strings.Contains(said, c.says) {
				t.Errorf("%s: exit code %d, output %q, said %q, want %q", name, code, out, said, c.says)
			}
			mustBeEmpty(t, kept)
		}
	})
}

// The machine remembers the site's key and release from the first time that it ran the site's client.
func TestScriptKnowsTheSiteAgain(t *testing.T) {
	withVerifiers(t, func(t *testing.T, run func(*signedSite, string) (string, string, int)) {
		s, kept := newSignedSite(t), t.TempDir()
		known := filepath.Join(kept, "known_sites")
		text := fmt.Sprintf("https://other.example %s 99\n", release.PublicKeyOf(key(9)))
		if err := os.WriteFile(known, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		// step runs the script and checks its memory afterwards: one more line, or none.
		step := func(what, line, says string) {
			t.Helper()
			out, said, code := run(s, kept)
			if runs := strings.Contains(out, "<x>") && code == 7; runs != (says == "") || !strings.Contains(said, says) {
				t.Errorf("%s: exit code %d, output %q, said %q, want %q", what, code, out, said, says)
			}
			text += line
			if now, err := os.ReadFile(known); err != nil || string(now) != text {
				t.Errorf("%s: remembered %q, %v; want %q", what, now, err, text)
			}
		}
		one, two, three := release.PublicKeyOf(key(1)), release.PublicKeyOf(key(2)), release.PublicKeyOf(key(3))
		step("the first time", fmt.Sprintf("%s %s 7\n", s.url, one), "")
		step("the same again", "", "")
		s.sign(key(1), 6)
		step("an older release", "", "offers release 6 of the client, but this machine has run release 7")
		s.sign(key(1), 10)
		step("a newer release", fmt.Sprintf("%s %s 10\n", s.url, one), "")
		s.sign(key(1), 9)
		step("9 after 10", "", "offers release 9")

		s.sign(key(1), 10)
		s.carry(t, "")
		step("a script without a key", "", "")
		delete(s.files, "SHA256SUMS.sig")
		step("a script without a key, and no signature", "", "signature can't be fetched")

		s.sign(key(2), 11)
		step("a script without a key, and another key's signature", "", "not signed by its key")
		s.carry(t, two)
		step("another key", "", "which the old one has not signed")
		s.files["flashdex.pub.sig"] = string(release.Sign(key(2), two.File(), "itself"))
		step("another key that signed itself", "", "which the old one has not signed")
		s.files["flashdex.pub.sig"] = string(release.Sign(key(1), three.File(), "another"))
		step("another key, while the old one signed a third", "", "which the old one has not signed")
		s.files["flashdex.pub.sig"] = string(release.Sign(key(1), two.File(), "the next key"))
		s.sign(key(2), 9)
		step("a key that the old one signed, and an older release", "", "offers release 9")
		s.sign(key(1), 11)
		step("a key that the old one signed, but not the list", "", "not signed by its key")
		s.sign(key(2), 11)
		step("a key that the old one signed", fmt.Sprintf("%s %s 11\n", s.url, two), "")
		s.sign(key(1), 11)
		s.carry(t, one)
		step("the old key, which is no longer known", "", "which the old one has not signed")

		for _, c := range []struct{ line, says string }{
			{s.url + " " + string(one) + "\n", "has run release ,"},
			{s.url + " " + string(one) + " x\n", "has run release x"},
			{s.url + " RWbroken 1\n", "which the old one has not signed"},
		} {
			if err := os.WriteFile(known, []byte(c.line), 0o600); err != nil {
				t.Fatal(err)
			}
			text = c.line
			step("a damaged line "+c.line, "", c.says)
		}
	})
}

// The script names the program that checked the signature, where that matters.
func TestScriptSaysWhichCheckItCouldNotMake(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		signed, unsigned := newSignedSite(t), newSignedSite(t)
		unsigned.carry(t, "")
		// One program of this name makes endings for mails, and the other can't check these signatures.
		bin := t.TempDir()
		for _, name := range []string{"signify", "openssl"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho Yours, signify\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			site       *signedSite
			path, says string
		}{
			{signed, path(t, "curl", "sha256sum"), "checks its own signature"},
			{signed, path(t, "curl", "sha256sum", "minisign"), ""},
			{signed, path(t, "curl", "sha256sum", "signify-openbsd"), ""},
			{signed, path(t, "curl", "sha256sum", "openssl"), ""},
			{signed, path(t, "curl", "sha256sum") + ":" + bin, "checks its own signature"},
			{unsigned, path(t, "curl", "sha256sum", "minisign"), "does not sign its clients"},
		} {
			out, said, code := runShell(t, shell, c.site.script, []string{c.path, "FLASHDEX_DIR=" + t.TempDir()}, "x")
			if !strings.Contains(out, "<x>") || code != 7 || !strings.Contains(said, c.says) ||
				c.says == "" && strings.Count(said, "\n") != 1 {
				t.Errorf("with %s: exit code %d, output %q, said %q, want %q", c.path, code, out, said, c.says)
			}
		}
		// If nothing can be remembered, the script goes on.
		_, said, code := runShell(t, shell, signed.script, []string{"FLASHDEX_DIR=/proc/flashdex"}, "x")
		if code != 7 || !strings.Contains(said, "can't be remembered in /proc/flashdex/known_sites") {
			t.Errorf("exit code %d, said %q", code, said)
		}
		// If the memory can't be read, the script believes nobody.
		kept := t.TempDir()
		if err := os.Mkdir(filepath.Join(kept, "known_sites"), 0o700); err != nil {
			t.Fatal(err)
		}
		out, said, code := runShell(t, shell, signed.script, []string{"FLASHDEX_DIR=" + kept}, "x")
		if out != "" || code != 1 || !strings.Contains(said, "can't be read") {
			t.Errorf("exit code %d, output %q, said %q", code, out, said)
		}
	})
}
