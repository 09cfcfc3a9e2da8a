package annotation_test

import (
	"context"
	"errors"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/retry"
)

var (
	errDown = errors.New("down")
	errBusy = errors.New("busy")
)

func isBusy(err error) bool { return errors.Is(err, errBusy) }
func isDown(err error) bool { return errors.Is(err, errDown) }

// offline has a method that fallbacks name.
type offline struct{}

func (*offline) Charge(context.Context, int) (string, error) { return "offline", nil }

// ownStrategy is a user's sleep strategy.
type ownStrategy struct{}

func (*ownStrategy) Wait(*retry.Session) time.Duration { return 0 }

// limiter, gate and judge are users' policies of one phase.
type (
	limiter struct{}
	gate    struct{}
	judge   struct{}
)

func (limiter) Kind() string                       { return "quota" }
func (limiter) Limit(*retry.Session) error         { return nil }
func (gate) Kind() string                          { return "gate" }
func (gate) Enter(context.Context) (uint64, error) { return 0, nil }
func (gate) Leave(uint64, *retry.Session)          {}
func (judge) Kind() string                         { return "judge" }
func (judge) Judge(*retry.Session) retry.Verdict   { return retry.Abstain }

var (
	quota    = retry.PolicyFrom("quota", func() limiter { return limiter{} })
	gatekeep = retry.PolicyFrom("gate", func() gate { return gate{} })
	judging  = retry.PolicyFrom("judge", func() judge { return judge{} })
)

// tenantRetry is an annotation with own fields.
type tenantRetry struct {
	aliases.Retry
	Tenant string
	Cost   int
}

var errNoRows = errors.New("no rows")
