package catalogue_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// A CID names a module with a retail name only if no card in our own tables contradicts that.
func TestNoCardContradictsTheRegistersOfARetailName(t *testing.T) {
	t.Parallel()
	for _, found := range contradictions(t, load(t)) {
		t.Error(found)
	}
	wrong := withModules(t, `{"vendor": "SanDisk", "modules": [
		{"slug": "a-label", "product": "Extreme", "capacity_gb": 64, "form": "microsd", "cid": ["0x03/SD AGGCE"]},
		{"slug": "another-line", "product": "Max", "capacity_gb": 32, "form": "sd", "cid": ["0x03/SD SP32G"]},
		{"slug": "another-revision", "product": "Ace", "capacity_gb": 32, "form": "sd", "cid": ["0x03/SD SP32G 0x9"]},
		{"slug": "another-size", "product": "Eco", "capacity_gb": 64, "form": "sd", "cid": ["0x27/PH SD32G"]},
		{"slug": "a-chip", "product": "Chip", "capacity_gb": 64, "form": "emmc", "cid": ["0x15/0x0100 DUTB42"]},
		{"slug": "no-retail-name", "product": "SP32G", "capacity_gb": 32, "form": "sd", "cid": ["0x03/SD SP32G"],
			"provisional": true}]}`)
	found := strings.Join(contradictions(t, wrong), "\n")
	for slug, want := range map[string]bool{"a-label": true, "another-line": true, "another-revision": false,
		"another-size": true, "a-chip": true, "no-retail-name": false} {
		if strings.Contains(found, slug+":") != want {
			t.Errorf("%s is contradicted: %v, want %v, in\n%s", slug, !want, want, found)
		}
	}
}

// contradictions returns the cards in our tables that contradict a retail name. Such a card has a CID that only one
// listed module with a retail name has, but another size, or a label of another product.
func contradictions(t *testing.T, c *catalogue.Catalogue) (found []string) {
	t.Helper()
	for _, card := range seenCards(t) {
		for _, m := range c.Modules {
			bus := map[bool]string{true: "mmc", false: "sd"}[m.Form == "emmc"]
			has := func(id string) bool {
				id = bus + " " + id
				return strings.EqualFold(id, card.cid) || strings.EqualFold(id, card.cid+" "+card.hwrev)
			}
			if m.Provisional || !slices.ContainsFunc(m.CID, has) {
				continue
			}
			label := resolve(c, typed("", card.label, m.CapacityGB, m.Form))
			size := strings.ToLower(strings.ReplaceAll(catalogue.CapacityLabel(m.CapacityGB), " ", ""))
			if size != card.size || card.means == "none" ||
				card.means == "ambiguous" && !slices.Contains(label.Candidates, m.Slug) ||
				!slices.Contains([]string{"", "none", "ambiguous", m.Slug}, card.means) {
				found = append(found, fmt.Sprintf("%s: %s has %s of %s, labelled %q (%s)", m.Slug, card.table, card.cid,
					card.size, card.label, card.means))
			}
		}
	}
	return found
}

// seen is a card in a table: its bus and CID as in the catalogue, its marketed size, its label and the label's meaning.
type seen struct{ table, cid, hwrev, size, label, means string }

// seenCards reads all tables with registers of cards. Lists from hosts have no labels.
func seenCards(t *testing.T) (cards []seen) {
	t.Helper()
	const gib = 1 << 30
	add := func(s seen, mmc bool, manfid, oemid, name, size string, unit float64) {
		number, err := strconv.ParseFloat(size, 64)
		if err != nil {
			return // a dump without its size
		}
		card := &result.Register{Manfid: manfid, OEMID: oemid, Name: name}
		device := result.Identity{Bus: "sd", SizeBytes: int64(number * unit), SD: card}
		if mmc {
			device.Bus, device.SD, device.MMC = "mmc", nil, card
		}
		ids := catalogue.RegistersOf(&result.Document{Identity: device})
		if at := strings.LastIndex(ids, " "); at > 0 {
			s.cid, s.size = ids[:at], ids[at+1:]
			cards = append(cards, s)
		}
	}
	for _, r := range table(t, "card_registers.csv") {
		add(seen{table: "card_registers.csv", label: r["label"], means: r["module"]}, false, r["manfid"], r["oemid"],
			r["pnm"], r["capacity_bytes_from_csd"], 1)
	}
	for _, r := range table(t, "mmc_inventory.csv") {
		printed := strings.Fields(r["name_as_printed"])
		add(seen{table: "mmc_inventory.csv", hwrev: r["hwrev"]}, strings.Contains(r["bus_mode_and_type"], "eMMC"),
			r["manfid"], r["oemid"], printed[len(printed)-1], r["size_gib"], gib)
	}
	for _, r := range table(t, "near_zero_serials.csv") {
		manfid, oemid, _ := strings.Cut(r["manfid_oemid"], "/")
		hwrev, _, _ := strings.Cut(r["hwrev_fwrev"], "/")
		add(seen{table: "near_zero_serials.csv", hwrev: hwrev}, false, manfid, oemid, r["name"],
			strings.TrimSuffix(r["capacity_as_printed"], " GiB"), gib)
	}
	for _, name := range []string{"collected_registers.csv", "public_registers.csv", "thread_registers.csv"} {
		for _, r := range readTable(t, name) {
			add(seen{table: name, hwrev: r[5], label: r[1], means: r[13]},
				r[11] == "emmc" || r[11] == "mmc", r[2], r[3], r[4], r[10], 1e9)
		}
	}
	if len(cards) < 600 {
		t.Errorf("%d cards in the tables, want at least 600", len(cards))
	}
	return cards
}
