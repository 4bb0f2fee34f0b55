package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Dataset calls do with everything that the data set holds, all of it as of one moment: the modules, and the rest, which
// can be read while do runs. It never repeats do, because what do was given may already be written.
func (s *Store) Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error {
	// There may be very many results, or a reader on a slow line.
	const settings = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '15min';
		set local work_mem = '64MB'; set local jit = off`
	return wrap(s.readLarge(ctx, settings, func(tx pgx.Tx) error {
		snapshot, err := overview(ctx, tx, wholeSummary, wholeModules)
		if err != nil {
			return err
		}
		names := make(map[string]string, len(snapshot.Modules))
		for _, m := range snapshot.Modules {
			names[m.Slug] = m.Name()
		}
		return do(snapshot, stream{tx, names, snapshot.Aliases})
	}))
}

// stream reads the accepted submissions that its transaction sees, row by row as Postgres sends them. It implements
// figure.Records.
type stream struct {
	tx      pgx.Tx
	names   map[string]string // of modules, by slug
	aliases map[string]string // current slugs, by the slugs of modules that were merged
}

func (s stream) Settled(ctx context.Context) (settled bool, err error) {
	err = s.tx.QueryRow(ctx, "select not exists (select 1 from outbox)").Scan(&settled)
	return settled, err
}

// where returns the condition for the picked results and its arguments.
func (s stream) where(which figure.Filter) (condition string, args []any) {
	condition = "s.state = 'accepted'"
	add := func(text string, arg any) {
		args = append(args, arg)
		condition += fmt.Sprintf(" and "+text, len(args))
	}
	if which.Modules != nil {
		called := slices.Clone(which.Modules)
		for slug, now := range s.aliases {
			if slices.Contains(which.Modules, now) {
				called = append(called, slug)
			}
		}
		add("s.module_slug = any($%d)", called)
	}
	if which.Method != "" {
		add("s.method = $%d", which.Method)
	}
	if which.Test != "" {
		add("m.test = $%d", which.Test)
	}
	if !which.Since.IsZero() {
		add("s.received_at >= $%d", which.Since)
	}
	if !which.Until.IsZero() {
		add("s.received_at < $%d", which.Until.AddDate(0, 0, 1))
	}
	if which.From != "" {
		add("m.submission_id >= $%d", which.From)
	}
	if which.Before != "" {
		add("m.submission_id < $%d", which.Before)
	}
	return condition, args
}

func (s stream) Tests(ctx context.Context, which figure.Filter, do func(*figure.Test) error) error {
	condition, args := s.where(which)
	var t figure.Test
	words := words{}
	labels := map[string]string{}
	id := raw{"s.id", func(value []byte) { t.Result = pgtype.UUID{Bytes: [16]byte(value), Valid: true}.String() }}
	ofResult := []raw{ // the same in all tests of a result
		id, day("s.received_at", &t.ReceivedOn), words.column(currentSlug, &t.Module),
		text("coalesce(s.unit_tag, '')", &t.Unit), words.column("s.method", &t.Method),
		words.column("s.profile", &t.Profile), words.column("s.client", &t.Client), words.column("s.host_board", &t.Host),
		words.column("s.host_class", &t.HostClass), words.column("s.bus_mode", &t.BusMode),
		float("s.bus_mb_per_s", &t.BusMBPerS), words.column("s.variant", &t.Variant),
		words.column("array_to_string(s.not_ranked, '; ')", &t.NotRanked),
	}
	var ofTest []raw
	for _, c := range measurementColumns(&t.Figures) {
		ofTest = append(ofTest, words.field("m."+c.sql, c.value))
	}
	var last []byte
	return s.each(ctx, "select "+list(slices.Concat(ofResult, ofTest))+`
		from submission s join measurement m on m.submission_id = s.id `+joinAlias+`
		where `+condition+" order by m.submission_id, m.test, m.block_bytes", args, func(row [][]byte) error {
		if string(row[0]) != string(last) {
			last = append(last[:0], row[0]...)
			read(ofResult, row)
			t.ModuleName = s.names[t.Module]
			key := t.Variant
			label, known := labels[key]
			if !known {
				label = figure.VariantOf(key).Label()
				if len(labels) < maxWords {
					labels[key] = label
				}
			}
			t.Variant = label
		}
		read(ofTest, row[len(ofResult):])
		return do(&t)
	})
}

func (s stream) ResultAfter(ctx context.Context, which figure.Filter, n int) (id string, err error) {
	condition, args := s.where(which)
	err = s.tx.QueryRow(ctx, fmt.Sprintf(`
		select m.submission_id::text from submission s join measurement m on m.submission_id = s.id
		where %s group by m.submission_id order by m.submission_id offset %d limit 1`, condition, n), args...).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func (s stream) Specimens(ctx context.Context, do func(*figure.Specimen) error) error {
	var u figure.Specimen
	columns := []raw{
		text("u.unit_tag", &u.Tag), text(currentSlug, &u.Module), text("s.variant", &u.Variant),
		whole("u.results", &u.Results), day("u.first_at", &u.FirstOn), day("u.last_at", &u.LastOn),
		flag("u.crc_wrong", &u.CRCWrong), flag("u.near_zero", &u.SerialNearZero), flag("u.capacity", &u.LessCapacity),
	}
	return s.each(ctx, "select "+list(columns)+`
		from (
			select unit_tag, count(*) as results, min(received_at) as first_at, max(received_at) as last_at,
				(array_agg(id order by received_at desc, id desc))[1] as newest,
				bool_or('`+figure.EvidenceCRCWrong+`' = any(evidence)) as crc_wrong,
				bool_or('`+figure.EvidenceSerialNearZero+`' = any(evidence)) as near_zero,
				bool_or('`+figure.EvidenceCapacity+`' = any(evidence)) as capacity
			from submission where state = 'accepted' and unit_tag <> '' group by unit_tag) u
		join submission s on s.id = u.newest `+joinAlias+`
		order by u.unit_tag collate "C"`, nil, func(row [][]byte) error {
		read(columns, row)
		u.Variant = figure.VariantOf(u.Variant).Label()
		return do(&u)
	})
}

func (s stream) Hosts(ctx context.Context, do func(*figure.Host) error) error {
	var h figure.Host
	columns := []raw{
		text("s.host_board", &h.Name), whole("count(*)", &h.Results), day("min(s.received_at)", &h.FirstOn),
		day("max(s.received_at)", &h.LastOn), whole("count(distinct nullif(s.unit_tag, ''))", &h.Units),
		whole("count(distinct "+currentSlug+")", &h.Modules),
	}
	return s.each(ctx, "select "+list(columns)+" from submission s "+joinAlias+`
		where s.state = 'accepted' group by s.host_board order by s.host_board collate "C"`, nil, func(row [][]byte) error {
		read(columns, row)
		return do(&h)
	})
}

func (s stream) Runs(ctx context.Context, do func(id [16]byte, module string, receivedOn time.Time) error) error {
	var id [16]byte
	var module string
	var on time.Time
	words := words{}
	columns := []raw{
		{"s.id", func(value []byte) { id = [16]byte(value) }}, words.column(currentSlug, &module), day("s.received_at", &on),
	}
	return s.each(ctx, "select "+list(columns)+" from submission s "+joinAlias+`
		where s.state = 'accepted' order by s.id`, nil, func(row [][]byte) error {
		read(columns, row)
		return do(id, module, on)
	})
}

func (s stream) Documents(ctx context.Context, from, until time.Time, do func(id string, document []byte) error) error {
	return s.each(ctx, `
		select id::text, document from submission where state = 'accepted' and received_at >= $1 and received_at < $2 order by id`,
		[]any{from, until}, func(row [][]byte) error { return do(string(row[0]), row[1]) })
}

// raw is a selected expression and the function that takes its value in Postgres' binary form; nil is null. pgx would
// look up a conversion for every value, which takes as long as everything else together.
type raw struct {
	sql  string
	take func(value []byte)
}

// list joins the expressions.
func list(columns []raw) string {
	var list []string
	for _, c := range columns {
		list = append(list, c.sql)
	}
	return strings.Join(list, ", ")
}

// each calls do with the binary values of each row.
func (s stream) each(ctx context.Context, query string, args []any, do func(row [][]byte) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, _ := s.tx.Query(ctx, query, append([]any{pgx.QueryResultFormats{pgx.BinaryFormatCode}}, args...)...)
	defer rows.Close()
	for rows.Next() {
		if err := do(rows.RawValues()); err != nil {
			stop() // else Close reads all remaining rows
			return err
		}
	}
	return rows.Err()
}

// read hands the values of a row to their columns.
func read(columns []raw, row [][]byte) {
	for i, c := range columns {
		c.take(row[i])
	}
}

func text(sql string, to *string) raw {
	return raw{sql, func(value []byte) { *to = string(value) }}
}

func flag(sql string, to *bool) raw {
	return raw{sql, func(value []byte) { *to = value[0] == 1 }}
}

// whole reads a bigint.
func whole(sql string, to *int64) raw {
	return raw{sql, func(value []byte) { *to = int64(binary.BigEndian.Uint64(value)) }}
}

// float reads a float8.
func float(sql string, to *float64) raw {
	return raw{sql, func(value []byte) { *to = math.Float64frombits(binary.BigEndian.Uint64(value)) }}
}

// optional makes to point to a variable that take fills in, or to nothing if the value is null.
func optional[T any](sql string, to **T, take func(sql string, to *T) raw) raw {
	variable := new(T)
	column := take(sql, variable)
	return raw{sql, func(value []byte) {
		if *to = nil; value != nil {
			*to = variable
			column.take(value)
		}
	}}
}

// field reads into a field of result.Figures. The pointer of an optional field leads to memory that the next row
// overwrites.
func (w words) field(sql string, to any) raw {
	switch to := to.(type) {
	case *string:
		return w.column(sql, to)
	case *result.Ended:
		return w.column(sql, (*string)(to))
	case *int:
		return raw{sql, func(value []byte) { *to = int(int32(binary.BigEndian.Uint32(value))) }}
	case *int64:
		return whole(sql, to)
	case *float64:
		return float(sql, to)
	case **int64:
		return optional(sql, to, whole)
	case **float64:
		return optional(sql, to, float)
	}
	panic(fmt.Sprintf("store: no column is read into a %T", to))
}

// day reads the day of a time, UTC. Postgres counts days from the year 2000.
func day(at string, to *time.Time) raw {
	return raw{"(" + at + " at time zone 'UTC')::date", func(value []byte) {
		*to = time.Date(2000, 1, 1+int(int32(binary.BigEndian.Uint32(value))), 0, 0, 0, 0, time.UTC)
	}}
}

// maxWords limits how many texts words keeps, because somebody may upload results that share none.
const maxWords = 20_000

// words keeps texts that many rows share, so that they take memory once.
type words map[string]string

func (w words) of(raw []byte) string {
	if s, known := w[string(raw)]; known {
		return s
	}
	s := string(raw)
	if len(w) < maxWords {
		w[s] = s
	}
	return s
}

func (w words) column(sql string, to *string) raw {
	return raw{sql, func(value []byte) { *to = w.of(value) }}
}
