package spool_test

import (
	"net/http"
	"strings"
	"testing"

	"flashdex/client/spool"
)

// A site chooses the names that the client prints and types into commands.
func TestReceiptsNamesCantControlATerminal(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`{"slug":"a\u001b[2J","name":"`+strings.Repeat("n", 500)+`\u202e"},`, 100)
	_, _, _, _, receipt, err := upload(t, answer(http.StatusCreated, strings.Replace(accepted, `"state"`,
		`"choices":[`+strings.TrimSuffix(many, ",")+`],"offered":{"slug":"b\n","name":"\u0007B"},"state"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(receipt.Choices); n != 20 {
		t.Errorf("%d choices", n)
	}
	for _, c := range append(receipt.Choices, receipt.Offered) {
		if strings.ContainsAny(c.Slug+c.Name, "\x1b\u202e\n\x07") || len(c.Name) > 120 || c.Slug == "" {
			t.Errorf("%+q", c)
		}
	}
}

func TestNamingKeepsTheSitesAnswer(t *testing.T) {
	t.Parallel()
	s, _, _, _, _, err := upload(t, answer(http.StatusCreated, accepted))
	if err != nil {
		t.Fatal(err)
	}
	named := strings.Replace(accepted, `"slug":"a"`, `"slug":"b"`, 1)
	for _, of := range []struct {
		status        int
		answer        string
		kept, refused string
	}{
		{http.StatusOK, "<html>Log in to the network</html>", "a", ""}, // a captive portal
		{http.StatusConflict, `{}`, "a", "409"},
		{http.StatusOK, named, "b", ""},
	} {
		a := &answers{list: []func(http.ResponseWriter){answer(of.status, of.answer)}}
		_, err := s.Name(t.Context(), spool.Site{URL: serve(t, a)}, exampleID, "b")
		if (err == nil) != (of.kept == "b") || err != nil && !strings.Contains(err.Error(), of.refused) {
			t.Errorf("%q: %v", of.answer, err)
		}
		if r := a.requests[0]; r.Method != http.MethodPut || r.URL.Path != "/v1/results/"+exampleID+"/module" ||
			a.bodies[0] != `{"module":"b"}` || r.Header.Get("Authorization") == "" {
			t.Errorf("%s %s %s", r.Method, r.URL.Path, a.bodies[0])
		}
		all, err := s.All()
		if err != nil || len(all) != 1 || all[0].Receipt == nil || all[0].Receipt.Module.Slug != of.kept {
			t.Errorf("after %q kept is %+v, %v", of.answer, all, err)
		}
	}
}
