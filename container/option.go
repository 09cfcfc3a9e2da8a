package container

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Option configures a container. Options are for [New].
type Option interface{ option(*settings) }

// settings are what options have set.
type settings struct {
	defaults      []annotation.Option
	defaultsPlace string
	listeners     []retry.Listener
	generated     bool
	timeouts      timeouts
	problems      []error // of the options themselves
}

type option func(*settings)

func (o option) option(s *settings) { o(s) }

// RequireGenerated refuses proxies made at run time: a service that is to be woven and whose interface has no generated
// proxy is a definition error, which says how to make one.
func RequireGenerated() Option {
	return option(func(s *settings) { s.generated = true })
}

// Defaults sets attributes for all services. They stand between the table of defaults and an alias's own, so they are
// for what is true of every call, such as errors that are answers and not failures:
//
//	container.New(container.Defaults(annotation.IgnoreErrors(retry.Is(sql.ErrNoRows))))
//
// Given several times, the options add up.
func Defaults(opts ...annotation.Option) Option {
	place := annotation.Caller(0)
	return option(func(s *settings) {
		s.defaults, s.defaultsPlace = append(s.defaults, opts...), place
	})
}

// WithListener tells l what happens in the sessions of all services. Services that are provided as a retry.Listener are
// told as well, after those given here; there may be several without a name. Without any listener nothing is paid for
// events.
func WithListener(l retry.Listener) Option {
	return option(func(s *settings) {
		if l != nil {
			s.listeners = append(s.listeners, l)
		}
	})
}
