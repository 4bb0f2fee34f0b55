package rest

import (
	"net/http"
	"regexp"
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
