package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"time"
)

// Receipt is the site's answer to an upload.
type Receipt struct {
	ID        string `json:"id"`
	State     string `json:"state"`            // accepted, quarantined or rejected
	Reason    string `json:"reason,omitempty"` // in words, unless it was accepted
	ResultURL string `json:"result_url"`
	Module    struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"module"`
}

func (r *Receipt) clean() {
	for _, text := range []*string{&r.ID, &r.State, &r.Reason, &r.ResultURL, &r.Module.Slug, &r.Module.Name, &r.Module.URL} {
		*text = clean(*text)
	}
}

// Upload sends the result in the file path, exactly as it is on disk, and keeps the answer beside it. Network errors and
// a busy server are tried again; *RefusedError is final.
func (s Spool) Upload(ctx context.Context, site Site, path string) (Receipt, error) {
	doc, data, err := Read(path)
	if err != nil {
		return Receipt{}, err
	}
	unlock, err := s.lock(syscall.LOCK_SH)
	if err != nil {
		return Receipt{}, err
	}
	defer unlock()
	secret, err := s.credential(ctx, site)
	if err != nil {
		return Receipt{}, err
	}
	answer, err := site.do(ctx, http.MethodPut, "v1/results/"+doc.ID, secret, data)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusGone:
		return Receipt{}, errors.Join(err, noteDeletion(path))
	case errors.As(err, &refused):
		noteRefusal(path, refused)
		return Receipt{}, err
	case err != nil:
		return Receipt{}, err
	}
	// Whatever answers on a network that lets nobody out is not to be taken for the site.
	var receipt Receipt
	if err := json.Unmarshal(answer, &receipt); err != nil || receipt.ID != doc.ID || receipt.State == "" {
		return Receipt{}, errors.New("what answered is not the site, or not the one that this client knows: it gave no receipt for the result")
	}
	receipt.clean()
	if err := put(beside(path, receiptSuffix), answer); err != nil && site.Log != nil {
		site.Log(fmt.Sprintf("uploaded, but that can't be noted beside the file (%v); if it is uploaded once more, nothing changes", err))
	}
	_ = os.Remove(beside(path, refusedSuffix))
	return receipt, nil
}

// Standing places a result among the measured modules by one of its figures.
type Standing struct {
	Figure  string `json:"figure"`  // such as rand_write_iops
	Above   int    `json:"above"`   // modules with a higher median
	Modules int    `json:"modules"` // all that were measured
}

// Standing asks how an uploaded result stands; nil if it doesn't, or the site doesn't say. Nobody waits for it for long.
func (s Site) Standing(ctx context.Context, id string) *Standing {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := s.try(ctx, http.MethodGet, "v1/results/"+id, "", nil)
	var stored struct{ Standing *Standing }
	if err != nil || json.Unmarshal(answer, &stored) != nil || stored.Standing == nil {
		return nil
	}
	if standing := *stored.Standing; 0 <= standing.Above && standing.Above <= standing.Modules && standing.Modules > 0 {
		return &standing
	}
	return nil
}
