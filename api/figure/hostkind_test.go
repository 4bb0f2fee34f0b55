package figure

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"flashdex/api/catalogue"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Two computers without a name may be different ones.
func TestBoardOf(t *testing.T) {
	t.Parallel()
	for board, want := range map[string]string{
		"": "", " ": "", "System Product Name": "", "To Be Filled By O.E.M.": "", "Default string": "",
		"Raspberry Pi 5 Model B Rev 1.0": "Raspberry Pi 5 Model B Rev 1.0",
	} {
		if got := BoardOf(result.Host{Board: board, Arch: "x86_64"}); got != want {
			t.Errorf("%q is %q, want %q", board, got, want)
		}
	}
}

func TestHostKindOf(t *testing.T) {
	t.Parallel()
	reader := &result.USB{VendorID: "05e3", ProductID: "0749", SpeedMbitPerS: 5000}
	for _, c := range []struct {
		bus, board, queue string
		usb               *result.USB
		want              string
	}{
		{"sd", "Raspberry Pi 5 Model B Rev 1.0", result.QueueOn, nil, "pi-5/queue/Raspberry Pi 5 Model B"},
		{"sd", "Raspberry Pi 5 Model B Rev 1.1", result.QueueOff, nil, "pi-5/no-queue/Raspberry Pi 5 Model B"},
		{"sd", "Raspberry Pi 4 Model B Rev 1.4", "", nil, "pi-4/-/Raspberry Pi 4 Model B"},
		{"sd", "Raspberry Pi 400 Rev 1.0", "", nil, "pi-4/-/Raspberry Pi 400"},
		{"mmc", "Raspberry Pi Compute Module 5 Rev 1.0", result.QueueOn, nil, "pi-5/queue/Raspberry Pi Compute Module 5"},
		{"sd", "FriendlyElec NanoPi R5S LTS", "", nil, "slot/-/FriendlyElec NanoPi R5S LTS"},
		{"sd", "To Be Filled By O.E.M.", result.QueueOff, nil, "slot/no-queue/-"},
		{"sd", "", "", nil, "slot/-/-"},
		{"usb", "Raspberry Pi 4 Model B Rev 1.4", "", reader, "usb-3/-/05e3:0749"},
		{"sd", "ThinkPad", result.QueueOff, &result.USB{VendorID: "0bda", ProductID: "0129", SpeedMbitPerS: 480},
			"usb-2/-/0bda:0129"}, // a reader that hands its card to the mmc layer
		{"ata", "PC", "", nil, "ata/-/-"},
		{"nvme", "PC", "", nil, "other/-/-"},
		// What a contributor may make up.
		{"sd", "pi-5/queue/x", "", nil, "slot/-/pi-5 queue x"},
		{"sd", "../../etc", "", nil, "slot/-/.. .. etc"},
		{"sd", "-", "", nil, "slot/-/-"},
		{"sd", "東芝", "", nil, "slot/-/-"},
		{"sd", "<b>\"x\"&'$`|;\\", "", nil, "slot/-/b x"},
		{"sd", strings.Repeat("long ", 16), "", nil, "slot/-/" + strings.TrimSpace(strings.Repeat("long ", 10)[:48])},
	} {
		d := &result.Document{Identity: result.Identity{Bus: c.bus, USB: c.usb},
			Host: result.Host{Board: c.board, CommandQueue: c.queue}}
		if got := hostKindOf(d); got != c.want {
			t.Errorf("%s in %q, queue %q: %q, want %q", c.bus, c.board, c.queue, got, c.want)
		}
		if facts := FactsOf(d, nil); facts.HostKind != c.want {
			t.Errorf("the facts say %q, want %q", facts.HostKind, c.want)
		}
	}
	card := result.Identity{Bus: "sd"}
	stack := &result.Document{Stack: &result.Stack{Members: []result.Identity{card, card}}, Identity: result.Identity{
		Bus: "stack"}, Host: result.Host{Board: "Raspberry Pi 5 Model B Rev 1.0"}}
	if got := hostKindOf(stack); got != "pi-5/-/-" {
		t.Errorf("a stack: %q", got)
	}
}

// Whatever is uploaded, a kind of host has three parts of harmless characters, and its class is the run's.
func TestHostKindsAreHarmless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		board := rapid.OneOf(rapid.String(),
			rapid.StringMatching(`(Raspberry Pi [0-9]{1,3}|[ -~]*)[/ <>a-z.]*( Rev [0-9.]+)?`))
		d := &result.Document{
			Identity: result.Identity{Bus: rapid.SampledFrom([]string{"sd", "mmc", "usb", "ata", "", "x"}).Draw(t, "bus")},
			Host:     result.Host{Board: board.Draw(t, "board"), CommandQueue: rapid.String().Draw(t, "queue")},
		}
		if rapid.Bool().Draw(t, "behind USB") {
			d.Identity.USB = &result.USB{VendorID: rapid.String().Draw(t, "vendor"),
				ProductID: rapid.String().Draw(t, "product"), SpeedMbitPerS: rapid.Int().Draw(t, "speed")}
		}
		kind := hostKindOf(d)
		parts := strings.Split(kind, "/")
		if len(parts) != 3 || slices.Contains(parts, "") || parts[0] != hostClassOf(d) || len(kind) > 80 {
			t.Fatalf("%q", kind)
		}
		if strings.ContainsFunc(kind, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) ||
			strings.ContainsAny(kind, "<>\"'&`$|;\\\t") || kind != strings.TrimSpace(kind) {
			t.Fatalf("%q", kind)
		}
	})
}

func TestKindLabel(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"pi-5": "Raspberry Pi 5", "pi-5/queue": "Raspberry Pi 5, command queue on",
		"pi-5/no-queue":                      "Raspberry Pi 5, command queue off",
		"pi-5/queue/Raspberry Pi 5 Model B":  "Raspberry Pi 5 Model B, command queue on",
		"pi-4/-/Raspberry Pi 400":            "Raspberry Pi 400",
		"slot/-/FriendlyElec NanoPi R5S LTS": "another card slot, FriendlyElec NanoPi R5S LTS",
		"slot/-/-":                           "another card slot",
		"usb-3/-/05e3:0749":                  "USB 3, reader 05e3:0749 (Genesys Logic, Inc. SD Card Reader and Writer)",
		"usb-2/-/ffff:ffff":                  "USB 2, reader ffff:ffff",
		"usb-2/-/-":                          "USB 2",
	} {
		if got := KindLabel(key, c); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// ranIn makes a counting run in a kind of host.
func ranIn(id, kind string, iops float64) Run {
	r := ran(id, "a", baseOf(kind), modelIn(kind)+" Rev 1.0", 50, iops)
	r.HostKind = kind
	return r
}

// Runs with the command queue on and off, or in two boards, are never summed up in one figure, although they are in one
// class.
func TestAUnitIsOfHostsOfOneKind(t *testing.T) {
	t.Parallel()
	const on, off, unknown = "pi-5/queue/Pi 5", "pi-5/no-queue/Pi 5", "pi-5/-/Pi 5"
	spoiled, narrow := ranIn("8", off, 9000), ranIn("9", off, 9000)
	spoiled.Ranked, narrow.BusMBPerS = false, 25
	for _, c := range []struct {
		name  string
		runs  []Run
		kind  string
		count int
		iops  float64
	}{
		{"more with the queue on", []Run{ranIn("1", on, 2000), ranIn("2", off, 900), ranIn("3", on, 2200)}, on, 2, 2100},
		{"more with the queue off", []Run{ranIn("1", on, 2000), ranIn("2", off, 900), ranIn("3", off, 800)}, off, 2, 850},
		{"as many", []Run{ranIn("1", on, 2000), ranIn("2", off, 900)}, off, 1, 900},
		{"not known of most", []Run{ranIn("1", on, 2000), ranIn("2", unknown, 900), ranIn("3", unknown, 700)},
			unknown, 2, 800},
		{"in two boards", []Run{ranIn("1", on, 2000), ranIn("2", "pi-5/queue/Pi 500", 900), ranIn("3", on, 2200)},
			on, 2, 2100},
		{"those that don't count", []Run{ranIn("1", on, 2000), spoiled, narrow, ranIn("2", off, 1)}, off, 1, 1},
		{"none counts", []Run{spoiled}, "", 0, nan},
	} {
		units := UnitsOf(c.runs)
		if len(units) != 1 {
			t.Fatalf("%s: %d units", c.name, len(units))
		}
		u := units[0]
		if u.HostKind != c.kind || u.Runs != c.count || !cmp.Equal(u.Values[0], c.iops, cmpopts.EquateNaNs()) ||
			u.Results != len(c.runs) || c.count > 0 && !cmp.Equal(u.Boards, []string{modelIn(c.kind) + " Rev 1.0"}) {
			t.Errorf("%s: %+v", c.name, u)
		}
	}
}

// A unit in several classes has no kind, and all of their runs.
func TestAUnitOfSeveralClassesIsOfNoKind(t *testing.T) {
	t.Parallel()
	units := UnitsOf([]Run{ranIn("1", "pi-5/queue/Pi 5", 2000), ranIn("2", "slot/-/Odroid", 1000)})
	var got []string
	for _, u := range units {
		got = append(got, u.HostClass+" of "+u.HostKind)
	}
	want := []string{"pi-5 of pi-5/queue/Pi 5", "slot of slot/-/Odroid", " of "}
	if diff := cmp.Diff(want, got); diff != "" || units[2].Runs != 2 || units[2].Values[0] != 1500 {
		t.Errorf("(-want +got):\n%s%+v", diff, units[2])
	}
}
