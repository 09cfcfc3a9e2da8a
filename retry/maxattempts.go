package retry

import (
	"errors"
	"fmt"
)

const kindMaxAttempts = "maxAttempts"

// NewMaxAttempts returns the policy that allows n attempts, the first one included: 3 is one call and two retries.
// [Unlimited] has to be written; any other n below 1 is a definition error of what the policy is put into.
func NewMaxAttempts(n int) Policy { return &maxAttempts{n} }

type maxAttempts struct{ n int }

var errNoMoreAttempts = errors.New("no more attempts")

func (*maxAttempts) Kind() string { return kindMaxAttempts }

func (p *maxAttempts) Limit(s *Session) error {
	if p.n != Unlimited && s.Attempt() >= p.n {
		return errNoMoreAttempts
	}
	return nil
}

func (p *maxAttempts) check() []string {
	if p.n < 1 && p.n != Unlimited {
		return []string{fmt.Sprintf("maxAttempts is %d, and it counts attempts, the first one included; write 1 or more, or retry.Unlimited", p.n)}
	}
	return nil
}
