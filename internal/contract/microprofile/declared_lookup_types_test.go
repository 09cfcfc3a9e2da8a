package microprofile_test

import (
	"context"
	"fmt"
	"time"

	"github.com/backstay/backstay/annotation"
)

// declaredShop is what the services of the lookup are provided as. Buy fails; what it falls back to is for each to say.
type declaredShop[A any] interface {
	Buy(ctx context.Context, what A) (string, error)
}

// declaredStocked has the fallback too.
type declaredStocked interface {
	declaredShop[string]
	Offline(ctx context.Context, what string) (string, error)
}

// declaredAbstract is a method that others implement.
type declaredAbstract[A any] interface {
	Offline(ctx context.Context, what A) (string, error)
}

// declaredDown is the method that fails.
type declaredDown[A any] struct{}

func (*declaredDown[A]) Buy(context.Context, A) (string, error) { return "", errDeclared }

// declaredBackup is a fallback of any type of argument.
type declaredBackup[A any] struct{}

func (*declaredBackup[A]) Offline(_ context.Context, what A) (string, error) {
	return fmt.Sprint("offline ", what), nil
}

// The services, each with a mark that names its fallback.
type (
	declaredOwn struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredOwn@Offline"`
		declaredDown[string]
	}
	// declaredMarkedBase does not know what embeds it, and names the interface.
	declaredMarkedBase struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredStocked@Offline"`
		declaredAbstract[string]
	}
	declaredImplementing struct{ declaredMarkedBase }
	declaredDefaultBase  struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredStocked@Offline"`
		declaredDown[string]
		declaredBackup[string]
	}
	declaredOverriding struct{ declaredDefaultBase }
	declaredPromoting  struct{ *declaredPromoted }
	declaredPromoted   struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredPromoting@Offline"`
		declaredDown[string]
		declaredBackup[string]
	}
	declaredDelegating struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredDelegating@Offline"`
		declaredDown[string]
		declaredAbstract[string]
	}
	declaredGeneric[A any] struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredGeneric[string]@Offline"`
		declaredDown[A]
		declaredBackup[A]
	}
	declaredLevelOne[A any] struct{ declaredBackup[A] }
	declaredLevelTwo[A any] struct{ declaredLevelOne[A] }
	declaredLevels          struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredLevels@Offline"`
		declaredDown[string]
		declaredLevelTwo[string]
	}
	declaredArrays struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredArrays@Offline"`
		declaredDown[[]string]
		declaredBackup[[]string]
	}
	declaredNested struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredNested@Offline"`
		declaredDown[map[string][]int]
		declaredBackup[map[string][]int]
	}
	declaredGenericBase[A any] struct {
		declaredDown[A]
		declaredAbstract[A]
	}
	declaredGenericImplementing struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredGenericImplementing@Offline"`
		declaredGenericBase[int]
	}
	declaredWildcard struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredWildcard@Offline"`
		declaredDown[time.Duration]
		declaredBackup[fmt.Stringer]
	}
)

func (*declaredOwn) Offline(_ context.Context, what string) (string, error) {
	return "offline " + what, nil
}

// Later is in no interface.
func (*declaredOwn) Later(cause error) (string, error) { return "later, " + cause.Error(), nil }

// hidden is what nobody outside can call.
func (*declaredOwn) hidden(_ context.Context, what string) (string, error) {
	return "hidden " + what, nil
}

func (*declaredMarkedBase) Buy(context.Context, string) (string, error) { return "", errDeclared }

func (*declaredImplementing) Offline(_ context.Context, what string) (string, error) {
	return "implemented " + what, nil
}

func (*declaredOverriding) Offline(_ context.Context, what string) (string, error) {
	return "overridden " + what, nil
}

func (*declaredGenericImplementing) Offline(_ context.Context, what int) (string, error) {
	return fmt.Sprint("implemented ", what), nil
}

func (s *declaredDelegating) setUp() { s.declaredAbstract = new(declaredBackup[string]) }

func (s *declaredPromoting) setUp() { s.declaredPromoted = new(declaredPromoted) }

// declaredVariadic is a shop whose methods take any number.
type declaredVariadic interface {
	BuyAll(ctx context.Context, what ...string) (string, error)
}

type declaredVariadicShop struct {
	_ annotation.On[declaredRetry] `method:"BuyAll" fallback:"declaredVariadicShop@OfflineAll"`
}

func (*declaredVariadicShop) BuyAll(context.Context, ...string) (string, error) {
	return "", errDeclared
}

func (*declaredVariadicShop) OfflineAll(_ context.Context, what ...string) (string, error) {
	return fmt.Sprint("offline ", what), nil
}

// OfflineList takes the same as a slice.
func (*declaredVariadicShop) OfflineList(_ context.Context, what []string) (string, error) {
	return fmt.Sprint("listed ", what), nil
}
