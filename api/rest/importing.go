package rest

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/client/transcript"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// maxImportForm is enough for the longest pasted text: a form may take three bytes for each of its characters.
const maxImportForm = 1 << 20

// maxImported is the most results of one form. A session with many tools has about ten.
const maxImported = 50

// importing adds the form that takes what other tools printed, as flashdex import does.
func (s *server) importing(r chi.Router) {
	r.Use(s.forPeople)
	r.Get("/import/", s.person(func(w http.ResponseWriter, r *http.Request) error {
		form, err := page.ImportPage(page.Import{})
		s.show(w, r, http.StatusOK, form, err)
		return nil
	}))
	r.Post("/import/", s.person(s.postImport))
}

// postImport shows what it understood. It keeps the results only if the form confirms that the same text was shown
// before.
func (s *server) postImport(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, maxImportForm)
	if err != nil {
		return err
	}
	var shown page.Import
	if err := s.inTurn(r, func() error {
		shown = readImport(form, s.Version)
		return nil
	}); err != nil {
		return err
	}
	if shown.Ready && form.Get("keep") != "" && form.Get("seen") == shown.Seen && form.Get("website") == "" {
		return s.keepImport(w, r, form, shown)
	}
	if shown.Ready {
		var key secret
		if _, err := rand.Read(key[:]); err != nil {
			return err
		}
		shown.Key, shown.At = hex.EncodeToString(key[:]), time.Now().UTC().Format("2006-01-02T15:04:05Z")
	}
	if t, err := s.tables.get(r.Context()); err != nil {
		s.Log.Warn("a pasted text is shown without its place", "error", err)
	} else {
		s.placeImport(t, &shown)
	}
	status := http.StatusOK
	if shown.Wrong != "" {
		status = http.StatusUnprocessableEntity
	}
	again, err := page.ImportPage(shown)
	s.show(w, r, status, again, err)
	return nil
}

// readImport reads a form and its pasted text, if there is one. version is the version of the server that reads it.
func readImport(form url.Values, version string) page.Import {
	shown := page.Import{
		Text:     form.Get("text"),
		Capacity: oneLine(form, "capacity"),
		Module:   result.Module{Vendor: oneLine(form, "vendor"), Product: oneLine(form, "product"), Form: form.Get("form")},
	}
	number := strings.TrimSpace(strings.TrimSuffix(strings.ToUpper(shown.Capacity), "GB"))
	gb, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	switch {
	case err == nil && gb > 0 && gb <= 1e6:
		shown.Module.CapacityGB = gb
	case shown.Capacity != "":
		shown.Wrong = fmt.Sprintf("the capacity %q is no number of GB. Write it as 32 or 0.5", shown.Capacity)
		return shown
	}
	facts := map[string]string{}
	for fact := range transcript.Questions {
		if given := oneLine(form, fact); given != "" {
			value, err := transcript.CheckFact(fact, given)
			if err != nil {
				shown.Wrong = strings.TrimPrefix(err.Error(), "--")
				return shown
			}
			facts[fact] = value
		}
	}
	if names(shown.Module) && strings.TrimSpace(shown.Text) == "" {
		return shown // the form only asks what is known of the module
	}
	read, err := transcript.Read(shown.Text, facts)
	var missing *transcript.MissingError
	switch {
	case errors.As(err, &missing):
		for _, fact := range missing.Facts {
			shown.Asked = append(shown.Asked, page.Question{Name: fact, Words: transcript.Questions[fact],
				Values: transcript.Values[fact]})
		}
	case err != nil:
		shown.Wrong = err.Error()
		return shown
	}
	if n := len(read.Outputs); n > maxImported {
		shown.Wrong = fmt.Sprintf("The text holds %d results, and the form takes %d at once. Paste it in parts, or use "+
			"flashdex import.", n, maxImported)
		return shown
	}
	shown.LeftOut = read.LeftOut
	if n := len(read.LeftOut) - 10*maxImported; n > 0 {
		shown.LeftOut = append(read.LeftOut[:10*maxImported:10*maxImported], fmt.Sprintf("%d more lines", n))
	}
	for _, fact := range slices.Sorted(maps.Keys(facts)) {
		shown.Told = append(shown.Told, page.Question{Name: fact, Words: transcript.Questions[fact],
			Values: transcript.Values[fact], Value: facts[fact]})
	}
	for i := range read.Outputs {
		doc := result.Document{
			SchemaVersion: result.SchemaVersion, Module: shown.Module, Spoilers: []string{},
			Client: result.Client{Name: "flashdex", Version: cmp.Or(version, "development"), Platform: "site/import"},
		}
		read.Outputs[i].Fill(&doc)
		shown.Documents = append(shown.Documents, doc)
	}
	m := shown.Module
	shown.Ready = len(shown.Asked) == 0 && m.Vendor != "" && m.Product != "" && m.CapacityGB > 0 && m.Form != ""
	seen, _ := json.Marshal(shown.Documents) // it holds nothing that JSON lacks
	shown.Seen = fmt.Sprintf("%x", sha256.Sum256(seen))
	return shown
}

// keepImport stores the results of a form for a contributor whose secret was made for this form. If the same form is
// sent twice, they are stored once. The answer shows the secret with everything that may be stored, because nobody
// could delete it otherwise.
func (s *server) keepImport(w http.ResponseWriter, r *http.Request, form url.Values, shown page.Import) error {
	from, ok := readSecret(form.Get("key"))
	if !ok {
		return problem.New(problem.Malformed, "The form lacks its key. Nothing was stored; open it anew.")
	}
	shown.Key, shown.Site = form.Get("key"), s.baseURL(r)
	var worst *problem.Problem
	status := http.StatusOK
	for i := range shown.Documents {
		doc := &shown.Documents[i]
		sum := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d", shown.Key, i)))
		doc.ID = fmt.Sprintf("%s-%s-8%s-8%s-%s", sum[:8], sum[8:12], sum[12:15], sum[15:18], sum[18:30]) // a UUID, version 8
		doc.StartedAt = form.Get("at")
		one := page.KeptImport{Path: "/r/" + doc.ID, ID: doc.ID, Method: doc.Method}
		var err error
		if status < http.StatusInternalServerError {
			one.State, one.Reason, err = s.keepOne(r, from, doc)
		} else {
			err = worst // otherwise each result would wait as long for it
		}
		if err == nil {
			shown.Kept = append(shown.Kept, one)
			continue
		}
		failure := problem.Of(err)
		if is := answers[failure.Kind].status; is > status {
			worst, status = failure, is
		}
		one.Reason = failure.Detail
		shown.NotKept = append(shown.NotKept, one)
	}
	if worst != nil {
		if len(shown.Kept) == 0 && status < http.StatusInternalServerError { // surely nothing is stored
			return worst
		}
		failed(w, r, worst)
	}
	kept, err := page.ImportedPage(shown)
	s.show(w, r, status, kept, err)
	return nil
}

// keepOne stores a result of a form, and returns its state in words.
func (s *server) keepOne(r *http.Request, from secret, doc *result.Document) (state, reason string, err error) {
	body, err := json.Marshal(doc)
	if err != nil {
		return "", "", err
	}
	checked, err := readDocument(body)
	if err != nil {
		return "", "", err
	}
	module := s.Catalogue.Of(checked, "")
	added, err := s.store(r, from, checked, body, module)
	if err != nil && problem.Of(err).Kind == problem.TooMany {
		// A limit also refuses what it took before, when the form is sent again. Adding it once more adds nothing.
		if _, _, _, unknown := s.Store.Submission(r.Context(), doc.ID); unknown == nil {
			added, err = s.Store.AddSubmission(r.Context(), from, checked, body, module, doorVerdict(checked), s.guard.origin(r))
		}
	}
	return page.StateWords[added.Submission.State], added.Submission.StateReason, err
}
