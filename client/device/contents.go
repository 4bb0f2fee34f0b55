package device

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"flashdex/client/direct"
)

// examine describes the data on a whole device for its user. It also returns a checksum of all that it read.
func (t Target) examine() (lines []string, sum [sha256.Size]byte, err error) {
	// This reads past the page cache, which may still hold another card's data.
	file, err := os.OpenFile(t.Dir, os.O_RDONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return nil, sum, err
	}
	defer file.Close()
	memory, release, err := direct.Memory(pieceBytes)
	if err != nil {
		return nil, sum, err
	}
	defer release()
	r := &reader{disk: file, memory: memory, pieces: map[int64][]byte{}}
	whole := part{"the whole of it", 0, t.Disk.SizeBytes}
	lines = append(lines, r.describe(whole))
	for _, p := range t.parts(r) {
		lines = append(lines, r.describe(p))
	}
	hash := sha256.New()
	for _, at := range slices.Sorted(maps.Keys(r.pieces)) {
		hash.Write(r.pieces[at])
	}
	hash.Sum(sum[:0])
	return lines, sum, nil
}

// part is a part of a disk.
type part struct {
	name      string
	at, bytes int64
}

// parts lists the partitions that the kernel knows. Not every kernel understands every table. If the kernel knows no
// partition, parts reads a GPT, the GPT's backup, or an MBR's four entries.
func (t Target) parts(r *reader) (parts []part) {
	entries, _ := os.ReadDir(t.Disk.dir)
	for _, entry := range entries {
		dir := filepath.Join(t.Disk.dir, entry.Name())
		if entry.IsDir() && isPartition(dir) {
			parts = append(parts, part{entry.Name(), number(dir, "start") * sectorBytes, number(dir, "size") * sectorBytes})
		}
	}
	if len(parts) == 0 {
		parts = r.gpt(t.Disk.SizeBytes)
	}
	if mbr := r.read(0, sectorBytes); len(parts) == 0 && isMBR(mbr) {
		for i := range 4 {
			entry := mbr[446+16*i:][:16]
			at, size := int64(binary.LittleEndian.Uint32(entry[8:])), int64(binary.LittleEndian.Uint32(entry[12:]))
			if entry[4] != 0 && size > 0 {
				parts = append(parts, part{fmt.Sprintf("partition %d", i+1), at * sectorBytes, size * sectorBytes})
			}
		}
	}
	return parts
}

// gpt lists the partitions of a GPT (UEFI specification, 5.3), whose entries tell where they begin and end.
func (r *reader) gpt(diskBytes int64) (parts []part) {
	for _, block := range []int64{512, 4096} {
		for _, at := range []int64{block, diskBytes/block*block - block} {
			head := r.read(at, 92)
			if !bytes.HasPrefix(head, []byte("EFI PART")) {
				continue
			}
			const most, least = 128, 128
			first := int64(binary.LittleEndian.Uint64(head[72:]))
			size := int64(binary.LittleEndian.Uint32(head[84:]))
			if first < 1 || first > diskBytes/block || size < least || size > 4096 {
				continue
			}
			for i := range min(int64(binary.LittleEndian.Uint32(head[80:])), most) {
				entry := r.read(first*block+i*size, least)
				if len(entry) < least || blank(entry[:16]) {
					continue
				}
				from, to := int64(binary.LittleEndian.Uint64(entry[32:])), int64(binary.LittleEndian.Uint64(entry[40:]))
				if from > 0 && to >= from && to < diskBytes/block {
					parts = append(parts, part{fmt.Sprintf("partition %d", i+1), from * block, (to - from + 1) * block})
				}
			}
			if len(parts) > 0 {
				return parts
			}
		}
	}
	return nil
}

// isMBR reports whether a first sector holds an MBR with partitions. The first sector of a file system often ends with
// the same bytes, but isn't an MBR.
func isMBR(sector []byte) bool {
	if len(sector) < sectorBytes || sector[510] != 0x55 || sector[511] != 0xaa || isFAT(sector) {
		return false
	}
	used := false
	for i := range 4 {
		entry := sector[446+16*i:][:16]
		if entry[0]&0x7f != 0 { // a boot flag is 0x00 or 0x80
			return false
		}
		used = used || entry[4] != 0
	}
	return used
}

// isFAT reports whether a first sector describes a FAT, even if the formatter wrote no name into it.
func isFAT(sector []byte) bool {
	if len(sector) < sectorBytes || sector[510] != 0x55 || sector[511] != 0xaa {
		return false
	}
	power := func(n, least, most int) bool { return n >= least && n <= most && n&(n-1) == 0 }
	blockBytes, cluster := int(binary.LittleEndian.Uint16(sector[11:])), int(sector[13])
	reserved, tables, medium := binary.LittleEndian.Uint16(sector[14:]), sector[16], sector[21]
	return power(blockBytes, 512, 4096) && power(cluster, 1, 128) && reserved > 0 && (tables == 1 || tables == 2) &&
		(medium == 0xf0 || medium >= 0xf8)
}

// reader reads a disk in pieces, each once.
type reader struct {
	disk   *os.File
	memory []byte
	pieces map[int64][]byte
	failed error // the last piece that couldn't be read
}

const pieceBytes = 16 << 10

// read returns the bytes from an offset on; fewer where the disk ends or can't be read.
func (r *reader) read(at, length int64) (data []byte) {
	for end := at + length; at >= 0 && at < end; {
		start := at / pieceBytes * pieceBytes
		piece, known := r.pieces[start]
		if !known {
			n, err := r.disk.ReadAt(r.memory, start)
			if err != nil && !errors.Is(err, io.EOF) {
				r.failed = err
			}
			piece = bytes.Clone(r.memory[:max(n, 0)])
			r.pieces[start] = piece
		}
		if at-start >= int64(len(piece)) {
			break
		}
		part := piece[at-start:]
		part = part[:min(int64(len(part)), end-at)]
		data = append(data, part...)
		at += int64(len(part))
	}
	return data
}

// describe says in a line what lies on a part of the disk.
func (r *reader) describe(p part) string {
	r.failed = nil
	kinds := r.kinds(p)
	what := strings.Join(kinds, ", ")
	switch {
	case len(kinds) == 0 && r.failed != nil:
		what = fmt.Sprintf("something that can't be read (%v)", r.failed)
	case len(kinds) == 0:
		what = r.unknown(p)
	}
	size := fmt.Sprintf("%.1f GB", float64(p.bytes)/1e9)
	if p.bytes < 1e9 {
		size = fmt.Sprintf("%.1f MB", float64(p.bytes)/1e6)
	}
	return p.name + ": " + what + ", " + size
}

// kinds names each format whose signature is on a part of the disk, once.
func (r *reader) kinds(p part) (kinds []string) {
	for _, s := range signatures {
		end := p.bytes
		if s.round > 0 {
			end = end / s.round * s.round
		}
		for _, place := range s.at {
			at := int64(place)
			if at < 0 {
				at += end
			}
			found := func(magic string) bool {
				return at >= 0 && at+int64(len(magic)) <= p.bytes &&
					string(r.read(p.at+at, int64(len(magic)))) == magic
			}
			if slices.ContainsFunc(s.magic, found) && !slices.Contains(kinds, s.name) {
				kinds = append(kinds, s.name)
			}
		}
	}
	first := r.read(p.at, sectorBytes)
	if isFAT(first) && !slices.Contains(kinds, fat) && !slices.Contains(kinds, bitLocker) {
		kinds = append(kinds, fat)
	}
	if isMBR(first) && !slices.Contains(kinds, gpt) { // a GPT comes with a protective MBR
		kinds = append(kinds, "MBR partition table")
	}
	return kinds
}

// unknown says where data lie on a part of the disk that holds no signature. If it finds none, it says so, or why it
// couldn't read.
func (r *reader) unknown(p part) string {
	const mib, samples = 1 << 20, 64
	empty := func(at, length int64) bool {
		for end := min(at+length, p.bytes); at < end; at += pieceBytes {
			if !blank(r.read(p.at+at, min(pieceBytes, end-at))) {
				return false
			}
		}
		return true
	}
	const something = "something that isn't recognized: "
	last := max(p.bytes-mib, 0)
	switch {
	case !empty(0, mib):
		return something + "its first MiB isn't empty"
	case !empty(last, mib):
		return something + "its last MiB isn't empty"
	}
	for i := range int64(samples) {
		if at := last / samples * i / pieceBytes * pieceBytes; !empty(at, pieceBytes) {
			return fmt.Sprintf("%sit isn't empty at %.1f MB", something, float64(at)/1e6)
		}
	}
	if r.failed != nil {
		return fmt.Sprintf("something that can't be read (%v)", r.failed)
	}
	return "nothing that is known: its first and last MiB and 64 places between are empty"
}

// blank reports whether all bytes are 0, or all are 255, as in flash memory that was erased.
func blank(data []byte) bool {
	return len(data) == 0 || (data[0] == 0 || data[0] == 0xff) && bytes.Count(data, data[:1]) == len(data)
}
