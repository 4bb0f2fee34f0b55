# Flashdex. `make help` lists what there is to do.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

GO      ?= go
VAR     := var
BIN     := bin
LISTEN  ?= :8080
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
# Pinned here, and not in go.mod, because they are no part of the program.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

CLIENT_SOURCES := $(shell find client result go.mod -name '*_test.go' -prune -o -type f \( -name '*.go' -o -name '*.sh' -o -name go.mod -o -name '*.json' \) -print 2>/dev/null)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## start everything on http://localhost:8080 (LISTEN=:8081 for another port)
	@exec $(BIN)/api serve --listen '$(LISTEN)' --data-dir $(VAR) --site site --hugo $(BIN)/hugo --clients $(VAR)/clients --log-file $(VAR)/api.log

.PHONY: build
build: $(BIN)/hugo $(VAR)/clients/SHA256SUMS api ## build the server, Hugo and the clients

.PHONY: go-toolchain
go-toolchain:
	@command -v $(GO) >/dev/null 2>&1 || { echo "flashdex: Go is not installed: get Go 1.26 or later from https://go.dev/dl/ and try again" >&2; exit 1; }
	@v=$$($(GO) env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/'); [ "$$v" -ge 26 ] 2>/dev/null || { echo "flashdex: Go 1.26 or later is needed, this is $$($(GO) env GOVERSION): get it from https://go.dev/dl/" >&2; exit 1; }

$(BIN)/hugo: site/hugo/go.mod site/hugo/go.sum | go-toolchain
	@mkdir -p $(BIN)
	@echo "flashdex: building Hugo (the first time it takes about two minutes)"
	@cd site/hugo && CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o ../../$(BIN)/hugo github.com/gohugoio/hugo || $(no_modules)

$(VAR)/clients/SHA256SUMS: $(CLIENT_SOURCES) | go-toolchain
	@mkdir -p $(VAR)/clients
	@echo "flashdex: building the client for every platform (the first time it takes a few minutes)"
	@sh client/build.sh $(VAR)/clients '$(VERSION)' || $(no_modules)

.PHONY: api
api: | go-toolchain
	@mkdir -p $(BIN)
	@[ -x $(BIN)/api ] || echo "flashdex: building the server"
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w -X main.version=$(VERSION)' -o $(BIN)/api ./api || $(no_modules)

no_modules := { echo "flashdex: the build failed, see above. If modules could not be fetched, connect to the network: the first build needs it" >&2; exit 1; }

.PHONY: test
test: build tools ## run every test (about 10 minutes); installs what they need
	@sh e2e/test.sh

.PHONY: tools
tools:
	@sh e2e/tools.sh

.PHONY: check
check: tools $(BIN)/hugo ## formatting, static analysis, shell, generated files
	@sh e2e/check.sh '$(STATICCHECK)'

.PHONY: clean-data
clean-data: ## remove the database, the published site and the built clients
	@if [ -L $(VAR)/postgres ]; then rm -rf "$$(readlink $(VAR)/postgres)"; fi
	@rm -rf $(VAR)
