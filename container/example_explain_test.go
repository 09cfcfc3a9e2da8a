package container_test

import (
	"fmt"

	"github.com/backstay/backstay/container"
)

// Where does each setting of a method come from? Explain knows.
func ExampleContainer_Explain() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Provide(NewCheckout)

	gateway := c.Explain().Find("StripeGateway")
	fmt.Println(gateway.Ref, "is", gateway.Lifetime, "and woven:", gateway.IsWoven())
	for _, m := range gateway.Methods {
		for _, a := range m.Attributes {
			if a.Origin != "table" {
				fmt.Printf("%s: %s = %s (%s)\n", m.Name, a.Key, a.Value, a.Origin)
			}
		}
	}
	// Output:
	// StripeGateway is singleton and woven: true
	// Charge: maxAttempts = 4 (aliases.Retry, tag StripeGateway._)
	// Charge: fallback = OfflineGateway@Charge (aliases.Retry, tag StripeGateway._)
}

// A picture that a README can hold, and a test can compare.
func ExampleContainer_Explain_picture() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Provide(NewCheckout)

	fmt.Print(c.Explain().Mermaid())
	// Output:
	// flowchart LR
	//     service0["StripeGateway<br>as PaymentGateway"]
	//     service1["OfflineGateway"]
	//     service2["Checkout"]
	//     aspect0{{"RetryAspect"}}
	//     service0 -->|"fallback"| service1
	//     service2 --> service0
	//     aspect0 ==>|"Charge"| service0
	//     linkStyle 2 stroke:#9a6700
	//     classDef aspect fill:#fff8c5,stroke:#9a6700,color:#1f2328
	//     class aspect0 aspect
	//     classDef woven fill:#ddf4ff,stroke:#0969da,color:#1f2328
	//     class service0 woven
}
