package aliases

import (
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// BackoffRetryThrowable is [RetryThrowable] with waits from 100 ms that double, each up to 20 % longer by chance, at most 60 s.
type BackoffRetryThrowable struct{ RetryThrowable }

// Defaults lists what differs from RetryThrowable.
func (BackoffRetryThrowable) Defaults() []annotation.Option { return backoff() }

// BackoffRetryFalsy is [RetryFalsy] with waits from 100 ms that double, each up to 20 % longer by chance, at most 60 s.
type BackoffRetryFalsy struct{ RetryFalsy }

// Defaults lists what differs from RetryFalsy.
func (BackoffRetryFalsy) Defaults() []annotation.Option { return backoff() }

func backoff() []annotation.Option {
	return []annotation.Option{
		annotation.Base(100 * time.Millisecond),
		annotation.SleepStrategy(retry.Backoff),
	}
}
