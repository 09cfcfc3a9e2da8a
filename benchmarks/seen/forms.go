package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
	backstayotel "github.com/backstay/backstay/otel"
)

// form is one of the two ways in which calls are made.
type form struct {
	name     string
	title    string
	about    string
	measures func(contender) bool
	wrap     func(w *work, target calls.Service, by *watcher) calls.Service
}

// The forms.
var (
	woven = form{
		name: "woven", title: "A woven service", about: "By a generated proxy; a listener of the weaver, and two aspects for spans.",
		measures: func(contender) bool { return true }, wrap: wrapWoven,
	}
	chain = form{
		name: "chain", title: "A chain of the fluent form",
		about:    "`Listen`, and `backstayotel.Call` for spans. What is not here is the same listener, told of the same events.",
		measures: func(c contender) bool { return c.chain }, wrap: wrapChain,
	}
)

func forms() []form { return []form{woven, chain} }

// wrapWoven weaves the target, with the aspects that make spans where there are any.
func wrapWoven(w *work, target calls.Service, by *watcher) calls.Service {
	var opts []aspect.WeaverOption
	if by.listener != nil {
		opts = append(opts, aspect.WithListener(by.listener))
	}
	if in := by.spans; in != nil {
		retried := aspect.Annotated[annotation.AbstractRetry]()
		opts = append(opts,
			aspect.WithAspect(retried, backstayotel.SessionPriority, in.SessionAspect()),
			aspect.WithAspect(retried, backstayotel.AttemptPriority, in.AttemptAspect()))
	}
	return w.weave(target, opts...)
}

// wrapChain calls the target by a chain, which makes spans by Call where there are any.
func wrapChain(w *work, target calls.Service, by *watcher) calls.Service {
	c := w.chain().Named("peer")
	if by.listener != nil {
		c = c.Listen(by.listener)
	}
	if in := by.spans; in != nil {
		return calls.ServiceFunc(func(ctx context.Context, key string) (string, error) {
			return backstayotel.Call(ctx, in, c, func(ctx context.Context) (string, error) { return target.Get(ctx, key) })
		})
	}
	return calls.ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return c.Call(ctx, func(ctx context.Context) (string, error) { return target.Get(ctx, key) })
	})
}

// op sets a contender up to be measured. Afterwards it must have told of each call, if it tells of any.
func (w *work) op(f form, c contender, s sinks) (harness.Op, *watcher, error) {
	by, err := c.watch(s)
	if err != nil {
		return harness.Op{}, nil, err
	}
	op, err := w.call.Op(calls.Contender{Wrap: func(target calls.Service) calls.Service { return f.wrap(w, target, by) }})
	if err != nil {
		return harness.Op{}, nil, err
	}
	done := op.Done
	op.Done = func(n int) error {
		err := errors.Join(done(n), w.told(c, by, n))
		if by.close != nil {
			err = errors.Join(err, by.close())
		}
		return err
	}
	return op, by, nil
}

// told checks that a contender has told of n calls.
func (w *work) told(c contender, by *watcher, n int) error {
	if by.tell == nil {
		return nil
	}
	got, err := by.tell()
	if err != nil {
		return err
	}
	if want := n*c.want(w.each).calls + c.want(w.before).calls; got.calls != want {
		return fmt.Errorf("told of %d calls, want %d", got.calls, want)
	}
	return nil
}

// check makes one call and says what a contender tells of it otherwise than it must.
func (w *work) check(f form, c contender) error {
	s := newSinks()
	op, by, err := w.op(f, c, s)
	if err != nil {
		return err
	}
	if err := op.Run(0, 1); err != nil {
		return err
	}
	var got tally
	if by.tell != nil {
		if got, err = by.tell(); err != nil {
			return err
		}
	}
	got = got.plus(s.took())
	if want := c.want(w.before).plus(c.want(w.each)); got != want {
		err = fmt.Errorf("told %+v, want %+v", got, want)
	}
	return errors.Join(err, op.Done(1))
}

// harness is the work in one form as the harness measures it.
func (w *work) harness(f form) harness.Work {
	h := harness.Work{Name: w.name(f.name), About: w.call.About, Reference: noListener, Parallel: w.parallel}
	for _, c := range contenders() {
		if !f.measures(c) {
			continue
		}
		h.Cases = append(h.Cases, harness.Case{Name: c.name, New: func() (harness.Op, error) {
			op, _, err := w.op(f, c, sinks{})
			return op, err
		}})
	}
	return h
}
