package explain_test

import (
	"time"

	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// shop is a wiring in which everything occurs once.
func shop() *explain.Wiring {
	return &explain.Wiring{
		Services: []explain.Service{
			{ // 0
				Ref: retry.MethodRef{Class: "Endpoint"}, Class: "example.com/shop.Endpoint", Provided: []string{"shop.Endpoint"},
				Lifetime: explain.Singleton, Origin: explain.Supply, Place: "shop/wiring.go:10", Built: true, Proxy: "not woven",
			},
			{ // 1
				Ref: retry.MethodRef{Class: "CardGateway"}, Class: "example.com/shop.CardGateway", Provided: []string{"shop.Gateway"},
				Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:12",
				Override: "shop/wiring_test.go:8", Decorators: []string{"shop/wiring.go:13", "shop/wiring.go:14"},
				Built: true, Took: 1_234_567 * time.Nanosecond, Proxy: "generated",
				Needs: []explain.Need{
					{To: 0, Kind: explain.Parameter, Key: "shop.Endpoint", Place: "shop/wiring.go:12"},
					{To: explain.Nobody, Kind: explain.Parameter, Key: "*slog.Logger", Place: "shop/wiring.go:12", Optional: true},
					{To: 3, Kind: explain.Decorator, Key: "*shop.Meter", Place: "shop/wiring.go:13"},
					{To: 2, Kind: explain.Reference, Why: "fallback InvoiceGateway#paper@Charge of Charge", Place: "tag CardGateway._"},
					{To: 3, Kind: explain.Policy, Why: `policy "patience" of Charge`, Place: "tag CardGateway._"},
					{To: 4, Kind: explain.Surround, Why: "aspect around method(Gateway.*)", Place: "shop/wiring.go:20"},
				},
				Methods: []explain.Method{
					{
						Name: "Charge",
						Aspects: []explain.AspectUse{
							{Aspect: 0, Name: "Audit", Pointcut: "method(Gateway.*)", Priority: 1001, Place: "shop/wiring.go:20"},
							{Aspect: 1, Name: "RetryAspect", Pointcut: "annotated(AbstractRetry)", Priority: 1000},
						},
						Annotations: []explain.Annotation{
							{Type: "aliases.CircuitBreaker", Place: "shop/wiring.go:15"},
							{Type: "shop.PaymentRetry", Place: "tag CardGateway._"},
						},
						Policies: []string{"fallback", "classifier", "maxAttempts"},
						Attributes: []explain.Attribute{
							{Key: "maxAttempts", Value: "4", Origin: "aliases.CircuitBreaker, registration shop/wiring.go:15"},
							{Key: "base", Value: "100ms", Origin: "defaults of shop.PaymentRetry"},
							{Key: "fallback", Value: "InvoiceGateway#paper@Charge", Origin: "shop.PaymentRetry, tag CardGateway._"},
							{Key: "maxDelay", Value: "1m", Origin: "table"},
						},
					},
					{Name: "Close", Aspects: []explain.AspectUse{{Aspect: 0, Name: "Audit", Pointcut: "method(Gateway.*)", Priority: 1001, Place: "shop/wiring.go:20"}}},
					{Name: "Ping", Annotations: []explain.Annotation{{Type: "shop.Traced", Place: "tag CardGateway._"}}},
				},
			},
			{ // 2
				Ref: retry.MethodRef{Class: "InvoiceGateway", Name: "paper"}, Class: "example.com/shop.InvoiceGateway", Provided: []string{"*shop.InvoiceGateway"},
				Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:16", Built: true, Took: 900 * time.Nanosecond, Proxy: "not woven",
			},
			{ // 3
				Ref: retry.MethodRef{Class: "Meter"}, Class: "example.com/shop.Meter", Provided: []string{"*shop.Meter"}, Group: "meters",
				Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:17", Proxy: "not woven", Decorators: []string{"shop/wiring.go:18"},
			},
			{ // 4
				Ref: retry.MethodRef{Class: "Audit"}, Class: "example.com/shop.Audit", Provided: []string{"aspect.Aspect"},
				Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:20", Proxy: "not woven",
				Needs: []explain.Need{{To: 3, Kind: explain.Group, Key: "meters", Place: "shop/wiring.go:20"}},
			},
			{ // 5
				Ref: retry.MethodRef{Class: "Tenant"}, Class: "example.com/shop.Tenant", Provided: []string{"shop.Tenant"},
				Lifetime: explain.Scoped, Origin: explain.Expect, Place: "shop/wiring.go:22", Proxy: "not woven",
			},
			{ // 6
				Ref: retry.MethodRef{Class: "Cache[Item]"}, Class: "example.com/shop.Cache[example.com/shop.Item]", Provided: []string{"shop.Store[example.com/shop.Item]"},
				Lifetime: explain.Scoped, Origin: explain.Provide, Place: "shop/wiring.go:23", Built: true, Took: 5 * time.Millisecond, Proxy: "run-time",
				Needs: []explain.Need{
					{To: 5, Kind: explain.Parameter, Key: "shop.Tenant", Place: "shop/wiring.go:23"},
					{To: 1, Kind: explain.Lazy, Key: "shop.Gateway", Place: "shop/wiring.go:23"},
					{To: 7, Kind: explain.Provider, Key: "*shop.Cart", Place: "shop/wiring.go:23"},
					{To: 6, Kind: explain.Reference, Why: "fallback Cache[Item]@Old of Get", Place: "tag Cache[Item]._"},
				},
				Methods: []explain.Method{{
					Name:        "Get",
					Aspects:     []explain.AspectUse{{Aspect: 1, Name: "RetryAspect", Pointcut: "annotated(AbstractRetry)", Priority: 1000}},
					Annotations: []explain.Annotation{{Type: "aliases.Retry", Place: "tag Cache[Item]._"}},
					Policies:    []string{"fallback", "maxAttempts"},
					Attributes:  []explain.Attribute{{Key: "fallback", Value: "Cache[Item]@Old", Origin: "aliases.Retry, tag Cache[Item]._"}},
				}},
			},
			{ // 7
				Ref: retry.MethodRef{Class: "Cart"}, Class: "example.com/shop.Cart", Provided: []string{"*shop.Cart", "shop.Basket", "fmt.Stringer", "io.Closer"},
				Lifetime: explain.Transient, Origin: explain.Provide, Place: "shop/wiring.go:24", Proxy: "not woven",
				Needs: []explain.Need{{To: 5, Kind: explain.Parameter, Key: "shop.Tenant", Place: "shop/wiring.go:24", Optional: true}},
			},
		},
		Aspects: []explain.Aspect{
			{Name: "Audit", Pointcut: "method(Gateway.*)", Priority: 1001, Orders: []string{"outside of RetryAspect"}, Service: 4, Place: "shop/wiring.go:20"},
			{Name: "RetryAspect", Pointcut: "annotated(AbstractRetry)", Priority: 1000, Service: explain.Nobody},
		},
	}
}
