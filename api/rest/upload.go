package rest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/go-chi/chi/v5"
)

// putResult takes an upload: 201 if it is new, 200 if the very same one is there already.
func (s *server) putResult(w http.ResponseWriter, r *http.Request, from secret) error {
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var doc *result.Document
	if err := s.inTurn(r, func() error {
		doc, err = readDocument(body)
		return err
	}); err != nil {
		return err
	}
	if doc.ID != chi.URLParam(r, "id") {
		return &problem.Problem{
			Kind: problem.Invalid, Detail: "The id in the document is not the one in the address. Nothing was stored.",
			Errors: []result.Problem{{Pointer: "/id", Detail: "must be the last part of the address"}},
		}
	}
	resolved := s.Catalogue.Of(doc, "")
	added, err := s.store(r, from, doc, body, resolved)
	if err != nil {
		return err
	}
	outcome, status := "again", http.StatusOK
	if added.New {
		outcome, status = added.Submission.State, http.StatusCreated
	}
	s.metrics.uploads.WithLabelValues(outcome).Inc()
	answer := s.receipt(r, added.Submission, added.Module, resolved)
	if t := s.tables.current.Load(); t != nil { // an upload waits for no table
		answer.Foretold = t.foretell(added.Submission, added.Module.Slug)
	}
	return writeJSON(w, status, answer)
}

// store stores a document of a module, unless the sender's networks have added too much today.
func (s *server) store(r *http.Request, from secret, doc *result.Document, body []byte, module catalogue.Module) (
	submission.Added, error) {
	verdict := doorVerdict(doc)
	known, err := s.Store.Known(r.Context(), from, module.Slug)
	if err != nil {
		return submission.Added{}, err
	}
	adds := addition{bytes: len(body)}
	if !known.Contributor {
		adds.contributors = 1
	}
	// The second contributor to name a module pays like the first. Otherwise somebody who makes up a module could make
	// up its confirmation for free.
	if module.FromContributors() && !known.Listed && !known.Named {
		adds.modules = 1
	}
	if err := s.guard.add(r, adds); err != nil {
		return submission.Added{}, err
	}
	origin := s.guard.origin(r)
	var added submission.Added
	if origin.Token, err = s.checkToken(r, doc); err == nil {
		added, err = s.Store.AddSubmission(r.Context(), from, doc, body, module, verdict, origin)
	}
	if err != nil || !added.New {
		_ = s.guard.add(r, addition{-adds.modules, -adds.contributors, -adds.bytes}) // returning quota never fails
		return added, err
	}
	confirms := verdict.State == submission.Accepted && module.Confirmed
	added.Module.Unlisted = added.Module.FromContributors() && !known.Listed && !confirms
	return added, nil
}

// doorVerdict checks a document against the rules of physics. A document that breaks one is stored with the reason,
// which its contributor can read.
func doorVerdict(doc *result.Document) submission.Decision {
	found := plausible.Check(doc)
	if len(found) == 0 {
		return submission.Decision{State: submission.Accepted}
	}
	v := submission.Decision{State: submission.Quarantined, Rule: found[0].Rule}
	if found[0].Severity == plausible.Reject {
		v.State = submission.Rejected
	}
	var reasons []string
	for _, f := range found {
		reasons = append(reasons, f.Reason)
	}
	v.Reason = strings.Join(reasons, " ")
	return v
}

// inTurn checks a document when its turn comes.
func (s *server) inTurn(r *http.Request, check func() error) error {
	select {
	case s.guard.checking <- struct{}{}:
		defer func() { <-s.guard.checking }()
		return check()
	case <-r.Context().Done():
		return problem.Wrap(problem.Unavailable, r.Context().Err(),
			"The server had more to do than it could. Nothing was stored; send it again.")
	}
}

// readDocument maps what can be wrong with a document to problems.
func readDocument(body []byte) (*result.Document, error) {
	doc, err := schema.Read(body)
	var unsupported *schema.UnsupportedVersionError
	var invalid *schema.InvalidError
	switch {
	case errors.Is(err, schema.ErrNotJSON):
		return nil, problem.Wrap(problem.Malformed, err, "The body is not a JSON document in UTF-8. Nothing was stored; "+
			"send the result file as the client wrote it.")
	case errors.As(err, &unsupported):
		return nil, &problem.Problem{
			Kind: problem.UnsupportedVersion, Cause: err,
			Errors: []result.Problem{{Pointer: "/schema_version", Detail: unsupported.Error()}},
			Detail: "The document's " + unsupported.Error() + ". Nothing was stored. Keep the file, get the client from " +
				"this site again and upload with it; or, if your client is the newer one, try again when the server " +
				"is up to date.",
		}
	case errors.As(err, &invalid):
		return nil, &problem.Problem{
			Kind: problem.Invalid, Errors: invalid.Problems, Cause: err,
			Detail: "The document breaks the schema (/v1/schema/result-v1.json) or contradicts itself; \"errors\" says " +
				"where. Nothing was stored. A document that a client wrote and nobody changed should pass: get this " +
				"site's own client, or report it.",
		}
	}
	return doc, err
}

// Limits of an upload.
const (
	maxWireBytes    = 256 << 10
	maxDecodedBytes = 1 << 20
)

// readBody reads and decodes the body of an upload, within limits of size and time. It checks the headers before it
// reads the body, so that a client which sends Expect: 100-continue needn't send a body that is refused.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || mediaType != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, problem.New(problem.WrongType,
			"A result is sent as Content-Type: application/json, in UTF-8. Nothing was stored.")
	}
	encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		return nil, problem.New(problem.WrongType,
			"A result is sent as it is or with Content-Encoding: gzip. Nothing was stored.")
	}
	if r.ContentLength < 0 {
		return nil, problem.New(problem.LengthRequired,
			"An upload needs a Content-Length header; send it in one piece. Nothing was stored.")
	}
	if r.ContentLength > maxWireBytes {
		return nil, tooLarge("on the wire", maxWireBytes)
	}
	wire, err := s.receive(w, r, maxWireBytes)
	if err != nil || encoding != "gzip" {
		return wire, err
	}
	return unpack(wire)
}

// steady reads a body with a deadline that moves. It begins with a quarter of the time for the largest body, and each
// byte adds its share of that time. So a sender who stalls is cut off long before the time is up, however large a body
// they announced.
type steady struct {
	from       io.Reader
	connection *http.ResponseController
	timeout    time.Duration // of the largest body; 0: any
	start      time.Time
	bytes      int
}

func (s *steady) Read(p []byte) (n int, err error) {
	if s.timeout > 0 {
		due := s.timeout/4 + s.timeout/maxWireBytes*time.Duration(s.bytes)
		_ = s.connection.SetReadDeadline(s.start.Add(min(due, s.timeout)))
	}
	n, err = s.from.Read(p)
	s.bytes += n
	return n, err
}

// receive reads a body of at most limit bytes without decoding it.
func (s *server) receive(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, err error) {
	connection := http.NewResponseController(w)
	err = s.guard.outside(r, func() (err error) {
		body, err = io.ReadAll(&steady{
			from: http.MaxBytesReader(w, r.Body, limit), connection: connection,
			timeout: s.guard.BodyTimeout, start: time.Now(),
		})
		if err == nil {
			// The whole body came, so the deadline must not end the request. After an error it stays, so that nobody
			// waits for the rest of the body.
			_ = connection.SetReadDeadline(time.Time{})
		}
		return err
	})
	var tooLong *http.MaxBytesError
	var p *problem.Problem
	switch {
	case err == nil || errors.As(err, &p):
		return body, err
	case errors.As(err, &tooLong):
		return nil, problem.New(problem.TooLarge, "The body is at most %d bytes here. Nothing was changed.", limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, problem.Wrap(problem.TimedOut, err, "The body came more slowly than %.0f kB a second. Nothing was "+
			"stored; send it again, packed with gzip if the line is slow.",
			maxWireBytes/1e3/s.guard.BodyTimeout.Seconds())
	}
	return nil, problem.Wrap(problem.Malformed, err,
		"The body broke off before its end. Nothing was stored; send it again.")
}

// unpack decompresses wire, which must be a single gzip member.
func unpack(wire []byte) ([]byte, error) {
	source := bufio.NewReader(bytes.NewReader(wire))
	unpacker, err := gzip.NewReader(source)
	if err != nil {
		return nil, problem.Wrap(problem.Malformed, err, "The body says it is gzip and isn't. Nothing was stored.")
	}
	unpacker.Multistream(false) // many small members could hide a large body
	body, err := io.ReadAll(io.LimitReader(unpacker, maxDecodedBytes+1))
	if len(body) > maxDecodedBytes {
		return nil, tooLarge("decoded", maxDecodedBytes)
	}
	if err = errors.Join(err, unpacker.Close()); err != nil {
		return nil, problem.Wrap(problem.Malformed, err, "The gzip body is damaged. Nothing was stored; send it again.")
	}
	if _, err := source.Peek(1); err != io.EOF {
		return nil, problem.New(problem.Malformed,
			"Something follows the end of the gzip body. Nothing was stored; pack the document as one member.")
	}
	return body, nil
}

func tooLarge(where string, limit int) error {
	return problem.New(problem.TooLarge,
		"A result is at most %d KiB %s. Nothing was stored. No client writes one as large as this; please report the file.",
		limit>>10, where)
}
