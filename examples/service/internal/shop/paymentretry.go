package shop

import (
	"fmt"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// PaymentRetry is the team's rule for money, an annotation like those of package aliases: back off between attempts, never
// repeat a refusal, and do not keep a customer waiting for longer than Patience. In a tag that is patience:"2s".
type PaymentRetry struct {
	aliases.BackoffRetryThrowable
	Patience time.Duration // the longest wait that the peer may ask for
}

// Defaults lists what differs from BackoffRetryThrowable.
func (PaymentRetry) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.AddPolicies(Patience),
		annotation.IgnoreErrors(retry.Is(ErrDeclined)),
	}
}

// Validate is asked before anything runs.
func (r PaymentRetry) Validate() error {
	if r.Patience <= 0 {
		return fmt.Errorf("patience is %v; write how long a customer waits, such as 2s", r.Patience)
	}
	return nil
}
