package rest_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"
)

// exampleOf returns a run of a profile that differs from all earlier ones.
func exampleOf(t *testing.T, name string, replace ...string) (id string, body []byte) {
	t.Helper()
	text, err := os.ReadFile("../../result/testdata/valid/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	id = result.NewID()
	text = regexp.MustCompile(`"id":"[0-9a-f-]{36}"`).ReplaceAllLiteral(text, []byte(`"id":"`+id+`"`))
	return id, []byte(strings.NewReplacer(replace...).Replace(string(text)))
}

func TestRunPageShowsAProfileInItsOwnWay(t *testing.T) {
	t.Parallel()
	b := start(t)
	for name, parts := range map[string][]string{
		"sustained-1": {
			"Flashdex, for minutes", "<th scope=\"row\"><bdi>linear write</bdi></th>", ">cliff after 3,920 MB<",
			"Worst second, MB/s", ">seconds<",
		},
		"sweep-2": {
			"Flashdex, by record size", ">cliff below 16 KiB<", "RW level from", ">16 KiB<", `class="several-1"`,
			"Of each of the 64 tests",
		},
		"files-1": {
			"Flashdex, small files", "Writing a small file", "Reading a small file", `class="heat-0"`, `class="heat-`,
			"Write through the page cache", ">×1<",
		},
		"iozone-1": {
			"Iozone’s table, kB/s", `<th scope="col" class="number">reclen</th>`, `<td class="number">51200</td>`,
		},
		"recording-1": {"Flashdex, recordings", "Memory to bridge it, MB", "10 MB/s", "Recording at 30 MB/s"},
		"recorder-1": {
			"Flashdex, recorders", "What a recorder needs", "10 MB/s in 1 MiB", "Buffer of a recorder over time", ">seconds<",
		},
		"queue-1": {
			"Flashdex, several operations at once", "Does command queueing work with the card?", "Several operations at once",
			"<bdi>yes</bdi>", "times as many reads", "no error was seen", "<bdi>write back</bdi>",
			"tell only rates below half of the promise", "Rate over the number of operations at once", ">operations under way<",
		},
		"saturate-1": {
			"Flashdex, until it is steady", "What is left when it is full", "Random writes until they are steady",
			">GB written at random<",
		},
		"endure-1": {"Flashdex, until it dies", "How long it lasted", "Rate over its life", ">passes over all of it<"},
		"mixed-1": {
			"Flashdex, mixed reads and writes", "Mixed reads and writes, and rests", "70 % reads, 30 % writes",
			"Random writes after a rest", ">seconds of rest<", "writes after 60 s of rest",
		},
		"queue-2": {"the host doesn’t use the card’s queue", "<bdi>can’t tell</bdi>"},
		"structure-2": {
			"Flashdex, inside the module", "Inside the module", `<bdi>Allocation unit</bdi></th><td class="number">4 MiB</td>`,
			"writes to 5 places at once; with one more, each write takes 30", "places written to in turn", ">16 KiB<",
		},
		"structure-1": {"64 or more", "writes to 64 places at once as fast as to one", ">4 KiB or less<"},
		"startup-1":   {"<bdi>java, jre</bdi>", "Spread, s", "User, s", "System, s", "Read each, MB"},
	} {
		id, body := exampleOf(t, name)
		if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
			t.Fatalf("%s: %d %s", name, a.status, a.body)
		}
		page := string(b.get("/r/" + id).body)
		for _, part := range append(parts, "is shown and not ranked") {
			if !strings.Contains(page, part) {
				t.Errorf("the page of %s lacks %s", name, part)
			}
		}
		if strings.Contains(page, "4K random write, in this run") || strings.Contains(page, `id="samples"`) {
			t.Errorf("%s is shown as a run that is ranked", name)
		}
	}
	// Another run is drawn before the first.
	id, body := exampleOf(t, "sustained-1")
	body, err := copiestest.AgainText(body)
	if err != nil {
		t.Fatal(err)
	}
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	page := string(b.get("/r/" + id).body)
	if !strings.Contains(page, `class="behind"`) || !strings.Contains(page, "the module’s other runs") {
		t.Error("the other run is not behind this one")
	}
}

// The page of a run by the method of 2012 says which of its linear tests wrote zeros, and what zeros and 512 B change.
func TestRunPageTellsZerosAndSmallPiecesApart(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := exampleOf(t, "reference-2")
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	page := string(b.get("/r/" + id).body)
	for _, part := range []string{
		`<th scope="row">Linear rewrite, zeros</th><td class="number">1,024</td>`,
		`<th scope="row">Linear write, zeros</th><td class="number">0.5</td>`,
		"<p>The module writes zeros at 101 % of the rate of random data, both 1 MiB at a time. 512 B at a time, it reads " +
			"at 3.76 % and writes zeros at 3.05 % of the rate of 1 MiB at a time.</p>",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if n := strings.Count(page, ", zeros</th>"); n != 2 {
		t.Errorf("%d tests wrote zeros, want 2", n)
	}
}

func TestComparePageHasProfilesOnCommonAxes(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, name := range []string{
		"sustained-1", "sustained-2", "sweep-1", "sweep-2", "iozone-1", "iozone-2", "startup-1", "startup-2", "files-1",
		"files-2", "recording-1", "recording-2", "recorder-1", "recorder-2", "structure-1",
		"structure-2", "queue-1", "queue-2", "saturate-1", "saturate-2", "mixed-1", "mixed-2",
		"endure-1", "endure-2",
	} {
		id, body := exampleOf(t, name)
		b.do(b.upload(id, body))
	}
	const both = "/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd"
	page := string(b.get(both).body)
	for _, part := range []string{
		"Recording as a camera does", "<bdi>B 30 MB/s</bdi>", "<bdi>B Allocation unit</bdi>", "Inside the module",
		"Time of a write over the number of places", "<bdi>B 10 MB/s in 4 KiB</bdi>",
		"<bdi>B random write</bdi>",
		"<bdi>B writes after 60 s of rest</bdi>", "What is left when it is full",
		`id="files-1-files-writeA-title"`, `id="files-1-files-readB-title"`,
		`id="sustained-1-sustained-title"`, `class="several-1 read"`, `class="several-2 read"`,
		`id="sweep-1-records-rand-write-title"`, `id="sweep-1-records-seq-read-title"`,
		`class="several-1"`, `class="several-2"`, "In per cent of A Raspberry Pi SD card A2 64 GB microSD",
		"<bdi>B java, jre</bdi>", "</bdi>, <bdi>jre</bdi></li>",
		`<bdi>A java, jre</bdi></th><td class="number">B Toshiba Class 10 UHS-I 8 GB microSD</td>`, // the slowest start
		">falls for good to 55.5 % after 3,920 MB</td></tr>\n<tr><th scope=\"row\"><bdi>A linear read<",
		">fairly steady, with stalls</td></tr>\n<tr><th scope=\"row\"><bdi>B linear write<",
		">fairly steady, with stalls</td></tr>\n<tr><th scope=\"row\"><bdi>B linear read<", ">steady</td></tr>\n</tbody>",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the comparison lacks %s", part)
		}
	}
	if strings.Contains(page, "has no figures by a method that another") {
		t.Error("what is compared is said not to be")
	}
	page = string(b.get(both + "&base=toshiba-class-10-uhs-i-8gb-microsd").body)
	if !strings.Contains(page, "In per cent of B Toshiba") || !strings.Contains(page, "By card") {
		t.Error("the baseline is not the one that was asked for")
	}
	page = string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=sandisk-extreme-32gb-microsd").body)
	if strings.Contains(page, "Beyond the ranking") {
		t.Error("one module alone is compared")
	}
}

// Each run of a module by the profile sustained adds a pair of lines: in a folder and with --device.
func TestComparePageHasEachWayAModuleWasMeasuredForMinutes(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, of := range []struct {
		name    string
		replace []string
	}{
		{"sustained-1", nil}, {"sustained-1", []string{`"kind":"directory"`, `"kind":"device"`}}, {"sustained-2", nil},
		{"sustained-1", nil}, // once more in the same way: the newest one of these stands for both
	} {
		id, body := exampleOf(t, of.name, of.replace...)
		body, err := copiestest.AgainText(body)
		if err != nil {
			t.Fatal(err)
		}
		b.do(b.upload(id, body)).json(t, http.StatusCreated)
	}
	page := string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd").body)
	for _, part := range []string{
		"<bdi>A linear write<", "<bdi>A linear read<", "<bdi>A2 linear write<", "<bdi>A2 linear read<",
		"<bdi>B linear write<", "<bdi>B linear read<", ", in a folder, Raspberry Pi 5 Model B Rev 1.0, linear write",
		", with --device, Raspberry Pi 5 Model B Rev 1.0, linear read", `<b class="letter">A2</b>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the comparison lacks %s", part)
		}
	}
	if strings.Contains(page, "A3 linear write") {
		t.Error("two runs made in the same way are compared")
	}
	page = string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=sandisk-extreme-32gb-microsd").body)
	if strings.Contains(page, "Beyond the ranking") {
		t.Error("one module alone is compared")
	}
}

// The page compares every program that two modules share, not only what most modules have.
func TestComparePageHasEachProgramThatTwoModulesShare(t *testing.T) {
	t.Parallel()
	b := start(t)
	perl := []string{`"program":"java"`, `"program":"perl"`, "Raspberry Pi 5 Model B Rev 1.0",
		"Raspberry Pi 4 Model B Rev 1.4"}
	for _, of := range []struct {
		name    string
		replace []string
	}{
		{"startup-1", nil}, {"startup-1", perl}, {"startup-2", nil}, {"startup-2", perl},
		{"startup-1", []string{`"program":"java"`, `"program":"python3"`}},
	} {
		id, body := exampleOf(t, of.name, of.replace...)
		body, err := copiestest.AgainText(body)
		if err != nil {
			t.Fatal(err)
		}
		b.do(b.upload(id, body)).json(t, http.StatusCreated)
	}
	page := string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd").body)
	for _, part := range []string{"<bdi>A java, jre<", "<bdi>B java, jre<", "<bdi>A perl, jre<", "<bdi>B perl, jre<"} {
		if !strings.Contains(page, part) {
			t.Errorf("the comparison lacks %s", part)
		}
	}
	if strings.Contains(page, "python3") {
		t.Error("what one module has alone is compared")
	}
}

// Two computers without a name may be different ones.
func TestComparePageHoldsNoStartsInBoardsWithoutAName(t *testing.T) {
	t.Parallel()
	for what, replace := range map[string][]string{
		"a placeholder": {"Raspberry Pi 5 Model B Rev 1.0", "System Product Name"},
		"no name":       {`"board":"Raspberry Pi 5 Model B Rev 1.0",`, ""},
	} {
		b := start(t)
		for _, name := range []string{"startup-1", "startup-2"} {
			id, body := exampleOf(t, name, replace...)
			b.do(b.upload(id, body)).json(t, http.StatusCreated)
		}
		page := string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd").body)
		if strings.Contains(page, "Flashdex, starts of a program") {
			t.Errorf("%s: the starts are compared", what)
		}
	}
}

// Times of two programs, or in two computers, can't be compared.
func TestComparePageHoldsStartsOfOneProgramInOneHostAlone(t *testing.T) {
	t.Parallel()
	for what, replace := range map[string][]string{
		"another program": {`"program":"java"`, `"program":"perl"`},
		"another host":    {"Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 4 Model B Rev 1.4"},
		"another version": {"5e2b6f0c8f3d4a1796c0d8e7b4a35f21", "00000000000000000000000000000001"},
	} {
		b := start(t)
		for name, replace := range map[string][]string{"startup-1": nil, "startup-2": replace} {
			id, body := exampleOf(t, name, replace...)
			b.do(b.upload(id, body))
		}
		page := string(b.get("/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=toshiba-class-10-uhs-i-8gb-microsd").body)
		if strings.Contains(page, "Flashdex, starts of a program") {
			t.Errorf("%s: the starts are compared", what)
		}
	}
}
