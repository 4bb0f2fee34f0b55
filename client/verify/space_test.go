package verify_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/verify"
	"flashdex/result"
)

func space(t *testing.T, dir string) *verify.Space {
	t.Helper()
	s, err := verify.NewSpace(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestHonestSpace(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64<<20, "")
	s := space(t, disk.Dir)
	var shown []verify.Progress
	s.Progress = func(p verify.Progress) { shown = append(shown, p) }
	var found verify.Content
	if err := s.Write(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, disk.Dir)
	if err := s.Read(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	if !found.Sound() || found.FirstBad != -1 || found.WrittenBytes < 32<<20 || found.ReadBytes != found.WrittenBytes {
		t.Errorf("%+v", found)
	}
	if last := shown[len(shown)-1]; last.Phase != "read" || last.Done != found.WrittenBytes || last.Left != 0 {
		t.Errorf("the last progress: %+v", last)
	}
	// Everything is given back.
	s.Close()
	if again := space(t, disk.Dir); again.Bytes != s.Bytes {
		t.Errorf("%d bytes are free after the run, %d were before", again.Bytes, s.Bytes)
	}
}

// An empty file system leaves so much of a sound card that it counts as checked. Ext4 leaves the least: it keeps 5 %
// for root, and more for its inodes and its journal. Only the free space is asked, and nothing is written to it.
func TestAnEmptyCardCountsAsChecked(t *testing.T) {
	t.Parallel()
	const ofItsPrint = 0.966 // all sound cards in data/ but two have at least that
	least := 1.0
	for _, bytes := range []int64{1 << 30, 8e9, 32e9, 64e9, 128e9, 256e9} {
		disk := looptest.Attach(t, bytes)
		output(t, "mkfs.ext4", "-q", "-F", disk)
		s := space(t, looptest.MountAt(t, disk, "-o", "noinit_itable"))
		doc := result.Document{Method: result.MethodVerify1,
			Module:   result.Module{CapacityGB: float64(bytes) / 1e9 / ofItsPrint},
			Identity: result.Identity{Checked: &result.Checked{Bytes: s.Bytes, OKBytes: s.Bytes, OfBytes: bytes}}}
		share := float64(s.Bytes) / float64(bytes)
		t.Logf("%.1f GB: %.1f %% of the device, %.1f %% of the print", float64(bytes)/1e9, 100*share,
			100*share*ofItsPrint)
		least = min(least, share*ofItsPrint)
		if !doc.CapacityChecked() {
			t.Errorf("%d of %d bytes are no check", s.Bytes, bytes)
		}
	}
	if least < 0.84 || least > 0.85 {
		t.Errorf("the least is %.1f %%, and the texts say 84", 100*least)
	}
}

// A fake does this below the file system: the image under a loop device loses a part, or answers with another part.
func TestFakeSpace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fake  func(image *os.File) error
		state verify.State
		words string
	}{
		"lost": {func(image *os.File) error {
			_, err := image.WriteAt(make([]byte, 16<<20), 40<<20)
			return err
		}, verify.Blank, "is lost"},
		"wrapped": {func(image *os.File) error {
			p := make([]byte, 16<<20)
			if _, err := image.ReadAt(p, 20<<20); err != nil {
				return err
			}
			_, err := image.WriteAt(p, 40<<20)
			return err
		}, verify.Elsewhere, "same memory for several addresses"},
		"one bit": {func(image *os.File) error {
			var p [1]byte
			if _, err := image.ReadAt(p[:], 45<<20); err != nil {
				return err
			}
			p[0] ^= 4
			_, err := image.WriteAt(p[:], 45<<20)
			return err
		}, verify.Damaged, "wears out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 64<<20, "")
			s := space(t, disk.Dir)
			var found verify.Content
			if err := s.Write(context.Background(), &found); err != nil {
				t.Fatal(err)
			}
			// The file system's own blocks may be there, too. The test doesn't read the blocks that unmounting writes.
			image, err := os.OpenFile(disk.Image, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer image.Close()
			if err := errors.Join(c.fake(image), image.Sync()); err != nil {
				t.Fatal(err)
			}
			if err := s.Read(context.Background(), &found); err != nil {
				t.Fatal(err)
			}
			if found.Sound() || found.FirstBad < 0 || found.Sectors[c.state] == 0 ||
				found.Sectors[c.state] < found.Sectors.Bad()*9/10 {
				t.Errorf("%+v", found)
			}
			if words := found.Words(); !strings.Contains(words, c.words) {
				t.Errorf("%q isn't in %q", c.words, words)
			}
		})
	}
}

// The module refuses to write at some point, since its image has no room to grow.
func TestSpaceThatRefuses(t *testing.T) {
	t.Parallel()
	disk := limited(t, 24<<20, 64<<20)
	dir := t.TempDir()
	mount(t, "-o", "nodelalloc", disk, dir)
	s := space(t, dir)
	var found verify.Content
	if err := s.Write(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	if err := s.Read(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	if found.Sound() || found.WriteError == nil || found.WrittenBytes > 24<<20 || found.ReadBytes != found.WrittenBytes {
		t.Errorf("%+v", found)
	}
	if words := found.Words(); !strings.Contains(words, "refused") {
		t.Error(words)
	}
}

func TestStoppedSpace(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 32<<20, "")
	s := space(t, disk.Dir)
	enough := fmt.Errorf("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	s.Progress = func(p verify.Progress) {
		if p.Phase == "read" {
			cancel(enough)
		}
	}
	var found verify.Content
	if err := s.Write(ctx, &found); err != nil {
		t.Fatal(err)
	}
	if err := s.Read(ctx, &found); !errors.Is(err, enough) || found.ReadBytes != 1<<20 || found.Sectors.Bad() != 0 ||
		found.Sound() {
		t.Errorf("%v, %+v", err, found)
	}
	if err := s.Write(ctx, new(verify.Content)); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

func TestNoSpace(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 32<<20, "")
	// A disk that the machine runs from must keep more free space than this one has.
	if _, err := verify.NewSpace(disk.Dir, true); err == nil || !strings.Contains(err.Error(),
		"too little to check anything") {
		t.Errorf("%v", err)
	}
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%s holds %v, %v", dir, entries, err)
	}
}

// limited makes a loop device that claims so many bytes but takes only realBytes: its image lies on a full disk.
func limited(t *testing.T, realBytes, claimedBytes int64) (device string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	dir := t.TempDir()
	mount(t, "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", realBytes), "flashdex-test", dir)
	image := filepath.Join(dir, "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, claimedBytes); err != nil {
		t.Fatal(err)
	}
	// Without a journal, few of the file system's own blocks can fail.
	output(t, "mkfs.ext4", "-q", "-F", "-O", "^has_journal", image)
	device = output(t, "losetup", "--find", "--show", image)
	t.Cleanup(func() { output(t, "losetup", "--detach", device) })
	return device
}

// mount runs mount(8). The last argument is the directory, which is unmounted at the end of the test.
func mount(t *testing.T, arguments ...string) {
	t.Helper()
	output(t, "mount", arguments...)
	t.Cleanup(func() { output(t, "umount", arguments[len(arguments)-1]) })
}

func output(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	said, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, said)
	}
	return strings.TrimSpace(string(said))
}
