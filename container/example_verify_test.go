package container_test

import (
	"errors"
	"fmt"

	"github.com/backstay/backstay/container"
)

func ExampleVerifyError() {
	c := container.New()
	c.Provide(func(*Ledger) *Till { return &Till{} })
	c.Provide(func(*Till) *Ledger { return &Ledger{} })

	err := c.Verify()
	fmt.Println(err)
	fmt.Println()
	fmt.Printf("%+v\n", err)

	var verify *container.VerifyError
	fmt.Println(errors.As(err, &verify), len(verify.Unwrap()))
	// Output:
	// backstay: Till: a cycle: Till needs Ledger (container/example_verify_test.go:12), Ledger needs Till (container/example_verify_test.go:13); let the constructor of Till take a container.Lazy[*container_test.Ledger] (container/example_verify_test.go:12)
	//
	// backstay: 1 definition error
	//
	// Till (container/example_verify_test.go:12)
	//   a cycle
	//     Till needs Ledger (container/example_verify_test.go:12)
	//     Ledger needs Till (container/example_verify_test.go:13)
	//     remedy: let the constructor of Till take a container.Lazy[*container_test.Ledger]
	// true 1
}

// provideTill provides a till for whoever calls it.
func provideTill(c *container.Container, number string) {
	c.Provide(func(*Ledger) *Till { return &Till{} }, container.Name(number), container.CallerSkip(1))
}

func ExampleCallerSkip() {
	c := container.New()
	provideTill(c, "1")
	provideTill(c, "2")
	fmt.Println(c.Verify())
	// Output:
	// backstay: Till#1: nothing provides *container_test.Ledger, which its constructor takes; Provide one (container/example_verify_test.go:42)
	// backstay: Till#2: nothing provides *container_test.Ledger, which its constructor takes; Provide one (container/example_verify_test.go:43)
}

type (
	Till   struct{}
	Ledger struct{}
)
