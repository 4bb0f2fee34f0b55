package publish

import (
	"html"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/picture"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var rePicture = regexp.MustCompile(`<meta property="og:image" content="https://flashdex\.example/([^"]*)">`)

// checkPictures checks that each page of a site names a picture that exists. Modules, devices and questions must have
// pictures of their own.
func checkPictures(t *testing.T, files map[string]string) {
	t.Helper()
	sizes := map[string]int{}
	own := 0
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") || strings.Contains(text, `http-equiv="refresh"`) {
			continue
		}
		if strings.HasSuffix(name, "/frame.html") { // the server fills it in
			if !strings.Contains(text, `content="https://flashdex.example{{ .picture }}"`) {
				t.Errorf("%s has no place for a picture", name)
			}
			continue
		}
		named := rePicture.FindAllStringSubmatch(text, -1)
		if len(named) != 1 {
			t.Errorf("%s names %d pictures", name, len(named))
			continue
		}
		want := pictureFile
		dir := filepath.Dir(name)
		depth := strings.Count(dir, "/")
		if depth == 1 && hasPicture("/"+name) || depth == 2 && strings.HasPrefix(dir, "for/") {
			want = dir + "/" + pictureFile
			own++
		}
		file := html.UnescapeString(named[0][1])
		if file != want {
			t.Errorf("%s names the picture %s, want %s", name, file, want)
		}
		sizes[file]++
	}
	for file, pages := range sizes {
		drawn, err := png.DecodeConfig(strings.NewReader(files[file]))
		if err != nil || drawn.Width != picture.Width || drawn.Height != picture.Height {
			t.Errorf("%s: %+v, %v", file, drawn, err)
		}
		if file != pictureFile && pages != 1 {
			t.Errorf("%d pages share %s", pages, file)
		}
	}
	if own < 140 || sizes[pictureFile] < 20 {
		t.Errorf("%d pages have a picture of their own, %d the common one", own, sizes[pictureFile])
	}
}

// A picture shows the figure at the head of the page, who measured it and how sure it is.
func TestPictureTellsTheFigure(t *testing.T) {
	t.Parallel()
	low, high := 461.0, 586.0
	measured := func(n int) figure.Summary {
		return figure.Summary{ModuleSlug: "acme-turbo", Method: result.MethodFlashdex1, Contributors: n, Independent: n,
			Days: n, Units: n, Results: n, Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {
				Value: 512, Low: &low, High: &high, Confidence: 0.96, N: n, Contributors: n}})}
	}
	m := catalogue.Module{Slug: "acme-turbo", Vendor: "Acme", Product: "闪迪 <b>Turbo</b>", CapacityGB: 32,
		Form: "microsd"}
	published := func(iops float64, tool string) catalogue.Published {
		return catalogue.Published{ModuleSlug: m.Slug, Method: "iozone-direct", Test: result.RandWrite, BlockBytes: 4096,
			IOPS: &iops, Tool: tool, OfUnit: tool}
	}
	for name, of := range map[string]struct {
		summaries []figure.Summary
		published []catalogue.Published
		figure    string
		notes     []string
	}{
		"nothing": {nil, nil, "Not known yet",
			[]string{"Nobody has published how many 4K random writes it does.", "Yours could be the first figure."}},
		"one": {[]figure.Summary{measured(1)}, nil, "512 IOPS",
			[]string{"4K random writes, measured by 1 contributor", "461 to 586 with 96 % confidence"}},
		"several": {[]figure.Summary{measured(3)}, []catalogue.Published{published(9, "iozone")}, "512 IOPS",
			[]string{"4K random writes, measured by 3 contributors", "461 to 586 with 96 % confidence"}},
		"published": {nil, []catalogue.Published{published(9, "iozone")}, "9 IOPS",
			[]string{"4K random writes, 1 unit, measured by others"}},
		"different things": {nil, []catalogue.Published{published(986, "fio"), published(161, "iozone")}, "161 to 986 IOPS",
			[]string{"4K random writes, 2 units, measured by others"}},
	} {
		s := newSite(t.TempDir(), &figure.Overview{Modules: []catalogue.Module{m}, Summaries: of.summaries,
			Published: of.published}, uploads{}, load(t), nil)
		want := picture.Picture{Title: "Acme 闪迪 <b>Turbo</b> 32 GB microSD", Figure: of.figure, Notes: of.notes}
		if diff := cmp.Diff(want, s.modulePicture(m)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		known := of.published != nil || of.summaries != nil
		if title := s.moduleTitle(m); strings.Contains(title, ": "+of.figure) != known {
			t.Errorf("%s: the title %q", name, title)
		}
	}
	for expected, want := range map[bool]string{
		false: "461 to 586 with 95 % confidence, rank 3 to 5 of 40", true: "461 to 586 with 95 % confidence"} {
		of := &speed{Low: "461", High: "586", Confidence: "95"}
		if got := howSure(&methodFigures{Rank: "3 to 5", RankOf: "40", Published: expected}, of); got != want {
			t.Errorf("expected: %v: %q, want %q", expected, got, want)
		}
	}
}

// A device's picture lists the first answers, and says what the slot carries.
func TestPictureOfADeviceAnswers(t *testing.T) {
	t.Parallel()
	d := device{Carries: "50", Answer: &answered{Sections: []section[tableRow]{
		{Rows: []tableRow{{Name: "A", Rank: "1–2"}, {Name: "B", Rank: "1–2"}}},
		{Rows: []tableRow{{Name: "C", Origin: "expected"}, {Name: "D"}}},
	}}}
	want := picture.Picture{Title: "Which?", List: []string{"1–2 A", "1–2 B", "C, expected"},
		Notes: []string{"The slot carries at most 50 MB/s"}}
	if diff := cmp.Diff(want, devicePicture("Which?", d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = picture.Picture{Title: "Which?", Notes: []string{"Nobody’s source says how quick the slot is"}}
	if diff := cmp.Diff(want, devicePicture("Which?", device{})); diff != "" {
		t.Errorf("without facts (-want +got):\n%s", diff)
	}
}

// samePictures returns the paths whose pictures are the same file in two publications.
func samePictures(t *testing.T, one, other string, paths ...string) (same []string) {
	t.Helper()
	for _, path := range paths {
		a, errA := os.Stat(filepath.Join(one, path, pictureFile))
		b, errB := os.Stat(filepath.Join(other, path, pictureFile))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if os.SameFile(a, b) {
			same = append(same, path)
		}
	}
	slices.Sort(same)
	return same
}

// The picture of a question lists its first answers, and says where they come from.
func TestPictureOfAQuestion(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for _, q := range s.questions {
		a := s.answer(q)
		p := questionPicture(&a)
		if p.Title != q.Text || len(p.List) != len(a.Best) || len(p.Notes) == 0 || q.Key == "boot" && len(p.List) != 3 {
			t.Errorf("%s: %+v", q.Key, p)
		}
	}
	if !hasPicture("/for/boot/") || !hasPicture("/for/boot/sd/") || hasPicture("/for/") {
		t.Error("questions have pictures, and their overview has none")
	}
}

// The picture says whose answers these are, even if published figures fill up the list.
func TestPictureOfAQuestionNamesOrigins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		origins     []string
		ranked, few int
		notes       []string
	}{
		"measured": {[]string{ranking.Measured, ranking.Measured}, 2, 0,
			[]string{"Measured by the owners of these modules"}},
		"filled up": {[]string{ranking.Measured, ranking.Expected, ranking.Published}, 1, 0,
			[]string{"From the top: measured, expected, published"}},
		"expected": {[]string{ranking.Expected, ranking.Expected}, 0, 0,
			[]string{"expected, not measured by Flashdex’s users yet"}},
		"unmeasured": {[]string{ranking.Expected, ranking.Published}, 0, 0,
			[]string{"From the top: expected, published"}},
		"none":       {nil, 0, 0, []string{"Nobody knows yet", "Yours could be the first answer."}},
		"few prices": {nil, 0, 2, []string{"Too few have a known price to choose from"}},
	} {
		a := answered{Ranked: c.ranked, Few: c.few}
		for i, origin := range c.origins {
			a.Best = append(a.Best, bestAnswer{Name: "ABC"[i : i+1], Score: "1", Unit: "IOPS", Origin: origin})
		}
		want := picture.Picture{Notes: c.notes, List: []string{"A: 1 IOPS", "B: 1 IOPS", "C: 1 IOPS"}[:len(c.origins)]}
		if diff := cmp.Diff(want, questionPicture(&a), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
