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

// maxDeviceRows is the most rows of the table on a device's page, and the most of cards in an adapter below them. The
// question's page has more.
const maxDeviceRows = 30

// inAdapter begins the label of a section of microSD cards for an SD slot.
const inAdapter = "microSD in an adapter: "

// questionsOf are the keys of the questions that answer what a device does with its card: the first with an answer
// stands on its page, which links the others. The keys are the profiles of device_facts.csv, and data/README.md lists
// both. No question is about files; linear writes are nearest.
var questionsOf = map[string][]string{
	"system": {"boot", "updates", "database", "home-assistant"}, "video": {"camera"}, "photos": {"camera"},
	"logs": {"database"}, "games": {"games"}, "retro": {"retro", "cheap", "games"}, "apps": {"phone"},
	keepsFiles: {"camera"},
}

const keepsFiles = "files"

// profileOf is what we assume that a device does with its card where no source says it: what others of its kind do.
var profileOf = map[string]string{
	"board": "system", "computer": keepsFiles, "console": "games", "hand-held": "games", "phone": "apps", "tablet": "apps",
	"camera": "photos", "action camera": "video", "dash cam": "video", "security camera": "video", "drone": "video",
	"flight controller": "logs", "router": keepsFiles, "3D printer": keepsFiles, "reader": keepsFiles,
}

// microSDKinds are the kinds of devices whose slot we assume to take microSD cards where no source states its form: all
// of these kinds whose slot is known do.
var microSDKinds = []string{"board", "hand-held", "phone", "router", "tablet"}

// assumesMicroSD reports whether a device's page takes the form of the slot for granted. A largest card and a name are
// too little for that: what the device does with it would be assumed as well, so that the page would know next to
// nothing.
func assumesMicroSD(d catalogue.Device) bool {
	return len(d.Slots()) == 0 && slices.Contains(microSDKinds, d.Kind) &&
		slices.ContainsFunc(d.Facts, func(f catalogue.DeviceFact) bool {
			return f.Key != "max_capacity_gb" && f.Key != "kernel_name"
		})
}

// formsOrAssumed are the forms of modules that fit a device and suffice for what it does with its card: microSD, where
// its slot is assumed.
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

// device is the file of a device's page.
type device struct {
	Slug, Name, Kind string
	Facts            []deviceFact
	Carries          string         // the most that the slot's bus carries, in MB/s; empty: not known
	ByVersion        bool           `json:",omitempty"` // Carries is a range: no source states the version of the bus
	OneRow           string         `json:",omitempty"` // of that, what a card of one row of contacts gets, MB/s, if less
	Reads, Writes    string         // what somebody measured at most in it, in MB/s; empty: nobody
	Owners           *hostPage      `json:",omitempty"` // what contributors measured in it; nil: nobody
	Unknown          []string       // what no source says
	AssumedSlot      bool           `json:",omitempty"` // for microSD: no source states its form
	Assumed          string         `json:",omitempty"` // what its kind does with a card, if no source tells of the device
	Need             string         `json:",omitempty"` // the only form that suffices for that, where others fit, too
	Nearest          bool           `json:",omitempty"` // no question is about its use of a card: the nearest is answered
	Answer           *answered      `json:",omitempty"` // nil: no question is about such a device, or nothing answers it
	AnswerPath       string         `json:",omitempty"`
	Also             []questionLink `json:",omitempty"` // more questions about what the device does with its card
}

// questionLink is a question with the path of its page.
type questionLink struct{ Question, Path string }

// deviceFact is a fact as the page shows it.
type deviceFact struct{ Label, Value, Source, SourceLabel, LookedAt, Note string }

// shownFact is a fact that a page shows: its label and unit, and what lacks where nobody says it; empty: that says
// nothing.
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

// listedDevice is a device in the list of all, and in the answers to searches.
type listedDevice struct {
	Name, Kind, Path string
	Question         string // the page at Path, where the device has none of its own
	Aliases          []string
}

// writeDevicePages writes the data of the page of each device whose slot is known or assumed, and the list of all.
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

// listWithoutPage leads from a device to the question of what it does with its card, else to all questions.
func (s *site) listWithoutPage(d catalogue.Device) listedDevice {
	to := listedDevice{d.Name, d.Kind, "/for/", "Which card should I buy?", d.Aliases}
	if about := s.questionsAbout(d); len(about) > 0 {
		to.Path, to.Question = questionPath(about[0]), about[0].Text
	}
	return to
}

func questionPath(q question.Question) string { return "/for/" + q.Key + "/" }

// questionsAbout returns the questions that answer what a device does with its card.
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

// profileFor returns what a device does with its card: as a source says, else as most of its kind do.
func profileFor(d catalogue.Device) string {
	use, told := d.Fact("profile")
	if !told {
		return profileOf[d.Kind]
	}
	return use.Value
}

// deviceHosts gathers what contributors measured in the slot of each device, by its slug: their hosts may call it by
// several names. What was measured on a device's USB port says nothing of its slot.
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

// carries is the most that a device's slot carries, in MB/s; 0: nobody knows. An owner may have measured more than a
// source did, up to the bus mode: beyond that, the owner made the slot quicker, or lies.
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

// answersFor answers a question once for all pages about the same forms and the same bus, since each answer takes all
// rows. bus is what it carries in MB/s; 0: nobody knows, or the answer is about no slot.
func (s *site) answersFor(q question.Question, bus float64) []section[ranking.Answer] {
	key := fmt.Sprint(q.Key, q.Forms, bus)
	if _, made := s.answersOfForms[key]; !made {
		s.answersOfForms[key] = s.answers(q.Through(bus), func(ranking.Answer) {})
	}
	return s.answersOfForms[key]
}

// answerFor answers a question by modules that fit into a device, and says what is left of their linear rates there.
// microSD cards come last for an SD slot: most are sold with an adapter.
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

// thatFit are the rows of a question's answer that a device takes.
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
