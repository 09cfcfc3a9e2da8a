package container

import (
	"fmt"
	"reflect"
)

// What dig is given of a registration: a constructor that takes what the user's takes, and returns the woven services
// under their keys.

// mayFail reports whether the constructor that dig gets may fail: the user's may, or what comes after it.
func (p *plan) mayFail(r *registration) bool {
	if r.fails || r.overridden || r.finished {
		return true
	}
	for _, s := range r.services {
		if k := s.t.Kind(); (k == reflect.Interface || k == reflect.Func || s.isOpen()) && (r.verb != supply || s.field != nil) {
			return true // nil is refused; the supplied value itself is known not to be
		}
	}
	for i := range r.inputs {
		if in := &r.inputs[i]; in.kind == grouped || in.kind == single && p.isOurs(in) {
			return true // members of groups and transients are built from inside
		}
	}
	return false
}

// isDirect reports whether dig can have the user's constructor as it is: there is nothing to check, to weave or to fill
// in around it, and its one service is not in a group, whose members have to be known when they are built. The value is
// taken from dig when it is asked for. That spares a call by reflection for each of many simple constructors.
func (p *plan) isDirect(r *registration) bool {
	if !r.function.IsValid() || r.canFail || len(r.services) != 1 || r.services[0].group != nil || !r.isPlain() {
		return false
	}
	for i := range r.inputs {
		if p.isOurs(&r.inputs[i]) {
			return false
		}
	}
	return true
}

// digName is the name of all keys of the registration, and whether they have one in common. dig takes one name for all
// results of a constructor; for several it wants a struct.
func (r *registration) digName() (name string, same bool) {
	for i, o := range r.offers {
		if i > 0 && o.name != name {
			return "", false
		}
		name = o.name
	}
	return name, true
}

// digOuts are the types of the services that dig gets.
func (r *registration) digOuts() []reflect.Type {
	if len(r.offers) == 0 {
		return []reflect.Type{reflect.ArrayOf(r.index, reflect.TypeFor[slot]())}
	}
	if _, same := r.digName(); !same {
		fields := []reflect.StructField{{Name: "Out", Type: outType, Anonymous: true}}
		for i, o := range r.offers {
			fields = append(fields, field(fmt.Sprintf("Result%d", i), o.key))
		}
		return []reflect.Type{reflect.StructOf(fields)}
	}
	outs := make([]reflect.Type, len(r.offers), len(r.offers)+1)
	for i, o := range r.offers {
		outs[i] = o.t
	}
	return outs
}

// isFlat reports whether dig cannot read what the registration's function takes: its structs have tags that dig does not
// know, or it has been put together from several functions.
func (r *registration) isFlat() bool {
	if r.flat {
		return true
	}
	for i := range r.inputs {
		if in := &r.inputs[i]; in.required || in.isMap() {
			return true
		}
	}
	return false
}

// digIns are the types of what the constructor that dig gets takes. Of a flat one they are those of the inputs, without
// those that are filled in when it is built.
func (p *plan) digIns(r *registration) (ins []reflect.Type) {
	if !r.flat {
		t := r.function.Type()
		ins = make([]reflect.Type, t.NumIn())
		for i := range ins {
			ins[i] = t.In(i)
		}
		return ins
	}
	for i := range r.inputs {
		if in := &r.inputs[i]; !p.isOurs(in) {
			ins = append(ins, in.digType())
		}
	}
	return ins
}

// digType is the type of the input as a parameter of its own: a struct, where dig has to be told more than its type.
func (in *input) digType() reflect.Type {
	if !in.isTold() {
		return in.t
	}
	f := field("Service", key{in.t, in.name})
	if in.optional {
		f.Tag += ` optional:"true"`
	}
	return reflect.StructOf([]reflect.StructField{{Name: "In", Type: inType, Anonymous: true}, f})
}

// isTold reports whether dig has to be told more of the input than its type.
func (in *input) isTold() bool { return in.name != "" || in.optional }

// arguments are those of the registration's function, as far as dig has given them.
func (p *plan) arguments(r *registration, given []reflect.Value) []reflect.Value {
	if !r.flat {
		return given
	}
	args := zeros(r.function.Type())
	for i := range r.inputs {
		in := &r.inputs[i]
		if p.isOurs(in) {
			continue
		}
		v := given[0]
		if given = given[1:]; in.isTold() {
			v = v.Field(1)
		}
		in.put(args, v)
	}
	return args
}

// digType is the type of the constructor that dig gets: the user's own, where that will do.
func (p *plan) digType(r *registration) reflect.Type {
	if r.function.IsValid() && !r.flat && r.isPlain() {
		return r.function.Type()
	}
	outs := r.digOuts()
	if r.canFail {
		outs = append(outs, errorType)
	}
	var ins []reflect.Type
	if r.function.IsValid() {
		ins = p.digIns(r)
	}
	return reflect.FuncOf(ins, outs, false)
}

// isPlain reports whether the user's constructor returns just what dig is to get.
func (r *registration) isPlain() bool {
	t := r.function.Type()
	if r.canFail != r.fails || t.NumOut() != len(r.offers)+count(r.fails) || len(r.offers) == 0 {
		return false
	}
	for i, o := range r.offers {
		if t.Out(i) != o.t {
			return false
		}
	}
	_, same := r.digName()
	return same
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// digResults is what the constructor that dig gets returns: the services, or the error.
func (r *registration) digResults(err error) []reflect.Value {
	var results []reflect.Value
	if _, same := r.digName(); err == nil && same && len(r.offers) > 0 {
		results = make([]reflect.Value, len(r.offers), len(r.offers)+1)
		for i, o := range r.offers {
			results[i] = o.service.as(o.t)
		}
	} else {
		for _, t := range r.digOuts() {
			v := reflect.New(t).Elem()
			if err == nil && !same {
				for i, o := range r.offers {
					v.Field(i + 1).Set(o.service.as(o.t))
				}
			}
			results = append(results, v)
		}
	}
	if r.canFail {
		results = append(results, reflect.ValueOf(&err).Elem())
	}
	return results
}

// digKey is a type that dig builds the registration for when a func takes it: that of a key, or a struct with its name.
func (r *registration) digKey() reflect.Type {
	if len(r.offers) == 0 {
		return r.digOuts()[0]
	}
	o := r.offers[0]
	if o.name == "" {
		return o.t
	}
	return reflect.StructOf([]reflect.StructField{{Name: "In", Type: inType, Anonymous: true}, field("Service", o.key)})
}

// field is a field of a struct that dig reads.
func field(name string, k key) reflect.StructField {
	f := reflect.StructField{Name: name, Type: k.t}
	if k.name != "" {
		f.Tag = reflect.StructTag(fmt.Sprintf("name:%q", k.name))
	}
	return f
}
