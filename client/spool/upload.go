package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"flashdex/result"
)

// Receipt is the site's answer to an upload.
type Receipt struct {
	ID         string `json:"id"`
	State      string `json:"state"`            // accepted, quarantined or rejected
	Reason     string `json:"reason,omitempty"` // in words, unless it was accepted
	ResultURL  string `json:"result_url"`
	TokenFault string `json:"token_fault,omitempty"` // why it doesn't count, if its run token is the reason
	Probation  string `json:"probation,omitempty"`   // when a new contributor's results count; empty: they do
	Module     struct {
		Slug      string `json:"slug"`
		Name      string `json:"name"`
		URL       string `json:"url"`
		NotListed string `json:"not_listed"` // when the module gets a page; empty: it has one
	} `json:"module"`
	Choices  []Choice   `json:"choices,omitempty"`  // the module is one of them; empty: it is known
	Offered  Choice     `json:"offered,omitzero"`   // which the typed name may mean; zero: none
	Foretold []Foretold `json:"foretold,omitempty"` // of the module, in other hosts
}

// Choice is a module that a result may be of.
type Choice struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// Foretold is a module's rate of 4K random writes in a class of hosts. Others measured it there, or the site foretells
// it from other classes.
type Foretold struct {
	HostClass     string  `json:"host_class"`
	Label         string  `json:"label"` // of the class, in words
	RandWriteIOPS float64 `json:"rand_write_iops"`
	Low           float64 `json:"low"` // of its 95 % interval
	High          float64 `json:"high"`
	Measured      bool    `json:"measured"`
}

// Limits of what the client accepts from a site.
const (
	mostForetold = 6
	longestLabel = 80
	fastestIOPS  = 1e9
	mostChoices  = 20
	longestName  = 120
)

func (r *Receipt) clean() {
	r.Foretold = slices.DeleteFunc(r.Foretold, func(f Foretold) bool {
		return f.Low <= 0 || f.Low > f.RandWriteIOPS || f.RandWriteIOPS > f.High || f.High > fastestIOPS
	})
	r.Foretold = r.Foretold[:min(len(r.Foretold), mostForetold)]
	for i := range r.Foretold {
		f := &r.Foretold[i]
		f.HostClass, f.Label = result.Printable(f.HostClass, longestLabel), result.Printable(f.Label, longestLabel)
	}
	r.Choices = r.Choices[:min(len(r.Choices), mostChoices)]
	for i := range r.Choices {
		r.Choices[i].clean()
	}
	r.Offered.clean()
	m := &r.Module
	for _, text := range []*string{
		&r.ID, &r.State, &r.Reason, &r.ResultURL, &r.TokenFault, &r.Probation, &m.Slug, &m.Name, &m.URL, &m.NotListed,
	} {
		*text = Clean(*text)
	}
}

func (c *Choice) clean() {
	c.Slug, c.Name = result.Printable(c.Slug, longestLabel), result.Printable(c.Name, longestName)
}

// readReceipt reads the site's answer about a result. A network's captive portal also answers, but gives no receipt.
func readReceipt(answer []byte, id string) (receipt Receipt, err error) {
	if err := json.Unmarshal(answer, &receipt); err != nil || receipt.ID != id || receipt.State == "" {
		return Receipt{}, errors.New("the answer has no receipt for the result: it is not from the site, or from a newer one")
	}
	receipt.clean()
	return receipt, nil
}

// Name tells the site which module an uploaded result is of, and keeps the site's answer beside the file, if there is
// one. *RefusedError is final: 403 means that the result is another contributor's, 409 that an operator has named its
// module, 422 that it can't be of that module.
func (s Spool) Name(ctx context.Context, site Site, id, slug string) (receipt Receipt, err error) {
	body, _ := json.Marshal(map[string]string{"module": slug}) // texts can't fail
	answer, err := s.as(ctx, site, http.MethodPut, "v1/results/"+id+"/module", body)
	if err != nil {
		return receipt, err
	}
	if receipt, err = readReceipt(answer, id); err != nil {
		return receipt, err
	}
	if path := s.Find(id); path != "" {
		_ = put(beside(path, receiptSuffix), answer) // for the list
	}
	return receipt, nil
}

// Upload sends the result file at path unchanged and keeps the site's answer beside it. *RefusedError is final.
func (s Spool) Upload(ctx context.Context, site Site, path string) (receipt Receipt, err error) {
	doc, data, err := Read(path)
	if err != nil {
		return receipt, err
	}
	answer, err := s.as(ctx, site, http.MethodPut, "v1/results/"+doc.ID, data)
	if Refused(err) == http.StatusGone {
		return receipt, errors.Join(err, noteDeletion(path))
	} else if refused, ok := errors.AsType[*RefusedError](err); ok {
		data, _ := json.Marshal(refused)           // numbers and texts can't fail
		_ = put(beside(path, refusedSuffix), data) // for the list
	}
	if err != nil {
		return receipt, err
	}
	if receipt, err = readReceipt(answer, doc.ID); err != nil {
		return receipt, err
	}
	if err := put(beside(path, receiptSuffix), answer); err != nil && site.Log != nil {
		site.Log(fmt.Sprintf("uploaded, but the receipt can't be kept beside the file (%v); upload it again at will", err))
	}
	_ = os.Remove(beside(path, refusedSuffix))
	return receipt, nil
}

// Delete deletes an uploaded result from the site and marks the file at path as deleted, unless path is "".
// *RefusedError is final: 403 means that the result is another contributor's, 404 that the site never had it.
func (s Spool) Delete(ctx context.Context, site Site, id, path string) error {
	_, err := s.as(ctx, site, http.MethodDelete, "v1/results/"+id, nil)
	if err != nil && Refused(err) != http.StatusGone {
		return err
	} else if path == "" {
		return nil
	}
	return noteDeletion(path)
}

// DeleteAll deletes all of the contributor's uploads from the site, and marks the kept files as deleted. A
// *RefusedError with 401 means that the site doesn't know the contributor.
func (s Spool) DeleteAll(ctx context.Context, site Site) error {
	_, err := s.as(ctx, site, http.MethodDelete, "v1/contributor", nil)
	if err != nil && Refused(err) == 0 {
		return err
	}
	// Mark the files after a refusal, too: an earlier client may have deleted all and been stopped before it marked
	// them.
	all, listErr := s.All()
	err = errors.Join(err, listErr)
	for _, kept := range all {
		if kept.Receipt == nil || kept.Deleted {
			continue
		}
		// A receipt may be from another site, so ask this one.
		_, askErr := site.do(ctx, http.MethodGet, "v1/results/"+kept.Result.ID, "", nil)
		if status := Refused(askErr); status == http.StatusGone {
			err = errors.Join(err, noteDeletion(kept.Path))
		} else if askErr != nil && status == 0 {
			return errors.Join(err, askErr)
		}
	}
	return err
}

// Standing is a result's rank by one of its figures, among the measured modules.
type Standing struct {
	Figure  string `json:"figure"`  // such as rand_write_iops
	Above   int    `json:"above"`   // modules with a higher median
	Modules int    `json:"modules"` // all that were measured

	OfForm *FormStanding `json:"of_form,omitempty"` // nil: its form isn't known, or the site is older
}

// FormStanding is the same rank, among the modules of one form, such as microsd.
type FormStanding struct {
	Form    string `json:"form"`
	Above   int    `json:"above"`
	Modules int    `json:"modules"`
}

// Standing asks for the rank of an uploaded result. It returns nil if there is none, or if the site doesn't say soon.
func (s Site) Standing(ctx context.Context, id string) *Standing {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	answer, _, err := s.try(ctx, http.MethodGet, "v1/results/"+id, "", nil)
	var stored struct{ Standing Standing }
	if err != nil || json.Unmarshal(answer, &stored) != nil {
		return nil
	}
	got := &stored.Standing
	if f := got.OfForm; f != nil && (f.Above < 0 || f.Above > f.Modules || f.Modules > got.Modules) {
		got.OfForm = nil
	}
	if got.Above < 0 || got.Above > got.Modules || got.Modules < 1 {
		return nil // also if there is none
	}
	return got
}
