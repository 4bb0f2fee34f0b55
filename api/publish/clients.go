package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// clientFile describes one client program to the download page.
type clientFile struct {
	File, Platform string
	Bytes          int64
	SHA256         string
}

// readClients lists the client programs by their checksum file.
func readClients(dir string) ([]clientFile, error) {
	clients, list := []clientFile{}, filepath.Join(dir, "SHA256SUMS")
	sums, err := os.ReadFile(list)
	if errors.Is(err, os.ErrNotExist) {
		return clients, nil
	} else if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	for line := range strings.Lines(string(sums)) {
		sum, file, ok := strings.Cut(strings.TrimSpace(line), "  ")
		info, err := os.Stat(filepath.Join(dir, file))
		if !ok || err != nil {
			return nil, fmt.Errorf("publish: %s names %q, which is not there: build the clients again", list, file)
		}
		platform := strings.Replace(strings.TrimPrefix(file, "flashdex-"), "-", "/", 1)
		clients = append(clients, clientFile{file, platform, info.Size(), sum})
	}
	return clients, nil
}
