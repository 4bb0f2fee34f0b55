package spool

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flashdex/result"
)

// Kept is a result in the spool and what became of it: uploaded if there is a receipt, else refused by the site if there
// is a refusal, else waiting.
type Kept struct {
	Path    string
	Result  *result.Document
	Receipt *Receipt
	Refused *RefusedError
}

// refusedSuffix is that of the site's last refusal, which stands beside a result until it is accepted.
const refusedSuffix = ".refused.json"

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
		kept := Kept{Path: name, Result: doc, Receipt: ReceiptOf(name)}
		var refused RefusedError
		if kept.Receipt == nil && readJSON(beside(name, refusedSuffix), &refused) {
			kept.Refused = &refused
		}
		all = append(all, kept)
	}
	return all, errors.Join(unreadable...)
}

// results lists the files of results, oldest first: ids of version 7 sort by time.
func (s Spool) results() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(s.Dir, "*"+resultSuffix))
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasSuffix(name, receiptSuffix) || strings.HasSuffix(name, refusedSuffix)
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
func (s Spool) noteRefusal(path string, refused *RefusedError) {
	if data, err := json.Marshal(refused); err == nil {
		_ = s.put(beside(path, refusedSuffix), data)
	}
}

func beside(path, suffix string) string { return strings.TrimSuffix(path, resultSuffix) + suffix }

func readJSON(path string, into any) bool {
	data, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(data, into) == nil
}
