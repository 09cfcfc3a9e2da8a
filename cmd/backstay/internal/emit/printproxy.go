package emit

import "strings"

// proxy prints all of one proxy.
func (o *printer) proxy(p *proxy) {
	o.proxyType(p)
	o.implements(p)
	o.register(p)
	o.maker(p)
	for _, m := range p.methods {
		o.woven(p, m)
		o.call(p, m)
	}
	for _, m := range p.plain {
		o.straight(p, m)
	}
}

func (o *printer) proxyType(p *proxy) {
	embedded := o.aspect + ".Proxy"
	if p.embedded != "" {
		o.f("// %s is %s under a name that no method of %s has.\n", p.embedded, embedded, p.typeName(o))
		o.f("type %s = %s\n\n", p.embedded, embedded)
		embedded = p.embedded
	}
	o.f("// %s implements %s: it runs aspects around the calls of another one.\n", p.typ, p.typeName(o))
	o.f("type %s%s struct {\n%s\n%s %s\n\n", p.typ, p.typeParams, embedded, p.targetField, p.target)
	o.f("// The chains of the methods; nil for those that go straight through.\n")
	for _, m := range p.methods {
		o.f("%s *%s.Chain\n", m.chain, o.aspect)
	}
	o.f("}\n\n")
}

// typeName is the interface as comments name it.
func (p *proxy) typeName(o *printer) string { return o.w.scope.qualified(p.Obj) }

// implements prints the check that the proxy has all methods.
func (o *printer) implements(p *proxy) {
	check := "var _ " + p.target + " = (*" + p.typ + p.typeArgs + ")(nil)"
	if p.typeParams != "" {
		check = "func _" + p.typeParams + "() { " + check + " }"
	}
	o.f("%s\n\n", check)
}

// maker prints the func that is registered.
func (o *printer) maker(p *proxy) {
	self, target, chain := p.makerParams[0], p.makerParams[1], p.makerParams[2]
	o.f("func %s%s(%s %s.Proxy, %s %s, %s func(method string) *%s.Chain) %s {\n",
		p.maker, p.typeParams, self, o.aspect, target, p.target, chain, o.aspect, p.target)
	field := "Proxy"
	if p.embedded != "" {
		field = p.embedded
	}
	o.f("return &%s%s{\n%s: %s,\n%s: %s,\n", p.typ, p.typeArgs, field, self, p.targetField, target)
	for _, m := range p.methods {
		o.f("%s: %s(%q),\n", m.chain, chain, m.Name())
	}
	o.f("}\n}\n\n")
}

// methodHead prints a method of the proxy up to its body.
func (o *printer) methodHead(p *proxy, m *method) {
	o.f("func (%s *%s%s) %s%s ", p.self, p.typ, p.typeArgs, m.Name(), o.signature(m))
}

// signature has the names of parameters that have been chosen, and none of results.
func (o *printer) signature(m *method) string {
	var params, results list
	for i, t := range o.paramTypes(m) {
		if m.Signature().Variadic() && i == len(m.params)-1 {
			t = "..." + strings.TrimPrefix(t, "[]")
		}
		params.add(m.params[i], t)
	}
	for _, t := range o.resultTypes(m) {
		results.add("", t)
	}
	return params.parenthesized() + results.asResults()
}

func (o *printer) paramTypes(m *method) (all []string) {
	for v := range m.Signature().Params().Variables() {
		all = append(all, o.w.text(v.Type()))
	}
	return all
}

func (o *printer) resultTypes(m *method) (all []string) {
	for v := range m.Signature().Results().Variables() {
		all = append(all, o.w.text(v.Type()))
	}
	return all
}

// direct is a call of the target's method; prefix is put before each argument.
func direct(m *method, target, prefix string) string {
	args := make([]string, len(m.params))
	for i, name := range m.params {
		args[i] = prefix + name
	}
	dots := ""
	if m.Signature().Variadic() {
		dots = "..."
	}
	return target + "." + m.Name() + "(" + strings.Join(args, ", ") + dots + ")"
}

// woven prints a method that runs its chain.
func (o *printer) woven(p *proxy, m *method) {
	chain := p.self + "." + m.chain
	c := p.call
	o.methodHead(p, m)
	o.f("{\nif %s == nil {\n", chain)
	if straight := direct(m, p.self+"."+p.targetField, ""); len(m.results) > 0 {
		o.f("return %s\n}\n", straight)
	} else {
		o.f("%s\nreturn\n}\n", straight)
	}
	o.f("%s := &%s%s{proxy: %s", c, m.call, p.typeArgs, p.self)
	if len(m.params) > 0 {
		o.f(", args: %s%s{%s}", m.argsType, p.typeArgs, strings.Join(m.params, ", "))
	}
	o.f("}\ndefer %s.End()\n", c)
	results := make([]string, len(m.results))
	for i, name := range m.results {
		results[i] = c + ".results." + name
	}
	last := len(results) - 1
	switch {
	case m.isFailing() && last == 0:
		o.f("return %s.Run(%s)\n", chain, c)
	case m.isFailing():
		results[last] = p.err
		o.f("%s := %s.Run(%s)\n", p.err, chain, c)
		o.f("return %s\n", strings.Join(results, ", "))
	case m.mayFail():
		o.f("%s := %s.Run(%s)\n", p.err, chain, c)
		o.f("if %s, ok := %s; ok {\n*%s = %s\n}\n", p.last, o.asError(results[last]), p.last, p.err)
		o.f("return %s\n", strings.Join(results, ", "))
	default:
		o.f("%s.Run(%s) // an error is raised as a panic: the method has no other way to say it\n", chain, c)
		if last >= 0 {
			o.f("return %s\n", strings.Join(results, ", "))
		}
	}
	o.f("}\n\n")
}

// asError is the expression that tells whether a result whose type is a type parameter is an error, and where.
func (o *printer) asError(result string) string { return o.any + "(&" + result + ").(*error)" }

// straight prints a method that has no chain.
func (o *printer) straight(p *proxy, m *method) {
	o.f("// %s goes straight through: what is unexported is not woven.\n", m.Name())
	o.methodHead(p, m)
	call := direct(m, p.self+"."+p.targetField, "")
	if len(m.results) > 0 {
		call = "return " + call
	}
	o.f("{ %s }\n\n", call)
}
