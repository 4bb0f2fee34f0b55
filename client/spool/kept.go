package spool

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flashdex/result"
)

// Kept is a result in the spool and what became of it: deleted from the site; else uploaded, if there is a receipt; else
// refused by the site, if there is a refusal; else waiting.
type Kept struct {
	Path    string
	Result  *result.Document
	Deleted bool
	Receipt *Receipt
	Refused *RefusedError
}

const (
	receiptSuffix = ".receipt.json"
	refusedSuffix = ".refused.json" // the site's last refusal, until the result is accepted
	deletedSuffix = ".deleted.json"
)

// All lists the results, oldest first. Files that are none are left out, and the error says which; it may come with a
// list.
func (s Spool) All() ([]Kept, error) {
	names, err := s.results()
	if err != nil {
		return nil, err
	}
	var all []Kept
	var unreadable []error
	for _, name := range names {
		doc, _, err := Read(name)
		if err != nil {
			unreadable = append(unreadable, err)
			continue
		}
		kept := Kept{Path: name, Result: doc, Deleted: exists(beside(name, deletedSuffix)), Receipt: ReceiptOf(name)}
		var refused RefusedError
		if kept.Receipt == nil && readJSON(beside(name, refusedSuffix), &refused) {
			kept.Refused = &refused
		}
		all = append(all, kept)
	}
	return all, errors.Join(unreadable...)
}

// Pending lists the results that the site has not confirmed yet and that were not taken back, oldest first.
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
		return strings.HasSuffix(name, receiptSuffix) || strings.HasSuffix(name, refusedSuffix) || strings.HasSuffix(name, deletedSuffix)
	}), err
}

// ReceiptOf reads the site's receipt of the result at path, or returns nil if there is none.
func ReceiptOf(path string) *Receipt {
	var receipt Receipt
	if !readJSON(beside(path, receiptSuffix), &receipt) {
		return nil
	}
	receipt.clean()
	return &receipt
}

// noteRefusal keeps why the site refused the result at path, for All to tell. Not to be able to is no failure of the
// upload.
func noteRefusal(path string, refused *RefusedError) {
	if data, err := json.Marshal(refused); err == nil {
		_ = put(beside(path, refusedSuffix), data)
	}
}

// noteDeletion keeps that the result at path is deleted from the site, so that it is not uploaded again.
func noteDeletion(path string) error {
	return put(beside(path, deletedSuffix), []byte("{}\n"))
}

func beside(path, suffix string) string { return strings.TrimSuffix(path, resultSuffix) + suffix }

// exists doubts a file only if it is surely not there: what can't be looked at may be.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func readJSON(path string, into any) bool {
	data, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(data, into) == nil
}
