// Command api is the Flashdex server: it takes results, stores them in Postgres, and publishes the site and the data set.
package main

import (
	"context"
	"fmt"
	"log/slog"
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
	Serve    serveCmd    `cmd:"" help:"Serve the site, the API and the client programs, and publish. Without a database URL it runs a Postgres of its own."`
	Worker   workerCmd   `cmd:"" help:"Publish, for servers that run with --no-publish on the same database and data folder."`
	Publish  publishCmd  `cmd:"" help:"Publish once, and end."`
	Health   healthCmd   `cmd:"" help:"Ask a server whether it is well: for containers that have no other program to do so."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the database's schema up to date."`
	Adopt    adoptCmd    `cmd:"" help:"Have publications be kept in this data folder, in place of one that was lost."`
	Import   importCmd   `cmd:"" help:"Load the module catalogue and the published figures into the database."`
	Moderate moderateCmd `cmd:"" help:"Decide on results that are held back, and on modules that are one."`
	Operator operatorCmd `cmd:"" help:"Say who may moderate over HTTP."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

func main() {
	var c cli
	parser := kong.Must(&c, kong.Name("api"), kong.Description("The Flashdex server."), kong.UsageOnError())
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
	DatabaseURL string `required:"" env:"FLASHDEX_DATABASE_URL" help:"Connection string of the Postgres database."`
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
	Citus bool `help:"Also have Citus, which the database must have as an extension, spread the tables over its nodes. Stop all servers before."`
}

func (c migrateCmd) Run(ctx context.Context) error {
	if err := migrations.Up(ctx, c.DatabaseURL); err != nil || !c.Citus {
		return err
	}
	return migrations.Distribute(ctx, c.DatabaseURL)
}

type importCmd struct{ database }

func (c importCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		_, err := importData(ctx, s)
		return err
	})
}

// importData loads data/, which is built into the program, and puts it into the database.
func importData(ctx context.Context, s *store.Store) (*catalogue.Catalogue, error) {
	c, err := catalogue.Load(data.FS)
	if err != nil {
		return nil, err
	}
	return c, s.ImportCatalogue(ctx, c.Modules, c.Published)
}

type versionCmd struct{}

func (versionCmd) Run() error {
	fmt.Println(version)
	return nil
}

// logger writes JSON lines to a file, or to standard error if file is empty.
func logger(file string) (*slog.Logger, error) {
	if file == "" {
		return slog.New(slog.NewJSONHandler(os.Stderr, nil)), nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return slog.New(slog.NewJSONHandler(f, nil)), nil
}
