package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"flashdex/api/figure/speedclass"
)

// told uploads a changed example and returns its page.
func told(t *testing.T, change func(doc map[string]any)) string {
	t.Helper()
	b := start(t)
	id, body := example(t)
	var doc map[string]any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	change(doc)
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return string(b.get("/r/" + id).body)
}

func within(doc map[string]any, path string) map[string]any {
	for key := range strings.SplitSeq(path, "/") {
		doc, _ = doc[key].(map[string]any)
	}
	return doc
}

// ranked turns the example into one in a card slot that counts.
func ranked(doc map[string]any) {
	within(doc, "module")["product"] = "Extreme A1"
	doc["spoilers"] = []any{}
	delete(within(doc, "identity"), "usb")
	delete(within(doc, "identity"), "scsi")
}

func TestRunPageJudgesTheModulesClassesByThisRun(t *testing.T) {
	t.Parallel()
	page := told(t, ranked)
	for _, part := range []string{
		`<li class="verdict not-reached">`, "Not reached: 4K random write 100 IOPS where 500 are promised",
		`<rect class="bar" width="10.0%"`, "20 %</strong>",
		"Not reached: linear write 20 MB/s where 30 are promised", "<dd>Raspberry Pi 4</dd>",
		"manufacturer 0x03, OEM SD, name SC32G, revision 8.0",
		"<strong>Far below its class</strong>", "4K random write: 100 IOPS measured where A1 promises 500.",
		"Varies by", `<td class="date">none</td>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s:\n%s", part, page)
		}
	}
	if n := strings.Count(page, speedclass.Caveat[:60]); n != 1 {
		t.Errorf("the caveat stands there %d times", n)
	}
}

func TestRunPageOfWhatIsNotRankedHasNoVerdict(t *testing.T) {
	t.Parallel()
	page := told(t, func(doc map[string]any) {
		ranked(doc)
		doc["spoilers"] = []any{"root-disk"}
	})
	if strings.Contains(page, "verdict not-reached") || strings.Contains(page, "Far below its class") ||
		!strings.Contains(page, "because the result is not ranked") {
		t.Errorf("a run from the system's own disk is judged:\n%s", page)
	}
	if !strings.Contains(page, "<strong>No sign that it is another module than it says") {
		t.Errorf("the registers were there to look at:\n%s", page)
	}
}

func TestRunPageShowsTheUnitsSigns(t *testing.T) {
	t.Parallel()
	page := told(t, func(doc map[string]any) {
		within(doc, "module")["vendor"] = "Samsung"
		card := within(doc, "identity/sd")
		card["crc_wrong"], card["serial_near_zero"] = true, true
		within(doc, "identity")["verified"] = map[string]any{
			"claimed_bytes": 31914983424, "found_bytes": 7948206080, "on": "2026-11-20",
		}
	})
	for _, part := range []string{
		"<strong>Checksum wrong</strong>", "<strong>Serial number near zero</strong>",
		"<strong>Less capacity than claimed</strong>", "only the first 7.95 are sure",
		"<strong>Ids of another maker</strong>", "What else it may be:", "never a verdict", `<a href="/fakes/">`,
		"<p><strong>Almost certainly not what it says it is: ",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s:\n%s", part, page)
		}
	}
}

// If H2testw lost more than a few sectors, that is a sign of less capacity. If everything came back, somebody checked
// the capacity.
func TestRunPageTellsWhatAnImportFoundOfTheCapacity(t *testing.T) {
	t.Parallel()
	for ok, parts := range map[string][]string{
		`687865856}`: {"<strong>Less capacity than claimed</strong>", "<dd>only 0.688 of 41.5 GB came back as written</dd>",
			"What h2testw found: only 0.688 of 41.5 GB came back as written."},
		`41546677760}`: {"<strong>No sign that it is another module than it says", "<dd>all but 512 bytes of 41.5 GB came back as written: an error"},
		`41546678272}`: {"<strong>No sign that it is another module than it says", "<dd>all of 41.5 GB came back as written</dd>"},
	} {
		b := start(t)
		id, body := exampleOf(t, "imported-h2testw", "687865856}", ok)
		if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
		page := string(b.get("/r/" + id).body)
		for _, part := range parts {
			if !strings.Contains(page, part) || strings.Contains(page, "nothing that could tell") {
				t.Errorf("with %s the page lacks %q, or says that nothing could tell:\n%s", ok, part, page)
			}
		}
	}
}

// What verify found by itself is told in words: there are no tests for a table, and no rate for a class.
func TestRunPageTellsWhatVerifyFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ of, old, new, found, sign string }{
		"all of free space": {"verify-1", "", "", "filled the free space of its file system and read it back: all of 61.5 GB " +
			"came back as written; the module claims 62.1 GB.", "No sign that it is another module"},
		"a fake in free space": {"verify-1", `"ok_bytes":61459136512`, `"ok_bytes":8000000000`, "only 8 of 61.5 GB came back " +
			"as written; the module claims 62.1 GB.", "Almost certainly not what it says it is: what flashdex verify found: only 8"},
		"a whole device": {"verify-2", "", "", "all over the device and read them back: nothing contradicts the 7.76 GB",
			"No sign that it is another module"},
		"a device that is a fake": {"verify-2", `"found_bytes":7760000000`, `"found_bytes":1000000000`, "of the 7.76 GB that " +
			"it claims, only the first 1 are sure.", "Almost certainly not what it says it is: "},
	} {
		b := start(t)
		id, body := exampleOf(t, c.of, c.old, c.new)
		if c.old == "" {
			id, body = exampleOf(t, c.of)
		}
		if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
		page := string(b.get("/r/" + id).body)
		for _, part := range []string{c.found, "<strong>" + c.sign, "the profile verify is shown and not ranked"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the page lacks %q:\n%s", name, part, page)
			}
		}
		for _, part := range []string{"<table>", `id="samples"`, `id="classes"`, "Run token"} {
			if strings.Contains(page, part) {
				t.Errorf("%s: the page has %s", name, part)
			}
		}
	}
}

func TestRunPageDoesNotSayThatNoSignWasSeenWhereNobodyCouldLook(t *testing.T) {
	t.Parallel()
	page := told(t, func(doc map[string]any) {
		delete(within(doc, "identity"), "sd")
		within(doc, "identity")["bus"] = "usb"
		delete(within(doc, "host"), "bus_mode")
		delete(within(doc, "host"), "bus_clock_hz")
	})
	if strings.Contains(page, "No sign was seen") || !strings.Contains(page, "nothing that could tell") ||
		!strings.Contains(page, "<dd>USB 3</dd>") {
		t.Errorf("the page says what nobody could see:\n%s", page)
	}
}
