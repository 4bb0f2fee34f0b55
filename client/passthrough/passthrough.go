// Package passthrough sends single commands to a module, past the block layer, and returns its answer. An answer has
// 512 bytes; the SD Status has 64. It uses MMC_IOC_CMD for SD cards and eMMC (linux/mmc/ioctl.h), SG_IO for
// CompactFlash (scsi/sg.h, SAT-3 12.2.3), and NVME_IOCTL_ADMIN_CMD for SD Express (linux/nvme_ioctl.h). Every command
// here reads, except one that prepares the answer of the two-step dialect. That one sends zeros to the controller, not
// to an address of the card's memory.
package passthrough

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"flashdex/client/direct"
	"flashdex/result/register/health"
)

// Request names a question to a module.
type Request string

// The requests. A request that an SD card answers to CMD56 has the name of its dialect.
const (
	ExtCSD      Request = "ext-csd"   // of an eMMC
	Functions   Request = "functions" // page 0 of an SD card's general information
	Power       Request = "power"     // registers of the SD card's function for power management
	Performance Request = "performance"
	Status      Request = "status" // the SD Status, which each SD card tells
	SMART       Request = health.ATA
	NVMeLog     Request = health.NVMe
)

// arguments holds the argument of CMD56 for each dialect. Bit 0 is the direction: 1 reads.
var arguments = map[Request]uint32{
	health.SanDisk: 1, health.ADATA: 0x110005f1, health.Transcend: 0x110005f9, health.Micron: 0x110005fb,
	health.Swissbit: 0x53420001, health.TwoStep: 0x21,
}

const (
	sendExtCSD, sdStatus, readExtension, general = 8, 13, 48, 56 // MMC_SEND_EXT_CSD, ACMD13, READ_EXTR_SINGLE, GEN_CMD

	prepareTwoStep = 0x10 // the argument of the CMD56 that writes
	statusBytes    = 64   // of the SD Status
)

// module is an open block device. ioctl is the kernel's, except in tests.
type module struct {
	ioctl func(request uintptr, argument unsafe.Pointer) error
}

// Ask sends the request to the block device at path. The kernel lets only root do this (CAP_SYS_RAWIO). For Power and
// Performance, at holds the function and the address of its registers, as CMD48 takes them. For all other requests it
// is 0.
func Ask(path string, request Request, at uint32) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return module{func(request uintptr, argument unsafe.Pointer) error {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(argument)); errno != 0 {
			return errno
		}
		return nil
	}}.ask(request, at)
}

func (m module) ask(request Request, at uint32) ([]byte, error) {
	answer := make([]byte, health.AnswerBytes)
	switch request {
	case ExtCSD:
		return answer, m.mmc(mmcCommand{opcode: sendExtCSD}, answer)
	case Functions, Power, Performance:
		return answer, m.mmc(mmcCommand{opcode: readExtension, argument: int32(at | uint32(len(answer)-1))}, answer)
	case Status:
		return m.status()
	case SMART:
		return answer, m.smart(answer)
	case NVMeLog:
		return answer, m.nvme(answer)
	}
	argument, known := arguments[request]
	if !known {
		return nil, fmt.Errorf("there is no request %q", request)
	}
	if request == health.TwoStep {
		// On some hosts the card doesn't seem to answer the first command, but answers the second.
		err := m.mmc(mmcCommand{opcode: general, argument: prepareTwoStep, write: 1}, make([]byte, len(answer)))
		if direct.Gone(err) {
			return nil, err
		} else if err != nil {
			if _, silent := m.status(); silent != nil {
				return nil, err
			}
		}
	}
	return answer, m.mmc(mmcCommand{opcode: general, argument: int32(argument)}, answer)
}

// status gets the SD Status. The kernel itself puts the card's address into the command before it, CMD55.
func (m module) status() ([]byte, error) {
	answer := make([]byte, statusBytes)
	return answer, m.mmc(mmcCommand{opcode: sdStatus, acmd: 1}, answer)
}

// Gone reports whether an error of Ask means that the module is no longer there.
func Gone(err error) bool { return direct.Gone(err) }

// mmcCommand is the kernel's struct mmc_ioc_cmd.
type mmcCommand struct {
	write, acmd, opcode, argument int32
	response                      [4]uint32
	flags, blockBytes, blocks     uint32
	sleepMin, sleepMax            uint32 // µs after it
	dataTimeoutNS, timeoutMS, pad uint32
	data                          uint64
}

// mmc sends a command with a block of data to or from the card.
func (m module) mmc(c mmcCommand, data []byte) error {
	const ioctl = 0xc048b300 // MMC_IOC_CMD
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&data[0])
	c.flags = 0x15 | 1<<5         // MMC_RSP_R1, MMC_CMD_ADTC
	c.dataTimeoutNS = 800_000_000 // before the client gives up the process
	c.blockBytes, c.blocks, c.data = uint32(len(data)), 1, uint64(uintptr(unsafe.Pointer(&data[0])))
	return m.ioctl(ioctl, unsafe.Pointer(&c))
}

// sgHeader is the kernel's struct sg_io_hdr.
type sgHeader struct {
	id, direction            int32
	commandBytes, mostSense  uint8
	lists                    uint16
	bytes                    uint32
	data, command, sense     uintptr
	timeoutMS, flags         uint32
	pack                     int32
	user                     uintptr
	status, masked, message  uint8
	senseBytes               uint8
	hostStatus, driverStatus uint16
	residual                 int32
	durationMS, info         uint32
}

// smart sends ATA's SMART READ DATA by ATA PASS-THROUGH (16).
func (m module) smart(answer []byte) error {
	const ioctl, fromDevice, passThrough = 0x2285, -3, 0x85 // SG_IO, SG_DXFER_FROM_DEV
	command := []byte{passThrough, 4 << 1, 0x0e, 0, 0xd0, 0, 1, 0, 0, 0, 0x4f, 0, 0xc2, 0, 0xb0, 0}
	sense := make([]byte, 32)
	var pin runtime.Pinner
	defer pin.Unpin()
	for _, b := range [][]byte{answer, command, sense} {
		pin.Pin(&b[0])
	}
	at := func(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }
	h := sgHeader{id: 'S', direction: fromDevice, commandBytes: uint8(len(command)), mostSense: uint8(len(sense)),
		bytes: uint32(len(answer)), data: at(answer), command: at(command), sense: at(sense), timeoutMS: 800}
	if err := m.ioctl(ioctl, unsafe.Pointer(&h)); err != nil {
		return err
	}
	if h.status != 0 || h.hostStatus != 0 || h.driverStatus&0xf != 0 || h.residual != 0 {
		return fmt.Errorf("the disk refused SMART READ DATA (status %d, host %d, driver %d, %d bytes missing)", h.status,
			h.hostStatus, h.driverStatus, h.residual)
	}
	return nil
}

// nvmeCommand is the kernel's struct nvme_passthru_cmd.
type nvmeCommand struct {
	opcode, flags           uint8
	reserved                uint16
	namespace, word2, word3 uint32
	metadata, data          uint64
	metadataBytes, bytes    uint32
	word10, word11, word12  uint32
	word13, word14, word15  uint32
	timeoutMS, result       uint32
}

// nvme gets the log page of SMART / Health Information.
func (m module) nvme(answer []byte) error {
	const ioctl, getLogPage, all, page = 0xc0484e41, 2, 0xffffffff, 2 // NVME_IOCTL_ADMIN_CMD
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&answer[0])
	c := nvmeCommand{opcode: getLogPage, namespace: all, data: uint64(uintptr(unsafe.Pointer(&answer[0]))),
		bytes: uint32(len(answer)), word10: uint32(len(answer)/4-1)<<16 | page, timeoutMS: 800}
	return m.ioctl(ioctl, unsafe.Pointer(&c))
}
