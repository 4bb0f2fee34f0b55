package dataset

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// DeviceFact is a row of Devices.
type DeviceFact struct {
	*catalogue.Device
	catalogue.DeviceFact
}

// Devices lists the facts that devices' pages show besides the figures of modules.
var Devices = table(Table{
	Name: "devices",
	Description: "One row for each fact that a source tells of the card slot of a device, such as a camera or a board. " +
		"Nobody uploaded it.",
	Key: []string{"device", "fact"},
}, []Column[DeviceFact]{
	{Field{"device", Key, "", "Key of the device: its page, if its slot is known or assumed, is /device/<device>/",
		required}, func(f *DeviceFact) any { return &f.Slug }},
	{Field{"name", Text, "", "The device as one reads it", required}, func(f *DeviceFact) any { return &f.Name }},
	{Field{"kind", Key, "", "What it is: board, camera and others", required},
		func(f *DeviceFact) any { return &f.Kind }},
	{Field{"fact", Key, "", "What the row tells: slot, bus_mode (the quickest), bus_mb_per_s (what the slot carries at " +
		"most, where that is less than the mode does), command_queue, max_capacity_gb, games_need (the form), " +
		"kernel_name (what the kernel calls the device), measured_read_mb_per_s, measured_write_mb_per_s, profile " +
		"(what it does with the card)", required},
		func(f *DeviceFact) any { return &f.Key }},
	{Field{"value", Text, "", "What the source says", required}, func(f *DeviceFact) any { return &f.Value }},
	{Field{"mb_per_s", Number, "MB/s", "The rate that the fact states; of a bus mode, the most that it carries",
		notNegative}, func(f *DeviceFact) any { return given(new(f.MBPerS())) }},
	{Field{"source", Text, "", "Address, or the key of a source, see /sources/", required},
		func(f *DeviceFact) any { return &f.Source }},
	{Field{"looked_at", Text, "", "Day that the source was read", none}, func(f *DeviceFact) any { return &f.LookedAt }},
	{Field{"note", Text, "", "Note on the fact", none}, func(f *DeviceFact) any { return &f.Note }},
})

// EachDeviceFact calls do for each fact of each device.
func EachDeviceFact(_ *figure.Overview, c *catalogue.Catalogue, do func(*DeviceFact) error) error {
	for i := range c.Devices {
		for _, f := range c.Devices[i].Facts {
			if err := do(&DeviceFact{&c.Devices[i], f}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Endured lists how long single cards lasted.
var Endured = table(Table{
	Name: "endured",
	Description: "One row for each card that somebody wrote full over and over, and told after how many rounds it had " +
		"its first error, and was dead, or how many it has survived. Nobody uploaded it.",
	Key: []string{"module", "unit"}, References: []string{"module"},
}, []Column[catalogue.Endured]{
	{Field{"module", Key, "", "Key of the module", required}, func(e *catalogue.Endured) any { return &e.ModuleSlug }},
	{Field{"unit", Key, "", "The card, as the source tells several apart", required},
		func(e *catalogue.Endured) any { return &e.Unit }},
	{Field{"first_error_rounds", Integer, "", "Rounds until its first error; empty: not told, or not yet", notNegative},
		func(e *catalogue.Endured) any { return told(e.FirstError) }},
	{Field{"failed_rounds", Integer, "", "Rounds until it was dead; empty: not told, or not yet", notNegative},
		func(e *catalogue.Endured) any { return told(e.Failed) }},
	{Field{"source", Key, "", "Key of the source, see /sources/", required},
		func(e *catalogue.Endured) any { return &e.Source }},
	{Field{"url", Text, "", "Page that tells", none}, func(e *catalogue.Endured) any { return &e.Address }},
	{Field{"watched_rounds", Integer, "", "Rounds that it survived so far; empty: it is dead, or not told", notNegative},
		func(e *catalogue.Endured) any { return told(e.Watched) }},
})

// told returns nil for a negative number, which stands for unknown.
func told(n int) *int64 {
	if n < 0 {
		return nil
	}
	return new(int64(n))
}

// EachEndured calls do for each card of a module of the table Modules.
func EachEndured(s *figure.Overview, c *catalogue.Catalogue, do func(*catalogue.Endured) error) error {
	return eachOf(s, c.Endured, func(e *catalogue.Endured) string { return e.ModuleSlug }, do)
}

// Prices lists the prices of modules that sources printed.
var Prices = table(Table{
	Name: "prices",
	Description: "One row for each price of a module that a source printed. Nobody uploaded it: what contributors paid " +
		"is in the tables results and figures.",
	Key: []string{"module", "source", "date"}, References: []string{"module"},
}, []Column[catalogue.PublishedPrice]{
	{Field{"module", Key, "", "Key of the module", required},
		func(p *catalogue.PublishedPrice) any { return &p.ModuleSlug }},
	{Field{"amount", Number, "", "The price; empty: the source only compares it", notNegative},
		func(p *catalogue.PublishedPrice) any { return given(&p.Price) }},
	{Field{"currency", Key, "", "ISO 4217; none is converted", none},
		func(p *catalogue.PublishedPrice) any { return &p.Currency }},
	{Field{"date", Text, "", "Day, month or year of the price, as the source tells it", none},
		func(p *catalogue.PublishedPrice) any { return &p.Date }},
	{Field{"source", Key, "", "Key of the source, see /sources/", required},
		func(p *catalogue.PublishedPrice) any { return &p.Source }},
	{Field{"shop", Text, "", "Where it was bought or offered", none},
		func(p *catalogue.PublishedPrice) any { return &p.Shop }},
	{Field{"times_per_gb", Number, "", "How many times as much each GB cost as of what compared_with names",
		notNegative}, func(p *catalogue.PublishedPrice) any { return given(&p.TimesPerGB) }},
	{Field{"compared_with", Text, "", "What times_per_gb compares with", none},
		func(p *catalogue.PublishedPrice) any { return &p.ComparedWith }},
})

// EachPrice calls do for each price of a module of the table Modules.
func EachPrice(s *figure.Overview, c *catalogue.Catalogue, do func(*catalogue.PublishedPrice) error) error {
	return eachOf(s, c.PublishedPrices, func(p *catalogue.PublishedPrice) string { return p.ModuleSlug }, do)
}

// Checks lists units whose capacity somebody checked.
var Checks = table(Table{
	Name: "checks",
	Description: "One row for each unit whose capacity somebody checked and published. Nobody uploaded it: what " +
		"contributors found is in the table units.",
	Key: []string{"module", "source", "date"}, References: []string{"module"},
}, []Column[catalogue.CapacityCheck]{
	{Field{"module", Key, "", "Key of the module", required},
		func(k *catalogue.CapacityCheck) any { return &k.ModuleSlug }},
	{Field{"printed_capacity_gb", Number, "GB", "What is printed on it", notNegative},
		func(k *catalogue.CapacityCheck) any { return &k.PrintedGB }},
	{Field{"real_capacity", Text, "", "What was found, as the source prints it", none},
		func(k *catalogue.CapacityCheck) any { return &k.Real }},
	{Field{"verdict", Key, "", "Of the source: fake, full capacity, or full capacity, slower than rated", required},
		func(k *catalogue.CapacityCheck) any { return &k.Verdict }},
	{Field{"date", Text, "", "Day of the check", none}, func(k *catalogue.CapacityCheck) any { return &k.Date }},
	{Field{"source", Key, "", "Key of the source, see /sources/", required},
		func(k *catalogue.CapacityCheck) any { return &k.Source }},
	{Field{"how", Text, "", "With which programs", none}, func(k *catalogue.CapacityCheck) any { return &k.How }},
	{Field{"note", Text, "", "Note of the source", none}, func(k *catalogue.CapacityCheck) any { return &k.Note }},
})

// EachCheck calls do for each checked unit of a module of the table Modules.
func EachCheck(s *figure.Overview, c *catalogue.Catalogue, do func(*catalogue.CapacityCheck) error) error {
	return eachOf(s, c.CapacityChecks, func(k *catalogue.CapacityCheck) string { return k.ModuleSlug }, do)
}

// eachOf calls do for each row of a module of the table Modules.
func eachOf[T any](s *figure.Overview, rows []T, module func(*T) string, do func(*T) error) error {
	known := map[string]bool{}
	for i := range s.Modules {
		known[s.Modules[i].Slug] = true
	}
	for i := range rows {
		if !known[module(&rows[i])] {
			continue
		}
		if err := do(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}
