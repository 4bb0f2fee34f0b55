//go:build ignore

// This program writes the bill of materials of Go programs and of the vendored JavaScript as CycloneDX 1.6 in JSON:
// https://cyclonedx.org/docs/1.6/json/. It reads the modules from the programs themselves, so it lists only linked
// modules. It contains no time or place: the same programs give the same bytes.
//
//	go run api/deploy/sbom.go VERSION PROGRAM... >sbom.cdx.json
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

type (
	component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version"`
		Hashes  []hash `json:"hashes,omitempty"`
		PURL    string `json:"purl,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
	bill struct {
		Format      string `json:"bomFormat"`
		SpecVersion string `json:"specVersion"`
		Version     int    `json:"version"`
		Metadata    struct {
			Component component `json:"component"`
		} `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
)

const vendored = "site/assets/vendor"

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: go run api/deploy/sbom.go VERSION PROGRAM...")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(version string, programs []string) error {
	b := bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Ref: "flashdex", Name: "flashdex", Version: version}
	whole := dependency{Ref: "flashdex"}
	libraries := map[string]component{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		name := filepath.Base(program)
		own := component{Type: "application", Ref: "program:" + name, Name: name, Version: version,
			Hashes: []hash{{Algorithm: "SHA-256", Content: hex.EncodeToString(sum[:])}}}
		if info.Main.Path != "flashdex" { // Hugo and Caddy have versions of their own
			own.Version, own.PURL = info.Main.Version, "pkg:golang/"+info.Main.Path+"@"+info.Main.Version
		}
		b.Components = append(b.Components, own)
		whole.DependsOn = append(whole.DependsOn, own.Ref)
		links := dependency{Ref: own.Ref}
		modules := append(info.Deps, &debug.Module{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")})
		for _, module := range modules {
			if module.Replace != nil {
				module = module.Replace
			}
			purl := "pkg:golang/" + module.Path + "@" + module.Version
			libraries[purl] = component{Type: "library", Ref: purl, Name: module.Path, Version: module.Version, PURL: purl}
			links.DependsOn = append(links.DependsOn, purl)
		}
		b.Dependencies = append(b.Dependencies, links)
	}
	scripts, err := filepath.Glob(vendored + "/*/VERSION")
	if err != nil || len(scripts) == 0 {
		return fmt.Errorf("no library in %s (%v): start this in the root of the repository", vendored, err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			return err
		}
		name, version := filepath.Base(filepath.Dir(script)), strings.TrimSpace(string(text))
		purl := "pkg:npm/" + name + "@" + version
		libraries[purl] = component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
		whole.DependsOn = append(whole.DependsOn, purl)
	}
	for _, ref := range slices.Sorted(maps.Keys(libraries)) {
		b.Components = append(b.Components, libraries[ref])
	}
	b.Dependencies = append(b.Dependencies, whole)
	text, err := json.MarshalIndent(b, "", "\t")
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(append(text, '\n'))
	return err
}
