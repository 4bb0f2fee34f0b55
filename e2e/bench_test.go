package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/submission/copies/copiestest"
	"flashdex/client/looptest"
	"flashdex/result"
)

// BenchmarkUploadToVisible measures from the answer to an upload until the module's page shows it. It also measures
// how long Hugo alone takes to build the same site, because publication can't be quicker than that.
func BenchmarkUploadToVisible(b *testing.B) {
	data := b.TempDir()
	s := startServer(b, data)
	document, err := os.ReadFile("../result/testdata/valid/sd-card.json")
	if err != nil {
		b.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(document, &doc); err != nil {
		b.Fatal(err)
	}
	var waits, builds []float64
	for range max(b.N, 7) {
		doc.ID = result.NewID()
		page := upload(b, s.site, "0a", &doc)
		start := time.Now()
		for {
			if text, _ := get(b, page); strings.Contains(text, doc.ID) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		waits = append(waits, time.Since(start).Seconds())
		builds = append(builds, hugoAlone(b, data))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(waits), "s-to-visible")
	b.ReportMetric(slices.Max(waits), "s-to-visible-max")
	b.ReportMetric(middle(builds), "s-hugo-alone")
}

// hugoAlone builds the input of the last publication again and returns the seconds it took.
func hugoAlone(b *testing.B, data string) float64 {
	made, err := filepath.Glob(filepath.Join(data, "site/building/*/hugo/overlay.toml"))
	if err != nil || len(made) == 0 {
		b.Fatalf("%v, %v", made, err)
	}
	start := time.Now()
	output, err := exec.Command(filepath.Join(root, "bin/hugo"), "build", "--quiet", "--noBuildLock",
		"--source", filepath.Join(root, "site"), "--destination", b.TempDir(),
		"--config", "hugo.toml,"+made[0]).CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	return time.Since(start).Seconds()
}

// upload sends a result and returns the address of its module's page; "" if the result is held back.
func upload(b testing.TB, site, contributor string, doc *result.Document) string {
	doc.StartedAt = copiestest.NextStart()
	body, err := json.Marshal(doc)
	if err != nil {
		b.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPut, site+"/v1/results/"+doc.ID, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+strings.Repeat(contributor, 32))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	var receipt struct {
		State  string `json:"state"`
		Module struct {
			Slug string `json:"slug"`
		} `json:"module"`
	}
	text, err := io.ReadAll(answer.Body)
	if err = cmp.Or(err, json.Unmarshal(text, &receipt)); err != nil || answer.StatusCode != http.StatusCreated {
		b.Fatalf("upload: %s, %v", answer.Status, err)
	}
	if receipt.State != "accepted" {
		b.Logf("held back: %s", text)
		return ""
	}
	return site + "/modules/" + receipt.Module.Slug + "/"
}

// BenchmarkRandomWriteAgainstFio measures 4K random writes with the client and with fio, in turn, on one loop device.
func BenchmarkRandomWriteAgainstFio(b *testing.B) {
	mount := looptest.Mount(b, 1<<30, "").Dir
	var ours, theirs, ratios []float64
	for range max(b.N, 11) { // other work on the machine changes single turns by a tenth
		o, f := clientIOPS(b, mount), fioIOPS(b, mount)
		ours, theirs, ratios = append(ours, o), append(theirs, f), append(ratios, o/f)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(ours), "client-IOPS")
	b.ReportMetric(middle(theirs), "fio-IOPS")
	b.ReportMetric(middle(ratios), "client/fio")
}

func clientIOPS(b *testing.B, mount string) float64 {
	spool := b.TempDir()
	program := filepath.Join(root, "var/clients/flashdex-linux-amd64")
	cmd := exec.Command(program, "--profile", "quick", "--no-upload", mount)
	cmd.Env = append(os.Environ(), "FLASHDEX_DIR="+spool)
	if output, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	files, _ := filepath.Glob(filepath.Join(spool, "*.json"))
	if len(files) != 1 {
		b.Fatalf("results: %v", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		b.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		b.Fatal(err)
	}
	return *doc.Test(result.RandWrite).Figures().IOPS
}

// fioIOPS writes like the client: every 4 KiB block of a written area of 64 MiB once, at random, O_DIRECT, O_DSYNC. It
// also counts like the client: operations over the sum of their latencies, without fio's own time between them.
func fioIOPS(b *testing.B, mount string) float64 {
	file := filepath.Join(mount, "fio")
	defer os.Remove(file)
	common := []string{"--name=f", "--filename=" + file, "--size=64M", "--direct=1", "--ioengine=psync",
		"--refill_buffers", "--output-format=json"}
	fill := append(common, "--rw=write", "--bs=1M", "--end_fsync=1")
	if output, err := exec.Command("fio", fill...).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	random := append(common, "--rw=randwrite", "--bs=4k", "--sync=dsync", "--overwrite=1", "--runtime=20")
	output, err := exec.Command("fio", random...).Output()
	if err != nil {
		b.Fatal(err)
	}
	var said struct {
		Jobs []struct {
			Write struct {
				Latency struct {
					MeanNS float64 `json:"mean"`
				} `json:"lat_ns"`
			} `json:"write"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(output, &said); err != nil || len(said.Jobs) != 1 || said.Jobs[0].Write.Latency.MeanNS == 0 {
		b.Fatalf("fio said %s (%v)", output, err)
	}
	return 1e9 / said.Jobs[0].Write.Latency.MeanNS
}

// BenchmarkSizes reports how much a person downloads to test a card. Peers install more (Debian 12, on top of required
// and important packages): PiBenchmarks 45.3 MB in 90 packages, fio alone 36.7 MB in 34.
func BenchmarkSizes(b *testing.B) {
	b.ReportMetric(0, "ns/op")
	for name, file := range map[string]string{
		"script": "flashdex.sh", "amd64": "flashdex-linux-amd64", "armv6": "flashdex-linux-armv6",
		"arm64": "flashdex-linux-arm64", "mipsle": "flashdex-linux-mipsle",
	} {
		info, err := os.Stat(filepath.Join(root, "var/clients", file))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size()), fmt.Sprintf("bytes-%s", name))
	}
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
