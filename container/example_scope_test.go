package container_test

import (
	"context"
	"fmt"

	"github.com/backstay/backstay/container"
)

// Visitor is what only a request knows.
type Visitor struct{ Name string }

type Basket struct{ visitor Visitor }

func NewBasket(v Visitor) *Basket {
	fmt.Println("a basket for", v.Name)
	return &Basket{v}
}

func (b *Basket) Close() { fmt.Println(b.visitor.Name, "leaves the basket") }

type Greeter struct{ basket *Basket }

func NewGreeter(b *Basket) *Greeter { return &Greeter{b} }

func (g *Greeter) Greet() { fmt.Println("welcome,", g.basket.visitor.Name) }

// Each request has a basket of its own, which is closed with its scope.
func ExampleScope() {
	c := container.New()
	c.Provide(NewBasket, container.Scoped())
	c.Provide(NewGreeter, container.Scoped())
	container.Expect[Visitor](c)

	serve := func(name string) error {
		scope := c.Scope()
		defer scope.Close(context.Background())
		scope.Supply(Visitor{name})
		return scope.Invoke(func(g *Greeter, b *Basket) { g.Greet() })
	}
	fmt.Println(serve("Ada"))
	fmt.Println(serve("Grace"))
	// Output:
	// a basket for Ada
	// welcome, Ada
	// Ada leaves the basket
	// <nil>
	// a basket for Grace
	// welcome, Grace
	// Grace leaves the basket
	// <nil>
}

type Letter struct{ number int }

type Post struct{ letters container.Provider[*Letter] }

func NewPost(letters container.Provider[*Letter]) *Post { return &Post{letters} }

// A Provider builds a transient each time.
func ExampleProvider() {
	written := 0
	c := container.New()
	c.Provide(NewPost)
	c.Provide(func() *Letter { written++; return &Letter{written} }, container.Transient())

	err := c.Invoke(func(p *Post) error {
		for range 2 {
			letter, err := p.letters.Get()
			if err != nil {
				return err
			}
			fmt.Println("letter", letter.number)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// letter 1
	// letter 2
	// <nil>
}
