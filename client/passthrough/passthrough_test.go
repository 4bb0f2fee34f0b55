package passthrough

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"flashdex/result/register/health"

	"github.com/google/go-cmp/cmp"
)

// fake is a device that answers each command with the command's own number and argument, and lists the commands. It
// reads the kernel's structures by the offsets of its headers, not by this package's types.
type fake struct {
	said   []string
	refuse map[string]syscall.Errno
}

func (f *fake) ioctl(request uintptr, argument unsafe.Pointer) error {
	at := func(offset uintptr) uint32 { return *(*uint32)(unsafe.Add(argument, offset)) }
	size := health.AnswerBytes
	memory := func(offset uintptr) []byte {
		return unsafe.Slice(*(**byte)(unsafe.Add(argument, offset)), size)
	}
	var said string
	var answer []byte
	switch request {
	case 0xc048b300:
		said = fmt.Sprintf("CMD%d %#x", at(8), at(12))
		if at(0) == 1 {
			said += " write"
		}
		if at(4) == 1 {
			said, size = "A"+said, 64
		}
		if at(32) != 0x35 || int(at(36)) != size || at(40) != 1 || at(52) != 8e8 {
			return fmt.Errorf("flags %#x, %d blocks of %d bytes, %d ns", at(32), at(40), at(36), at(52))
		}
		answer = memory(64)
	case 0x2285:
		said = fmt.Sprintf("SG_IO %x", unsafe.Slice(*(**byte)(unsafe.Add(argument, 24)), at(8)&0xff))
		if at(0) != 'S' || int32(at(4)) != -3 || at(12) != 512 {
			return fmt.Errorf("interface %d, direction %d, %d bytes", at(0), int32(at(4)), at(12))
		}
		answer = memory(16)
		*(*uint8)(unsafe.Add(argument, 64)) = uint8(f.refuse["status"])
	case 0xc0484e41:
		said = fmt.Sprintf("admin %d, namespace %#x, word 10 %#x", at(0)&0xff, at(4), at(40))
		if at(36) != 512 {
			return fmt.Errorf("%d bytes", at(36))
		}
		answer = memory(24)
	default:
		return syscall.ENOTTY
	}
	f.said = append(f.said, said)
	if errno := f.refuse[said]; errno != 0 {
		return errno
	}
	if !strings.HasSuffix(said, " write") {
		copy(answer, said)
	} else if !slices.Equal(answer, make([]byte, len(answer))) {
		return fmt.Errorf("wrote %x", answer)
	}
	return nil
}

func TestEachRequest(t *testing.T) {
	t.Parallel()
	if unsafe.Sizeof(mmcCommand{}) != 72 || unsafe.Sizeof(nvmeCommand{}) != 72 {
		t.Fatalf("%d and %d bytes", unsafe.Sizeof(mmcCommand{}), unsafe.Sizeof(nvmeCommand{}))
	}
	if unsafe.Sizeof(uintptr(0)) != 8 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the fake device has the structures of 64 bits, lowest byte first")
	}
	for request, want := range map[Request][]string{
		ExtCSD:           {"CMD8 0x0"},
		Functions:        {"CMD48 0x80401ff"},
		health.SanDisk:   {"CMD56 0x1"},
		health.ADATA:     {"CMD56 0x110005f1"},
		health.Transcend: {"CMD56 0x110005f9"},
		health.Micron:    {"CMD56 0x110005fb"},
		health.Swissbit:  {"CMD56 0x53420001"},
		health.TwoStep:   {"CMD56 0x10 write", "CMD56 0x21"},
		Status:           {"ACMD13 0x0"},
		SMART:            {"SG_IO 85080e00d00001000000" + "4f00c200b000"},
		NVMeLog:          {"admin 2, namespace 0xffffffff, word 10 0x7f0002"},
	} {
		at := uint32(0)
		if request == Functions {
			at = 1<<27 | 1<<18 // function 1, page 1
		}
		f := &fake{}
		answer, err := module{f.ioctl}.ask(request, at)
		if diff := cmp.Diff(want, f.said); err != nil || diff != "" {
			t.Errorf("%s: %v %s", request, err, diff)
			continue
		}
		if last := want[len(want)-1]; !bytes.HasPrefix(answer, []byte(last)) || len(answer) != 512 && request != Status {
			t.Errorf("%s: the answer is %q", request, answer)
		}
		refuse := &fake{refuse: map[string]syscall.Errno{want[len(want)-1]: syscall.ETIMEDOUT}}
		if _, err := (module{refuse.ioctl}).ask(request, at); err != syscall.ETIMEDOUT {
			t.Errorf("%s: a timeout is %v", request, err)
		}
	}
	// The first step may seem to fail.
	f := &fake{refuse: map[string]syscall.Errno{"CMD56 0x10 write": syscall.ETIMEDOUT}}
	answer, err := module{f.ioctl}.ask(health.TwoStep, 0)
	if want := []string{"CMD56 0x10 write", "ACMD13 0x0", "CMD56 0x21"}; err != nil ||
		!bytes.HasPrefix(answer, []byte(want[2])) || !slices.Equal(f.said, want) {
		t.Errorf("%q, %v after %q", answer, err, f.said)
	}
	// A card that is silent from then on gets no second command.
	f = &fake{refuse: map[string]syscall.Errno{"CMD56 0x10 write": syscall.ETIMEDOUT, "ACMD13 0x0": syscall.ETIMEDOUT}}
	if _, err := (module{f.ioctl}).ask(health.TwoStep, 0); err != syscall.ETIMEDOUT || len(f.said) != 2 {
		t.Errorf("%q, %v", f.said, err)
	}
	// A card that vanishes meanwhile gets no second command.
	f = &fake{refuse: map[string]syscall.Errno{"CMD56 0x10 write": syscall.ENOMEDIUM}}
	if _, err := (module{f.ioctl}).ask(health.TwoStep, 0); err != syscall.ENOMEDIUM || len(f.said) != 1 {
		t.Errorf("%q, %v", f.said, err)
	}
	f = &fake{refuse: map[string]syscall.Errno{"status": 2}}
	if _, err := (module{f.ioctl}).ask(SMART, 0); err == nil || !strings.Contains(err.Error(), "status 2") {
		t.Error(err)
	}
	if _, err := (module{f.ioctl}).ask("", 0); err == nil {
		t.Error("there is a request without a name")
	}
}

// A path that is no such device gives an error, and nothing hangs.
func TestAskWhatIsNoModule(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, "/dev/null", file + "s"} {
		for _, request := range []Request{health.SanDisk, SMART, NVMeLog} {
			if _, err := Ask(path, request, 0); err == nil {
				t.Errorf("%s answered %s", path, request)
			}
		}
	}
}
