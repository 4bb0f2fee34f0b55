package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"flashdex/api/store"
)

type operatorCmd struct {
	Add    operatorAddCmd    `cmd:"" help:"Let somebody moderate: prints their token, which is shown this once."`
	List   operatorListCmd   `cmd:"" help:"List who may moderate, and who might once."`
	Revoke operatorRevokeCmd `cmd:"" help:"Take all tokens of a name out of force."`
}

type operatorAddCmd struct {
	database
	Name string `arg:"" help:"Stands in the log of each decision: a-z, 0-9, dot, hyphen, underscore."`
}

func (c operatorAddCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		token := make([]byte, 32)
		_, _ = rand.Read(token) // never fails
		if err := s.AddOperator(ctx, c.Name, sha256.Sum256(token)); err != nil {
			return err
		}
		fmt.Println(hex.EncodeToString(token))
		return nil
	})
}

type operatorListCmd struct{ database }

func (c operatorListCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		operators, err := s.Operators(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, o := range operators {
			revoked := ""
			if o.RevokedAt != nil {
				revoked = "revoked " + o.RevokedAt.UTC().Format(time.DateOnly)
			}
			fmt.Fprintf(table, "%s\tsince %s\t%s\n", o.Name, o.Since.UTC().Format(time.DateOnly), revoked)
		}
		return table.Flush()
	})
}

type operatorRevokeCmd struct {
	database
	Name string `arg:""`
}

func (c operatorRevokeCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		revoked, err := s.RevokeOperator(ctx, c.Name)
		if err == nil && revoked == 0 {
			return fmt.Errorf("%q has no token in force", c.Name)
		}
		return err
	})
}
