package packaging

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// appWatcher is the app's watcher with the client's code, a module made of files, and a Supervisor that records its
// requests.
type appWatcher struct {
	t                     *testing.T
	dir, client           string
	run, kept, told, disk string
	address               string // of Supervisor

	mu     sync.Mutex
	posted []string // path, authorization and body of each request
	down   bool     // Home Assistant answers 502
}

const supervisorToken = "0123456789abcdef"

func newAppWatcher(t *testing.T) *appWatcher {
	t.Helper()
	for _, program := range []string{"flock", "busybox"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	w := &appWatcher{t: t, dir: t.TempDir()}
	w.client, w.run, w.kept, w.told = w.path("client"), w.path("run"), w.path("kept"), w.path("told")
	build := exec.Command("go", "test", "-c", "-o", w.client, "flashdex/client")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil || !json.Valid(body) {
			t.Errorf("%s has %q, %v", in.URL.Path, body, err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.down {
			out.WriteHeader(http.StatusBadGateway)
			return
		}
		w.posted = append(w.posted, in.URL.Path+" "+in.Header.Get("Authorization")+" "+string(body))
	}))
	t.Cleanup(server.Close)
	w.address = server.Listener.Addr().String()

	// These are the image's programs. The client is its tests' binary, which reads the module from files.
	w.write("bin/flashdex", fmt.Sprintf(`#!/bin/sh
env >>%[1]s/environment
if [ "${1-}" = health ] && [ -e %[1]s/hangs ]; then sleep 600 </dev/null >/dev/null 2>&1 & fi
[ "${1-}" != watch ] || [ ! -e %[1]s/watch ] || exec sh %[1]s/watch
FLASHDEX_TEST_CLIENT=1 FLASHDEX_TEST_CARD=%[1]s/card exec %[2]s "$@"
`, w.dir, w.client))
	host, port, _ := strings.Cut(w.address, ":")
	w.write("bin/nc", fmt.Sprintf(`#!/bin/sh
echo "$*" >>%s/arguments
[ "$*" = '-w 30 supervisor 80' ] && exec busybox nc -w 30 %s %s
`, w.dir, host, port))
	w.write("bin/chpst", "#!/bin/sh\n[ \"$1 $2\" = '-u 10001:10001' ] && shift 2 && exec \"$@\"\n")

	w.disk = "card/sys/devices/mmcblk7"
	for name, text := range map[string]string{"size": "62333952", "stat": "0 0 0 0 0 0 0 0 0 0 0", "device/type": "MMC",
		"device/life_time": "0x01 0x02", "device/pre_eol_info": "0x01", "dev": "179:56"} {
		w.write(w.disk+"/"+name, text)
	}
	for _, link := range []string{"block/mmcblk7", "class/block/mmcblk7", "dev/block/179:56"} {
		link = w.path("card/sys/" + link)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(w.path(w.disk), link); err != nil {
			t.Fatal(err)
		}
	}
	w.write("card/proc/self/mountinfo", "1 0 0:30 / / rw - overlay overlay rw\n"+
		"2 1 179:56 /docker /etc/hosts rw - ext4 /dev/mmcblk7 rw\n")
	for _, dir := range []string{w.run, w.kept, w.told} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(w.run+"/ask", 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *appWatcher) path(name string) string { return filepath.Join(w.dir, name) }

func (w *appWatcher) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

func (w *appWatcher) environment(options ...string) []string {
	return append([]string{"FLASHDEX_RUN=" + w.run, "FLASHDEX_DIR=" + w.kept, "FLASHDEX_TOLD=" + w.told,
		"FLASHDEX_USER=10001:10001", "FLASHDEX_SITE=", "FLASHDEX_TOKEN=0123", "LANG=C.UTF-8",
		"PATH=" + w.path("bin") + ":" + os.Getenv("PATH")}, options...)
}

// start starts the watcher with these options, and returns a function that stops it.
func (w *appWatcher) start(options ...string) (stop func()) {
	w.t.Helper()
	script, err := filepath.Abs("homeassistant/flashdex/watcher.sh")
	if err != nil {
		w.t.Fatal(err)
	}
	watcher := exec.Command(script)
	watcher.Env = append(w.environment(options...), "SUPERVISOR_TOKEN="+supervisorToken)
	watcher.Stderr = os.Stderr
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := watcher.Start(); err != nil {
		w.t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		_ = syscall.Kill(-watcher.Process.Pid, syscall.SIGKILL)
		_ = watcher.Wait()
	})
	w.t.Cleanup(stop)
	return stop
}

// page returns the app's page with these options.
func (w *appWatcher) page(options ...string) *httptest.Server {
	w.t.Helper()
	script, err := filepath.Abs("homeassistant/flashdex/index.cgi")
	if err != nil {
		w.t.Fatal(err)
	}
	page := httptest.NewServer(&cgi.Handler{Path: script, Env: w.environment(options...)})
	w.t.Cleanup(page.Close)
	return page
}

// until waits until done returns true. The test fails if the watcher does nothing.
func (w *appWatcher) until(what string, done func() bool) {
	w.t.Helper()
	for begun := time.Now(); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			w.t.Fatalf("it waits in vain until %s; Supervisor was told %q", what, w.requests(""))
		}
	}
}

// requests returns the requests to Supervisor that contain a text in their path or body.
func (w *appWatcher) requests(with string) (some []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.posted {
		if strings.Contains(one, with) {
			some = append(some, one)
		}
	}
	return some
}

func (w *appWatcher) setDown(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
}

// ask presses the page's button, waits for the answer, and returns the page with it.
func (w *appWatcher) ask(page *httptest.Server) string {
	w.t.Helper()
	answer, err := http.PostForm(page.URL+"/", url.Values{"token": {"0123"}, "id": {""}, "action": {"ask"}})
	if err != nil {
		w.t.Fatal(err)
	}
	answer.Body.Close()
	w.until("the module was asked", func() bool {
		_, err := os.Stat(w.run + "/asking")
		return err != nil
	})
	return w.look(page)
}

func (w *appWatcher) look(page *httptest.Server) string {
	w.t.Helper()
	answer, err := http.Get(page.URL + "/")
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return html.UnescapeString(string(body))
}

const notifications = "/core/api/services/persistent_notification/create"

// The app asks when the button is pressed, and with the option also each day. It notifies once for each stage, even if
// Home Assistant was down meanwhile. Only the watcher has Supervisor's token.
func TestHomeAssistantTellsHealth(t *testing.T) {
	t.Parallel()
	w := newAppWatcher(t)
	page := w.page("FLASHDEX_HEALTH=", "FLASHDEX_WATCH=")
	stop := w.start("FLASHDEX_HEALTH=", "FLASHDEX_WATCH=")
	if said := w.look(page); !strings.Contains(said, "runs from: mmcblk7") || strings.Contains(said, "Asked on") {
		t.Errorf("before anybody asks, the page says: %s", said)
	}
	if said := w.ask(page); !strings.Contains(said, "mmcblk7, as of when this computer started: 10 to 20 % used, "+
		"spare blocks: normal;") ||
		!strings.Contains(said, "Asked on "+time.Now().UTC().Format("2006-01-02 ")) {
		t.Errorf("the page lacks the answer and its date: %s", said)
	}
	w.until("the sensor is there", func() bool { return len(w.requests("sensor.flashdex_life_used")) == 1 })
	if sensor := w.requests(`"state": "10"`); len(sensor) != 1 ||
		!strings.HasPrefix(sensor[0], "/core/api/states/sensor.flashdex_life_used Bearer "+supervisorToken+" ") {
		t.Errorf("the sensor is %q", w.requests(""))
	}
	for _, c := range []struct {
		life, want string
		times      int
	}{
		{"0x08 0x01", "", 0},
		{"0x09 0x01", "80 to 90 % used", 1},
		{"0x09 0x01", "80 to 90 % used", 1},
		{"0x0a 0x01", "80 to 90 % used", 1}, // the same stage
		{"0x0b 0x01", "more than 100 % used", 1},
	} {
		w.write(w.disk+"/device/life_time", c.life)
		w.setDown(strings.HasPrefix(c.life, "0x0b"))
		w.ask(page)
		if w.setDown(false); strings.HasPrefix(c.life, "0x0b") {
			if told := w.requests(c.want); len(told) != 0 {
				t.Errorf("Home Assistant is down, and is told %q", told)
			}
			w.ask(page) // sends the kept notifications
		}
		if told := w.requests(notifications); c.want == "" && len(told) > 0 {
			t.Errorf("%s: it notifies %q", c.life, told)
		}
		if told := w.requests(c.want); c.want != "" &&
			(len(told) != c.times || !strings.Contains(told[0], "flashdex_health")) {
			t.Errorf("%s: it says %q, not %d times", c.life, told, c.times)
		}
	}
	if told := w.requests(notifications); len(told) != 2 {
		t.Errorf("two stages, and the notifications %q", told)
	}

	// The app can't reach this SD card: there is no such device here.
	w.write(w.disk+"/device/type", "SD")
	if said := w.ask(page); !strings.Contains(said, "mmcblk7 doesn't tell its health (") ||
		!strings.Contains(said, "Home Assistant keeps this app from mmcblk7. The documentation tells how to allow it.") {
		t.Errorf("of a card that can't be reached, the page says: %s", said)
	}
	// This card isn't asked, whatever the app may do.
	w.write(w.disk+"/size", "31116288")
	w.write(w.disk+"/device/manfid", "0x000074")
	w.write(w.disk+"/device/oemid", "0x4a45")
	if said := w.ask(page); !strings.Contains(said, "mmcblk7 was not asked: ") ||
		strings.Contains(said, "keeps this app") {
		t.Errorf("of a card that is spared, the page says: %s", said)
	}
	if told := w.requests(notifications); len(told) != 2 {
		t.Errorf("a card that doesn't answer makes the notifications %q", told)
	}
	for _, file := range []string{"environment", "arguments"} {
		if text := read(t, w.path(file)); text == "" || strings.Contains(text, supervisorToken) {
			t.Errorf("%s of the programs: %s", file, text)
		}
	}

	// With the option, the app asks by itself, but only once a day. It renews the sensor meanwhile.
	stop()
	w.write(w.disk+"/device/type", "MMC")
	w.write(w.disk+"/device/life_time", "0x04 0x01")
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(w.told+"/health", yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	stop = w.start("FLASHDEX_HEALTH=yes", "FLASHDEX_WATCH=")
	w.until("a day passed", func() bool { return len(w.requests(`"state": "30"`)) == 1 })
	stop()
	w.write(w.disk+"/device/life_time", "0x05 0x01")
	w.start("FLASHDEX_HEALTH=yes", "FLASHDEX_WATCH=")
	w.until("the sensor is renewed", func() bool { return len(w.requests(`"state": "30"`)) == 2 })
}

// The option asks a card that vanished no second time, and the button does. What waits for a card for good doesn't keep
// the page from measuring.
func TestHomeAssistantAsksACardThatVanishedOnce(t *testing.T) {
	t.Parallel()
	w := newAppWatcher(t)
	page := w.page("FLASHDEX_HEALTH=yes", "FLASHDEX_WATCH=")
	w.write(w.disk+"/device/type", "SD")
	w.write("card/answers/sandisk", "crashes")
	answered := func() bool {
		text, err := os.ReadFile(w.told + "/health")
		return err == nil && len(text) > 0
	}
	stop := w.start("FLASHDEX_HEALTH=yes", "FLASHDEX_WATCH=")
	w.until("it asked", answered)
	stop()
	// The computer went down with the card, so the answer wasn't kept.
	if err := errors.Join(os.Remove(w.told+"/health"), os.Remove(w.path("card/log"))); err != nil {
		t.Fatal(err)
	}
	w.start("FLASHDEX_HEALTH=yes", "FLASHDEX_WATCH=")
	w.until("it doesn't ask", answered)
	if said := w.look(page); !strings.Contains(said, "mmcblk7 is not asked again by --yes.") {
		t.Errorf("of a card that vanished, the page says: %s", said)
	}
	if log, err := os.ReadFile(w.path("card/log")); err == nil {
		t.Errorf("after a restart the card is sent %s", log)
	}
	w.write("hangs", "")
	if err := os.Remove(w.path("card/answers/sandisk")); err != nil {
		t.Fatal(err)
	}
	if said := w.ask(page); !strings.Contains(said, "mmcblk7 doesn't tell its health (") ||
		!strings.Contains(said, "Measure now") {
		t.Errorf("of a card that is asked again and leaves a program that waits, the page says: %s", said)
	}
	if left, err := filepath.Glob(w.told + "/*.asked"); err != nil || len(left) > 0 {
		t.Errorf("after an answer, %v is there, %v", left, err)
	}
}

// With the option the app runs flashdex watch, as often as it must to find the module quiet once a day, and notifies
// when its rate changed.
func TestHomeAssistantTellsAgeing(t *testing.T) {
	t.Parallel()
	w := newAppWatcher(t)
	off, on := w.page("FLASHDEX_WATCH="), w.page("FLASHDEX_WATCH=yes")
	if said := w.look(off); !strings.Contains(said, "<h2>Ageing</h2>") || !strings.Contains(said, "The option") {
		t.Errorf("without the option the page says: %s", said)
	}
	watch := func(script string) {
		t.Helper()
		w.write("watch", script+"\n")
		stop := w.start("FLASHDEX_HEALTH=", "FLASHDEX_WATCH=yes")
		defer stop()
		w.until("it watched", func() bool {
			text, err := os.ReadFile(w.path("watched"))
			return err == nil && os.Remove(w.path("watched")) == nil && len(text) == 0
		})
		w.ask(on) // and has ended
	}
	done := func() bool {
		_, err := os.Stat(w.told + "/watched")
		return err == nil
	}
	watch(": >" + w.path("watched") + "; echo 'flashdex: mmcblk7 is busy' >&2; exit 5")
	if said := w.look(on); done() || !strings.Contains(said, "mmcblk7 is busy") {
		t.Errorf("a busy module is not tried again in an hour, or the page doesn't say it: %s", said)
	}
	watch(": >" + w.path("watched") + `; echo 'Change  4K random write gets slower: 8 % per year (3 to 14); by 5 runs'
		echo 'flashdex: this module gets slower: 8 % per year (3 to 14)' >&2; exit 4`)
	if said := w.look(on); !done() || !strings.Contains(said, "gets slower: 8 % per year (3 to 14); by 5 runs") ||
		!strings.Contains(said, "It said on ") {
		t.Errorf("of what changed, the page says: %s", said)
	}
	if told := w.requests(notifications); len(told) != 1 || !strings.Contains(told[0],
		`"message": "Home Assistant runs from it: this module gets slower: 8 % per year (3 to 14)"`) {
		t.Errorf("of what changed, Home Assistant is told %q", told)
	}
	// On most days the client says nothing, and its last words stay.
	if err := os.Remove(w.told + "/watched"); err != nil {
		t.Fatal(err)
	}
	watch(": >" + w.path("watched"))
	if said := w.look(on); !done() || !strings.Contains(said, "by 5 runs") || len(w.requests(notifications)) != 1 {
		t.Errorf("a day later the page says: %s", said)
	}
	// The real client finds no module below this folder.
	if err := errors.Join(os.Remove(w.told+"/watched"), os.Remove(w.path("watch"))); err != nil {
		t.Fatal(err)
	}
	w.start("FLASHDEX_HEALTH=", "FLASHDEX_WATCH=yes")
	w.until("it watched", done)
	if said := w.look(on); !strings.Contains(said, "flashdex: ") || strings.Contains(said, "by 5 runs") {
		t.Errorf("of a folder on no module, the page says: %s", said)
	}
}
