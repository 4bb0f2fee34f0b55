package rest

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// client serves the client programs and their checksums.
func (s *server) client(w http.ResponseWriter, r *http.Request) error {
	if serveFile(w, r, s.ClientDir, strings.TrimPrefix(r.URL.Path, "/client/")) != nil {
		return problem.New(problem.NotFound,
			"There is no such client program. /client/SHA256SUMS lists the programs that there are.")
	}
	return nil
}

// siteLine is the line of the client script that is filled in. The shell changes nothing between single quotes.
const siteLine = "SITE='@SITE@'\n"

// script serves the client script with the address of this server in it. A shell runs what this answers.
func (s *server) script(w http.ResponseWriter, r *http.Request) error {
	text, err := read(s.ClientDir, "flashdex.sh")
	if err != nil {
		return problem.Wrap(problem.Unavailable, err, "The client script is not built yet. Try again in a minute.")
	}
	text = append([]byte("\n"), text...)
	line := []byte("\n" + siteLine)
	if bytes.Count(text, line) != 1 {
		return fmt.Errorf("rest: flashdex.sh does not hold exactly one line %q", siteLine)
	}
	filled := bytes.Replace(text, line, []byte("\nSITE='"+s.baseURL(r)+"'\n"), 1)
	send(w, http.StatusOK, static.ContentType(".sh"), filled[1:])
	return nil
}

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
