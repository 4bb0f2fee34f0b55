package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/client/spool"
)

// action is something that clients and visitors do.
type action struct {
	what   string
	weight int // how often, compared with the others
	// do reports whether the site carried out the request.
	do func(c *city, p *person, r *rand.Rand) bool
}

var actions = []action{
	{"measure and upload", 40, func(c *city, p *person, r *rand.Rand) bool {
		for range 1 + r.IntN(4) {
			p.measureAs(c.t, r.IntN(products))
		}
		return p.does(c.t, doesUpload)
	}},
	{"upload again what was confirmed", 5, func(c *city, p *person, r *rand.Rand) bool {
		of := p.kept()
		return len(of) > 0 && c.again(p, of[r.IntN(len(of))])
	}},
	{"delete a result", 8, func(c *city, p *person, r *rand.Rand) bool {
		of := p.kept()
		if len(of) == 0 {
			return false
		}
		id := of[r.IntN(len(of))]
		c.ledger.ask(id)
		return p.does(c.t, id)
	}},
	{"delete everything, and leave", 1, func(c *city, p *person, _ *rand.Rand) bool { return c.leave(p) }},
	{"rotate the secret", 6, func(c *city, p *person, _ *rand.Rand) bool { return p.does(c.t, doesRotate) }},
	{"read pages", 10, func(c *city, p *person, r *rand.Rand) (shown bool) {
		paths := []string{"/", "/v1/modules", "/v1/presets", "/search/?q=chaos", "/data/latest/results.csv", "/data/",
			"/v1/search?q=chaos"}
		for _, id := range p.kept() {
			paths = append(paths, "/r/"+id, "/v1/results/"+id)
		}
		for range 10 {
			status, _ := c.read(p, paths[r.IntN(len(paths))], 0)
			shown = shown || status == http.StatusOK
		}
		return shown
	}},
	{"export", 4, func(c *city, p *person, _ *rand.Rand) bool { return c.export(p) }},
	{"export slowly", 2, func(c *city, p *person, r *rand.Rand) bool {
		status, _ := c.read(p, "/v1/results.ndjson", time.Duration(r.IntN(400))*time.Millisecond)
		return status == http.StatusOK
	}},
	{"send half of a body, many times", 2, func(c *city, p *person, r *rand.Rand) bool {
		return c.halfSent(p, 20+r.IntN(80), r)
	}},
	{"flood", 2, func(c *city, p *person, _ *rand.Rand) bool { return c.flood(p) }},
}

// products is how many modules are measured; mergesEnd is how many of them are left when the operator stops merging.
const products, mergesEnd = 30, 10

// live is the life of client i until the end.
func (c *city) live(i int) {
	for n := 0; !c.over.Load(); n++ {
		r := turn(c.seed, i, n)
		a := draw(r, actions, func(a action) int { return a.weight })
		c.ledger.count(a.what, a.do(c, c.person(i), r))
		time.Sleep(time.Duration(r.ExpFloat64() * float64(2*time.Second)))
	}
}

// does runs a client's process, and reports whether the site confirmed everything.
func (p *person) does(t *testing.T, what string) bool {
	exitCode, _ := p.act(t, what)
	return exitCode == 0
}

// measureAs puts a result of one of several modules into the spool.
func (p *person) measureAs(t *testing.T, module int) {
	id, body := document()
	body = bytes.Replace(body, []byte(`"product":"Turbo"`), fmt.Appendf(nil, `"product":"Chaos %d"`, module), 1)
	path := filepath.Join(p.spool.Dir, id+".json")
	if err := errors.Join(os.WriteFile(path+".tmp", body, 0o600), os.Rename(path+".tmp", path)); err != nil {
		t.Error(err)
	}
}

// kept lists the results that the site confirmed and that were not deleted.
func (p *person) kept() []string {
	deleted := p.marked(".deleted.json")
	return slices.DeleteFunc(p.marked(".receipt.json"), func(id string) bool { return slices.Contains(deleted, id) })
}

// marked lists the results that have a file with a suffix beside them.
func (p *person) marked(suffix string) (ids []string) {
	names, _ := filepath.Glob(filepath.Join(p.spool.Dir, "*"+suffix))
	for _, name := range names {
		ids = append(ids, strings.TrimSuffix(filepath.Base(name), suffix))
	}
	return ids
}

// again uploads a confirmed result again. The receipt must stay, and the answer must be the same.
func (c *city) again(p *person, id string) (confirmed bool) {
	_, err := p.spool.Upload(c.t.Context(), spool.Site{URL: p.site, Wait: briefly}, p.spool.Find(id))
	if status := spool.Refused(err); status == http.StatusGone && !c.ledger.asked(id) {
		c.t.Errorf("%s was never deleted, and uploading it again is answered with %v", id, err)
	} else if status != 0 && status != http.StatusGone {
		c.t.Errorf("uploading %s again: %v", id, err)
	}
	return err == nil
}

// leave deletes everything of a person. Another one takes their place: a late deletion of everything must hit nobody
// else.
func (c *city) leave(p *person) (confirmed bool) {
	for _, id := range p.kept() {
		c.ledger.ask(id)
	}
	confirmed = p.does(c.t, doesDeleteAll)
	fresh := c.newPerson()
	c.ledger.Lock()
	defer c.ledger.Unlock()
	c.gone = append(c.gone, p)
	for i := range c.people {
		if c.people[i] == p {
			c.people[i] = fresh
		}
	}
	return confirmed
}

// read asks for a page through the balancer and reads it, with a pause after each 4 KiB.
func (c *city) read(p *person, path string, pause time.Duration) (status int, text string) {
	answer, err := patient.Get(p.site + path)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	var all strings.Builder
	for {
		n, err := io.CopyN(&all, answer.Body, 4096)
		if err == io.EOF {
			return answer.StatusCode, all.String()
		} else if err != nil || n == 0 {
			return 0, "" // broke off
		}
		time.Sleep(pause)
	}
}

// export reads every result as a table. It must hold no result that was deleted before.
func (c *city) export(p *person) bool {
	deleted := c.deleted()
	status, text := c.read(p, "/v1/results.csv", 0)
	if status != http.StatusOK {
		return false
	}
	for _, id := range reID.FindAllString(text, -1) {
		if deleted[id] {
			c.t.Errorf("%s was deleted, and is in an export that began later", id)
		}
	}
	return true
}

// flood sends requests until one is refused for their number, or until too many aren't.
func (c *city) flood(p *person) (refused bool) {
	var flood sync.WaitGroup
	var tooMany atomic.Bool
	for range 8 {
		flood.Go(func() {
			for range 250 {
				if status, _ := c.read(p, "/v1/modules", 0); status == http.StatusTooManyRequests {
					tooMany.Store(true)
				}
				if tooMany.Load() {
					return
				}
			}
		})
	}
	flood.Wait()
	return tooMany.Load()
}

// halfSent opens connections. Each sends half of an upload and then nothing. It reports whether the server
// ended one of them.
func (c *city) halfSent(p *person, connections int, r *rand.Rand) (ended bool) {
	id, body := document()
	head := []byte("\r\nX-Forwarded-For: " + c.balancer.addressOf(p.number) + "\r\n")
	request := bytes.Replace(uploadRequest(secretOf(p.number), id, body), []byte("\r\n"), head, 1)
	site := c.servers[r.IntN(len(c.servers))].site
	var conns []net.Conn
	for range connections {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(site, "http://"), 2*time.Second)
		if err != nil {
			break // it may be frozen
		}
		defer conn.Close()
		_, _ = conn.Write(request[:len(request)/2])
		conns = append(conns, conn)
	}
	time.Sleep(time.Duration(r.IntN(10)) * time.Second)
	for _, conn := range conns {
		_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
		if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
			c.balancer.note(answer.StatusCode, answer.Header, "half a body")
			ended = true
		}
	}
	return ended
}
