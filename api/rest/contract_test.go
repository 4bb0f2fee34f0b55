package rest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"flashdex/api/rest"
	"flashdex/docs"
	"flashdex/result/schema"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contract is the OpenAPI document. bench.do checks every accepted request and every answer against it. Schemas of
// OpenAPI 3.1 are JSON Schemas, so the validator of result documents can validate them as they are.
type contract struct {
	document map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex // the compiler is not safe for concurrent use
}

const base = "http://flashdex.invalid/"

var agreed = sync.OnceValue(func() *contract {
	c := &contract{compiler: jsonschema.NewCompiler()}
	c.compiler.AssertFormat()
	for name, text := range map[string][]byte{"openapi.json": docs.OpenAPI, "v1/schema/result-v1.json": schema.V1} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			panic(err)
		}
		if name == "openapi.json" {
			c.document = value.(map[string]any)
		}
		if err := c.compiler.AddResource(base+name, value); err != nil {
			panic(err)
		}
	}
	return c
})

// at follows tokens from the document's root, and references on the way. It also returns the place where it ends.
func (c *contract) at(tokens ...string) (value map[string]any, place []string) {
	value = c.document
	for _, token := range tokens {
		if value, _ = value[token].(map[string]any); value == nil {
			return nil, nil
		}
		place = append(place, token)
		if to, ok := value["$ref"].(string); ok && strings.HasPrefix(to, "#/") {
			value, place = c.at(strings.Split(to[2:], "/")...)
		}
	}
	return value, place
}

// validate checks a value against the schema at a place of the document.
func (c *contract) validate(value any, place ...string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	pointer := base + "openapi.json#"
	for _, token := range place {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(token)
	}
	s, err := c.compiler.Compile(pointer)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// path finds the described path that matches an address.
func (c *contract) path(address string) string {
	paths, _ := c.at("paths")
	given := strings.Split(address, "/")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		wanted := strings.Split(path, "/")
		if slices.EqualFunc(wanted, given, func(w, g string) bool { return w == g || strings.HasPrefix(w, "{") && g != "" }) {
			return path
		}
	}
	return ""
}

// hold reports how a request and its answer break the contract.
func (c *contract) hold(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	fault := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %s is answered %d: "+format, append([]any{r.Method, r.URL.Path, a.status}, args...)...)
	}
	mediaType, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if mediaType == "application/problem+json" && r.Method != http.MethodHead {
		if err := c.validate(decoded(a.body), "components", "schemas", "Problem"); err != nil {
			fault("%v", err)
		}
	}
	path, method := c.path(r.URL.Path), strings.ToLower(r.Method)
	if method == "head" {
		method = "get"
	}
	operation, _ := c.at("paths", path, method)
	if operation == nil {
		if allowed := []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests,
			http.StatusServiceUnavailable}; !slices.Contains(allowed, a.status) &&
			r.Method != http.MethodOptions && (path != "" || strings.HasPrefix(r.URL.Path, "/v1/")) {
			fault("but it is not described")
		}
		return
	}
	response, place := c.at("paths", path, method, "responses", strconv.Itoa(a.status))
	if response == nil {
		fault("which is not described")
		return
	}
	headers, _ := response["headers"].(map[string]any)
	for name := range headers {
		header, at := c.at(append(slices.Clone(place), "headers", name)...)
		value := a.header.Get(name)
		if value == "" && header["required"] == true {
			fault("without %s", name)
		} else if value != "" {
			if err := c.validate(value, append(at, "schema")...); err != nil {
				fault("%s: %v", name, err)
			}
		}
	}
	content, _ := response["content"].(map[string]any)
	media, described := content[mediaType].(map[string]any)
	switch {
	case r.Method == http.MethodHead:
	case content == nil && len(a.body) > 0:
		fault("with a body that is not described: %.100q", a.body)
	case content != nil && !described:
		fault("as %q, which is not described", mediaType)
	case described && media["schema"] != nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")):
		if err := c.validate(decoded(a.body), append(place, "content", mediaType, "schema")...); err != nil {
			fault("%v\n%s", err, a.body)
		}
	}
	if a.status < 300 {
		c.holdRequest(t, r, path, method)
	}
}

// holdRequest checks that an accepted request is described, and that the description requires nothing else.
func (c *contract) holdRequest(t testing.TB, r *http.Request, path, method string) {
	t.Helper()
	operation, place := c.at("paths", path, method)
	if _, needs := operation["security"]; needs && r.Header.Get("Authorization") == "" {
		t.Errorf("%s %s is taken without a secret", r.Method, path)
	}
	parameters, _ := operation["parameters"].([]any)
	known := map[string]bool{}
	for _, p := range parameters {
		object := p.(map[string]any)
		if to, ok := object["$ref"].(string); ok {
			object, _ = c.at(strings.Split(to[2:], "/")...)
		}
		known[object["in"].(string)+" "+object["name"].(string)] = true
	}
	for name := range r.URL.Query() {
		if !known["query "+name] && strings.HasPrefix(path, "/v1/") {
			t.Errorf("%s %s takes the parameter %s, which is not described", r.Method, path, name)
		}
	}
	if _, takes := c.at("paths", path, method, "requestBody", "content", "application/json"); takes == nil ||
		r.GetBody == nil {
		return // nothing, or a form
	}
	body, err := r.GetBody()
	if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		body, err = gzip.NewReader(body)
	}
	if err != nil {
		t.Error(err)
		return
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Error(err)
	}
	if err := c.validate(decoded(text), append(place, "requestBody", "content", "application/json",
		"schema")...); err != nil {
		t.Errorf("%s %s is taken, and breaks the description: %v", r.Method, path, err)
	}
}

// decoded returns the value of a JSON text. It returns nil if there is none, which no schema here accepts.
func decoded(text []byte) any {
	value, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return value
}

func TestEveryRouteIsDescribedAndEveryDescriptionHasARoute(t *testing.T) {
	t.Parallel()
	var routes, described []string
	add := func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		// Neither the site and missing pages, nor the operators' pages, whose API is below /v1/moderation/.
		if route == "/*" || route == "/v1/*" || strings.HasPrefix(route, "/operate/") {
			return nil
		}
		routes = append(routes, strings.ToLower(method)+" "+strings.Replace(route, "/client/*", "/client/{file}", 1))
		return nil
	}
	if err := chi.Walk(rest.New(rest.Config{}).(chi.Routes), add); err != nil {
		t.Fatal(err)
	}
	paths, _ := agreed().at("paths")
	for path := range paths {
		item, _ := agreed().at("paths", path)
		for method := range item {
			if method != "parameters" {
				described = append(described, method+" "+path)
			}
		}
	}
	slices.Sort(routes)
	slices.Sort(described)
	if diff := cmp.Diff(routes, described); diff != "" {
		t.Errorf("(-routes +described):\n%s", diff)
	}
}

func TestDescriptionIsServed(t *testing.T) {
	t.Parallel()
	b := start(t)
	if a := b.get("/openapi.json"); a.status != http.StatusOK || !bytes.Equal(a.body, docs.OpenAPI) {
		t.Errorf("%d, %d bytes", a.status, len(a.body))
	}
}
