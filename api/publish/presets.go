package publish

import (
	"fmt"

	"flashdex/api/figure/question"
	"flashdex/api/ranking"
)

// presetPage is where the answer to one question stands.
type presetPage struct {
	Path     string `json:"path"`
	Key      string `json:"key"`
	Question string `json:"question"`
	File     string `json:"file"`
}

// leftOut is a measured module that a preset has no number for.
type leftOut struct {
	Slug   string `json:"slug"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// writePresets writes the answers to all questions.
func (s *site) writePresets() ([]presetPage, error) {
	pages := []presetPage{}
	for _, p := range s.presets {
		page := presetPage{Path: "/for/" + p.Key + "/", Key: p.Key, Question: p.Text, File: "presets/" + p.Key + ".json"}
		text, err := encode(page.File, s.preset(p))
		if err != nil {
			return nil, err
		}
		s.reuse.keeps(page.Path, hashOf(text))
		if err := s.writeText(page.File, text); err != nil { // the overview of the questions reads it, too
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// preset is what the page of a question shows: a section for each method, uploads first, and which measured modules it leaves
// out. Of more than a page's rows it shows the first; the API has all.
func (s *site) preset(p question.Question) map[string]any {
	var uploads, published []section
	left := []leftOut{}
	leftPublished := 0
	for _, m := range s.catalogue.Methods {
		ranked := sectionOf(m, false)
		listed := notRanked(ranked)
		for _, a := range ranking.Answers(p, s.rows[m.ID]) {
			switch {
			case a.LeftOut != "" && ranked.Published:
				leftPublished++
			case a.LeftOut != "":
				left = append(left, leftOut{a.Module.Slug, a.Name(), a.LeftOut})
			case a.Note != "":
				listed.Rows = append(listed.Rows, row{object: func() any { return s.presetRow(p, a) }})
			default:
				ranked.Rows = append(ranked.Rows, row{object: func() any { return s.presetRow(p, a) }})
			}
		}
		to := &uploads
		if ranked.Published {
			ranked.Label = "Published: " + ranked.Label
			to = &published
		}
		for _, of := range []section{ranked, listed} {
			if len(of.Rows) > 0 {
				*to = append(*to, of)
			}
		}
	}
	sections := append(uploads, published...)
	total := 0
	for _, of := range sections {
		total += len(of.Rows)
	}
	return map[string]any{
		"key": p.Key, "question": p.Text, "explanation": p.Explanation, "forms": p.Forms, "formula": p.Formula, "unit": p.Unit, "direction": p.Direction,
		"figures": p.Figures, "steps": append([]question.Step{}, p.Steps...), "sources": list(p.Sources), "measured": len(uploads) > 0, "rows_total": total,
		"sections": paginate(sections, s.pageRows)[0], "left_out": left[:min(len(left), s.pageRows)], "left_out_total": len(left), "left_out_published": leftPublished,
	}
}

func (s *site) presetRow(p question.Question, a ranking.Answer) map[string]any {
	object := map[string]any{
		"slug": a.Module.Slug, "name": a.Name(), "form": a.Module.Form, "meaning": a.Meaning, "sources": s.sourceLinks(a.Sources),
		"score": scoreOf(a.Score), "cells_html": cells(p.Figures, a.Figures),
	}
	placeInto(object, a.Place)
	if a.Note != "" {
		object["rank_note"] = a.Note
	}
	prices := []string{}
	for _, price := range a.Prices {
		prices = append(prices, fmt.Sprintf("%s %.2f", price.Currency, price.Amount))
	}
	object["prices"] = prices
	return object
}
