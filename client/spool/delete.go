package spool

import (
	"context"
	"errors"
	"net/http"
	"syscall"
)

// Delete takes an uploaded result back from the site. The file at path stays, and that it is deleted is noted beside it,
// unless path is "". *RefusedError is final: 403 says that it is another contributor's, 404 that the site never had it.
func (s Spool) Delete(ctx context.Context, site Site, id, path string) error {
	unlock, err := s.lock(syscall.LOCK_SH)
	if err != nil {
		return err
	}
	defer unlock()
	secret, err := s.credential(ctx, site)
	if err != nil {
		return err
	}
	_, err = site.do(ctx, http.MethodDelete, "v1/results/"+id, secret, nil)
	var refused *RefusedError
	if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusGone) {
		return err
	}
	if path == "" {
		return nil
	}
	return noteDeletion(path)
}

// DeleteAll takes back all that the contributor uploaded to the site. What of it is kept here stays, and is noted as
// deleted. A *RefusedError with 401 says that the site doesn't know the contributor.
func (s Spool) DeleteAll(ctx context.Context, site Site) error {
	unlock, err := s.lock(syscall.LOCK_SH)
	if err != nil {
		return err
	}
	defer unlock()
	secret, err := s.credential(ctx, site)
	if err != nil {
		return err
	}
	_, err = site.do(ctx, http.MethodDelete, "v1/contributor", secret, nil)
	var refused *RefusedError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	// Also after a refusal: the time before, all may have been deleted and not all noted.
	return errors.Join(err, s.noteDeletions(ctx, site))
}

// noteDeletions asks the site for each result that it confirmed, and notes those that it says are deleted: a receipt may
// be another site's.
func (s Spool) noteDeletions(ctx context.Context, site Site) error {
	all, err := s.All()
	for _, kept := range all {
		if kept.Receipt == nil || kept.Deleted {
			continue
		}
		_, askErr := site.do(ctx, http.MethodGet, "v1/results/"+kept.Result.ID, "", nil)
		var refused *RefusedError
		switch {
		case errors.As(askErr, &refused) && refused.Status == http.StatusGone:
			err = errors.Join(err, noteDeletion(kept.Path))
		case askErr != nil && !errors.As(askErr, &refused):
			return errors.Join(err, askErr)
		}
	}
	return err
}
