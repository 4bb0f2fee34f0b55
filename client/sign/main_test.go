package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/client/release"
)

// build makes a folder as client/build.sh does.
func build(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	put(t, dir, "flashdex-linux-a", "the client")
	put(t, dir, release.List, fmt.Sprintf("%x  flashdex-linux-a\n", sha256.Sum256([]byte("the client"))))
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keyFile writes a private key as openssl does.
func keyFile(t *testing.T, n byte) (path string, key release.PublicKey) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, ed25519.SeedSize))
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "key.pem")
	put(t, filepath.Dir(path), "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})))
	return path, release.PublicKeyOf(private)
}

// Every tool can check the signature, not only the code that made it.
func TestEveryToolChecksTheSignature(t *testing.T) {
	t.Parallel()
	dir := build(t)
	path := filepath.Join(t.TempDir(), "key.pem")
	said, err := exec.Command("openssl", "genpkey", "-algorithm", "ed25519", "-out", path).CombinedOutput()
	if err != nil {
		t.Skipf("needs openssl: %v %s", err, said)
	}
	if err := run([]string{"-key", path, "-release", "7", dir}); err != nil {
		t.Fatal(err)
	}
	list, signature := filepath.Join(dir, release.List), filepath.Join(dir, release.List+release.Signature)
	public := filepath.Join(dir, release.Key)
	der, raw := filepath.Join(t.TempDir(), "der"), filepath.Join(t.TempDir(), "raw")
	for _, command := range []string{
		"minisign -V -m " + list + " -x " + signature + " -p " + public,
		"signify-openbsd -V -m " + list + " -x " + signature + " -p " + public,
		"openssl pkey -in " + path + " -pubout -outform DER -out " + der + " && sed -n 2p " + signature +
			" | openssl base64 -d -A | tail -c 64 >" + raw + " && openssl pkeyutl -verify -pubin -keyform DER -inkey " + der +
			" -rawin -in " + list + " -sigfile " + raw,
		"cd " + dir + " && sha256sum --strict -c SHA256SUMS",
	} {
		tool, _, _ := strings.Cut(command, " ")
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil && tool != "cd" {
				t.Skipf("%v (make tools, as root on Debian)", err)
			}
			said, err := exec.Command("sh", "-c", command).CombinedOutput()
			if err != nil || tool == "minisign" && !strings.Contains(string(said), "comment: release 7\n") {
				t.Errorf("%s: %v %s", command, err, said)
			}
		})
	}
	if _, err := exec.LookPath("minisign"); err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	for _, spoil := range []string{list, signature} {
		text := read(t, "/", spoil)
		put(t, "/", spoil, text[:len(text)-9]+"AAAA"+text[len(text)-5:])
		if err := exec.Command("minisign", "-V", "-q", "-m", list, "-x", signature, "-p", public).Run(); err == nil {
			t.Errorf("a changed %s is still signed", spoil)
		}
		put(t, "/", spoil, text)
	}
}

func TestSigningAgainChangesNothingButTheRelease(t *testing.T) {
	t.Parallel()
	dir := build(t)
	mine, key := keyFile(t, 1)
	for _, number := range []string{"7", "7", "8"} {
		if err := run([]string{"-key", mine, "-release", number, dir}); err != nil {
			t.Fatal(err)
		}
		list := read(t, dir, release.List)
		if !strings.HasPrefix(list, "# release "+number+"\n") || strings.Count(list, "\n") != 2 {
			t.Errorf("the list is %q", list)
		}
		if signed, err := release.Check(dir); signed != key || err != nil {
			t.Errorf("signed by %q, %v", signed, err)
		}
	}
	before := read(t, dir, release.List+release.Signature)
	if err := run([]string{"-key", mine, "-release", "7", dir}); err == nil || !strings.Contains(err.Error(),
		"make sign RELEASE=9") {
		t.Errorf("an older release: %v", err)
	}
	if read(t, dir, release.List+release.Signature) != before {
		t.Error("a refused release changed the signature")
	}
}

// Machines that know the old key accept the new one only if the old one has signed it.
func TestTheOldKeySignsTheNewOne(t *testing.T) {
	t.Parallel()
	dir := build(t)
	one, oldKey := keyFile(t, 1)
	two, newKey := keyFile(t, 2)
	if err := run([]string{"-key", one, "-release", "7", dir}); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-key", two, "-release", "8", dir}); err == nil || !strings.Contains(err.Error(), "OLD_KEY") {
		t.Errorf("another key: %v", err)
	}
	if signed, err := release.Check(dir); signed != oldKey || err != nil {
		t.Errorf("signed by %q, %v", signed, err)
	}
	if err := run([]string{"-key", two, "-old-key", one, "-release", "8", dir}); err != nil {
		t.Fatal(err)
	}
	if signed, err := release.Check(dir); signed != newKey || err != nil {
		t.Errorf("signed by %q, %v", signed, err)
	}
	vouched := []byte(read(t, dir, release.Key+release.Signature))
	if err := oldKey.Verify(newKey.File(), vouched); err != nil {
		t.Error(err)
	}
	if newKey.Verify(newKey.File(), vouched) == nil || oldKey.Verify(oldKey.File(), vouched) == nil {
		t.Error("it vouches for anybody")
	}
	// The next release needs only the new key, and keeps the old key's signature.
	if err := run([]string{"-key", two, "-release", "9", dir}); err != nil {
		t.Fatal(err)
	}
	if read(t, dir, release.Key+release.Signature) != string(vouched) {
		t.Error("the old key's signature is gone")
	}
}

func TestWhatIsNotSigned(t *testing.T) {
	t.Parallel()
	mine, _ := keyFile(t, 1)
	rsa := filepath.Join(t.TempDir(), "rsa.pem")
	put(t, filepath.Dir(rsa), "rsa.pem", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n")
	for _, c := range []struct{ key, number, changed, says string }{
		{"/nowhere/key.pem", "7", "", "openssl genpkey -algorithm ed25519 -out /nowhere/key.pem"},
		{rsa, "7", "", "no private key in PEM"},
		{mine, "", "", "make sign RELEASE=NUMBER"},
		{mine, "0", "", "make sign RELEASE=NUMBER"},
		{mine, "-3", "", "make sign RELEASE=NUMBER"},
		{mine, "2147483648", "", "make sign RELEASE=NUMBER"}, // some shells would take it for a negative one
		{mine, "7", "changed", "build again"},
	} {
		dir := build(t)
		if c.changed != "" {
			put(t, dir, "flashdex-linux-a", c.changed)
		}
		err := run([]string{"-key", c.key, "-release", c.number, dir})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c, err)
		}
		if key, err := release.Check(dir); key != "" || err != nil {
			t.Errorf("%+v: signed by %q, %v", c, key, err)
		}
	}
}
