package health

import (
	"encoding/binary"
	"errors"
)

// Function is one of an SD card's function extensions (SD 5.8), as its page of general information lists it.
type Function struct {
	Code         int    `json:"code"` // 1: power management, 2: performance enhancement; other codes aren't public
	Name         string `json:"name,omitempty"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Address      int    `json:"-"` // of its first register set, as CMD48 takes it: function, page and offset; -1: none
	Number       int    `json:"-"` // of the function: 0 to 15
}

// The codes of the standard functions.
const (
	PowerManagement        = 1
	PerformanceEnhancement = 2
)

// Functions decodes the general information, page 0 of function 0, which CMD48 reads. Extensions are linked: each says
// where the next one is. No two may share bytes, so a page has room for ten, and we never ask a card for registers
// hundreds of times.
func Functions(page []byte) (all []Function, err error) {
	if err := checkAnswer(page); err != nil {
		return nil, err
	}
	const header, extensionBytes = 16, 48
	count := int(page[4])
	switch {
	case binary.LittleEndian.Uint16(page) != 0:
		return nil, errors.New("the general information is of a revision that isn't public")
	case int(binary.LittleEndian.Uint16(page[2:])) > AnswerBytes:
		return nil, errors.New("the general information is longer than its page")
	}
	for at := header; len(all) < count; {
		if at < header || at+extensionBytes > AnswerBytes {
			return nil, errors.New("the general information lists a function outside its page")
		}
		one := page[at : at+extensionBytes]
		f := Function{Code: int(binary.LittleEndian.Uint16(one)), Manufacturer: printable(one[6:22]),
			Name: printable(one[22:38]), Address: -1}
		if one[42] > 0 {
			address := binary.LittleEndian.Uint32(one[44:])
			f.Address, f.Number = int(address&0x1ffff), int(address>>18&0xf)
		}
		all = append(all, f)
		next := int(binary.LittleEndian.Uint16(one[40:]))
		if next < at+extensionBytes && len(all) < count {
			return nil, errors.New("the general information lists functions that overlap")
		}
		at = next
	}
	return all, nil
}

// Abilities decodes the register set of one of the two public functions. It returns what the card can do, by name.
func Abilities(code int, registers []byte) (map[string]any, error) {
	if err := checkAnswer(registers); err != nil {
		return nil, err
	}
	is := func(at int, bit byte) bool { return registers[at]>>bit&1 == 1 }
	switch code {
	case PowerManagement:
		return map[string]any{
			"power_off_notification": is(1, 4), "power_sustenance": is(1, 5), "power_down_mode": is(1, 6),
		}, nil
	case PerformanceEnhancement:
		depth := int64(0)
		if queue := registers[6] & 0x1f; queue > 0 {
			depth = int64(queue) + 1
		}
		return map[string]any{
			"event_notification": is(1, 0), "card_maintenance": is(2, 0), "host_maintenance": is(2, 1), "cache": is(4, 0),
			"queue_depth": depth,
		}, nil
	}
	return nil, errors.New("registers of this function aren't public")
}
