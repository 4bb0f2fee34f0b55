package health_test

import (
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/result/register/health"

	"github.com/google/go-cmp/cmp"
)

func rows(t testing.TB, file string) (rows []map[string]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// dump is a published answer: the fields that its source prints, and its 512 bytes. One source prints the bytes, too.
// The other answers were made from their fields, by the offsets of the program that read them.
type dump struct {
	dialect string
	answer  []byte
	fields  map[string]string
}

func dumps(t testing.TB) (all []dump) {
	t.Helper()
	published, answers := rows(t, "../../../data/health_dumps.csv"), rows(t, "testdata/cmd56.csv")
	if len(published) != 18 || len(answers) != 18 {
		t.Fatalf("%d published dumps, %d answers", len(published), len(answers))
	}
	for i, row := range answers {
		short, err := hex.DecodeString(row["answer_hex"])
		if err != nil {
			t.Fatal(err)
		}
		d := dump{row["dialect"], append(short, make([]byte, 512-len(short))...), map[string]string{}}
		for pair := range strings.SplitSeq(published[i]["fields"], "; ") {
			name, value, _ := strings.Cut(pair, "=")
			if value, _, _ = strings.Cut(value, " ("); name == "new_bad_blocks" { // printed as bytes in hex
				value += " hex"
			}
			if digits, ok := strings.CutSuffix(value, " hex"); ok {
				n, err := strconv.ParseInt(digits, 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				value = fmt.Sprint(n)
			}
			d.fields[name] = value
		}
		if raw := strings.ReplaceAll(published[i]["raw_hex"], " ", ""); raw != "" &&
			!strings.HasPrefix(hex.EncodeToString(d.answer), raw) {
			t.Errorf("%s: not the published bytes", published[i]["module"])
		}
		all = append(all, d)
	}
	return all
}

func TestEveryPublishedAnswerExactly(t *testing.T) {
	t.Parallel()
	for i, d := range dumps(t) {
		h, err := health.CMD56(d.dialect, d.answer)
		if err != nil {
			t.Errorf("dump %d: %v", i+1, err)
			continue
		}
		for name, want := range d.fields {
			got := fmt.Sprint(h.Fields[name])
			switch {
			case name == "endurance_remain_life_percent_bytes": // "b0 f4" is 45300
				got, want = fmt.Sprint(h.Fields["endurance_remain_life_percent"]), "453"
			case strings.HasSuffix(name, "_percent") && strings.Contains(want, "."):
				number, err := strconv.ParseFloat(want, 64)
				if err != nil {
					t.Fatal(err)
				}
				want = fmt.Sprint(number)
			case name == "flash_id" && d.dialect == health.ADATA && len(want) < len(got): // an older print had six bytes
				got = got[:len(want)]
			}
			if got != want {
				t.Errorf("dump %d: %s is %s, want %s", i+1, name, got, want)
			}
		}
	}
}

// Answers to what people ask, worked out by hand from the published fields.
func TestWhatThePublishedAnswersTell(t *testing.T) {
	t.Parallel()
	want := []string{
		"used 0.03 to 0.03, spare 46, bad 0, erases 1 5, cycles 55", "used 0 to 1, spare -, bad -, erases - -, cycles -",
		"used 0 to 1, spare -, bad -, erases - -, cycles 14", "used 0 to 0, spare 12, bad 0, erases 1 13, cycles 46",
		"used 0.03 to 0.03, spare 12, bad 0, erases 1 1, cycles 16", "used 0 to 0, spare 10, bad 0, erases 1 13, cycles 23",
		"used 9.73 to 9.73, spare 45, bad 0, erases 292 307, cycles 157",
		"used 453 to 453, spare 45, bad 0, erases 13590 13665, cycles 208",
		"used 0.10 to 0.10, spare 9, bad 0, erases 3 4, cycles 38", "used 0.06 to 0.06, spare 11, bad 0, erases 2 4, cycles 78",
		"used 0 to 0, spare 198, bad 0, erases 0 2, cycles 12", "used 0 to 0, spare 0, bad 0, erases 0 1, cycles 6",
		"used 0 to 0, spare 0, bad 0, erases 0 1, cycles 8", "used 1 to 1, spare 482, bad 0, erases 1 3, cycles 19",
		"used 0 to 0, spare 51, bad 0, erases 0 1, cycles 0", "used -, spare -, bad -, erases - -, cycles -",
		"used 0 to 1, spare -, bad -, erases - -, cycles 25", "used 0 to 1, spare -, bad -, erases - -, cycles 17",
	}
	for i, d := range dumps(t) {
		h, err := health.CMD56(d.dialect, d.answer)
		if got := told(h); err != nil || got != want[i] {
			t.Errorf("dump %d: %v\n got %s\nwant %s", i+1, err, got, want[i])
		}
	}
}

// An answer that is recognized isn't yet one that tells anything.
func TestAnswersThatTellNothing(t *testing.T) {
	t.Parallel()
	for i, d := range dumps(t) {
		h, err := health.CMD56(d.dialect, d.answer)
		if tells := d.dialect != health.Micron; err != nil || h.Tells() != tells {
			t.Errorf("dump %d tells: %t, want %t, %v", i+1, h.Tells(), tells, err)
		}
	}
	for said, tells := range map[byte]bool{0: false, 1: true, 101: false} {
		answer := append([]byte("DW"), make([]byte, health.AnswerBytes-2)...)
		answer[8] = said
		if h, err := health.CMD56(health.SanDisk, answer); err != nil || h.Tells() != tells {
			t.Errorf("SanDisk's %d tells: %t, %v", said, h.Tells(), err)
		}
	}
	if h, err := health.SMART(smart([3]int{229, 100, 3})); err != nil || h.Tells() {
		t.Errorf("an attribute that nobody knows tells something: %+v, %v", h, err)
	}
}

// SanDisk's 100 stands for all from 99 % on, so it has no upper end. More is no percentage.
func TestSanDiskPastItsLife(t *testing.T) {
	t.Parallel()
	for said, want := range map[byte]string{99: "used 98 to 99,", 100: "used 99 or more,", 101: "used -,", 0: "used -,"} {
		answer := make([]byte, health.AnswerBytes)
		answer[0], answer[1], answer[8] = 0x44, 0x57, said
		h, err := health.CMD56(health.SanDisk, answer)
		if got := told(h); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%d: %s, %v, want %s", said, got, err, want)
		}
	}
}

func told(h health.Health) string {
	n := func(p *int64) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprint(*p)
	}
	used := "-"
	if r := h.UsedPercent; r != nil {
		decimals := func(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00") }
		if used = decimals(r.AtLeast) + " or more"; r.AtMost != nil {
			used = fmt.Sprintf("%s to %s", decimals(r.AtLeast), decimals(*r.AtMost))
		}
	}
	return fmt.Sprintf("used %s, spare %s, bad %s, erases %s %s, cycles %s", used, n(h.SpareBlocks), n(h.NewBadBlocks),
		n(h.MeanErases), n(h.MaxErases), n(h.PowerCycles))
}

// sane returns an error for anything that no decoder may tell, whatever it read.
func sane(h health.Health) error {
	if r := h.UsedPercent; r != nil && (r.AtLeast < 0 || r.AtMost != nil && *r.AtMost < r.AtLeast || r.AtLeast > 660) {
		return fmt.Errorf("used %+v", *r)
	}
	for _, n := range []*int64{h.SpareBlocks, h.SparePercent, h.NewBadBlocks, h.MeanErases, h.MaxErases, h.PowerCycles,
		h.WrittenBytes} {
		if n != nil && *n < 0 {
			return fmt.Errorf("counted %d", *n)
		}
	}
	if h.MeanErases != nil && h.MaxErases != nil && *h.MeanErases > *h.MaxErases {
		return fmt.Errorf("erased %d times on average and %d at most", *h.MeanErases, *h.MaxErases)
	}
	_, err := json.Marshal(h)
	return err
}

func TestEachTruncationAndFlippedBit(t *testing.T) {
	t.Parallel()
	for i, d := range dumps(t) {
		for length := range d.answer {
			if _, err := health.CMD56(d.dialect, d.answer[:length]); err == nil {
				t.Fatalf("dump %d: %d bytes were enough", i+1, length)
			}
		}
		refused := 0
		for bit := range 8 * len(d.answer) {
			flipped := append([]byte{}, d.answer...)
			flipped[bit/8] ^= 1 << (bit % 8)
			h, err := health.CMD56(d.dialect, flipped)
			if err != nil {
				refused++
				if len(err.Error()) < 20 || h.Fields != nil {
					t.Fatalf("dump %d, bit %d: %v, %+v", i+1, bit, err, h)
				}
			} else if err := sane(h); err != nil {
				t.Fatalf("dump %d, bit %d: %v", i+1, bit, err)
			}
		}
		if d.dialect != health.TwoStep && refused < 15 { // 44 53 and 44 57 differ by one bit
			t.Errorf("dump %d: %d flips were refused", i+1, refused)
		}
	}
}

// These are answers of cards that data/health.csv lists as telling nothing, if they are described exactly enough: only
// ff, only 00, the beginning of a PC's boot sector. The last is an answer of another dialect.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	boot, _ := hex.DecodeString("fab800108ed0bc00b0b800008ed88ec0fbbe007cbf0006b90002f3a4ea21060000bebe073804750b83c61081fefe07" +
		"75f3eb16b402b001bb007cb2808a74018b4c02cd13ea007c0000ebfe")
	boot = append(boot, make([]byte, 512-len(boot))...)
	ones := []byte(strings.Repeat("\xff", 512))
	for _, answer := range [][]byte{nil, make([]byte, 512), ones, boot, dumps(t)[1].answer} {
		for _, dialect := range []string{health.TwoStep, health.ADATA, health.Transcend, health.Swissbit, health.Micron} {
			if h, err := health.CMD56(dialect, answer); err == nil {
				t.Errorf("%s took %.20x for %+v", dialect, answer, h)
			}
		}
	}
	if _, err := health.CMD56("", ones); err == nil {
		t.Error("there is a dialect without a name")
	}
}

func FuzzCMD56(f *testing.F) {
	for _, d := range dumps(f) {
		f.Add(d.dialect, d.answer)
	}
	f.Fuzz(func(t *testing.T, dialect string, answer []byte) {
		if h, err := health.CMD56(dialect, answer); err == nil && sane(h) != nil {
			t.Fatal(sane(h))
		} else if err != nil && !cmp.Equal(h, health.Health{}) {
			t.Fatalf("%v, and %+v", err, h)
		}
	})
}

// A card that somebody reported as vanished is never asked. Each dialect that anybody saw is asked for.
func TestHarmfulCardsAreSpared(t *testing.T) {
	t.Parallel()
	harmful := 0
	for _, row := range rows(t, "../../../data/health.csv") {
		if row["answers"] != "harmful" {
			continue
		}
		harmful++
		if row["module"] != "Transcend Ultimate 16 GB" { // the only one that DropsOff knows
			t.Errorf("%s is not spared", row["module"])
		}
		ids := [][2]string{{"", ""}}
		for _, claim := range rows(t, "../../../data/manufacturer_ids.csv") {
			if claim["bus"] == "sd" && strings.Contains(claim["name"], "Transcend") {
				ids = append(ids, [2]string{claim["manfid"], claim["oemid"]})
			}
		}
		if len(ids) < 10 {
			t.Errorf("only %v", ids)
		}
		for _, ids := range ids {
			if why := health.DropsOff(ids[0], ids[1], 15.9e9); !strings.Contains(why, "Transcend Ultimate") {
				t.Errorf("%v: %q", ids, why)
			}
		}
	}
	if why := health.DropsOff("0x000074", "0x4a45", 32e9) + health.DropsOff("0x000003", "0x5344", 16e9); harmful != 1 || why != "" {
		t.Errorf("%d harmful; others are spared: %q", harmful, why)
	}
	asked := map[string]bool{}
	for _, maker := range []string{"0x000003", "0x000074", "0x00001d", "0x00005d", "0x0000fe", "0x000027"} {
		for _, dialect := range health.Ask(maker, "", "", "", "") {
			asked[dialect] = true
		}
	}
	if len(asked) != 6 {
		t.Errorf("%v", asked)
	}
}

// The only request that writes goes to cards of makers that have a published answer to it, and to no card that anybody
// takes for another maker's.
func TestOnlyCardsOfMakersThatAnswerGetZeros(t *testing.T) {
	t.Parallel()
	answers := []string{"Apacer", "Phison", "Kingston", "Longsys"}
	oem := map[string]string{}
	anotherMakers := map[string]bool{}
	for _, claim := range rows(t, "../../../data/manufacturer_ids.csv") {
		if id := claim["manfid"]; claim["bus"] == "sd" && id != "" && claim["kind"] == "maker" {
			of := func(maker string) bool { return strings.Contains(claim["name"], maker) }
			anotherMakers[id] = anotherMakers[id] || !slices.ContainsFunc(answers, of)
			if claim["oemid"] != "" {
				oem[id] = claim["oemid"]
			}
		}
	}
	got := 0
	for id, not := range anotherMakers {
		asked := health.Ask(id, oem[id], "SD16G", "0x3", "0x0")
		if writes := slices.Contains(asked, health.TwoStep); writes == not {
			t.Errorf("%s (%s) is asked in %v", id, oem[id], asked)
		} else if writes {
			got++
			if asked[len(asked)-1] != health.TwoStep {
				t.Errorf("%s is asked in %v: what only reads goes first", id, asked)
			}
		}
	}
	if got != 4 {
		t.Errorf("%d makers' cards get zeros", got)
	}
	for _, card := range [][5]string{
		{"", "", "SD128", "0x8", "0x5"}, {"0x000003", "0x5344", "SD128", "0x8", "0x0"}, {"0x0000ad", "", "", "", ""},
		{"0x000003", "0x5344", "SN128", "0x8", "0x5"}, {"0x00001b", "0x534d", "SD128", "0x8", "0x5"},
	} {
		if asked := health.Ask(card[0], card[1], card[2], card[3], card[4]); slices.Contains(asked, health.TwoStep) {
			t.Errorf("%v is asked in %v", card, asked)
		}
	}
	if asked := health.Ask("0x000003", "0x5344", "SD128", "0x8", "0x5"); !slices.Contains(asked, health.TwoStep) {
		t.Errorf("the card that answered is asked in %v", asked)
	}
}
