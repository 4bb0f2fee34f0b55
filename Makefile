# Flashdex. `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

GO      ?= go
VAR     := var
BIN     := bin
LISTEN  ?= :8080
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
# Pinned here and not in go.mod, because they are not part of the program.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
# Makes packages of four formats on one machine, without root or their own tools, and the same bytes each time.
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
# How long each fuzz target runs in make test-long.
FUZZ := 20s
# How long make test-long breaks everything at random, and by which schedule; 0: a new schedule each time.
CHAOS := 15m
SEED  := 0
# Only make test-long runs these tests in full. They are in emulated computers, beside tests with a low priority.
LONG_GUESTS := Truth|ClientAgreesWithFio|ProfileAgreesWithIozone|OpenUnitsAgreeWithFlashbench|IozoneOfACard
LONG_GUESTS := $(LONG_GUESTS)|SustainedOfACard|RecordingOnACard|AChangedCardIsNoPartOfARun|ReferenceGoesOn
LONG_GUESTS := $(LONG_GUESTS)|ReferenceOnExt4|Memory|Killed|PowerCut

CLIENT_SOURCES := $(shell find client result go.mod -name '*_test.go' -prune -o -type f \
	\( -name '*.go' -o -name '*.sh' -o -name go.mod -o -name '*.json' \) -print 2>/dev/null)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The clients are built in the background, and the server hands each one out once it is built. Signed clients are built
# before the server starts, because everybody refuses a list that changes after it was signed. The build ends with the
# server, whose process replaces this shell.
.PHONY: run
run: programs $(if $(wildcard $(VAR)/clients/flashdex.pub),clients) ## start everything on http://localhost:8080 (LISTEN=:8081 for another port)
	@mkdir -p $(VAR)
	@{ setsid nice $(MAKE) clients >$(VAR)/clients.log 2>&1 & \
		while sleep 1; kill -0 $$$$ 2>/dev/null && kill -0 $$! 2>/dev/null; do :; done; \
		kill -TERM -$$! 2>/dev/null || wait $$! || echo "flashdex: $(VAR)/clients.log tells why not all clients could be" \
			"built. The site goes on without them; make clients tries again" >&2; } & \
	exec $(BIN)/api serve --listen '$(LISTEN)' --data-dir $(VAR) \
		--site site --hugo $(BIN)/hugo --clients $(VAR)/clients --log-file $(VAR)/api.log

.PHONY: build
build: programs clients ## build the server, Hugo and the clients

# The server and Hugo are built at the same time, so that one links while the other is fetched or compiled. Hugo gets
# the processor time that the server leaves, since two builds side by side both compile the packages that they share.
.PHONY: programs
programs: | go-toolchain
	@[ -x $(BIN)/hugo ] || echo "flashdex: the first start takes about three minutes: it builds the server and Hugo, and" \
		"then makes the site"
	@$(MAKE) --silent --jobs=2 api $(BIN)/hugo

.PHONY: clients
clients: $(VAR)/clients/.built ## build the client for every platform

.PHONY: go-toolchain
go-toolchain:
	@command -v $(GO) >/dev/null 2>&1 || { \
		echo "flashdex: Go is not installed: get Go 1.26 or later from https://go.dev/dl/ and try again" >&2; exit 1; }
	@v=$$($(GO) env GOVERSION); minor=$$(echo "$$v" | sed 's/^go1\.\([0-9]*\).*/\1/'); \
		[ "$$minor" -ge 26 ] 2>/dev/null || { \
		echo "flashdex: Go 1.26 or later is needed, this is $$v: get it from https://go.dev/dl/" >&2; exit 1; }

# Runs a go build in the foreground, so that Ctrl-C ends it, and shows a dot for every twenty packages. If a build fails
# because of the network, it says so in one sentence; otherwise it shows the compiler's messages.
define go_build
{ CGO_ENABLED=0 $(2) $(GO) build -v -trimpath -buildvcs=false $(1) 2>&1; echo "exit status $$?"; } | awk ' \
	/^exit status / { status = $$3; next } \
	/^go: downloading / { next } \
	/^[a-zA-Z0-9.\/_~-]+$$/ { if (++built % 20 == 0) { printf "."; fflush() } next } \
	{ said = said $$0 "\n" } \
	/dial tcp|no such host|connection refused|i\/o timeout|GOPROXY|proxyconnect/ { offline = 1 } \
	END { if (built >= 20) print ""; \
	      if (status && offline) print "flashdex: the Go modules could not be fetched: the first build needs the " \
	          "network. Connect, and run make again." > "/dev/stderr"; \
	      else if (status) printf "%s", said > "/dev/stderr"; \
	      exit status }'
endef

$(BIN)/hugo: site/hugo/go.mod site/hugo/go.sum | go-toolchain
	@mkdir -p $(BIN)
	@echo "flashdex: building Hugo (the first time it takes about two minutes)"
	@cd site/hugo && $(call go_build,-ldflags='-s -w' -o ../../$(BIN)/hugo github.com/gohugoio/hugo,nice -n 19)

$(VAR)/clients/.built: $(CLIENT_SOURCES) | go-toolchain
	@echo "flashdex: building the client for every platform (the first time it takes a few minutes)"
	@sh client/build.sh $(VAR)/clients '$(VERSION)'
	@echo '$(VERSION)' >$@

# The key stays on the machine that signs. The number of a release counts its commits.
KEY     ?= $(HOME)/.config/flashdex/signing.pem
RELEASE ?= $(shell [ "$$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ] && git rev-list --count HEAD)
.PHONY: sign
sign: clients ## sign the clients with your key, for a server that others use (KEY=FILE, OLD_KEY=FILE)
	@$(GO) run ./client/sign -key '$(KEY)' -old-key '$(OLD_KEY)' -release '$(RELEASE)' $(VAR)/clients

.PHONY: api
api: | go-toolchain
	@mkdir -p $(BIN)
	@[ -x $(BIN)/api ] || echo "flashdex: building the server"
	@$(call go_build,-ldflags='-s -w -X main.version=$(VERSION)' -o $(BIN)/api ./api)

# Writes the data of the site for a preview and for tests: made-up uploads of 60 modules, without a database.
.PHONY: fixture
fixture: | go-toolchain
	@said=$$($(GO) test -count=1 ./api/publish -run '^TestWriteFixture$$' -fixture '$(CURDIR)/site/fixture' 2>&1) || \
		{ echo "$$said" >&2; exit 1; }

.PHONY: site
site: $(BIN)/hugo fixture ## build and preview the site with a fixture of 60 modules, without Postgres; Ctrl-C ends it
	@exec $(BIN)/hugo server --source site --renderToMemory --noBuildLock

# The uploads come over HTTP while the server runs. Their sender ends with the server, whose process replaces this
# shell. X-Forwarded-For gives each made-up contributor an address.
DEMO      := $(VAR)/demo
DEMO_SITE := http://$(if $(filter :%,$(LISTEN)),localhost)$(LISTEN)
.PHONY: demo
demo: programs ## start a server full of made-up uploads, which leaves the data of make run alone
	@mkdir -p '$(DEMO)'
	@{ { [ -e '$(DEMO)/filled' ] || exec setsid nice $(GO) test -count=1 ./api/publish -run '^TestFillDemo$$' -v \
			-demo '$(DEMO_SITE)' -demo-folder '$(abspath $(DEMO))' >'$(DEMO)/fill.log' 2>&1; } & \
		while sleep 1; kill -0 $$$$ 2>/dev/null && kill -0 $$! 2>/dev/null; do :; done; \
		if kill -TERM -$$! 2>/dev/null; then :; elif wait $$!; then \
			touch '$(DEMO)/filled'; \
			echo "flashdex: the demo is at $(DEMO_SITE)/ and its data are made up"; \
			echo "  operators sign in at $(DEMO_SITE)/operate/ with what this prints: $(BIN)/api operator add NAME" \
				"--database-url 'postgres:///flashdex?user=flashdex&host=$(abspath $(DEMO))/postgres/socket'"; \
		else echo "flashdex: not all made-up data could be sent, and $(DEMO)/fill.log tells why. What came is kept;" \
			"another make demo sends the rest" >&2; kill -TERM $$$$ 2>/dev/null; fi; } & \
	exec $(BIN)/api serve --listen '$(LISTEN)' --data-dir '$(DEMO)' --public-url '$(DEMO_SITE)' \
		--trusted-proxies 127.0.0.1/32,::1/128 --site site --hugo $(BIN)/hugo --clients $(VAR)/clients \
		--log-file '$(DEMO)/api.log'

.PHONY: dist
dist: api $(BIN)/hugo clients ## pack the server and its systemd unit for a machine without containers, into var/dist
	@sh api/deploy/dist.sh '$(VERSION)' '$(BIN)'

# The platforms of a release's server, as Go names them. This machine's programs come from make build; the others are in
# folders beside them.
SERVER_PLATFORMS ?= amd64 arm64
# Clients that were built for an earlier commit hold its name, even if their sources are the same. A key that is named
# with KEY must exist. The key at the usual place is used if it exists.
RELEASE_KEY = $(if $(filter file,$(origin KEY)),$(wildcard $(KEY)),$(KEY))
.PHONY: release
release: ## make all files of a release, reproducibly, into var/release, and sign them (KEY=FILE, OLD_KEY=FILE)
	@[ "$$(cat $(VAR)/clients/.built 2>/dev/null)" = '$(VERSION)' ] || rm -f $(VAR)/clients/.built
	@$(MAKE) $(if $(RELEASE_KEY),sign,clients)
	@native=$$($(GO) env GOARCH); for platform in $(SERVER_PLATFORMS); do \
		bin=$(BIN)/$$platform; [ $$platform != $$native ] || bin=$(BIN); \
		GOARCH=$$platform $(MAKE) BIN=$$bin dist || exit 1; \
	done
	@VERSION='$(VERSION)' KEY='$(RELEASE_KEY)' OLD_KEY='$(OLD_KEY)' RELEASE='$(RELEASE)' \
		SERVER_PLATFORMS='$(SERVER_PLATFORMS)' sh packaging/release.sh $(VAR)/release

.PHONY: test
test: tools build ## run the tests (40 minutes on two processors); installs the programs they need
	@sh e2e/test.sh

.PHONY: test-long
test-long: tools build ## test in emulated computers and containers, break the server in every way, fuzz (2 hours)
	@$(GO) test -count=1 -timeout 30m -parallel 2 -v -run '^TestStructureOfACard$$' ./e2e/guest -long
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=line test-guests test-crashes test-saturation

# Nothing may disturb these cards. Those of the structure keep the processors busy, and so does a guest that boots. So
# the recorder, which shows the slowest of minutes of writes, is beside tests that hardly load the computer.
.PHONY: test-cards
test-cards:
	@$(GO) test -count=1 -timeout 30m -parallel 20 -v -run '^Test(RecorderOnACard|MixedOnACard)$$' ./e2e/guest -long
	@$(GO) test -count=1 -timeout 30m -parallel 20 -v -run '^TestQueueOfACard$$' ./e2e/guest -long

# It begins with the cards, and ends minutes after them, beside tests with a low priority.
.PHONY: test-saturation
test-saturation:
	@$(GO) test -count=1 -timeout 60m -v -run '^TestSaturateGoesOn$$' ./e2e/guest -long

# Tests that measure time are beside tests with a low priority.
.PHONY: test-guests
test-guests: | test-cards test-saturation
	@$(GO) test -count=1 -timeout 60m -v -run '^TestSimulatedHonestRunsPass$$' ./api/submission/plausible -runs 13260
	@$(GO) test -count=1 -timeout 3h -parallel 4 -v -run '^Test($(LONG_GUESTS))$$' ./e2e/guest -long
	@$(GO) test -count=1 -timeout 3h -v -run '^TestChaos$$' ./e2e/ingest -chaos $(CHAOS) -seed $(SEED)

.PHONY: test-crashes
test-crashes: | test-cards
	@nice $(GO) test -count=1 -timeout 3h -v \
		-run '^Test(KilledDuringUploads|PostgresGoneForAWhile|FullDiskUnderPostgres)$$' ./e2e/ingest -long
	@nice $(GO) test -count=1 -timeout 3h -v -run '^Test(AnyOperationMayFail|TheDiskMayBeFull|.*AtAnyOperation)$$' \
		./api/dataset/snapshot -operations 60
	@nice $(GO) test -count=1 -timeout 3h -v -run '^TestPublisherThat' ./e2e/publication -stride 4
	@nice $(GO) test -count=1 -timeout 3h -v -skip '^TestReleaseTwice$$' ./e2e/compose -long
	@nice sh e2e/fuzz.sh $(FUZZ)

.PHONY: test-release
test-release: tools ## before a release, build it twice, once from an empty cache, and compare (2 hours)
	@$(GO) test -count=1 -timeout 3h -v -run '^TestReleaseTwice$$' ./e2e/compose -long

.PHONY: test-store
test-store: ## run the store's tests on another server: make test-store DATABASE_URL=postgres://superuser@host/postgres
	@[ -n '$(DATABASE_URL)' ] || { \
		echo "flashdex: name the server: make test-store DATABASE_URL=postgres://superuser@host/postgres" >&2; exit 1; }
	@FLASHDEX_TEST_DATABASE_URL='$(DATABASE_URL)' $(GO) test -count=1 -timeout 25m ./api/store

.PHONY: bench
bench: build tools ## measure the figures that matter, with a peer or the physical limit for comparison
	@$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 60m \
		./result/... ./client/measure ./api/submission/token ./api/figure/model ./api/store ./api/dataset/snapshot ./api/publish ./e2e ./e2e/site ./e2e/guest \
		./e2e/ingest ./e2e/publication

.PHONY: tools
tools:
	@sh e2e/tools.sh

.PHONY: check
check: tools $(BIN)/hugo fixture ## check formatting, Go, shell and generated files
	@sh e2e/check.sh '$(STATICCHECK)' '$(GOVULNCHECK)'

# The counts in our own documents aren't checked, so that a person who adds a row or a module need not edit them.
.PHONY: check-data
check-data: | go-toolchain ## check data/ alone, and say in words what is wrong with it
	@for tests in '^TestDataAreSound$$' .; do \
		said=$$($(GO) test -count=1 -run "$$tests" -skip '^TestTheReadmeCounts|/^CountsOfTheDocument$$' \
			./api/catalogue ./api/figure/question 2>&1) || { \
			echo "$$said" | sed -E '/^(ok|---|FAIL|panic|goroutine)/d; s/^ *[a-z_]+_test\.go:[0-9]+: //' >&2; \
			echo "flashdex: data/ is not in order; nothing was changed" >&2; exit 1; }; \
	done
	@echo "flashdex: data/ is in order"

.PHONY: clean-data
clean-data: ## remove the database, the published site and the built clients
	@for link in $(VAR)/postgres $(DEMO)/postgres; do if [ -L $$link ]; then rm -rf "$$(readlink $$link)"; fi; done
	@rm -rf $(VAR)
