// Package release signs the list of a release's clients, and verifies it. Keys and signatures have the format that
// minisign and signify share: Ed25519 over the file itself.
package release

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The files beside the clients. A signature is named after its file.
const (
	List      = "SHA256SUMS"   // of the clients, in the form of sha256sum
	Key       = "flashdex.pub" // the key that signs the list; signed by the key before it, if there was one
	Signature = ".sig"
)

const (
	title     = "Flashdex clients" // flashdex.sh writes the same, to check the signature of a new key
	trusted   = "trusted comment: "
	numbered  = "release "
	algorithm = "Ed"
	idBytes   = 8
)

// PublicKey is a key as minisign and signify print it.
type PublicKey string

// ParsePublicKey reads the key from a file. A shell script may hold the key between single quotes, so ParsePublicKey
// accepts only one spelling of a key.
func ParsePublicKey(file []byte) (PublicKey, error) {
	lines := strings.Split(string(file), "\n")
	if len(lines) < 2 {
		return "", errors.New("this is no public key of minisign or signify")
	}
	id, public, err := decode(lines[1], ed25519.PublicKeySize)
	if err != nil {
		return "", err
	} else if encode([]byte(id), public) != lines[1] { // the decoder skips line breaks
		return "", errors.New("this is no public key of minisign or signify")
	}
	return PublicKey(lines[1]), nil
}

// PublicKeyOf returns the public key of a private one. The key's id comes from its hash.
func PublicKeyOf(private ed25519.PrivateKey) PublicKey {
	public := private.Public().(ed25519.PublicKey)
	id := sha256.Sum256(public)
	return PublicKey(encode(id[:idBytes], public))
}

// File returns the contents of the key's file.
func (k PublicKey) File() []byte {
	return []byte("untrusted comment: " + title + "\n" + string(k) + "\n")
}

func encode(id, rest []byte) string {
	return base64.StdEncoding.EncodeToString(append(append([]byte(algorithm), id...), rest...))
}

// decode returns the id and what follows it, which must have the given length.
func decode(line string, bytes int) (id string, rest []byte, err error) {
	text, err := base64.StdEncoding.Strict().DecodeString(line)
	if err != nil || len(text) != len(algorithm)+idBytes+bytes || string(text[:len(algorithm)]) != algorithm {
		return "", nil, errors.New("this is no signature or key of minisign or signify")
	}
	return string(text[len(algorithm):][:idBytes]), text[len(algorithm)+idBytes:], nil
}

// Sign returns the signature file of a message. It also signs the comment, a line of text that minisign shows.
func Sign(private ed25519.PrivateKey, message []byte, comment string) []byte {
	id, _, err := decode(string(PublicKeyOf(private)), ed25519.PublicKeySize)
	if err != nil {
		panic(err) // we have just encoded it
	}
	signature := ed25519.Sign(private, message)
	global := ed25519.Sign(private, append(append([]byte{}, signature...), comment...))
	// signify reads the first two lines.
	return fmt.Appendf(nil, "untrusted comment: %s\n%s\n%s%s\n%s\n", title, encode([]byte(id), signature),
		trusted, comment, base64.StdEncoding.EncodeToString(global))
}

// Verify returns an error unless file is the key's signature of message.
func (k PublicKey) Verify(message, file []byte) error {
	keyID, public, err := decode(string(k), ed25519.PublicKeySize)
	if err != nil {
		return err
	}
	_, line, _ := strings.Cut(string(file), "\n")
	line, _, _ = strings.Cut(line, "\n")
	id, signature, err := decode(line, ed25519.SignatureSize)
	if err != nil {
		return err
	}
	if id != keyID {
		return errors.New("another key signed it")
	}
	if !ed25519.Verify(public, message, signature) {
		return errors.New("it was changed after it was signed")
	}
	return nil
}

// SignList returns the list of clients with the number of their release in it, and its signature file.
func SignList(private ed25519.PrivateKey, list []byte, number int64) (numberedList, signature []byte) {
	name := fmt.Sprint(numbered, number)
	numberedList = append([]byte("# "+name+"\n"), list...)
	return numberedList, Sign(private, numberedList, name)
}

// Number returns the number of the release that a signature file was made for, or 0.
func Number(signature []byte) (number int64) {
	_, comment, _ := strings.Cut(string(signature), "\n"+trusted+numbered)
	line, _, _ := strings.Cut(comment, "\n")
	number, _ = strconv.ParseInt(line, 10, 32)
	return number
}

// Check returns the key that signed the clients in dir, or "" if they aren't signed. It returns an error if there is a
// key, but its signature of the list is missing or wrong. Every client would be refused then.
func Check(dir string) (PublicKey, error) {
	file, err := os.ReadFile(filepath.Join(dir, Key))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	key, err := ParsePublicKey(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, Key), err)
	}
	path := filepath.Join(dir, List)
	list, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	signature, err := os.ReadFile(path + Signature)
	if err != nil {
		return "", err
	}
	if err := key.Verify(list, signature); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}
