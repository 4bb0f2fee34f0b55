package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"flashdex/client/device"
	"flashdex/client/spool"
	"flashdex/result"
)

// listModules prints this machine's modules, the known facts about each, and the command that measures it.
func listModules(o options) error {
	modules := device.Running.Modules()
	if len(modules) == 0 {
		return usagef("name a directory on the module to measure, such as /mnt/card: this machine shows no card, eMMC or " +
			"USB module; flashdex help all explains")
	}
	printModules(os.Stdout, o, modules, earlierRates(device.Running))
	return nil
}

// earlierRates returns a function that finds the newest 4K random write rate and its date in the kept results of a
// disk.
func earlierRates(k device.Kernel) func(device.Disk) string {
	kept, err := spool.Open()
	if err != nil {
		return func(device.Disk) string { return "" }
	}
	all, _ := kept.All() // only the readable ones
	if len(all) == 0 {
		return func(device.Disk) string { return "" }
	}
	key, err := kept.TagKey()
	return func(d device.Disk) string {
		tag := k.UnitTag(d, key)
		for _, one := range slices.Backward(all) {
			t := one.Result.Test(result.RandWrite)
			if err == nil && tag != "" && one.Result.UnitTag == tag && t != nil {
				date, _, _ := strings.Cut(one.Result.StartedAt, "T")
				return fmt.Sprintf("; 4K random write %s on %s", figure(t), date)
			}
		}
		return ""
	}
}

func printModules(to io.Writer, o options, modules []device.Seen, rate func(device.Disk) string) {
	reader := false
	for _, m := range modules {
		where, command := "not mounted. Mount it, and name its directory; or, if you need nothing on it:",
			clientCommand(o, "--device", "/dev/"+m.Disk.Name, "--erase")
		switch {
		case m.System:
			where, command = "the system runs from it", clientCommand(o, cmp.Or(os.Getenv("HOME"), "/"))
		case len(m.Points) > 0:
			where, command = "mounted on "+m.Points[0], clientCommand(o, m.Points[0])
		}
		fmt.Fprintf(to, "%s, %s%s; %s\n    %s\n", m.Disk.Name, describe(&result.Document{Identity: m.Identity}),
			rate(m.Disk), spool.Clean(where), spool.Clean(command))
		reader = reader || m.Identity.USB != nil
	}
	if reader {
		fmt.Fprintln(to, "If a card is in a reader, say which: --vendor NAME --product NAME --capacity 32GB --form microsd")
	}
	fmt.Fprintln(to, "A run takes two to three minutes and asks before it uploads; flashdex help explains.")
}
