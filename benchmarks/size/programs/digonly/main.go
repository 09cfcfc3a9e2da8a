// Command digonly builds one service with dig and calls it.
package main

import (
	"context"
	"os"

	"go.uber.org/dig"
)

// Greeter is the service.
type Greeter interface {
	Greet(ctx context.Context, name string) (string, error)
}

type greeter struct{}

func newGreeter() *greeter { return &greeter{} }

func (*greeter) Greet(_ context.Context, name string) (string, error) { return "hello, " + name, nil }

func main() {
	c := dig.New()
	err := c.Provide(newGreeter, dig.As(new(Greeter)))
	if err == nil {
		err = c.Invoke(greet)
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func greet(g Greeter) error {
	text, err := g.Greet(context.Background(), "world")
	os.Stdout.WriteString(text + "\n")
	return err
}
