package guest

import (
	"bufio"
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
	u.execute("qmp_capabilities", nil)
	return u
}

// execute has QEMU do something (docs/interop/qmp-spec.txt).
func (u *user) execute(command string, arguments map[string]any) {
	request := map[string]any{"execute": command}
	if arguments != nil {
		request["arguments"] = arguments
	}
	if err := json.NewEncoder(u.monitor).Encode(request); err != nil {
		panic(err)
	}
	for {
		var answer struct{ Return, Error json.RawMessage }
		if err := u.answers.Decode(&answer); err != nil {
			panic(err)
		}
		if answer.Error != nil {
			panic(fmt.Sprintf("%s: %s", command, answer.Error))
		}
		if answer.Return != nil {
			return
		}
	}
}

// insert takes the card out of the reader and puts in the one that is served at the address.
func (u *user) insert(address string) {
	u.execute("blockdev-change-medium", map[string]any{
		"device": "module", "filename": "nbd+unix:///?socket=" + address, "format": "raw",
		"force": true, // the kernel locks the reader while it is open, which no real reader can do
	})
}

// sees waits until the terminal shows a text, and returns all that it showed since the last call.
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

func (u *user) types(text string) {
	if _, err := io.WriteString(u.terminal, text); err != nil {
		panic(err)
	}
}

// TestAChangedCardIsNotErased changes the card in a USB reader while the client asks for the device's name, and while
// it erases. Each card of the test is the second one of a change, and the first one of the next.
func TestAChangedCardIsNotErased(t *testing.T) {
	t.Parallel()
	const quick = "--device /dev/sda --erase --profile quick --no-upload"
	alone, polled := "echo 0 >/sys/block/sda/events_poll_msecs; ", "echo 200 >/sys/block/sda/events_poll_msecs; "
	hidden := "mount -o bind /dev/null /sys/block/sda/diskseq; "
	changes := []struct {
		name, before, arguments string
		erasing                 bool   // it is changed while the client writes, and not while it asks
		says                    string // the client, at last
	}{
		{"while it primes", polled, "--device /dev/sda --erase --profile reference --no-upload", true, "sequence number was"},
		{"at the prompt, where nobody looks for changes", alone, quick, false, "sequence number was"},
		{"at the prompt, while udev looks for changes", polled, quick, false, "sequence number was"},
		{"at the prompt of verify", "", "verify --device /dev/sda --erase", false, "sequence number was"},
		{"while it erases", "", quick, true, "sequence number was"},
		{"while verify erases", "", "verify --device /dev/sda --erase", true, "sequence number was"},
		{"at the prompt, before Linux 5.15", hidden, quick, false, "the kernel says that a card was"},
	}
	job := "export FLASHDEX_DIR=/tmp/results\n"
	for _, c := range changes {
		job += c.before + "setsid -c /flashdex " + c.arguments + " <>/dev/ttyS1 >&0 2>&1\necho \"=== ended $?\" >/dev/ttyS1\n"
	}

	dir, err := os.MkdirTemp("", "reader-") // t.TempDir is too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	terminal, monitor := filepath.Join(dir, "terminal"), filepath.Join(dir, "monitor")
	tr := trial{bus: usb}
	tr.qemu = append(slices.Clone(usb.qemu), "-serial", "unix:"+terminal+",server=on,wait=off",
		"-qmp", "unix:"+monitor+",server=on,wait=off")
	var cards []*fakeCard
	var addresses []string
	for range len(changes) + 1 {
		size := int64(160 << 20)
		if len(cards) == 0 {
			size = imageBytes // for the reference profile
		}
		card, address := insertCard(t, size, cardModel{WriteMBPerS: 4, Merge: 20 * time.Millisecond}, precious)
		cards, addresses = append(cards, card), append(addresses, address)
	}

	done := make(chan any, 1)
	go func() {
		defer func() {
			failed := recover()
			if failed != nil {
				t.Error(failed) // the guest may wait for the rest
			}
			done <- failed
		}()
		u := sit(t, terminal, monitor)
		for i, c := range changes {
			first, second := cards[i], cards[i+1]
			before := sum(second)
			shown := u.sees("Type sda to erase it, anything else to stop: ")
			if !strings.Contains(shown, "ext2, ext3 or ext4") {
				t.Errorf("%s: the client doesn't say what it will erase:\n%s", c.name, shown)
			}
			wrote := len(first.Writes())
			if c.erasing {
				u.types("sda\n")
				for len(first.Writes()) < wrote+30 {
					time.Sleep(20 * time.Millisecond)
				}
			}
			u.insert(addresses[i+1])
			if !c.erasing {
				u.types("sda\n")
			}
			said := u.sees("=== ended ")
			t.Logf("%s: the client wrote %d blocks and said\n%s", c.name, len(first.Writes())-wrote, said)
			if !strings.Contains(said, c.says) || strings.Contains(said, "Kept in") {
				t.Errorf("%s: the client said\n%s\nwant %q", c.name, said, c.says)
			}
			if n := len(second.Writes()); n > 0 || sum(second) != before {
				t.Errorf("%s: %d blocks were written to the second card", c.name, n)
			}
		}
	}()
	files := tr.boot(t, addresses[0], job)
	if failed := <-done; failed != nil {
		t.Fatalf("%v\n%s", failed, files["said"])
	}
}

// precious puts a file system on a card.
func precious(image string) {
	if said, err := exec.Command("mkfs.ext4", "-q", "-F", "-E", "nodiscard", image).CombinedOutput(); err != nil {
		panic(fmt.Sprintf("mkfs.ext4: %v: %s", err, said))
	}
}

// sum is the checksum of all that a card holds.
func sum(card *fakeCard) string {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(card.file, 0, card.bytes)); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}
