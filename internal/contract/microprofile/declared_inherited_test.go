package microprofile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// declaredClass and declaredMethod are annotations at the registration: of all methods, and of Serve.
func declaredClass(opts ...annotation.Option) container.ProvideOption {
	return container.Annotate[declaredRetry]("*", opts...)
}

func declaredMethod(opts ...annotation.Option) container.ProvideOption {
	return container.Annotate[declaredRetry](declaredServer.Serve, opts...)
}

// Which annotation holds for a method of a struct that embeds another. What MicroProfile writes on the derived bean is a mark
// of the outer struct, or said at its registration; both have to come to the same.
//
// In two rows ours differs, V6 and V17. There an annotation of the base class guards a method that the derived bean
// overrides: MicroProfile inherits it, 3 retries. With us the marks of an embedded struct count for what it promotes, and a
// method that the outer struct declares is another method, of which the author of the inner one knows nothing: no retries.
func TestDeclaredInheritance(t *testing.T) {
	attempts := annotation.MaxAttempts
	type of = []*container.Container
	for _, c := range []struct {
		name    string
		of      of
		retries int
	}{
		{"mp:V1 class default", of{
			declaredProvide[declaredClassBase](), declaredProvide[declaredPlainBase](declaredClass())}, 3},
		{"mp:V2 class default, derived adds nothing", of{declaredProvide[declaredClassKept]()}, 3},
		{"mp:V3 class default, derived class 4", of{
			declaredProvide[declaredClassKeptClass4](), declaredProvide[declaredClassKept](declaredClass(attempts(5)))}, 4},
		{"mp:V4 class default, derived class 4 and its own body", of{
			declaredProvide[declaredClassShadowedClass4](), declaredProvide[declaredClassShadowed](declaredClass(attempts(5)))}, 4},
		{"mp:V5 class default, derived class 5 and method 4", of{
			declaredProvide[declaredClassShadowedBoth](),
			declaredProvide[declaredClassShadowed](declaredClass(attempts(6)), declaredMethod(attempts(5))),
			declaredProvide[declaredClassKept](declaredMethod(attempts(5)), declaredClass(attempts(6)))}, 4},
		{"mp:V6 class default, derived has its own body and says nothing (MicroProfile: 3)", of{declaredProvide[declaredClassShadowed]()}, 0},
		{"mp:V7 method default", of{
			declaredProvide[declaredMethodBase](), declaredProvide[declaredPlainBase](declaredMethod())}, 3},
		{"mp:V8 method default, derived has its own body and says nothing", of{declaredProvide[declaredMethodShadowed]()}, 0},
		{"mp:V9 method default, derived class 4 and its own body", of{
			declaredProvide[declaredMethodShadowedClass4](), declaredProvide[declaredMethodShadowed](declaredClass(attempts(5)))}, 4},
		{"mp:V10 method default, derived class 4", of{
			declaredProvide[declaredMethodKeptClass4](), declaredProvide[declaredMethodKept](declaredClass(attempts(5))),
			declaredProvide[declaredPlainBase](declaredMethod(), declaredClass(attempts(5)))}, 3},
		{"mp:V11 method default, derived method 4", of{
			declaredProvide[declaredMethodShadowedMethod4](), declaredProvide[declaredMethodShadowed](declaredMethod(attempts(5))),
			declaredProvide[declaredMethodKept](declaredMethod(attempts(5)))}, 4},
		{"mp:V12 method default, derived adds nothing", of{declaredProvide[declaredMethodKept]()}, 3},
		{"mp:V13 class default and method 4", of{
			declaredProvide[declaredBothBase](), declaredProvide[declaredPlainBase](declaredClass(), declaredMethod(attempts(5))),
			declaredProvide[declaredClassBase](declaredMethod(attempts(5)))}, 4},
		{"mp:V14 class default and method 4, derived adds nothing", of{declaredProvide[declaredBothKept]()}, 4},
		{"mp:V15 class default and method 4, derived class 5", of{
			declaredProvide[declaredBothKeptClass5](), declaredProvide[declaredBothKept](declaredClass(attempts(6)))}, 4},
		{"mp:V16 class default and method 4, derived class 5 and its own body", of{
			declaredProvide[declaredBothShadowedClass5](), declaredProvide[declaredBothShadowed](declaredClass(attempts(6)))}, 5},
		{"mp:V17 class default and method 4, derived has its own body and says nothing (MicroProfile: 3)", of{
			declaredProvide[declaredBothShadowed]()}, 0},
		{"after mp:V17 class default and method 4, derived method 5", of{
			declaredProvide[declaredBothShadowedMethod5](), declaredProvide[declaredBothShadowed](declaredMethod(attempts(6)))}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, of := range c.of {
				ctx, runs := declaredCounting(t)
				require.Same(t, errDeclared, declaredGet[declaredServer](t, of).Serve(ctx))
				require.Equal(t, c.retries, *runs-1, "form %d", i)
			}
		})
	}
}

// The rows above look at the method that is overridden or named. The one beside it keeps what the class says.
func TestDeclaredInheritanceOfTheMethodBeside(t *testing.T) {
	for _, c := range []struct {
		name    string
		of      *container.Container
		retries int
	}{
		{"mp:V6 what is not overridden keeps the annotation of the base", declaredProvide[declaredClassShadowed](), 3},
		{"mp:V7 an annotation of one method is none of the other", declaredProvide[declaredMethodBase](), 0},
		{"mp:V10 the derived class's holds for the method that has none", declaredProvide[declaredMethodKeptClass4](), 4},
		{"mp:V10 the registration's holds for the method that has none", declaredProvide[declaredMethodKept](declaredClass(annotation.MaxAttempts(5))), 4},
		{"mp:V13 the class's holds beside the method's", declaredProvide[declaredBothBase](), 3},
		{"mp:V15 the derived class's replaces the base class's", declaredProvide[declaredBothKeptClass5](), 5},
		{"mp:V17 what is not overridden keeps the annotation of the base", declaredProvide[declaredBothShadowed](), 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, runs := declaredCounting(t)
			require.Same(t, errDeclared, declaredGet[declaredServer](t, c.of).Other(ctx))
			require.Equal(t, c.retries, *runs-1)
		})
	}
}
