// Package imports imports in every way.
package imports

import (
	"context"
	html "html/template"
	"io"
	mathrand "math/rand/v2"
	boxPut "strings"
	text "text/template"
	. "time"

	. "golden/imports/dot"
	first "golden/imports/first/model"
	odd "golden/imports/go-odd"
	second "golden/imports/second/model"
	versioned "golden/imports/v2"
)

//go:generate go tool backstay -type Renderer,Box

// fmt hides the package, and boxProxy and aspect are taken.
type (
	fmt    interface{ io.Reader }
	aspect int
)

// Renderer has types of packages that share their names.
type Renderer interface {
	Render(ctx context.Context, t *text.Template, h *html.Template, wait Duration) (html.HTML, error)
	Order(a first.Order, b second.Order) (Text, error)
	Odd(n odd.Number, v versioned.Version, source mathrand.Source, f fmt) (aspect, error)
}

// Box has names that the file's imports have.
type Box[T any] interface {
	Put(T, *boxPut.Builder) error
}

var _ Box[Text]

func init() { RegisterBoxProxy() }
