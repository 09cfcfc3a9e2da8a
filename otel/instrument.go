package backstayotel

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Instrument does everything for the services of a container: it makes an [Instrumentation], lets it listen, observes the
// breakers and budgets of c, and puts the aspects that make spans around all methods with a retry annotation, at
// [SessionPriority] and [AttemptPriority].
//
// It is called before the first use of c, before or after other registrations, and once: a second time is a definition error.
// A container in which nothing is retried is fine. Services may take the *Instrumentation, for [Call] and [Run].
//
// In what c.Explain tells there are three services more.
func Instrument(c *container.Container, opts ...Option) (*Instrumentation, error) {
	in, err := New(opts...)
	if err != nil {
		return nil, err
	}
	in.instrument(c, container.CallerSkip(1))
	return in, nil
}

// Instrument is [Instrument] for one of several containers that have one instrumentation.
func (in *Instrumentation) Instrument(c *container.Container) {
	in.instrument(c, container.CallerSkip(1))
}

// instrument registers what c needs. Mistakes are told as those of here.
func (in *Instrumentation) instrument(c *container.Container, here container.ProvideOption) {
	p := &planned{in: in, container: c}
	c.Supply(in, container.As[retry.Listener](), container.AsSelf(), here)
	c.Supply(sessionSpans{in.SessionAspect(), p}, container.As[aspect.Aspect](), container.AsAspect(retried(), SessionPriority), here)
	c.Supply(attemptSpans{in.AttemptAspect(), p}, container.As[aspect.Aspect](), container.AsAspect(retried(), AttemptPriority), here)
	in.Observe(p)
}

// retried is every method that carries a retry annotation; there may be none.
func retried() aspect.Pointcut {
	return aspect.Optional(aspect.Annotated[annotation.AbstractRetry]())
}
