package emit

import "strings"

// call prints the struct that is one call of a method, and its methods.
func (o *printer) call(p *proxy, m *method) {
	o.f("// %s is one call of %s.\n", m.call, m.Name())
	o.f("type %s%s struct {\n%s.Frame\nproxy *%s%s\n", m.call, p.typeParams, o.aspect, p.typ, p.typeArgs)
	if len(m.params) > 0 {
		o.f("args %s%s\n", m.argsType, p.typeArgs)
	}
	if len(m.results) > 0 {
		o.f("results %s%s\n", m.resultsType, p.typeArgs)
	}
	o.f("}\n\n")
	o.values(p, m.argsType, m.params, o.paramTypes(m))
	o.values(p, m.resultsType, m.results, o.resultTypes(m))
	o.invoke(p, m)
	o.pointer(p, m, "Arg", "args", m.params)
	o.pointer(p, m, "Result", "results", m.results)
	o.clear(p, m)
	o.clone(p, m)
	o.release(p, m)
}

// values prints the struct of arguments or results.
func (o *printer) values(p *proxy, typ string, names, types []string) {
	if len(names) == 0 {
		return
	}
	o.f("type %s%s struct {\n", typ, p.typeParams)
	for i, name := range names {
		o.f("%s %s\n", name, types[i])
	}
	o.f("}\n\n")
}

// on is the receiver of the call's methods; without a name when it is not used.
func (o *printer) on(p *proxy, m *method, used bool) string {
	name := ""
	if used {
		name = p.call + " "
	}
	return "func (" + name + "*" + m.call + p.typeArgs + ") "
}

func (o *printer) invoke(p *proxy, m *method) {
	c := p.call
	o.f("%sInvoke() error {\n", o.on(p, m, true))
	results := make([]string, len(m.results))
	for i, name := range m.results {
		results[i] = c + ".results." + name
	}
	if len(results) > 0 {
		o.f("%s = ", strings.Join(results, ", "))
	}
	o.f("%s\n", direct(m, c+".proxy."+p.targetField, c+".args."))
	switch {
	case m.isFailing():
		o.f("return %s\n", results[len(results)-1])
	case m.mayFail():
		o.f("if %s, ok := %s; ok {\nreturn *%s\n}\nreturn nil\n", p.last, o.asError(results[len(results)-1]), p.last)
	default:
		o.f("return nil\n")
	}
	o.f("}\n\n")
}

// pointer prints Arg or Result.
func (o *printer) pointer(p *proxy, m *method, method, field string, names []string) {
	if len(names) == 0 {
		o.f("%s%s(int) %s { return nil }\n\n", o.on(p, m, false), method, o.any)
		return
	}
	o.f("%s%s(%s int) %s {\nswitch %s {\n", o.on(p, m, true), method, p.index, o.any, p.index)
	for i, name := range names {
		o.f("case %d:\nreturn &%s.%s.%s\n", i, p.call, field, name)
	}
	o.f("}\nreturn nil\n}\n\n")
}

func (o *printer) clear(p *proxy, m *method) {
	if len(m.results) == 0 {
		o.f("%sClear() {}\n\n", o.on(p, m, false))
		return
	}
	o.f("%sClear() { %s.results = %s%s{} }\n\n", o.on(p, m, true), p.call, m.resultsType, p.typeArgs)
}

func (o *printer) clone(p *proxy, m *method) {
	c := p.call
	fields := "proxy: " + c + ".proxy"
	if len(m.params) > 0 {
		fields += ", args: " + c + ".args"
	}
	if len(m.results) > 0 {
		fields += ", results: " + c + ".results"
	}
	o.f("%sClone() %s.Call {\nreturn &%s%s{%s}\n}\n\n", o.on(p, m, true), o.aspect, m.call, p.typeArgs, fields)
}

func (o *printer) release(p *proxy, m *method) {
	c := p.call
	left, right := c+".proxy", "nil"
	if len(m.params) > 0 {
		left, right = left+", "+c+".args", right+", "+m.argsType+p.typeArgs+"{}"
	}
	if len(m.results) > 0 {
		left, right = left+", "+c+".results", right+", "+m.resultsType+p.typeArgs+"{}"
	}
	o.f("%sRelease() {\n%s = %s\n}\n\n", o.on(p, m, true), left, right)
}
