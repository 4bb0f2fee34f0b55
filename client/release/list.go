package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// toCome begins the lines of clients that are still being built. client/build.sh writes them.
const toCome = "# to come "

// Program is a client in the list.
type Program struct {
	File   string // its name
	SHA256 string // in hexadecimal; empty: it is still being built
}

// Programs reads the list of clients in dir. Without a list there are none.
func Programs(dir string) ([]Program, error) {
	list := filepath.Join(dir, List)
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var programs []Program
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if file, ok := strings.CutPrefix(line, toCome); ok {
			programs = append(programs, Program{File: file})
		} else if sum, file, ok := strings.Cut(line, "  "); ok {
			programs = append(programs, Program{file, sum})
		} else if !strings.HasPrefix(line, "#") { // the number of a signed release
			return nil, fmt.Errorf("%s: %q is no line of sha256sum: build the clients again", list, line)
		}
	}
	return programs, nil
}
