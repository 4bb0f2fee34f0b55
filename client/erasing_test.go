package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
	"flashdex/result"
	"flashdex/result/schema"
)

// written returns the sectors that the kernel counted as written to a disk, from the seventh field
// (Documentation/block/stat.rst).
func written(t *testing.T, disk string) string {
	t.Helper()
	stat, err := os.ReadFile("/sys/class/block/" + strings.TrimPrefix(disk, "/dev/") + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(stat))[6]
}

func TestErasingIsRefused(t *testing.T) {
	t.Parallel()
	const size = 520 << 20
	disk := looptest.Attach(t, size)
	small := looptest.Attach(t, 64<<20)
	held := looptest.Attach(t, size)
	fd, err := syscall.Open(held, syscall.O_RDONLY|syscall.O_EXCL|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	before := strings.Join([]string{written(t, disk), written(t, small), written(t, held)}, " ")
	for _, c := range []struct {
		arguments []string
		says      string
	}{
		{[]string{"--device", disk, "--yes"}, "would overwrite 256 MiB in the middle of the device"},
		{[]string{"--device", disk, "--erase"}, "no terminal to type the device's name on; nothing was written"},
		{[]string{"--device", small, "--erase", "--yes"}, "has 64 MiB, and the test needs 256 MiB in its upper half. " +
			"Nothing was written"},
		{[]string{"--device", held, "--erase", "--yes"}, "something holds it"},
		{[]string{"--device", "/dev/null", "--erase", "--yes"}, "is not a block device"},
		{[]string{"--device", disk, "--erase", "/mnt"}, `"/mnt" is one too many`},
		{[]string{"--erase"}, "nothing without --device"},
		{[]string{disk}, "test it as a whole with --device"},
	} {
		command, _ := client(t, c.arguments...)
		out, said, code := output(command)
		if code != exitUsage || out != "" || !strings.Contains(said, c.says) {
			t.Errorf("%q: exit code %d, output %q, said %q, want %q", c.arguments, code, out, said, c.says)
		}
	}
	if after := strings.Join([]string{written(t, disk), written(t, small), written(t, held)}, " "); after != before {
		t.Errorf("a disk was written to: %s, then %s sectors", before, after)
	}
}

// Only the device's own name counts as a yes. Ctrl-C at the question is neither yes nor no.
func TestErasingAsks(t *testing.T) {
	t.Parallel()
	const size = 520 << 20
	disk := looptest.Attach(t, size)
	name := strings.TrimPrefix(disk, "/dev/")
	before := written(t, disk)
	for answer, want := range map[string]struct {
		code int
		says string
	}{
		"y\n":             {exitUsage, `"y" is not "` + name + `"; nothing was written`},
		"\n":              {exitUsage, "nothing was written"},
		"x" + name + "\n": {exitUsage, "nothing was written"},
		"\x03":            {130, "stopped by Ctrl-C: nothing was written"},
	} {
		command, _ := client(t, "--device", disk, "--erase", "--no-upload")
		var said bytes.Buffer
		command.Stderr = &said
		atTerminal(t, command, "Type "+name+" to erase it", answer)
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code != want.code || !strings.Contains(said.String(), want.says) {
			t.Errorf("%q: exit code %d, said %q, want %d, %q", answer, code, said.String(), want.code, want.says)
		}
		for _, line := range []string{"the whole of " + name, "On it   the whole of it: nothing that is known",
			"Erases  256 MiB of it, from 0.27 GB on"} {
			if !strings.Contains(said.String(), line) {
				t.Errorf("%q isn't in %s", line, said.String())
			}
		}
	}
	if after := written(t, disk); after != before {
		t.Errorf("the disk was written to: %s, then %s sectors", before, after)
	}

	command, _ := client(t, "--device", disk, "--erase", "--no-upload", "--print-payload")
	var out bytes.Buffer
	command.Stdout = &out
	atTerminal(t, command, "Type "+name+" to erase it", name+"\n")
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	doc, err := schema.Read(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if doc.Target.Kind != "device" || doc.Target.Filesystem != "" || doc.Identity.Bus != "loop" ||
		doc.Identity.SizeBytes != size ||
		doc.Test(result.SeqWrite).AreaBytes != result.StandardAreaBytes {
		t.Errorf("%+v of %+v", doc.Target, doc.Identity)
	}
}

// A disk that the user wasn't shown isn't erased: after the answer, the disk is compared with the one that was shown.
func TestWhatChangesAtTheQuestionIsNotErased(t *testing.T) {
	t.Parallel()
	const size = 520 << 20
	disk := looptest.Attach(t, size)
	name := strings.TrimPrefix(disk, "/dev/")
	for _, arguments := range [][]string{{"--no-upload"}, {"verify"}} {
		command, _ := client(t, append(arguments, "--device", disk, "--erase")...)
		var said bytes.Buffer
		command.Stderr = &said
		var before string
		atTerminal(t, command, "Type "+name+" to erase it", name+"\n", func() {
			file, err := os.OpenFile(disk, os.O_WRONLY|os.O_SYNC, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = file.WriteAt([]byte(strings.Join(arguments, " ")), 5000)
			if err = errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
			before = written(t, disk)
		})
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code != exitUsage ||
			!strings.Contains(said.String(), "it holds something else") {
			t.Errorf("%q: exit code %d, said %q", arguments, code, said.String())
		}
		if after := written(t, disk); after != before {
			t.Errorf("%q: the disk was written to: %s, then %s sectors", arguments, before, after)
		}
	}
}
