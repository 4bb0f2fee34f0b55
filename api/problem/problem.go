// Package problem lists the ways in which a request can fail, and what its sender learns. It knows nothing of HTTP:
// api/rest maps a Kind to a status.
package problem

import (
	"errors"
	"fmt"
	"time"

	"flashdex/result"
)

// Kind names a way to fail. It is part of the protocol: clients act on it, so its meaning never changes.
type Kind string

// The kinds.
const (
	Malformed          Kind = "malformed"           // not what it claims to be: no JSON, broken gzip
	NoToken            Kind = "no-token"            // no contributor's secret, or one of the wrong form
	SecretRetired      Kind = "secret-retired"      // a secret that its contributor has replaced
	UnknownContributor Kind = "unknown-contributor" // a secret that nobody uploaded anything with
	NotYours           Kind = "not-yours"           // another contributor's
	NotOperator        Kind = "not-operator"        // a token that isn't, or is no longer, an operator's
	CrossSite          Kind = "cross-site"          // a form that another site's page sent
	NotFound           Kind = "not-found"           // nothing at this address
	WrongMethod        Kind = "wrong-method"        // this address takes other methods
	Conflict           Kind = "conflict"            // the id is taken
	Copied             Kind = "copied"              // samples of another result
	SecretInUse        Kind = "secret-in-use"       // a new secret that somebody already has
	ModuleMerged       Kind = "module-merged"       // a module that was merged into another, or another into it
	Decided            Kind = "decided"             // an operator has decided it
	Deleted            Kind = "deleted"             // it existed and was deleted
	LengthRequired     Kind = "length-required"     // a body must say how long it is
	TimedOut           Kind = "timed-out"           // the body took too long to come
	TooLarge           Kind = "too-large"           // on the wire or decoded
	WrongType          Kind = "wrong-type"          // another media type or encoding than this address takes
	Invalid            Kind = "invalid"             // a document that breaks the schema or contradicts itself
	BadRequest         Kind = "bad-request"         // a parameter or a body with other contents than asked for
	UnsupportedVersion Kind = "unsupported-version" // a document of a schema version that this server doesn't read
	TooMany            Kind = "too-many"            // more requests than one sender may make
	Unavailable        Kind = "unavailable"         // for now: the same request will work later
	Internal           Kind = "internal"            // our fault
)

// Problem is an error whose detail is written for the sender of the request.
type Problem struct {
	Kind   Kind
	Detail string           // what happened, what was kept, what to do next
	Errors []result.Problem // places in a document; for Invalid
	Cause  error            // for the log, never for the sender

	RetryAfter time.Duration // shortest wait; for TooMany and Unavailable, 0: some seconds
}

func (p *Problem) Error() string {
	if p.Cause != nil {
		return fmt.Sprintf("%s: %v", p.Kind, p.Cause)
	}
	return fmt.Sprintf("%s: %s", p.Kind, p.Detail)
}

func (p *Problem) Unwrap() error { return p.Cause }

// New returns a problem with its detail.
func New(kind Kind, format string, args ...any) *Problem {
	return Wrap(kind, nil, format, args...)
}

// Wrap returns a problem that was caused by err.
func Wrap(kind Kind, err error, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Detail: fmt.Sprintf(format, args...), Cause: err}
}

// Of finds the problem in err's chain. Any other error is the server's fault, and the sender learns only that.
func Of(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return Wrap(Internal, err, "The server made a mistake and has noted it. "+
		"Keep the result and send it again later: under its id nothing is stored twice.")
}
