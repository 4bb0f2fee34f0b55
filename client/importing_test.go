package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/result"
	"flashdex/result/schema"
)

var named = []string{"--vendor", "SanDisk", "--product", "Ultra", "--capacity", "32GB", "--form", "microsd"}

// The real client imports a real output, keeps a valid document with nothing of this computer in it, and uploads it.
func TestImport(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	for _, name := range []string{"iozone-a.txt", "iozone-all.txt", "fio.json", "dd-gnu.txt", "dd-busybox.txt", "agnostics-2020.txt"} {
		command, spoolDir := client(t, append([]string{"import", "transcript/testdata/" + name, "--site", site.URL, "--yes", "--upload", "--json"}, named...)...)
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var printed struct {
			Result    json.RawMessage `json:"result"`
			Clean     bool            `json:"clean"`
			NotRanked []string        `json:"not_ranked"`
			Receipt   struct {
				State string `json:"state"`
			} `json:"receipt"`
		}
		if err := json.Unmarshal(out, &printed); err != nil {
			t.Fatal(err)
		}
		doc, err := schema.Read(printed.Result)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if printed.Clean || len(printed.NotRanked) == 0 || printed.Receipt.State != "accepted" {
			t.Errorf("%s: clean %v, not ranked %q, receipt %q", name, printed.Clean, printed.NotRanked, printed.Receipt.State)
		}
		if doc.Method != result.MethodOfImport(doc.Imported.Tool) || doc.Host != (result.Host{}) || doc.Identity.Bus != "" || doc.UnitTag != "" || doc.Module.CapacityGB != 32 {
			t.Errorf("%s: %+v", name, doc)
		}
		if files, _ := filepath.Glob(spoolDir + "/*.json"); len(files) != 2 { // with the receipt
			t.Errorf("%s: kept %q", name, files)
		}
	}
}

// A file that can't be imported, or that says too little for a script, leaves nothing and stays as it was.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile("transcript/testdata/iozone-a.txt")
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut")
	if err := os.WriteFile(cut, whole[:len(whole)-100], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		says      string
	}{
		{append([]string{"import", cut}, named...), "ends early"},
		{append([]string{"import", "transcript/testdata/dd-bare.txt"}, named...), "add --test, --direct"},
		{append([]string{"import", "transcript/testdata/dd-bare.txt", "--test", "seq-write", "--direct", "yes"}, named...), "add --sync"},
		{[]string{"import", "transcript/testdata/dd-gnu.txt", "--vendor", "SanDisk", "--form", "sd"}, "add --product, --capacity"},
		{append([]string{"import", "transcript/testdata/dd-gnu.txt", "--direct", "no"}, named...), "the output says yes"},
		{append([]string{"import", "transcript/testdata/dd-gnu.txt", "--sync", "often"}, named...), "is none of none, fsync"},
		{[]string{"import", "importing.go"}, "none of the outputs"},
		{[]string{"import", "nowhere"}, "no such file"},
		{[]string{"import"}, "takes one file"},
		{[]string{"list", "--direct", "no"}, "go with import"},
	} {
		command, spoolDir := client(t, c.arguments...)
		command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal
		var said bytes.Buffer
		command.Stderr = &said
		_ = command.Run()
		if code := command.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(said.String(), c.says) {
			t.Errorf("%q: exit code %d, %s; want %d and %q", c.arguments, code, said.String(), exitUsage, c.says)
		}
		if files, _ := filepath.Glob(spoolDir + "/*.json"); files != nil {
			t.Errorf("%q: kept %q", c.arguments, files)
		}
	}
	if left, err := os.ReadFile(cut); err != nil || !bytes.Equal(left, whole[:len(whole)-100]) {
		t.Errorf("the file was changed: %v", err)
	}
}

// On a terminal it asks, and the document lists what the user told of the test.
func TestImportAsks(t *testing.T) {
	t.Parallel()
	master, slave := terminal(t)
	command := exec.Command(binary(t), "import", "transcript/testdata/dd-bare.txt", "--no-upload", "--json")
	command.Env = append(os.Environ(), "FLASHDEX_DIR="+t.TempDir())
	command.ExtraFiles = []*os.File{slave}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	var out bytes.Buffer
	command.Stdout = &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	asked := make([]byte, 4096)
	for _, dialog := range [][2]string{
		{"What did it do", "seq-write"}, {"Past the page cache", "yes"}, {"How writes were flushed", "none"},
		{"Vendor", "SanDisk"}, {"Product", "Extreme A2"}, {"Capacity", "64GB"}, {"Form", "microsd"},
	} {
		for said := ""; !strings.Contains(said, dialog[0]); {
			n, err := master.Read(asked)
			if err != nil {
				t.Fatal(err)
			}
			said += string(asked[:n])
		}
		if _, err := io.WriteString(master, dialog[1]+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	var printed struct{ Result json.RawMessage }
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatal(err)
	}
	doc, err := schema.Read(printed.Result)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"test", "direct", "sync"}; !slices.Equal(doc.Imported.Told, want) || doc.Module.Product != "Extreme A2" || doc.Module.CapacityGB != 64 {
		t.Errorf("told %q, want %q; %+v", doc.Imported.Told, want, doc.Module)
	}
}
