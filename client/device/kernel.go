// Package device finds the flash module below a directory, and says what the kernel shows of it and of the computer.
//
// What it returns is an allow-list: every field is read by name and checked for its form, so that serial numbers, host
// name, addresses and paths can't slip into a result document.
package device

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Kernel is where the kernel's file systems are mounted, and where its devices are: "" for nowhere.
type Kernel struct{ Sys, Proc, Dev string }

// Running is the kernel that this program runs on.
var Running = Kernel{Sys: "/sys", Proc: "/proc", Dev: "/dev"}

// text reads a small file and trims it; a file that is missing or unreadable is empty.
func text(elements ...string) string {
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		return ""
	}
	return strings.Trim(string(data), " \t\r\n\x00")
}

// number reads a file that holds a decimal number; anything else is 0.
func number(elements ...string) int64 {
	n, _ := strconv.ParseInt(text(elements...), 10, 64)
	return n
}

// hexDigits returns s in lower case if it is prefix and min to max hex digits, and "" if it isn't.
func hexDigits(s, prefix string, min, max int) string {
	s = strings.ToLower(s)
	digits, ok := strings.CutPrefix(s, prefix)
	if !ok || len(digits) < min || len(digits) > max || strings.Trim(digits, "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// keep drops every character that allowed doesn't hold, and what is over limit.
func keep(s, allowed string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(allowed, r) {
			return r
		}
		return -1
	}, s)
	return s[:min(len(s), limit)]
}

const (
	digits  = "0123456789"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lower + upper
)
