// Package malformed holds tags that vet would refuse too; the name of its folder keeps vet away.
package malformed

import (
	"context"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// Spaced has a space after the colon: reflect's own look-up reads nothing from such a tag, silently.
type Spaced struct {
	_ annotation.On[aliases.Retry] `method: "Charge"`
}

// Charge is there to be named.
func (*Spaced) Charge(context.Context) error { return nil }
