package emit

import (
	"go/token"
	"go/types"
	"slices"
)

// dropUnnameable leaves out the type arguments that the file cannot name: what a func declares, and what other packages
// keep to themselves.
func (p *proxy) dropUnnameable(w *typeWriter) {
	p.Instances = slices.DeleteFunc(slices.Clone(p.Instances), func(args []types.Type) (unnameable bool) {
		w.refuse = func(*obstacle) { unnameable = true }
		w.all(args)
		return unnameable
	})
}

// init prints the func that registers the proxies.
func (o *printer) init(proxies []*proxy) {
	var all []string
	for _, p := range proxies {
		if p.typeArgs == "" {
			all = append(all, p.maker)
			continue
		}
		for _, args := range p.Instances {
			all = append(all, p.maker+"["+o.w.all(args)+"]")
		}
	}
	if len(all) == 0 {
		return
	}
	o.f("func init() {\n")
	for i, maker := range all {
		if !slices.Contains(all[:i], maker) {
			o.f("%s.RegisterProxy(%s)\n", o.aspect, maker)
		}
	}
	o.f("}\n\n")
}

// registerBase is how the func is called by which users register instances: theirs to call from where they can name the
// interface.
func (p *proxy) registerBase() string {
	verb := "register"
	if p.isOwn && token.IsExported(p.Obj.Name()) {
		verb = "Register"
	}
	return verb + upper(p.Obj.Name()) + "Proxy"
}

// register prints that func.
func (o *printer) register(p *proxy) {
	if p.register == "" {
		return
	}
	o.f("// %s makes the proxy of %s known for type arguments that the generator has not found by itself.\n", p.register, p.typeName(o))
	o.f("func %s%s() { %s.RegisterProxy(%s%s) }\n\n", p.register, p.typeParams, o.aspect, p.maker, p.typeArgs)
}
