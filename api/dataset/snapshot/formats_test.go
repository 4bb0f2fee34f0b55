package snapshot_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// python is a Python with the packages that dataset.py needs; e2e/tools.sh makes it.
const python = "../../../var/python/bin/python"

// needs skips a test if the program that it needs isn't installed.
func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
}

func needsPython(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		t.Skip("no Python packages to read the files with: make tools fetches them")
	}
}

// exported selects the table results as Postgres writes it, without what the server composes: names, variants and
// signs.
const exported = `copy (
	select s.id as result, coalesce(a.into_slug, s.module_slug) as module, s.method, s.profile, m.test, m.block_bytes,
		m.queue_depth, m.sync, m.mb_per_s, m.iops, m.iops_low, m.iops_high, m.p50_ns, m.p99_ns, m.p999_ns, m.max_ns,
		m.kib_per_op, m.ended, nullif(array_to_string(s.not_ranked, '; '), '') as not_ranked, s.host_board as host, s.client,
		to_char(s.received_at at time zone 'UTC', 'YYYY-MM-DD') as date, nullif(s.host_class, '') as host_class,
		nullif(s.bus_mode, '') as bus_mode, nullif(s.bus_mb_per_s, 0) as bus_mb_per_s, m.cv_percent, m.cliff_mb,
		m.cliff_percent, nullif(s.unit_tag, '') as unit, m.mb_per_s_low, m.mb_per_s_high, m.ops, m.duration_ns,
		m.stalls_100ms, m.stalls_100ms_low, m.stalls_100ms_high, m.stalls_1s, m.stalls_1s_low, m.stalls_1s_high,
		m.longest_1000_ns, m.longest_1000_low_ns, m.longest_1000_high_ns,
		nullif(case when a.into_slug is null then s.named_by else 'merged' end, '') as named_by,
		m.open_units, m.allocation_unit_bytes, m.page_bytes, m.ratio, m.ratio_low, m.ratio_high, m.buffer_bytes,
		m.under_way, m.wrong_ops, wear->>'told_by' as wear_told_by, wear->>'life_tenths' as wear_life_tenths,
		wear->>'written_gb' as written_gb, wear->>'written_by' as written_by
	from measurement m join submission s on s.id = m.submission_id
		cross join lateral (select convert_from(s.document, 'utf8')::json #> '{identity,wear}' as wear) as told left join module_alias a on a.from_slug = s.module_slug
	where s.state = 'accepted')
	to stdout (format csv, header)`

// Other people's programs read every format, all formats agree row by row, and they agree with Postgres.
func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	needsPython(t)
	b := start(t)
	for i, board := range []string{"Board A", "=1+1", "'quoted", `"comma", quote`, "-board", "Ünïcödé 板", "Board A",
		"@x"} {
		b.upload(i, []string{"Turbo", "=cmd|' /C calc'!A0", "Ultra, \"fast\""}[i%3], board)
	}
	b.uploadExample(0, "sd-card.json", "Turbo", "Board A", twoBlockSizes, func(d *result.Document) {
		d.Identity.Wear = &result.Wear{ToldBy: "sandisk", LifeTenths: 3, WrittenGB: 120, WrittenBy: d.Target.Filesystem}
	})
	for i, example := range []string{"structure-2.json", "recorder-1.json", "queue-1.json"} {
		b.uploadExample(i, example, "Turbo", "Board A")
	}
	b.update()
	table := filepath.Join(t.TempDir(), "results.csv")
	file, err := os.Create(table)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	conn, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.PgConn().CopyTo(t.Context(), file, exported); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "../../../e2e/dataset.py", filepath.Join(served(b.dir), "latest"),
		table).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The first lines on the site's data page run as they are, and find the module.
func TestFirstLinesRun(t *testing.T) {
	t.Parallel()
	needsPython(t)
	b := start(t)
	for i := range 3 { // as many contributors as a rank takes
		b.uploadExample(i, "sd-card.json", "Turbo", "Board A")
	}
	clustertest.Spread(t, b.url)
	b.update()
	latest, err := filepath.Abs(filepath.Join(served(b.dir), "latest"))
	if err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string][]string{
		"pandas.py": {python, "-c"}, "polars.py": {python, "-c"},
		"duckdb.sql": {python, "-c", "import duckdb, sys; duckdb.sql(sys.argv[1]).show()"},
		"base.R":     {"Rscript", "--vanilla", "-e"},
		"sqlite.sql": {"sqlite3", filepath.Join(latest, "flashdex.sqlite")},
	} {
		t.Run(name, func(t *testing.T) {
			needs(t, command[0])
			text, err := os.ReadFile("../../../site/assets/code/" + name)
			if err != nil {
				t.Fatal(err)
			}
			command = append(command, strings.ReplaceAll(string(text), "SITE/data/latest", latest))
			if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil ||
				!strings.Contains(string(out), "Acme Turbo") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The analyses of docs/examples/ run as they are, and R and Python give the same answers.
func TestExampleAnalysesAgree(t *testing.T) {
	t.Parallel()
	needsPython(t)
	needs(t, "Rscript")
	b := start(t)
	for i := range 3 { // one module is measured and not only expected
		b.uploadExample(i, "sd-card.json", "Turbo", "Board A")
	}
	clustertest.Spread(t, b.url)
	b.update()
	latest, err := filepath.Abs(filepath.Join(served(b.dir), "latest"))
	if err != nil {
		t.Fatal(err)
	}
	const examples = "../../../docs/examples/questions"
	const cells = `import json, sys
cells = json.load(open(sys.argv[1]))["cells"]
exec("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"), {})`
	var answers []string
	for _, command := range [][]string{{"Rscript", "--vanilla", examples + ".R"}, {python, "-c", cells, examples + ".ipynb"}} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), "FLASHDEX_DATA="+latest)
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command[0], err, said)
		}
		answers = append(answers, string(said))
	}
	t.Log(answers[0])
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" || strings.Count(answers[0], "\n") != 6 {
		t.Errorf("R and Python (-R +Python):\n%s", diff)
	}
}
