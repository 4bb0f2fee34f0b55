package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	file, info, err := open(s.ClientDir, "flashdex.sh")
	if err != nil || info.IsDir() {
		return problem.Wrap(problem.Unavailable, err, "The client script is not built yet. Try again in a minute.")
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return fmt.Errorf("rest: %w", err)
	}
	text = append([]byte("\n"), text...)
	line := []byte("\n" + siteLine)
	if bytes.Count(text, line) != 1 {
		return fmt.Errorf("rest: flashdex.sh does not hold exactly one line %q", siteLine)
	}
	filled := bytes.Replace(text, line, []byte("\nSITE='"+s.baseURL(r)+"'\n"), 1)
	w.Header().Set("Content-Type", static.ContentType(".sh"))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(filled[1:])
	return nil
}
