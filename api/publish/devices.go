package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/ranking"
	"flashdex/result"
)

// maxDeviceRows limits the rows of the table on a device's page, and separately the rows of cards in an adapter below
// it. The question's page has more.
const maxDeviceRows = 30

// inAdapter begins the label of a section of microSD cards for an SD slot.
const inAdapter = "microSD in an adapter: "

// questionsOf lists, for each profile in device_facts.csv, the keys of the questions about this use of a card. A
// device's page shows the first question with an answer and links to the others. data/README.md lists both. No question
// is about files; linear writes come closest.
var questionsOf = map[string][]string{
	"system": {"boot", "updates", "database", "home-assistant"}, "video": {"camera"}, "photos": {"camera"},
	"logs": {"database"}, "games": {"games"}, "retro": {"retro", "cheap", "games"}, "apps": {"phone"},
	keepsFiles: {"camera"},
}

const keepsFiles = "files"

// profileOf is the profile that we assume for a kind of device, if no source states the device's own: what most devices
// of this kind do with a card.
var profileOf = map[string]string{
	"board": "system", "computer": keepsFiles, "console": "games", "hand-held": "games", "phone": "apps", "tablet": "apps",
	"camera": "photos", "action camera": "video", "dash cam": "video", "security camera": "video", "drone": "video",
	"flight controller": "logs", "router": keepsFiles, "3D printer": keepsFiles, "reader": keepsFiles,
}

// microSDKinds are the kinds of devices whose slot we assume to take microSD if no source states its form. All devices
// of these kinds with a known slot take microSD.
var microSDKinds = []string{"board", "hand-held", "phone", "router", "tablet"}

// assumesMicroSD reports whether a device's page assumes the form of the slot. It doesn't if only a name and the
// largest card are known: the page would assume the device's use of the card too, and would know next to nothing.
func assumesMicroSD(d catalogue.Device) bool {
	return len(d.Slots()) == 0 && slices.Contains(microSDKinds, d.Kind) &&
		slices.ContainsFunc(d.Facts, func(f catalogue.DeviceFact) bool {
			return f.Key != "max_capacity_gb" && f.Key != "kernel_name"
		})
}

// formsOrAssumed returns the forms of modules that fit a device and suffice for its use of a card. If the slot is
// assumed, that is microSD.
func formsOrAssumed(d catalogue.Device, profile string) []string {
	if assumesMicroSD(d) {
		return []string{"microsd"}
	}
	return d.FormsFor(profile)
}

// uses are the profiles in words: "that it runs its system from the card is our assumption".
var uses = map[string]string{
	"system": "runs its system from the card", "video": "records video", "photos": "writes bursts of pictures",
	"logs": "writes a log", "games": "loads games from the card", "retro": "runs its system and small games from the card",
	"apps": "runs apps from the card", keepsFiles: "keeps files on the card",
}

// device is the data of a device's page.
type device struct {
	Slug, Name, Kind string
	Facts            []deviceFact
	Carries          string         // the most that the slot's bus carries, in MB/s; empty: not known
	ByVersion        bool           `json:",omitempty"` // Carries is a range: no source states the version of the bus
	OneRow           string         `json:",omitempty"` // the part of it for a card with one row of contacts, if less
	Reads, Writes    string         // the most that somebody measured in it, in MB/s; empty: nobody did
	Owners           *hostPage      `json:",omitempty"` // what contributors measured in it; nil: nobody
	Unknown          []string       // what no source says
	AssumedSlot      bool           `json:",omitempty"` // for microSD: no source states its form
	Assumed          string         `json:",omitempty"` // what its kind does with a card, if no source says its own use
	Need             string         `json:",omitempty"` // the only form that suffices for its use, if others fit too
	Nearest          bool           `json:",omitempty"` // no question is about its use; the nearest one is answered
	Answer           *answered      `json:",omitempty"` // nil: no question is about such a device, or nothing answers it
	AnswerPath       string         `json:",omitempty"`
	Also             []questionLink `json:",omitempty"` // more questions about what the device does with its card
}

// questionLink is a question with the path of its page.
type questionLink struct{ Question, Path string }

// deviceFact is a fact as the page shows it.
type deviceFact struct{ Label, Value, Source, SourceLabel, LookedAt, Note string }

// shownFact is a fact that a page shows: its label and unit, and how the page names it if no source states it; empty:
// the page doesn't mention that it is missing.
type shownFact struct{ key, label, unit, lack string }

// deviceFacts are the facts that a page shows, in this order.
var deviceFacts = []shownFact{
	{"slot", "Slot", "", "the form of the slot"},
	{"bus_mode", "Quickest bus mode", "", "its quickest bus mode"},
	{"bus_mb_per_s", "The slot carries at most", " MB/s", "how much it carries"},
	{"command_queue", "Command queue", "", "whether it queues commands"},
	{"max_capacity_gb", "Largest card", " GB", "the largest card that works"},
	{"measured_read_mb_per_s", "Read in it, measured", " MB/s", "how fast somebody read in it"},
	{"measured_write_mb_per_s", "Written in it, measured", " MB/s", "how fast somebody wrote in it"},
	{"profile", "Uses the card for", "", "what the device does with the card"},
	{"games_need", "Loads games from", "", ""},
	{"kernel_name", "The kernel calls it", "", ""},
}

// listedDevice is a device in the list of all devices and in search results.
type listedDevice struct {
	Name, Kind, Path string
	Question         string // the title of the page at Path, if the device has no page of its own
	Aliases          []string
}

// writeDevicePages writes the data of a page for each device whose slot is known or assumed, and the list of all
// devices.
func (s *site) writeDevicePages() (pages []dataPage, err error) {
	list := []listedDevice{}
	s.owners = s.deviceHosts()
	for _, d := range s.catalogue.Devices {
		if len(d.Slots()) == 0 && !assumesMicroSD(d) {
			list = append(list, s.listWithoutPage(d))
			continue
		}
		p := dataPage{Path: "/device/" + d.Slug + "/", Title: "Which card for " + d.Name + "?",
			File: "devices/" + d.Slug + ".json"}
		of := s.device(d)
		if err := s.writePage(p, of); err != nil {
			return nil, err
		}
		if !s.reuse.kept[p.Path] {
			if err := s.writePicture(p.Path, devicePicture(p.Title, of)); err != nil {
				return nil, err
			}
		}
		pages = append(pages, p)
		list = append(list, listedDevice{d.Name, d.Kind, p.Path, "", d.Aliases})
	}
	return pages, s.writeFile("devices.json", list)
}

// listWithoutPage lists a device that has no page. It links to the question about its use of a card, else to all
// questions.
func (s *site) listWithoutPage(d catalogue.Device) listedDevice {
	to := listedDevice{d.Name, d.Kind, "/for/", "Which card should I buy?", d.Aliases}
	if about := s.questionsAbout(d); len(about) > 0 {
		to.Path, to.Question = questionPath(about[0]), about[0].Text
	}
	return to
}

func questionPath(q question.Question) string { return "/for/" + q.Key + "/" }

// questionsAbout returns the questions about a device's use of a card.
func (s *site) questionsAbout(d catalogue.Device) (about []question.Question) {
	for _, profile := range strings.Split(profileFor(d), "; ") {
		for _, key := range questionsOf[profile] {
			if i := slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == key }); i >= 0 {
				about = append(about, s.questions[i])
			}
		}
	}
	return about
}

// profileFor returns what a device does with its card, as a source says, else as most devices of its kind do.
func profileFor(d catalogue.Device) string {
	use, told := d.Fact("profile")
	if !told {
		return profileOf[d.Kind]
	}
	return use.Value
}

// deviceHosts gathers what contributors measured in each device's slot, by the device's slug. Hosts may report one
// device under several names. It leaves out measurements on a device's USB port, which say nothing about the slot.
func (s *site) deviceHosts() map[string]*hostPage {
	boards, of := s.boards(), map[string]*hostPage{}
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		d, ok := s.catalogue.DeviceOf(name)
		if !ok {
			continue
		}
		rows := slices.DeleteFunc(boards[name].rows, func(r hostRow) bool {
			return r.USB || !slices.Contains(formsOrAssumed(d, ""), r.module.Form)
		})
		if len(rows) == 0 {
			continue
		}
		if of[d.Slug] == nil {
			of[d.Slug] = newHostPage(d.Name)
		}
		of[d.Slug].join(rows)
	}
	for _, h := range of {
		h.finish(maxDeviceRows)
	}
	return of
}

// carries returns the most that a device's slot carries, in MB/s; 0: nobody knows. Owners may have measured more than a
// source did. It takes that only up to the bus mode's rate: beyond it, the owner changed the slot or lies.
func (s *site) carries(d catalogue.Device) float64 {
	mode, _ := d.Fact("bus_mode")
	owners := s.owners[d.Slug]
	measured := max(owners.highest(figure.SeqReadMBPerS), owners.highest(figure.SeqWriteMBPerS))
	return max(d.BusMBPerS(), min(measured, mode.MBPerS()))
}

func (s *site) device(d catalogue.Device) device {
	of := device{Slug: d.Slug, Name: d.Name, Kind: d.Kind, Owners: s.owners[d.Slug], AssumedSlot: assumesMicroSD(d)}
	known := func(mbPerS float64) string {
		if mbPerS == 0 {
			return ""
		}
		return result.Number(mbPerS)
	}
	read := max(d.Number("measured_read_mb_per_s"), of.Owners.highest(figure.SeqReadMBPerS))
	write := max(d.Number("measured_write_mb_per_s"), of.Owners.highest(figure.SeqWriteMBPerS))
	carries := s.carries(d)
	of.Carries, of.Reads, of.Writes = known(carries), known(read), known(write)
	if from := d.BusFromMBPerS(); from > 0 {
		of.Carries, of.ByVersion = known(from)+" to "+of.Carries, true
	}
	if carries > catalogue.OneRowMBPerS {
		of.OneRow = known(catalogue.OneRowMBPerS)
	}
	said := map[string]string{"bus_mb_per_s": of.Carries, "measured_read_mb_per_s": of.Reads,
		"measured_write_mb_per_s": of.Writes} // also without a fact of its own
	for _, shows := range deviceFacts {
		f, ok := d.Fact(shows.key)
		if !ok {
			if shows.lack != "" && said[shows.key] == "" {
				of.Unknown = append(of.Unknown, shows.lack)
			}
			continue
		}
		shown := deviceFact{shows.label, f.Value + shows.unit, f.Source, f.Source, f.LookedAt, f.Note}
		if source, listed := s.catalogue.Source(f.Source); listed {
			shown.Source, shown.SourceLabel = "/sources/#"+strings.ToLower(f.Source), label(source)
		} else if _, rest, web := strings.Cut(f.Source, "://"); web {
			shown.SourceLabel, _, _ = strings.Cut(strings.TrimPrefix(rest, "www."), "/")
		}
		if shows.key == "games_need" {
			shown.Value = catalogue.FormLabel(f.Value)
			of.Need = shown.Value
		}
		of.Facts = append(of.Facts, shown)
	}
	if _, told := d.Fact("profile"); !told {
		of.Assumed = uses[profileFor(d)]
	}
	about := s.questionsAbout(d)
	for _, q := range about {
		a := s.answerFor(d, q)
		if of.Answer == nil && len(a.Sections) > 0 || len(a.Best) > 0 {
			of.Answer, of.AnswerPath = &a, questionPath(q)
			of.Nearest = profileFor(d) == keepsFiles
		}
		if len(a.Best) > 0 {
			break
		}
	}
	for _, q := range about {
		if path := questionPath(q); path != of.AnswerPath {
			of.Also = append(of.Also, questionLink{q.Text, path})
		}
	}
	return of
}

// answersFor answers a question once for all pages about the same forms and bus, because each answer goes through all
// rows. bus is what the bus carries in MB/s; 0: nobody knows, or the answer isn't about a slot.
func (s *site) answersFor(q question.Question, bus float64) []section[ranking.Answer] {
	key := fmt.Sprint(q.Key, q.Forms, bus)
	if _, made := s.answersOfForms[key]; !made {
		s.answersOfForms[key] = s.answers(q.Through(bus), func(ranking.Answer) {})
	}
	return s.answersOfForms[key]
}

// answerFor answers a question with modules that fit into a device, and says how much of their linear rates the slot
// leaves. For an SD slot microSD cards come last, because most are sold with an adapter.
func (s *site) answerFor(d catalogue.Device, q question.Question) answered {
	q.Forms = formsOrAssumed(d, profileFor(d))
	a := answered{Question: q, Sections: []section[tableRow]{}, Extra: hereColumns(s.carries(d))}
	sections := s.thatFit(d, q)
	a.addBest(sections)
	sections = firstRows(sections)
	if slices.Contains(q.Forms, "sd") && !slices.Contains(q.Forms, "microsd") {
		q.Forms = []string{"microsd"}
		for _, sec := range firstRows(s.thatFit(d, q)) {
			sec.Label = inAdapter + sec.Label
			sec.Note = "An adapter may limit a UHS-II card to UHS-I. " + sec.Note
			sections = append(sections, sec)
		}
	}
	s.show(&a, sections)
	return a
}

// firstRows takes the rows that a device's page has room for.
func firstRows(sections []section[ranking.Answer]) []section[ranking.Answer] {
	if len(sections) == 0 {
		return nil
	}
	return paginate(sections, maxDeviceRows)[0]
}

// thatFit returns the rows of a question's answer whose modules fit into a device.
func (s *site) thatFit(d catalogue.Device, q question.Question) (sections []section[ranking.Answer]) {
	most := d.Number("max_capacity_gb")
	for _, sec := range s.answersFor(q, s.carries(d)) {
		sec.Rows = slices.DeleteFunc(slices.Clone(sec.Rows), func(r ranking.Answer) bool {
			return most > 0 && r.Module.CapacityGB > most
		})
		if len(sec.Rows) > 0 {
			sections = append(sections, sec)
		}
	}
	return sections
}
