package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// The question goes to the terminal even if stdin is a script, and only a yes is one.
func TestAskOnTheTerminal(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"y\n": "true <nil>", "YES\n": "true <nil>", "n\n": "false <nil>", "\n": "false <nil>", "maybe\n": "false <nil>"} {
		master, slave := terminal(t)
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), askInstead+"=1")
		command.Stdin = strings.NewReader("y\n")
		command.ExtraFiles = []*os.File{slave}
		command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
		var out bytes.Buffer
		command.Stdout = &out
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		asked := make([]byte, 4096)
		for said := ""; !strings.Contains(said, "[y/N]"); {
			n, err := master.Read(asked)
			if err != nil {
				t.Fatal(err)
			}
			said += string(asked[:n])
		}
		if _, err := io.WriteString(master, answer); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); got != want {
			t.Errorf("the answer %q is %q, want %q", answer, got, want)
		}
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), askInstead+"=1")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if out, err := command.Output(); err != nil || strings.TrimSpace(string(out)) != "false "+errNoTerminal.Error() {
		t.Errorf("without a terminal: %q, %v", out, err)
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
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
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
