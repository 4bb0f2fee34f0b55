package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/register/health"
	"flashdex/result/schema"
)

// ofStack turns a run of a module into a run of a stack of two of them.
func ofStack(d *result.Document, kind string, chunkBytes int64) *result.Document {
	other := d.Identity
	d.Method, d.Stack = result.MethodStack1, &result.Stack{Kind: kind, ChunkBytes: chunkBytes,
		Members: []result.Identity{d.Identity, other}}
	d.Identity = result.Identity{Bus: "stack", SizeBytes: other.SizeBytes}
	if kind == "raid0" {
		d.Identity.SizeBytes *= 2
	}
	return d
}

// uploads returns the uploads of all contributors, newest first. number tells the specimens apart.
func (sp specimen) uploads(t testing.TB, m catalogue.Module, number int) (all []upload) {
	t.Helper()
	for i := range sp.contributors {
		hosts := []string{sp.hosts[i%len(sp.hosts)]}
		if sp.twice {
			hosts = append(hosts, sp.hosts[(i+1)%len(sp.hosts)])
		}
		for turn, host := range hosts {
			all = append(all, uploaded(t, sp.document(m, computers[host], number, i, turn), m.Slug, i))
		}
	}
	return all
}

// uploaded accepts a document as the server does. It fails the test if a server wouldn't accept it.
func uploaded(t testing.TB, d *result.Document, slug string, contributor int) upload {
	t.Helper()
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if d, err = schema.Read(body); err != nil {
		t.Fatalf("%s: %v", slug, err)
	}
	if found := plausible.Check(d); len(found) > 0 {
		t.Fatalf("%s: %+v", slug, found)
	}
	at, err := time.Parse(time.RFC3339, d.StartedAt)
	if err != nil {
		t.Fatal(err)
	}
	up := upload{contributor: contributor, document: d, Submission: submission.Submission{
		ID: d.ID, ReceivedAt: at.Add(10 * time.Minute), State: submission.Accepted, Method: d.Method, Profile: d.Profile,
		Client: d.Client.Name + " " + d.Client.Version,
		Host:   d.Host.Board, BusMode: d.Host.BusMode, UnitTag: d.UnitTag, ModuleSlug: slug, NotRanked: d.NotRanked(),
	}}
	for i := range d.Tests {
		up.Tests = append(up.Tests, d.Tests[i].Figures())
	}
	facts := figure.FactsOf(d, up.Tests)
	up.NamedBy = catalogue.NamedByTyping
	if d.Identity.SD != nil {
		up.NamedBy = "registers"
	}
	up.HostClass, up.BusMBPerS, up.Variant = facts.HostClass, facts.BusMBPerS, facts.Variant
	up.run = figure.Run{Facts: facts, ID: d.ID, ReceivedAt: up.ReceivedAt, Method: d.Method, Tag: d.UnitTag,
		Board: up.Host, Ranked: len(up.NotRanked) == 0, Heard: true}
	return up
}

// document returns a contributor's run in a host, as the client would write it.
func (sp specimen) document(m catalogue.Module, host computer, number, contributor, turn int) *result.Document {
	r := rand.New(rand.NewPCG(uint64(number), uint64(contributor*2+turn)))
	unit := rand.New(rand.NewPCG(uint64(number), uint64(1000+contributor)))
	faster := 0.93 + 0.14*unit.Float64() // units of a module differ
	gb := m.CapacityGB
	if gb == 0 {
		gb = 16
	}
	days := (number*7 + contributor*11 + turn) % 200
	d := &result.Document{
		SchemaVersion: result.SchemaVersion, ID: fmt.Sprintf("0198f2c4-7a3b-7c11-9d5e-%06x%04x%02x", number, contributor,
			turn),
		Client: result.Client{Name: "flashdex", Version: "0.1.0",
			Platform: host.platform}, Method: result.MethodFlashdex1, Profile: result.ProfileStandard,
		StartedAt: time.Date(2026, 11, 21, 8, 30, contributor, 0, time.UTC).AddDate(0, 0, -days).Format(time.RFC3339),
		Module:    result.Module{CapacityGB: m.CapacityGB, Form: m.Form},
		Identity:  result.Identity{Bus: host.bus, SizeBytes: int64(gb*0.97e9) / 512 * 512},
		Host: result.Host{
			Board: host.board, Arch: host.arch, Kernel: host.kernel, CPU: host.cpu, CPUs: host.cpus,
			MemoryBytes: host.memoryBytes, BusMode: host.mode, BusClockHz: host.clockHz,
		},
		Target: result.Target{Kind: "directory", Filesystem: "ext4",
			WriteCache: "write through"}, Spoilers: append([]string{}, sp.spoilers...),
	}
	sp.identify(d, m, host, contributor)
	if m.KnownFrom != catalogue.KnownFromKernel {
		d.Module.Vendor, d.Module.Product = result.Printable(m.Vendor, 80), result.Printable(m.Product, 80)
	}
	if sp.paid > 0 && contributor%2 == 0 {
		d.Module.Price = &result.Price{Amount: math.Round(100*(sp.paid+float64(contributor)/4)) / 100, Currency: "EUR",
			On: fmt.Sprintf("2026-%02d", 5+contributor%6)}
	}
	const blocks = result.StandardAreaBytes / 4096
	reads := result.StandardRule(blocks)
	reads.MinNS, reads.MaxNS, reads.WarmupNS, reads.Consecutive = 30_000_000_000, 30_000_000_000, 1_000_000_000, 1
	d.Tests = []result.Test{
		linear(result.SeqWrite, "fsync", result.StandardAreaBytes, min(sp.writeMBPerS*faster, host.mbPerS), sp.cliffMB,
			sp.cliffsTo, r),
		atRandom(result.RandWrite, "dsync", result.StandardRule(blocks), sp.writeIOPS*faster, sp.pauseMS*faster, r),
		linear(result.SeqRead, "none", result.StandardAreaBytes, min(sp.readMBPerS*faster, host.mbPerS), 0, 0, r),
		atRandom(result.RandRead, "none", reads, sp.readIOPS*faster*math.Min(1, 0.6+host.mbPerS/200), 0, r),
	}
	return d
}

// identify adds what the kernel shows of the unit. Behind a reader it shows nothing.
func (sp specimen) identify(d *result.Document, m catalogue.Module, host computer, contributor int) {
	tag := sha256.Sum256([]byte(fmt.Sprint(m.Slug, contributor)))
	id := &d.Identity
	switch {
	case host.bus == "usb" && m.Form == "usb":
		id.Removable, d.UnitTag = true, hex.EncodeToString(tag[:16])
		id.USB = &result.USB{VendorID: "0781", ProductID: "5583", Manufacturer: m.Vendor, Product: m.Product,
			DeviceVersion: "0100", SpeedMbitPerS: host.usbMbit, Driver: "usb-storage"}
	case host.bus == "usb":
		id.Removable = true
		id.USB = &result.USB{VendorID: "05e3", ProductID: "0764", Manufacturer: "Generic", Product: "USB3.0 Card Reader",
			DeviceVersion: "2500", SpeedMbitPerS: host.usbMbit, Driver: "usb-storage", Reader: true}
	case host.bus == "ata":
		id.ATA = &result.ATA{Model: result.Printable(m.Product, 40), Firmware: "20110407", CFA: true}
	case len(sp.silicon) > 0:
		d.UnitTag = hex.EncodeToString(tag[:16])
		of := sp.silicon[contributor%len(sp.silicon)]
		if host.bus == "mmc" {
			id.MMC = &result.Register{Manfid: fmt.Sprintf("0x%06x", of.manfid), OEMID: "0x0100", Name: of.name, HWRev: "0x0",
				FWRev: "0x0600000000000000", Date: "08/2022"}
			if contributor%2 == 0 {
				id.Wear = &result.Wear{ToldBy: health.EMMC, LifeTenths: 1 + contributor%3, PreEOL: "normal"}
			}
			break
		}
		oem := int(of.oem[0])<<8 | int(of.oem[1])
		year := 18 + contributor%6
		id.SD = &result.Register{
			CID:    fmt.Sprintf("%02x%04x%x8000000000%04x00", of.manfid, oem, of.name, year<<4|5),
			Manfid: fmt.Sprintf("0x%06x", of.manfid), OEMID: fmt.Sprintf("0x%04x",
				oem), Name: of.name, HWRev: "0x8", FWRev: "0x0", Date: fmt.Sprintf("05/20%02d", year),
		}
		if contributor%3 == 0 {
			id.Wear = &result.Wear{ToldBy: result.WearNotTold}
		}
		if of.oem < " " { // not a maker's: made up to look like a card
			id.SD.CRCWrong, id.SD.SerialNearZero = true, true
		}
	}
	if sp.foundShare > 0 && id.SD != nil {
		id.Verified = &result.Verified{ClaimedBytes: id.SizeBytes, FoundBytes: id.SizeBytes, On: d.StartedAt[:10]}
		if id.SD.CRCWrong {
			id.Verified.FoundBytes = int64(float64(id.SizeBytes) * sp.foundShare)
		}
	}
}

// linear returns a linear test in chunks, each with its own time.
func linear(name, sync string, areaBytes int64, mbPerS, cliffMB, cliffsTo float64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 1 << 20, QueueDepth: 1, Sync: sync, Direct: true, Engine: "dd",
		EngineVersion: "dd (coreutils) 9.1",
		AreaBytes:     areaBytes, DeviceBytes: areaBytes, Ended: result.Complete, OverheadNS: 1_000_000,
	}
	for t.Bytes < t.AreaBytes {
		chunk := min(32<<20, t.AreaBytes-t.Bytes)
		if t.Bytes == 0 {
			chunk = 8 << 20
		}
		rate := mbPerS / (1 + 0.06*r.Float64())
		if cliffMB > 0 && float64(t.Bytes)/1e6 > cliffMB {
			rate *= cliffsTo
		}
		ns := int64(float64(chunk)*1e3/rate) + 1
		t.Intervals = append(t.Intervals, result.Interval{Ops: chunk >> 20, Bytes: chunk, NS: ns})
		t.Bytes += chunk
		t.DurationNS += ns
	}
	t.Ops = t.Bytes >> 20
	return t
}

// atRandom returns a random test whose operations take a quarter more or less than the mean, and now and then pauseMS.
func atRandom(name, sync string, rule result.Rule, iops, pauseMS float64, r *rand.Rand) result.Test {
	t := result.Test{
		Name: name, BlockBytes: 4096, QueueDepth: 1, Sync: sync, Direct: true, Engine: "flashdex",
		AreaBytes: result.StandardAreaBytes, TimeLimitNS: rule.MaxNS,
	}
	mean, pause := 1e9/iops, pauseMS*1e6
	rare := 0.0
	if pause > mean {
		rare = min(0.01, 0.1*mean/pause)
	}
	mean -= rare * pause
	sampler, histogram := result.NewSampler(rule), result.NewHistogram()
	var series result.Series
	var second result.Interval
	for t.Ended == "" {
		ns := int64(mean * (0.75 + 0.5*r.Float64()))
		if r.Float64() < rare {
			ns = int64(pause * (0.5 + 0.5*r.Float64()))
		}
		if sampler.Warm() {
			histogram.Add(ns)
		}
		t.Ended = sampler.Add(ns)
		overhead := 1_000 + r.Int64N(2_000)
		t.OverheadNS += overhead
		second.Ops++
		second.Bytes += 4096
		second.NS += ns + overhead
		second.MaxNS = max(second.MaxNS, ns)
		if second.NS >= 1_000_000_000 || t.Ended != "" {
			series.Add(second)
			second = result.Interval{}
		}
	}
	t.Intervals = series.Intervals
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops, t.Batches, t.Latency = sampler.Ops(), sampler.Batches(), histogram.Buckets()
	t.Bytes, t.DurationNS = t.Ops*4096, sampler.ElapsedNS()-t.WarmupNS
	t.DeviceBytes = (t.Ops + t.WarmupOps) * 4096
	return t
}

// hostileModule has a name by somebody who means harm: markup, a spreadsheet formula, and characters that turn the
// reading direction.
var hostileModule = catalogue.Module{
	Slug: "script-alert-1-script-64gb-usb", Vendor: `"><img src=x onerror=alert(1)>`,
	Product:    `=HYPERLINK("https://example.invalid","64 GB") ` + "\u202etxt.exe\u202c \u05d0\u05d1\u05d2",
	CapacityGB: 64, Form: "usb", Classes: []string{"<b>A1</b>"}, KnownFrom: catalogue.KnownFromTyped, Provisional: true,
}

const hostileText = `<script>alert(1)</script> =cmd|' /C calc'!A0 "><img src=x>`

var hostileFigure = catalogue.Published{
	Source: "altechnative_2012", Line: 2, ModuleSlug: hostileModule.Slug, Method: "iozone-direct",
	Test: result.RandWrite, BlockBytes: 4096, IOPS: new(4567.8),
	ValueText: hostileText, Unit: hostileText, Host: hostileText, Tool: hostileText, Date: hostileText, Note: hostileText,
}

func hostileUploads(t testing.TB, contributors int) (all []upload) {
	t.Helper()
	sp := specimen{writeIOPS: 9345, readIOPS: 12990, writeMBPerS: 101, readMBPerS: 143}
	for i := range contributors {
		d := sp.document(hostileModule, computers["pc"], 101, i, 0)
		d.Host.Board, d.Host.BusMode, d.Host.CPU = hostileText, hostileText, hostileText
		d.Identity.USB.Manufacturer, d.Identity.USB.Product = hostileText, hostileText
		all = append(all, uploaded(t, d, hostileModule.Slug, i))
	}
	return all
}
