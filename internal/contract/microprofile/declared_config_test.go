package microprofile_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Configuration. What MicroProfile sets by a property, over what the code says, is said here where the service is provided: a
// property of a method by an annotation of that method, one of a class by an annotation of *. A global property is a default
// of the container. Numbers in marks and options are attempts, which is retries and one.
type (
	declaredRetryMethod struct {
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"6"`
		declaredPlainBase
	}
	declaredRetryClass struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"6"`
		declaredPlainBase
	}
	declaredRetryOnce struct {
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"2"`
		declaredPlainBase
	}
	declaredRetryBoth struct {
		_ annotation.On[declaredUnset] `method:"*"`
		_ annotation.On[declaredUnset] `method:"Other"`
		declaredPlainBase
	}
	declaredRetryWritten struct {
		_ annotation.On[declaredUnset] `method:"*" maxAttempts:"3"`
		_ annotation.On[declaredUnset] `method:"Other" maxAttempts:"3"`
		declaredPlainBase
	}
)

// declaredUnset is a retry annotation that says nothing of the number of attempts.
type declaredUnset struct{ annotation.AbstractRetry }

// Defaults are those of the annotation.
func (declaredUnset) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep)}
}

// declaredProvideWith is declaredProvide with defaults of the container.
func declaredProvideWith[S any, P interface {
	*S
	declaredServer
}](defaults annotation.Option, opts ...container.ProvideOption) *container.Container {
	c := container.New(container.Defaults(defaults))
	c.Provide(func() P { return new(S) }, append(opts, container.As[declaredServer]())...)
	return c
}

func TestDeclaredConfigurationOfAttempts(t *testing.T) {
	attempts := annotation.MaxAttempts
	class := func(n int) container.ProvideOption { return container.Annotate[declaredUnset]("*", attempts(n)) }
	method := func(n int) container.ProvideOption {
		return container.Annotate[declaredUnset](declaredServer.Other, attempts(n))
	}
	for _, c := range []struct {
		name         string
		of           *container.Container
		serve, other int
	}{
		{"mp:K1 method 5, and 3 for the method", declaredProvide[declaredRetryMethod](declaredMethod(attempts(4))), 4, 1},
		{"mp:K2 class 5, and 3 for the class", declaredProvide[declaredRetryClass](declaredClass(attempts(4))), 4, 4},
		{"mp:K3 method 1, and 3 for the class, which does not reach it", declaredProvide[declaredRetryOnce](declaredClass(attempts(4))), 2, 4},
		{"mp:K5 the default, and 10 for the method", declaredProvide[declaredMethodBase](declaredMethod(attempts(11))), 11, 1},
		{"mp:K11 class 5 and global 7", declaredProvideWith[declaredRetryBoth](attempts(8), class(6)), 6, 8},
		// MicroProfile's global property wins over what the code says. A default of the container does not: it is for those who
		// say nothing.
		{"mp:K11 class 5 and global 7, where the marks say 2 (MicroProfile: 5 and 7)", declaredProvideWith[declaredRetryWritten](attempts(8), class(6)), 6, 3},
		{"mp:K12 class 5, method 6 and global 7", declaredProvideWith[declaredRetryBoth](attempts(8), class(6), method(7)), 6, 7},
		{"mp:K12 class 5, method 6 and global 7, where the marks say 2", declaredProvideWith[declaredRetryWritten](attempts(8), class(6), method(7)), 6, 7},
		{"mp:K13 class 5 and method 6", declaredProvide[declaredRetryBoth](class(6), method(7)), 6, 7},
		{"mp:K13 class 5 and method 6, where the marks say 2", declaredProvide[declaredRetryWritten](class(6), method(7)), 6, 7},
		{"mp:K33 global 7 for methods without the annotation", declaredProvideWith[declaredMethodBase](attempts(8)), 4, 1},
		{"mp:K33 global 7 for services without an annotation", declaredProvideWith[declaredPlainBase](attempts(8)), 1, 1},
		// MicroProfile ignores a property of a method that lacks the annotation. What is said at the registration is no property
		// but a declaration: it attaches the annotation.
		{"mp:K33 3 for a method without the annotation (MicroProfile: ignored)", declaredProvide[declaredRetryMethod](
			container.Annotate[declaredRetry](declaredServer.Other, attempts(4))), 6, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := declaredGet[declaredServer](t, c.of)
			ctx, runs := declaredCounting(t)
			require.Same(t, errDeclared, s.Serve(ctx))
			require.Equal(t, c.serve, *runs)
			ctx, runs = declaredCounting(t)
			require.Same(t, errDeclared, s.Other(ctx))
			require.Equal(t, c.other, *runs)
		})
	}
}

// A and B are errors of their own, B1 is a B, and Runtime is what MicroProfile's abortOn names.
var (
	errDeclaredA       = errors.New("A")
	errDeclaredB       = errors.New("B")
	errDeclaredB1      = fmt.Errorf("B1: %w", errDeclaredB)
	errDeclaredRuntime = errors.New("runtime")
)

// The marks of the services whose lists are configured.
type (
	declaredListless struct {
		_ annotation.On[declaredRetry] `method:"Retried" maxAttempts:"2"`
		declaredSelectingPlain
	}
	declaredListed struct {
		_ annotation.On[declaredRetry] `method:"Retried" maxAttempts:"2" retryErrors:"a,b" ignoreErrors:"runtime"`
		declaredSelectingPlain
	}
)

func TestDeclaredConfigurationOfLists(t *testing.T) {
	listless := func(err error) any {
		return func() *declaredListless {
			return &declaredListless{declaredSelectingPlain: declaredSelectingPlain{thrown: err}}
		}
	}
	listed := func(err error) any {
		return func() *declaredListed {
			return &declaredListed{declaredSelectingPlain: declaredSelectingPlain{thrown: err}}
		}
	}
	on := []annotation.Option{annotation.RetryErrors(retry.Is(errDeclaredA), retry.Is(errDeclaredB))}
	skip := []annotation.Option{annotation.IgnoreErrors(retry.Is(errDeclaredA), retry.Is(errDeclaredB1))}
	for _, c := range []struct {
		name   string
		of     func(error) any
		opts   []annotation.Option
		thrown error
		runs   int
	}{
		{"mp:K8 retryOn A and B: T", listless, on, errDeclared, 1},
		{"mp:K8 retryOn A and B: A", listless, on, errDeclaredA, 2},
		{"mp:K8 retryOn A and B: B", listless, on, errDeclaredB, 2},
		{"mp:K8 retryOn A and B: B1", listless, on, errDeclaredB1, 2},
		{"mp:K9 abortOn A and B1: T", listed, skip, errDeclared, 1},
		{"mp:K9 abortOn A and B1: A", listed, skip, errDeclaredA, 1},
		{"mp:K9 abortOn A and B1: B", listed, skip, errDeclaredB, 2},
		{"mp:K9 abortOn A and B1: B1", listed, skip, errDeclaredB1, 1},
		{"mp:K9 abortOn Runtime, as the mark says: B", listed, nil, errDeclaredB, 2},
		// MicroProfile's property replaces the list. Ours unite: what the author of the service ignores stays ignored, whatever
		// a deployment adds.
		{"mp:K9 abortOn A and B1 beside Runtime: B and Runtime (MicroProfile: 2)", listed, skip, errors.Join(errDeclaredB, errDeclaredRuntime), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			services := container.New()
			services.Provide(c.of(c.thrown), container.As[declaredSelecting](), container.Annotate[declaredRetry](declaredSelecting.Retried, c.opts...))
			for name, err := range map[string]error{"a": errDeclaredA, "b": errDeclaredB, "runtime": errDeclaredRuntime} {
				services.Supply(retry.Is(err), container.Name(name))
			}
			ctx, report := retry.WithReport(t.Context())
			require.True(t, declaredGet[declaredSelecting](t, services).Retried(ctx) == c.thrown)
			require.Equal(t, c.runs, report.Attempts)
		})
	}
}

// A value out of range is a mistake wherever it is written, and is found before anything is built.
func TestDeclaredConfigurationOutOfRange(t *testing.T) {
	type negative struct {
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"-3"`
		declaredPlainBase
	}
	build := func() *declaredMethodBase { t.Error("it is built"); return nil }
	for _, c := range []struct {
		name  string
		of    func() *container.Container
		where string
	}{
		{"mp:K34 in the mark", func() *container.Container {
			c := container.New()
			c.Provide(func() *negative { t.Error("it is built"); return nil }, container.As[declaredServer]())
			return c
		}, `^negative\._$`},
		{"mp:K34 at the registration of the method", func() *container.Container {
			c := container.New()
			c.Provide(build, container.As[declaredServer](), declaredMethod(annotation.MaxAttempts(-3)))
			return c
		}, `^microprofile/declared_inherited_test\.go:\d+$`},
		{"mp:K34 at the registration of the class", func() *container.Container {
			c := container.New()
			c.Provide(build, container.As[declaredServer](), declaredClass(annotation.MaxAttempts(-3)))
			return c
		}, `^microprofile/declared_inherited_test\.go:\d+$`},
		{"mp:K34 in the defaults of the container", func() *container.Container {
			c := container.New(container.Defaults(annotation.MaxAttempts(-3)))
			c.Provide(build, container.As[declaredServer]())
			return c
		}, `^microprofile/declared_config_test\.go:\d+$`},
		{"mp:K34 in the defaults of a container without annotations", func() *container.Container {
			return container.New(container.Defaults(annotation.MaxAttempts(-3)))
		}, `^microprofile/declared_config_test\.go:\d+$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			services := c.of()
			all := declaredMistakes(t, services)
			require.Len(t, all, 1)
			require.Contains(t, all[0].Problem+all[0].Remedy, "-3")
			require.Regexp(t, c.where, all[0].Place)
			_, err := container.Get[declaredServer](services)
			require.ErrorIs(t, err, all[0])
		})
	}
}
