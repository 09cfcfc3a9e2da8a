package microprofile_test

import (
	"context"

	"github.com/backstay/backstay/annotation"
)

// The structs of the life-cycle rows: bases whose marks guard by a window, and what embeds them.
type (
	declaredGuardedClass struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=8"`
	}
	declaredGuardedMethod struct {
		_ annotation.On[declaredGuard] `method:"Serve" breaker:"window=8"`
	}
	declaredGuardedBoth struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=16"`
		_ annotation.On[declaredGuard] `method:"Serve" breaker:"window=8"`
	}
)

func (*declaredGuardedClass) Serve(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredGuardedClass) Other(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredGuardedMethod) Serve(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredGuardedMethod) Other(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredGuardedBoth) Serve(ctx context.Context) error   { return declaredFail(ctx) }
func (*declaredGuardedBoth) Other(ctx context.Context) error   { return declaredFail(ctx) }

// Those that declare no method of their own.
type (
	declaredGuardedClassKept  struct{ declaredGuardedClass }
	declaredGuardedClassTwin  struct{ declaredGuardedClass }
	declaredGuardedMethodKept struct{ declaredGuardedMethod }
	declaredGuardedBothKept   struct{ declaredGuardedBoth }

	declaredGuardedClassKeptClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedClass
	}
	declaredGuardedMethodKeptClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedMethod
	}
	declaredGuardedBothKeptClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedBoth
	}
)

// Those that shadow Serve.
type (
	declaredGuardedClassShadowed  struct{ declaredGuardedClass }
	declaredGuardedMethodShadowed struct{ declaredGuardedMethod }
	declaredGuardedBothShadowed   struct{ declaredGuardedBoth }

	declaredGuardedClassShadowedClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedClass
	}
	declaredGuardedClassShadowedBoth struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=50"`
		_ annotation.On[declaredGuard] `method:"Serve" breaker:"window=4"`
		declaredGuardedClass
	}
	declaredGuardedMethodShadowedClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedMethod
	}
	declaredGuardedMethodShadowedMethod4 struct {
		_ annotation.On[declaredGuard] `method:"Serve" breaker:"window=4"`
		declaredGuardedMethod
	}
	declaredGuardedBothShadowedClass4 struct {
		_ annotation.On[declaredGuard] `method:"*" breaker:"window=4"`
		declaredGuardedBoth
	}
	declaredGuardedBothShadowedMethod4 struct {
		_ annotation.On[declaredGuard] `method:"Serve" breaker:"window=4"`
		declaredGuardedBoth
	}
)

func (*declaredGuardedClassShadowed) Serve(ctx context.Context) error       { return declaredFail(ctx) }
func (*declaredGuardedMethodShadowed) Serve(ctx context.Context) error      { return declaredFail(ctx) }
func (*declaredGuardedBothShadowed) Serve(ctx context.Context) error        { return declaredFail(ctx) }
func (*declaredGuardedClassShadowedClass4) Serve(ctx context.Context) error { return declaredFail(ctx) }
func (*declaredGuardedClassShadowedBoth) Serve(ctx context.Context) error   { return declaredFail(ctx) }
func (*declaredGuardedMethodShadowedClass4) Serve(ctx context.Context) error {
	return declaredFail(ctx)
}
func (*declaredGuardedMethodShadowedMethod4) Serve(ctx context.Context) error {
	return declaredFail(ctx)
}
func (*declaredGuardedBothShadowedClass4) Serve(ctx context.Context) error  { return declaredFail(ctx) }
func (*declaredGuardedBothShadowedMethod4) Serve(ctx context.Context) error { return declaredFail(ctx) }
