package publish

import "flashdex/result"

// publishedOnly lists modules that have published figures in the fixture, and no upload.
var publishedOnly = []string{
	"adata-ausdh32gui3v30sha2-ra1-32gb-microsd", "adata-premier-extreme-express-256gb-sdexpress",
	"brand-not-stated-crappy-card-4gb-sd",
	"corsair-flash-voyager-gtx-128gb-usb", "corsair-padlock-2-16gb-usb",
	"dane-elec-usb-3-0-usb", "estrella-64gb-microsd", "gigastone-camera-plus-64gb-microsd",
	"innodisk-minidom-u-usb",
	"lexar-80x-2gb-cf", "lexar-jumpdrive-s75-128gb-usb",
	"micro-center-class-4-4gb-sd", "patriot-supersonic-magnum-usb", "polaroid-extreme-performance-16gb-microsd",
	"samsung-evo-plus-128gb-sd",
	"microdrive-256gb-microsd",
	"samsung-friendlyelec-emmc-8gb-emmc", "swissbit-u-450-16gb-usb", "samsung-klm1gwepd-b031-8gb-emmc",
	"samsung-pro-plus-32gb-microsd", "sandisk-class-4-8gb-microsd", "sandisk-ducati-8gb-cf",
	"sandisk-extreme-pro-64gb-microsd", "silicon-power-600x-cf-16gb-cf", "sony-class-10-16gb-microsd",
	"toshiba-emmc-table-row-12-128gb-emmc", "transcend-jetflash-780-usb", "transcend-premium-16gb-microsd",
	"ymtc-y2p128-128gb-emmc",
}

// specimen is an invented module: its contributors and their hosts, and the figures of its middle unit on a bus that
// doesn't limit it.
type specimen struct {
	slug         string
	contributors int
	hosts        []string  // keys of computers, in turn
	silicon      []silicon // in turn; empty: nobody read any

	writeIOPS, readIOPS, writeMBPerS, readMBPerS float64

	pauseMS           float64 // how long a write takes now and then
	cliffMB, cliffsTo float64 // after this many 10^6 bytes the linear write continues at this share of its rate
	paid              float64 // EUR; 0: nobody told
	twice             bool    // everybody measures in a second host, too
	spoilers          []string
	foundShare        float64 // the share of the last unit's claimed capacity that verify found; 0: it didn't look
}

// silicon is what a card says about itself: manufacturer id, OEM id and name.
type silicon struct {
	manfid    int
	oem, name string
}

var specimens = []specimen{
	{slug: "samsung-evo-plus-32gb-microsd", contributors: 7, hosts: []string{"pi-4", "pi-5", "pc"},
		silicon:   []silicon{{0x1b, "SM", "EB1QT"}, {0x1b, "SM", "EB2MW"}},
		writeIOPS: 546, readIOPS: 1743, writeMBPerS: 22, readMBPerS: 88, pauseMS: 310, paid: 9.99, twice: true},
	{slug: "samsung-evo-plus-64gb-microsd", contributors: 5, hosts: []string{"pi-4", "pi-3"},
		silicon:   []silicon{{0x1b, "SM", "EC1QT"}, {0x1b, "SM", "EC1QT"}, {0x6f, "\x03\x03", "SDABC"}},
		writeIOPS: 610, readIOPS: 1810, writeMBPerS: 25, readMBPerS: 90, pauseMS: 220, paid: 14.5, foundShare: 0.25},
	{slug: "samsung-pro-endurance-128gb-microsd", contributors: 5, hosts: []string{"pi-5", "pi-4"},
		silicon:   []silicon{{0x1b, "SM", "JD1Y7"}},
		writeIOPS: 702, readIOPS: 2150, writeMBPerS: 38, readMBPerS: 93, pauseMS: 90, paid: 21},
	{slug: "samsung-evo-32gb-microsd", contributors: 2, hosts: []string{"pi-5"}, silicon: []silicon{{0x1b, "SM", "00000"}},
		writeIOPS: 488, readIOPS: 1802, writeMBPerS: 15, readMBPerS: 84, pauseMS: 500, paid: 7.5},
	{slug: "sandisk-extreme-a1-32gb-microsd", contributors: 6, hosts: []string{"pc", "pi-4"},
		silicon:   []silicon{{3, "SD", "SE32G"}},
		writeIOPS: 871, readIOPS: 2410, writeMBPerS: 55, readMBPerS: 92, pauseMS: 96, paid: 12.49},
	{slug: "sandisk-extreme-a2-64gb-microsd", contributors: 8, hosts: []string{"pi-5", "pc", "pi-4"},
		silicon:   []silicon{{3, "SD", "SN64G"}},
		writeIOPS: 842, readIOPS: 2290, writeMBPerS: 62, readMBPerS: 90, pauseMS: 143, cliffMB: 130, cliffsTo: 0.5,
		paid: 15.9, twice: true},
	{slug: "sandisk-ultra-a1-32gb-microsd", contributors: 9, hosts: []string{"pi-4", "pi-zero-2", "pi-3", "pc"},
		silicon:   []silicon{{3, "SD", "SC32G"}, {3, "SD", "SL32G"}},
		writeIOPS: 512, readIOPS: 1650, writeMBPerS: 19, readMBPerS: 88, pauseMS: 260, paid: 6.99, twice: true},
	{slug: "sandisk-industrial-16gb-microsd", contributors: 4, hosts: []string{"odroid", "pi-4"},
		silicon:   []silicon{{3, "SD", "SA16G"}},
		writeIOPS: 690, readIOPS: 1720, writeMBPerS: 20, readMBPerS: 78, pauseMS: 60},
	{slug: "kingston-canvas-select-plus-32gb-microsd", contributors: 5, hosts: []string{"pi-4", "pc"},
		silicon:   []silicon{{0x9f, "TI", "SD32G"}},
		writeIOPS: 395, readIOPS: 1890, writeMBPerS: 24, readMBPerS: 91, pauseMS: 800, paid: 5.2},
	{slug: "kingston-class-10-16gb-microsd", contributors: 3, hosts: []string{"pi-4", "banana-pi"},
		silicon:   []silicon{{0x41, "42", "SD16G"}},
		writeIOPS: 3.9, readIOPS: 803, writeMBPerS: 10, readMBPerS: 19, pauseMS: 1400, cliffMB: 70, cliffsTo: 0.4, paid: 5.5},
	{slug: "toshiba-class-10-uhs-i-8gb-microsd", contributors: 3, hosts: []string{"pi-3", "pi-4"},
		silicon:   []silicon{{2, "TM", "SA08G"}},
		writeIOPS: 11.2, readIOPS: 1010, writeMBPerS: 8.4, readMBPerS: 20, pauseMS: 640, paid: 6},
	{slug: "raspberry-pi-sd-card-a2-64gb-microsd", contributors: 6, hosts: []string{"pi-5"},
		silicon:   []silicon{{0xad, "LS", "USD00"}},
		writeIOPS: 1420, readIOPS: 3510, writeMBPerS: 33, readMBPerS: 91, pauseMS: 35, paid: 11.5},
	{slug: "lexar-play-a2-128gb-microsd", contributors: 4, hosts: []string{"pc", "pi-5"},
		silicon:   []silicon{{0xad, "LS", "LX128"}},
		writeIOPS: 733, readIOPS: 2980, writeMBPerS: 41, readMBPerS: 92, pauseMS: 180, cliffMB: 170, cliffsTo: 0.45,
		paid: 16.8},
	{slug: "amazon-basics-64gb-microsd", contributors: 3, hosts: []string{"pi-4"},
		silicon:   []silicon{{0xad, "LS", "AB64G"}},
		writeIOPS: 655, readIOPS: 2230, writeMBPerS: 37, readMBPerS: 92, pauseMS: 240, paid: 9.4},
	{slug: "kioxia-microsd-g2-128gb-microsd", contributors: 3, hosts: []string{"pi-4", "odroid"}, writeIOPS: 470,
		readIOPS: 2060, writeMBPerS: 27, readMBPerS: 92, pauseMS: 120},
	{slug: "transcend-premium-32gb-microsd", contributors: 4, hosts: []string{"pi-3", "pi-4"},
		silicon:   []silicon{{0x74, "JE", "USDU1"}},
		writeIOPS: 168, readIOPS: 1440, writeMBPerS: 17, readMBPerS: 86, pauseMS: 700, paid: 8.1},
	{slug: "no-name-class-4-4gb-microsd", contributors: 1, hosts: []string{"banana-pi"},
		silicon:   []silicon{{0, "\x00\x00", "SD4GB"}},
		writeIOPS: 1.8, readIOPS: 420, writeMBPerS: 4.2, readMBPerS: 12, pauseMS: 900, paid: 2},
	{slug: "pny-turbo-16gb-microsd", contributors: 1, hosts: []string{"pi-4"}, writeIOPS: 77, readIOPS: 1250,
		writeMBPerS: 14, readMBPerS: 70, spoilers: []string{result.RootDisk, result.BusyDevice}},
	{slug: "sandisk-ultra-8gb-sd", contributors: 3, hosts: []string{"pc", "beaglebone"}, writeIOPS: 96, readIOPS: 980,
		writeMBPerS: 9.5, readMBPerS: 28, pauseMS: 260},
	{slug: "samsung-evo-select-64gb-sd", contributors: 4, hosts: []string{"pc"}, writeIOPS: 520, readIOPS: 1900,
		writeMBPerS: 58, readMBPerS: 92, pauseMS: 130, paid: 13.2},
	{slug: "silicon-power-a1-64gb-sd", contributors: 3, hosts: []string{"pc"}, writeIOPS: 205, readIOPS: 1180,
		writeMBPerS: 13, readMBPerS: 85, pauseMS: 410, paid: 9.9},
	{slug: "intenso-class-4-4gb-sd", contributors: 3, hosts: []string{"pc-usb2", "beaglebone"}, writeIOPS: 2.4,
		readIOPS: 610, writeMBPerS: 5.1, readMBPerS: 18, pauseMS: 1100},
	{slug: "transcend-133x-32gb-cf", contributors: 3, hosts: []string{"apu"}, writeIOPS: 31, readIOPS: 1350,
		writeMBPerS: 19, readMBPerS: 44, pauseMS: 330, paid: 27.49},
	{slug: "sandisk-extreme-compactflash-32gb-cf", contributors: 3, hosts: []string{"apu"}, writeIOPS: 118,
		readIOPS: 2600, writeMBPerS: 52, readMBPerS: 84, pauseMS: 120, paid: 39},
	{slug: "kingston-24x-compactflash-1gb-cf", contributors: 1, hosts: []string{"apu"}, writeIOPS: 5.5, readIOPS: 690,
		writeMBPerS: 3.1, readMBPerS: 5.2, pauseMS: 600},
	{slug: "samsung-fit-plus-32gb-usb", contributors: 5, hosts: []string{"pc", "pi-4-usb"}, writeIOPS: 710,
		readIOPS: 2800, writeMBPerS: 58, readMBPerS: 190, pauseMS: 150, paid: 8.9},
	{slug: "sandisk-extreme-pro-usb-128gb-usb", contributors: 4, hosts: []string{"pc", "pi-4-usb"}, writeIOPS: 4600,
		readIOPS: 7100, writeMBPerS: 310, readMBPerS: 400, pauseMS: 20, paid: 34, twice: true},
	{slug: "sandisk-ultra-fit-32gb-usb", contributors: 4, hosts: []string{"pc", "pc-usb2"}, writeIOPS: 24,
		readIOPS: 2200, writeMBPerS: 31, readMBPerS: 125, pauseMS: 900, cliffMB: 100, cliffsTo: 0.35, paid: 7.3},
	{slug: "kingston-datatraveler-101-usb", contributors: 3, hosts: []string{"pc-usb2"}, writeIOPS: 1.6, readIOPS: 720,
		writeMBPerS: 6.8, readMBPerS: 21, pauseMS: 1300},
	{slug: "sandisk-cruzer-blade-8gb-usb", contributors: 3, hosts: []string{"pc-usb2"}, writeIOPS: 2.1, readIOPS: 840,
		writeMBPerS: 4.9, readMBPerS: 23, pauseMS: 950, paid: 4.5},
	{slug: "samsung-odroid-emmc-32gb-emmc", contributors: 3, hosts: []string{"odroid-emmc"},
		silicon:   []silicon{{0x15, "", "BJTD4R"}},
		writeIOPS: 3900, readIOPS: 6300, writeMBPerS: 78, readMBPerS: 155, pauseMS: 12, paid: 28},
	{slug: "sandisk-dg4008-8gb-emmc", contributors: 3, hosts: []string{"rock64-emmc", "odroid-emmc"},
		silicon:   []silicon{{0x45, "", "DG4008"}},
		writeIOPS: 2100, readIOPS: 4700, writeMBPerS: 42, readMBPerS: 140, pauseMS: 25},
	{slug: "samsung-ajtd4r-16gb-emmc", contributors: 2, hosts: []string{"odroid-emmc"},
		silicon: []silicon{{0x15, "", "AJTD4R"}}, writeIOPS: 2900, readIOPS: 5200, writeMBPerS: 48, readMBPerS: 150,
		pauseMS: 18},
	{slug: "foresee-ncard-16gb-emmc", contributors: 3, hosts: []string{"rock64-emmc"},
		silicon: []silicon{{0x88, "", "NCard"}}, writeIOPS: 1150, readIOPS: 3800, writeMBPerS: 36, readMBPerS: 120,
		pauseMS: 45},
	{slug: "transcend-cf220i-2gb-cf", contributors: 3, hosts: []string{"apu"}, writeIOPS: 140, readIOPS: 1500,
		writeMBPerS: 18.5, readMBPerS: 20.8, pauseMS: 90, paid: 49},
}

// stackSpecimens are stacks of two units of a module, measured over USB.
var stackSpecimens = []struct {
	kind       string
	chunkBytes int64
	specimen
}{
	{"raid0", 512 << 10, specimen{slug: "samsung-fit-plus-32gb-usb", contributors: 3, hosts: []string{"pc", "pi-4-usb"},
		writeIOPS: 640, readIOPS: 2700, writeMBPerS: 104, readMBPerS: 330, pauseMS: 210}},
	{"raid1", 0, specimen{slug: "samsung-evo-plus-64gb-microsd", contributors: 1, hosts: []string{"pc"}, writeIOPS: 430,
		readIOPS: 1790, writeMBPerS: 23, readMBPerS: 92, pauseMS: 300}},
}

// computer is a host, with the bus to the module. A USB bus has a reader, or the stick itself.
type computer struct {
	board, arch, platform, kernel, cpu string
	cpus                               int
	memoryBytes                        int64
	bus, mode                          string
	clockHz                            int64
	usbMbit                            int
	mbPerS                             float64 // the most that can be seen of the bus
}

var computers = map[string]computer{
	"pi-5": {"Raspberry Pi 5 Model B Rev 1.0", "aarch64", "linux/arm64", "6.12.25-v8-16k", "Cortex-A76", 4,
		8_326_000_000, "sd", "sd uhs SDR104", 200_000_000, 0, 93},
	"pi-4": {"Raspberry Pi 4 Model B Rev 1.4", "aarch64", "linux/arm64", "6.6.31-v8", "Cortex-A72", 4,
		3_977_900_032, "sd", "sd uhs DDR50", 50_000_000, 0, 45},
	"pi-3": {"Raspberry Pi 3 Model B Plus Rev 1.3", "aarch64", "linux/arm64", "6.6.31-v8", "Cortex-A53", 4,
		949_000_000, "sd", "sd high-speed", 50_000_000, 0, 23},
	"pi-zero-2": {"Raspberry Pi Zero 2 W Rev 1.0", "aarch64", "linux/arm64", "6.6.31-v8", "Cortex-A53", 4, 436_000_000,
		"sd", "sd high-speed", 50_000_000, 0, 23},
	"odroid": {"Hardkernel ODROID-C4", "aarch64", "linux/arm64", "6.6.9-meson64", "Cortex-A55", 4, 3_900_000_000,
		"sd", "sd uhs SDR50", 100_000_000, 0, 46},
	"banana-pi": {"Banana Pi BPI-M2-Berry", "armv7l", "linux/armv7", "6.1.63-sunxi", "ARMv7 Processor rev 5 (v7l)", 4,
		1_020_000_000, "sd", "sd high-speed", 50_000_000, 0, 22},
	"beaglebone": {"TI AM335x BeagleBone Black", "armv7l", "linux/armv7", "5.10.168-ti-r71", "AM33XX", 1, 500_000_000,
		"sd", "sd high-speed", 50_000_000, 0, 20},
	"pc": {"20HNCTO1WW", "x86_64", "linux/amd64", "6.8.0-45-generic",
		"Intel(R) Core(TM) i5-7200U CPU @ 2.50GHz", 4, 16_500_000_000, "usb", "", 0, 5000, 430},
	"pc-usb2": {"OptiPlex 780", "x86_64", "linux/amd64", "6.1.0-18-amd64", "Intel(R) Core(TM)2 Duo CPU E8400", 2,
		4_100_000_000, "usb", "", 0, 480, 37},
	"pi-4-usb": {"Raspberry Pi 4 Model B Rev 1.4", "aarch64", "linux/arm64", "6.6.31-v8", "Cortex-A72", 4,
		3_977_900_032, "usb", "", 0, 5000, 340},
	"apu": {"PC Engines apu2", "x86_64", "linux/amd64", "6.1.0-18-amd64", "AMD GX-412TC SOC", 4, 4_000_000_000,
		"ata", "", 0, 0, 90},
	"rock64-emmc": {"Pine64 Rock64", "aarch64", "linux/arm64", "6.6.9-rockchip64", "Cortex-A53", 4, 4_000_000_000, "mmc",
		"mmc HS200", 200_000_000, 0, 150},
	"odroid-emmc": {"Hardkernel ODROID-N2Plus", "aarch64", "linux/arm64", "6.6.9-meson64", "Cortex-A73", 6,
		4_000_000_000, "mmc", "mmc HS200", 200_000_000, 0, 165},
}
