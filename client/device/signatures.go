package device

// signature is what a program leaves on a disk or partition that it formats.
type signature struct {
	name  string
	at    []int32 // where one of the magics lies; negative: counted from the end
	round int64   // if it isn't 0, the end is the size rounded down to a multiple of it
	magic []string
}

const (
	fat       = "FAT"
	bitLocker = "BitLocker encryption"
	linuxRAID = "Linux RAID"
	zfs       = "ZFS"
	gpt       = "GPT partition table"
)

// pages are where swap has its magic: at the end of its first page, whose size depends on the processor.
var pages = []int32{4<<10 - 10, 8<<10 - 10, 16<<10 - 10, 32<<10 - 10, 64<<10 - 10}

// signatures has every format that libblkid of util-linux 2.41 knows, except two partition tables that have no magic
// (Atari's and IBM mainframes'). Where libblkid tests more than a magic, such as a checksum, the table has the first
// bytes after the magic instead: one mark too many is better than one too few.
var signatures = []signature{
	// Encryption, RAID and volume managers.
	{"LUKS encryption", at{0}, 0, m{"LUKS\xba\xbe"}},
	{"LUKS encryption", at{16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20}, 0,
		m{"SKUL\xba\xbe"}},
	{bitLocker, at{3}, 0, m{"-FVE-FS-"}},
	{bitLocker, at{424}, 0, m{"\x3b\xd6\x67\x49\x29\x2e\xd8\x4a\x83\x99\xf6\xa3\x39\xe3\xd0\x01"}}, // BitLocker To Go
	{"FileVault encryption", at{88}, 0, m{"CS\x01\x00\x00\x00"}},
	{linuxRAID, at{-64 << 10}, 64 << 10, m{"\xfc\x4e\x2b\xa9\x00\x00\x00\x00", "\xa9\x2b\x4e\xfc\x00\x00\x00\x00"}},
	{linuxRAID, at{-8 << 10}, 4 << 10, m{"\xfc\x4e\x2b\xa9\x01\x00\x00\x00"}},
	{linuxRAID, at{0, 4 << 10}, 0, m{"\xfc\x4e\x2b\xa9\x01\x00\x00\x00"}},
	{"LVM", at{24, 536, 1048, 1560}, 0, m{"LVM2 001"}},
	{"LVM", at{0}, 0, m{"HM\x01\x00", "HM\x02\x00"}},
	{"a snapshot of LVM", at{0}, 0, m{"SnAp"}},
	{"a hash tree of dm-verity", at{0}, 0, m{"verity\x00\x00"}},
	{"dm-integrity", at{0}, 0, m{"integrt\x00"}},
	{"VDO", at{0}, 0, m{"dmvdo001"}},
	{"Stratis", at{516, 4612}, 0, m{"!Stra0tis\x86\xff\x02^\x41rh"}},
	{"bcache", at{4120}, 0, m{"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"}},
	{"bcachefs", at{4120, 2<<20 + 24, -1<<20 + 24}, 1 << 10,
		m{"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef"}},
	{"DRBD", at{-4036}, 4 << 10, m{"\x83\x74\x02\x6b", "\x83\x74\x02\x6c", "\x83\x74\x02\x6d"}},
	{"DRBD", at{-4036}, 0, m{"\x83\x74\x02\x6b", "\x83\x74\x02\x6c", "\x83\x74\x02\x6d"}},
	{"DRBD", at{0}, 0, m{"$DRBDmgr=q", "DRBDdlh*"}},
	{"Ceph", at{0}, 0, m{"bluestore block device"}},
	{"Oracle ASM", at{32}, 0, m{"ORCLDISK"}},
	{"mpool", at{0}, 0, m{"mpoolDev"}},
	{"VMFS", at{1 << 20}, 0, m{"\x0d\xd0\x01\xc0"}},
	{"VMFS", at{2 << 20}, 0, m{"\x5e\xf1\xab\x2f"}},
	{"Adaptec RAID", at{-sectorBytes}, sectorBytes, m{"\x37\xfc\x4d\x1e"}},
	{"DDF RAID", at{-sectorBytes, -257 * sectorBytes}, sectorBytes, m{"\xde\x11\xde\x11"}},
	{"HighPoint RAID", at{-11 * sectorBytes}, sectorBytes, m{"\xf3\x16\x78\x5a", "\xfd\x16\x78\x5a"}},
	{"HighPoint RAID", at{4640}, 0, m{"\xf0\x16\x78\x5a", "\xfd\x16\x78\x5a"}},
	{"Intel RAID", at{-2 * sectorBytes, -8192}, sectorBytes, m{"Intel Raid ISM Cfg Sig. "}},
	{"JMicron RAID", at{-sectorBytes}, sectorBytes, m{"JM"}},
	{"LSI RAID", at{-sectorBytes}, sectorBytes, m{"$XIDE$"}},
	{"NVIDIA RAID", at{-2 * sectorBytes}, sectorBytes, m{"NVIDIA  "}},
	{"Promise RAID", at{-63 * sectorBytes, -255 * sectorBytes, -256 * sectorBytes, -16 * sectorBytes, -399 * sectorBytes,
		-591 * sectorBytes, -675 * sectorBytes, -735 * sectorBytes, -911 * sectorBytes, -974 * sectorBytes,
		-991 * sectorBytes,
		-951 * sectorBytes, -3087 * sectorBytes}, sectorBytes,
		m{"Promise Technology, Inc."}},
	{"Silicon Image RAID", at{-sectorBytes + 0x60}, sectorBytes, m{"\x00\x00\x00\x2f"}},
	{"VIA RAID", at{-sectorBytes}, sectorBytes, m{"\x55\xaa\x00", "\x55\xaa\x01", "\x55\xaa\x02"}},

	// Swap and saved memory.
	{"swap", pages, 0, m{"SWAPSPACE2", "SWAP-SPACE"}},
	{"a hibernated system", pages, 0, m{"S1SUSPEND", "S2SUSPEND", "ULSUSPEND", "LINHIB0001"}},
	{"a hibernated system", at{0}, 0, m{"\xed\xc3\x02\xe9\x98\x56\xe5\x0c"}},

	// File systems.
	{"ext2, ext3 or ext4", at{1080}, 0, m{"\x53\xef"}},
	{fat, at{0x36}, 0, m{"FAT12   ", "FAT16   ", "FAT     ", "MSDOS"}},
	{fat, at{0x52}, 0, m{"FAT32   ", "MSWIN"}},
	{"exFAT", at{3}, 0, m{"EXFAT   "}},
	{"NTFS", at{3}, 0, m{"NTFS    "}},
	{"ReFS", at{0}, 0, m{"\x00\x00\x00ReFS\x00"}},
	{"HPFS", at{8 << 10}, 0, m{"\x49\xe8\x95\xf9"}},
	{"APFS", at{32}, 0, m{"NXSB"}},
	{"HFS", at{1 << 10}, 0, m{"BD"}},
	{"HFS+", at{1 << 10, 1148}, 0, m{"H+", "HX"}}, // by itself, or in an HFS wrapper
	{"btrfs", at{64<<10 + 64, 64<<20 + 64}, 0, m{"_BHRfS_M"}},
	{"xfs", at{0}, 0, m{"XFSB"}},
	{"a journal of xfs", at{0, 512, 1024}, 0, m{"\xfe\xed\xba\xbe\x00\x00\x00"}},
	{"EXFS", at{0}, 0, m{"EXFS"}},
	// The head of a ZFS list: XDR encoding, either byte order, version 0, unique names.
	{zfs, at{16 << 10, 272 << 10, -512<<10 + 16<<10, -256<<10 + 16<<10}, 256 << 10, m{
		"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"}},
	{"f2fs", at{1 << 10, 5 << 10}, 0, m{"\x10\x20\xf5\xf2"}},
	{"nilfs2", at{1030, -4090}, sectorBytes, m{"\x34\x34"}},
	{"jfs", at{32 << 10}, 0, m{"JFS1"}},
	{"ReiserFS", at{8<<10 + 20, 8<<10 + 52, 64<<10 + 52}, 0, m{"ReIsErFs", "ReIsEr2Fs", "ReIsEr3Fs"}},
	{"Reiser4", at{64 << 10}, 0, m{"ReIsEr4"}},
	{"GFS", at{64 << 10}, 0, m{"\x01\x16\x19\x70"}},
	{"OCFS", at{1 << 10, 2 << 10, 4 << 10, 8 << 10}, 0, m{"OCFSV2", "OracleCFS"}},
	{"ScoutFS", at{64<<10 + 4}, 0, m{"\x8b\x42\x3c\x10"}},
	{"zonefs", at{0}, 0, m{"SFOZ"}},
	{"squashfs", at{0}, 0, m{"hsqs", "sqsh"}},
	{"EROFS", at{1 << 10}, 0, m{"\xe2\xe1\xf5\xe0"}},
	{"cramfs", at{0}, 0, m{"\x45\x3d\xcd\x28", "\x28\xcd\x3d\x45"}},
	{"romfs", at{0}, 0, m{"-rom1fs-"}},
	{"UBI", at{0}, 0, m{"UBI#"}},
	{"UBIFS", at{0}, 0, m{"\x31\x18\x10\x06"}},
	{"ISO 9660", at{32769}, 0, m{"CD001"}},
	{"ISO 9660", at{32777}, 0, m{"CDROM"}},
	{"UDF", at{32769, 34817, 36865, 38913, 40961, 43009, 45057, 47105}, 0, m{"BEA01", "NSR02", "NSR03"}},
	{"UFS", at{1372, 8<<10 + 1372, 64<<10 + 1372, 256<<10 + 1372}, 0, m{
		"\x54\x19\x01\x00", "\x00\x01\x19\x54", "\x19\x01\x54\x19", "\x19\x54\x01\x19", "\x12\x56\x19\x00",
		"\x00\x19\x56\x12", "\x14\x50\x09\x00", "\x00\x09\x50\x14", "\x95\x21\x61\x00", "\x00\x61\x21\x95",
		"\x94\x19\x23\x05", "\x05\x23\x19\x94"}},
	{"BeFS", at{32, 544}, 0, m{"BFS1", "1SFB"}},
	{"BFS", at{0}, 0, m{"\xce\xfa\xad\x1b"}},
	{"Minix", at{1040}, 0, m{"\x7f\x13", "\x8f\x13", "\x13\x7f", "\x13\x8f", "\x68\x24", "\x78\x24", "\x24\x68",
		"\x24\x78"}},
	{"Minix", at{1048}, 0, m{"\x5a\x4d", "\x4d\x5a"}},
	{"NSS", at{4 << 10}, 0, m{"SPB5"}},
	{"Xenix", at{2 << 10}, 0, m{"\x2b\x55\x44", "\x44\x55\x2b"}},
	{"System V", at{1016, 10232, 16376, 19448}, 0, m{"\x20\x7e\x18\xfd", "\xfd\x18\x7e\x20"}},
	{"VxFS", at{1 << 10}, 0, m{"\xf5\xfc\x01\xa5"}},
	{"VxFS", at{8 << 10}, 0, m{"\xa5\x01\xfc\xf5"}},

	// Partition tables; an MBR has a test of its own.
	{gpt, at{512, 4096}, 0, m{"EFI PART"}},
	{gpt, at{-512}, 512, m{"EFI PART"}}, // its backup
	{gpt, at{-4096}, 4096, m{"EFI PART"}},
	{"Apple partition table", at{512}, 0, m{"PM\x00\x00"}},
	{"BSD partition table", at{64, 128, 512}, 0, m{"\x57\x45\x56\x82"}},
	{"Sun partition table", at{508}, 0, m{"\xda\xbe"}},
	{"SGI partition table", at{0}, 0, m{"\x0b\xe5\xa9\x41"}},
	{"Solaris partition table", at{524}, 0, m{"\xee\xde\x0d\x60"}},
	{"AIX partition table", at{0}, 0, m{"\xc9\xc2\xd4\xc1"}},
	{"UnixWare partition table", at{29*512 + 4}, 0, m{"\x0d\x60\xe5\xca"}},
	{"Ultrix partition table", at{16<<10 - 72}, 0, m{"\x57\x29\x03\x00"}},
}

// These are types and not functions, so that the compiler lays the table out. Where it doesn't inline, the client is 27
// kB smaller for it.
type (
	at []int32
	m  []string
)
