package calls

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Names of contenders by which goals refer to them.
const (
	NamePlainCall        = "plain call"
	NameHandAndGobreaker = "hand-written loop and fallback, gobreaker"

	nameAllocation112 = "plain call and an allocation of 112 bytes"
	nameAllocation224 = "plain call and an allocation of 224 bytes"
	nameAllocation448 = "plain call and an allocation of 448 bytes"
)

// plainCall is no protection at all.
var plainCall = Contender{Name: NamePlainCall, Kind: Floor, Wrap: func(target Service) Service { return target }}

// allocation is a bare allocation and a plain call: what a session costs beyond this is what its policies cost. T has
// pointers, as sessions have them.
func allocation[T any](name string) Contender {
	return Contender{Name: name, Kind: Floor, Wrap: func(target Service) Service {
		return ServiceFunc(func(ctx context.Context, key string) (string, error) {
			block := new(T)
			if keep {
				kept = block
			}
			return target.Get(ctx, key)
		})
	}}
}

// kept is where an allocation would escape to if keep were ever set.
var (
	keep bool
	kept any
)

// Allocation names the floor that allocates what a contender allocates that has so many bytes per call.
func Allocation(bytes float64) string {
	switch {
	case bytes <= 112:
		return nameAllocation112
	case bytes <= 224:
		return nameAllocation224
	}
	return nameAllocation448
}

// plainFloors are the call and the allocations that others are measured against.
var plainFloors = []Contender{
	plainCall,
	allocation[[112 / 8]*byte](nameAllocation112),
	allocation[[224 / 8]*byte](nameAllocation224),
	allocation[[448 / 8]*byte](nameAllocation448),
}

// handLoop is a loop as people write it.
var handLoop = Contender{Name: "hand-written loop", Kind: Hand, Wrap: func(target Service) Service {
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		for range maxAttempts {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			if value, err = target.Get(ctx, key); err == nil {
				return value, nil
			}
		}
		return "", err
	})
}}

// handLoopAndBreaker is a loop around the least that can be called a breaker, and a fallback.
var handLoopAndBreaker = Contender{Name: "hand-written loop, breaker and fallback", Kind: Hand, Wrap: func(target Service) Service {
	b := &handBreaker{threshold: never}
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		for range maxAttempts {
			value, err := b.do(func() (string, error) { return target.Get(ctx, key) })
			if err == nil {
				return value, nil
			}
		}
		return fallbackValue, nil
	})
}}

// handLoopAndGobreaker is a loop around gobreaker, and a fallback: what a team has that took one library and wrote the
// rest.
var handLoopAndGobreaker = Contender{Name: NameHandAndGobreaker, Kind: Hand, Wrap: func(target Service) Service {
	b := closedGobreaker()
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		for range maxAttempts {
			value, err := b.Execute(func() (string, error) { return target.Get(ctx, key) })
			if err == nil {
				return value, nil
			}
			if errors.Is(err, gobreaker.ErrOpenState) {
				break
			}
		}
		return fallbackValue, nil
	})
}}

// handOpen is that breaker, open.
var handOpen = Contender{Name: "hand-written breaker", Kind: Hand, Wrap: func(target Service) Service {
	b := &handBreaker{threshold: 1}
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return b.do(func() (string, error) { return target.Get(ctx, key) })
	})
}}

// never is a threshold that no measurement reaches.
const never = 1 << 30

// handBreaker opens after so many failures in a row, for an hour. It has no half-open state.
type handBreaker struct {
	openUntil atomic.Int64 // 0: it never was open
	failures  atomic.Int32
	threshold int32
}

var errHandOpen = errors.New("breaker is open")

func (b *handBreaker) do(f func() (string, error)) (string, error) {
	if until := b.openUntil.Load(); until != 0 && time.Now().UnixNano() < until {
		return "", errHandOpen
	}
	value, err := f()
	if err == nil {
		if b.failures.Load() != 0 {
			b.failures.Store(0)
		}
	} else if b.failures.Add(1) >= b.threshold {
		b.openUntil.Store(time.Now().Add(time.Hour).UnixNano())
	}
	return value, err
}
