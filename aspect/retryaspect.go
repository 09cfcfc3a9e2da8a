package aspect

import (
	"context"
)

// RetryAspect runs the session of methods that carry a retry annotation: one that embeds annotation.AbstractRetry. Every
// container and weaver has it, at [RetryPriority]. When a service is woven it reads the registry, builds one
// HybridPolicy per method and resolves the references in it; when a method is called it does nothing but run that.
type RetryAspect struct{}

// Process runs the session around jp.Proceed.
func (*RetryAspect) Process(jp JoinPoint) error {
	f := jp.frame
	m := f.method()
	if m.policy == nil {
		return jp.Proceed()
	}
	if m.requestAt >= 0 {
		return f.runWithRequest(jp)
	}
	p := f.contextArg()
	if p == nil {
		return m.policy.Run(context.Background(), f.newSession(), (*protected)(f), func(context.Context) error { return jp.Proceed() })
	}
	if jp.next > 1 { // there is somebody outside, who has to find what it has passed in
		defer func(passed context.Context) { *p = passed }(*p)
	}
	return m.policy.Run(orBackground(*p), f.newSession(), (*protected)(f), func(ctx context.Context) error {
		*p = ctx
		return jp.Proceed()
	})
}

// runWithRequest runs the session of a method that takes an *http.Request.
func (f *Frame) runWithRequest(jp JoinPoint) error {
	ctx, s := f.context(), f.newSession()
	p, at := f.contextArg(), f.requestArg()
	request := *at
	if jp.next > 1 {
		defer func() { *at = request }()
		if p != nil {
			defer func(passed context.Context) { *p = passed }(*p)
		}
	}
	if !repeatable(request) {
		s.AttemptOnce()
	}
	defer closeUnsent(s, request)
	return f.method().policy.Run(ctx, s, (*protected)(f), func(ctx context.Context) error {
		r, err := requestFor(ctx, request, f.sent(s, 1), p == nil)
		if err != nil {
			f.clear()
			return err
		}
		*at = r
		if p != nil {
			*p = ctx
		}
		return jp.Proceed()
	})
}
