package main

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"flashdex/api/rest"
)

// limitFlags say how much of the server one sender, or all together, may use. docs/operations.md says how they were chosen.
type limitFlags struct {
	WriteRate        float64        `default:"1" env:"FLASHDEX_WRITE_RATE" help:"Uploads and deletions a second that one network (an IPv4 address or IPv6 /56) may send lastingly; 0: no limit."`
	WriteBurst       int            `default:"240" env:"FLASHDEX_WRITE_BURST" help:"Uploads and deletions that one network may send at once."`
	ContributorRate  float64        `default:"0.5" env:"FLASHDEX_CONTRIBUTOR_RATE" help:"Uploads and deletions a second that one contributor may send lastingly; 0: no limit."`
	ContributorBurst int            `default:"120" env:"FLASHDEX_CONTRIBUTOR_BURST" help:"Uploads and deletions that one contributor may send at once."`
	ReadRate         float64        `default:"50" env:"FLASHDEX_READ_RATE" help:"Pages, files and API reads a second that one network may ask for lastingly; 0: no limit."`
	ReadBurst        int            `default:"1000" env:"FLASHDEX_READ_BURST" help:"Pages, files and API reads that one network may ask for at once."`
	MaxInFlight      int            `default:"256" env:"FLASHDEX_MAX_IN_FLIGHT" help:"Requests that may use the database at once; further ones are answered 503. 0: no limit."`
	BodyTimeout      time.Duration  `default:"20s" env:"FLASHDEX_BODY_TIMEOUT" help:"How long the body of a request may take to come."`
	TrustedProxies   []netip.Prefix `env:"FLASHDEX_TRUSTED_PROXIES" placeholder:"CIDR,..." help:"Proxies whose X-Forwarded-For is believed. Without them a server behind a proxy takes all its users for one."`
}

// check refuses limits within which nobody could be answered.
func (f limitFlags) check() error {
	for _, of := range []struct {
		name  string
		rate  float64
		burst int
	}{{"write", f.WriteRate, f.WriteBurst}, {"contributor", f.ContributorRate, f.ContributorBurst}, {"read", f.ReadRate, f.ReadBurst}} {
		if !(of.rate >= 0) || math.IsInf(of.rate, 0) {
			return fmt.Errorf("--%s-rate must be a number of requests a second, or 0 for no limit, not %v", of.name, of.rate)
		}
		if of.rate > 0 && of.burst < 1 {
			return fmt.Errorf("--%s-burst must be at least 1, not %d", of.name, of.burst)
		}
	}
	if f.MaxInFlight < 0 {
		return fmt.Errorf("--max-in-flight must be a number of requests, or 0 for no limit, not %d", f.MaxInFlight)
	}
	if f.BodyTimeout <= 0 {
		return fmt.Errorf("--body-timeout must be longer than nothing, not %s", f.BodyTimeout)
	}
	return nil
}

func (f limitFlags) limits() rest.Limits {
	return rest.Limits{
		Writes:      rest.Rate{PerSecond: f.WriteRate, Burst: f.WriteBurst},
		Contributor: rest.Rate{PerSecond: f.ContributorRate, Burst: f.ContributorBurst},
		Reads:       rest.Rate{PerSecond: f.ReadRate, Burst: f.ReadBurst},
		InFlight:    f.MaxInFlight, BodyTimeout: f.BodyTimeout, TrustedProxies: f.TrustedProxies,
	}
}
