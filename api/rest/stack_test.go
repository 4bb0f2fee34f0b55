package rest_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The figures of a stack are not its members' figures: they aren't stored or shown as such, and don't move the members'
// ranks.
func TestAStackCountsForNoModule(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	clean := func(body []byte) []byte {
		spoiled := []byte(`"spoilers": [` + "\n" + `  "busy-device",` + "\n" + `  "root-disk"` + "\n" + ` ]`)
		if !bytes.Contains(body, spoiled) {
			t.Fatal("the example has other spoilers")
		}
		return bytes.Replace(body, spoiled, []byte(`"spoilers": []`), 1)
	}
	b.do(b.upload(id, clean(body))).json(t, http.StatusCreated)
	b.fold()
	const member = "/v1/modules/sandisk-extreme-32gb-microsd"
	shown := func() map[string]any {
		m := b.get(member).json(t, http.StatusOK)
		delete(m, "generation")
		return m
	}
	before := shown()
	if figures := before["methods"].([]any); len(figures) == 0 {
		t.Fatal("the module has no figures")
	}
	stack, err := os.ReadFile("../../result/testdata/valid/stack-raid0.json")
	if err != nil {
		t.Fatal(err)
	}
	const stackID = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d9a"
	receipt := b.do(b.upload(stackID, clean(stack))).json(t, http.StatusCreated)
	module := receipt["module"].(map[string]any)
	const slug = "stack-raid0-512kib-2-sandisk-extreme-32gb-microsd"
	if module["slug"] != slug || module["name"] != "RAID 0 in chunks of 512 KiB of 2 × SanDisk Extreme 32 GB microSD" ||
		receipt["state"] != "accepted" || len(receipt["not_ranked"].([]any)) > 0 {
		t.Errorf("%v", receipt)
	}
	b.fold()
	for b.get("/v1/modules/"+slug).status == http.StatusNotFound { // the table in memory may be two seconds old
		time.Sleep(100 * time.Millisecond)
	}
	if diff := cmp.Diff(before, shown()); diff != "" {
		t.Errorf("the member (-before +after):\n%s", diff)
	}
	own := b.get("/v1/modules/"+slug).json(t, http.StatusOK)
	methods := own["methods"].([]any)
	if own["form"] != "stack" || len(methods) != 1 || methods[0].(map[string]any)["method"] != "stack-1" ||
		methods[0].(map[string]any)["figures"].(map[string]any)["rand_write_iops"] == nil {
		t.Errorf("%v", own)
	}
	for _, m := range names(t, b.get("/v1/modules").json(t, http.StatusOK)) {
		if m == slug {
			t.Error("the stack stands in the ranking of modules")
		}
	}
	if found := names(t, b.get("/v1/modules?method=stack-1&form=stack").json(t, http.StatusOK)); len(found) != 1 ||
		found[0] != slug {
		t.Errorf("stacks: %v", found)
	}
	page := string(b.get("/r/" + stackID).body)
	for _, part := range []string{"<title>RAID 0 in chunks of 512 KiB of 2 × SanDisk Extreme 32 GB m… · Flashdex</title>",
		"RAID 0", "512 KiB", "SD card 0x000003 0x5344 SC32G", "none of the modules"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}
