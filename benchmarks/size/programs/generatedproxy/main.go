// Command generatedproxy builds one service with Backstay, woven by a generated proxy, and calls it.
package main

import (
	"context"
	"os"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/container"
)

// Greeter is the service.
//
//go:generate go tool backstay -type Greeter
type Greeter interface {
	Greet(ctx context.Context, name string) (string, error)
}

type greeter struct{}

func newGreeter() *greeter { return &greeter{} }

func (*greeter) Greet(_ context.Context, name string) (string, error) { return "hello, " + name, nil }

func main() {
	c := container.New()
	c.Provide(newGreeter, container.As[Greeter](), container.Annotate[aliases.Retry](Greeter.Greet))
	if err := c.Invoke(greet); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func greet(g Greeter) error {
	text, err := g.Greet(context.Background(), "world")
	os.Stdout.WriteString(text + "\n")
	return err
}
