package aspect_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Picky is an aspect that asks something of the methods that it meets.
type Picky struct {
	check func(aspect.MetMethod) error
}

func (*Picky) Process(jp aspect.JoinPoint) error { return jp.Proceed() }

func (p *Picky) Check(m aspect.MetMethod) error { return p.check(m) }

func TestAnAspectIsAskedAboutTheMethodsThatItMeets(t *testing.T) {
	var met []aspect.MetMethod
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge,Name"), 1, &Picky{func(m aspect.MetMethod) error { met = append(met, m); return nil }}))
	wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Audited]("Charge", annotation.Set(func(a *Audited) { a.Level = 2 })))
	require.Len(t, met, 2, "once each")
	require.Equal(t, "Stripe@Charge", met[0].Ref.String())
	require.Equal(t, reflect.TypeOf((&Stripe{}).Charge), met[0].Method.Type)
	require.Equal(t, Audited{Level: 2}, met[0].Annotations[0].Annotation)
	require.Empty(t, met[1].Annotations)
}

func TestWhatAnAspectSaysOfAMethodIsADefinitionError(t *testing.T) {
	for name, x := range map[string]struct {
		check func(aspect.MetMethod) error
		want  []string
	}{
		"an error": {func(aspect.MetMethod) error { return errors.New("it takes money") },
			[]string{"aspect Picky does not fit: it takes money; change the method, or let the aspect's pointcut leave it out"}},
		"a definition error": {func(aspect.MetMethod) error {
			return &annotation.DefinitionError{Problem: "it takes money", Remedy: "take none"}
		}, []string{"it takes money; take none"}},
		"several": {func(aspect.MetMethod) error { return errors.Join(errDown, errFull) }, []string{
			"aspect Picky does not fit: peer is down; change the method, or let the aspect's pointcut leave it out",
			"aspect Picky does not fit: disk is full; change the method, or let the aspect's pointcut leave it out",
		}},
		"a panic": {func(aspect.MetMethod) error { panic("boom") }, []string{"Check of *aspect_test.Picky panics: boom; let it return an error"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := aspect.Wrap[Gateway](aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), 1, &Picky{x.check})), &Stripe{})
			var got []string
			for _, d := range definitionErrors(t, err) {
				require.Equal(t, "Stripe@Charge", d.Ref.String())
				require.Contains(t, d.Place, "checker_test.go")
				got = append(got, d.Problem+"; "+d.Remedy)
			}
			require.Equal(t, x.want, got)
		})
	}
}

func TestAnAspectThatIsAServiceIsAskedBeforeItIsUsed(t *testing.T) {
	picky := &Picky{func(aspect.MetMethod) error { return errFull }}
	for name, x := range map[string]struct {
		value   reflect.Value
		planned bool
	}{
		"supplied: when the service is planned": {reflect.ValueOf(picky), true},
		"built: when the service is woven":      {reflect.Value{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver()
			w.Advise(aspect.Advice{
				Pointcut: aspect.Method("Charge"), Priority: 1, Place: "shop/main.go:5",
				Service: aspect.Found{ID: "picky", Type: reflect.TypeOf(picky), Impl: reflect.TypeOf(picky), Value: x.value},
			})
			p, errs := w.Plan(gatewayService(), services{})
			require.Equal(t, x.planned, len(errs) == 1, "%v", errs)
			if x.planned {
				return
			}
			_, err := p.Weave(reflect.ValueOf(Gateway(&Stripe{})), func(aspect.Found) (value, impl reflect.Value, err error) {
				return reflect.ValueOf(picky), reflect.ValueOf(picky), nil
			})
			require.Equal(t, "aspect Picky does not fit: disk is full", onlyProblem(t, err).Problem)
		})
	}
}
