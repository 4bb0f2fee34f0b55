package catalogue_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"flashdex/data"
)

// published reads the rows of a source as they stand in its file.
func published(t *testing.T, source string) (rows []map[string]string) {
	t.Helper()
	f, err := data.FS.Open("published/" + source + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, column := range all[0] {
			row[column] = fields[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// This test checks what corrections.csv says about rows. TestMethodsThatDifferStayApart checks what it says about
// methods, and TestCellsOfPublishedFigures in package ranking what it says about units.
func TestCorrectionsAreMade(t *testing.T) {
	t.Parallel()
	c := load(t)
	if len(c.Corrections) != 16 {
		t.Errorf("%d corrections, want 16", len(c.Corrections))
	}
	count := func(source string, matches func(row map[string]string) bool) (n int) {
		for _, row := range published(t, source) {
			if matches(row) {
				n++
			}
		}
		return n
	}
	old := strings.Split("Camera+, HE, V30, Blue, EVO, Switch, Amazon Basics, PNY", ", ")
	for _, tc := range []struct {
		what, source string
		want         int
		matches      func(row map[string]string) bool
	}{
		{"the SD card is an Ultra A1", "ricsanfre_pi_storage", 10, func(r map[string]string) bool {
			return r["product"] == "Ultra A1" && r["speed_class_text"] == "A1 Class 10 U1" &&
				strings.Contains(r["note"], "card name SD32G 8.5, made 01/2021")
		}},
		{"plain means of the stick", "ricsanfre_pi_storage", 9, func(r map[string]string) bool {
			return r["form_factor"] == "usb" && r["note"] == "mean of 5 runs"
		}},
		{"the trimmed mean of the stick", "ricsanfre_pi_storage", 1, func(r map[string]string) bool {
			return r["form_factor"] == "usb" && strings.Contains(r["note"], "minus best and worst") && r["value"] == "55.39"
		}},
		{"the mean of the three lowest", "ricsanfre_pi_storage", 1, func(r map[string]string) bool {
			return r["value"] == "3442.33" && strings.HasPrefix(r["note"], "mean of the three lowest of 5 runs")
		}},
		{"boot times", "tkaiser_a1a2_2018", 8, func(r map[string]string) bool {
			return r["metric"] == "boot_time" && strings.HasPrefix(r["tool"], "time from start until /etc/rc.local runs")
		}},
		{"user times of starts", "derekwhite_2014", 12, func(r map[string]string) bool {
			return r["metric"] == "startup_user_time" && strings.HasPrefix(r["tool"], "average user time of ten starts of a")
		}},
		{"package installations", "tkaiser_a1a2_2018", 24, func(r map[string]string) bool {
			return strings.HasPrefix(r["tool"], "desktop package install test")
		}},
		{"short names", "p2_usd_spi", 0, func(r map[string]string) bool { return slices.Contains(old, r["product"]) }},
		{"the class of the Lexar", "p2_usd_spi", 11, func(r map[string]string) bool {
			return r["vendor"] == "Lexar" && r["capacity_gb"] == "64" && r["speed_class_text"] == "A1 V30 U3"
		}},
	} {
		if n := count(tc.source, tc.matches); n != tc.want {
			t.Errorf("%s: %d rows of %s, want %d", tc.what, n, tc.source, tc.want)
		}
	}
}
