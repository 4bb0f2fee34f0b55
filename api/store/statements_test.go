package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// reStatement recognizes the beginning of a statement.
var reStatement = regexp.MustCompile(`^\s*\(?(select|insert into|update|delete from|with|truncate|analyze)\s`)

// TestStatementsAreDocumentedForCitus compares the table in docs/citus.md with the source. The table must list every
// function, constant and variable that contains statements, and their number.
func TestStatementsAreDocumentedForCitus(t *testing.T) {
	t.Parallel()
	found := statements(t)
	text, err := os.ReadFile("../../docs/citus.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]int{}
	reRow := regexp.MustCompile("(?m)^\\| `(.+?)` \\| (\\d+) \\| (.+?) \\|")
	for _, row := range reRow.FindAllStringSubmatch(string(text), -1) {
		if !regexp.MustCompile(`^(one shard|some shards|all shards|copies|coordinator)`).MatchString(row[3]) {
			t.Errorf("docs/citus.md: %s: %q names no kind of statement", row[1], row[3])
		}
		documented[row[1]], _ = strconv.Atoi(row[2])
	}
	for name, n := range found {
		if documented[name] != n {
			t.Errorf("%s holds %d statements, docs/citus.md says %d: say there what they need of Citus", name, n,
				documented[name])
		}
	}
	for name := range documented {
		if found[name] == 0 {
			t.Errorf("docs/citus.md lists %s, which holds no statement", name)
		}
	}
}

// statements counts the statements of each declaration of the package.
func statements(t *testing.T) map[string]int {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	count := func(name string, node ast.Node) {
		ast.Inspect(node, func(n ast.Node) bool {
			if sum, ok := n.(*ast.BinaryExpr); ok { // a concatenation begins at its left
				for left := sum.X; ; {
					if inner, ok := left.(*ast.BinaryExpr); ok {
						left = inner.X
						continue
					}
					if literal, ok := left.(*ast.BasicLit); ok && isStatement(literal) {
						found[name]++
						return false
					}
					return true
				}
			}
			if literal, ok := n.(*ast.BasicLit); ok && isStatement(literal) {
				found[name]++
			}
			return true
		})
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				count(d.Name.Name, d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if values, ok := spec.(*ast.ValueSpec); ok {
						count(values.Names[0].Name, values)
					}
				}
			}
		}
	}
	return found
}

func isStatement(literal *ast.BasicLit) bool {
	text, err := strconv.Unquote(literal.Value)
	return err == nil && reStatement.MatchString(text)
}
