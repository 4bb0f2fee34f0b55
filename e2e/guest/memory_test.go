package guest

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flashdex/result"
)

// peakBound is the most memory that the client, and each program that it starts, may use at a time, because a router
// has 32 MB in all.
const peakBound = 24_000_000

// smallestMiB is little more than Debian's kernel for PCs needs to unpack the guest's system: 112 are enough, 96
// aren't.
const smallestMiB = 128

// peak runs a command and writes to a file the peak resident memory of dd with a block of 16 MiB, and then of the
// command and its children. dd calibrates: some BusyBoxes multiply the kernel's KiB by the size of a page.
const peak = `
peak() {
	file=$1
	shift
	/bin/busybox time -f %M -o "$file" /bin/busybox dd if=/dev/zero of=/dev/null bs=16M count=1 2>/dev/null
	/bin/busybox time -f %M -a -o "$file" "$@"
}
`

// peakBytes reads the file that peak wrote.
func peakBytes(t testing.TB, file []byte) int64 {
	t.Helper()
	var numbers []int64
	for _, word := range strings.Fields(string(file)) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil { // other words say how the command ended
			numbers = append(numbers, n)
		}
	}
	if len(numbers) != 2 {
		t.Fatalf("BusyBox's time said %q", file)
	}
	const blockKiB = 16 << 10
	unit := max(numbers[0]/blockKiB, 1)
	if known := numbers[0] / unit; known < blockKiB || known > blockKiB+4<<10 {
		t.Fatalf("BusyBox's time makes %d KiB of %d", known, blockKiB)
	}
	return numbers[1] / unit << 10
}

func mustBeSmall(t *testing.T, what string, file []byte) {
	t.Helper()
	took := peakBytes(t, file)
	t.Logf("%s: %.1f MB", what, float64(took)/1e6)
	if took > peakBound {
		t.Errorf("%s took %d bytes of memory, want at most %d", what, took, peakBound)
	}
}

// TestMemory measures, uploads and verifies in guests with little memory. In the PC's guest, all of this together,
// including the page cache, is limited to 32 MiB.
func TestMemory(t *testing.T) {
	t.Parallel()
	for _, b := range []bus{usb, raspi2b, raspi3b} {
		t.Run(b.platform, func(t *testing.T) {
			t.Parallel()
			if b.platform != usb.platform && !*long {
				t.Skip("takes minutes: make test-long")
			}
			tr := trial{bus: b, filesystem: "vfat", moduleBytes: 256 << 20, memoryMiB: smallestMiB}
			files, _ := tr.run(t, peak+`
ifconfig lo 127.0.0.1 up
cat >/site <<'END'
#!/bin/sh
length=
while read -r name value && [ -n "$value" ]; do
	case $name in Content-Length:) length=${value%?} ;; esac
done
if [ -z "$length" ]; then # a question about the result
	printf 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
	exit
fi
head -c "$length" >/tmp/sent
receipt=$(sed -n 's/.*"id": *"\([0-9a-f-]*\)".*/{"id":"\1","state":"accepted"}/p' /tmp/sent | head -n 1)
printf 'HTTP/1.1 201 Created\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' "${#receipt}" "$receipt"
END
chmod +x /site
nc -ll -p 8000 -e /site &
grep MemTotal /proc/meminfo >/out/memory

mkdir /group
if mount -t cgroup2 none /group && grep -q memory /group/cgroup.controllers; then
	echo +memory >/group/cgroup.subtree_control
	mkdir /group/small
	echo 32M >/group/small/memory.max
	echo 0 >/group/small/memory.swap.max
	echo 0 >/group/small/cgroup.procs
fi
export FLASHDEX_DIR=/tmp/results
peak /out/peak-measure /flashdex --profile quick --no-upload /mnt || exit
peak /out/peak-upload /flashdex upload --site http://127.0.0.1:8000 || exit
cmp /tmp/sent /tmp/results/????????-*[0-9a-f].json || exit
peak /out/peak-verify /flashdex verify --yes /mnt || exit
cat /group/small/memory.peak /group/small/memory.events >/out/group
true`)
			succeeded(t, files)
			t.Logf("%s, %s", files["memory"], files["group"])
			for _, what := range []string{"measure", "upload", "verify"} {
				mustBeSmall(t, what+" on "+b.platform, files["peak-"+what])
			}
			if group := string(files["group"]); b.platform == usb.platform && !strings.Contains(group, "oom_kill 0\n") {
				t.Errorf("in 32 MiB: %s", group)
			}
		})
	}
}

// TestMemoryOfAnUpload sends a result over TLS, with all the certificates that this machine trusts.
func TestMemoryOfAnUpload(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("busybox"); err != nil {
		t.Skip("needs busybox")
	}
	var got []byte
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut { // a question about the result
			http.NotFound(w, r)
			return
		}
		got, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
		var doc result.Document
		_ = json.Unmarshal(got, &doc)
		fmt.Fprintf(w, `{"id":%q,"state":"accepted"}`, doc.ID)
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	trusted, _ := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	trusted = append(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})...)
	if err := os.WriteFile(filepath.Join(dir, "trusted"), trusted, 0o600); err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(dir, "result.json") // the client keeps the receipt beside it
	if err := os.WriteFile(document, read(t, "../../result/testdata/valid/sd-card.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", peak+`peak "$@"`, "peak", filepath.Join(dir, "peak"),
		filepath.Join(clients, "flashdex-linux-amd64"), "upload", "--site", site.URL, document)
	command.Env = append(os.Environ(), "FLASHDEX_DIR="+filepath.Join(dir, "results"),
		"SSL_CERT_FILE="+filepath.Join(dir, "trusted"))
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if !bytes.Equal(got, read(t, document)) {
		t.Errorf("%d bytes came, not the document", len(got))
	}
	mustBeSmall(t, "upload over TLS", read(t, filepath.Join(dir, "peak")))
}
