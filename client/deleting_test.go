package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

// contributor is a user who has kept a result and can run the client on it.
type contributor struct {
	kept spool.Spool
	path string
	id   string
}

func newContributor(t *testing.T) contributor {
	t.Helper()
	c := contributor{kept: spool.Spool{Dir: t.TempDir()}}
	doc := exampleResult(t)
	path, _, err := c.kept.Save(doc)
	if err != nil {
		t.Fatal(err)
	}
	c.path, c.id = path, doc.ID
	return c
}

func (c contributor) command(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	command, _ := client(t, arguments...)
	command.Env = append(command.Env, "FLASHDEX_DIR="+c.kept.Dir)
	return command
}

func (c contributor) must(t *testing.T, says string, arguments ...string) {
	t.Helper()
	if out, said, code := output(c.command(t, arguments...)); code != 0 || !strings.Contains(out, says) {
		t.Errorf("%q: exit code %d, output %q, said %q, want %q", arguments, code, out, said, says)
	}
}

// A result goes up, comes down, and stays down; the file stays here.
func TestUploadDeleteRotate(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	c := newContributor(t)
	at := []string{"--site", site.URL}
	c.must(t, "Uploaded: accepted\n  result  https://x.test/r/1\n  module  https://x.test/m/a  Card\n  rank    4K random write: faster than 83 % of 144 measured modules (rank 25)\n",
		append(at, "upload")...)
	c.must(t, "The secret is changed", append(at, "rotate")...)
	c.must(t, "Deleted from the site: "+c.id, append(at, "delete", "--yes", c.id)...)
	if _, deleted := site.Body(c.id); !deleted {
		t.Error("it is still there")
	}
	c.must(t, "deleted from the site", "list")
	_, said, code := output(c.command(t, append(at, "upload")...))
	if code != 0 || !strings.Contains(said, "Nothing waits") {
		t.Errorf("upload after delete: exit code %d, said %q", code, said)
	}
	c.must(t, "SanDisk Extreme", "show", c.path)

	d := newContributor(t)
	other := sitetest.Start(t)
	at = []string{"--site", other.URL}
	d.must(t, "accepted", append(at, "upload", d.path)...)
	d.must(t, "all that you uploaded", append(at, "delete", "--all", "--yes")...)
	d.must(t, "deleted from the site", "list")
}

func TestDeleteIsRefused(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	owner, stranger := newContributor(t), newContributor(t)
	owner.must(t, "accepted", "upload", "--site", site.URL)
	for _, c := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{[]string{"delete", "--site", site.URL, stranger.id}, exitUsage, "no terminal to ask on; nothing was deleted. Run it on one, or with --yes"},
		{[]string{"delete", "--site", site.URL, "--yes", stranger.id}, exitFailed, "was uploaded with another secret"},
		{[]string{"delete", "--site", site.URL, "--yes", stranger.path}, exitFailed, "was uploaded with another secret"},
		{[]string{"delete", "--site", site.URL, "--yes", "0198f2c4-7a3b-7c11-9d5e-000000000000"}, exitFailed, "has no such result"},
		{[]string{"delete", "--site", site.URL, "--yes", "--all"}, exitFailed, "knows no contributor with the secret in"},
		{[]string{"rotate", "--site", site.URL}, exitFailed, "The secret was not changed"},
		{[]string{"delete", "--site", site.URL}, exitUsage, "name the results to take back"},
		{[]string{"delete", "--site", site.URL, "--all", stranger.id}, exitUsage, "is one too many"},
		{[]string{"delete", "--site", site.URL, "../secret"}, exitUsage, "neither the id of a result nor its file"},
		{[]string{"delete", "--site", site.URL, "/nonexistent.json"}, exitUsage, "no such file"},
		{[]string{"delete", stranger.id}, exitUsage, "name the site"},
		{[]string{"rotate"}, exitUsage, "name the site"},
		{[]string{"rotate", "--site", site.URL, "now"}, exitUsage, `"now" is one too many`},
		{[]string{"upload", "--all"}, exitUsage, "--all goes with delete"},
		{[]string{"verify", "--all", "/mnt"}, exitUsage, "--all goes with delete"},
	} {
		out, said, code := output(stranger.command(t, c.arguments...))
		if code != c.code || out != "" || !strings.Contains(said, c.says) {
			t.Errorf("%q: exit code %d, output %q, said %q, want %d, %q", c.arguments, code, out, said, c.code, c.says)
		}
	}
	if body, _ := site.Body(owner.id); body == "" {
		t.Error("another contributor deleted it")
	}
}

// Only yes is a yes.
func TestDeleteAsks(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	c := newContributor(t)
	c.must(t, "accepted", "upload", "--site", site.URL)
	for _, answer := range []struct {
		line string
		code int
		says string
	}{
		{"y\n", exitUsage, `"y" is not "yes"; nothing was deleted`},
		{"\x03", 130, "stopped by Ctrl-C: nothing was deleted"},
		{"yes\n", 0, ""},
	} {
		command := c.command(t, "delete", "--site", site.URL, c.id)
		said := &strings.Builder{}
		command.Stderr = said
		atTerminal(t, command, "Type yes to go on", answer.line)
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code != answer.code || !strings.Contains(said.String(), answer.says) {
			t.Errorf("%q: exit code %d, said %q", answer.line, code, said)
		}
		if _, deleted := site.Body(c.id); deleted != (answer.code == 0) {
			t.Errorf("%q: deleted is %v", answer.line, deleted)
		}
	}
}

// What can't be kept isn't measured, and what is kept isn't dropped for it.
func TestNoRoomForAResult(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 16<<20, "")
	c := newContributor(t)
	if err := os.Truncate(filepath.Join(c.kept.Dir, filepath.Base(c.path)), 1<<30); err != nil {
		t.Fatal(err)
	}
	if out, said, code := output(c.command(t, disk.Dir)); code != exitUsage || out != "" || !strings.Contains(said, "no more are taken, so that none is lost") {
		t.Errorf("a full spool: exit code %d, said %q", code, said)
	}
	if err := syscall.Mount("", disk.Dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	command, _ := client(t, disk.Dir)
	command.Env = append(command.Env, "FLASHDEX_DIR="+disk.Dir)
	if out, said, code := output(command); code != exitUsage || out != "" || !strings.Contains(said, "read-only file system; set FLASHDEX_DIR") {
		t.Errorf("a spool that can't be written to: exit code %d, said %q", code, said)
	}
	mustBeEmpty(t, disk.Dir)
}
