package result

import "cmp"

// Codes of Document.Spoilers: events during a run that make its figures less meaningful for the module.
const (
	RootDisk     = "root-disk"
	BusyDevice   = "busy-device"
	BusyCPU      = "busy-cpu"
	Swap         = "swap"
	Throttled    = "throttled"
	Undervoltage = "undervoltage"
	BusChanged   = "bus-changed"
	KernelErrors = "kernel-errors"
	Interrupted  = "interrupted"
)

var spoilers = map[string]string{
	RootDisk:     "the system runs from the module",
	BusyDevice:   "something else used the module during the test",
	BusyCPU:      "other programs kept the processor busy",
	Swap:         "the system could swap to the module",
	Throttled:    "the processor was throttled, being too hot or short of power",
	Undervoltage: "the computer's supply voltage was too low",
	BusChanged:   "the bus to the module changed its speed during the test",
	KernelErrors: "the kernel reported errors of the module during the test",
	Interrupted:  "the test was stopped early",
}

// SpoilerText explains a code of Document.Spoilers in a few words.
func SpoilerText(code string) string { return cmp.Or(spoilers[code], code) }
