package microprofile_test

import (
	"context"

	"github.com/backstay/backstay/annotation"
)

// A base struct is MicroProfile's base bean, and a struct that embeds it the derived one: what it promotes is "not
// overridden", what it declares itself is "overridden". A mark on * is an annotation of the class, one on a name an
// annotation of the method. The numbers are attempts, which is retries and one.
type (
	declaredClassBase struct {
		_ annotation.On[declaredRetry] `method:"*"`
	}
	declaredMethodBase struct {
		_ annotation.On[declaredRetry] `method:"Serve"`
	}
	declaredBothBase struct {
		_ annotation.On[declaredRetry] `method:"*"`
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"5"`
	}
	declaredPlainBase struct{}
)

func (*declaredClassBase) Serve(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredClassBase) Other(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredMethodBase) Serve(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredMethodBase) Other(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredBothBase) Serve(ctx context.Context) error   { return declaredFail(ctx) }
func (*declaredBothBase) Other(ctx context.Context) error   { return declaredFail(ctx) }
func (*declaredPlainBase) Serve(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredPlainBase) Other(ctx context.Context) error  { return declaredFail(ctx) }

// Those that declare no method of their own.
type (
	declaredClassKept  struct{ declaredClassBase }
	declaredMethodKept struct{ declaredMethodBase }
	declaredBothKept   struct{ *declaredBothBase }

	declaredClassKeptClass4 struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"5"`
		declaredClassBase
	}
	declaredMethodKeptClass4 struct {
		declaredMethodBase
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"5"`
	}
	declaredBothKeptClass5 struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"6"`
		declaredBothBase
	}
)

// Those that shadow Serve.
type (
	declaredClassShadowed  struct{ declaredClassBase }
	declaredMethodShadowed struct{ declaredMethodBase }
	declaredBothShadowed   struct{ declaredBothBase }

	declaredClassShadowedClass4 struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"5"`
		declaredClassBase
	}
	declaredClassShadowedBoth struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"6"`
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"5"`
		declaredClassBase
	}
	declaredMethodShadowedClass4 struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"5"`
		declaredMethodBase
	}
	declaredMethodShadowedMethod4 struct {
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"5"`
		declaredMethodBase
	}
	declaredBothShadowedClass5 struct {
		_ annotation.On[declaredRetry] `method:"*" maxAttempts:"6"`
		declaredBothBase
	}
	declaredBothShadowedMethod5 struct {
		_ annotation.On[declaredRetry] `method:"Serve" maxAttempts:"6"`
		declaredBothBase
	}
)

func (*declaredClassShadowed) Serve(ctx context.Context) error         { return declaredFail(ctx) }
func (*declaredMethodShadowed) Serve(ctx context.Context) error        { return declaredFail(ctx) }
func (*declaredBothShadowed) Serve(ctx context.Context) error          { return declaredFail(ctx) }
func (*declaredClassShadowedClass4) Serve(ctx context.Context) error   { return declaredFail(ctx) }
func (*declaredClassShadowedBoth) Serve(ctx context.Context) error     { return declaredFail(ctx) }
func (*declaredMethodShadowedClass4) Serve(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredMethodShadowedMethod4) Serve(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredBothShadowedClass5) Serve(ctx context.Context) error    { return declaredFail(ctx) }
func (*declaredBothShadowedMethod5) Serve(ctx context.Context) error   { return declaredFail(ctx) }
