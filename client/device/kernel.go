// Package device finds the flash module below a directory and reads what the kernel shows of it and of the computer.
//
// It reads every field by name and checks its form, so that no serial number, host name, address or path can get out.
package device

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Kernel holds the mount points of the kernel's file systems and the directory of its devices; "" for none.
type Kernel struct{ Sys, Proc, Dev string }

// Running is the kernel that this program runs on.
var Running = Kernel{Sys: "/sys", Proc: "/proc", Dev: "/dev"}

// text reads a small file and trims it. It returns "" for a file that can't be read.
func text(elements ...string) string {
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		return ""
	}
	return strings.Trim(string(data), " \t\r\n\x00")
}

// set writes to a file of the kernel.
func set(dir, name, value string) error {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

// number reads a file that holds a decimal number. It returns 0 for any other file.
func number(elements ...string) int64 {
	n, _ := strconv.ParseInt(text(elements...), 10, 64)
	return n
}

// settings cuts the lines of a small file at their colons into names and values. It leaves out lines without one.
func settings(elements ...string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for line := range strings.Lines(text(elements...)) {
			name, value, ok := strings.Cut(line, ":")
			if ok && !yield(strings.TrimSpace(name), strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// hexDigits returns s in lower case if it is prefix with min to max hex digits, and otherwise "".
func hexDigits(s, prefix string, min, max int) string {
	s = strings.ToLower(s)
	hex, ok := strings.CutPrefix(s, prefix)
	if !ok || len(hex) < min || len(hex) > max || strings.Trim(hex, Digits+"abcdef") != "" {
		return ""
	}
	return s
}

// Keep drops every character that is not in allowed, and all beyond limit bytes.
func Keep(s, allowed string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(allowed, r) {
			return r
		}
		return -1
	}, s)
	return s[:min(len(s), limit)]
}

// Characters for Keep.
const (
	Digits  = "0123456789"
	Letters = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower   = "abcdefghijklmnopqrstuvwxyz"
)
