package publish

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// On a fresh start, and with uploads, a device's page answers with modules that fit into its slot. Each row is also in
// the rankings.
func TestDevicesAreAnsweredByModulesThatFit(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		pages, answers, adapters := 0, 0, 0
		for _, d := range s.catalogue.Devices {
			if len(d.Slots()) == 0 && !assumesMicroSD(d) {
				continue
			}
			pages++
			of := s.device(d)
			for _, f := range of.Facts {
				if f.Label == "" || f.Value == "" || f.Source == "" || f.SourceLabel == "" || f.LookedAt == "" {
					t.Errorf("%s: %+v", d.Slug, f)
				}
			}
			if of.Answer == nil {
				t.Errorf("%s: no question is answered", d.Slug)
				continue
			}
			answers++
			if _, told := d.Fact("profile"); told != (of.Assumed == "") {
				t.Errorf("%s: what it does with a card is assumed to be %q", d.Slug, of.Assumed)
			}
			rows, adapted, here := 0, 0, 0
			for _, extra := range of.Answer.Extra {
				if strings.HasSuffix(extra.Key, "-here") {
					here++
				}
			}
			if use, _ := d.Fact("profile"); use.Value == keepsFiles && !of.Nearest {
				t.Errorf("%s does not say that its question is the nearest one", d.Slug)
			}
			if (d.BusMBPerS() > 0) != (here == 2) {
				t.Errorf("%s: %d columns of what is left of linear rates", d.Slug, here)
			}
			bus := s.carries(d)
			for _, sec := range of.Answer.Sections {
				forms, inOne := formsOrAssumed(d, profileFor(d)), strings.HasPrefix(sec.Label, inAdapter)
				if inOne {
					adapted, forms = adapted+len(sec.Rows), []string{"microsd"}
				} else if rows += len(sec.Rows); adapted > 0 {
					t.Errorf("%s: %q stands behind cards in an adapter", d.Slug, sec.Label)
				}
				if limited := strings.Contains(sec.Note, "UHS-II card to UHS-I"); limited != inOne {
					t.Errorf("%s: %s: %s", d.Slug, sec.Label, sec.Note)
				}
				for _, row := range sec.Rows {
					if seconds, err := strconv.ParseFloat(row.Cells[0].Sort, 64); of.Answer.Key == "games" && bus > 0 &&
						(err != nil || seconds < 1000/bus) {
						t.Errorf("%s: %s reads 1,000 MB in %v s through %v MB/s", d.Slug, row.Slug, row.Cells[0], bus)
					}
					from := len(row.Cells) - len(of.Answer.Extra)
					for _, cell := range row.Cells[from : from+here] {
						if v, err := strconv.ParseFloat(cell.Sort, 64); cell.Value != "" && (err != nil || v > bus*(1+1e-6)) {
							t.Errorf("%s: %s does %+v in a slot of %v MB/s", d.Slug, row.Slug, cell, bus)
						}
					}
					at := slices.IndexFunc(s.rows[sec.Method], func(r *ranking.Row) bool { return r.Module.Slug == row.Slug })
					if at < 0 {
						t.Fatalf("%s: %s has no row by %s", d.Slug, row.Slug, sec.Method)
					}
					m := s.rows[sec.Method][at].Module
					most := d.Number("max_capacity_gb")
					if !slices.Contains(forms, m.Form) || most > 0 && m.CapacityGB > most {
						t.Errorf("%s: %s doesn't fit", d.Slug, m.Name())
					}
				}
			}
			if rows > maxDeviceRows || adapted > maxDeviceRows {
				t.Errorf("%s has %d rows, and %d in an adapter", d.Slug, rows, adapted)
			}
			forms := d.Forms()
			if !slices.Contains(forms, "sd") || slices.Contains(forms, "microsd") {
				if adapted > 0 {
					t.Errorf("%s has %d rows in an adapter", d.Slug, adapted)
				}
			} else if adapters++; adapted == 0 {
				t.Errorf("%s has no microSD cards in an adapter", d.Slug)
			}
		}
		if pages < 140 || answers < pages {
			t.Errorf("%d pages, of which %d have an answer", pages, answers)
		}
		if adapters < 17 {
			t.Errorf("%d devices have a slot for SD alone", adapters)
		}
	}
}

// A rate is never more than the slot lets through. Below that limit, a range stays a range, and a lower bound stays
// one.
func TestASlotLimitsLinearRates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   figure.Figure
		want string
	}{
		{figure.Figure{Value: 170}, "25"}, {figure.Figure{Value: 20}, "20"}, {figure.Figure{Value: 20, To: 90}, "20 to 25"},
		{figure.Figure{Value: 30, To: 90}, "25"}, {figure.Figure{Value: 20, AtLeast: true}, "≥\u00a020"},
		{figure.Figure{Value: 90, AtLeast: true}, "25"},
	} {
		if got := page.CellOf("", c.of.Through(25)).Value; got != c.want {
			t.Errorf("%+v on 25 MB/s: %s, want %s", c.of, got, c.want)
		}
	}
	if left := (figure.Figure{Value: 22, Low: new(20.0), High: new(30.0)}).Through(25); *left.Low != 20 || *left.High != 25 {
		t.Errorf("20 to 30 MB/s on 25 MB/s: %v to %v", *left.Low, *left.High)
	}
}

// Results call one device by several names. Its page has the results of all of them. Figures are its own if no other
// host was used.
func TestWhatOwnersMeasuredInADevice(t *testing.T) {
	t.Parallel()
	snapshot := &figure.Overview{Modules: []catalogue.Module{{Slug: "a", Product: "A", Form: "microsd"},
		{Slug: "b", Product: "B", Form: "microsd"}, {Slug: "stick", Product: "stick", Form: "usb"}},
		Summaries: []figure.Summary{
			{ModuleSlug: "a", HostClass: "pi-4", Method: result.MethodFlashdex1, Units: 3, Boards: 2, Figures: estimate(100),
				ByBoard: []figure.BoardUnits{{Board: "Raspberry Pi 4 Model B Rev 1.2", Units: 2},
					{Board: "Raspberry Pi 4 Model B Rev 1.4", Units: 1}}},
			{ModuleSlug: "b", HostClass: "pi-4", Method: result.MethodFlashdex1, Units: 2, Boards: 2, Figures: estimate(900),
				ByBoard: []figure.BoardUnits{
					{Board: "Raspberry Pi 4 Model B Rev 1.4", Units: 1}, {Board: "Pi of mine", Units: 1},
				}},
			{ModuleSlug: "stick", HostClass: "usb-3", Method: result.MethodFlashdex1, Units: 2, Boards: 1, Figures: estimate(2000),
				USB: true, ByBoard: []figure.BoardUnits{{Board: "Raspberry Pi 4 Model B Rev 1.4", Units: 2}}},
			{ModuleSlug: "b", HostClass: "usb-3", Method: result.MethodFlashdex1, Units: 2, Boards: 1, Figures: estimate(3000),
				USB: true, ByBoard: []figure.BoardUnits{{Board: "Raspberry Pi 4 Model B Rev 1.4", Units: 2}}},
		}}
	s := newSite(t.TempDir(), snapshot, nil, load(t), nil)
	s.owners = s.deviceHosts()
	of := s.owners["raspberry-pi-4"]
	if len(s.owners) != 1 || of == nil || of.Units != 4 || len(of.Modules) != 2 {
		t.Fatalf("%+v", of)
	}
	if b, a := of.Modules[0], of.Modules[1]; a.Slug != "a" || a.Cells[4].Value != "3" || a.Cells[5].Value != "this host" ||
		b.Cells[4].Value != "1" || b.Cells[5].Value != "2 units of the class" {
		t.Errorf("%+v\n%+v", a, b)
	}
	pi := s.catalogue.Devices[slices.IndexFunc(s.catalogue.Devices, func(d catalogue.Device) bool {
		return d.Slug == "raspberry-pi-4"
	})]
	if own := of.highest(figure.SeqReadMBPerS); own != snapshot.Summaries[0].Figures.At(figure.SeqReadMBPerS).Value {
		t.Errorf("the most read in it alone is %v MB/s", own)
	}
	if shown := s.device(pi); shown.Owners != of {
		t.Errorf("its page has %+v", shown.Owners)
	}
}

// If no source states the form of a slot, the page assumes it and says so, so that the slot's known facts are of use.
func TestADeviceWhoseSlotNobodyDescribesIsAnsweredForMicroSD(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	assumed, without := 0, []string{}
	for _, d := range s.catalogue.Devices {
		_, told := d.Fact("slot")
		of := s.device(d)
		if told == of.AssumedSlot && of.Answer != nil {
			t.Errorf("%s: its slot is stated: %t, and assumed: %t", d.Slug, told, of.AssumedSlot)
		}
		if assumesMicroSD(d) {
			assumed++
		} else if !told {
			without = append(without, d.Slug)
		}
		// What is assumed of a kind is true of all known devices of this kind.
		if told && slices.Contains(microSDKinds, d.Kind) && !slices.Contains(d.Forms(), "microsd") {
			t.Errorf("%s is a %s and takes no microSD card", d.Slug, d.Kind)
		}
		if _, moded := d.Fact("bus_mode"); moded && !told && !of.AssumedSlot {
			t.Errorf("the mode of %s is known, and its page isn't there", d.Slug)
		}
	}
	// A 3DS takes SD cards, and a New 3DS microSD.
	want := []string{"asus-zenfone-6", "motorola-moto-g84", "nintendo-3ds", "samsung-galaxy-a52", "samsung-galaxy-tab-a7",
		"samsung-galaxy-tab-s6-lite", "samsung-galaxy-tab-s7", "sony-xperia-1-v"}
	if assumed < 43 || !slices.Equal(without, want) {
		t.Errorf("the slot of %d is assumed; without a page are %q", assumed, without)
	}
}

// Cards that fit a slot but that games don't load from are no answer.
func TestADeviceIsAnsweredByWhatItNeeds(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	d := s.catalogue.Devices[slices.IndexFunc(s.catalogue.Devices, func(d catalogue.Device) bool {
		return d.Slug == "nintendo-switch-2"
	})]
	of, rows := s.device(d), 0
	for _, sec := range of.Answer.Sections {
		for _, row := range sec.Rows {
			if rows++; s.modules[row.Slug].Form != "sdexpress" {
				t.Errorf("games don't load from %s", row.Name)
			}
		}
	}
	if rows == 0 || of.Need != "SD Express" {
		t.Errorf("%d rows of %q", rows, of.Need)
	}
}

// A page must not call something unknown that it says above, even if that follows from a mode or owners measured it.
func TestWhatAPageSaysOfASlotIsNotCalledUnknown(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	s.owners = s.deviceHosts()
	said, owners := 0, 0
	for _, d := range s.catalogue.Devices {
		of := s.device(d)
		for key, rate := range map[string]string{"bus_mb_per_s": of.Carries, "measured_read_mb_per_s": of.Reads,
			"measured_write_mb_per_s": of.Writes} {
			if _, published := d.Fact(key); rate != "" && !published && key != "bus_mb_per_s" {
				owners++
			}
			if rate != "" {
				said++
			}
			i := slices.IndexFunc(deviceFacts, func(f shownFact) bool { return f.key == key })
			if listed := slices.Contains(of.Unknown, deviceFacts[i].lack); listed == (rate != "") {
				t.Errorf("%s says that its %s is %q, and lists it as unknown: %t", d.Slug, key, rate, listed)
			}
		}
	}
	if said < 60 || owners < 4 {
		t.Errorf("%d rates are said, %d of them by owners", said, owners)
	}
	for _, f := range deviceFacts {
		says := f.lack != "" || f.key == "games_need" || f.key == "kernel_name"
		if !says || strings.Contains(f.lack, ",") {
			t.Errorf("%q is no item of a list", f.lack)
		}
	}
}

func TestWhatADeviceDoesLeadsToAQuestion(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for profile, keys := range questionsOf {
		for _, key := range keys {
			if !slices.ContainsFunc(s.questions, func(q question.Question) bool { return q.Key == key }) {
				t.Errorf("%s leads to %q, which is no question", profile, key)
			}
		}
	}
	for _, d := range s.catalogue.Devices {
		use, _ := d.Fact("profile")
		for _, profile := range strings.Split(use.Value, "; ") {
			if questionsOf[profile] == nil && profile != "" {
				t.Errorf("%s: no question answers %q", d.Slug, profile)
			}
		}
		if assumed := profileOf[d.Kind]; questionsOf[assumed] == nil || uses[assumed] == "" {
			t.Errorf("%s: nothing is assumed of a %s", d.Slug, d.Kind)
		}
	}
}

func deviceBySlug(t *testing.T, s *site, slug string) catalogue.Device {
	t.Helper()
	i := slices.IndexFunc(s.catalogue.Devices, func(d catalogue.Device) bool { return d.Slug == slug })
	if i < 0 {
		t.Fatalf("no device is %s", slug)
	}
	return s.catalogue.Devices[i]
}

// What a contributor's kernel calls the computer leads to its device, if it has one.
func TestTheBoardsOfResultsAreFoundAmongDevices(t *testing.T) {
	t.Parallel()
	c := load(t)
	noDevice := []string{"20HNCTO1WW", "Banana Pi BPI-M2-Berry", "OptiPlex 780", "PC Engines apu2"}
	for key, of := range computers {
		if d, ok := c.DeviceOf(of.board); ok == slices.Contains(noDevice, of.board) {
			t.Errorf("%s: %q is of the device %q", key, of.board, d.Slug)
		}
	}
}

// What a source measured is limited by its cards. A rate beyond the bus mode comes from a slot that somebody changed.
func TestAnOwnersFasterRunRaisesWhatASlotCarries(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	pi, unknown := deviceBySlug(t, s, "raspberry-pi-4"), deviceBySlug(t, s, "lego-ev3")
	for _, c := range []struct {
		of    catalogue.Device
		owner float64
		want  float64
	}{{pi, 0, 46.6}, {pi, 30, 46.6}, {pi, 48, 48}, {pi, 90, 50}, {unknown, 30, 0}} {
		figures := figure.SetOf(map[string]figure.Figure{figure.SeqReadMBPerS: {Value: c.owner}})
		row := hostRow{boards: 1, Summary: &figure.Summary{Boards: 1, Figures: figures}}
		s.owners = map[string]*hostPage{c.of.Slug: {rows: []hostRow{row}}}
		if carries := s.carries(c.of); carries != c.want {
			t.Errorf("%s, in which its owner read %v MB/s, carries %v, want %v", c.of.Name, c.owner, carries, c.want)
		}
	}
}

// A bus with several versions carries a range. A card with one row of contacts gets only little of a quick bus.
func TestWhatAPageSaysOfQuickSlots(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for slug, want := range map[string]struct {
		carries, oneRow string
		byVersion       bool
	}{
		"nintendo-switch-2": {"985 to 3,940", "104", true}, "canon-eos-r": {"312", "104", false},
		"macbook-pro-2021": {"250", "104", false}, "steam-deck": {"104", "", false}, "raspberry-pi-4": {"46.6", "", false},
		"miyoo-mini": {"", "", false},
	} {
		if of := s.device(deviceBySlug(t, s, slug)); of.Carries != want.carries || of.OneRow != want.oneRow ||
			of.ByVersion != want.byVersion {
			t.Errorf("%s carries %q MB/s, %q with one row, by its version: %t", slug, of.Carries, of.OneRow, of.ByVersion)
		}
	}
}

// A page answers one question, and links to the others about the device's use of a card.
func TestADevicesPageLinksItsOtherQuestions(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for slug, key := range map[string]string{"raspberry-pi-4": "boot", "steam-deck": "games", "miyoo-mini": ""} {
		d, on := deviceBySlug(t, s, slug), []string{}
		of := s.device(d)
		for _, also := range of.Also {
			on = append(on, also.Path)
		}
		if slices.Contains(on, of.AnswerPath) || key != "" && of.AnswerPath != "/for/"+key+"/" {
			t.Errorf("%s answers %s, and links %q", slug, of.AnswerPath, on)
		}
		on = append(on, of.AnswerPath)
		for _, key := range questionsOf[profileFor(d)] {
			if !slices.Contains(on, "/for/"+key+"/") {
				t.Errorf("%s neither answers nor links %s", slug, key)
			}
		}
	}
}

// Somebody who adds a device's profile looks up in data/README.md what follows from it.
func TestTheQuestionsOfAProfileAreExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../data/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| profile | what the device does | what counts |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	explained := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|.*\\((.*)\\) \\|$").FindAllStringSubmatch(table, -1) {
		for _, key := range regexp.MustCompile("`([\\w-]+)`").FindAllStringSubmatch(row[2], -1) {
			explained[row[1]] = append(explained[row[1]], key[1])
		}
	}
	if !reflect.DeepEqual(explained, questionsOf) {
		t.Errorf("data/README.md has %v, and pages %v", explained, questionsOf)
	}
}
