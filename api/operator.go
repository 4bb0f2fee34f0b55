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
	Add    operatorAddCmd    `cmd:"" help:"Allow somebody to moderate. Prints their token, this once only."`
	List   operatorListCmd   `cmd:"" help:"List present and former operators."`
	Revoke operatorRevokeCmd `cmd:"" help:"Revoke all tokens of a name."`
}

type operatorAddCmd struct {
	database
	Name string `arg:"" help:"Name for the log of decisions: a-z, 0-9, dot, hyphen, underscore."`
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
	Name string `arg:"" help:"Name of the operator."`
}

func (c operatorRevokeCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		revoked, err := s.RevokeOperator(ctx, c.Name)
		if err == nil && revoked == 0 {
			return fmt.Errorf("%q has no token in force, so nothing was changed", c.Name)
		}
		return err
	})
}
