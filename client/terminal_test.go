package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

func TestCtrlCAtTheQuestionDeletesNothing(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	doc := exampleResult(t)
	command, spoolDir := client(t, "delete", "--site", site.URL, doc.ID)
	kept := spool.Spool{Dir: spoolDir}
	if err := os.Mkdir(spoolDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := kept.Save(doc); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(spoolDir, doc.ID+".json")
	if _, err := kept.Upload(t.Context(), spool.Site{URL: site.URL}, path); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	command.Stderr = &said
	atTerminal(t, command, "Delete? [y/N]", "\x03")
	_ = command.Wait()
	const want = "stopped by Ctrl-C: nothing was deleted"
	if code := command.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), want) {
		t.Errorf("exit code %d, said %q, want %q", code, said.String(), want)
	}
	if body, _ := site.Body(doc.ID); body == "" {
		t.Error("the result is gone")
	}
}

// atTerminal starts the client with a terminal of its own and answers its question, after what happens meanwhile.
func atTerminal(t *testing.T, command *exec.Cmd, question, answer string, meanwhile ...func()) {
	t.Helper()
	master, slave := terminal(t)
	command.ExtraFiles = []*os.File{slave}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	asked := make([]byte, 4096)
	for said := ""; !strings.Contains(said, question); {
		n, err := master.Read(asked)
		if err != nil {
			t.Fatal(err)
		}
		said += string(asked[:n])
	}
	for _, do := range meanwhile {
		do()
	}
	if _, err := io.WriteString(master, answer); err != nil {
		t.Fatal(err)
	}
}

// terminal makes a pseudo-terminal (pts(4)).
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	var number, unlock int32
	for request, value := range map[uintptr]*int32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlock} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request,
			uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}
