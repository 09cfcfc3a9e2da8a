package aspect_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

func TestAPlanDescribesChainsOutermostFirst(t *testing.T) {
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, aspect.Func(proceed)),
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, &Audit{}))
	p := planned(t, w, gatewayService(quick("Charge"), annotation.Declare[Audited]("Name", "shop/main.go:13")), services{})
	type aspects struct {
		name, pointcut string
		priority       int
	}
	got := map[string][]aspects{}
	var order []string
	for _, d := range p.Describe() {
		order = append(order, d.Ref.Method)
		for _, a := range d.Aspects {
			got[d.Ref.Method] = append(got[d.Ref.Method], aspects{a.Name, a.Pointcut, a.Priority})
		}
	}
	all := aspects{"Audit", "any", aspect.RetryPriority + 1}
	require.Equal(t, []string{"Charge", "Name", "Refund", "Tags"}, order)
	require.Equal(t, map[string][]aspects{
		"Charge": {all, {"RetryAspect", "annotated(annotation.AbstractRetry)", aspect.RetryPriority}, {"aspect_test.proceed", "method(Charge)", aspect.RetryPriority - 1}},
		"Name":   {all}, "Refund": {all}, "Tags": {all},
	}, got)

	charge := p.Describe()[0]
	require.Equal(t, []string{"fallback", "classifier", "maxAttempts"}, charge.Policies)
	require.Equal(t, annotation.Attribute{Key: "maxAttempts", Value: "3", Origin: annotation.Origin{Layer: annotation.LayerAnnotation, Annotation: "aspect_test.Quick", Place: "shop/main.go:11"}}, charge.Attributes[0])
	require.Equal(t, Audited{}, p.Describe()[1].Entries[0].Annotation)
}

func TestAPlanDescribesWhatIsAnnotatedAndGoesStraightThrough(t *testing.T) {
	p := planned(t, aspect.NewWeaver(), gatewayService(annotation.Declare[Audited]("Name", "shop/main.go:13")), services{})
	require.False(t, p.IsWoven())
	all := p.Describe()
	require.Len(t, all, 1)
	require.Equal(t, "Name", all[0].Ref.Method)
	require.Empty(t, all[0].Aspects)
	require.Equal(t, "shop/main.go:13", all[0].Entries[0].Place)
}

func TestAPlanDescribesSettingsThatAnotherMethodHasWritten(t *testing.T) {
	w := aspect.NewWeaver()
	p := planned(t, w, gatewayService(
		quick("Charge", annotation.AddPolicies(retry.Budget), annotation.BudgetName("peer"), annotation.Budget(retry.BudgetSettings{TTL: time.Minute, Percent: 0.1})),
		annotation.Declare[Quick]("Refund", "shop/main.go:14", annotation.AddPolicies(retry.Budget), annotation.BudgetName("peer"))), services{})
	require.Empty(t, w.Settle([]*aspect.Plan{p}))
	for _, d := range p.Describe() {
		for _, a := range d.Attributes {
			if a.Key == "budget.ttl" {
				require.Equal(t, "1m0s", a.Value, d.Ref)
				require.Equal(t, "shop/main.go:11", a.Origin.Place, d.Ref)
			}
		}
	}
}

func TestAnnotationsThatNoAspectReadsAreNoted(t *testing.T) {
	audited := annotation.Declare[Audited]("Name,Charge", "shop/main.go:13")
	const note = "it carries aspect_test.Audited (shop/main.go:13), and no aspect is around it"
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Name"), 1, aspect.Func(proceed)))
	notes := planned(t, w, gatewayService(quick("Charge"), audited), services{}).Notes()
	require.Len(t, notes, 1, "an aspect is around Name, and only the retry around Charge")
	require.Contains(t, notes[0], "Charge: "+note)
	require.Len(t, planned(t, aspect.NewWeaver(), gatewayService(audited), services{}).Notes(), 2, "in a service that is not woven too")
}
