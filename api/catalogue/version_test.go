package catalogue_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"flashdex/api/catalogue"
	"flashdex/data"
	"flashdex/result"
)

func TestTheVersionIsThatOfTheTablesThatNamesAreMadeFrom(t *testing.T) {
	t.Parallel()
	with := func(path, more string) string {
		t.Helper()
		files := fstest.MapFS{}
		if err := fs.WalkDir(data.FS, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(data.FS, name)
			if name == path {
				text = append(text, more...)
			}
			files[name] = &fstest.MapFile{Data: text}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c, err := catalogue.Load(files)
		if err != nil {
			t.Fatal(err)
		}
		return c.Version()
	}
	version := load(t).Version()
	for _, path := range []string{
		"modules/samsung.json", "part_numbers.csv", "one_form_lines.csv", "printed_rates.csv", "manufacturer_ids.csv",
		"usb_ids.csv",
	} {
		if with(path, "") != version || with(path, "\n") == version {
			t.Errorf("%s: another version without a change, or none with one", path)
		}
	}
	if with("tool_methods.csv", "\n") != version {
		t.Error("tools name no module")
	}
}

func TestUnitsOfOneProductHaveTheirRegistersAndCapacityInCommon(t *testing.T) {
	t.Parallel()
	card := func(bus, name string, bytes int64) result.Identity {
		of := &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: name, HWRev: "0x8", Date: "10/2021"}
		if bus == "mmc" {
			return result.Identity{Bus: bus, MMC: of, SizeBytes: bytes}
		}
		return result.Identity{Bus: bus, SD: of, SizeBytes: bytes}
	}
	for want, doc := range map[string]result.Document{
		"sd 0x03/SD SL16G 16gb":  {Identity: card("sd", "SL16G", 15931539456)},
		"sd 0x03/SD SL16G 32gb":  {Identity: card("sd", "SL16G", 31914983424)},
		"mmc 0x03/SD SL16G 16gb": {Identity: card("mmc", "SL16G", 15931539456)},
		"sd 0x03/SD SL16G":       {Identity: card("sd", "SL16G", 0)},
		"":                       {Identity: card("sd", "", 15931539456)},
	} {
		if got := catalogue.RegistersOf(&doc); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		doc.Stack = &result.Stack{Members: []result.Identity{doc.Identity}}
		if got := catalogue.RegistersOf(&doc); got != "" {
			t.Errorf("a stack has %q in common", got)
		}
	}
}
