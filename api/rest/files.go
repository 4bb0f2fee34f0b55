package rest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// slowestBytesPerS is the slowest line on which a download still ends.
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
	// The tag is weak because a packed file has the same. It has the file system's time, which is finer than HTTP's.
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
	// A pipe or device would block: look first.
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
		// A path that was cleaned starts with one slash, so this can't lead to another host.
		http.Redirect(w, r, (&url.URL{Path: clean + "/"}).String(), http.StatusMovedPermanently)
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

// missing answers with the site's page for unknown addresses.
func (s *server) missing(w http.ResponseWriter, r *http.Request, dir string) {
	p := problem.New(problem.NotFound, "The address may be mistyped, or the module goes by another name now.")
	text, err := read(dir, "404.html")
	if err != nil {
		s.message(w, r, p)
		return
	}
	status, _ := failed(w, r, p)
	send(w, status, static.ContentType(".html"), text)
}
