package nistec_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asking is a program that asks the address that it is given.
const asking = `package main

import (
	"net/http"
	"os"
)

func main() {
	if _, err := http.Get(os.Args[1]); err != nil {
		println(err.Error())
		os.Exit(1)
	}
}
`

// A program without P-521 takes the keys that certificates for the web may have, and refuses one of P-521.
func TestKeysOfTheWebAreTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	get := filepath.Join(dir, "get")
	here, err := filepath.Abs("p521.go")
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(strings.TrimSpace(string(root)), "src/crypto/internal/fips140/nistec/p521.go"): here,
	}})
	if err == nil {
		err = os.WriteFile(get+".json", overlay, 0o600)
	}
	if err == nil {
		err = os.WriteFile(get+".go", []byte(asking), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", get+".json", "-o", get, get+".go")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, curve := range []elliptic.Curve{elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		name := curve.Params().Name
		certificate := certify(t, curve)
		site := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		site.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
		site.Config.ErrorLog = nil
		site.StartTLS()
		defer site.Close()
		known := filepath.Join(dir, name)
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
		if err := os.WriteFile(known, text, 0o600); err != nil {
			t.Fatal(err)
		}
		ask := exec.Command(get, site.URL)
		ask.Env = append(os.Environ(), "SSL_CERT_FILE="+known, "SSL_CERT_DIR="+dir)
		output, err := ask.CombinedOutput()
		if (err == nil) != (curve != elliptic.P521()) {
			t.Errorf("%s: %v %s", name, err, output)
		}
	}
}

// certify makes a certificate of this computer that signs itself.
func certify(t *testing.T, curve elliptic.Curve) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), IsCA: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true,
	}
	text, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
}
