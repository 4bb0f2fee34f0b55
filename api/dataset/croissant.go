package dataset

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// croissantContext is the context that Croissant 1.1 prescribes
// (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html).
var croissantContext = json.RawMessage(`{
  "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
  "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn", "cr": "http://mlcommons.org/croissant/",
  "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
  "dct": "http://purl.org/dc/terms/", "equivalentProperty": "cr:equivalentProperty",
  "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
  "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
  "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
  "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
  "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
  "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
  "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform"
 }`)

type croissant struct {
	Context       json.RawMessage  `json:"@context"`
	Type          string           `json:"@type"`
	ConformsTo    string           `json:"conformsTo"`
	Name          string           `json:"name"`
	Description   string           `json:"description"`
	License       string           `json:"license"`
	URL           string           `json:"url"`
	CiteAs        string           `json:"citeAs"`
	Creator       croissantCreator `json:"creator"`
	Version       string           `json:"version"`
	DatePublished string           `json:"datePublished"`
	IsLive        bool             `json:"isLiveDataset"`
	Distribution  []croissantFile  `json:"distribution"`
	RecordSets    []croissantTable `json:"recordSet"`
}

type croissantCreator struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

type croissantFile struct {
	Type        string `json:"@type"`
	ID          string `json:"@id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	URL         string `json:"contentUrl"`
	Size        string `json:"contentSize"`
	Format      string `json:"encodingFormat"`
	SHA256      string `json:"sha256"`
}

type croissantTable struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Key         []croissantID    `json:"key"`
	Fields      []croissantField `json:"field"`
}

type croissantID struct {
	ID string `json:"@id"`
}

type croissantField struct {
	Type        string               `json:"@type"`
	ID          string               `json:"@id"`
	Name        string               `json:"name"`
	Description string               `json:"description"`
	DataType    string               `json:"dataType"`
	References  *croissantReferences `json:"references,omitempty"`
	Source      croissantSource      `json:"source"`
}

type croissantReferences struct {
	Field croissantID `json:"field"`
}

type croissantSource struct {
	File    croissantID `json:"fileObject"`
	Extract struct {
		Column string `json:"column"`
	} `json:"extract"`
}

// croissantTypes are data types of schema.org.
var croissantTypes = map[Type]string{
	Text: "sc:Text", Key: "sc:Text", Integer: "sc:Integer", Number: "sc:Float", Boolean: "sc:Boolean", Date: "sc:Date",
	JSON: "sc:Text",
}

// mediaTypes maps the last part of a file's name to its media type. Readers of Croissant know Parquet by its old media
// type.
var mediaTypes = map[string]string{
	".csv": "text/csv", ".gz": "application/gzip", ".parquet": "application/x-parquet", ".zst": "application/zstd",
	".sqlite": "application/vnd.sqlite3", ".json": "application/json", ".md": "text/markdown", ".cff": "application/yaml",
	"": "text/plain",
}

// Croissant describes the latest snapshot for programs that learn from data, by Croissant 1.1. Its columns are the
// Parquet files', which are typed and need no apostrophes before texts. home is the address of the snapshots.
func Croissant(s *Snapshot, home string) ([]byte, error) {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", ConformsTo: "http://mlcommons.org/croissant/1.1",
		Name: "flashdex", Description: Title + ", by the people who own them, and published figures with their sources.",
		License: "https://creativecommons.org/publicdomain/zero/1.0/", URL: home, IsLive: true,
		Creator: croissantCreator{"sc:Organization", "Contributors of Flashdex", home},
		CiteAs:  fmt.Sprintf("Contributors of Flashdex: %s. Snapshot of %s, %s", Title, s.Date, home),
		// A snapshot has no version of its own: the number of its generation grows.
		Version: fmt.Sprintf("%d.0.0", s.Generation), DatePublished: s.Date,
	}
	for _, f := range s.Files {
		c.Distribution = append(c.Distribution, croissantFile{
			Type: "cr:FileObject", ID: f.Name, Name: f.Name, Description: f.Description, URL: home + "latest/" + f.Name,
			Size: fmt.Sprintf("%d B", f.Bytes), Format: mediaTypes[path.Ext(f.Name)], SHA256: f.SHA256,
		})
	}
	for _, t := range Tables {
		if _, whole := s.File(t.Name + ".parquet"); whole { // samples have a file for each month instead
			c.RecordSets = append(c.RecordSets, t.croissant())
		}
	}
	text, err := json.MarshalIndent(c, "", " ")
	return append(text, '\n'), err
}

func (t *Table) croissant() croissantTable {
	set := croissantTable{Type: "cr:RecordSet", ID: t.Name, Name: t.Name, Description: t.Description}
	for _, column := range t.Key {
		set.Key = append(set.Key, croissantID{t.Name + "/" + column})
	}
	for _, f := range t.Fields {
		field := croissantField{
			Type: "cr:Field", ID: t.Name + "/" + f.Name, Name: f.Name, Description: f.Description,
			DataType: croissantTypes[f.Type],
		}
		if f.Unit != "" {
			field.Description = strings.TrimSuffix(f.Description, ".") + ", in " + f.Unit
		}
		for _, column := range t.References {
			if column == f.Name {
				field.References = &croissantReferences{croissantID{column + "s/" + column}}
			}
		}
		field.Source.File.ID, field.Source.Extract.Column = t.Name+".parquet", f.Name
		set.Fields = append(set.Fields, field)
	}
	return set
}
