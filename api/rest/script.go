package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// client serves the client programs and their checksums.
func (s *server) client(w http.ResponseWriter, r *http.Request) error {
	err := serveFile(w, r, s.ClientDir, strings.TrimPrefix(r.URL.Path, "/client/"))
	if errors.Is(err, fs.ErrNotExist) {
		return problem.New(problem.NotFound,
			"There is no such client program. /client/SHA256SUMS lists the programs that there are.")
	}
	return err
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
