package aspect_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Aspects of types of their own: each leaves its name in the trail.
type (
	Tracing     struct{ *trail }
	Caching     struct{ *trail }
	Transaction struct{ *trail }
)

func (a Tracing) Process(jp aspect.JoinPoint) error      { return a.leave("tracing")(jp) }
func (a *Caching) Process(jp aspect.JoinPoint) error     { return a.leave("caching")(jp) }
func (a *Transaction) Process(jp aspect.JoinPoint) error { return a.leave("transaction")(jp) }

// Begins tells a Transaction.
func (*Transaction) Begins() {}

// Beginner is an interface of aspects.
type Beginner interface{ Begins() }

func TestOrdersDecideAmongEqualPrioritiesAndThenRegistration(t *testing.T) {
	const same = aspect.RetryPriority
	var tr trail
	tracing, caching, transaction := Tracing{&tr}, &Caching{&tr}, &Transaction{&tr}
	with := func(priority int, a aspect.Aspect, orders ...aspect.Order) aspect.WeaverOption {
		return aspect.WithAspect(aspect.Method("Charge"), priority, a, orders...)
	}
	for _, c := range []struct {
		name  string
		given []aspect.WeaverOption
		want  string
	}{
		{"no orders: as given", []aspect.WeaverOption{with(0, tracing), with(0, caching), with(0, transaction)},
			"tracing caching transaction"},
		{"inside of a later one", []aspect.WeaverOption{with(0, transaction, aspect.InsideOf[*Caching]()), with(0, tracing), with(0, caching)},
			"tracing caching transaction"},
		{"outside of an earlier one", []aspect.WeaverOption{with(0, tracing), with(0, caching), with(0, transaction, aspect.OutsideOf[Tracing]())},
			"transaction tracing caching"},
		{"between two that were given the other way round", []aspect.WeaverOption{with(0, tracing), with(0, caching), with(0, transaction, aspect.OutsideOf[Tracing](), aspect.InsideOf[Caching]())},
			"caching transaction tracing"},
		{"two who say the same", []aspect.WeaverOption{with(0, caching, aspect.InsideOf[Tracing]()), with(0, transaction, aspect.InsideOf[Tracing]()), with(0, tracing)},
			"tracing caching transaction"},
		{"what holds anyway", []aspect.WeaverOption{with(0, tracing, aspect.OutsideOf[Caching]()), with(0, caching, aspect.InsideOf[Tracing]())},
			"tracing caching"},
		{"by a pointer to its type, and by its type", []aspect.WeaverOption{with(0, transaction, aspect.InsideOf[*Tracing](), aspect.InsideOf[Caching]()), with(0, tracing), with(0, caching)},
			"tracing caching transaction"},
		{"by an interface", []aspect.WeaverOption{with(0, transaction), with(0, tracing), with(0, caching, aspect.OutsideOf[Beginner]())},
			"caching transaction tracing"},
		{"by the interface of all aspects, itself not counted", []aspect.WeaverOption{with(0, tracing), with(0, caching), with(same, transaction, aspect.OutsideOf[aspect.Aspect]())},
			"transaction | tracing caching"},
		{"several of that type", []aspect.WeaverOption{with(0, transaction, aspect.InsideOf[Caching]()), with(0, caching), with(0, tracing), with(0, caching)},
			"caching tracing caching transaction"},
		{"one that stands there twice", []aspect.WeaverOption{with(0, tracing), with(0, transaction, aspect.OutsideOf[Tracing]()), with(0, transaction, aspect.OutsideOf[Tracing]())},
			"transaction transaction tracing"},
		{"in a row", []aspect.WeaverOption{with(0, transaction, aspect.InsideOf[Caching]()), with(0, caching, aspect.InsideOf[Tracing]()), with(0, tracing)},
			"tracing caching transaction"},
		{"priorities that agree", []aspect.WeaverOption{with(1, transaction, aspect.InsideOf[Caching]()), with(2, caching), with(0, tracing, aspect.InsideOf[Transaction]())},
			"caching transaction tracing"},
		{"each priority by itself", []aspect.WeaverOption{with(0, tracing), with(5, transaction, aspect.InsideOf[Caching]()), with(5, caching)},
			"caching transaction tracing"},
		{"outside of the retry: others do not move", []aspect.WeaverOption{with(same, tracing), with(same, caching), with(same, transaction, aspect.OutsideOf[aspect.RetryAspect]())},
			"transaction | tracing caching"},
		{"inside of the retry, by a pointer to its type", []aspect.WeaverOption{with(same+1, tracing), with(same, transaction, aspect.InsideOf[*aspect.RetryAspect]())},
			"tracing | transaction"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr.take()
			w := aspect.NewWeaver(c.given...)
			_, err := wrapped[Gateway](t, w, down(1), aspect.Annotate[Quick]("Charge")).Charge(t.Context(), "7", 5)
			require.NoError(t, err)
			require.NoError(t, w.Verify())
			outside, inside, ok := strings.Cut(c.want, " | ") // what is inside of the retry runs twice
			if !ok {
				outside, inside = "", c.want
			}
			require.Equal(t, strings.TrimSpace(outside+" "+inside+" "+inside), tr.take())
		})
	}
}

// bank begins a transaction, and commits it or rolls it back.
type bank struct{ log []string }

func (b *bank) Process(jp aspect.JoinPoint) error {
	b.log = append(b.log, "begin")
	err := jp.Proceed()
	if err != nil {
		b.log = append(b.log, "roll back")
		return err
	}
	b.log = append(b.log, "commit")
	return nil
}

func TestATransactionInsideOfTheRetryIsBegunByEachAttempt(t *testing.T) {
	for _, c := range []struct {
		name  string
		order aspect.Order
		want  []string
	}{
		{"inside", aspect.InsideOf[aspect.RetryAspect](), []string{"begin", "roll back", "begin", "commit"}},
		{"outside", aspect.OutsideOf[aspect.RetryAspect](), []string{"begin", "commit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bank{}
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[Quick](), aspect.RetryPriority, b, c.order))
			receipt, err := wrapped[Gateway](t, w, down(1), aspect.Annotate[Quick]("Charge")).Charge(t.Context(), "7", 5)
			require.NoError(t, err)
			require.Equal(t, "paid 7", receipt)
			require.Equal(t, c.want, b.log)
			require.NoError(t, w.Verify())
		})
	}
}

func TestOrdersOfAspectsThatAreServicesGoByWhatIsKnownBeforeTheyAreBuilt(t *testing.T) {
	dir := services{"audit": supplied(&Audit{}), "bank": supplied(&bank{})}
	audit, _ := dir.Name("audit")
	teller, _ := dir.Name("bank")
	hidden := teller
	hidden.Type, hidden.Impl = reflect.TypeFor[aspect.Aspect](), nil
	several := hidden
	several.As = []reflect.Type{reflect.TypeFor[Beginner]()}
	for _, c := range []struct {
		name   string
		teller aspect.Found
		order  aspect.Order
		first  string // "": it is not found
	}{
		{"the class", teller, aspect.OutsideOf[bank](), "audit"},
		{"an interface that the class implements", teller, aspect.OutsideOf[aspect.Aspect](), "audit"},
		{"the type under which it is handed over", hidden, aspect.OutsideOf[aspect.Aspect](), "audit"},
		{"another interface that it is provided as", several, aspect.OutsideOf[Beginner](), "audit"},
		{"a class that nobody has told", hidden, aspect.OutsideOf[bank](), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver()
			w.Advise(
				aspect.Advice{Pointcut: aspect.Any(), Priority: aspect.RetryPriority, Service: c.teller, Place: "shop/main.go:1"},
				aspect.Advice{Pointcut: aspect.Any(), Priority: aspect.RetryPriority, Service: audit, Orders: []aspect.Order{c.order}, Place: "shop/main.go:2"})
			p := planned(t, w, gatewayService(), dir)
			first := p.Needs()[0].ID
			if c.first == "" {
				require.Equal(t, "bank", first)
				d := onlyProblem(t, w.Verify())
				require.Equal(t, "Audit is to be outside of aspect_test.bank, and there is no other aspect of that type", d.Problem)
				require.Equal(t, "leave the order out, or name one of these: RetryAspect, Aspect; where a constructor returns an interface, say what it builds by container.Impl", d.Remedy)
				return
			}
			require.Equal(t, c.first, first)
			require.NoError(t, w.Verify())
		})
	}
}

func TestAnOrderIsNotAboutTheAspectItself(t *testing.T) {
	audit, _ := services{"audit": supplied(&Audit{})}.Name("audit")
	outermost := []aspect.Order{aspect.OutsideOf[aspect.Aspect]()}
	w := aspect.NewWeaver()
	w.Advise(
		aspect.Advice{Pointcut: aspect.Method("Charge"), Priority: aspect.RetryPriority + 1, Service: audit, Orders: outermost},
		aspect.Advice{Pointcut: aspect.Method("Refund"), Priority: aspect.RetryPriority + 9, Service: audit, Orders: outermost})
	planned(t, w, gatewayService(), services{"audit": supplied(&Audit{})})
	require.NoError(t, w.Verify(), "it is one aspect, at two places")
}

func TestManyAspectsOfOnePriorityStayAsGiven(t *testing.T) {
	var tr trail
	w := aspect.NewWeaver()
	want := [3]trail{}
	for i := range 60 {
		name := fmt.Sprint(i)
		want[2-i%3] = append(want[2-i%3], name)
		w.Advise(aspect.Advice{Pointcut: aspect.Any(), Priority: i % 3, Aspect: tr.leave(name)})
	}
	_ = wrapped[Gateway](t, w, &Stripe{}).Name()
	require.Equal(t, slices.Concat(want[:]...), tr)
}

func TestOrdersThatCannotBeKeptAreDefinitionErrors(t *testing.T) {
	var tr trail
	tracing, caching, transaction := Tracing{&tr}, &Caching{&tr}, &Transaction{&tr}
	with := func(line, priority int, a aspect.Aspect, orders ...aspect.Order) aspect.Advice {
		return aspect.Advice{Pointcut: aspect.Any(), Priority: priority, Aspect: a, Orders: orders, Place: fmt.Sprintf("shop/main.go:%d", line)}
	}
	type wrong struct{ place, problem, remedy string }
	for _, c := range []struct {
		name   string
		given  []aspect.Advice
		chains bool // the chains would not be what the orders say: weaving is refused too
		want   []wrong
	}{
		{"inside of one with a smaller priority",
			[]aspect.Advice{with(1, 5, transaction, aspect.InsideOf[Caching]()), with(2, 3, caching)}, true,
			[]wrong{{"shop/main.go:1", "Transaction has priority 5 and is to be inside of aspect_test.Caching, and Caching (shop/main.go:2) has 3: larger priorities are further out",
				"give Transaction a priority of at most 3, or leave the order out"}}},
		{"outside of one with a larger priority",
			[]aspect.Advice{with(1, 5, caching), with(2, 3, transaction, aspect.OutsideOf[*Caching]())}, true,
			[]wrong{{"shop/main.go:2", "Transaction has priority 3 and is to be outside of aspect_test.Caching, and Caching (shop/main.go:1) has 5: larger priorities are further out",
				"give Transaction a priority of at least 5, or leave the order out"}}},
		{"outside of the retry with a smaller priority",
			[]aspect.Advice{with(1, 5, transaction, aspect.OutsideOf[aspect.RetryAspect]())}, true,
			[]wrong{{"shop/main.go:1", "Transaction has priority 5 and is to be outside of aspect.RetryAspect, and RetryAspect has 1000: larger priorities are further out",
				"give Transaction a priority of at least 1000, or leave the order out"}}},
		{"of several of that type one",
			[]aspect.Advice{with(1, 5, transaction, aspect.InsideOf[Caching]()), with(2, 7, caching), with(3, 2, caching)}, true,
			[]wrong{{"shop/main.go:1", "Transaction has priority 5 and is to be inside of aspect_test.Caching, and Caching (shop/main.go:3) has 2: larger priorities are further out",
				"give Transaction a priority of at most 2, or leave the order out"}}},
		{"two that contradict each other",
			[]aspect.Advice{with(1, 0, transaction, aspect.InsideOf[Caching]()), with(2, 0, caching, aspect.InsideOf[Transaction]())}, true,
			[]wrong{{"shop/main.go:1", "the orders of aspects go in a circle: Transaction inside of Caching (shop/main.go:1), Caching inside of Transaction (shop/main.go:2)",
				"leave one of these orders out"}}},
		{"one that contradicts itself",
			[]aspect.Advice{with(1, 0, caching), with(2, 0, transaction, aspect.InsideOf[Caching](), aspect.OutsideOf[Caching]())}, true,
			[]wrong{{"shop/main.go:2", "the orders of aspects go in a circle: Caching inside of Transaction (shop/main.go:2), Transaction inside of Caching (shop/main.go:2)",
				"leave one of these orders out"}}},
		{"a long circle, with others before it and behind it",
			[]aspect.Advice{
				with(1, 0, tr.leave("x"), aspect.InsideOf[Tracing]()), with(2, 0, tracing, aspect.InsideOf[Transaction]()),
				with(3, 0, caching, aspect.InsideOf[Tracing](), aspect.OutsideOf[Transaction]()), with(4, 0, transaction),
			}, true,
			[]wrong{{"shop/main.go:2", "the orders of aspects go in a circle: Tracing inside of Transaction (shop/main.go:2), Transaction inside of Caching (shop/main.go:3), Caching inside of Tracing (shop/main.go:3)",
				"leave one of these orders out"}}},
		{"two circles that meet: the one found first, from the first on it",
			[]aspect.Advice{
				with(1, 0, transaction, aspect.InsideOf[Caching]()), with(2, 0, tracing, aspect.InsideOf[Caching](), aspect.InsideOf[bank]()),
				with(3, 0, caching, aspect.InsideOf[Tracing]()), with(4, 0, &bank{}, aspect.InsideOf[Transaction]()),
			}, true,
			[]wrong{{"shop/main.go:2", "the orders of aspects go in a circle: Tracing inside of Caching (shop/main.go:2), Caching inside of Tracing (shop/main.go:3)",
				"leave one of these orders out"}}},
		{"two circles, of two priorities",
			[]aspect.Advice{
				with(1, 0, transaction, aspect.InsideOf[bank]()), with(2, 0, &bank{}, aspect.InsideOf[Transaction]()),
				with(3, 7, tracing, aspect.InsideOf[Caching]()), with(4, 7, caching, aspect.InsideOf[Tracing]()),
			}, true,
			[]wrong{
				{"shop/main.go:3", "the orders of aspects go in a circle: Tracing inside of Caching (shop/main.go:3), Caching inside of Tracing (shop/main.go:4)", "leave one of these orders out"},
				{"shop/main.go:1", "the orders of aspects go in a circle: Transaction inside of bank (shop/main.go:1), bank inside of Transaction (shop/main.go:2)", "leave one of these orders out"},
			}},
		{"of an aspect that is not there",
			[]aspect.Advice{with(1, 0, transaction, aspect.InsideOf[Caching]()), with(2, 0, tracing)}, false,
			[]wrong{{"shop/main.go:1", "Transaction is to be inside of aspect_test.Caching, and there is no other aspect of that type",
				"leave the order out, or name one of these: RetryAspect, Tracing"}}},
		{"of itself alone",
			[]aspect.Advice{with(1, 0, transaction, aspect.OutsideOf[Beginner]())}, false,
			[]wrong{{"shop/main.go:1", "Transaction is to be outside of aspect_test.Beginner, and there is no other aspect of that type",
				"leave the order out, or name one of these: RetryAspect"}}},
		{"of what is no aspect",
			[]aspect.Advice{with(1, 0, transaction, aspect.InsideOf[*Stripe]())}, false,
			[]wrong{{"shop/main.go:1", "Transaction is to be inside of aspect_test.Stripe, which has no method Process(aspect.JoinPoint) error", "name the type of an aspect"}}},
		{"an empty one",
			[]aspect.Advice{with(1, 0, transaction, aspect.Order{})}, false,
			[]wrong{{"shop/main.go:1", "an order of Transaction is empty", "write aspect.InsideOf[A]() or aspect.OutsideOf[A](), where A is the type of an aspect"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			problems := func(errs []*annotation.DefinitionError) (all []wrong) {
				for _, d := range errs {
					all = append(all, wrong{d.Place, d.Problem, d.Remedy})
				}
				return all
			}
			w := aspect.NewWeaver()
			w.Advise(c.given...)
			_, err := aspect.Wrap[Gateway](w, &Stripe{})
			require.Equal(t, c.want, problems(definitionErrors(t, w.Verify())))
			if c.chains {
				require.ElementsMatch(t, c.want, problems(definitionErrors(t, err)))
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func TestAnOrderPrintsItself(t *testing.T) {
	require.Equal(t, "inside of aspect.RetryAspect", aspect.InsideOf[*aspect.RetryAspect]().String())
	require.Equal(t, "outside of aspect_test.Beginner", aspect.OutsideOf[Beginner]().String())
	require.True(t, aspect.InsideOf[Caching]() == aspect.InsideOf[*Caching]())
}

// ranked is an aspect of a type of its own for each number, so that orders can tell them apart.
type ranked[N any] struct{ log *[]int }

func (r ranked[N]) Process(jp aspect.JoinPoint) error {
	*r.log = append(*r.log, reflect.TypeFor[N]().Len())
	return jp.Proceed()
}

// rank is what there is to say of one ranked aspect.
type rank struct {
	aspect          func(log *[]int) aspect.Aspect
	inside, outside aspect.Order
}

func rankOf[N any]() rank {
	return rank{func(log *[]int) aspect.Aspect { return ranked[N]{log} }, aspect.InsideOf[ranked[N]](), aspect.OutsideOf[ranked[N]]()}
}

var ranks = []rank{
	rankOf[[0]int](), rankOf[[1]int](), rankOf[[2]int](), rankOf[[3]int](), rankOf[[4]int](), rankOf[[5]int](), rankOf[[6]int](),
}

// Whatever is said, the chain keeps all of it, and those who say nothing stay as they were given where that can be; or there is
// an error, and only where nothing could keep it.
func TestAChainKeepsPrioritiesAndOrdersOrIsRefused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, len(ranks)).Draw(rt, "aspects")
		var log []int
		var opts []aspect.WeaverOption
		var must, stay [][2]int // the first outside of the second
		priorities, silent := make([]int, n), make([]bool, n)
		for i := range n {
			priorities[i] = rapid.IntRange(0, 1).Draw(rt, "priority")
			var orders []aspect.Order
			for _, j := range rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, 2, rapid.ID).Draw(rt, "others") {
				switch {
				case i == j:
				case rapid.Bool().Draw(rt, "inside"):
					orders = append(orders, ranks[j].inside)
					must = append(must, [2]int{j, i})
				default:
					orders = append(orders, ranks[j].outside)
					must = append(must, [2]int{i, j})
				}
			}
			silent[i] = len(orders) == 0
			opts = append(opts, aspect.WithAspect(aspect.Method("Refund"), priorities[i], ranks[i].aspect(&log), orders...))
		}
		for i := range n {
			for j := range n {
				switch {
				case priorities[i] > priorities[j]:
					must = append(must, [2]int{i, j})
				case priorities[i] == priorities[j] && i < j && silent[i] && silent[j]:
					stay = append(stay, [2]int{i, j})
				}
			}
		}
		w := aspect.NewWeaver(opts...)
		g, err := aspect.Wrap[Gateway](w, &Stripe{})
		if !possible(n, must) {
			if err == nil || w.Verify() == nil {
				rt.Fatalf("%v cannot be kept", must)
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		require.NoError(rt, g.Refund(context.Background(), "7"))
		require.Len(rt, log, n)
		if all := slices.Concat(must, stay); possible(n, all) {
			must = all
		}
		for _, m := range must {
			if slices.Index(log, m[0]) > slices.Index(log, m[1]) {
				rt.Fatalf("%v: %d is to be outside of %d", log, m[0], m[1])
			}
		}
		again := slices.Clone(log)
		require.NoError(rt, g.Refund(context.Background(), "7"))
		require.Equal(rt, again, log[n:])
	})
}

// possible reports whether n things can stand in a row so that of each pair the first stands before the second.
func possible(n int, pairs [][2]int) bool {
	var placed []int
	for range n {
		next := -1
		for i := range n {
			if !slices.Contains(placed, i) && !slices.ContainsFunc(pairs, func(p [2]int) bool { return p[1] == i && !slices.Contains(placed, p[0]) }) {
				next = i
			}
		}
		if next < 0 {
			return false
		}
		placed = append(placed, next)
	}
	return true
}
