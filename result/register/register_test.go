package register_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result/register"
)

// dumps reads a table of register dumps. Serial numbers and checksums of the CIDs in it are zero. The expected values
// come from the source of each row, or from the specification's formula if the note says that the source is wrong.
func dumps(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("%s: %d records, %v", name, len(records), err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestEveryFieldOfEverySDDump(t *testing.T) {
	t.Parallel()
	rows := dumps(t, "sd.csv")
	if len(rows) < 37 {
		t.Errorf("%d dumps", len(rows))
	}
	for _, row := range rows {
		cid, err := register.ParseCID(row["cid"])
		if err != nil {
			t.Fatalf("%s: %v", row["source"], err)
		}
		got := map[string]string{
			"manufacturer": fmt.Sprintf("0x%02x", cid.Manufacturer), "oem": cid.OEM, "name": cid.Name,
			"date": fmt.Sprintf("%d-%02d", cid.Year, cid.Month), "classes": "",
		}
		if row["ssr"] != "" {
			classes, err := register.Classes(row["ssr"])
			if err != nil {
				t.Fatalf("%s: %v", row["source"], err)
			}
			got["classes"] = strings.Join(classes, " ")
		}
		compare(t, row, got)
	}
}

// compare compares got with the columns of a row that got has, too.
func compare(t *testing.T, row, got map[string]string) {
	t.Helper()
	want := map[string]string{}
	for column := range got {
		want[column] = row[column]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", row["name"], diff)
	}
}

func TestEveryFieldOfEveryMMCDump(t *testing.T) {
	t.Parallel()
	for _, row := range dumps(t, "mmc.csv") {
		cid, err := register.ParseMMCCID(row["cid"])
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{
			"manufacturer": fmt.Sprintf("0x%02x", cid.Manufacturer), "oem": cid.OEM, "name": cid.Name,
			"month": strconv.Itoa(cid.Month), "year_code": strconv.Itoa(cid.Year),
		}
		compare(t, row, got)
	}
}

func TestParseRefusesTextsThatAreNoRegister(t *testing.T) {
	t.Parallel()
	parsers := map[int]func(string) error{
		32:  func(s string) error { _, err := register.ParseCID(s); return err },
		128: func(s string) error { _, err := register.Classes(s); return err },
	}
	for digits, parse := range parsers {
		for _, bad := range []string{
			"", strings.Repeat("0", digits-1), strings.Repeat("0", digits+1), strings.Repeat("0", digits-1) + "g",
			strings.Repeat("0", digits-2) + "0x", strings.Repeat(" ", digits), strings.Repeat("é", digits/2),
			strings.Repeat("\x00", digits),
		} {
			if err := parse(bad); err == nil || !strings.Contains(err.Error(), strconv.Itoa(digits)) {
				t.Errorf("%d digits: %q gives %v", digits, bad, err)
			}
		}
		if err := parse(strings.Repeat("0", digits)); err != nil {
			t.Errorf("%d zeros: %v", digits, err)
		}
		if err := parse(strings.Repeat("fF", digits/2)); err != nil {
			t.Errorf("%d digits f: %v", digits, err)
		}
	}
}

// The test plants a serial number in every place that holds one, in digits that occur nowhere else. No way to print a
// parsed register may show it.
func TestSerialNumberDoesNotSurvive(t *testing.T) {
	t.Parallel()
	const serial = "feed5eed"
	sd := "035344534331364780" + serial + "011b85"
	mmc := "1501004d384731474303" + serial + "506f"
	sdCID, err1 := register.ParseCID(sd)
	mmcCID, err2 := register.ParseMMCCID(mmc)
	masked, signs, err3 := register.Mask(sd, register.SDSerial)
	mmcMasked, mmcSigns, err4 := register.Mask(mmc, register.MMCSerial)
	_, short := register.ParseCID(sd[:31])
	_, noHex := register.ParseCID(sd[:31] + "x")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{sdCID, mmcCID, masked, signs, mmcMasked, mmcSigns, short.Error(), noHex.Error()} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ToLower(fmt.Sprintf("%s %+v %#v %x %X %d %q", text, v, v, v, v, v, v))
		for _, planted := range []string{serial, "feed", "5eed", "4276969197", "65261", "24301"} {
			if strings.Contains(all, planted) {
				t.Errorf("%T shows %q: %s", v, planted, all)
			}
		}
	}
	other, err := register.ParseCID("035344534331364780" + "00c0ffee" + "011b85")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sdCID, other); diff != "" {
		t.Errorf("two serial numbers with the same checksum byte read as two values:\n%s", diff)
	}
}

func BenchmarkParse(b *testing.B) {
	row := dumps(b, "sd.csv")[26]
	b.ReportAllocs()
	for b.Loop() {
		_, err1 := register.ParseCID(row["cid"])
		_, err2 := register.Classes(row["ssr"])
		if err := errors.Join(err1, err2); err != nil {
			b.Fatal(err)
		}
	}
}
