package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
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

// atTerminal starts the client with a terminal of its own, waits for its question, runs meanwhile, and answers.
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

// resize gives a terminal that many columns, and 24 lines or the number in lines.
func resize(t *testing.T, terminal *os.File, columns uint16, lines ...uint16) {
	t.Helper()
	size := [4]uint16{24, columns}
	copy(size[:1], lines)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TIOCSWINSZ,
		uintptr(unsafe.Pointer(&size))); errno != 0 {
		t.Fatal(errno)
	}
}

// shownOn runs a command on a terminal of that many columns, and lines if they matter, and returns what it shows.
func shownOn(t *testing.T, command *exec.Cmd, columns uint16, lines ...uint16) string {
	t.Helper()
	master, slave := terminal(t)
	resize(t, slave, columns, lines...)
	command.Stdout = slave
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, master) // ends with an error when nobody writes any more (pty(7))
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

// Messages keep their words and their commands at any width.
func TestMessagesFitTheTerminal(t *testing.T) {
	t.Parallel()
	const command = "    curl -fsSL https://flashdex.example/run.sh | sh -s -- upload '/home/a user/results/0198f2c4.json'"
	const message = "flashdex: the site can't be reached: dial tcp: no such host\nThe result is kept in " +
		"/home/a user/results/0198f2c4.json; upload it later with:\n" + command + "\n" +
		"Writes  256 MiB in a line, then the same 256 MiB once more in random order, and each write is synced\n" +
		"Sent:      the figures and their samples; what the kernel shows of the module and of this computer\n" +
		"Upload and publish this result, whose figures are above, under CC0? [y/N] "
	for width := range 130 {
		shown := fitted(message, width)
		if strings.Join(strings.Fields(shown), " ") != strings.Join(strings.Fields(message), " ") {
			t.Fatalf("%d columns: other words: %s", width, shown)
		}
		if !strings.Contains(shown, "\n"+command+"\n") || !strings.HasSuffix(shown, "[y/N] ") {
			t.Errorf("%d columns: the command or the end of the question is not whole: %s", width, shown)
		}
		for line := range strings.Lines(shown) {
			words := strings.Fields(line)
			if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > width && len(words) > 1 && words[0] != "curl" {
				t.Errorf("%d columns, and a line of %d: %s", width, n, line)
			}
		}
	}
	const beside = "Writes  256 MiB in a line, then the same 256\n        MiB once more in random order, and\n" +
		"        each write is synced\n"
	if shown := fitted(message, 46); !strings.Contains(shown, beside) {
		t.Errorf("the text doesn't stand beside its head:\n%s", shown)
	}
}

// On a terminal of 30 columns a message is wrapped; in a file it isn't.
func TestMessagesAreWrappedOnATerminalAlone(t *testing.T) {
	t.Parallel()
	const message = "flashdex: --dry-run goes with import; flashdex help all explains\n"
	command, _ := client(t, "--dry-run", "/mnt")
	var said strings.Builder
	command.Stderr = &said
	_ = command.Run()
	if said.String() != message {
		t.Errorf("without a terminal: %q", said.String())
	}
	master, slave := terminal(t)
	resize(t, slave, 30)
	command, _ = client(t, "--dry-run", "/mnt")
	command.Stderr = slave
	_ = command.Run()
	shown := make([]byte, 4096)
	n, err := master.Read(shown)
	const wrapped = "flashdex: --dry-run goes with\r\nimport; flashdex help all\r\nexplains\r\n"
	if got := string(shown[:n]); err != nil || got != wrapped {
		t.Errorf("on a terminal: %q, %v", got, err)
	}
}
