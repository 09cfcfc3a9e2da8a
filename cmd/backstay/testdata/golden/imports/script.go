package imports

import (
	"context"
	html "html/template"
	"math/rand/v2"
	"strings"
	text "text/template"
	"time"

	"testing"

	"golden/imports/dot"
	model1 "golden/imports/first/model"
	odd "golden/imports/go-odd"
	model2 "golden/imports/second/model"
	imports "golden/imports/v2"
	"golden/script"
)

type target struct{ *script.Script }

func (t target) Render(ctx context.Context, a *text.Template, b *html.Template, wait time.Duration) (html.HTML, error) {
	return "<b>", t.Call("Render", ctx, a, b, wait)
}

func (t target) Order(a model1.Order, b model2.Order) (dot.Text, error) {
	return "text", t.Call("Order", a, b)
}

func (t target) Odd(n odd.Number, v imports.Version, source rand.Source, f fmt) (aspect, error) {
	return 1, t.Call("Odd", n, v, source, f)
}

func TestRenderer(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Renderer](s, target{s})
	ctx := script.Context("imports")

	rendered, err := p.Render(ctx, text.New("a"), nil, time.Second)
	s.NoError(err)
	script.Equal(s, rendered, "<b>")
	s.Called("Render", ctx, text.New("a"), (*html.Template)(nil), time.Second)

	ordered, err := p.Order(model1.Order{N: 1}, model2.Order{N: 2})
	s.NoError(err)
	script.Equal(s, ordered, "text")
	s.Called("Order", model1.Order{N: 1}, model2.Order{N: 2})

	n, err := p.Odd(3, "v3", nil, strings.NewReader("f"))
	s.NoError(err)
	script.Equal(s, n, 1)
	s.Called("Odd", odd.Number(3), imports.Version("v3"), nil, strings.NewReader("f"))
}

type box struct{ *script.Script }

func (t box) Put(v dot.Text, b *strings.Builder) error { return t.Call("Put", v, b) }

func TestBox(t *testing.T) {
	s := script.New(t)
	s.NoError(script.Weave[Box[dot.Text]](s, box{s}).Put("text", nil))
	s.Called("Put", dot.Text("text"), (*strings.Builder)(nil))
}
