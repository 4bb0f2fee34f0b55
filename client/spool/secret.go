package spool

import (
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
	// Two clients that start at once both use the secret that came first, since a link fails if the name exists. A
	// rename wouldn't.
	temporary := name + "." + rand.Text() + ".tmp"
	if err := writeSynced(temporary, secretFile(newSecret())); err != nil {
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

// TagKey returns the key of the tags that link a contributor's runs on one module. It is the first secret. A change of
// the secret doesn't change it, since the contributor's modules would become other modules.
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

// Rotate gives the contributor a new secret. The new secret is on disk before it is sent. It replaces the old one when
// the site says that it is in force. If the change breaks off, the next Rotate continues it with the same new secret:
// the old request may still be on its way, and arrive after any later one.
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
	secret, err := readSecret(next)
	begun := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = site.do(ctx, http.MethodGet, "v1/contributor", old, nil)
	switch {
	case begun && Refused(err) == http.StatusUnauthorized:
		return fmt.Errorf("an earlier change of the secret did not finish, and this site knows neither the old secret nor "+
			"the new one in %s; name the site where that change began", next)
	case err != nil:
		return fmt.Errorf("%w\nThe secret was not changed", err)
	}
	if key := filepath.Join(s.Dir, tagKeyName); !exists(key) {
		if err := put(key, []byte(old+"\n")); err != nil {
			return err
		}
	}
	if !begun {
		secret = newSecret()
		if err := put(next, secretFile(secret)); err != nil {
			return err
		}
	}
	body := fmt.Appendf(nil, `{"new_secret":"%x"}`, secret)
	_, err = site.do(ctx, http.MethodPut, "v1/contributor/secret", old, body)
	switch {
	case err == nil:
		return rename(next, filepath.Join(s.Dir, secretName))
	case Refused(err) == 0:
		return fmt.Errorf("%w\nIt is not known whether the new secret arrived; both are kept, and flashdex rotate "+
			"finishes the change", err)
	case Refused(err) == http.StatusConflict: // another contributor has it, so the site never accepts it
		return errors.Join(fmt.Errorf("%w\nThe secret was not changed", err), os.Remove(next))
	}
	// An earlier try may have succeeded, and its answer been lost.
	valid, askErr := s.credential(ctx, site)
	if askErr != nil || valid == old {
		return errors.Join(fmt.Errorf("%w\nThe secret is not changed yet; both are kept, and flashdex rotate finishes the "+
			"change", err), askErr)
	}
	return nil
}

// credential returns the secret that is valid at the site, as 64 hex digits. If a change of the secret broke off,
// credential asks the site whether the new secret is in force. Until it is, it keeps both.
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
	fresh := hex.EncodeToString(begun)
	switch _, err = site.do(ctx, http.MethodGet, "v1/contributor", fresh, nil); {
	case Refused(err) != 0:
		return old, nil
	case err != nil:
		return "", err
	}
	err = rename(next, filepath.Join(s.Dir, secretName))
	if errors.Is(err, fs.ErrNotExist) { // another client was faster
		err = nil
	}
	return fresh, err
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
	// If a file system has no locks, there is none.
	if errors.Is(syscall.Flock(int(dir.Fd()), how|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		dir.Close()
		what := map[int]string{syscall.LOCK_EX: "using", syscall.LOCK_SH: "changing"}[how]
		return nil, fmt.Errorf("another flashdex is %s the secret; try again when it has ended", what)
	}
	return func() {
		// Closing alone doesn't unlock: a program that is being started may hold the descriptor, too.
		_ = syscall.Flock(int(dir.Fd()), syscall.LOCK_UN)
		dir.Close()
	}, nil
}

func newSecret() []byte {
	secret := make([]byte, secretBytes)
	rand.Read(secret)
	return secret
}

// secretFile returns the content of a secret's file.
func secretFile(secret []byte) []byte { return fmt.Appendf(nil, "%x\n", secret) }

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
