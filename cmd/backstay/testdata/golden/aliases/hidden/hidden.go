// Package hidden has aliases of types that only it can name, and the other way round.
package hidden

import "context"

type (
	secret struct{ N int }
	number = int
)

// Open is how others name secret.
type Open = secret

// Mixed uses a name that others cannot use, of a type that they can.
type Mixed interface {
	Mix(ctx context.Context, o Open, n number) ([]number, error)
}
