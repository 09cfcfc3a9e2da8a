package shop

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/backstay/backstay/retry"
)

// Patience is the policy behind the attribute of PaymentRetry: a peer that wants to be asked again later than a customer
// waits is not asked again, and the fallback runs at once.
var Patience = retry.PolicyFrom("patience", newPatience)

// newPatience is called once per method. It is given the annotation as it is written there, and services.
func newPatience(a PaymentRetry, log *slog.Logger) *patience {
	return &patience{longest: a.Patience, log: log}
}

type patience struct {
	longest time.Duration
	log     *slog.Logger
}

var _ retry.Limiter = (*patience)(nil)

func (*patience) Kind() string { return "patience" }

// Limit is asked after each attempt that is worth another one.
func (p *patience) Limit(s *retry.Session) error {
	var busy *BusyError
	if !errors.As(s.Failure(), &busy) || busy.After <= p.longest {
		return nil
	}
	p.log.InfoContext(s, "too long a wait", "method", s.Ref().String(), "asked", busy.After, "patience", p.longest)
	return fmt.Errorf("%w, patience is %v", busy, p.longest)
}
