package aspect

import (
	"context"
	"reflect"

	"github.com/backstay/backstay/retry"
)

// RetryAspect runs the session of methods that carry a retry annotation: one that embeds annotation.AbstractRetry. Every
// container and weaver has it, at [RetryPriority]. When a service is woven it reads the registry, builds one
// HybridPolicy per method and resolves the references in it; when a method is called it does nothing but run that.
type RetryAspect struct{}

// Process runs the session around jp.Proceed.
func (*RetryAspect) Process(jp JoinPoint) error {
	f := jp.frame
	m := f.method
	if m.policy == nil {
		return jp.Proceed()
	}
	ctx, s := f.context(), f.newSession()
	if m.contextAt < 0 && m.requestAt < 0 {
		return m.policy.Run(ctx, s, f, func(context.Context) error { return jp.Proceed() })
	}
	if jp.next > 1 { // there is somebody outside, who has to find what it has passed in
		for _, i := range [...]int{m.contextAt, m.requestAt} {
			if i >= 0 {
				f.setArg(jp.next, i, f.args[i])
			}
		}
	}
	if m.requestAt < 0 {
		return m.policy.Run(ctx, s, f, func(ctx context.Context) error {
			f.args[m.contextAt] = reflect.ValueOf(&ctx).Elem()
			return jp.Proceed()
		})
	}
	return f.runWithRequest(ctx, s, jp)
}

// runWithRequest runs the session of a method that takes an *http.Request.
func (f *frame) runWithRequest(ctx context.Context, s *retry.Session, jp JoinPoint) error {
	m := f.method
	request := requestOf(f.args[m.requestAt])
	if !repeatable(request) {
		s.AttemptOnce()
	}
	defer closeUnsent(s, request)
	return m.policy.Run(ctx, s, f, func(ctx context.Context) error {
		r, err := requestFor(ctx, request, f.sent(s, 1), m.contextAt < 0)
		if err != nil {
			f.results = nil
			return err
		}
		f.args[m.requestAt] = reflect.ValueOf(r)
		if m.contextAt >= 0 {
			f.args[m.contextAt] = reflect.ValueOf(&ctx).Elem()
		}
		return jp.Proceed()
	})
}
