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

// machine is a folder on another machine, as rsync names it. The user configures how rsync gets there (RSYNC_RSH,
// RSYNC_PASSWORD).
type machine string

// Read implements Place.
func (m machine) Read(ctx context.Context, name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := m.rsync(ctx, []string{name}, []string{"--ignore-missing-args"}, m.at(), dir); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// Put implements Place. All files of one call are replaced at its end, quickly.
func (m machine) Put(ctx context.Context, from string, names []string) error {
	return m.rsync(ctx, names, []string{"--perms", "--ignore-times", "--compress", "--delay-updates"}, from+"/", m.at())
}

// Remove implements Place. rsync removes files that it is told to send and that are missing here. Their folders must
// be here.
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
	return m.rsync(ctx, names, []string{"--delete-missing-args"}, empty+"/", m.at())
}

func (m machine) at() string { return strings.TrimSuffix(string(m), "/") + "/" }

// rsync copies the named files from one place to another.
func (m machine) rsync(ctx context.Context, names, flags []string, from, to string) error {
	cmd := exec.CommandContext(ctx, "rsync", append(flags, "--files-from=-", "--from0", "--", from, to)...)
	cmd.Stdin = strings.NewReader(strings.Join(names, "\x00"))
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("rsync: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
