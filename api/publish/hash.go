package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// hashOf returns a hash of texts and their order.
func hashOf(texts ...[]byte) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintln(h, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// programs hashes this program, which holds the catalogue and the questions, and Hugo.
func programs(hugo string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
		if hugo, err = exec.LookPath(hugo); err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
		return hashOfFiles(self, hugo)
	})
}

// hashOfFiles hashes files, and all files in folders with their names.
func hashOfFiles(roots ...string) (string, error) {
	h := sha256.New()
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			n, err := io.Copy(h, file)
			fmt.Fprintln(h, n, strings.TrimPrefix(path, root))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("publish: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
