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
	j, err := openJournal(filepath.Join(s.Dir, id+unfinishedSuffix), os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	j.Entries = -1 // the head is none
	if err := errors.Join(j.Append(head), syncDir(s.Dir)); err != nil {
		j.Remove()
		return nil, fmt.Errorf("the journal of the run can't be written: %w", err)
	}
	return j, nil
}

// Unfinished lists the journals in the spool, oldest first.
func (s Spool) Unfinished() ([]string, error) {
	return filepath.Glob(filepath.Join(s.Dir, "*"+unfinishedSuffix))
}

// Continue opens the journal at path to append to it. It reads the first line into head and returns the others.
func Continue[Entry any](path string, head any) (*Journal, []Entry, error) {
	j, err := openJournal(path, 0)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(j.file)
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	first, rest, _ := bytes.Cut(whole, []byte("\n"))
	if err == nil {
		err = json.Unmarshal(first, head)
	}
	var entries []Entry
	for line := range bytes.Lines(rest) {
		if err == nil {
			entries = append(entries, *new(Entry))
			err = json.Unmarshal(line, &entries[len(entries)-1])
		}
	}
	if err == nil {
		err = j.file.Truncate(int64(len(whole))) // drop a line that broke off
	}
	if err != nil {
		j.Close()
		return nil, nil, fmt.Errorf("%s is not the journal of a run: %w", path, err)
	}
	j.Entries = len(entries)
	return j, entries, nil
}

// openJournal opens a journal and keeps a second client from it. It waits for a client that was just killed to end.
func openJournal(path string, flags int) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|flags, 0o600)
	if err != nil {
		return nil, err
	}
	for range 50 {
		if !errors.Is(syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
			return &Journal{Path: path, file: file}, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	file.Close()
	return nil, errors.New("another flashdex is at this run")
}

// Append adds an entry, or none if it fails: the next one must not follow on a piece of a line.
func (j *Journal) Append(entry any) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	end, err := j.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if _, err = j.file.Write(append(line, '\n')); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return errors.Join(err, j.file.Truncate(end))
	}
	j.Entries++
	return nil
}

// Close leaves the journal for a later run.
func (j *Journal) Close() { j.file.Close() }

// Remove removes the journal, unless it is nil.
func (j *Journal) Remove() {
	if j != nil {
		_ = os.Remove(j.Path)
		j.Close()
	}
}
