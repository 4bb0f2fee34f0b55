package dataset

import (
	"strings"
	"sync"
)

// Package is a descriptor by Data Package version 2 (https://datapackage.org/standard/data-package/).
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
	Name        string       `json:"name"`
	Type        string       `json:"type"`
	Unit        string       `json:"unit,omitempty"`
	Description string       `json:"description"`
	FreeText    bool         `json:"freeText,omitempty"` // see Apostrophes
	Constraints *constraints `json:"constraints,omitempty"`
}

type constraints struct {
	Required bool     `json:"required,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Minimum  *float64 `json:"minimum,omitempty"`
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
var packageTypes = map[Type]string{Text: "string", Key: "string", Integer: "integer", Number: "number", Boolean: "boolean", Date: "date", JSON: "array"}

const dataPackage = "https://datapackage.org/profiles/2.0/datapackage.json"

var cc0 = []licence{{"CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0 Universal"}}

// NewPackage describes a snapshot. sources are titles and addresses of what was published.
func NewPackage(s *Snapshot, homepage string, sources [][2]string) Package {
	p := Package{
		Schema: dataPackage, Name: "flashdex", Title: Title,
		Description: "Speeds of SD, microSD, CF, USB and eMMC flash modules, measured by the people who own them, and published figures with their sources. " + Apostrophes,
		Homepage:    homepage, Version: s.Date, Created: s.AsOf.Format("2006-01-02T15:04:05Z"),
		Licenses: cc0,
		Sources:  []source{{Title: "Contributors of Flashdex", Path: homepage}},
	}
	for _, of := range sources {
		p.Sources = append(p.Sources, source{of[0], of[1]})
	}
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

// resource describes one file of a table. The one with the table's own name is the plain CSV, or, where there is none, the packed.
func (t *Table) resource(f File, s *Snapshot) resource {
	name := t.Name
	if f.Month != "" {
		name += "-" + f.Month
	}
	r := resource{Name: name, Title: t.Name, Description: t.Description, Path: f.Name, Format: "csv", MediaType: "text/csv", Bytes: f.Bytes, Hash: "sha256:" + f.SHA256}
	_, plain := s.File(name + ".csv")
	switch {
	case strings.HasSuffix(f.Name, ".parquet"):
		r.Name, r.Type, r.Format, r.MediaType = name+"-parquet", "file", "parquet", "application/vnd.apache.parquet"
		return r
	case strings.HasSuffix(f.Name, ".gz"):
		if plain {
			r.Name, r.Type, r.Format, r.MediaType = name+"-gz", "file", "gz", "application/gzip"
			return r
		}
		r.Compression = "gz"
	}
	r.Type, r.Encoding = "table", "utf-8"
	r.Schema = t.schema()
	return r
}

// schema says what every column of a CSV file of the table holds.
func (t *Table) schema() *resourceSchema {
	s := &resourceSchema{Schema: "https://datapackage.org/profiles/2.0/tableschema.json", MissingValues: []string{""}, PrimaryKey: t.Key}
	for _, f := range t.Fields {
		field := resourceField{Name: f.Name, Type: packageTypes[f.Type], Unit: f.Unit, Description: f.Description, FreeText: f.Type == Text}
		if f.Required || f.Enum != nil || f.Minimum != nil {
			field.Constraints = &constraints{f.Required, f.Enum, f.Minimum}
		}
		s.Fields = append(s.Fields, field)
	}
	for _, of := range t.References {
		s.ForeignKeys = append(s.ForeignKeys, foreignKey{[]string{of.Column}, reference{of.Table, []string{of.Of}}})
	}
	return s
}

// figuresAlone is the schema of a module's own table, where no other table is.
var figuresAlone = sync.OnceValue(func() *resourceSchema {
	s := Figures.schema()
	s.ForeignKeys = nil
	return s
})

// NewModulePackage describes the files that stand beside the page of a module, as of a day. sources are titles and addresses of what was published of it.
func NewModulePackage(slug, name, siteURL, day string, sources [][2]string) Package {
	home := siteURL + "/modules/" + slug + "/"
	p := Package{
		Schema: dataPackage, Name: slug, Title: name + ": measured speeds", Description: Figures.Description + " " + Apostrophes,
		Homepage: home, Version: day, Created: day + "T00:00:00Z", Licenses: cc0, Sources: []source{{Title: "Contributors of Flashdex", Path: home}},
		Citation: "Contributors of Flashdex: " + name + ", measured speeds. As of " + day + ", " + home,
		Resources: []resource{
			{Name: "figures", Type: "table", Title: "figures", Description: Figures.Description, Path: slug + ".csv", Scheme: "file", Format: "csv", MediaType: "text/csv", Encoding: "utf-8", Schema: figuresAlone()},
			{Name: "figures-and-runs", Type: "file", Title: "figures and runs", Description: "The same, and the newest 50 runs, with names as in the tables of the data set.", Path: slug + ".json", Scheme: "file", Format: "json", MediaType: "application/json"},
		},
	}
	for _, of := range sources {
		p.Sources = append(p.Sources, source{of[0], of[1]})
	}
	return p
}
