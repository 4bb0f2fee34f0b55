package spool

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// Kept is a result in the spool and its state. It is deleted if the site deleted it, else uploaded if there is a
// receipt, else refused if there is a refusal, else waiting.
type Kept struct {
	Path    string
	Result  *result.Document
	Deleted bool
	Receipt *Receipt
	Refused *RefusedError
}

const (
	receiptSuffix  = ".receipt.json"
	refusedSuffix  = ".refused.json" // the site's last refusal, until it accepts the result
	deletedSuffix  = ".deleted.json"
	verifiedSuffix = ".verified" // a unit's finding, after the unit's tag
)

// All lists the results, oldest first. Its error names the files that hold no result. All may return a list and an
// error.
func (s Spool) All() ([]Kept, error) {
	names, err := s.results()
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, name := range names {
		doc, _, unreadable := Read(name)
		if unreadable != nil {
			err = errors.Join(err, unreadable)
			continue
		}
		kept := Kept{Path: name, Result: doc, Deleted: exists(beside(name, deletedSuffix)), Receipt: ReceiptOf(name)}
		var refused RefusedError
		if kept.Receipt == nil && readJSON(beside(name, refusedSuffix), &refused) {
			kept.Refused = &refused
		}
		all = append(all, kept)
	}
	return all, err
}

// Pending lists the results that are neither uploaded nor deleted, oldest first.
func (s Spool) Pending() ([]string, error) {
	names, err := s.results()
	return slices.DeleteFunc(names, func(name string) bool {
		return exists(beside(name, receiptSuffix)) || exists(beside(name, deletedSuffix))
	}), err
}

// Find returns the path of the kept result with an id, or "" if there is none.
func (s Spool) Find(id string) string {
	if path := filepath.Join(s.Dir, id+resultSuffix); exists(path) {
		return path
	}
	return ""
}

// results lists the files of results, oldest first: ids of version 7 sort by time.
func (s Spool) results() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(s.Dir, "*"+resultSuffix))
	return slices.DeleteFunc(names, func(name string) bool {
		is := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
		return slices.ContainsFunc([]string{receiptSuffix, refusedSuffix, deletedSuffix}, is)
	}), err
}

// ReceiptOf reads the site's receipt of the result at path. It returns nil if there is none.
func ReceiptOf(path string) *Receipt {
	var receipt Receipt
	if !readJSON(beside(path, receiptSuffix), &receipt) {
		return nil
	}
	receipt.clean()
	return &receipt
}

// noteDeletion marks the result at path as deleted from the site, so that it is not uploaded again.
func noteDeletion(path string) error {
	return put(beside(path, deletedSuffix), []byte("{}\n"))
}

// KeepVerified keeps what verify found on the tag's unit. It replaces an earlier finding.
func (s Spool) KeepVerified(tag string, found result.Verified) error {
	data, _ := json.Marshal(found) // two numbers and a day can't fail
	return put(filepath.Join(s.Dir, tag+verifiedSuffix), append(data, '\n'))
}

// ForgetVerified removes what verify found earlier on the unit with a tag, if anything.
func (s Spool) ForgetVerified(tag string) error { return s.forget(tag + verifiedSuffix) }

// Verified returns what verify found on the unit with a tag, or nil if that isn't known or is about another size.
func (s Spool) Verified(tag string, claimedBytes int64) *result.Verified {
	var found result.Verified
	if tag == "" || !readJSON(filepath.Join(s.Dir, tag+verifiedSuffix), &found) || found.ClaimedBytes != claimedBytes {
		return nil
	}
	// Somebody may have edited the file. A wrong value in it would make a site refuse the whole document.
	if _, err := time.Parse(time.DateOnly, found.On); err != nil || found.FoundBytes < 0 ||
		found.FoundBytes > claimedBytes {
		return nil
	}
	return &found
}

func beside(path, suffix string) string { return strings.TrimSuffix(path, resultSuffix) + suffix }

// exists returns false only if the file is surely not there. A file that can't be looked at may exist.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func readJSON(path string, into any) bool {
	data, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(data, into) == nil
}
