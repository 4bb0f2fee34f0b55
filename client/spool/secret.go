package spool

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	secretName  = "secret"
	nextName    = "secret.next" // the new secret during a change
	tagKeyName  = "tag-key"     // the first secret, from its first change on
	secretBytes = 32
)

// Secret returns the contributor's 32 random bytes, made on first use. Whoever knows them can delete all results.
func (s Spool) Secret() ([]byte, error) {
	name := filepath.Join(s.Dir, secretName)
	secret, err := readSecret(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	// A link fails if the name exists, a rename doesn't: two clients that start at once both use the first one's secret.
	temporary := name + "." + rand.Text() + ".tmp"
	if err := writeSynced(temporary, newSecret()); err != nil {
		return nil, fmt.Errorf("the contributor's secret can't be kept: %w", err)
	}
	if err := os.Link(temporary, name); err != nil && !errors.Is(err, fs.ErrExist) {
		if err := os.Rename(temporary, name); err != nil { // a file system without hard links
			return nil, err
		}
	}
	_ = os.Remove(temporary)
	return readSecret(name)
}

// TagKey returns the key of the tags that link a contributor's runs on one module. It is the first secret. It stays
// when the secret changes, since otherwise the contributor's modules would become others.
func (s Spool) TagKey() ([]byte, error) {
	secret, err := s.Secret() // first, since a change writes the tag key before the secret
	if err != nil {
		return nil, err
	}
	key, err := readSecret(filepath.Join(s.Dir, tagKeyName))
	if errors.Is(err, fs.ErrNotExist) {
		return secret, nil
	}
	return key, err
}

// Rotate gives the contributor a new secret. It is on disk before it is sent, and replaces the old one when the site
// has accepted it. If the change breaks off, credential finds out which one is valid.
func (s Spool) Rotate(ctx context.Context, site Site) error {
	unlock, err := s.lock(syscall.LOCK_EX)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := s.credential(ctx, site)
	if err != nil {
		return err
	}
	next := filepath.Join(s.Dir, nextName)
	if exists(next) {
		return fmt.Errorf("an earlier change of the secret did not finish, and this site knows neither the old secret nor "+
			"the new one in %s; name the site where that change began", next)
	}
	if _, err := site.do(ctx, http.MethodGet, "v1/contributor", old, nil); err != nil {
		return fmt.Errorf("%w\nThe secret was not changed", err)
	}
	if key := filepath.Join(s.Dir, tagKeyName); !exists(key) {
		if err := put(key, []byte(old+"\n")); err != nil {
			return err
		}
	}
	secret := newSecret()
	if err := put(next, secret); err != nil {
		return err
	}
	body := fmt.Appendf(nil, `{"new_secret":"%s"}`, bytes.TrimSpace(secret))
	_, err = site.do(ctx, http.MethodPut, "v1/contributor/secret", old, body)
	switch {
	case err == nil:
		return rename(next, filepath.Join(s.Dir, secretName))
	case Refused(err) == 0:
		return fmt.Errorf("%w\nIt is not known whether the new secret arrived; both are kept, and the next upload, delete "+
			"or rotate asks the site which one is valid", err)
	}
	// An earlier try whose answer was lost may have succeeded.
	valid, askErr := s.credential(ctx, site)
	if askErr != nil || valid == old {
		return errors.Join(fmt.Errorf("%w\nThe secret was not changed", err), askErr)
	}
	return nil
}

// credential returns the secret that is valid at the site, as 64 hex digits. It asks the site if a change of the secret
// broke off. A site that knows neither secret may be the wrong one, and so changes nothing.
func (s Spool) credential(ctx context.Context, site Site) (string, error) {
	secret, err := s.Secret()
	if err != nil {
		return "", err
	}
	old, next := hex.EncodeToString(secret), filepath.Join(s.Dir, nextName)
	begun, err := readSecret(next)
	if errors.Is(err, fs.ErrNotExist) {
		return old, nil
	} else if err != nil {
		return "", err
	}
	_, err = site.do(ctx, http.MethodGet, "v1/contributor", hex.EncodeToString(begun), nil)
	if err == nil {
		err = rename(next, filepath.Join(s.Dir, secretName))
		if errors.Is(err, fs.ErrNotExist) { // another client was faster
			err = nil
		}
		return hex.EncodeToString(begun), err
	}
	if Refused(err) != 0 {
		_, err = site.do(ctx, http.MethodGet, "v1/contributor", old, nil)
	}
	if err == nil {
		_ = os.Remove(next)
	} else if Refused(err) == 0 {
		return "", err
	}
	return old, nil
}

// as sends a request in the contributor's name.
func (s Spool) as(ctx context.Context, site Site, method, path string, body []byte) (answer []byte, err error) {
	unlock, err := s.lock(syscall.LOCK_SH)
	if err != nil {
		return nil, err
	}
	defer unlock()
	secret, err := s.credential(ctx, site)
	if err != nil {
		return nil, err
	}
	return site.do(ctx, method, path, secret, body)
}

// lock keeps a change of the secret (LOCK_EX) apart from its uses (LOCK_SH). A client that is killed leaves no lock.
func (s Spool) lock(how int) (unlock func(), err error) {
	dir, err := os.Open(s.Dir)
	if err != nil {
		return nil, err
	}
	// A file system may have no locks; then there is none.
	if errors.Is(syscall.Flock(int(dir.Fd()), how|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		dir.Close()
		what := map[int]string{syscall.LOCK_EX: "using", syscall.LOCK_SH: "changing"}[how]
		return nil, fmt.Errorf("another flashdex is %s the secret; try again when it has ended", what)
	}
	return func() {
		// Closing alone doesn't unlock while a program that is being started holds the descriptor too.
		_ = syscall.Flock(int(dir.Fd()), syscall.LOCK_UN)
		dir.Close()
	}, nil
}

// newSecret returns the content of a new secret's file.
func newSecret() []byte {
	var secret [secretBytes]byte
	rand.Read(secret[:])
	return []byte(hex.EncodeToString(secret[:]) + "\n")
}

func readSecret(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the contributor's secret can't be read: %w", err)
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(secret) != secretBytes {
		return nil, fmt.Errorf("%s doesn't hold 64 hex digits; move it away to get a new secret (you can then no longer "+
			"delete your earlier uploads)", name)
	}
	return secret, nil
}
