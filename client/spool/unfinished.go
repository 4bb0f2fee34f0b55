package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// unfinishedSuffix ends the name of a journal, after the id of the result.
const unfinishedSuffix = ".unfinished"

// Journal records what a run has done, so that another run can continue it: a line of JSON for the run and one for each
// entry. When Append returns, the entry is on disk. A line that broke off is dropped.
type Journal struct {
	Path    string
	Entries int

	file *os.File
}

// Begin makes the journal of a run whose result will have that id.
func (s Spool) Begin(id string, head any) (*Journal, error) {
	path := filepath.Join(s.Dir, id+unfinishedSuffix)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{Path: path, Entries: -1, file: file}
	if err := errors.Join(j.lock(), j.Append(head), syncDir(s.Dir)); err != nil {
		j.Remove()
		return nil, fmt.Errorf("the journal of the run can't be written: %w", err)
	}
	return j, nil
}

// Unfinished lists the journals in the spool, oldest first.
func (s Spool) Unfinished() ([]string, error) {
	return filepath.Glob(filepath.Join(s.Dir, "*"+unfinishedSuffix))
}

// Continue opens the journal at path to append to it. It reads the first line into head and calls entry for each other.
func Continue(path string, head any, entry func(line []byte) error) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	j := &Journal{Path: path, file: file}
	if err := j.lock(); err != nil {
		file.Close()
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err == nil {
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		first, rest, _ := bytes.Cut(whole, []byte("\n"))
		err = json.Unmarshal(first, head)
		for line := range bytes.Lines(rest) {
			if err == nil {
				err = entry(line)
				j.Entries++
			}
		}
		err = errors.Join(err, file.Truncate(int64(len(whole)))) // drop a line that broke off
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s is not the journal of a run: %w", path, err)
	}
	return j, nil
}

// Append adds an entry.
func (j *Journal) Append(entry any) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	j.Entries++
	return j.file.Sync()
}

// Close leaves the journal for a later run.
func (j *Journal) Close() { j.file.Close() }

// Remove removes the journal.
func (j *Journal) Remove() {
	_ = os.Remove(j.Path)
	j.file.Close()
}

// lock keeps a second client from the same run. It waits for a client that was just killed to end.
func (j *Journal) lock() error {
	for range 50 {
		if !errors.Is(syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("another flashdex is at this run")
}
