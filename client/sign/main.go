// Command sign signs the built clients. Its user runs it with make sign, on the machine that holds the private key.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"flashdex/client/release"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "flashdex:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("sign", flag.ContinueOnError)
	keyFile := flags.String("key", "", "`file` of the private key, in PEM")
	oldFile := flags.String("old-key", "", "`file` of the private key before it, which then signs the new one")
	number := flags.String("release", "", "`number` of the release; it never falls")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: sign -key FILE -release NUMBER [-old-key FILE] DIR")
	}
	dir := flags.Arg(0)
	// Shells and machines with 32-bit arithmetic compare it.
	n, err := strconv.ParseInt(*number, 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("the release is %q, not a number: this checkout has no complete history to count commits in; "+
			"name a number that is higher than the last one: make sign RELEASE=NUMBER", *number)
	}
	private, err := readKey(*keyFile)
	if err != nil {
		return err
	}
	key := release.PublicKeyOf(private)
	if err := passOn(dir, key, *oldFile); err != nil {
		return err
	}
	before, err := os.ReadFile(filepath.Join(dir, release.List+release.Signature))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if last := release.Number(before); last > n {
		return fmt.Errorf("release %d was signed before, and machines that have run it refuse release %d. To go back, "+
			"revert the commits, so that the number rises; or name one: make sign RELEASE=%d", last, n, last+1)
	}
	list, err := checked(dir)
	if err != nil {
		return err
	}
	list, signature := release.SignList(private, list, n)
	for name, text := range map[string][]byte{
		release.List: list, release.List + release.Signature: signature, release.Key: key.File(),
	} {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	fmt.Printf("flashdex: signed release %d in %s with the key\n  %s\n", n, dir, key)
	return nil
}

// readKey reads an Ed25519 key as openssl genpkey writes it.
func readKey(path string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no key at %s. If you have one, name it: make sign KEY=FILE. If this is your first "+
			"release, make it, and keep a copy where no fire and no thief finds both:\n"+
			"  mkdir -p %s && openssl genpkey -algorithm ed25519 -out %s", path, filepath.Dir(path), path)
	} else if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, fmt.Errorf("%s is no private key in PEM without a passphrase. To use one with a passphrase: "+
			"openssl pkey -in FILE | make sign KEY=/dev/stdin", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is no Ed25519 key: openssl genpkey -algorithm ed25519 makes one", path)
	}
	return private, nil
}

// passOn makes sure that machines with the previous key accept this one: the previous key signs it.
func passOn(dir string, key release.PublicKey, oldFile string) error {
	path := filepath.Join(dir, release.Key)
	if oldFile != "" {
		old, err := readKey(oldFile)
		if err != nil {
			return err
		}
		return write(path+release.Signature, release.Sign(old, key.File(), "the next key"))
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || bytes.Equal(text, key.File()) {
		return nil
	} else if err != nil {
		return err
	}
	return fmt.Errorf("%s is another key than yours, which is %s. Machines that know the other one would refuse yours. "+
		"To change keys, name the other's file, too: make sign OLD_KEY=FILE. If it is lost, remove %s first; whoever has "+
		"run a client of yours will then be told that the key has changed", path, key, path)
}

// checked returns the lines of the clients' list, and compares the clients with it.
func checked(dir string) ([]byte, error) {
	programs, err := release.Programs(dir)
	if err != nil {
		return nil, err
	} else if len(programs) == 0 {
		return nil, fmt.Errorf("there are no clients in %s to sign: make clients builds them", dir)
	}
	var list bytes.Buffer
	for _, program := range programs {
		client, err := os.ReadFile(filepath.Join(dir, program.File))
		if err != nil {
			return nil, err
		}
		if fmt.Sprintf("%x", sha256.Sum256(client)) != program.SHA256 {
			return nil, fmt.Errorf("%s is not what %s lists: build again", filepath.Join(dir, program.File), release.List)
		}
		fmt.Fprintf(&list, "%s  %s\n", program.SHA256, program.File)
	}
	return list.Bytes(), nil
}

// write replaces a file, which a server may be reading.
func write(path string, text []byte) error {
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
