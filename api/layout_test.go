package main

import (
	"flag"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var writeImports = flag.Bool("write-imports", false, "write the imports of every package into CONTRIBUTING.md")

// reFolder matches a row of the import table in CONTRIBUTING.md: folder, contents, imports.
var reFolder = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| ([^|\n]+) \\| ([^|\n]+) \\|$")

// TestFoldersImportWhatContributingAllows compares the import table of CONTRIBUTING.md with the code, in both
// directions.
func TestFoldersImportWhatContributingAllows(t *testing.T) {
	t.Parallel()
	const path = "../CONTRIBUTING.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	actual := importsByFolder(t)
	if *writeImports {
		text = reFolder.ReplaceAllFunc(text, func(row []byte) []byte {
			cells := reFolder.FindSubmatch(row)
			imports := importCell(actual[string(cells[1])])
			return []byte("| `" + string(cells[1]) + "` | " + string(cells[2]) + " | " + imports + " |")
		})
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	documented := map[string]bool{}
	for _, row := range reFolder.FindAllStringSubmatch(string(text), -1) {
		folder, imports := row[1], row[3]
		documented[folder] = true
		if _, err := os.Stat(filepath.Join("..", folder)); err != nil {
			t.Errorf("%s lists %s: %v", path, folder, err)
		}
		if want := importCell(actual[folder]); imports != want {
			t.Errorf("%s imports %s; %s says %s.\n"+
				"If the new imports are right, run go test ./api -run Contributing -write-imports", folder, want, path, imports)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(actual)) {
		if !documented[folder] {
			t.Errorf("%s has no row for %s", path, folder)
		}
	}
}

// TestLayersImportOnlyDownwards checks the layers of CONTRIBUTING.md, which -write-imports can't change: the domain
// imports no other layer, pages and data set no adapter, and the adapters don't import each other.
func TestLayersImportOnlyDownwards(t *testing.T) {
	t.Parallel()
	adapters := []string{"api/store", "api/rest", "api/publish"}
	output := []string{"api/page", "api/dataset"}
	forbidden := map[string][]string{}
	for _, folder := range []string{"api/catalogue", "api/figure", "api/ranking", "api/submission"} {
		forbidden[folder] = slices.Concat(adapters, output)
	}
	for _, folder := range slices.Concat(adapters, output) {
		forbidden[folder] = adapters
	}
	actual := importsByFolder(t)
	for folder, others := range forbidden {
		for _, other := range others {
			if slices.Contains(actual[folder], other) {
				t.Errorf("%s imports %s", folder, other)
			}
		}
	}
}

// TestServerHasAtMostTwelveFolders counts the folders directly under api/, except testdata.
func TestServerHasAtMostTwelveFolders(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != "testdata" {
			folders = append(folders, entry.Name())
		}
	}
	if len(folders) > 12 {
		t.Errorf("api/ has %d folders, at most 12 are allowed: %v", len(folders), folders)
	}
}

// importCell formats imports for the table.
func importCell(imports []string) string {
	if len(imports) == 0 {
		return "–"
	}
	return "`" + strings.Join(imports, "`, `") + "`"
}

// importsByFolder returns the sorted imports within this module of every folder with Go code, without tests.
// Folders and imports are relative to the root of the repository.
func importsByFolder(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, root := range []string{"api", "client", "data", "docs", "migrations", "result", "site"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
			imports[folder] = append(imports[folder], []string{}...)
			for _, spec := range file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				if ours, is := strings.CutPrefix(name, "flashdex/"); is && !slices.Contains(imports[folder], ours) {
					imports[folder] = append(imports[folder], ours)
				}
			}
			slices.Sort(imports[folder])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return imports
}
