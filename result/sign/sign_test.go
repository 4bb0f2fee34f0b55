package sign_test

import (
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/sign"
)

func TestDatesThatCannotBe(t *testing.T) {
	t.Parallel()
	for date, want := range map[string]string{
		"": "", "nonsense": "", "12/2004": "", "06/2019": "", "00/2019": "which is no month", "13/2019": "which is no month",
		"01/2029": "which is to come", "12/2028": "",
	} {
		check(t, date, 1<<30, want)
	}
	check(t, "12/2005", 8<<30, "before there were cards of more than 2 GB")
	check(t, "01/2006", 8<<30, "")
	check(t, "12/2008", 64<<30, "before there were cards of more than 32 GB")
	check(t, "01/2009", 64<<30, "")
	// eMMC had more than 2 GB earlier than SD cards.
	mmc := result.Identity{SizeBytes: 8 << 30, MMC: &result.Register{Date: "12/2005"}}
	if found := sign.OfRegisters(mmc); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

func check(t *testing.T, date string, bytes int64, want string) {
	t.Helper()
	found := sign.OfRegisters(result.Identity{SizeBytes: bytes, SD: &result.Register{Date: date}})
	if want == "" && len(found) == 0 {
		return
	}
	if len(found) != 1 || found[0].Key != sign.DateImpossible || want == "" || !strings.Contains(found[0].What, want) {
		t.Errorf("%s of %d bytes: %+v, want %q", date, bytes, found, want)
	}
}

// Registers alone are never more than suspicious, however many signs they show. Missing memory is more.
func TestWeights(t *testing.T) {
	t.Parallel()
	odd := &result.Register{Manfid: "0x000000", Date: "00/2000", CRCWrong: true, SerialNearZero: true}
	lacking := func(found int64) *result.Verified { return &result.Verified{ClaimedBytes: 64e9, FoundBytes: found} }
	imported := func(ok int64) *result.Imported {
		return &result.Imported{Tool: "F3", Checked: &result.Checked{Bytes: 64e9, OKBytes: ok}}
	}
	for name, c := range map[string]struct {
		doc    result.Document
		weight sign.Weight
		says   string
	}{
		"nothing": {result.Document{}, sign.Unknown, "No sign, but nothing was seen that could show one."},
		"registers": {ofCard(result.Register{Manfid: "0x000003", Date: "01/2020"}), sign.NoSign,
			"No sign that it is another"},
		"verified": {result.Document{Identity: result.Identity{Verified: lacking(64e9)}}, sign.NoSign,
			"No sign that it is another"},
		"odd registers": {ofCard(*odd), sign.Suspicious, "Suspicious: the checksum of the card's identification register " +
			"is wrong; its registers give 00/2000 as the date of manufacture, which is no month; the serial number is below " +
			"65536; genuine modules may show this, too."},
		"an eighth": {result.Document{Identity: result.Identity{Verified: lacking(8e9)}}, sign.AlmostCertain,
			"Almost certainly not what it says it is: it claims 64 GB, of which only the first 8 are sure."},
		"nearly all": {result.Document{Identity: result.Identity{Verified: lacking(63e9)}}, sign.Suspicious, "Suspicious: "},
		"half, says F3": {result.Document{Imported: imported(32e9)}, sign.AlmostCertain,
			"Almost certainly not what it says it is: what F3 found: only 32 of 64 GB"},
		"a spot in a part, says H2testw": {result.Document{Imported: &result.Imported{Tool: "H2testw",
			Checked: &result.Checked{Bytes: 1e9, OKBytes: 0.9e9, OfBytes: 64e9}}}, sign.Suspicious, "Suspicious: what H2testw"},
		"changed bits, says F3": {result.Document{Imported: &result.Imported{Tool: "F3",
			Checked: &result.Checked{Bytes: 64e9, OKBytes: 58e9, ChangedBytes: 6e9}}}, sign.NoSign, "No sign that"},
		"an eighth, says verify": {result.Document{Method: result.MethodVerify1, Identity: result.Identity{
			Checked: &result.Checked{Bytes: 62e9, OKBytes: 8e9, OfBytes: 64e9}}}, sign.AlmostCertain,
			"Almost certainly not what it says it is: what flashdex verify found: only 8 of 62 GB"},
		"all, says verify": {result.Document{Method: result.MethodVerify1, Identity: result.Identity{
			Checked: &result.Checked{Bytes: 62e9, OKBytes: 62e9, OfBytes: 64e9}}}, sign.NoSign, "No sign that"},
		"all, says F3": {result.Document{Imported: imported(64e9)}, sign.NoSign, "No sign that"},
	} {
		signs, looked := sign.OfDocument(&c.doc)
		if weight, says := sign.Weigh(signs, looked), sign.Sentence(signs, looked); weight != c.weight ||
			!strings.HasPrefix(says, c.says) {
			t.Errorf("%s: %q, %q; want %q, %q", name, weight, says, c.weight, c.says)
		}
	}
}

func ofCard(card result.Register) result.Document {
	return result.Document{Identity: result.Identity{SD: &card}}
}

// No sentence accuses a seller, or passes a verdict.
func TestSentencesAccuseNobody(t *testing.T) {
	t.Parallel()
	for _, key := range []string{sign.CRCWrong, sign.DateImpossible, sign.SerialNearZero, sign.OtherMaker,
		sign.OtherProduct, sign.SuspectedIDs, sign.Capacity, sign.FarBelowClass} {
		s := sign.Of(key)
		if s.Name == "" || s.What == "" || s.Explanation == "" || s.Caveat == "" {
			t.Errorf("%s lacks a part: %+v", key, s)
		}
		for _, strong := range []bool{false, true} {
			s.Strong = strong
			said := strings.ToLower(sign.Sentence([]sign.Sign{s}, true))
			for _, word := range []string{"seller", "shop", "fraud", "scam", "is fake", "is a fake", "counterfeit, "} {
				if strings.Contains(said, word) {
					t.Errorf("%s says %q: %s", key, word, said)
				}
			}
		}
	}
}
