package guest

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// user sits at a guest's second serial port, and changes the card in its reader through QEMU's monitor.
type user struct {
	t        testing.TB
	terminal io.ReadWriter
	lines    *bufio.Reader
	said     strings.Builder // on the terminal so far
	monitor  io.ReadWriter
	answers  *json.Decoder
}

// atReader boots a guest with the card at that address in a USB reader, and has do sit at it.
func atReader(t *testing.T, tr trial, address, job string, do func(u *user)) {
	t.Helper()
	dir, err := os.MkdirTemp("", "reader-") // t.TempDir is too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	terminal, monitor := filepath.Join(dir, "terminal"), filepath.Join(dir, "monitor")
	tr.bus = usb
	tr.qemu = append(slices.Clone(usb.qemu), "-serial", "unix:"+terminal+",server=on,wait=off",
		"-qmp", "unix:"+monitor+",server=on,wait=off")
	done := make(chan any, 1)
	go func() {
		defer func() {
			failed := recover()
			if failed != nil {
				t.Error(failed) // the guest may wait for the rest
			}
			done <- failed
		}()
		do(sit(t, terminal, monitor))
	}()
	files := tr.boot(t, address, job)
	if failed := <-done; failed != nil {
		t.Fatalf("%v\n%s", failed, files["said"])
	}
}

// sit waits for the two sockets of a guest that is being started.
func sit(t testing.TB, terminal, monitor string) *user {
	dial := func(address string) net.Conn {
		for range 6000 {
			if conn, err := net.Dial("unix", address); err == nil {
				_ = conn.SetDeadline(time.Now().Add(20 * time.Minute)) // a guest that hangs must not hang the test
				return conn
			}
			time.Sleep(10 * time.Millisecond)
		}
		panic("the guest has no socket " + address)
	}
	u := &user{t: t, terminal: dial(terminal), monitor: dial(monitor)}
	u.lines, u.answers = bufio.NewReader(u.terminal), json.NewDecoder(u.monitor)
	u.execute("qmp_capabilities", nil, nil)
	return u
}

// execute has QEMU do something (docs/interop/qmp-spec.txt).
func (u *user) execute(command string, arguments map[string]any, event func()) {
	request := map[string]any{"execute": command}
	if arguments != nil {
		request["arguments"] = arguments
	}
	if err := json.NewEncoder(u.monitor).Encode(request); err != nil {
		panic(err)
	}
	for {
		var answer struct{ Return, Error, Event json.RawMessage }
		if err := u.answers.Decode(&answer); err != nil {
			panic(err)
		}
		if answer.Error != nil {
			panic(fmt.Sprintf("%s: %s", command, answer.Error))
		}
		if answer.Event != nil && event != nil {
			event()
		}
		if answer.Return != nil {
			return
		}
	}
}

// insert takes the card out of the reader and puts in the one that is served at the address. If the guest is writing to
// a card, held is that card, and insert waits for a write that has reached it. Otherwise QEMU 7.2 would let a command
// write to the new card if its data were still coming in, and would forget that the card was changed. No reader can do
// that.
func (u *user) insert(address string, held *fakeCard) {
	release := func() {}
	if held != nil {
		release = held.hold()
	}
	u.execute("blockdev-change-medium", map[string]any{
		"device": "module", "filename": "nbd+unix:///?socket=" + address, "format": "raw",
		"force": true, // the kernel locks the reader while it is open, which no real reader can do
	}, release) // when the tray has moved: QEMU then waits for the write
}

// sees waits until the terminal shows a text, and returns everything that it has shown since the last call.
func (u *user) sees(text string) string {
	u.said.Reset()
	for !strings.Contains(u.said.String(), text) {
		b, err := u.lines.ReadByte()
		if err != nil {
			panic(fmt.Sprintf("waiting for %q: %v; the terminal shows\n%s", text, err, u.said.String()))
		}
		u.said.WriteByte(b)
		if ended := "=== ended "; text != ended && strings.HasSuffix(u.said.String(), ended) {
			panic(fmt.Sprintf("waiting for %q: the client ended; the terminal shows\n%s", text, u.said.String()))
		}
	}
	return u.said.String()
}

// inOneLine joins lines that a terminal wrapped.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (u *user) types(text string) {
	if _, err := io.WriteString(u.terminal, text); err != nil {
		panic(err)
	}
}

// oneWrite makes each command of the guest's kernel be one write of QEMU, which splits longer ones (see insert).
const oneWrite = "echo 64 >/sys/block/sda/queue/max_sectors_kb\n"

// endOf ends a command in a job. The terminal then shows its status, and how often the kernel asks the reader.
const endOf = ` <>/dev/ttyS1 >&0 2>&1
echo "=== ended $?, asked every $(cat /sys/block/sda/events_poll_msecs) ms" >/dev/ttyS1
`

// TestAChangedCardIsNotErased changes the card in a USB reader while the client asks for the device's name, and while
// it erases. Each of the test's cards is the second card of one change, and the first card of the next.
func TestAChangedCardIsNotErased(t *testing.T) {
	t.Parallel()
	const (
		quick     = "--device /dev/sda --erase --profile quick --no-upload"
		reference = "--device /dev/sda --erase --profile reference --no-upload"
		verify    = "verify --device /dev/sda --erase"

		byNumber, byMessage = "sequence number was", "the kernel says that a card was"
	)
	const hidden = "mount -o bind /dev/null /sys/block/sda/diskseq; " // as before Linux 5.15
	changes := []struct {
		name      string
		asks      string // how often the kernel asks the reader, in ms; "": as before
		before    string // the client
		arguments string
		erasing   bool   // it is changed while the client writes, not while it asks
		says      string // the client, at last
	}{
		{"while it primes", "20", "", reference, true, byNumber},
		{"at the prompt, where nobody looks for changes", "0", "", quick, false, byNumber},
		{"at the prompt, while the kernel looks for changes", "20", "", quick, false, byNumber},
		{"at the prompt of verify", "", "", verify, false, byNumber},
		{"while it erases", "", "", quick, true, byNumber},
		{"while verify erases", "", "", verify, true, byNumber},
		{"at the prompt, before Linux 5.15", "20", hidden, quick, false, byMessage},
		{"while it erases, before Linux 5.15", "", "", quick, true, byMessage},
		{"while verify erases, before Linux 5.15", "", "", verify, true, byMessage},
	}
	job := "export FLASHDEX_DIR=/tmp/results\n"
	for _, c := range changes {
		if c.asks != "" {
			job += "echo " + c.asks + " >/sys/block/sda/events_poll_msecs\n"
		}
		job += oneWrite + c.before + "setsid -c /flashdex " + c.arguments + endOf
	}
	var cards []*fakeCard
	var addresses []string
	for range len(changes) + 1 {
		size := int64(160 << 20)
		if len(cards) == 0 {
			size = imageBytes // for the reference profile
		}
		card, address := insertCard(t, "", size, cardModel{WriteMBPerS: 4, Merge: 20 * time.Millisecond}, precious)
		cards, addresses = append(cards, card), append(addresses, address)
	}
	atReader(t, trial{}, addresses[0], job, func(u *user) {
		var asks string
		for i, c := range changes {
			first, second := cards[i], cards[i+1]
			untouched := sum(second)
			shown := u.sees("Type sda to erase it, anything else to stop: ")
			if !strings.Contains(inOneLine(shown), "ext2, ext3 or ext4") {
				t.Errorf("%s: the client doesn't say what it will erase:\n%s", c.name, shown)
			}
			wrote := len(first.Writes())
			if c.erasing {
				u.types("sda\n")
				first.awaits(wrote + 30)
			}
			if c.erasing {
				u.insert(addresses[i+1], first)
			} else {
				u.insert(addresses[i+1], nil)
				u.types("sda\n")
			}
			said := u.sees("=== ended ") + u.sees(" ms")
			t.Logf("%s: the client wrote %d blocks and said\n%s", c.name, len(first.Writes())-wrote, said)
			if !strings.Contains(inOneLine(said), c.says) || strings.Contains(said, "Kept in") {
				t.Errorf("%s: the client said\n%s\nwant %q", c.name, said, c.says)
			}
			second.isUntouched(t, c.name, untouched)
			if asks = cmp.Or(c.asks, asks); !strings.HasSuffix(said, " asked every "+asks+" ms") {
				t.Errorf("%s: it leaves\n%s\nwant %s ms", c.name, said, asks)
			}
		}
	})
}

// TestAChangedCardIsNoPartOfARun interrupts a run on a new ext4 by changing the card: while the run primes, and around
// mke2fs. It resumes the run each time when the run's own card is back. The run resumes on no other card.
func TestAChangedCardIsNoPartOfARun(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const job = `export FLASHDEX_DIR=/tmp/results PATH=/tmp/bin:$PATH
mkdir /tmp/bin
cat >/tmp/bin/mke2fs <<'END'
#!/bin/sh
# waits for a line when it is looked for in a run's middle, and then opens the disk as udev does, and when it has ended
if [ "$1" = -V ]; then
	if [ -e /tmp/begun ]; then
		echo "=== mke2fs is looked for" >/dev/ttyS1
		setsid sh -c 'read -r line </dev/ttyS1; : </dev/sda'
	fi
	: >/tmp/begun
	exec /host/mke2fs -V
fi
/host/mke2fs "$@"
code=$?
echo "=== mke2fs has ended" >/dev/ttyS1
setsid sh -c 'read -r line </dev/ttyS1'
exit $code
END
chmod +x /tmp/bin/mke2fs
`
	const bytes = 1200 << 20
	model := cardModel{WriteMBPerS: 200}
	first, itsAddress := insertCard(t, "", bytes, model, precious)
	second, otherAddress := insertCard(t, "", bytes, model, precious)
	priming := func(u *user) {
		u.sees("\x1b[Kpriming")
		first.awaits(len(first.Writes()) + 2000)
	}
	steps := []struct {
		name string
		wait func(u *user) // until the card is changed
		says string
	}{
		{"while it primes", priming, "continue with: flashdex resume"},
		{"before it is resumed", nil, "doesn't begin with what the run wrote there"},
		{"while the resumed one primes", priming, "sequence number was"},
		{"before mke2fs", func(u *user) { u.sees("=== mke2fs is looked for") }, "sequence number was"},
		{"after mke2fs", func(u *user) {
			u.sees("=== mke2fs is looked for")
			u.types("\n")
			u.sees("=== mke2fs has ended")
		}, "sequence number was"},
	}
	run := oneWrite + "setsid -c /flashdex --device /dev/sda --erase --yes --profile reference --filesystem ext4 " +
		"--no-upload" + endOf
	for range steps[1:] {
		run += "read -r line </dev/ttyS1; rm /tmp/begun\n" + oneWrite + "setsid -c /flashdex resume --no-upload" + endOf
	}
	atReader(t, trial{programs: []string{"mke2fs"}}, itsAddress, job+run, func(u *user) {
		untouched := sum(second)
		for i, step := range steps {
			if step.wait == nil {
				u.types("\n")
			} else {
				if i > 0 {
					u.insert(itsAddress, nil)
					u.types("\n")
				}
				step.wait(u)
				if strings.HasSuffix(step.name, "mke2fs") {
					u.insert(otherAddress, nil)
					u.types("\n")
				} else {
					u.insert(otherAddress, first)
				}
			}
			said := u.sees("=== ended ") + u.sees(" ms")
			t.Logf("%s: the client said\n%s", step.name, said)
			if !strings.Contains(inOneLine(said), step.says) || strings.Contains(said, "Kept in") {
				t.Errorf("%s: the client said\n%s\nwant %q", step.name, said, step.says)
			}
			second.isUntouched(t, step.name, untouched)
		}
	})
}

// awaits waits until that many blocks were written.
func (c *fakeCard) awaits(blocks int) {
	for len(c.Writes()) < blocks {
		time.Sleep(20 * time.Millisecond)
	}
}

// isUntouched fails the test if a card with that sum was written to.
func (c *fakeCard) isUntouched(t *testing.T, when, before string) {
	t.Helper()
	if n := len(c.Writes()); n > 0 || sum(c) != before {
		t.Errorf("%s: %d blocks were written to the second card", when, n)
	}
}

// precious puts a file system on a card.
func precious(image string) {
	if said, err := exec.Command("mkfs.ext4", "-q", "-F", "-E", "nodiscard", image).CombinedOutput(); err != nil {
		panic(fmt.Sprintf("mkfs.ext4: %v: %s", err, said))
	}
}

// sum is the checksum of everything on a card.
func sum(card *fakeCard) string {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(card.file, 0, card.bytes)); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}
