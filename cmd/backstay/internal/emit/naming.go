package emit

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
)

// proxyNames are the names that a proxy brings.
type proxyNames struct {
	typ, maker, register string // package level; register is of generic ones only
	embedded             string // package level: an alias of aspect.Proxy; empty: aspect.Proxy does
	targetField          string
	typeParamNames       []string
	self, call, index    string   // receivers of the proxy and of its calls, and the parameter of Arg and Result
	err, last            string   // variables of the proxy's methods, which have their call in one called as its receiver
	makerParams          []string // proxy, target, chain
}

// methodNames are the names that a method brings.
type methodNames struct {
	chain                       string // field of the proxy
	call, argsType, resultsType string // package level
}

// nameTypeParams calls the type parameters as the user does, where that hides nothing that the file may need.
func (p *proxy) nameTypeParams(s *scope) {
	used := names(maps.Clone(s.declared))
	used.add(types.Universe.Names()...)
	var wanted []string
	for t := range typeParamsOf(p.Obj).TypeParams() {
		wanted = append(wanted, t.Obj().Name())
	}
	p.typeParamNames = used.each(wanted, func(i int) string { return fmt.Sprintf("T%d", i) })
}

// nameAll chooses all names: those at package level, the imports', and then those in the proxies.
func nameAll(s *scope, proxies []*proxy) {
	used := names(maps.Clone(s.declared))
	used.add(types.Universe.Names()...)
	for _, p := range proxies {
		used.add(p.typeParamNames...)
	}
	ours := names(maps.Clone(used))
	ours.add(s.fileNames()...)
	for _, p := range proxies {
		p.namePackageLevel(ours)
	}
	for _, p := range proxies {
		for _, m := range p.methods {
			m.namePackageLevel(ours, lower(p.Obj.Name())+m.Name())
		}
	}
	for _, p := range proxies {
		used.add(p.typ, p.maker, p.register, p.embedded)
		for _, m := range p.methods {
			used.add(m.call, m.argsType, m.resultsType)
		}
	}
	s.imports.choose(used)
	for _, p := range proxies {
		p.nameInside()
	}
}

func (p *proxy) namePackageLevel(ours names) {
	name := p.Obj.Name()
	p.typ = ours.numbered(lower(name) + "Proxy")
	p.maker = ours.numbered("new" + upper(name) + "Proxy")
	if len(p.typeParamNames) > 0 {
		p.register = ours.numbered(p.registerBase())
	}
	members := p.members()
	if members["Proxy"] {
		for p.embedded = ours.numbered(lower(name) + "Base"); members[p.embedded]; {
			p.embedded = ours.numbered(lower(name) + "Base")
		}
	}
}

func (m *method) namePackageLevel(ours names, base string) {
	m.call = ours.numbered(base)
	if m.Signature().Params().Len() > 0 {
		m.argsType = ours.numbered(base + "Args")
	}
	if m.Signature().Results().Len() > 0 {
		m.resultsType = ours.numbered(base + "Results")
	}
}

// members are the names that the struct of the proxy cannot use for fields.
func (p *proxy) members() names {
	members := names{}
	for _, m := range p.allMethods() {
		members.add(m.Name())
	}
	return members
}

// nameInside chooses the names of fields, parameters and variables.
func (p *proxy) nameInside() {
	fields := p.members()
	fields.add("Proxy", p.embedded)
	p.targetField = fields.numbered("target")
	for _, m := range p.methods {
		m.chain = fields.numbered(lower(m.Name()) + "Chain")
	}
	p.self, p.call, p.index = p.local("p"), p.local("c"), p.local("i")
	p.makerParams = []string{p.self, p.local("target"), p.local("chain")}
	p.err, p.last = p.local("err"), p.local("last")
	for _, m := range p.allMethods() {
		m.nameValues(p)
	}
}

// local is the name of a variable that no type parameter has.
func (p *proxy) local(name string) string {
	used := taken(p.typeParamNames...)
	return used.underscored(name)
}

// nameValues chooses the names of parameters and results: the user's, where what the proxy's method needs is not hidden.
func (m *method) nameValues(p *proxy) {
	used := taken(p.typeParamNames...)
	used.add(p.self)
	if m.call != "" {
		used.add("nil", p.call, m.call, m.argsType)
		if m.isFailing() && m.Signature().Results().Len() > 1 {
			used.add(p.err)
		}
		if m.mayFail() {
			used.add(p.err, p.last, "any", "error")
		}
	}
	m.params = used.each(namesOf(m.Signature().Params()), func(i int) string { return fmt.Sprintf("p%d", i) })
	results := namesOf(m.Signature().Results())
	m.results = names{}.each(results, func(i int) string {
		if m.isFailing() && i == len(results)-1 && !slices.Contains(results, "err") {
			return "err"
		}
		return fmt.Sprintf("r%d", i)
	})
}

func namesOf(t *types.Tuple) []string {
	all := make([]string, t.Len())
	for i := range all {
		all[i] = t.At(i).Name()
	}
	return all
}
