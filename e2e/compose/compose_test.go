package compose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"
)

const (
	web       = "http://localhost:18080"
	webSecure = "https://localhost:18443"
	secret    = "5eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e700"
)

const previousContainer = "flashdex-test-previous"

var services = []string{"postgres", "api", "worker", "web"}

func TestSmallProduction(t *testing.T) {
	e := start(t)
	e.set("FLASHDEX_HTTP_PORT", "18080")
	e.set("FLASHDEX_HTTPS_PORT", "18443")
	e.set("FLASHDEX_PUBLIC_URL", web)
	e.build()
	_, _ = e.try("docker", "rm", "--force", previousContainer) // left by a test that was interrupted
	e.compose("down", "--volumes", "--remove-orphans")
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := e.try("docker-compose", "logs", "--no-color", "--tail", "40")
			t.Log(logs)
		}
		e.compose("down", "--volumes", "--remove-orphans")
	})

	before := e.startPrevious()
	e.compose("up", "-d")
	e.healthy()
	e.upgraded(before)
	e.hardened()
	ids := append(before, e.upload(web))
	e.shown(ids)
	e.signed()
	e.sameAnswers()
	e.compressed()
	e.killEach(ids)
	e.moderated(e.upload(web))
	e.folderLost(ids)
	e.apiAway(ids)

	page := get(t, web+"/").body
	e.compose("down")
	e.compose("up", "-d", "web")
	eventually(t, "the site is there before anybody has published", func() bool {
		return bytes.Equal(get(t, web+"/").body, page)
	})
	e.compose("up", "-d")
	e.healthy()
	e.shown(ids)
	e.secure()
}

// startPrevious leaves a database and a site of the version before the newest migration, and returns the ids of its
// results.
func (e *engine) startPrevious() []string {
	e.t.Helper()
	previous, checkout := e.makePrevious()
	if previous == "" {
		e.t.Log("not tested: an upgrade, because this checkout has no history")
		return nil
	}
	e.compose("up", "-d", "postgres")
	// In that version, the worker ran under the uid of the tables' owner.
	const data = "/var/lib/postgresql/data/"
	const then = "previous flashdex_worker flashdex"
	inPostgres := func(script string) { e.compose("exec", "-T", "postgres", "sh", "-ec", script) }
	eventually(e.t, "Postgres answers", func() bool {
		_, err := e.try("docker-compose", "exec", "-T", "postgres", "psql", "-c", "select 1")
		return err == nil
	})
	inPostgres("echo '" + then + "' >>" + data + "pg_ident.conf; " +
		"cp " + data + "pg_hba.conf " + data + "pg_hba.conf.now; (echo 'local all flashdex peer map=previous'; cat " + data + "pg_hba.conf.now) >" + data + "pg_hba.conf; " +
		"psql -c 'select pg_reload_conf()'")
	defer inPostgres("mv " + data + "pg_hba.conf.now " + data + "pg_hba.conf; psql -c 'select pg_reload_conf()'")
	e.docker("run", "-d", "--name", previousContainer, "-p", "127.0.0.1:18081:8080", "--restart", "unless-stopped",
		"-v", "flashdex-test_socket:/run/postgresql", "-v", "flashdex-test_published:/var/lib/flashdex", "--tmpfs", "/tmp",
		"-e", "FLASHDEX_DATABASE_URL=postgres:///flashdex?host=/run/postgresql&user=flashdex", previous)
	defer e.docker("rm", "--force", previousContainer)
	const site = "http://localhost:18081"
	eventually(e.t, "the previous version is ready", func() bool {
		return get(e.t, site+"/readyz").status == http.StatusOK
	})
	upload := func() string { return e.uploadFrom(checkout, site) } // a server refuses fields of later clients
	ids := []string{upload(), upload()}
	e.docker("stop", previousContainer)
	return ids
}

// healthy waits until the engine finds every service healthy.
func (e *engine) healthy() {
	e.t.Helper()
	for _, service := range services {
		eventually(e.t, service+" is healthy", func() bool {
			return e.inspect(service, "{{.State.Health.Status}}") == "healthy"
		})
	}
}

func (e *engine) inspect(service, format string) string {
	e.t.Helper()
	return e.docker("inspect", "--format", format, e.compose("ps", "-q", service))
}

// upgraded checks that the results of the previous version are there, and that the schema is new.
func (e *engine) upgraded(ids []string) {
	e.t.Helper()
	has := e.compose("exec", "-T", "postgres", "psql", "-Atc",
		"select max(version_id) from goose_db_version where is_applied", "flashdex")
	n, err := strconv.Atoi(has)
	files, _ := filepath.Glob(fmt.Sprintf("%s/migrations/%05d_*", root, n))
	if err != nil || n == 0 || len(files) == 0 {
		e.t.Errorf("the schema is %q", has)
	}
	for _, id := range ids {
		if a := get(e.t, web+"/v1/results/"+id); a.status != http.StatusOK {
			e.t.Errorf("a result of the previous version: %d %s", a.status, a.body)
		}
	}
}

// hardened checks that the containers have few rights and limited resources.
func (e *engine) hardened() {
	e.t.Helper()
	for _, service := range services {
		rights := e.inspect(service, "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}")
		if rights != "true [ALL] [no-new-privileges:true]" {
			e.t.Errorf("%s: %s", service, rights)
		}
		limits := e.inspect(service, "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}")
		if regexp.MustCompile(`(^| )(0|<no value>|-1)( |$)`).MatchString(limits) {
			e.t.Errorf("%s has no limits: %s", service, limits)
		}
		// The process itself is not root, has no capability, and can gain none.
		status, err := os.ReadFile("/proc/" + e.inspect(service, "{{.State.Pid}}") + "/status")
		if err != nil {
			e.t.Fatal(err)
		}
		for _, want := range []string{`\nUid:\t[1-9]\d*\t`, `\nCapEff:\t0+\n`, `\nCapBnd:\t0+\n`, `\nNoNewPrivs:\t1\n`} {
			if !regexp.MustCompile(want).Match(status) {
				e.t.Errorf("%s: not %q in\n%s", service, want, status)
			}
		}
		for _, variable := range strings.Fields(e.inspect(service, "{{range .Config.Env}}{{.}} {{end}}")) {
			if regexp.MustCompile(`(?i)password|secret|token|key`).MatchString(variable) {
				e.t.Errorf("%s is told %s", service, variable)
			}
		}
	}
	said, err := e.try("docker-compose", "exec", "-T", "postgres", "touch", "/usr/x")
	if err == nil || !strings.Contains(err.Error(), "Read-only file system") {
		e.t.Errorf("written to the root file system: %s %v", said, err)
	}
}

// upload stores a new result and returns its id.
func (e *engine) upload(site string) string {
	e.t.Helper()
	return e.uploadFrom(root, site)
}

// uploadFrom is upload with the document of another checkout.
func (e *engine) uploadFrom(checkout, site string) string {
	e.t.Helper()
	text, err := os.ReadFile(checkout + "/result/testdata/valid/sd-card.json")
	if err != nil {
		e.t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		e.t.Fatal(err)
	}
	id := result.NewID()
	document["id"], document["started_at"] = id, copiestest.NextStart()
	if text, err = json.Marshal(document); err != nil {
		e.t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPut, site+"/v1/results/"+id, bytes.NewReader(text))
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/json")
	if a := send(e.t, request); a.status != http.StatusCreated {
		e.t.Fatalf("upload: %d %s", a.status, a.body)
	}
	return id
}

// shown waits until the published site shows the results, and checks that each has its page.
func (e *engine) shown(ids []string) {
	e.t.Helper()
	module := regexp.MustCompile(`/modules/[^/"]+/`)
	for _, id := range ids {
		page := get(e.t, web+"/r/"+id)
		address := module.FindString(string(page.body))
		if page.status != http.StatusOK || address == "" {
			e.t.Fatalf("the page of a result: %d %s", page.status, page.body)
		}
		eventually(e.t, "the module's page shows "+id, func() bool {
			return bytes.Contains(get(e.t, web+address).body, []byte(id))
		})
	}
}

// killEach kills each service's process, like a machine short of memory, and checks that it comes back and nothing is
// missing.
func (e *engine) killEach(ids []string) {
	e.t.Helper()
	for _, service := range services {
		pid, err := strconv.Atoi(e.inspect(service, "{{.State.Pid}}"))
		if err != nil || pid < 2 {
			e.t.Fatalf("%s: process %d, %v", service, pid, err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			e.t.Fatal(err)
		}
		eventually(e.t, service+" is started again", func() bool {
			now := e.inspect(service, "{{.State.Pid}}")
			return now != "0" && now != strconv.Itoa(pid)
		})
		e.healthy()
	}
	e.shown(append(ids, e.upload(web)))
}

// moderated checks that an operator can decide on a result with the program in a container.
func (e *engine) moderated(id string) {
	e.t.Helper()
	const reason = "Measured in a test of containers."
	decide := []string{"moderate", "reject", id, "--as", "tester", "--reason", reason}
	for _, service := range []string{"api", "worker"} { // these services' roles may not
		said, err := e.try("docker-compose", append([]string{"exec", "-T", service, "/usr/lib/flashdex/api"}, decide...)...)
		if err == nil || !strings.Contains(err.Error(), "SQLSTATE 42501") {
			e.t.Errorf("%s decides: %s %v", service, said, err)
		}
	}
	e.compose(append([]string{"run", "--rm", "migrate"}, decide...)...)
	a := get(e.t, web+"/v1/results/"+id)
	if a.status != http.StatusOK || !bytes.Contains(a.body, []byte(`"rejected"`)) ||
		!bytes.Contains(a.body, []byte(reason)) {
		e.t.Errorf("a result that was rejected: %d %s", a.status, a.body)
	}
}

// folderLost deletes everything published. It checks that the worker names the remedy, and that the remedy restores
// everything.
func (e *engine) folderLost(ids []string) {
	e.t.Helper()
	e.compose("stop", "worker")
	e.docker("run", "--rm", "--volume", "flashdex-test_published:/published", debianImage,
		"rm", "-rf", "/published/dataset", "/published/site")
	e.compose("start", "worker")
	eventually(e.t, "the worker names the command", func() bool {
		return strings.Contains(e.compose("logs", "--no-color", "worker"), `"api adopt"`)
	})
	e.compose("run", "--rm", "worker", "adopt")
	e.healthy()
	e.shown(ids)
	eventually(e.t, "there is a data set again", func() bool {
		return get(e.t, web+"/data/latest/results.csv").status == http.StatusOK
	})
}

// apiAway checks that the web server serves the published site without the API, and that no log names a visitor's
// address.
func (e *engine) apiAway(ids []string) {
	e.t.Helper()
	e.compose("stop", "api")
	if a := get(e.t, web+"/"); a.status != http.StatusOK {
		e.t.Errorf("the first page without the API: %d", a.status)
	}
	a := get(e.t, web+"/v1/results/"+ids[0])
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		e.t.Errorf("the API while it is away: %d %v", a.status, a.header)
	}
	gateway := e.inspect("web", "{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}")
	if logs := e.compose("logs", "--no-color", "web", "api"); gateway == "" || strings.Contains(logs, gateway) {
		e.t.Errorf("the address %q is in a log:\n%s", gateway, logs)
	}
	e.compose("start", "api")
	e.healthy()
}

// secure checks HTTPS with a domain. The certificate is Caddy's own, because nobody else gives one for localhost.
func (e *engine) secure() {
	e.t.Helper()
	e.set("FLASHDEX_DOMAIN", "localhost")
	e.set("FLASHDEX_PUBLIC_URL", webSecure)
	e.compose("up", "-d")
	e.healthy()
	eventually(e.t, "there is a certificate", func() bool { return get(e.t, webSecure+"/").status == http.StatusOK })
	for _, path := range []string{"/", "/openapi.json"} {
		a := get(e.t, webSecure+path)
		if a.status != http.StatusOK || a.header.Get("Strict-Transport-Security") != "max-age=31536000" {
			e.t.Errorf("%s: %d %v", path, a.status, a.header)
		}
	}
	a := get(e.t, web+"/method/")
	to := a.header.Get("Location")
	if a.status != http.StatusPermanentRedirect || !strings.HasPrefix(to, "https://localhost") {
		e.t.Errorf("HTTP leads with %d to %q", a.status, to)
	}
}
