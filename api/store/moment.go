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

// Dataset gives do all that the data set holds, as of one moment: what there is of modules, and, to be read while do runs, the rest.
// Nothing is repeated: what was given can't be taken back.
func (s *Store) Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error {
	// Reading everything takes as long as it takes: a snapshot of very many results, or a reader with a slow line.
	const settings = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '15min'; set local work_mem = '64MB'; set local jit = off"
	return wrap(s.atMoment(ctx, settings, func(tx pgx.Tx) error {
		snapshot, err := overview(ctx, tx, wholeSummary, "where host_class = '' and variant = ''")
		if err != nil {
			return err
		}
		names := make(map[string]string, len(snapshot.Modules))
		for _, m := range snapshot.Modules {
			names[m.Slug] = m.Name()
		}
		return do(snapshot, everything{tx, names, snapshot.Aliases})
	}))
}

// everything reads the accepted submissions as of the moment of a transaction, row by row as Postgres sends them.
type everything struct {
	tx      pgx.Tx
	names   map[string]string // of modules, by slug
	aliases map[string]string // slugs that modules were called by, and those that they have now
}

const nowCalled = "coalesce(a.into_slug, s.module_slug)"

func (e everything) Settled(ctx context.Context) (settled bool, err error) {
	err = e.tx.QueryRow(ctx, "select not exists (select 1 from outbox)").Scan(&settled)
	return settled, err
}

// where is the condition that a result is picked by, and its arguments.
func (e everything) where(which figure.Filter) (condition string, args []any) {
	condition = "s.state = 'accepted'"
	add := func(text string, arg any) {
		args = append(args, arg)
		condition += fmt.Sprintf(" and "+text, len(args))
	}
	if which.Modules != nil {
		called := slices.Clone(which.Modules)
		for slug, now := range e.aliases {
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

func (e everything) Tests(ctx context.Context, which figure.Filter, do func(*figure.Test) error) error {
	condition, args := e.where(which)
	var t figure.Test
	words := words{}
	variants := map[string]string{}
	var last [16]byte
	var keys []string
	var fields []rawField
	for _, c := range figure.TestColumns {
		keys, fields = append(keys, c.Key), append(fields, rawField{to: c.Field(&t.Figures)})
	}
	return e.each(ctx, `
		select s.id, (s.received_at at time zone 'UTC')::date, `+nowCalled+`, coalesce(s.unit_tag, ''), s.method, s.profile, s.client, s.host_board,
			s.host_class, s.bus_mode, s.bus_mb_per_s, s.variant, array_to_string(s.not_ranked, '; '),
			m.`+strings.Join(keys, ", m.")+`
		from submission s join measurement m on m.submission_id = s.id left join module_alias a on a.from_slug = s.module_slug
		where `+condition+` order by m.submission_id, m.test, m.block_bytes`, args, func(row [][]byte) error {
		if id := [16]byte(row[0]); id != last || t.Result == "" {
			last = id
			t.Result = pgtype.UUID{Bytes: id, Valid: true}.String()
			t.ReceivedOn, t.Module, t.Unit = day(row[1]), words.of(row[2]), string(row[3])
			t.ModuleName = e.names[t.Module]
			t.Method, t.Profile, t.Client, t.Host = words.of(row[4]), words.of(row[5]), words.of(row[6]), words.of(row[7])
			t.HostClass, t.BusMode, t.BusMBPerS = words.of(row[8]), words.of(row[9]), float(row[10])
			key := words.of(row[11])
			label, known := variants[key]
			if !known {
				label = figure.VariantOf(key).Label()
				if len(variants) < maxWords {
					variants[key] = label
				}
			}
			t.Variant, t.NotRanked = label, words.of(row[12])
		}
		for i, raw := range row[len(row)-len(keys):] {
			fields[i].read(raw, words)
		}
		return do(&t)
	})
}

// rawField is a field of result.Figures that is filled in from the binary form of a column.
type rawField struct {
	to    any // figure.TestColumn.Field
	float float64
	whole int64
}

// read fills in the field. The pointer of an optional field leads to memory that the next row overwrites.
func (f *rawField) read(raw []byte, words words) {
	switch to := f.to.(type) {
	case *string:
		*to = words.of(raw)
	case *result.Ended:
		*to = result.Ended(words.of(raw))
	case *int:
		*to = int(int32(binary.BigEndian.Uint32(raw)))
	case *int64:
		*to = whole(raw)
	case *float64:
		*to = float(raw)
	case **int64:
		f.whole = whole(raw)
		if *to = &f.whole; raw == nil {
			*to = nil
		}
	case **float64:
		f.float = float(raw)
		if *to = &f.float; raw == nil {
			*to = nil
		}
	}
}

func (e everything) ResultAfter(ctx context.Context, which figure.Filter, n int) (id string, err error) {
	condition, args := e.where(which)
	err = e.tx.QueryRow(ctx, fmt.Sprintf(`
		select m.submission_id::text from submission s join measurement m on m.submission_id = s.id
		where %s group by m.submission_id order by m.submission_id offset %d limit 1`, condition, n), args...).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func (e everything) Specimens(ctx context.Context, do func(*figure.Specimen) error) error {
	var u figure.Specimen
	return e.each(ctx, `
		select u.unit_tag, `+nowCalled+`, s.variant, u.results, u.first_on, u.last_on, u.crc_wrong, u.near_zero, u.capacity
		from (
			select unit_tag, count(*) as results, min((received_at at time zone 'UTC')::date) as first_on, max((received_at at time zone 'UTC')::date) as last_on,
				(array_agg(id order by received_at desc, id desc))[1] as newest, bool_or('`+figure.EvidenceCRCWrong+`' = any(evidence)) as crc_wrong,
				bool_or('`+figure.EvidenceSerialNearZero+`' = any(evidence)) as near_zero, bool_or('`+figure.EvidenceCapacity+`' = any(evidence)) as capacity
			from submission where state = 'accepted' and unit_tag <> '' group by unit_tag) u
		join submission s on s.id = u.newest left join module_alias a on a.from_slug = s.module_slug
		order by u.unit_tag collate "C"`, nil, func(row [][]byte) error {
		u.Tag, u.Module, u.Variant = string(row[0]), string(row[1]), figure.VariantOf(string(row[2])).Label()
		u.Seen = figure.Seen{Results: whole(row[3]), FirstOn: day(row[4]), LastOn: day(row[5])}
		u.CRCWrong, u.SerialNearZero, u.LessCapacity = row[6][0] == 1, row[7][0] == 1, row[8][0] == 1
		return do(&u)
	})
}

func (e everything) Hosts(ctx context.Context, do func(*figure.Host) error) error {
	var h figure.Host
	return e.each(ctx, `
		select s.host_board, count(*), min((s.received_at at time zone 'UTC')::date), max((s.received_at at time zone 'UTC')::date),
			count(distinct nullif(s.unit_tag, '')), count(distinct `+nowCalled+`)
		from submission s left join module_alias a on a.from_slug = s.module_slug
		where s.state = 'accepted' group by s.host_board order by s.host_board collate "C"`, nil, func(row [][]byte) error {
		h = figure.Host{Name: string(row[0]), Seen: figure.Seen{Results: whole(row[1]), FirstOn: day(row[2]), LastOn: day(row[3])}, Units: whole(row[4]), Modules: whole(row[5])}
		return do(&h)
	})
}

func (e everything) Runs(ctx context.Context, do func(id [16]byte, module string, receivedOn time.Time) error) error {
	words := words{}
	return e.each(ctx, `
		select s.id, `+nowCalled+`, (s.received_at at time zone 'UTC')::date from submission s left join module_alias a on a.from_slug = s.module_slug
		where s.state = 'accepted' order by s.id`, nil, func(row [][]byte) error {
		return do([16]byte(row[0]), words.of(row[1]), day(row[2]))
	})
}

func (e everything) Documents(ctx context.Context, from, until time.Time, do func(id string, document []byte) error) error {
	return e.each(ctx, "select id::text, document from submission where state = 'accepted' and received_at >= $1 and received_at < $2 order by id", []any{from, until}, func(row [][]byte) error {
		return do(string(row[0]), row[1])
	})
}

// each gives do the columns of each row as Postgres sends them, in its binary form, in which nothing is null but what whole and
// float take. pgx would look for the type of every one of them anew, which takes as long as all the rest.
func (e everything) each(ctx context.Context, query string, args []any, do func(row [][]byte) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, err := e.tx.Query(ctx, query, append([]any{pgx.QueryResultFormats{pgx.BinaryFormatCode}}, args...)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows.RawValues()); err != nil {
			stop() // else Close reads all that is left
			return err
		}
	}
	return rows.Err()
}

func whole(raw []byte) int64 {
	if raw == nil {
		return -1
	}
	return int64(binary.BigEndian.Uint64(raw))
}

func float(raw []byte) float64 {
	if raw == nil {
		return math.NaN()
	}
	return math.Float64frombits(binary.BigEndian.Uint64(raw))
}

// day is a date, which Postgres counts from 2000 on.
func day(raw []byte) time.Time {
	return time.Date(2000, 1, 1+int(int32(binary.BigEndian.Uint32(raw))), 0, 0, 0, 0, time.UTC)
}

// maxWords bounds what words remembers: somebody may upload results that share none.
const maxWords = 20_000

// words gives what is read again and again the same memory.
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
