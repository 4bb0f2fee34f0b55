package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
	"flashdex/client/release"

	"github.com/go-chi/chi/v5"
)

// slowestBytesPerS is the slowest rate at which a download still completes.
const slowestBytesPerS = 10_000

// serveFile serves one file below dir and never one outside of it, whatever name says and whatever links are there.
// Without such a file it returns errFolder or fs.ErrNotExist.
func serveFile(w http.ResponseWriter, r *http.Request, dir, name string) error {
	file, info, err := open(dir, name)
	if err != nil {
		return err
	}
	defer file.Close()
	if info.IsDir() {
		return errFolder
	}
	header := w.Header()
	header.Set("Content-Type", static.ContentType(name))
	// The tag is weak because the compressed file has the same tag. It contains the file system's time, which is finer
	// than HTTP's.
	header.Set("ETag", fmt.Sprintf(`W/"%x-%x"`, info.Size(), info.ModTime().UnixNano()))
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-cache")
	}
	if static.Fingerprinted(name) {
		header.Set("Cache-Control", static.Forever)
	}
	// The server's own deadline is for answers that fit into a few packets.
	allowed := time.Minute + time.Duration(info.Size()/slowestBytesPerS)*time.Second
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(allowed))
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

var errFolder = errors.New("this is a folder")

// open opens a file or folder below dir. Whatever is wrong with the name, the error is fs.ErrNotExist.
func open(dir, name string) (*os.File, os.FileInfo, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fs.ErrNotExist
	}
	defer root.Close()
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) {
		return nil, nil, fs.ErrNotExist
	}
	// Opening a pipe or a device would block, so look first.
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return nil, nil, fs.ErrNotExist
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, fs.ErrNotExist
	}
	return file, info, nil
}

// page serves the published site.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	dir := s.SiteDir()
	if dir == "" {
		s.message(w, r, problem.New(problem.Unavailable,
			"The site is being made for the first time. It will be here in a moment."))
		return
	}
	clean := path.Clean("/" + r.URL.Path)
	name := strings.TrimPrefix(clean, "/")
	if clean == "/" || strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	switch err := serveFile(w, r, dir, name); {
	case errors.Is(err, errFolder):
		leadOn(w, r, clean+"/") // a path that was cleaned starts with one slash, so this can't lead to another host
	case err != nil:
		s.missing(w, r, dir)
	}
}

// read returns the contents of one file below dir.
func read(dir, name string) ([]byte, error) {
	file, _, err := open(dir, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// client serves the client programs and their checksums.
func (s *server) client(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimPrefix(r.URL.Path, "/client/")
	if serveFile(w, r, s.ClientDir, name) == nil {
		return nil
	}
	programs, err := release.Programs(s.ClientDir)
	if err == nil && slices.Contains(programs, release.Program{File: name}) {
		return &problem.Problem{Kind: problem.Unavailable, RetryAfter: 20 * time.Second, Detail: "This client program is " +
			"still being built: this site was started a few minutes ago. Ask again after the seconds that Retry-After says."}
	}
	return problem.New(problem.NotFound,
		"There is no such client program. /client/SHA256SUMS lists the programs that there are.")
}

// script serves the client script with this server's address and the clients' key in it. A shell runs the answer. It
// changes nothing between single quotes.
func (s *server) script(w http.ResponseWriter, r *http.Request) error {
	if err := s.knowsItsAddress(r); err != nil {
		return err
	}
	text, err := read(s.ClientDir, "flashdex.sh")
	if err != nil {
		return problem.Wrap(problem.Unavailable, err, "The client script is not built yet. Try again in a minute.")
	}
	var key release.PublicKey // none: the clients are not signed
	if file, err := read(s.ClientDir, release.Key); err == nil {
		key, err = release.ParsePublicKey(file)
		if err != nil {
			return fmt.Errorf("%s: %w", release.Key, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text = append([]byte("\n"), text...)
	for name, value := range map[string]string{"SITE": s.baseURL(r), "KEY": string(key)} {
		line := []byte("\n" + name + "='@" + name + "@'\n")
		if bytes.Count(text, line) != 1 {
			return fmt.Errorf("rest: flashdex.sh does not hold exactly one line %q", line)
		}
		text = bytes.Replace(text, line, []byte("\n"+name+"='"+value+"'\n"), 1)
	}
	send(w, http.StatusOK, static.ContentType(".sh"), text[1:])
	return nil
}

// knowsItsAddress returns a problem if the script would contact its user's own machine, or use http for a site that is
// reached by https. Only a proxy in front knows that. A sender who lies in these headers only changes their own answer.
func (s *server) knowsItsAddress(r *http.Request) error {
	scheme, host, _ := strings.Cut(s.baseURL(r), "://")
	asked := cmp.Or(r.Header.Get("X-Forwarded-Host"), r.Host)
	secure := reHTTPS.MatchString(r.Header.Get("X-Forwarded-Proto")) || reHTTPS.MatchString(r.Header.Get("Forwarded"))
	if (scheme == "https" || !secure) && (!reLoopback.MatchString(host) || reLoopback.MatchString(asked)) {
		return nil
	}
	return problem.Wrap(problem.Unavailable, errors.New("start the server with --public-url (FLASHDEX_PUBLIC_URL), the "+
		"address at which users reach it"), "This server does not know its own address, so its script would ask another. "+
		"Please tell its operator to set FLASHDEX_PUBLIC_URL.")
}

var (
	// reHTTPS matches what proxies say of a user who came by https.
	reHTTPS = regexp.MustCompile(`(?i)^https|proto="?https`)
	// reLoopback matches host names of the user's own machine.
	reLoopback = regexp.MustCompile(`(?i)^(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?$`)
)

// safeHost matches hosts that are safe between single quotes in a shell script, in JSON and in HTML. Any other Host
// header is ignored.
const safeHost = `([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?`

var (
	reHost      = regexp.MustCompile(`^` + safeHost + `$`)
	rePublicURL = regexp.MustCompile(`^https?://` + safeHost + `/?$`)
)

// ValidPublicURL reports whether url is of the form https://host[:port], which may end in a slash.
func ValidPublicURL(url string) bool { return rePublicURL.MatchString(url) }

// baseURL returns the URL at which the sender of r reaches this server, without a slash at the end.
func (s *server) baseURL(r *http.Request) string {
	switch {
	case s.PublicURL != "":
		return s.PublicURL
	case !reHost.MatchString(r.Host):
		return "http://localhost"
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// reDated matches the snapshot of a day. It never changes, but can be withdrawn.
var reDated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}/`)

// data serves the data set's snapshots, and the site's page about them.
func (s *server) data(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/data/")
	file := path.Join(dataset.Served, name)
	hidden := strings.HasPrefix(path.Base(name), ".")
	if s.DataDir == "" || hidden || strings.HasSuffix(r.URL.Path, "/") {
		s.page(w, r)
		return
	}
	if reDated.MatchString(name) {
		// At most a day, so that a withdrawn snapshot doesn't stay in caches.
		w.Header().Set("Cache-Control", "public, max-age=86400, immutable")
	}
	if serveFile(w, r, s.DataDir, file) == nil {
		return
	}
	w.Header().Del("Cache-Control")
	notice, err := read(s.DataDir, path.Join(path.Dir(file), "WITHDRAWN.txt"))
	if err != nil {
		s.page(w, r)
		return
	}
	send(w, http.StatusGone, static.ContentType(".txt"), notice)
}

// dataPage lists the files of one snapshot of the data set, or says that it was withdrawn.
func (s *server) dataPage(w http.ResponseWriter, r *http.Request) {
	var list dataset.Index
	text, err := read(s.DataDir, dataset.Served+"/snapshots.json")
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	folder := chi.URLParam(r, "snapshot")
	snapshot := list.Latest
	if folder != "latest" {
		snapshot = nil
		if i := slices.IndexFunc(list.Dated, func(of dataset.Snapshot) bool { return of.Date == folder }); i >= 0 {
			snapshot = &list.Dated[i]
		}
	}
	if err != nil || snapshot == nil {
		s.page(w, r)
		return
	}
	status := http.StatusOK
	if snapshot.Withdrawn != "" {
		status = http.StatusGone
	}
	shown, err := page.SnapshotPage(snapshot, folder)
	s.show(w, r, status, shown, err)
}
