package rest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"flashdex/api/problem"
)

// Limits of an upload.
const (
	maxWireBytes    = 256 << 10
	maxDecodedBytes = 1 << 20
)

// contributor is the hash of the secret in the Authorization header.
func contributor(r *http.Request) ([sha256.Size]byte, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	secret, err := hex.DecodeString(strings.TrimSpace(token))
	if !strings.EqualFold(scheme, "Bearer") || err != nil || len(secret) != 32 {
		return [sha256.Size]byte{}, problem.New(problem.NoToken,
			"Uploading and deleting need the header \"Authorization: Bearer\" with the contributor's secret: 64 hex digits, which the client makes on first use. Nothing was changed.")
	}
	return sha256.Sum256(secret), nil
}

// readBody returns the decoded bytes of an upload, having read no more of it than is allowed, for no longer than is
// allowed. Whatever the headers give away is refused before the body is read: a client that sends Expect: 100-continue
// need not send it then.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" || !strings.EqualFold(params["charset"], "utf-8") && params["charset"] != "" {
		return nil, problem.New(problem.WrongType, "A result is sent as Content-Type: application/json, in UTF-8. Nothing was stored.")
	}
	encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		return nil, problem.New(problem.WrongType, "A result is sent as it is or with Content-Encoding: gzip. Nothing was stored.")
	}
	if r.ContentLength < 0 {
		return nil, problem.New(problem.LengthRequired, "An upload needs a Content-Length header; send it in one piece. Nothing was stored.")
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

// receive reads a body of at most limit bytes as it comes.
func (s *server) receive(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, err error) {
	err = s.guard.outside(r, func() (err error) {
		if s.guard.BodyTimeout > 0 {
			connection := http.NewResponseController(w)
			_ = connection.SetReadDeadline(time.Now().Add(s.guard.BodyTimeout))
			// Once the body is here, a deadline that passes would take the sender for gone. If it isn't, the deadline stays: what is
			// left of the body isn't waited for.
			defer func() {
				if err == nil {
					_ = connection.SetReadDeadline(time.Time{})
				}
			}()
		}
		body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
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
		return nil, problem.Wrap(problem.TimedOut, err, "The body took longer than %v to come. Nothing was stored; send it again, packed with gzip if the line is slow.", s.guard.BodyTimeout)
	}
	return nil, problem.Wrap(problem.Malformed, err, "The body broke off before its end. Nothing was stored; send it again.")
}

// unpack unpacks one gzip member that is the whole of wire.
func unpack(wire []byte) ([]byte, error) {
	source := bufio.NewReader(bytes.NewReader(wire))
	unpacker, err := gzip.NewReader(source)
	if err != nil {
		return nil, problem.Wrap(problem.Malformed, err, "The body says it is gzip and isn't. Nothing was stored.")
	}
	unpacker.Multistream(false) // many small members could hide how much there is
	body, err := io.ReadAll(io.LimitReader(unpacker, maxDecodedBytes+1))
	if len(body) > maxDecodedBytes {
		return nil, tooLarge("decoded", maxDecodedBytes)
	}
	if err = errors.Join(err, unpacker.Close()); err != nil {
		return nil, problem.Wrap(problem.Malformed, err, "The gzip body is damaged. Nothing was stored; send it again.")
	}
	if _, err := source.Peek(1); err != io.EOF {
		return nil, problem.New(problem.Malformed, "Something follows the end of the gzip body. Nothing was stored; pack the document as one member.")
	}
	return body, nil
}

func tooLarge(where string, limit int) error {
	return problem.New(problem.TooLarge,
		"A result is at most %d KiB %s. Nothing was stored. A client never writes one as large as this; please report the file.", limit>>10, where)
}
