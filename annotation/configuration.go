package annotation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Configuration is what a deployment says of methods, over all that is declared for them: attributes, own fields, and which
// annotations are off. Of several that set one attribute the one whose class and method are named more closely holds, then
// the later one. It is safe for concurrent use. For those who weave.
type Configuration struct {
	methods string // as they are written
	place   string
	hand    layer

	class  pattern
	method selector

	mu   sync.Mutex
	met  bool           // some method
	done map[effect]int // what has had an effect, and at how many methods
}

// effect is one of the things that a configuration says.
type effect struct {
	what  string // "attributes", "set", "toggle"
	index int
}

// Configure is what opts say of the methods that a reference such as "SMTP@Send" or "*@Get*" means. The place is that of the
// call; see [Caller]. For those who weave.
func Configure(methods, place string, opts ...Option) *Configuration {
	c := &Configuration{methods: methods, place: place, done: map[effect]int{}}
	var attributes []Option
	var toggles []toggle
	for _, o := range opts {
		if o.o != nil && o.o.toggle != nil {
			toggles = append(toggles, *o.o.toggle)
			continue
		}
		attributes = append(attributes, o)
	}
	c.hand = layerOf(attributes)
	c.hand.toggles = toggles
	if len(opts) == 0 {
		c.hand.wrong("it configures nothing", "write options, such as annotation.MaxAttempts(3) or annotation.Enabled[aliases.Retry](false)")
	}
	if at := strings.LastIndexByte(methods, '@'); at >= 0 {
		c.class = pattern(methods[:at])
		c.method, _ = parseSelector(methods[at+1:]) // whoever matches says what is wrong with it
	}
	return c
}

// Place is the file:line of the call.
func (c *Configuration) Place() string { return c.place }

// String is the methods, as they are written.
func (c *Configuration) String() string { return c.methods }

// rank is that of what the configuration says of a method, as the n-th of several. It is above all that is declared.
func (c *Configuration) rank(method string, n int) rank {
	class := outright
	switch {
	case c.class.isGlob():
		class = min(len(c.class), outright-1)
	case strings.Contains(string(c.class), "#"):
		class++ // one service of the class
	}
	return rank(1)<<60 | rank(class)<<40 | rank(c.method.nearness(method))<<20 | rank(n)
}

func (c *Configuration) origin() Origin { return Origin{Layer: LayerConfiguration, Place: c.place} }

// effective notes that something has had an effect.
func (c *Configuration) effective(what string, index int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[effect{what, index}]++
}

// Mistakes are what is wrong with the options, each a *DefinitionError.
func (c *Configuration) Mistakes() (errs []error) {
	for _, m := range c.hand.mistakes {
		errs = append(errs, c.wrong(m.problem, m.remedy))
	}
	return errs
}

func (c *Configuration) wrong(problem, remedy string) error {
	return &DefinitionError{Place: c.place, Problem: fmt.Sprintf("Configure of %q: %s", c.methods, problem), Remedy: remedy}
}

// Unmet are what the configuration says and what has had no effect on any service so far, each a *DefinitionError. near finds
// the reference that was probably meant, or returns nothing.
func (c *Configuration) Unmet(near func(ref string) string) (errs []error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.met {
		remedy := "write Class@Method of a service that is provided as an interface or a func"
		if near := near(c.methods); near != "" {
			remedy = "did you mean " + near + "?"
		}
		return []error{c.wrong("it meets no method", remedy)}
	}
	if len(c.hand.settings)+len(c.hand.lists) > 0 && c.done[effect{"attributes", 0}] == 0 {
		errs = append(errs, c.wrong("no method that it meets carries a retry annotation, so there is nothing that the attributes could change",
			"annotate the method, or leave them out"))
	}
	for i, s := range c.hand.sets {
		if c.done[effect{"set", i}] == 0 {
			errs = append(errs, c.wrong(fmt.Sprintf("no method that it meets carries a %v, whose fields annotation.Set sets", s.typ), "annotate the method, or leave it out"))
		}
	}
	for i, t := range c.hand.toggles {
		if c.done[effect{"toggle", i}] == 0 {
			errs = append(errs, c.wrong(fmt.Sprintf("no method that it meets carries a %v, which annotation.Enabled turns off or on", t.typ), "leave it out"))
		}
	}
	return errs
}

// Configured is a configuration, and the methods of one service that it meets. For those who weave.
type Configured struct {
	*Configuration
	Methods []string
}

// Switches reports whether the configuration turns annotations off or on.
func (c Configured) Switches() bool { return len(c.hand.toggles) > 0 }

// note notes that the configuration meets methods.
func (c *Configured) note() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.met = c.met || len(c.Methods) > 0
}

// configuring are the configurations of a method, the farthest first.
func (r *resolver) configuring(method int) (all []ranked) {
	name := r.subject.Methods[method].Name
	for n, c := range r.configured {
		for _, m := range c.Methods {
			if m == name {
				all = append(all, ranked{c.Configuration, c.rank(name, n)})
			}
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// ranked is a configuration with its rank at one method.
type ranked struct {
	*Configuration
	rank rank
}

// switchOff takes out of the reach of declarations the methods for which their annotations are off.
func (r *resolver) switchOff() {
	for i := range r.subject.Methods {
		all := r.configuring(i)
		for _, a := range r.admitted {
			if a.reach[i] == 0 {
				continue
			}
			on, by := a.isEnabled(all)
			if on {
				continue
			}
			a.reach[i], a.met = 0, true
			if r.off == nil {
				r.off = map[int][]Off{}
			}
			r.off[i] = append(r.off[i], Off{a.typ, a.place, by})
			a.wouldHave(all)
		}
	}
}

// isEnabled reports whether the annotation is on under configurations, the farthest first, and where that was said.
func (a *admitted) isEnabled(all []ranked) (on bool, by string) {
	on = true
	for _, c := range all {
		for n, t := range c.hand.toggles {
			if EmbedsOrIs(a.typ, t.typ) {
				on, by = t.on, c.place
				c.effective("toggle", n)
			}
		}
	}
	return on, by
}

// wouldHave notes what configurations say of an annotation that is off: it is no mistake, so that whoever switches it off
// need not touch what tunes it.
func (a *admitted) wouldHave(all []ranked) {
	for _, c := range all {
		if a.kind.retry {
			c.effective("attributes", 0)
		}
		for n, s := range c.hand.sets {
			if EmbedsOrIs(a.typ, s.typ) {
				c.effective("set", n)
			}
		}
	}
}
