// Package malformed has a struct tag that vet refuses.
package malformed

import "github.com/backstay/backstay/container"

// In is a struct of parameters with a space where none may be.
type In struct {
	container.In
	A *int `name: "x"`
}
