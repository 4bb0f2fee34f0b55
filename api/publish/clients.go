package publish

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// clientFile describes one client program to the download page.
type clientFile struct {
	File     string `json:"file"`
	Platform string `json:"platform"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
}

// readClients lists the client programs by their checksum file.
func readClients(dir string) ([]clientFile, error) {
	sums, err := os.Open(filepath.Join(dir, "SHA256SUMS"))
	if errors.Is(err, os.ErrNotExist) {
		return []clientFile{}, nil
	} else if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	defer sums.Close()
	clients := []clientFile{}
	lines := bufio.NewScanner(sums)
	for lines.Scan() {
		sum, file, ok := strings.Cut(lines.Text(), "  ")
		info, err := os.Stat(filepath.Join(dir, file))
		if !ok || err != nil {
			return nil, fmt.Errorf("publish: %s names %q, which is not there: build the clients again", sums.Name(), file)
		}
		platform := strings.Replace(strings.TrimPrefix(file, "flashdex-"), "-", "/", 1)
		clients = append(clients, clientFile{File: file, Platform: platform, Bytes: info.Size(), SHA256: sum})
	}
	return clients, lines.Err()
}
