package spool

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
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
	nextName    = "secret.next" // while the secret is changed
	tagKeyName  = "tag-key"     // the first secret, from its first change on
	secretBytes = 32
)

// Secret is what makes a contributor: 32 random bytes, made on first use. Whoever knows it can take results back.
func (s Spool) Secret() ([]byte, error) {
	name := filepath.Join(s.Dir, secretName)
	secret, err := readSecret(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	// Linked into place, not renamed: of two clients that start at once, one wins and both use its secret.
	temporary := name + "." + rand.Text() + ".tmp"
	if err := writeSynced(temporary, newSecret()); err != nil {
		return nil, fmt.Errorf("the contributor's secret can't be kept: %w", err)
	}
	if err := os.Link(temporary, name); err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(temporary, name) // a file system without hard links
		if err != nil {
			return nil, err
		}
	}
	_ = os.Remove(temporary)
	return readSecret(name)
}

// TagKey is the key of the tags by which a contributor's runs on one module belong together. It is the first secret, and
// stays when the secret is changed: else the contributor's modules would become others.
func (s Spool) TagKey() ([]byte, error) {
	secret, err := s.Secret() // first: whoever changes it writes the tag key before
	if err != nil {
		return nil, err
	}
	key, err := readSecret(filepath.Join(s.Dir, tagKeyName))
	if errors.Is(err, fs.ErrNotExist) {
		return secret, nil
	}
	return key, err
}

// Rotate gives the contributor a new secret and retires the old one. The new one is on disk before it is sent, and takes
// the old one's place when the site has taken it. Whatever breaks off in between, credential finds out which is valid.
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
		return fmt.Errorf("a change of the secret was begun and not ended, and this site knows neither the old one nor the new one in %s; name the site with which it was begun", next)
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
	body, err := json.Marshal(map[string]string{"new_secret": strings.TrimSpace(string(secret))})
	if err != nil {
		return err
	}
	_, err = site.do(ctx, http.MethodPut, "v1/contributor/secret", old, body)
	var refused *RefusedError
	switch {
	case err == nil:
		return rename(next, filepath.Join(s.Dir, secretName))
	case !errors.As(err, &refused):
		return fmt.Errorf("%w\nIt is not known whether the new secret arrived; both are kept, and the next upload, delete or rotate asks the site which is valid", err)
	}
	// It may have arrived by an earlier try whose answer did not.
	valid, askErr := s.credential(ctx, site)
	if askErr != nil || valid == old {
		return errors.Join(fmt.Errorf("%w\nThe secret was not changed", err), askErr)
	}
	return nil
}

// credential returns the secret that is valid at the site, as 64 hex digits. If a change of it broke off, the site is
// asked. A site that knows neither the new one nor the old one decides nothing: it may be the wrong site.
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
	var refused *RefusedError
	_, err = site.do(ctx, http.MethodGet, "v1/contributor", hex.EncodeToString(begun), nil)
	switch {
	case err == nil:
		err = rename(next, filepath.Join(s.Dir, secretName))
		if errors.Is(err, fs.ErrNotExist) { // another client was faster
			err = nil
		}
		return hex.EncodeToString(begun), err
	case !errors.As(err, &refused):
		return "", err
	}
	_, err = site.do(ctx, http.MethodGet, "v1/contributor", old, nil)
	switch {
	case err == nil:
		_ = os.Remove(next)
	case !errors.As(err, &refused):
		return "", err
	}
	return old, nil
}

// lock keeps a change of the secret (LOCK_EX) apart from whatever uses it (LOCK_SH). A client that is killed leaves no
// lock.
func (s Spool) lock(how int) (unlock func(), err error) {
	dir, err := os.Open(s.Dir)
	if err != nil {
		return nil, err
	}
	// Where the file system has no locks, there is none.
	if errors.Is(syscall.Flock(int(dir.Fd()), how|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		dir.Close()
		if how == syscall.LOCK_EX {
			return nil, errors.New("another flashdex is using the secret; try again when it has ended")
		}
		return nil, errors.New("another flashdex is changing the secret; try again when it has ended")
	}
	return func() {
		_ = syscall.Flock(int(dir.Fd()), syscall.LOCK_UN) // closing alone doesn't, while a program that is being started has it too
		dir.Close()
	}, nil
}

// newSecret makes the content of a secret's file.
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
		return nil, fmt.Errorf("%s doesn't hold 64 hex digits; move it away to get a new secret (earlier uploads then belong to nobody)", name)
	}
	return secret, nil
}
