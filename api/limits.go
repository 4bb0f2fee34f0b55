package main

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"flashdex/api/rest"
)

// limitFlags limit how much of the server one sender, or all senders together, may use. docs/operations.md explains the
// values.
//
// A network is an IPv4 address or an IPv6 /56: a household. A /24 or /48 may add twice as much in a day, and a /16 or
// /32 four times as much. All users behind a proxy that is not trusted share one network's limits.
type limitFlags struct {
	WriteRate         float64        `default:"1" help:"Uploads and deletions per second from one network; 0: no limit."`
	WriteBurst        int            `default:"240" help:"Uploads and deletions at once from one network."`
	ContributorRate   float64        `default:"0.5" help:"The same from one contributor; 0: no limit."`
	ContributorBurst  int            `default:"120" help:"Uploads and deletions at once from one contributor."`
	DailyModules      int            `default:"80" help:"New modules a day from one household; 0: no limit."`
	DailyContributors int            `default:"200" help:"New contributors a day from one household; 0: no limit."`
	DailyMegabytes    int            `default:"64" help:"MB of documents a day from one household; 0: no limit."`
	DailyObjections   int            `default:"20" help:"Objections a day from one household; 0: no limit."`
	ReadRate          float64        `default:"50" help:"Pages, files and API reads per second; 0: no limit."`
	ReadBurst         int            `default:"1000" help:"Pages, files and API reads at once."`
	MaxInFlight       int            `default:"256" help:"Requests that use the database at once; 0: no limit."`
	BodyTimeout       time.Duration  `default:"20s" help:"Time limit for the largest body, and in proportion for others."`
	ExportTimeout     time.Duration  `default:"15m" help:"Time limit for a table that is read from the database."`
	TrustedProxies    []netip.Prefix `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is believed."`
}

// check refuses limits that would refuse every request.
func (f limitFlags) check() error {
	l := f.limits()
	for i, of := range []rest.Rate{l.Writes, l.Contributor, l.Reads} {
		name := []string{"write", "contributor", "read"}[i]
		if !(of.PerSecond >= 0) || math.IsInf(of.PerSecond, 0) {
			return fmt.Errorf("--%s-rate must be a number of requests a second, or 0 for no limit, not %v", name, of.PerSecond)
		}
		if of.PerSecond > 0 && of.Burst < 1 {
			return fmt.Errorf("--%s-burst must be at least 1, not %d", name, of.Burst)
		}
	}
	for i, n := range []int{f.DailyModules, f.DailyContributors, f.DailyMegabytes, f.DailyObjections} {
		if name := []string{"modules", "contributors", "megabytes", "objections"}[i]; n < 0 || n > 1_000_000 {
			return fmt.Errorf("--daily-%s must be 1 to 1000000, or 0 for no limit, not %d", name, n)
		}
	}
	if f.MaxInFlight < 0 {
		return fmt.Errorf("--max-in-flight must be a number of requests, or 0 for no limit, not %d", f.MaxInFlight)
	}
	if f.BodyTimeout <= 0 {
		return fmt.Errorf("--body-timeout must be more than 0s, not %s", f.BodyTimeout)
	}
	if f.ExportTimeout <= 0 {
		return fmt.Errorf("--export-timeout must be more than 0s, not %s", f.ExportTimeout)
	}
	return nil
}

func (f limitFlags) limits() rest.Limits {
	return rest.Limits{
		Writes:      rest.Rate{PerSecond: f.WriteRate, Burst: f.WriteBurst},
		Contributor: rest.Rate{PerSecond: f.ContributorRate, Burst: f.ContributorBurst},
		Daily: rest.Daily{Modules: f.DailyModules, Contributors: f.DailyContributors, Bytes: f.DailyMegabytes * 1e6,
			Objections: f.DailyObjections},
		Reads:    rest.Rate{PerSecond: f.ReadRate, Burst: f.ReadBurst},
		InFlight: f.MaxInFlight, BodyTimeout: f.BodyTimeout, ExportTimeout: f.ExportTimeout,
		TrustedProxies: f.TrustedProxies,
	}
}
