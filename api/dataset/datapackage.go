package dataset

import (
	"strings"
	"sync"

	"flashdex/api/catalogue"
)

// Package is a descriptor in the format of Data Package version 2 (https://datapackage.org/standard/data-package/).
type Package struct {
	Schema      string     `json:"$schema"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Homepage    string     `json:"homepage"`
	Version     string     `json:"version"`
	Created     string     `json:"created"`
	Licenses    []licence  `json:"licenses"`
	Sources     []source   `json:"sources"`
	Citation    string     `json:"citation,omitempty"`
	Resources   []resource `json:"resources"`
}

type licence struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Title string `json:"title"`
}

type source struct {
	Title string `json:"title"`
	Path  string `json:"path,omitempty"`
}

type resource struct {
	Name        string          `json:"name"`
	Type        string          `json:"type,omitempty"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Path        string          `json:"path"`
	Scheme      string          `json:"scheme,omitempty"`
	Format      string          `json:"format"`
	MediaType   string          `json:"mediatype"`
	Compression string          `json:"compression,omitempty"`
	Encoding    string          `json:"encoding,omitempty"`
	Bytes       int64           `json:"bytes,omitempty"`
	Hash        string          `json:"hash,omitempty"`
	Schema      *resourceSchema `json:"schema,omitempty"`
}

type resourceSchema struct {
	Schema        string          `json:"$schema"`
	Fields        []resourceField `json:"fields"`
	MissingValues []string        `json:"missingValues"`
	PrimaryKey    []string        `json:"primaryKey"`
	ForeignKeys   []foreignKey    `json:"foreignKeys,omitempty"`
}

type resourceField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Unit        string `json:"unit,omitempty"`
	Description string `json:"description"`
	FreeText    bool   `json:"freeText,omitempty"` // see Apostrophes
	Constraints Rules  `json:"constraints,omitzero"`
}

type foreignKey struct {
	Fields    []string  `json:"fields"`
	Reference reference `json:"reference"`
}

type reference struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
}

// packageTypes are the types of Table Schema.
var packageTypes = map[Type]string{
	Text: "string", Key: "string", Integer: "integer", Number: "number", Boolean: "boolean", Date: "date", JSON: "array",
}

// newPackage describes data that contributors measured and that sources published.
func newPackage(p Package, homepage string, published []catalogue.Source) Package {
	p.Schema, p.Homepage = "https://datapackage.org/profiles/2.0/datapackage.json", homepage
	p.Licenses = []licence{{"CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0 Universal"}}
	p.Sources = []source{{Title: "Contributors of Flashdex", Path: homepage}}
	for _, of := range published {
		p.Sources = append(p.Sources, source{of.Title, of.URL})
	}
	return p
}

// NewPackage describes a snapshot, which contains figures of the published sources.
func NewPackage(s *Snapshot, homepage string, published []catalogue.Source) Package {
	p := newPackage(Package{
		Name: "flashdex", Title: Title, Version: s.Date, Created: s.AsOf.Format("2006-01-02T15:04:05Z"),
		Description: "Speeds of SD, microSD, CF, USB and eMMC flash modules, measured by the people who own them, and " +
			"published figures with their sources. " + Apostrophes,
	}, homepage, published)
	for _, t := range Tables {
		for _, f := range s.Files {
			if f.Table == t.Name {
				p.Resources = append(p.Resources, t.resource(f, s))
			}
		}
	}
	return p
}

// Title names the data set.
const Title = "Flashdex: measured speeds of flash memory modules"

// resource describes one file of a table. The resource with the table's own name is the plain CSV file, or the packed
// one if there is no plain one.
func (t *Table) resource(f File, s *Snapshot) resource {
	name := t.Name
	if f.Month != "" {
		name += "-" + f.Month
	}
	r := resource{
		Name: name, Type: "file", Title: t.Name, Description: t.Description, Path: f.Name,
		Format: "csv", MediaType: "text/csv", Bytes: f.Bytes, Hash: "sha256:" + f.SHA256,
	}
	_, plain := s.File(name + ".csv")
	switch packed := strings.HasSuffix(f.Name, ".gz"); {
	case strings.HasSuffix(f.Name, ".parquet"):
		r.Name, r.Format, r.MediaType = name+"-parquet", "parquet", "application/vnd.apache.parquet"
		return r
	case packed && plain:
		r.Name, r.Format, r.MediaType = name+"-gz", "gz", "application/gzip"
		return r
	case packed:
		r.Compression = "gz"
	}
	r.Type, r.Encoding, r.Schema = "table", "utf-8", t.schema()
	return r
}

// schema describes every column of a CSV file of the table.
func (t *Table) schema() *resourceSchema {
	s := &resourceSchema{
		Schema: "https://datapackage.org/profiles/2.0/tableschema.json", MissingValues: []string{""}, PrimaryKey: t.Key,
	}
	for _, f := range t.Fields {
		s.Fields = append(s.Fields, resourceField{
			f.Name, packageTypes[f.Type], f.Unit, f.Description, f.Type == Text, f.Rules,
		})
	}
	for _, column := range t.References {
		s.ForeignKeys = append(s.ForeignKeys, foreignKey{[]string{column}, reference{column + "s", []string{column}}})
	}
	return s
}

// figuresAlone is the schema of a module's own table, which has no other table to refer to.
var figuresAlone = sync.OnceValue(func() *resourceSchema {
	s := Figures.schema()
	s.ForeignKeys = nil
	return s
})

// NewModulePackage describes the data files of a module's page, as of a day. They contain figures of the published
// sources.
func NewModulePackage(slug, name, siteURL, day string, published []catalogue.Source) Package {
	home := siteURL + "/modules/" + slug + "/"
	return newPackage(Package{
		Name: slug, Title: name + ": measured speeds", Description: Figures.Description + " " + Apostrophes,
		Version: day, Created: day + "T00:00:00Z",
		Citation: "Contributors of Flashdex: " + name + ", measured speeds. As of " + day + ", " + home,
		Resources: []resource{
			{
				Name: "figures", Type: "table", Title: "figures", Description: Figures.Description, Path: slug + ".csv",
				Scheme: "file", Format: "csv", MediaType: "text/csv", Encoding: "utf-8", Schema: figuresAlone(),
			}, {
				Name: "figures-and-runs", Type: "file", Title: "figures and results", Path: slug + ".json", Scheme: "file",
				Description: "The same, and the newest 50 results, with names as in the tables of the data set.",
				Format:      "json", MediaType: "application/json",
			},
		},
	}, home, published)
}
