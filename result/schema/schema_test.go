package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

func TestValidDocumentsSurviveARoundTrip(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/valid/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("valid examples: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := schema.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			// This would show a field that the schema has and the Go type lacks, since decoding loses it.
			var want, got any
			if err := errors.Join(json.Unmarshal(data, &want), json.Unmarshal(again, &got)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the document changed (-read +written):\n%s", diff)
			}
		})
	}
}

// A stack has single modules as members, and a method of its own.
func TestFormsAreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	var of struct {
		Properties struct {
			Module struct {
				Properties struct {
					Form struct{ Enum []string }
				}
			}
		}
	}
	if err := json.Unmarshal(schema.V1, &of); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(of.Properties.Module.Properties.Form.Enum, result.Forms); diff != "" {
		t.Errorf("-schema +Forms:\n%s", diff)
	}
}

func TestInvalidStacksArePointedAt(t *testing.T) {
	t.Parallel()
	stack, err := os.ReadFile("../testdata/valid/stack-raid0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, pointer string }{
		"as a module's figures": {`"method": "stack-1"`, `"method": "flashdex-1"`, "/method"},
		"by the method of 2012": {`"method": "stack-1",` + "\n" + ` "profile": "standard"`,
			`"method": "altechnative-2012", "profile": "reference"`, "/method"},
		"by dd alone":                {`"method": "stack-1"`, `"method": "dd-1"`, "/method"},
		"of a bus of its own":        {`"bus": "stack"`, `"bus": "usb"`, "/stack"},
		"in a way that nobody knows": {`"kind": "raid0"`, `"kind": "raid99"`, "/stack/kind"},
		"a chunk of nothing":         {`"chunk_bytes": 524288`, `"chunk_bytes": 0`, "/stack/chunk_bytes"},
		"with names":                 {`"kind": "raid0"`, `"name": "alice:0", "kind": "raid0"`, "/stack/name"},
		"a member's serial number": {`"cid": "03534453433332478000000000016200"`,
			`"cid": "0353445343333247801234abcd016200"`, "/stack/members/1/sd/cid"},
		"a member's name on the host": {`"bus": "sd"`, `"path": "/dev/sda", "bus": "sd"`, "/stack/members/0/path"},
		"a stack in a stack":          {`"bus": "sd"`, `"bus": "stack"`, "/stack/members/0"},
		"a member that was verified": {`"bus": "sd"`,
			`"verified": {"claimed_bytes": 1000, "found_bytes": 1000, "on": "2026-11-20"}, "bus": "sd"`, "/stack/members/0"},
		"of one": {`"members": [`,
			`"members": [{"bus": "usb", "size_bytes": 1, "removable": false}], "members": [`, "/stack/members"},
	} {
		damaged := strings.Replace(string(stack), c.old, c.new, 1)
		if damaged == string(stack) {
			t.Fatalf("%s: the example doesn't hold %q", name, c.old)
		}
		_, err := schema.Read([]byte(damaged))
		var invalid *schema.InvalidError
		if !errors.As(err, &invalid) || !slices.ContainsFunc(invalid.Problems,
			func(p result.Problem) bool { return p.Pointer == c.pointer }) {
			t.Errorf("%s: %v, want a problem at %s", name, err, c.pointer)
		}
	}
	// The method of stacks needs a stack.
	module, err := os.ReadFile("../testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Read([]byte(strings.Replace(string(module), `"flashdex-1"`, `"stack-1"`, 1))); err == nil ||
		!strings.Contains(err.Error(), "/method") {
		t.Errorf("a module by the method of stacks: %v", err)
	}
}

// Only a recording can be behind, and none of its writes takes longer than its block waits. Only tests of the structure
// have places and the fields that belong to them.
func TestInvalidIntervalsArePointedAt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ of, old, new, pointer string }{
		"as it should be":           {"recording-1", "", "", ""},
		"by another method":         {"sustained-1", `"name":"seq-write"`, `"name":"record-4-mb-per-s"`, "/tests/0/name"},
		"another test":              {"recording-1", `"name":"record-4-mb-per-s"`, `"name":"seq-write"`, "/tests/0/name"},
		"behind without a rate":     {"sustained-1", `"intervals":\[\{`, `"intervals":[{"behind_ns":5,`, "/tests/0/intervals"},
		"less than a write":         {"recording-1", `"behind_ns":\d+`, `"behind_ns":1`, "/tests/0/intervals"},
		"at a rate of no camera":    {"recording-1", `record-4-mb`, `record-5-mb`, "/tests/0/name"},
		"a stream, as it should be": {"recorder-1", "", "", ""},
		"a stream without a rate":   {"recorder-1", `"rate_bytes_per_s":\d+,`, ``, "/tests/0/rate_bytes_per_s"},
		"a rate without a stream": {"sustained-1", `"area_bytes"`, `"rate_bytes_per_s":10000000,"area_bytes"`,
			"/tests/0/rate_bytes_per_s"},
		"a stream less than a write": {"recorder-1", `"behind_ns":\d+`, `"behind_ns":1`, "/tests/0/intervals"},
		"never as late as at least": {"recorder-1", `"behind_ns":\d+`, `"behind_ns":200000000,"least_behind_ns":200000001`,
			"/tests/0/intervals"},
		"a camera that catches up": {"recording-1", `"behind_ns":`, `"least_behind_ns":1,"behind_ns":`, "/tests/0/intervals"},
		"a histogram of others":    {"recorder-1", `"latency":\[\[\d+,`, `"latency":[[5,7],[6,`, "/tests/0/latency"},
		"no rate of a module": {"recorder-1", `"rate_bytes_per_s":\d+`, `"rate_bytes_per_s":1`,
			"/tests/0/rate_bytes_per_s"},
		"saturation, as it should be": {"saturate-1", "", "", ""},
		"rounds by another method":    {"sustained-1", `"name":"seq-write"`, `"name":"round-write"`, "/tests/0/name"},
		"a mix, as it should be":      {"mixed-1", "", "", ""},
		"a rest in no rests": {"sustained-1", `"intervals":\[\{`, `"intervals":[{"rest_ns":5,`,
			"/tests/0/intervals"},
		"more reads than operations": {"mixed-1", `"reads":\d+`, `"reads":1000000000`, "/tests/1/intervals"},
		"a queue, as it should be":   {"queue-1", "", "", ""},
		"a queue without a depth":    {"queue-1", `"depth":1,?`, ``, "/tests/1/intervals"},
		"more at once than a queue":  {"queue-1", `"depth":1`, `"depth":33`, "/tests/1/intervals/0/depth"},
		"a depth of no queue": {"sustained-1", `"intervals":\[\{`, `"intervals":[{"depth":5,`,
			"/tests/0/intervals"},
		"under way in no queue": {"sustained-1", `"intervals":\[\{`, `"intervals":[{"under_way_ns":5,`,
			"/tests/0/intervals"},
		"wrong where nobody looked": {"sustained-1", `"area_bytes"`, `"wrong_ops":1,"area_bytes"`, "/tests/0/wrong_ops"},
		"more wrong than read":      {"queue-1", `"discard_ops":32`, `"wrong_ops":1000000000`, "/tests/4/wrong_ops"},
		"right again and never wrong": {"queue-1", `"discard_ops":32`, `"right_alone_ops":1,"discard_ops":32`,
			"/tests/4/wrong_ops"},
		"a queue by another method": {"sustained-1", `"name":"seq-write"`, `"name":"queued-read"`, "/tests/0/name"},
		"inside, as it should be":   {"structure-2", "", "", ""},
		"by another method too":     {"sustained-1", `"name":"seq-write"`, `"name":"turn-write"`, "/tests/0/name"},
		"places without a test":     {"sustained-1", `"intervals":\[\{`, `"intervals":[{"places":5,`, "/tests/0/intervals"},
		"turns without places":      {"structure-2", `,"places":1,`, `,`, "/tests/1/intervals"},
		"turns with a gap":          {"structure-2", `,"places":1,`, `,"places":1,"gap_bytes":4096,`, "/tests/1/intervals"},
		"more places than tried":    {"structure-2", `"places":6`, `"places":66`, "/tests/1/intervals/100/places"},
		"times that overflow": {"queue-1", `"under_way_ns":\d+`, `"under_way_ns":9000000000000000`,
			"/tests/1/intervals/0/under_way_ns"},
		"more under way than can be": {"queue-1", `"under_way_ns":\d+`, `"under_way_ns":2000000000000000`, "/tests/1/intervals"},
		"a depth that isn't tried":   {"queue-1", `"depth":2,`, `"depth":3,`, "/tests/2/intervals"},
		"only reads":                 {"mixed-1", `"reads":\d+`, `"reads":1000000000`, "/tests/1/intervals"},
		"a rest that took no time":   {"mixed-1", `"overhead_ns":284\d+`, `"overhead_ns":5`, "/tests/2/overhead_ns"},
		"a rest of another length":   {"mixed-1", `"rest_ns":10000000000`, `"rest_ns":20000000000`, "/tests/2/intervals"},
		"complete without an end":    {"saturate-1", `"ended":"converged"`, `"ended":"complete"`, "/tests/3/ended"},
		"rounds over what isn't full": {"saturate-1", `("name":"fill-write".*?"ended":")complete`, `${1}time-limit`,
			"/tests/3/area_bytes"},
		"rounds over a block":          {"saturate-1", `("name":"round-write".*?"area_bytes":)\d+`, `${1}4096`, "/tests/3/area_bytes"},
		"a fill of a part":             {"saturate-1", `("name":"fill-write".*?"area_bytes":)\d+`, `${1}1048576`, "/tests/2/area_bytes"},
		"a queue over more":            {"queue-1", `"area_bytes":268435456`, `"area_bytes":268435457`, "/tests/0/area_bytes"},
		"an inside of more than 6 GiB": {"structure-2", `"area_bytes":2147483648`, `"area_bytes":6442450945`, "/tests/0/area_bytes"},
		"a gap at other places":        {"structure-2", `("name":"gap-write".*?"places":)[^1]`, `${1}9`, "/tests/2/intervals"},
		"ahead of its data":            {"recorder-1", `"rate_bytes_per_s":10000000`, `"rate_bytes_per_s":1000`, "/tests/0/duration_ns"},
		"a stream of other blocks":     {"recorder-1", `"block_bytes":1048576`, `"block_bytes":2097152`, "/tests/0/block_bytes"},
		"a stream to a device":         {"recorder-1", `"kind":"directory"`, `"kind":"device"`, "/tests/0/name"},
		"a page in a directory":        {"structure-1", `"kind":"device"`, `"kind":"directory"`, "/tests/2/name"},
		"a page of three bytes":        {"structure-1", `"across_bytes":4096`, `"across_bytes":3`, "/tests/2/intervals"},
		"half aside":                   {"structure-2", `"aside_ops":1`, `"aside_ops":2`, "/tests/1/intervals"},
		"a gap beyond the area": {"structure-2", `"gap_bytes":262144`, `"gap_bytes":9000000000`,
			"/tests/2/intervals"},
		"rounds without a sync": {"saturate-1", `"name":"round-write","block_bytes":4096,"queue_depth":1,"sync":"dsync"`,
			`"name":"round-write","block_bytes":4096,"queue_depth":1,"sync":"none"`, "/tests/3/sync"},
		"a queue of one": {"queue-1", `"queue_depth":32`, `"queue_depth":1`, "/tests/2/sync"},
		"a queue into the page cache": {"queue-1", `"queue_depth":32,"sync":"none","direct":true`,
			`"queue_depth":32,"sync":"none","direct":false`, "/tests/2/sync"},
		"a life, as it should be":        {"endure-1", "", "", ""},
		"a death, as it should be":       {"endure-2", "", "", ""},
		"a life by another method":       {"sustained-1", `"name":"seq-write"`, `"name":"endure-write"`, "/tests/0/name"},
		"dead in no life":                {"sustained-1", `"ended":"[a-z-]+"`, `"ended":"dead"`, "/tests/0/ended"},
		"failed in no life":              {"sustained-1", `"intervals":\[\{`, `"intervals":[{"failed_ops":5,`, "/tests/0/intervals"},
		"a checkpoint in no life":        {"sustained-1", `"intervals":`, `"checkpoints":[{"bytes":1000000000000,"ns":5,"tag":"0123456789abcdef0123456789abcdef"}],"intervals":`, "/tests/0/checkpoints"},
		"a life in a directory":          {"endure-1", `"kind":"device"`, `"kind":"directory"`, "/target"},
		"cycles of a part":               {"endure-1", `"size_bytes":62080000000`, `"size_bytes":64080000000`, "/target"},
		"dead without errors":            {"endure-1", `"ended":"stopped"(.*)"ended":"stopped"`, `"ended":"dead"$1"ended":"dead"`, "/tests"},
		"dead and stopped":               {"endure-2", `"ended":"dead"`, `"ended":"stopped"`, "/tests"},
		"a life that is complete":        {"endure-1", `"ended":"stopped"`, `"ended":"complete"`, "/tests/0/ended"},
		"more failed than tried":         {"endure-2", `"failed_ops":900`, `"failed_ops":900000`, "/tests/0/intervals"},
		"a wrong write":                  {"endure-2", `"failed_ops":900`, `"wrong_ops":900`, "/tests/0/intervals"},
		"a checkpoint beyond the end":    {"endure-1", `"checkpoints":\[\{"bytes":\d+`, `"checkpoints":[{"bytes":900000000000000`, "/tests/0/checkpoints/0"},
		"a checkpoint too early":         {"endure-1", `"checkpoints":\[\{"bytes":\d+`, `"checkpoints":[{"bytes":5`, "/tests/0/checkpoints/0"},
		"a checkpoint without a tag":     {"endure-1", `"tag":"[0-9a-f]+"`, `"tag":"'; drop table submission; --"`, "/tests/0/checkpoints/0/tag"},
		"a life of a part of the module": {"endure-1", `"area_bytes":\d+`, `"area_bytes":1048577`, "/tests/0/area_bytes"},
		"failed more than any count":     {"endure-2", `"failed_ops":900`, `"failed_ops":9000000000`, "/tests/0/intervals/130/failed_ops"},
		"a gap of less than none":        {"structure-2", `"gap_bytes":262144`, `"gap_bytes":-1`, "/tests/2/intervals/25/gap_bytes"},
	} {
		text, err := os.ReadFile("../testdata/valid/" + c.of + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if at := regexp.MustCompile(c.old).FindIndex(text); c.old != "" && at != nil {
			text = slices.Concat(text[:at[0]], regexp.MustCompile(c.old).ReplaceAll(text[at[0]:at[1]], []byte(c.new)), text[at[1]:])
		}
		_, err = schema.Read(text)
		var invalid *schema.InvalidError
		if c.pointer == "" && err != nil || c.pointer != "" && (!errors.As(err, &invalid) ||
			!slices.ContainsFunc(invalid.Problems, func(p result.Problem) bool { return p.Pointer == c.pointer })) {
			t.Errorf("%s: %v, want a problem at %q", name, err, c.pointer)
		}
	}
}

// A check of the capacity is one finding about one whole module, and nothing else is one.
func TestInvalidChecksArePointedAt(t *testing.T) {
	t.Parallel()
	const verified = `"verified":{"claimed_bytes":7760000000,"found_bytes":7760000000,"on":"2026-11-20"},`
	for name, c := range map[string]struct{ of, old, new, pointer string }{
		"of free space, as it should be":  {"verify-1", "", "", ""},
		"of a device, as it should be":    {"verify-2", "", "", ""},
		"of both":                         {"verify-1", `"checked":`, verified + `"checked":`, "/identity"},
		"of neither":                      {"verify-1", `,"checked":\{[^}]*\}`, ``, "/identity"},
		"with more right than there is":   {"verify-1", `"ok_bytes":\d`, `"ok_bytes":9`, "/identity/checked/ok_bytes"},
		"with less than nothing right":    {"verify-1", `"ok_bytes":`, `"ok_bytes":-`, "/identity/checked/ok_bytes"},
		"with more checked than there is": {"verify-1", `"bytes":\d`, `"bytes":9`, "/identity/checked/of_bytes"},
		"of nothing": {"verify-1", `"bytes":\d+,"ok_bytes":\d+`, `"bytes":0,"ok_bytes":0`,
			"/identity/checked/bytes"},
		"of another size":             {"verify-1", `"of_bytes":\d`, `"of_bytes":9`, "/identity/checked/of_bytes"},
		"of a size that nobody knows": {"verify-1", `,"of_bytes":\d+`, ``, "/identity/checked/of_bytes"},
		"with the places that were lost": {"verify-1", `"bytes":\d`, `"path":"/mnt/card","bytes":9`,
			"/identity/checked/path"},
		"of a device that claims another": {"verify-2", `"claimed_bytes":\d`, `"claimed_bytes":9`,
			"/identity/verified/claimed_bytes"},
		"of a device that holds more": {"verify-2", `"found_bytes":\d`, `"found_bytes":9`,
			"/identity/verified/found_bytes"},
		"of the free space of a device": {"verify-1", `"kind":"directory"`, `"kind":"device"`, "/target/kind"},
		"of a device in a directory":    {"verify-2", `"kind":"device"`, `"kind":"directory"`, "/target/kind"},
		"without a host":                {"verify-1", `"host":\{[^}]*\},`, ``, "/host"},
		"with a run token":              {"verify-1", `"profile"`, `"token":"AQAAAAAAAAAAAAAA-_","profile"`, "/token"},
		"as a test of speed":            {"verify-1", `"verify-1"`, `"flashdex-1"`, "/method"},
		"as a profile that measures":    {"verify-1", `"profile":"verify"`, `"profile":"standard"`, "/tests"},
		"of a stack":                    {"verify-1", `"bus":"[a-z]+"`, `"bus":"stack"`, "/stack"},
		"beside a test": {"sustained-1", `"sustained-1","profile":"sustained"`,
			`"verify-1","profile":"verify"`, "/tests"},
		"a measurement without tests": {"sustained-1", `"tests":\[.*\],"spoilers"`,
			`"tests":[],"spoilers"`, "/tests"},
		"a measurement that checked": {"sustained-1", `"removable":`,
			`"checked":{"bytes":5,"ok_bytes":5},"removable":`, "/identity/checked"},
		"an import without tests": {"imported-fio", `"tests":\[.*\],"spoilers"`,
			`"tests":[],"spoilers"`, "/tests"},
		"a member of a stack that checked": {"stack-raid0", `"bus": "sd"`,
			`"checked": {"bytes":5,"ok_bytes":5}, "bus": "sd"`, "/stack/members/0"},
	} {
		text, err := os.ReadFile("../testdata/valid/" + c.of + ".json")
		if err != nil {
			t.Fatal(err)
		}
		old := regexp.MustCompile("(?s)" + c.old)
		if at := old.FindIndex(text); c.old != "" && at == nil {
			t.Fatalf("%s: the example doesn't hold %s", name, c.old)
		} else if c.old != "" {
			text = slices.Concat(text[:at[0]], []byte(c.new), text[at[1]:])
		}
		_, err = schema.Read(text)
		var invalid *schema.InvalidError
		if c.pointer == "" && err != nil || c.pointer != "" && (!errors.As(err, &invalid) ||
			!slices.ContainsFunc(invalid.Problems, func(p result.Problem) bool {
				return p.Pointer == c.pointer && p.Detail != ""
			})) {
			t.Errorf("%s: %v, want a problem at %q", name, err, c.pointer)
		}
	}
}

// A run token belongs to a run of the client, and an order of blocks to a random test of such a run.
func TestInvalidTokensArePointedAt(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile("../testdata/valid/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const token = `"token":"AQAAAAAAAAAAAAAA-_",`
	const order = `"order":"00112233445566778899aabbccddeeff",`
	card, imported := read("sd-card"), read("imported-fio")
	with := strings.Replace(card, `"profile"`, token+`"profile"`, 1)
	randomly, linearly := `"name": "rand-write",`, `"name": "seq-write",`
	for name, c := range map[string]struct{ of, old, new, pointer string }{
		"as it should be":          {with, randomly, randomly + order, ""},
		"none":                     {card, randomly, randomly, ""},
		"too short":                {with, token, `"token":"AQAA",`, "/token"},
		"too long":                 {with, token, `"token":"` + strings.Repeat("A", 129) + `",`, "/token"},
		"of other letters":         {with, token, `"token":"AQAAAAAAAAAAAAAA<b>",`, "/token"},
		"a number":                 {with, token, `"token":1234567890123456,`, "/token"},
		"an import":                {imported, `"profile"`, token + `"profile"`, "/token"},
		"by the script alone":      {with, `"flashdex-1"`, `"dd-1"`, "/token"},
		"an order without a token": {card, randomly, randomly + order, "/tests/1/order"},
		"an order of a line":       {with, linearly, linearly + order, "/tests/0/order"},
		"an order of other digits": {with, randomly, randomly + strings.ToUpper(order), "/tests/1/ORDER"},
		"an order of fewer digits": {with, randomly, randomly + `"order":"00112233",`, "/tests/1/order"},
	} {
		changed := strings.Replace(c.of, c.old, c.new, 1)
		if changed == c.of && c.old != c.new {
			t.Fatalf("%s: the example doesn't hold %q", name, c.old)
		}
		_, err := schema.Read([]byte(changed))
		var invalid *schema.InvalidError
		if c.pointer == "" && err != nil || c.pointer != "" && (!errors.As(err, &invalid) ||
			!slices.ContainsFunc(invalid.Problems, func(p result.Problem) bool { return p.Pointer == c.pointer })) {
			t.Errorf("%s: %v, want a problem at %q", name, err, c.pointer)
		}
	}
}

// Imported results have no samples, and measured results have no import.
func TestInvalidImportsArePointedAt(t *testing.T) {
	t.Parallel()
	imported, err := os.ReadFile("../testdata/valid/imported-fio.json")
	if err != nil {
		t.Fatal(err)
	}
	measured, err := os.ReadFile("../testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	filled, err := os.ReadFile("../testdata/valid/imported-h2testw.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ of, old, new, pointer string }{
		"with more right than there is": {string(filled), `"ok_bytes":687865856`, `"ok_bytes":99687865856`,
			"/imported/checked/ok_bytes"},
		"with more right and changed than there is": {string(filled), `"ok_bytes":687865856`,
			`"ok_bytes":687865856,"changed_bytes":41546678272`, "/imported/checked/ok_bytes"},
		"with more checked than there is": {string(filled), `"ok_bytes":687865856`, `"ok_bytes":687865856,"of_bytes":1`,
			"/imported/checked/of_bytes"},
		"without its tool": {string(imported), `"imported":{"tool":"fio",`, `"imported":{`, "/imported/tool"},
		"of another tool":  {string(imported), `"imported":{"tool":"fio"`, `"imported":{"tool":"dd"`, "/method"},
		"as our own":       {string(imported), `"profile":"imported"`, `"profile":"standard"`, "/identity"},
		"by our method":    {string(imported), `"method":"import-fio-1"`, `"method":"flashdex-1"`, "/method"},
		"with what nobody counted": {string(imported), `"device_bytes":0`, `"device_bytes":67108864`,
			"/tests/0/device_bytes"},
		"with batches": {string(imported), `"ended":"time-limit"`,
			`"batches":[{"ops":5870,"ns":10001000000}],"ended":"time-limit"`, "/tests/2/batches"},
		"with a histogram of fewer operations": {string(imported), `"ended":"time-limit"`,
			`"latency":[[100000,5]],"ended":"time-limit"`, "/tests/2/latency"},
		"with the name of a file": {string(imported), `"options":"`, `"options":"filename=/home/alice/x `,
			"/imported/options"},
		"with the percentiles muddled":  {string(imported), `"p50_ns":`, `"p50_ns":999999`, "/tests/2/percentiles"},
		"bytes that no operations make": {string(imported), `"bytes":24043520`, `"bytes":24053520`, "/tests/2/bytes"},
		"on a day of no calendar": {string(imported), `"measured_on":"2026-11-22"`, `"measured_on":"2026-02-30"`,
			"/imported/measured_on"},
		"ours without intervals": {string(measured), `"intervals":`, `"percentiles": {}, "intervals":`,
			"/tests/0/percentiles"},
		"ours with another's engine": {string(measured), `"engine": "dd"`, `"engine": "iozone"`, "/tests/0/engine"},
		"ours with an import": {string(measured), `"spoilers":`, `"imported": {"tool": "dd"}, "spoilers":`,
			"/method"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damaged := strings.Replace(c.of, c.old, c.new, 1)
			if damaged == c.of {
				t.Fatalf("the example doesn't hold %q", c.old)
			}
			_, err := schema.Read([]byte(damaged))
			var invalid *schema.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("Read: %v, want *InvalidError", err)
			}
			if !slices.ContainsFunc(invalid.Problems, func(p result.Problem) bool { return p.Pointer == c.pointer }) {
				t.Errorf("no problem at %s in %v", c.pointer, invalid.Problems)
			}
		})
	}
}

// Each case damages the complete example in one place. The answer must point there.
func TestInvalidDocumentsArePointedAt(t *testing.T) {
	t.Parallel()
	complete, err := os.ReadFile("../testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	complete = bytes.Replace(complete, []byte(`"bus_mode":`), []byte(`"command_queue": "off", "bus_mode":`), 1)
	cases := []struct{ name, old, new, pointer string }{
		{"unknown field", `"method":`, `"hostname": "alice-pi", "method":`, "/hostname"},
		{"unknown field deep inside", `"arch":`, `"mac": "b8:27:eb:00:00:01", "arch":`, "/host/mac"},
		{"a key twice, the first with what would be refused", `"module": {`, `"module": {"serial": "1234"}, "module": {`,
			"/module"},
		{"a key twice, deep inside", `"ended": "converged"`, `"ended": "a", "ended": "converged"`, "/tests/1/ended"},
		{"missing field", `"profile": "standard",`, ``, "/profile"},
		{"serial number in the CID", `"cid": "03534453433332478000000000015a00"`, `"cid": "0353445343333247801234abcd015a00"`,
			"/identity/sd/cid"},
		{"checksum in the CID", `"cid": "03534453433332478000000000015a00"`, `"cid": "03534453433332478000000000015a7b"`,
			"/identity/sd/cid"},
		{"control character", `"Extreme"`, `"Ex\u001btreme"`, "/module/product"},
		{"bidirectional control", `"Extreme"`, `"\u202eExtreme"`, "/module/product"},
		{"invisible character", `"Extreme"`, `"Ext\u200breme"`, "/module/product"},
		{"line separator", `"Extreme"`, `"Ext\u2028reme"`, "/module/product"},
		{"NUL", `"Extreme"`, `"Ext\u0000reme"`, "/module/product"},
		{"a tower of combining marks", `"Extreme"`, `"Extreme` + strings.Repeat("\u0301", 5) + `"`, "/module/product"},
		{"ten thousand combining marks", `"Extreme"`, `"Extreme` + strings.Repeat("\u0301", 10_000) + `"`, "/module/product"},
		{"too long", `"Extreme"`, `"` + strings.Repeat("x", 81) + `"`, "/module/product"},
		{"a fraction of a nanosecond", `"overhead_ns": 1000000`, `"overhead_ns": 0.5`, "/tests/0/overhead_ns"},
		{"unknown test", `"name": "seq-write"`, `"name": "boot"`, "/tests/0/name"},
		{"bytes that aren't operations times block", `"bytes": 268435456`, `"bytes": 268435457`, "/tests/0/bytes"},
		{"histogram that lost an operation", `[9961472, 100]`, `[9961472, 99]`, "/tests/1/latency"},
		{"data made in more than the client's time", `"overhead_ns": 1000000`, `"source_ns": 1000001, "overhead_ns": 1000000`,
			"/tests/0/source_ns"},
		{"a file system that is more than full", `"used_percent": 83`, `"used_percent": 101`, "/target/used_percent"},
		{"a full file system that is none", `"filesystem": "ext4",`, ``, "/target/used_percent"},
		{"discards of another word", `"discards": "on"`, `"discards": "always"`, "/target/discards"},
		{"discards of what takes none", `"discards": "on"`, `"discards": "none"`, "/target/discarded_bytes"},
		{"less than nothing discarded", `1240000000`, `-1`, "/target/discarded_bytes"},
		{"unknown spoiler", `"spoilers": [`, `"spoilers": ["bad-luck", `, "/spoilers/0"},
		{"batches that lost time", `{"ops": 5, "ns": 50000000}`, `{"ops": 5, "ns": 49999999}`, "/tests/1/batches"},
		{"a profile of another method", `"profile": "standard"`, `"profile": "reference"`, "/method"},
		{"zeros by another method", `"area_bytes"`, `"data": "zeros", "area_bytes"`, "/tests/0/data"},
		{"a method of another profile", `"method": "flashdex-1"`, `"method": "altechnative-2012"`, "/method"},
		{"sustained of another method", `"profile": "standard"`, `"profile": "sustained"`, "/method"},
		{"sweep of another profile", `"method": "flashdex-1"`, `"method": "sweep-1"`, "/method"},
		{"iozone of another method", `"profile": "standard"`, `"profile": "iozone"`, "/method"},
		{"a test twice", `"name": "seq-read"`, `"name": "seq-write"`, "/tests/2/name"},
		{"a price of nothing", `"form": "microsd"`,
			`"price": {"amount": 0, "currency": "EUR", "on": "2026-10"}, "form": "microsd"`, "/module/price/amount"},
		{"a currency that is a symbol", `"form": "microsd"`,
			`"price": {"amount": 1, "currency": "€", "on": "2026-10"}, "form": "microsd"`, "/module/price/currency"},
		{"a price of a year", `"form": "microsd"`,
			`"price": {"amount": 1, "currency": "EUR", "on": "2026"}, "form": "microsd"`, "/module/price/on"},
		{"where it was bought", `"form": "microsd"`,
			`"price": {"amount": 1, "currency": "EUR", "on": "2026-10", "shop": "x"}, "form": "microsd"`, "/module/price/shop"},
		{"the serial number of an ATA disk", `"removable": false`, `"ata": {"serial": "20110407ABCD"}, "removable": false`,
			"/identity/ata/serial"},
		{"a mode beyond Ultra DMA 7", `"removable": false`, `"ata": {"udma_max": 8}, "removable": false`,
			"/identity/ata/udma_max"},
		{"more found than claimed", `"removable": false`,
			`"verified": {"claimed_bytes": 1000, "found_bytes": 1001, "on": "2026-11-20"}, "removable": false`,
			"/identity/verified/found_bytes"},
		{"the time of day of a check", `"removable": false`,
			`"verified": {"claimed_bytes": 1000, "found_bytes": 1000, "on": "2026-11-20T10:00:00Z"}, "removable": false`,
			"/identity/verified/on"},
		{"a day that no calendar has", `"removable": false`,
			`"verified": {"claimed_bytes": 1000, "found_bytes": 0, "on": "2026-02-30"}, "removable": false`,
			"/identity/verified/on"},
		{"another one", `"form": "microsd"`,
			`"price": {"amount": 1, "currency": "EUR", "on": "2026-02-29"}, "form": "microsd"`, "/module/price/on"},
		{"what a sign of the CID was", `"date": "10/2021"`, `"crc_wrong": 123, "date": "10/2021"`, "/identity/sd/crc_wrong"},
		{"an unknown state of the command queue", `"command_queue": "off"`, `"command_queue": "-"`, "/host/command_queue"},
		{"a command queue of a stick", `"bus": "sd"`, `"bus": "usb"`, "/host/command_queue"},
		{"id that is no UUID", `"id": "0198f2c4-`, `"id": "../98f2c4-`, "/id"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			damaged := strings.Replace(string(complete), c.old, c.new, 1)
			if damaged == string(complete) {
				t.Fatalf("the example doesn't hold %q", c.old)
			}
			_, err := schema.Read([]byte(damaged))
			var invalid *schema.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("Read: %v, want *InvalidError", err)
			}
			for _, p := range invalid.Problems {
				if p.Pointer == c.pointer && p.Detail != "" {
					return
				}
			}
			t.Errorf("no problem at %s in %v", c.pointer, invalid.Problems)
		})
	}
}

// SpoilerText and docs/method.md explain every code that the schema allows.
func TestSpoilersAreExplained(t *testing.T) {
	t.Parallel()
	var v1 struct {
		Properties struct {
			Spoilers struct{ Items struct{ Enum []string } }
		}
	}
	if err := json.Unmarshal(schema.V1, &v1); err != nil {
		t.Fatal(err)
	}
	method, err := os.ReadFile("../../docs/method.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := v1.Properties.Spoilers.Items.Enum
	if len(codes) < 9 {
		t.Errorf("the schema knows only %v", codes)
	}
	for _, code := range codes {
		if result.SpoilerText(code) == code {
			t.Errorf("%s has no text", code)
		}
		if !strings.Contains(string(method), "| `"+code+"` | ") {
			t.Errorf("docs/method.md doesn't explain %s", code)
		}
	}
}

func TestReadRefusesTextsThatAreNoDocument(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "hello", `{"a":1} {"b":2}`, "\"\xff\""} {
		if _, err := schema.Read([]byte(text)); !errors.Is(err, schema.ErrNotJSON) {
			t.Errorf("Read(%q): %v, want ErrNotJSON", text, err)
		}
	}
	for text, version := range map[string]string{`{"schema_version":2}`: "2", `{"schema_version":"1.0"}`: `"1.0"`,
		`{"schema_version":null}`: "null"} {
		var unsupported *schema.UnsupportedVersionError
		if _, err := schema.Read([]byte(text)); !errors.As(err, &unsupported) || unsupported.Version != version {
			t.Errorf("Read(%s): %v, want version %s to be unsupported", text, err, version)
		}
	}
	for _, text := range []string{"null", "[]", "3", "{}"} {
		var invalid *schema.InvalidError
		if _, err := schema.Read([]byte(text)); !errors.As(err, &invalid) {
			t.Errorf("Read(%s): %v, want *InvalidError", text, err)
		}
	}
}
