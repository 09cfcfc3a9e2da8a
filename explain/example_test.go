package explain_test

import (
	"fmt"

	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// checkout is a wiring of two services, as a container would tell it.
var checkout = &explain.Wiring{
	Services: []explain.Service{
		{
			Ref: retry.MethodRef{Class: "Stripe"}, Class: "example.com/shop.Stripe", Provided: []string{"shop.Gateway"},
			Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:12", Proxy: "run-time",
			Methods: []explain.Method{{
				Name:       "Charge",
				Aspects:    []explain.AspectUse{{Name: "RetryAspect", Pointcut: "annotated(annotation.AbstractRetry)", Priority: 1000}},
				Policies:   []string{"classifier", "maxAttempts"},
				Attributes: []explain.Attribute{{Key: "maxAttempts", Value: "4", Origin: "aliases.Retry, tag Stripe._"}},
			}},
		},
		{
			Ref: retry.MethodRef{Class: "Checkout"}, Class: "example.com/shop.Checkout", Provided: []string{"*shop.Checkout"},
			Lifetime: explain.Singleton, Origin: explain.Provide, Place: "shop/wiring.go:13", Proxy: "not woven",
			Needs: []explain.Need{{To: 0, Kind: explain.Parameter, Key: "shop.Gateway"}},
		},
	},
	Aspects: []explain.Aspect{{Name: "RetryAspect", Pointcut: "annotated(annotation.AbstractRetry)", Priority: 1000, Service: explain.Nobody}},
}

func ExampleWiring_String() {
	fmt.Print(checkout)
	// Output:
	// 2 services, 1 aspect
	//
	// Stripe
	//   class     example.com/shop.Stripe
	//   from      Provide at shop/wiring.go:12
	//   as        shop.Gateway
	//   lifetime  singleton, not built yet
	//   proxy     run-time
	//   @Charge
	//     chain        RetryAspect  1000  annotated(annotation.AbstractRetry)
	//     policies     classifier, maxAttempts
	//     maxAttempts  4  aliases.Retry, tag Stripe._
	//
	// Checkout
	//   class     example.com/shop.Checkout
	//   from      Provide at shop/wiring.go:13
	//   as        *shop.Checkout
	//   lifetime  singleton, not built yet
	//   proxy     not woven
	//   needs     Stripe
	//
	// aspects, outermost first
	//   RetryAspect  1000  annotated(annotation.AbstractRetry)
}

func ExampleWiring_Mermaid() {
	fmt.Print(checkout.Mermaid())
	// Output:
	// flowchart LR
	//     service0["Stripe<br>as Gateway"]
	//     service1["Checkout"]
	//     aspect0{{"RetryAspect"}}
	//     service1 --> service0
	//     aspect0 ==>|"Charge"| service0
	//     linkStyle 1 stroke:#9a6700
	//     classDef aspect fill:#fff8c5,stroke:#9a6700,color:#1f2328
	//     class aspect0 aspect
	//     classDef woven fill:#ddf4ff,stroke:#0969da,color:#1f2328
	//     class service0 woven
}

func ExampleWiring_DOT() {
	fmt.Print(checkout.DOT())
	// Output:
	// digraph wiring {
	// 	rankdir=LR
	// 	nodesep=0.3
	// 	ranksep=0.7
	// 	node [shape=box, fontname="Helvetica", fontsize=12, color="#57606a", fillcolor="#ffffff", style=filled, margin="0.16,0.08"]
	// 	edge [fontname="Helvetica", fontsize=10, color="#57606a", fontcolor="#57606a", arrowsize=0.7]
	// 	service0 [label="Stripe\nas Gateway", fillcolor="#ddf4ff", color="#0969da"]
	// 	service1 [label="Checkout"]
	// 	aspect0 [label="RetryAspect", shape=hexagon, fillcolor="#fff8c5"]
	// 	service1 -> service0
	// 	aspect0 -> service0 [label="Charge", penwidth=2, color="#9a6700", fontcolor="#9a6700"]
	// }
}
