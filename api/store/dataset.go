package store

import (
	"context"
	"slices"
	"time"

	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/result/sign"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Dataset calls do with the modules and with records to read while do runs. All of it is as of one moment. It never
// calls do twice, because do may already have written something.
func (s *Store) Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error {
	// There may be very many results, and the reader's connection may be slow.
	const settings = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '15min';
		set local work_mem = '64MB'; set local jit = off`
	return wrap(s.readLarge(ctx, settings, 0, func(tx pgx.Tx) error {
		snapshot, err := s.overview(ctx, tx, wholeSummary, wholeModules)
		if err != nil {
			return err
		}
		snapshot.Unlisted, err = modules(ctx, tx, waiting)
		if err != nil {
			return err
		}
		names := map[string]string{}
		for _, m := range slices.Concat(snapshot.Modules, snapshot.Unlisted) {
			names[m.Slug] = m.Name()
		}
		return do(snapshot, stream{tx, names})
	}))
}

// stream reads the accepted submissions that its transaction sees, row by row as Postgres sends them. It implements
// figure.Records.
type stream struct {
	tx    pgx.Tx
	names map[string]string // of modules, by slug
}

// where returns the condition for the picked results and its arguments.
func where(which figure.Filter) (condition string, args []any) {
	condition = "s.state = 'accepted'"
	add := func(picks bool, text string) {
		if picks {
			condition += " and " + text
		}
	}
	add(which.Modules != nil, "s.module_slug = any(@modules)")
	add(which.Method != "", "s.method = @method")
	add(which.Test != "", "m.test = @test")
	add(!which.Since.IsZero(), "s.received_at >= @since")
	add(!which.Until.IsZero(), "s.received_at < @until")
	add(which.From != "", "m.submission_id >= @from")
	add(which.Before != "", "m.submission_id < @before")
	return condition, []any{pgx.NamedArgs{
		"modules": which.Modules, "method": which.Method, "test": which.Test, "since": which.Since,
		"until": which.Until.AddDate(0, 0, 1), "from": which.From, "before": which.Before,
	}}
}

func (s stream) Tests(ctx context.Context, which figure.Filter, do func(*figure.Test) error) error {
	return s.tests(ctx, which, "", do)
}

// weightOfSigns selects the weight of a submission's signs. figure.FactsOf puts one weight into its evidence.
var weightOfSigns = func() string {
	text := "case"
	for _, weight := range sign.Weights {
		text += " when '" + weight + "' = any(s.evidence) then '" + weight + "'"
	}
	return text + " else '' end"
}()

// tests is Tests with a limit clause, which may be empty.
func (s stream) tests(ctx context.Context, which figure.Filter, limit string, do func(*figure.Test) error) error {
	condition, args := where(which)
	var t figure.Test
	shared := texts{}
	columns := []column{
		{"s.id", &t.Result}, {day("s.received_at"), &t.ReceivedOn}, {currentSlug, shared.to(&t.Module)},
		{"coalesce(s.unit_tag, '')", &t.Unit}, {"s.method", shared.to(&t.Method)}, {"s.profile", shared.to(&t.Profile)},
		{"s.client", shared.to(&t.Client)}, {"s.host_board", shared.to(&t.Host)},
		{"s.host_class", shared.to(&t.HostClass)}, {"s.bus_mode", shared.to(&t.BusMode)},
		{"s.bus_mb_per_s", &t.BusMBPerS}, {"s.variant", texts{}.toLabel(&t.Variant)},
		{"array_to_string(" + whyNot("s") + ", '; ')", shared.to(&t.NotRanked)},
		{"case when a.into_slug is null then s.named_by else '" + submission.NamedByMerge + "' end", shared.to(&t.NamedBy)},
		{weightOfSigns, shared.to(&t.Signs)}, {documentOfWear, (*wearDocument)(&t.Wear)},
	}
	for _, c := range measurementColumns(&t.Figures) {
		if text, ok := c.value.(*string); ok {
			c.value = shared.to(text)
		}
		columns = append(columns, column{"m." + c.sql, c.value})
	}
	return s.each(ctx, "select "+join("%s", columns)+`
		from submission s join measurement m on m.submission_id = s.id `+joinAlias+`
		where `+condition+" order by m.submission_id, m.test, m.block_bytes"+limit, args, columns, func() error {
		t.ModuleName = s.names[t.Module]
		return do(&t)
	})
}

func (s stream) Specimens(ctx context.Context, do func(*figure.Specimen) error) error {
	var u figure.Specimen
	columns := []column{
		{"u.unit_tag", &u.Tag}, {currentSlug, &u.Module}, {"s.variant", texts{}.toLabel(&u.Variant)},
		{"u.results", &u.Results}, {day("u.first_at"), &u.FirstOn}, {day("u.last_at"), &u.LastOn},
		{"u.crc_wrong", &u.CRCWrong}, {"u.near_zero", &u.SerialNearZero}, {"u.capacity", &u.LessCapacity},
	}
	return s.each(ctx, "select "+join("%s", columns)+`
		from (
			select unit_tag, count(*) as results, min(received_at) as first_at, max(received_at) as last_at,
				(array_agg(id order by received_at desc, id desc))[1] as newest,
				bool_or('`+figure.EvidenceCRCWrong+`' = any(evidence)) as crc_wrong,
				bool_or('`+figure.EvidenceSerialNearZero+`' = any(evidence)) as near_zero,
				-- the newest check decides, see figure.UnitsOf
				coalesce((array_agg('`+figure.EvidenceCapacity+`' = any(evidence) order by received_at desc, id desc)
					filter (where evidence && array['`+figure.EvidenceCapacityChecked+`', '`+figure.EvidenceCapacity+`']))[1],
					false) as capacity
			from submission where state = 'accepted' and unit_tag <> '' group by unit_tag) u
		join submission s on s.id = u.newest `+joinAlias+`
		order by u.unit_tag collate "C"`, nil, columns, func() error { return do(&u) })
}

func (s stream) Hosts(ctx context.Context, do func(*figure.Host) error) error {
	var h figure.Host
	columns := []column{
		{"s.host_board", &h.Name}, {"count(*)", &h.Results}, {day("min(s.received_at)"), &h.FirstOn},
		{day("max(s.received_at)"), &h.LastOn}, {"count(distinct nullif(s.unit_tag, ''))", &h.Units},
		{"count(distinct " + currentSlug + ")", &h.Modules},
	}
	return s.each(ctx, "select "+join("%s", columns)+" from submission s "+joinAlias+`
		where s.state = 'accepted' group by s.host_board order by s.host_board collate "C"`, nil, columns,
		func() error { return do(&h) })
}

func (s stream) Runs(ctx context.Context, do func(id [16]byte, module string, receivedOn time.Time) error) error {
	var id pgtype.UUID
	var module string
	var on time.Time
	columns := []column{{"s.id", &id}, {currentSlug, texts{}.to(&module)}, {day("s.received_at"), &on}}
	return s.each(ctx, "select "+join("%s", columns)+" from submission s "+joinAlias+`
		where s.state = 'accepted' order by s.id`, nil, columns, func() error { return do(id.Bytes, module, on) })
}

func (s stream) Documents(ctx context.Context, from, until time.Time, do func(id string, document []byte) error) error {
	var id string
	var document pgtype.DriverBytes // not a copy
	columns := []column{{"id", &id}, {"document", &document}}
	return s.each(ctx, `
		select id, document from submission
		where state = 'accepted' and received_at >= $1 and received_at < $2 order by id`,
		[]any{from, until}, columns, func() error { return do(id, document) })
}

// day selects the day of a time, UTC.
func day(at string) string { return "(" + at + " at time zone 'UTC')::date" }

// each reads the columns of each row and calls do.
func (s stream) each(ctx context.Context, query string, args []any, columns []column, do func() error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, _ := s.tx.Query(ctx, query, args...)
	_, err := pgx.ForEachRow(rows, values(columns), func() error {
		err := do()
		if err != nil {
			stop() // else all remaining rows would be read
		}
		return err
	})
	return err
}

// texts keeps texts that many rows share, so that they take memory once.
type texts map[string]string

// maxTexts limits how many texts are kept, because somebody may upload results that share none.
const maxTexts = 20_000

// to reads a column into a string.
func (t texts) to(s *string) sharedText {
	return sharedText{t, s, func(text string) string { return text }}
}

// toLabel reads a variant's key as its label.
func (t texts) toLabel(s *string) sharedText {
	return sharedText{t, s, func(key string) string { return figure.VariantOf(key).Label() }}
}

type sharedText struct {
	texts texts // as they are read, by the value of the column
	to    *string
	read  func(value string) string
}

// ScanBytes implements pgtype.BytesScanner.
func (s sharedText) ScanBytes(value []byte) error {
	text, known := s.texts[string(value)]
	if !known {
		text = s.read(string(value))
		if len(s.texts) < maxTexts {
			s.texts[string(value)] = text
		}
	}
	*s.to = text
	return nil
}
