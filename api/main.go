// Command api is the Flashdex server. It stores results in Postgres and publishes the site and the data set.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/data"
	"flashdex/migrations"

	"github.com/alecthomas/kong"
)

// version is set by the linker.
var version = "development"

type cli struct {
	Serve    serveCmd    `cmd:"" help:"Serve the site and the API, and publish; by default with its own Postgres."`
	Worker   workerCmd   `cmd:"" help:"Publish for servers with --no-publish on the same database and data folder."`
	Publish  publishCmd  `cmd:"" help:"Publish once."`
	Health   healthCmd   `cmd:"" help:"Check that a server is healthy, for containers without another program for it."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the database's schema up to date."`
	Adopt    adoptCmd    `cmd:"" help:"Continue publications in this data folder, in place of one that was lost."`
	Import   importCmd   `cmd:"" help:"Load the module catalogue and the published figures into the database."`
	Moderate moderateCmd `cmd:"" help:"Decide on results that are held back, and merge modules."`
	Operator operatorCmd `cmd:"" help:"Choose who may moderate over HTTP."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// newParser reads flags from the command line and from environment variables such as FLASHDEX_DATA_DIR.
func newParser(c *cli) *kong.Kong {
	return kong.Must(c, kong.Name("api"), kong.Description("The Flashdex server."), kong.ShortUsageOnError(),
		kong.DefaultEnvars("FLASHDEX"))
}

func main() {
	parser := newParser(new(cli))
	command, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "flashdex:", err)
		stop()
		os.Exit(1)
	}
}

type database struct {
	DatabaseURL string `required:"" help:"Connection string of the Postgres database."`
}

// with opens the database for one command.
func (d database) with(ctx context.Context, do func(*store.Store) error) error {
	s, err := store.Open(ctx, d.DatabaseURL)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

type migrateCmd struct {
	database
	Citus bool `env:"-" help:"Also let the extension Citus spread the tables over its nodes. Stop all servers first."`
}

func (c migrateCmd) Run(ctx context.Context) error {
	if err := migrations.Up(ctx, c.DatabaseURL); err != nil || !c.Citus {
		return err
	}
	return migrations.Distribute(ctx, c.DatabaseURL)
}

type importCmd struct{ database }

func (c importCmd) Run(ctx context.Context) error {
	modules, err := catalogue.Load(data.FS)
	if err != nil {
		return err
	}
	return c.with(ctx, func(s *store.Store) error { return s.ImportCatalogue(ctx, modules.Modules, modules.Published) })
}

type versionCmd struct{}

func (versionCmd) Run() error {
	fmt.Println(version)
	return nil
}
