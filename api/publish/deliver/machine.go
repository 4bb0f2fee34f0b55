package deliver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// machine is a folder on another machine, as rsync names it. How rsync gets there (RSYNC_RSH, RSYNC_PASSWORD) is its user's to set.
type machine string

// Read implements Place.
func (m machine) Read(ctx context.Context, name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := m.rsync(ctx, []string{name}, "--ignore-missing-args", "--files-from=-", "--from0", "--", m.at(), dir); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// Put implements Place. All files of one call are replaced at its end, quickly.
func (m machine) Put(ctx context.Context, from string, names []string) error {
	return m.rsync(ctx, names, "--perms", "--ignore-times", "--compress", "--delay-updates", "--files-from=-", "--from0", "--", from+"/", m.at())
}

// Remove implements Place: rsync removes what it is told to send and isn't there. It wants the folders to be.
func (m machine) Remove(ctx context.Context, names []string) error {
	empty, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(empty)
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(empty, filepath.Dir(filepath.FromSlash(name))), 0o700); err != nil {
			return err
		}
	}
	return m.rsync(ctx, names, "--delete-missing-args", "--files-from=-", "--from0", "--", empty+"/", m.at())
}

func (m machine) at() string { return strings.TrimSuffix(string(m), "/") + "/" }

func (m machine) rsync(ctx context.Context, names []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "rsync", args...)
	cmd.Stdin = strings.NewReader(strings.Join(names, "\x00"))
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("rsync: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
